#include "scenario/formats/matrix_csv.h"

#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/text_file.h"

enum { COLUMNS = 3 };

static bool is_header(char *const *fields) {
    return (strcmp(fields[0], "src") == 0 || strcmp(fields[0], "source") == 0) &&
           (strcmp(fields[1], "dst") == 0 || strcmp(fields[1], "destination") == 0) &&
           (strcmp(fields[2], "rate") == 0 || strcmp(fields[2], "bytes") == 0);
}

static fc_status read_flow(const fc_lines *lines, char *const *fields, fc_error *error,
                           fc_flow *flow) {
    uint64_t ends[2];
    double rate;
    for (size_t i = 0; i < 2; ++i) {
        if (!fc_parse_whole(fields[i], FC_MATRIX_CSV_NODES_MAX - 1, &ends[i]))
            return fc_lines_fail(lines, error, "the %s is '%.40s'; expected a node from 0 to %d",
                                 i ? "destination" : "source", fields[i],
                                 FC_MATRIX_CSV_NODES_MAX - 1);
    }
    if (!fc_parse_real(fields[2], &rate) || rate < 0 || rate > 1e100)
        return fc_lines_fail(lines, error, "the rate is '%.40s'; expected a number of at least 0",
                             fields[2]);
    *flow = (fc_flow){.source = (uint32_t)ends[0],
                      .destination = (uint32_t)ends[1],
                      .line = (uint32_t)lines->number,
                      .rate = rate};
    return FC_OK;
}

static fc_status read_flows(fc_lines *lines, fc_error *error, size_t *count, fc_flow **flows) {
    size_t room = 0;
    bool first = true;
    for (char *line; (line = fc_lines_next(lines)); first = false) {
        char *fields[COLUMNS];
        fc_flow flow;
        if (fc_split_fields(line, fields, COLUMNS) != COLUMNS)
            return fc_lines_fail(lines, error, "expected the three columns src,dst,rate");
        if (first && is_header(fields))
            continue;
        const fc_status status = read_flow(lines, fields, error, &flow);
        if (status != FC_OK)
            return status;
        fc_flow *more = fc_make_room(*flows, &room, *count, 1, sizeof *more);
        if (!more)
            return fc_fail_memory(error);
        *flows = more;
        (*flows)[(*count)++] = flow;
    }
    if (*count == 0)
        return fc_lines_fail(lines, error,
                             "no traffic; expected lines such as '0,1,0.2': "
                             "src,dst,rate");
    return FC_OK;
}

fc_status fc_matrix_csv_parse(char *text, const char *path, fc_error *error, size_t *count,
                              fc_flow **flows) {
    fc_lines lines = {.next = text, .path = path, .comment = '#'};
    size_t read = 0;
    fc_flow *made = NULL;
    const fc_status status = read_flows(&lines, error, &read, &made);
    if (status != FC_OK) {
        fc_release(made);
        return status;
    }
    *count = read;
    *flows = made;
    return FC_OK;
}

static fc_status fill_matrix(fc_destinations *d, size_t nodes, fc_error *error) {
    fc_lines place = {.path = d->file};
    for (size_t i = 0; i < d->flow_count; ++i) {
        const fc_flow *flow = &d->flows[i];
        place.number = flow->line;
        if (flow->source >= nodes || flow->destination >= nodes)
            return fc_lines_fail(&place, error, "there is no node %u; the last one is %zu",
                                 flow->source >= nodes ? flow->source : flow->destination,
                                 nodes - 1);
        if (flow->source == flow->destination && flow->rate > 0 && !d->to_self)
            return fc_lines_fail(&place, error,
                                 "node %u would send to itself; leave the line out, or set "
                                 "traffic.self_messages: sent",
                                 flow->source);
        d->matrix[flow->source * nodes + flow->destination] += flow->rate;
    }
    return FC_OK;
}

/* Rows to probabilities; their sums, over the mean of those that send, to weights. */
static fc_status scale(fc_destinations *d, size_t nodes, fc_error *error) {
    double total = 0, senders = 0;
    for (size_t row = 0; row < nodes; ++row) {
        double sum = 0;
        for (size_t column = 0; column < nodes; ++column)
            sum += d->matrix[row * nodes + column];
        for (size_t column = 0; column < nodes && sum > 0; ++column)
            d->matrix[row * nodes + column] /= sum;
        d->weights[row] = sum;
        total += sum;
        senders += sum > 0;
    }
    if (!(total > 0))
        return fc_fail(error, FC_ERROR_INPUT, "%.300s: all rates are 0: nothing would be sent",
                       d->file);
    bool alike = true;
    for (size_t row = 0; row < nodes; ++row) {
        d->weights[row] = d->weights[row] / total * senders;
        alike &= fabs(d->weights[row] - 1) <= 1e-9;
    }
    if (alike) {
        fc_release(d->weights);
        d->weights = NULL;
    }
    return FC_OK;
}

fc_status fc_matrix_from_flows(fc_destinations *destinations, size_t nodes, fc_error *error) {
    if (nodes > FC_MATRIX_CSV_NODES_MAX)
        return fc_fail(error, FC_ERROR_INPUT,
                       "%.300s: a matrix takes at most %d nodes; the network has %zu",
                       destinations->file, FC_MATRIX_CSV_NODES_MAX, nodes);
    destinations->matrix = fc_allocate(nodes * nodes, sizeof *destinations->matrix);
    destinations->weights = fc_allocate(nodes, sizeof *destinations->weights);
    if (!destinations->matrix || !destinations->weights)
        return fc_fail_memory(error);
    destinations->matrix_nodes = nodes;
    fc_status status = fill_matrix(destinations, nodes, error);
    if (status == FC_OK)
        status = scale(destinations, nodes, error);
    fc_release(destinations->flows);
    destinations->flows = NULL;
    destinations->flow_count = 0;
    return status;
}
