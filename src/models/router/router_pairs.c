/* Section 6 of the theory for one pair of nodes: the waits of the lanes and movements on its paths,
 * and the lag of the link into its destination. The graph of headers for a destination is run
 * through backwards: what a header still waits is the mean, over the outputs it may take, of what
 * it waits there and of what it waits from the next router on. So all sources are found at once. */
#include "models/router/router_pairs.h"

#include <stdio.h>
#include "base/memory.h"
#include "models/router/router_headers.h"

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
    pair *list; /* nodes x nodes, by source */
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

static bool add_output(const pairs *p, uint32_t from, const fc_header_edge *taken, times *sum) {
    const fc_router_solver *s = p->solver;
    const fc_solver_movement *m =
        find_movement(s, from, find_lane(p, taken->output, taken->channels));
    if (!m)
        return false;
    const fc_solver_lane *lane = &s->lanes[m->to];
    sum->of[CHANNEL] += taken->share * m->channel;
    sum->of[TURN] += taken->share * m->turn;
    sum->of[BEHIND] += taken->share * (lane->behind - lane->credit);
    sum->of[CREDIT] += taken->share * lane->credit;
    if (taken->to < 0)
        sum->of[LAG] += taken->share * s->links[m->out].lag;
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
    met.of[SOURCE] += fc_router_source_wait(s, lane, index);
    if (fc_router_waits_behind(s, lane))
        met.of[BEHIND] += lane->behind - lane->credit;
    const size_t source = port - graph->network->outputs;
    pair *to = &p->list[source * graph->network->nodes + graph->destination];
    to->rate += at->weight;
    to->hops += at->weight * (at->ahead.routers - 1);
    for (int t = 0; t < TIMES; ++t)
        to->sum.of[t] += at->weight * met.of[t];
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
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%zu to %zu", i / nodes, i % nodes);
        fill_row(&p->list[i], p->graph.flows->rate, waits, table->values + WIDTH * row++);
    }
    return FC_OK;
}

fc_status fc_router_report_pairs(const fc_routed *routed, fc_router_flows *flows,
                                 const fc_router_solver *solver, double waits, fc_error *error,
                                 fc_result *result) {
    pairs p = {.solver = solver};
    fc_header_graph *graph = &p.graph;
    const uint32_t nodes = flows->network->nodes;
    fc_status status = fc_headers_prepare(routed, flows, error, graph);
    if (status == FC_OK)
        status = list_lanes(&p, error);
    if (status == FC_OK) {
        p.list = fc_allocate((size_t)nodes * nodes, sizeof *p.list);
        status = p.list ? FC_OK : fc_fail_memory(error);
    }
    for (; graph->kind < flows->kinds.count && status == FC_OK; ++graph->kind) {
        for (uint32_t to = 0; to < nodes && status == FC_OK; ++to)
            status = add_destination(&p, to, error);
    }
    if (status == FC_OK)
        status = add_table(&p, waits, error, result);
    fc_headers_release(graph);
    fc_release(p.first_lane);
    fc_release(p.next_lane);
    fc_release(p.ahead);
    fc_release(p.list);
    return status;
}
