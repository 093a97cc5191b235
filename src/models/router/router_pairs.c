/* Section 6 of the theory for one pair of nodes: the waits of the lanes and movements on its paths,
 * and the lag of the link into its destination. The graph of headers for a destination is run
 * through backwards: what a header still waits is the mean, over the outputs it may take, of what
 * it waits there and of what it waits from the next router on. So all sources are found at once. */
#include "models/router/router_pairs.h"

#include <stdio.h>
#include "base/memory.h"
#include "models/router/router_classes.h"
#include "models/router/router_headers.h"
#include "network/node_ports.h"

/* The columns of the table from `zero_load` to `lag`, which add up to `latency`. */
enum { ALONE, SOURCE, BEHIND, CREDIT, CHANNEL, TURN, LAG, TIMES };

typedef struct times {
    double of[TIMES];
} times;

/* Sums over the messages of a pair, weighted by their rate. */
typedef struct pair {
    double rate, hops;
    times sum;
} pair;

typedef struct pairs {
    fc_header_graph graph;
    const fc_router_solver *solver;
    uint32_t *first_lane, *next_lane; /* of each link: 1 + index; 0: none */
    times *ahead;                     /* of each header: what it still waits */
    size_t ahead_room;
    pair *list; /* nodes x nodes, by source; NULL: they are not told apart */
    /* Where classes are told apart: sums over the messages of each, and what going first makes of
     * the waits for a link, links x kinds; NULL: nobody does. */
    pair kind[FC_KINDS_MAX];
    double *ratio;
} pairs;

/* ---- lanes ---- */

static fc_status list_lanes(pairs *p, fc_error *error) {
    const fc_router_solver *s = p->solver;
    p->first_lane = fc_allocate(s->link_count, sizeof *p->first_lane);
    p->next_lane = fc_allocate((size_t)s->lane_count + 1, sizeof *p->next_lane);
    if (!p->first_lane || !p->next_lane)
        return fc_fail_memory(error);
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        p->next_lane[l + 1] = p->first_lane[s->lanes[l].link];
        p->first_lane[s->lanes[l].link] = l + 1;
    }
    return FC_OK;
}

/* UINT32_MAX: nobody takes these channels. */
static uint32_t find_lane(const pairs *p, uint32_t port, uint64_t channels) {
    const fc_router_flows *flows = p->graph.flows;
    const uint32_t link = flows->link_of[port];
    const uint64_t mask = fc_header_mask(&p->graph, link, channels);
    uint32_t l = p->first_lane[link];
    while (l && flows->lanes[l - 1].mask != mask)
        l = p->next_lane[l];
    return l - 1;
}

/* NULL: nobody goes from one of these lanes to the other. */
static const fc_solver_movement *find_movement(const fc_router_solver *s, uint32_t from,
                                               uint32_t to) {
    if (from == UINT32_MAX || to == UINT32_MAX)
        return NULL;
    for (uint32_t i = s->first_out[from]; i < s->first_out[from + 1]; ++i) {
        const fc_solver_movement *m = &s->movements[s->out_of[i]];
        if (m->to == to)
            return m;
    }
    return NULL;
}

/* ---- one destination ---- */

static double ratio_at(const pairs *p, uint32_t link) {
    return p->ratio ? p->ratio[link * p->graph.flows->kinds.count + p->graph.kind] : 1;
}

/* What the lag of a link is for messages of this class: flits of several messages take turns on it,
 * so that it grows with the flits behind the header. Where classes go first, `ratio` knows. */
static double lag_at(const pairs *p, uint32_t link) {
    const fc_router_flows *flows = p->graph.flows;
    const fc_flow_link *shared = &flows->links[link];
    const double lag = p->solver->links[link].lag;
    if (p->ratio)
        return lag * ratio_at(p, link);
    if (!flows->kind_load || !(shared->flits > shared->rate))
        return lag;
    return lag * (flows->kinds.mean[p->graph.kind] - 1) / (shared->flits / shared->rate - 1);
}

static bool add_output(const pairs *p, uint32_t from, const fc_header_edge *taken, times *sum) {
    const fc_router_solver *s = p->solver;
    const fc_solver_movement *m =
        find_movement(s, from, find_lane(p, taken->output, taken->channels));
    if (!m)
        return false;
    const fc_solver_lane *lane = &s->lanes[m->to];
    const double ratio = ratio_at(p, m->out);
    sum->of[CHANNEL] += taken->share * m->channel * ratio;
    sum->of[TURN] += taken->share * m->turn * ratio;
    sum->of[BEHIND] += taken->share * (lane->behind - lane->credit) * ratio;
    sum->of[CREDIT] += taken->share * lane->credit;
    if (taken->to < 0)
        sum->of[LAG] += taken->share * lag_at(p, m->out);
    for (int t = 0; t < TIMES && taken->to >= 0; ++t)
        sum->of[t] += taken->share * p->ahead[taken->to].of[t];
    return true;
}

static bool look_ahead(const pairs *p, const fc_header *at, times *sum) {
    const fc_header_graph *graph = &p->graph;
    const uint32_t from = find_lane(p, fc_header_port(graph, at->input), at->channels);
    *sum = (times){{0}};
    for (uint32_t e = at->first_edge; e < at->first_edge + at->edges; ++e) {
        if (!add_output(p, from, &graph->edges[e], sum))
            return false;
    }
    return true;
}

static void add_to(pair *to, const fc_header *at, const times *met) {
    to->rate += at->weight;
    to->hops += at->weight * (at->ahead.routers - 1);
    for (int t = 0; t < TIMES; ++t)
        to->sum.of[t] += at->weight * met->of[t];
}

static bool add_start(pairs *p, fc_header *at, const times *ahead) {
    const fc_router_solver *s = p->solver;
    fc_header_graph *graph = &p->graph;
    if (!fc_header_find_path(graph, at))
        return false;
    const uint32_t port = fc_header_port(graph, at->input);
    const uint32_t index = find_lane(p, port, at->channels);
    const fc_solver_lane *lane = &s->lanes[index];
    times met = *ahead;
    met.of[ALONE] += graph->flows->paths->list[at->path].latency[graph->kind];
    const double ratio = ratio_at(p, lane->link);
    met.of[SOURCE] += fc_router_source_wait(s, lane, index) * ratio;
    if (fc_router_waits_behind(s, lane))
        met.of[BEHIND] += (lane->behind - lane->credit) * ratio;
    const size_t source = port - graph->network->outputs;
    if (p->list)
        add_to(&p->list[source * graph->network->nodes + graph->destination], at, &met);
    else
        add_to(&p->kind[graph->kind], at, &met);
    return true;
}

static fc_status add_headers(pairs *p, fc_error *error) {
    fc_header_graph *graph = &p->graph;
    const fc_status status = fc_headers_complete(graph, error);
    if (status != FC_OK)
        return status;
    if (p->ahead_room < graph->header_room) {
        fc_release(p->ahead);
        p->ahead_room = graph->header_room;
        p->ahead = fc_allocate(p->ahead_room, sizeof *p->ahead);
        if (!p->ahead)
            return fc_fail_memory(error);
    }
    for (size_t i = graph->header_count; i-- > 0;) {
        fc_header *at = &graph->headers[graph->order[i]];
        times *ahead = &p->ahead[graph->order[i]];
        if (!look_ahead(p, at, ahead))
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "messages for node %u take channels that the model has no waits for",
                           (unsigned)graph->destination);
        if (at->start && !add_start(p, at, ahead))
            return fc_fail_memory(error);
    }
    fc_headers_forget(graph);
    return FC_OK;
}

static fc_status add_destination(pairs *p, uint32_t destination, fc_error *error) {
    fc_header_graph *graph = &p->graph;
    fc_status status = FC_OK;
    graph->destination = destination;
    for (uint32_t source = 0; source < graph->network->nodes && status == FC_OK; ++source) {
        const double rate = fc_headers_rate(graph, source);
        if (rate > 0)
            status = fc_headers_start(graph, source, rate, error);
        if (status == FC_OK && graph->network->source_matters && graph->header_count)
            status = add_headers(p, error);
    }
    return status == FC_OK && graph->header_count ? add_headers(p, error) : status;
}

/* ---- the table ---- */

static void fill_row(const pair *from, double all, double waits, double *row) {
    row[0] = from->rate / all;
    row[1] = from->hops / from->rate;
    row[2] = 0;
    for (int t = 0; t < TIMES; ++t) {
        row[3 + t] = from->sum.of[t] / from->rate * (t == ALONE ? 1 : waits);
        row[2] += row[3 + t];
    }
}

static fc_status add_table(const pairs *p, double waits, fc_error *error, fc_result *result) {
    static const char *const columns[] = {"share",  "hops",   "latency", "zero_load", "source_wait",
                                          "behind", "credit", "channel", "switch",    "lag"};
    enum { WIDTH = sizeof columns / sizeof *columns };
    const uint32_t nodes = p->graph.network->nodes;
    size_t rows = 0, row = 0;
    for (size_t i = 0; i < (size_t)nodes * nodes; ++i)
        rows += p->list[i].rate > 0;
    fc_table *table = fc_result_add_table(result, "pairs", rows, columns, WIDTH);
    if (!table)
        return fc_fail_memory(error);
    for (size_t i = 0; i < (size_t)nodes * nodes; ++i) {
        if (!(p->list[i].rate > 0))
            continue;
        char from[FC_NAME_SIZE / 2], to[FC_NAME_SIZE / 2];
        fc_end_name(p->graph.network, (uint32_t)(i / nodes), sizeof from, from);
        fc_end_name(p->graph.network, (uint32_t)(i % nodes), sizeof to, to);
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%.20s to %.20s", from, to);
        fill_row(&p->list[i], p->graph.flows->rate, waits, table->values + WIDTH * row++);
    }
    return FC_OK;
}

static fc_status add_kinds(pairs *p, fc_error *error) {
    fc_header_graph *graph = &p->graph;
    fc_status status = FC_OK;
    for (; graph->kind < graph->flows->kinds.count && status == FC_OK; ++graph->kind) {
        for (uint32_t to = 0; to < graph->network->nodes && status == FC_OK; ++to)
            status = add_destination(p, to, error);
    }
    return status;
}

static void release(pairs *p) {
    fc_headers_release(&p->graph);
    fc_release(p->first_lane);
    fc_release(p->next_lane);
    fc_release(p->ahead);
    fc_release(p->list);
    fc_release(p->ratio);
}

fc_status fc_router_report_pairs(const fc_routed *routed, fc_router_flows *flows,
                                 const fc_router_solver *solver, double waits, fc_error *error,
                                 fc_result *result) {
    pairs p = {.solver = solver};
    const uint32_t nodes = flows->network->nodes;
    fc_status status = fc_headers_prepare(routed, flows, error, &p.graph);
    if (status == FC_OK)
        status = list_lanes(&p, error);
    if (status == FC_OK) {
        p.list = fc_allocate((size_t)nodes * nodes, sizeof *p.list);
        status = p.list ? FC_OK : fc_fail_memory(error);
    }
    if (status == FC_OK)
        status = add_kinds(&p, error);
    if (status == FC_OK)
        status = add_table(&p, waits, error, result);
    release(&p);
    return status;
}

/* ---- classes ---- */

static fc_status find_ratios(const fc_routed *routed, const fc_router_flows *flows, double rate,
                             fc_error *error, pairs *p) {
    const size_t kinds = flows->kinds.count;
    if (!flows->kinds.ranked)
        return FC_OK;
    p->ratio = fc_allocate((size_t)flows->link_count * kinds, sizeof *p->ratio);
    if (!p->ratio)
        return fc_fail_memory(error);
    for (uint32_t link = 0; link < flows->link_count; ++link)
        for (size_t k = 0; k < kinds; ++k)
            p->ratio[link * kinds + k] = fc_class_wait_ratio(routed, flows, link, k, rate);
    return FC_OK;
}

static fc_class_times times_of(const pair *sums) {
    const double rate = sums->rate, *of = sums->sum.of;
    fc_class_times made = {.rate = rate};
    if (!(rate > 0))
        return made;
    made = (fc_class_times){.rate = rate,
                            .alone = of[ALONE] / rate,
                            .source = of[SOURCE] / rate,
                            .behind = of[BEHIND] / rate,
                            .credit = of[CREDIT] / rate,
                            .channel = of[CHANNEL] / rate,
                            .turn = of[TURN] / rate,
                            .lag = of[LAG] / rate,
                            .hops = sums->hops / rate};
    for (int t = 0; t < TIMES; ++t)
        made.latency += of[t] / rate;
    return made;
}

fc_status fc_router_find_class_times(const fc_routed *routed, fc_router_flows *flows,
                                     const fc_router_solver *solver, double rate, fc_error *error,
                                     fc_class_times *found) {
    pairs p = {.solver = solver};
    pair all = {0};
    fc_status status = fc_headers_prepare(routed, flows, error, &p.graph);
    if (status == FC_OK)
        status = list_lanes(&p, error);
    if (status == FC_OK)
        status = find_ratios(routed, flows, rate, error, &p);
    if (status == FC_OK)
        status = add_kinds(&p, error);
    for (size_t k = 0; k < flows->kinds.count && status == FC_OK; ++k) {
        found[k] = times_of(&p.kind[k]);
        all.rate += p.kind[k].rate;
        all.hops += p.kind[k].hops;
        for (int t = 0; t < TIMES; ++t)
            all.sum.of[t] += p.kind[k].sum.of[t];
    }
    if (status == FC_OK)
        found[flows->kinds.count] = times_of(&all);
    release(&p);
    return status;
}
