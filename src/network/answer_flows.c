#include "network/answer_flows.h"

#include "base/memory.h"
#include "network/node_ports.h"
#include "network/router_traffic.h"

/* A node that has nobody to go on to sends what answers that answer at once. */
uint32_t fc_answer_flows_answer(const fc_answer_flows *flows, uint32_t kind, uint32_t node) {
    uint32_t answer = flows->classes.list[kind].reply;
    while (answer != FC_NONE) {
        const fc_traffic *traffic = fc_traffic_of_class(flows->traffic, answer);
        if (!traffic || fc_traffic_sends(traffic, node))
            break;
        answer = flows->classes.list[answer].reply;
    }
    return answer;
}

/* The nodes, as a row of bits, ... */
static uint64_t *row(const fc_answer_flows *flows, uint64_t *rows, uint32_t node) {
    return rows + (size_t)node * flows->words;
}
static void add_node(const fc_answer_flows *flows, uint64_t *rows, uint32_t of, uint32_t node) {
    row(flows, rows, of)[node / 64] |= (uint64_t)1 << node % 64;
}

/* ---- one chain ---- */

/* begun: of each class, by node: the nodes that began the chains whose message comes there. */
typedef struct chain {
    fc_answer_flows *flows;
    uint64_t *begun[FC_CLASSES_MAX];
} chain;

static void begin(chain *c, uint32_t kind) {
    fc_answer_flows *flows = c->flows;
    const fc_traffic *traffic = fc_traffic_of_class(flows->traffic, kind);
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        const uint32_t source = traffic->sender[i];
        for (uint32_t to = 0; to < flows->nodes; ++to) {
            if (!(fc_traffic_share(traffic, source, to) > 0))
                continue;
            add_node(flows, flows->goes[kind], to, source);
            add_node(flows, c->begun[kind], to, source);
        }
    }
}

/* The answers of a node to chains that these nodes began. */
static void answer_from(chain *c, uint32_t answer, uint32_t node, const uint64_t *begun) {
    fc_answer_flows *flows = c->flows;
    const fc_traffic *traffic = fc_traffic_of_class(flows->traffic, answer);
    for (uint32_t to = 0; to < flows->nodes; ++to) {
        const bool back = !traffic && begun[to / 64] >> to % 64 & 1;
        if (!back && !(traffic && fc_traffic_share(traffic, node, to) > 0))
            continue;
        add_node(flows, flows->goes[answer], to, node);
        if (back)
            add_node(flows, c->begun[answer], to, to);
        for (uint32_t w = 0; !back && w < flows->words; ++w)
            row(flows, c->begun[answer], to)[w] |= begun[w];
    }
}

/* The messages of a class, then those that answer them, and so on. */
static void follow(chain *c, uint32_t root) {
    const fc_answer_flows *flows = c->flows;
    begin(c, root);
    for (uint32_t at = root; at != FC_NONE; at = flows->classes.list[at].reply) {
        for (uint32_t node = 0; node < flows->nodes; ++node) {
            const uint64_t *begun = row(flows, c->begun[at], node);
            bool any = false;
            for (uint32_t w = 0; w < flows->words && !any; ++w)
                any = begun[w];
            const uint32_t answer = any ? fc_answer_flows_answer(flows, at, node) : FC_NONE;
            if (answer != FC_NONE)
                answer_from(c, answer, node, begun);
        }
    }
}

/* ---- all ---- */

static bool follow_root(fc_answer_flows *flows, uint32_t root) {
    chain c = {.flows = flows};
    bool good = true;
    for (size_t kind = 0; kind < flows->classes.count; ++kind) {
        c.begun[kind] = fc_allocate((size_t)flows->nodes * flows->words, sizeof *c.begun[kind]);
        good = good && c.begun[kind];
    }
    if (good)
        follow(&c, root);
    for (size_t kind = 0; kind < flows->classes.count; ++kind)
        fc_release(c.begun[kind]);
    return good;
}

fc_status fc_answer_flows_fill(const fc_scenario *scenario, const fc_router_network *network,
                               fc_error *error, fc_answer_flows *flows) {
    if (fc_node_count(network) > FC_ANSWER_NODES_MAX)
        return fc_scenario_fail_key(
            scenario, "traffic.classes", error,
            "answers that share virtual channels with what they answer are proven free of deadlock "
            "for at most %d nodes; give each class of the chain virtual channels of its own",
            FC_ANSWER_NODES_MAX);
    flows->nodes = fc_node_count(network);
    flows->words = flows->nodes / 64 + 1;
    fc_status status = fc_router_traffic_create(scenario, network, error, &flows->traffic);
    for (size_t kind = 0; kind < flows->classes.count && status == FC_OK; ++kind) {
        flows->goes[kind] =
            fc_allocate((size_t)flows->nodes * flows->words, sizeof *flows->goes[kind]);
        status = flows->goes[kind] ? FC_OK : fc_fail_memory(error);
    }
    for (uint32_t kind = 0; kind < flows->classes.count && status == FC_OK; ++kind)
        if (flows->classes.list[kind].share > 0 && !follow_root(flows, kind))
            status = fc_fail_memory(error);
    return status;
}

void fc_answer_flows_release(fc_answer_flows *flows) {
    for (size_t kind = 0; kind < FC_CLASSES_MAX; ++kind)
        fc_release(flows->goes[kind]);
    fc_traffic_free(flows->traffic);
}
