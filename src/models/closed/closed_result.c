#include "models/closed/closed_result.h"

#include <math.h>
#include "base/memory.h"
#include "models/closed/closed_hot.h"
#include "registry/parts.h"
#include "scenario/scenario.h"

enum { LONGEST = 1024 }; /* flits; the published model keeps a time for each flit of each edge */

static int64_t longest_message(const fc_torus *torus) {
    int64_t longest = 0;
    for (size_t j = 0; j < torus->requests.count; ++j) {
        const fc_request_type *type = &torus->requests.types[j];
        const int64_t flits = type->flits > type->reply_flits ? type->flits : type->reply_flits;
        longest = flits > longest ? flits : longest;
    }
    return longest;
}

bool fc_closed_suits(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->kind == FC_CLOSED;
}

fc_status fc_closed_covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *t = scenario->parameters;
    const char *why = NULL;
    const bool high_low = t->channel_rule == FC_HIGH_LOW && t->virtual_channels == 2;
    if (t->kind != FC_CLOSED)
        why = "traffic.kind: closed";
    else if (t->switching != FC_WORMHOLE || t->routing != FC_DIMENSION_ORDER)
        why = "wormhole switching and dimension-order routing";
    else if (t->topology == FC_TORUS ? !high_low : !high_low && t->virtual_channels != 1)
        why = "the high-low rule with 2 virtual channels (or 1 channel on a mesh)";
    else if (t->handover != FC_SAME_CYCLE || t->ejection_channels != 1)
        why = "handover: same-cycle and one ejection channel";
    else if (t->node_links > FC_LINK_PER_CHANNEL)
        why =
            "one node link, or one per virtual channel: the paper has no equations for 2 or 3, and "
            "expects them to do as well as one per virtual channel";
    else if (t->faults.count > 0)
        why = "a network without faults";
    else if (t->outstanding == FC_INFINITE)
        why = "a finite number of outstanding requests";
    else if (longest_message(t) > LONGEST)
        why = "messages of at most 1024 flits";
    if (why)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "the closed models need %s", why);
    return fc_closed_paths_check_size(t, error);
}

const char *fc_closed_unlike(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->processors == FC_PROCESSOR_SINGLE
               ? NULL
               : "measured with single processors; see docs/theory/torus_closed.md";
}

fc_status fc_closed_single_flit_covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const fc_status status = fc_closed_covers(scenario, error);
    if (status == FC_OK && torus->buffer != 1)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "adve-vernon, closed-two-moment and closed-refined need single-flit buffers "
                       "(network.buffer: 1)");
    return status;
}

/* ---- means over requests ---- */

typedef struct totals {
    double requests; /* per cycle, all nodes */
    double efficiency, highest, lowest;
    double network, memory, link, zero_load;
} totals;

/* Cycles a class's messages would need without contention: h + L + 1 each way. */
static void add_zero_load(const fc_closed_solution *s, totals *sum) {
    const fc_closed_paths *p = s->paths;
    const fc_closed_work *w = &s->stations->work;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const fc_closed_leaf *leaf = &p->leaf[tree->first_leaf];
        const double *x = s->stations->throughput;
        for (size_t v = tree->first_vertex; v < tree->first_vertex + tree->vertices; ++v) {
            if (!p->vertex[v].leaf)
                continue;
            const double hops = p->vertex[v].depth; /* h + 1 */
            sum->zero_load +=
                p->orbit_size[i] *
                (x[leaf->source] * leaf->request * (hops + w->mean_flits[FC_REQUEST]) +
                 x[i] * leaf->reply * (hops + w->mean_flits[FC_REPLY]));
            ++leaf;
        }
    }
}

/* Cycles of computing in a request, per processor of the node. */
static double think_of(const fc_closed_stations *st) {
    const bool many = st->work.processors == FC_PROCESSOR_PER_REQUEST;
    return st->work.think / (many ? st->work.outstanding : 1.0);
}

static totals sum_up(const fc_closed_solution *s) {
    const fc_closed_paths *p = s->paths;
    const fc_closed_stations *st = s->stations;
    totals sum = {.lowest = INFINITY};
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const double x = st->throughput[i], flow = p->orbit_size[i] * x;
        const double efficiency = x * think_of(st);
        sum.requests += flow;
        sum.efficiency += p->orbit_size[i] * efficiency;
        sum.highest = fmax(sum.highest, efficiency);
        sum.lowest = fmin(sum.lowest, efficiency);
        sum.network += flow * st->network[i];
        sum.memory += flow * st->memory[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y)
            sum.link += flow * p->visit[y].reply * st->visit_wait[y];
    }
    for (size_t l = 0; l < p->links; ++l)
        sum.link += p->link[l].copies * st->throughput[p->link[l].owner] *
                    st->link_request_share[l] * st->link_wait[l];
    add_zero_load(s, &sum);
    return sum;
}

/* ---- hot spots ---- */

/* Sums of the network time of the requests to the hot node, and of their replies. Hot spots have no
 * reflections, so orbits are nodes. */
static double hot_network_time(const fc_closed_solution *s, uint32_t hot, double *requests) {
    const fc_closed_paths *p = s->paths;
    const fc_closed_stations *st = s->stations;
    double sum = 0.0;
    *requests = 0.0;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        size_t leaf = tree->first_leaf;
        for (size_t v = tree->first_vertex; v < tree->first_vertex + tree->vertices; ++v) {
            if (!p->vertex[v].leaf)
                continue;
            const fc_closed_leaf *from = &p->leaf[leaf];
            if (i == hot) {
                const double flow = st->throughput[from->source] * from->request;
                *requests += flow;
                sum +=
                    flow * (s->leaf_request[leaf] + st->link_wait[p->edge[p->vertex[v].edge].link]);
            } else if (from->source == hot) {
                sum += st->throughput[i] * from->reply *
                       (s->leaf_reply[leaf] + st->visit_wait[from->visit]);
            }
            ++leaf;
        }
    }
    return sum;
}

static void add_hot_and_cold(const fc_closed_solution *s, const totals *sum, fc_result *result) {
    const fc_closed_paths *p = s->paths;
    const fc_closed_stations *st = s->stations;
    const uint32_t hot = (uint32_t)s->torus->hot_node;
    double requests;
    double time = hot_network_time(s, hot, &requests);
    const fc_closed_tree *tree = &p->tree[hot];
    for (size_t z = tree->first_pair; z < tree->first_pair + tree->pairs; ++z)
        time += st->throughput[p->pair_source[z]] * p->pair_request[z] *
                (st->pair_wait[z] + st->work.mean_reply);
    fc_result_add(result, FC_METRIC_RESPONSE_TIME_HOT, time / requests, NAN);
    fc_result_add(result, FC_METRIC_RESPONSE_TIME_COLD,
                  (sum->network + sum->memory - time) / (sum->requests - requests), NAN);
    const size_t ejection = p->all_channels - p->nodes + hot;
    if (s->hot_errors)
        fc_closed_warn_of_hot_times(s->torus, s->channel_use[p->orbit_of_channel[ejection]],
                                    s->hot_errors, result);
}

/* ---- tables ---- */

/* Mean wait for the node's link(s), over the requests and replies it sends. */
static fc_status mean_link_waits(const fc_closed_solution *s, double **waits) {
    const fc_closed_paths *p = s->paths;
    const fc_closed_stations *st = s->stations;
    double *sum = fc_allocate(2 * p->orbits, sizeof *sum);
    if (!sum)
        return FC_ERROR_MEMORY;
    double *weight = sum + p->orbits;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        const double flow = p->orbit_size[i] * st->throughput[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t owner = p->link[p->visit[y].link].owner;
            sum[owner] += flow * p->visit[y].reply * st->visit_wait[y];
            weight[owner] += flow * p->visit[y].reply;
        }
    }
    for (size_t l = 0; l < p->links; ++l) {
        const uint32_t owner = p->link[l].owner;
        const double flow = p->link[l].copies * st->throughput[owner] * st->link_request_share[l];
        sum[owner] += flow * st->link_wait[l];
        weight[owner] += flow;
    }
    for (size_t i = 0; i < p->orbits; ++i)
        sum[i] = weight[i] > 0.0 ? sum[i] / weight[i] : 0.0;
    *waits = sum;
    return FC_OK;
}

static fc_status add_node_table(const fc_closed_solution *s, const fc_geometry *geometry,
                                fc_result *result) {
    static const char *const names[] = {"efficiency", "node_link_wait", "network_time",
                                        "remote_time", "throughput"};
    const fc_closed_paths *p = s->paths;
    const fc_closed_stations *st = s->stations;
    double *waits;
    if (mean_link_waits(s, &waits) != FC_OK)
        return FC_ERROR_MEMORY;
    fc_table *table = fc_result_add_table(result, "nodes", p->nodes, names, 5);
    for (size_t node = 0; table && node < p->nodes; ++node) {
        const uint32_t i = p->orbit_of_node[node];
        double *row = &table->values[node * table->columns];
        row[0] = st->throughput[i] * think_of(st);
        row[1] = waits[i];
        row[2] = st->network[i];
        row[3] = st->memory[i];
        row[4] = st->throughput[i];
        fc_node_label(geometry, (uint32_t)node, table->row_labels[node], FC_NAME_SIZE);
    }
    fc_release(waits);
    return table ? FC_OK : FC_ERROR_MEMORY;
}

/* The orbit whose numbers a channel's row shows, or -1 if it has no row. */
static int32_t table_row(const fc_closed_solution *s, size_t channel) {
    const fc_closed_paths *p = s->paths;
    const int32_t orbit = p->orbit_of_channel[channel];
    const int32_t companion = p->channel[orbit].companion;
    if (!s->by_link || companion < 0)
        return p->channel[orbit].ports > 0 ? orbit : -1;
    if (channel % 2 != 0 || p->channel[orbit].ports + p->channel[companion].ports == 0)
        return -1;
    return companion < orbit ? companion : orbit;
}

static fc_status add_channel_table(const fc_closed_solution *s, const fc_geometry *geometry,
                                   fc_result *result) {
    static const char *const names[] = {"utilisation", "wait", "first_residence"};
    const fc_closed_paths *p = s->paths;
    const size_t columns = s->channel_own ? 3 : 2;
    size_t rows = 0;
    for (size_t c = 0; c < p->all_channels; ++c)
        rows += table_row(s, c) >= 0;
    fc_table *table = fc_result_add_table(result, "channels", rows, names, columns);
    if (!table)
        return FC_ERROR_MEMORY;
    for (size_t c = 0, row = 0; c < p->all_channels; ++c) {
        const int32_t i = table_row(s, c);
        if (i < 0)
            continue;
        double *values = &table->values[row * columns];
        values[0] = s->channel_use[i];
        values[1] = s->channel_wait[i];
        if (s->channel_own)
            values[2] = s->channel_own[i];
        fc_closed_channel_label(s->torus, geometry, (uint32_t)c, !s->by_link,
                                table->row_labels[row++], FC_NAME_SIZE);
    }
    return FC_OK;
}

/* ---- */

static bool is_sound(const fc_closed_solution *s) {
    const fc_closed_stations *st = s->stations;
    if (!isfinite(s->info.residual))
        return false;
    for (size_t i = 0; i < s->paths->orbits; ++i) {
        const double values[] = {st->round_trip[i], st->network[i], st->memory[i]};
        for (size_t n = 0; n < 3; ++n) {
            if (!isfinite(values[n]) || values[n] < 0.0)
                return false;
        }
    }
    return true;
}

static void add_parts(const fc_closed_solution *s, const totals *sum, fc_result *result) {
    const double x = sum->requests, think = s->stations->work.think;
    const double round_trip = s->stations->work.outstanding * (double)s->paths->nodes / x;
    const double reply = s->stations->work.mean_reply;
    fc_result_set_parts_of(result, FC_METRIC_ROUND_TRIP);
    fc_result_add_part(result, FC_PART_PROCESSOR, "cycles", think);
    fc_result_add_part(result, FC_PART_PROCESSOR_WAIT, "cycles",
                       fmax(0.0, round_trip - think - (sum->network + sum->memory) / x));
    fc_result_add_part(result, FC_PART_NODE_LINK, "cycles", sum->link / x);
    fc_result_add_part(result, FC_PART_ALONE, "cycles", sum->zero_load / x);
    fc_result_add_part(result, FC_PART_SHARING, "cycles",
                       fmax(0.0, (sum->network - sum->link - sum->zero_load) / x));
    fc_result_add_part(result, FC_PART_MEMORY, "cycles", reply);
    fc_result_add_part(result, FC_PART_MEMORY_WAIT, "cycles", fmax(0.0, sum->memory / x - reply));
}

fc_status fc_closed_report(const fc_closed_solution *s, fc_error *error, fc_result *result) {
    result->run.iterations = s->info.iterations;
    result->run.residual = s->info.residual;
    if (!s->info.converged) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result,
                       "The fixed point was not reached in %llu iterations: the numbers are those "
                       "of the best iterate, where the equations are %.2g cycles off.",
                       (unsigned long long)s->info.iterations, s->info.residual);
    }
    if (!is_sound(s)) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result, "The equations have no finite solution that the iteration finds.");
        return fc_result_status(result) == FC_OK ? FC_OK : fc_fail_memory(error);
    }
    const totals sum = sum_up(s);
    const double nodes = (double)s->paths->nodes, x = sum.requests;
    fc_result_add(result, FC_METRIC_EFFICIENCY, sum.efficiency / nodes, NAN);
    fc_result_add(result, FC_METRIC_EFFICIENCY_MAX, sum.highest, NAN);
    fc_result_add(result, FC_METRIC_EFFICIENCY_MIN, sum.lowest, NAN);
    fc_result_add(result, FC_METRIC_NETWORK_TIME, sum.network / x, NAN);
    fc_result_add(result, FC_METRIC_REMOTE_TIME, sum.memory / x, NAN);
    fc_result_add(result, FC_METRIC_RESPONSE_TIME, (sum.network + sum.memory) / x, NAN);
    if (s->leaf_request)
        add_hot_and_cold(s, &sum, result);
    fc_result_add(result, FC_METRIC_ROUND_TRIP, s->stations->work.outstanding * nodes / x, NAN);
    fc_result_add(result, FC_METRIC_THROUGHPUT, x / nodes, NAN);
    add_parts(s, &sum, result);
    fc_geometry *geometry;
    fc_status status = fc_geometry_create(s->torus, error, &geometry);
    if (status != FC_OK)
        return status;
    status = add_node_table(s, geometry, result);
    if (status == FC_OK)
        status = add_channel_table(s, geometry, result);
    fc_geometry_free(geometry);
    if (status != FC_OK)
        return fc_fail_memory(error);
    return fc_result_status(result) == FC_OK ? FC_OK : fc_fail_memory(error);
}
