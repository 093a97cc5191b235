#include "models/router/router_classes.h"

#include <math.h>
#include "base/memory.h"
#include "network/node_ports.h"

/* ---- chains ---- */

typedef struct chains {
    const fc_classes *classes;
    const fc_router_flows *flows;
    uint32_t nodes;
    double **rate;
} chains;

static bool go_on(const chains *c, uint32_t kind, const double *at);

/* What has come to node `from` for each node that began goes on by the shares of a row. */
static void send_on(const chains *c, uint32_t kind, uint32_t from, const double *row,
                    const double *at, double *next) {
    const uint32_t nodes = c->nodes;
    for (uint32_t origin = 0; origin < nodes; ++origin) {
        const double rate = at[(size_t)origin * nodes + from];
        if (!(rate > 0))
            continue;
        for (uint32_t to = 0; to < nodes; ++to) {
            c->rate[kind][(size_t)from * nodes + to] += rate * row[to];
            next[(size_t)origin * nodes + to] += rate * row[to];
        }
    }
}

static void send_back(const chains *c, uint32_t kind, const double *at, double *next) {
    const uint32_t nodes = c->nodes;
    for (uint32_t origin = 0; origin < nodes; ++origin)
        for (uint32_t from = 0; from < nodes; ++from) {
            const double rate = at[(size_t)origin * nodes + from];
            c->rate[kind][(size_t)from * nodes + origin] += rate;
            next[(size_t)origin * nodes + origin] += rate;
        }
}

/* Nodes that have nobody to go on to answer at once: what comes to them is `passed`. */
static bool send_all_on(const chains *c, uint32_t kind, const fc_traffic *traffic, const double *at,
                        double *next, double *passed) {
    const uint32_t nodes = c->nodes;
    double *row = fc_allocate(nodes, sizeof *row);
    for (uint32_t from = 0; row && from < nodes; ++from) {
        if (!fc_traffic_sends(traffic, from)) {
            for (uint32_t origin = 0; origin < nodes; ++origin)
                passed[(size_t)origin * nodes + from] = at[(size_t)origin * nodes + from];
            continue;
        }
        for (uint32_t to = 0; to < nodes; ++to)
            row[to] = fc_traffic_share(traffic, from, to);
        send_on(c, kind, from, row, at, next);
    }
    fc_release(row);
    return row != NULL;
}

/* at: rates by the node that began and the node where a class is asked for. False: out of memory.
 */
static bool go_on(const chains *c, uint32_t kind, const double *at) {
    const size_t pairs = (size_t)c->nodes * c->nodes;
    const fc_traffic *traffic = fc_traffic_of_class(c->flows->traffic, kind);
    double *next = fc_allocate(pairs, sizeof *next), *passed = fc_allocate(pairs, sizeof *passed);
    const uint32_t reply = c->classes->list[kind].reply;
    bool done = next && passed;
    if (done && traffic)
        done = send_all_on(c, kind, traffic, at, next, passed);
    else if (done)
        send_back(c, kind, at, next);
    if (done && reply != FC_NONE)
        done = go_on(c, reply, next) && (!traffic || go_on(c, reply, passed));
    fc_release(next);
    fc_release(passed);
    return done;
}

static bool begin_chain(const chains *c, uint32_t kind) {
    const uint32_t nodes = c->nodes;
    const fc_class *class = &c->classes->list[kind];
    const fc_traffic *traffic = fc_traffic_of_class(c->flows->traffic, kind);
    const double *weights = class->destinations->weights;
    double *at = fc_allocate((size_t)nodes * nodes, sizeof *at);
    for (uint32_t i = 0; at && i < traffic->senders; ++i) {
        const uint32_t from = traffic->sender[i];
        for (uint32_t to = 0; to < nodes; ++to) {
            const double rate =
                class->share * (weights ? weights[from] : 1) * fc_traffic_share(traffic, from, to);
            at[(size_t)from * nodes + to] = rate;
            c->rate[kind][(size_t)from * nodes + to] += rate;
        }
    }
    const bool done = at && (class->reply == FC_NONE || go_on(c, class->reply, at));
    fc_release(at);
    return done;
}

fc_status fc_class_flows_create(const fc_routed *routed, fc_router_flows *flows, fc_error *error) {
    if (!routed->given)
        return FC_OK;
    const fc_classes classes = fc_classes_of(routed);
    const uint32_t nodes = fc_node_count(flows->network);
    const chains c = {
        .classes = &classes, .flows = flows, .nodes = nodes, .rate = flows->kind_rate};
    bool done = true;
    for (uint32_t k = 0; k < classes.count && done; ++k) {
        flows->kind_rate[k] = fc_allocate((size_t)nodes * nodes, sizeof *flows->kind_rate[k]);
        done = flows->kind_rate[k] != NULL;
    }
    for (uint32_t k = 0; k < classes.count && done; ++k)
        done = !(classes.list[k].share > 0) || classes.list[k].multicast || begin_chain(&c, k);
    return done ? FC_OK : fc_fail_memory(error);
}

void fc_class_flows_free(fc_router_flows *flows) {
    for (size_t k = 0; k < FC_CLASSES_MAX; ++k)
        fc_release(flows->kind_rate[k]);
    fc_release(flows->kind_load);
}

/* ---- priorities ---- */

/* Whether a message holds a link from its header to its tail. */
static bool is_held(const fc_routed *routed, const fc_flow_link *link) {
    return link->kind == FC_EJECTION_LINK ? routed->ejection_channels == 1
                                          : routed->virtual_channels == 1;
}

double fc_class_wait_ratio(const fc_routed *routed, const fc_router_flows *flows, uint32_t link,
                           size_t kind, double rate) {
    const fc_message_kinds *kinds = &flows->kinds;
    const double pace = flows->links[link].pace, *messages = flows->kind_load;
    const bool held = is_held(routed, &flows->links[link]);
    double before = 0, upto = 0, all = 0, work = 0, rest = 0;
    for (size_t k = 0; k < kinds->count; ++k) {
        const double each = rate * messages[link * kinds->count + k];
        const double load = each * kinds->mean[k] * pace;
        const double square = each * kinds->square[k] * pace * pace / 2;
        all += square;
        before += kinds->rank[k] < kinds->rank[kind] ? load : 0;
        upto += kinds->rank[k] <= kinds->rank[kind] ? load : 0;
        rest += load;
        if (kinds->rank[k] <= kinds->rank[kind])
            work += square;
        else if (held)
            work += square - load / 2;
    }
    if (!(all > 0) || upto >= 1 || rest >= 1)
        return 1;
    const double more = held ? 0.5 : kinds->mean[kind] * pace - 0.5;
    const double wait = work / ((1 - before) * (1 - upto)) + more * before / (1 - before);
    return wait / (all / (1 - rest));
}

/* ---- memories ---- */

bool fc_class_memories(const fc_routed *routed) {
    const fc_classes classes = fc_classes_of(routed);
    for (size_t k = 0; k < classes.count; ++k)
        for (size_t i = 0; classes.list[k].reply != FC_NONE && i < FC_LENGTHS_MAX; ++i)
            if (classes.list[k].memory_busy[i] > 0)
                return true;
    return false;
}

/* A queue with one server at each node, whose requests come at random. */
fc_memory_load fc_class_memory_load(const fc_routed *routed, const fc_router_flows *flows,
                                    double rate, double *wait) {
    const fc_classes classes = fc_classes_of(routed);
    const uint32_t nodes = fc_node_count(flows->network);
    fc_memory_load load = {0};
    double waits = 0;
    for (uint32_t at = 0; at < nodes; ++at) {
        double requests = 0, use = 0, square = 0;
        for (size_t k = 0; k < classes.count; ++k) {
            const fc_class *class = &classes.list[k];
            double come = 0;
            for (uint32_t from = 0; from < nodes && class->reply != FC_NONE; ++from)
                come += fc_node_rate(routed, flows, k, from, at);
            for (size_t i = 0; come > 0 && i < class->lengths.count; ++i) {
                const double busy = class->memory_busy[i], part = come * class->lengths.share[i];
                requests += busy > 0 ? part : 0;
                use += part * busy;
                square += part * busy * busy;
            }
        }
        load.requests += requests;
        load.use = fmax(load.use, use);
        waits +=
            rate * use < 1 ? requests * rate * square / (2 * (1 - rate * use)) : (double)INFINITY;
    }
    *wait = load.requests > 0 ? waits / load.requests : 0;
    return load;
}

double fc_class_memory_limit(const fc_routed *routed, const fc_router_flows *flows) {
    double wait;
    return fc_class_memories(routed) ? 1 / fc_class_memory_load(routed, flows, 0, &wait).use
                                     : (double)INFINITY;
}
