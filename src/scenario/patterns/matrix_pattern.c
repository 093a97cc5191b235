/* matrix: a probability for each pair, from a file. */
#include "base/memory.h"
#include "scenario/formats/matrix_csv.h"
#include "scenario/formats/matrix_market.h"
#include "scenario/patterns/pattern.h"
#include "scenario/scenario.h"
#include "scenario/text_file.h"
#include "scenario/patterns/traffic_rules.h"

/* ---- in a scenario ---- */

static fc_status read_value(const fc_document *document, const fc_value *value,
                            fc_destinations *destinations, fc_error *error) {
    fc_named_file file = {.what = "traffic.destinations.matrix",
                          .kind = "a Matrix Market file or of one with lines of src,dst,rate",
                          .most = FC_MATRIX_BYTES_MAX};
    fc_status status = fc_named_file_read(document, value, destinations->file, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    destinations->matrix_checksum = file.checksum;
    if (fc_is_matrix_market(file.text, file.path))
        status = fc_matrix_market_parse(file.text, file.path, &cause, &destinations->matrix_nodes,
                                        &destinations->matrix);
    else
        status = fc_matrix_csv_parse(file.text, file.path, &cause, &destinations->flow_count,
                                     &destinations->flows);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}

static void write_value(const fc_destinations *destinations, FILE *stream) {
    fc_file_name_write(destinations->file, stream);
}

static fc_status finish(const fc_scenario *scenario, const fc_routed *routed,
                        fc_destinations *destinations, fc_error *error, int64_t *hot_node) {
    static const char key[] = "traffic.destinations";
    (void)hot_node;
    if (destinations->flows) {
        fc_error cause;
        const fc_status status = fc_matrix_from_flows(destinations, (size_t)routed->nodes, &cause);
        if (status == FC_OK)
            return FC_OK;
        fc_scenario_fail_key(scenario, key, error, "%.900s", cause.text);
        return status;
    }
    if (destinations->matrix_nodes != (size_t)routed->nodes)
        return fc_scenario_fail_key(scenario, key, error,
                                    "%s is for %zu nodes; the network has %lld", destinations->file,
                                    destinations->matrix_nodes, (long long)routed->nodes);
    return FC_OK;
}

/* ---- who sends to whom ---- */

static bool prepare(const fc_destinations *destinations, const fc_traffic_shape *shape,
                    fc_traffic *traffic) {
    (void)shape;
    const size_t nodes = traffic->nodes;
    traffic->matrix = destinations->matrix;
    traffic->cumulative = fc_allocate(nodes * nodes, sizeof *traffic->cumulative);
    if (!traffic->cumulative)
        return false;
    for (size_t source = 0; source < nodes; ++source) {
        double sum = 0;
        for (size_t node = 0; node < nodes; ++node) {
            sum += traffic->matrix[source * nodes + node];
            traffic->cumulative[source * nodes + node] = sum;
        }
    }
    return true;
}

static bool sends(const fc_traffic *traffic, uint32_t node) {
    const size_t nodes = traffic->nodes;
    return traffic->cumulative[node * nodes + nodes - 1] > 0;
}

uint32_t fc_find_above(const double *sums, uint32_t count, double draw) {
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sums[middle] > draw)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t draw(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    const uint32_t nodes = traffic->nodes;
    const double *row = traffic->cumulative + (size_t)source * nodes;
    return fc_find_above(row, nodes, fc_random_unit(random) * row[nodes - 1]);
}

static double share(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    return traffic->matrix[(size_t)source * traffic->nodes + to];
}

const fc_pattern_info fc_pattern_matrix = {.example = "{matrix: file.mtx}",
                                           .read = read_value,
                                           .write = write_value,
                                           .finish = finish,
                                           .uneven = true,
                                           .prepare = prepare,
                                           .sends = sends,
                                           .draw = draw,
                                           .share = share};
