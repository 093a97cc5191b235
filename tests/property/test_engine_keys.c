/* Every key of networks of pipelined routers, engine by engine: each either does what the event
 * engine does, to the last bit, or refuses the scenario. The table of rows below must name every
 * key, every choice of a key, every topology and every pattern: what a new one means for lanes and
 * GPUs is decided when it is added, not found out later. */
#include "scenario_support.h"

#include "base/random.h"
#include "flitcast/flitcast.h"
#include "scenario/scenario_keys.h"
#include "scenario/traffic.h"

typedef enum verdict {
    SAME,      /* every engine simulates it, with equal results */
    PROCESSOR, /* lanes do, the GPU refuses it */
    REFUSED,   /* events alone */
    ELSEWHERE, /* no key of pipelined routers with open traffic: the scenario is refused */
} verdict;

/* network and traffic hold the key that the row is about; what they do not name is drawn. */
typedef struct row {
    const char *key, *network, *traffic, *simulation;
    verdict verdict;
} row;

#define MESH "topology: mesh, radix: [4, 3], virtual_channels: 4"
#define TORUS "topology: torus, radix: [4, 4], virtual_channels: 4, channel_rule: dateline"
#define RING "topology: torus, radix: [5], links: unidirectional, channel_rule: dateline"
#define TREE "topology: fat-tree, arity: 4, levels: 2, virtual_channels: 4"
#define FLY "topology: fly, arity: 2, levels: 3, virtual_channels: 2"
#define DRAGONFLY "topology: dragonfly, hosts: 1, routers: 2, global_links: 1, virtual_channels: 6"
#define HYPERX "topology: hyperx, shape: [3, 3], virtual_channels: 6"
#define GRAPH "topology: graph, file: " SOURCE_DIR "/examples/campus.graph, virtual_channels: 4"
#define REPLIES "requests: [{share: 1, flits: 1, reply_flits: 5}]"
#define CLUSTER "topology: gpu-cluster, nodes: 4, gpus: 4, spines: 2, virtual_channels: 4"
#define REDUCE "workload: {all-reduce: {algorithm: ring, bytes: 4096}}"

static const row rows[] = {
    {"network.topology", MESH, "", "", SAME},
    {"network.topology", TORUS, "", "", SAME},
    {"network.topology", "topology: ring, radix: [6], channel_rule: dateline", "", "", SAME},
    {"network.topology", "topology: hypercube, dimensions: 3", "", "", SAME},
    {"network.topology", FLY, "", "", SAME},
    {"network.topology", TREE, "", "", SAME},
    {"network.topology", GRAPH, "", "", REFUSED},
    {"network.topology", DRAGONFLY, "", "", REFUSED},
    {"network.topology", HYPERX, "", "", REFUSED},
    {"network.topology", "topology: flattened-butterfly, shape: [3, 3]", "", "", REFUSED},
    {"network.topology", "topology: slim-fly, q: 3", "", "", REFUSED},
    {"network.topology", CLUSTER, "", "", REFUSED},
    {"network.preset", MESH ", preset: booksim", "", "", SAME},
    {"network.preset", MESH ", preset: garnet", "", "", REFUSED},
    {"network.clock_ghz", MESH ", clock_ghz: 1.5", "", "", SAME},
    {"network.flit_bytes", MESH ", flit_bytes: 16", "", "", SAME},
    {"network.radix", "topology: mesh, radix: [2, 3, 2]", "", "", SAME},
    {"network.dimensions", "topology: hypercube, dimensions: 4", "", "", SAME},
    {"network.router", "topology: mesh, radix: [4, 4], router: pipelined", "", "", SAME},
    {"network.router", MESH ", router: idealised", "", "", ELSEWHERE},
    {"network.links", RING, "", "", SAME},
    {"network.direction", RING ", direction: increasing", "", "", SAME},
    {"network.direction", RING ", direction: decreasing", "", "", SAME},
    {"network.order", MESH ", order: descending", "", "", SAME},
    {"network.routing", MESH ", routing: o1turn", "", "", SAME},
    {"network.routing", MESH ", routing: adaptive", "", "", REFUSED},
    {"network.routing", MESH ", routing: valiant", "", "", REFUSED},
    {"network.routing", MESH ", routing: min-adapt", "", "", REFUSED},
    {"network.routing", MESH ", routing: dimension-order", "", "", SAME},
    {"network.routing", TREE ", routing: destination", "", "", SAME},
    {"network.routing", TREE ", routing: random", "", "", SAME},
    {"network.routing", TREE ", routing: adaptive", "", "", REFUSED},
    {"network.routing", TREE ", routing: anca", "", "", REFUSED},
    {"network.routing", GRAPH ", routing: minimal", "", "", REFUSED},
    {"network.routing", GRAPH ", routing: up-down", "", "", REFUSED},
    {"network.ties", GRAPH ", ties: spread", "", "", REFUSED},
    {"network.ties", GRAPH ", ties: first", "", "", REFUSED},
    {"network.routing", HYPERX ", routing: valiant", "", "", REFUSED},
    {"network.routing", HYPERX ", routing: ugal-local", "", "", REFUSED},
    {"network.routing", HYPERX ", routing: ugal-global", "", "", REFUSED},
    {"network.routing", HYPERX ", routing: progressive-adaptive", "", "", REFUSED},
    {"network.virtual_channels", "topology: mesh, radix: [4, 3], virtual_channels: 7", "", "",
     SAME},
    {"network.virtual_channels", "topology: mesh, radix: [4], virtual_channels: 9", "", "",
     REFUSED},
    {"network.virtual_channels", "topology: fat-tree, arity: 4, levels: 2, virtual_channels: 3", "",
     "", SAME},
    {"network.channel_rule", TORUS, "", "", SAME},
    {"network.channel_rule", MESH ", channel_rule: free", "", "", SAME},
    {"network.channel_rule",
     "topology: torus, radix: [4, 4], virtual_channels: 4, channel_rule: wrapping", "", "", SAME},
    {"network.channel_rule",
     "topology: torus, radix: [4, 4], virtual_channels: 2, channel_rule: high-low", "", "", SAME},
    {"network.channel_rule",
     "topology: torus, radix: [4, 4], virtual_channels: 4, channel_rule: escape", "", "", REFUSED},
    {"network.buffer", MESH ", buffer: 29", "", "", SAME},
    {"network.buffer", MESH ", buffer: 33", "", "", REFUSED},
    {"network.buffer", TREE ", buffer: 3", "", "", SAME},
    {"network.scouting_distance", MESH ", switching: scouting, scouting_distance: 2", "", "",
     ELSEWHERE},
    {"network.node_links", MESH ", node_links: single",
     "kind: closed, outstanding: 4, think_time: 50", "", ELSEWHERE},
    {"network.node_links", MESH ", node_links: per-channel",
     "kind: closed, outstanding: 4, think_time: 50", "", ELSEWHERE},
    {"network.node_links", MESH ", node_links: 2", "kind: closed, outstanding: 4, think_time: 50",
     "", ELSEWHERE},
    {"network.node_links", MESH ", node_links: 3", "kind: closed, outstanding: 4, think_time: 50",
     "", ELSEWHERE},
    {"network.faults", MESH ", switching: scouting, faults: [[1, 0, 1]]", "", "", ELSEWHERE},
    {"network.switching", MESH ", switching: wormhole", "", "", SAME},
    {"network.switching", MESH ", switching: cut-through, buffer: 64", "", "", REFUSED},
    {"network.switching", MESH ", switching: cut-through, buffer: 20", "message_flits: 2", "",
     REFUSED},
    {"network.switching", MESH ", switching: scouting", "", "", ELSEWHERE},
    {"network.handover", MESH ", handover: next-cycle", "", "", SAME},
    {"network.handover", MESH ", handover: when-empty", "", "", REFUSED},
    {"network.handover", MESH ", handover: same-cycle", "", "", ELSEWHERE},
    {"network.injection_channels", MESH ", injection_channels: 1", "", "", SAME},
    {"network.injection_channels", TREE ", injection_channels: 2", "", "", SAME},
    {"network.ejection_channels", MESH ", ejection_channels: 2", "", "", SAME},
    {"network.ejection_channels", TREE ", ejection_channels: 1", "", "", SAME},
    {"network.ejection_channels", MESH ", ejection_channels: 5", "", "", REFUSED},
    {"network.router_delay", MESH ", router_delay: [2, 1, 2, 3]", "", "", SAME},
    {"network.link_delay", MESH ", link_delay: 4", "", "", SAME},
    {"network.link_delay", MESH ", link_delay: 70", "", "", REFUSED},
    {"network.node_delay", MESH ", node_delay: 3", "", "", SAME},
    {"network.credit_delay", TREE ", credit_delay: 3", "", "", SAME},
    {"network.input_speedup", MESH ", input_speedup: 1", "", "", SAME},
    {"network.input_speedup", MESH ", input_speedup: 4", "", "", SAME},
    {"network.input_speedup", MESH ", input_speedup: 2", "", "", REFUSED},
    {"network.internal_speedup", MESH ", internal_speedup: 2", "", "", REFUSED},
    {"network.allocator_rounds", MESH ", allocator_rounds: 2", "", "", REFUSED},
    {"network.arbitration", MESH ", arbitration: round-robin", "", "", SAME},
    {"network.arbitration", MESH ", arbitration: oldest-first", "", "", REFUSED},
    {"network.energy", MESH ", energy: {buffer_write: 1, link: 2, leakage: 0.5}", "", "", SAME},
    {"network.reply_channels", MESH ", reply_channels: 1", REPLIES, "", REFUSED},
    {"network.concentration", MESH ", concentration: 3", "", "", SAME},
    {"network.concentration", HYPERX ", concentration: 2", "", "", REFUSED},
    {"network.arity", "topology: fat-tree, arity: 3, levels: 2", "", "", SAME},
    {"network.levels", "topology: fly, arity: 2, levels: 4", "", "", SAME},
    {"network.extra_stages", FLY ", extra_stages: 2", "", "", SAME},
    {"network.oversubscription", TREE ", oversubscription: [2]", "", "", SAME},
    {"network.hosts", DRAGONFLY, "", "", REFUSED},
    {"network.routers", DRAGONFLY, "", "", REFUSED},
    {"network.global_links", DRAGONFLY, "", "", REFUSED},
    {"network.groups", DRAGONFLY ", groups: 2", "", "", REFUSED},
    {"network.arrangement", DRAGONFLY ", arrangement: absolute", "", "", REFUSED},
    {"network.arrangement", DRAGONFLY ", arrangement: relative", "", "", REFUSED},
    {"network.arrangement", DRAGONFLY ", arrangement: circulant", "", "", REFUSED},
    {"network.global_delay", DRAGONFLY ", global_delay: 7", "", "", REFUSED},
    {"network.shape", HYPERX, "", "", REFUSED},
    {"network.trunks", HYPERX ", trunks: [2, 1]", "", "", REFUSED},
    {"network.spacing", HYPERX ", spacing: [2, 1]", "", "", REFUSED},
    {"network.q", "topology: slim-fly, q: 4", "", "", REFUSED},
    {"network.file", GRAPH, "", "", REFUSED},
    {"network.routes", GRAPH ", routes: " SOURCE_DIR "/tests/property/engine_keys.routes", "", "",
     REFUSED},
    {"network.intermediate", DRAGONFLY ", routing: valiant, intermediate: group", "", "", REFUSED},
    {"network.intermediate", DRAGONFLY ", routing: valiant, intermediate: router", "", "", REFUSED},
    {"network.bias", HYPERX ", routing: ugal-local, bias: 3", "", "", REFUSED},
    {"network.queues", HYPERX ", routing: ugal-local, queues: router", "", "", REFUSED},
    {"network.queues", HYPERX ", routing: ugal-local, queues: link", "", "", REFUSED},
    {"network.decision", TREE ", routing: anca, decision: at-front", "", "", REFUSED},
    {"network.decision", TREE ", routing: anca, decision: ahead", "", "", REFUSED},
    {"network.injection_choice", TREE ", injection_choice: in-turn", "", "", SAME},
    {"network.injection_choice", TREE ", injection_choice: random", "", "", REFUSED},
    {"network.injection_choice", FLY ", injection_choice: random", "", "", REFUSED},
    {"network.ejection_choice", HYPERX ", ejection_choice: any", "", "", REFUSED},
    {"network.ejection_choice", HYPERX ", ejection_choice: layer", "", "", REFUSED},
    {"traffic.kind", MESH, "kind: open", "", SAME},
    {"traffic.kind", MESH, "kind: closed, outstanding: 4, think_time: 50", "", ELSEWHERE},
    {"traffic.processors", MESH, "kind: closed, outstanding: 4, think_time: 50, processors: single",
     "", ELSEWHERE},
    {"traffic.processors", MESH,
     "kind: closed, outstanding: 4, think_time: 50, processors: per-request", "", ELSEWHERE},
    {"traffic.processors", MESH,
     "kind: closed, outstanding: 4, think_time: 50, processors: interrupted", "", ELSEWHERE},
    {"traffic.think_time", MESH, "kind: closed, outstanding: 4, think_time: 50", "", ELSEWHERE},
    {"traffic.rate", TREE, "rate: 0.02", "", SAME},
    {"traffic.message_flits", MESH, "message_flits: 63", "", SAME},
    {"traffic.message_flits", MESH, "message_flits: 65", "", REFUSED},
    {"traffic.message_mix", TREE,
     "message_mix: [{flits: 1, share: 0.7}, {flits: 5, share: 0.2}, {flits: 33, share: 0.1}]", "",
     SAME},
    {"traffic.injection", MESH, "injection: bernoulli", "", SAME},
    {"traffic.injection", MESH, "injection: {on-off: {on: 10, off: 30}}", "", REFUSED},
    {"traffic.profile", MESH, "profile: [{cycles: 20, factor: 1}, {cycles: 5, factor: 3}]", "",
     REFUSED},
    {"traffic.trace", "topology: mesh, radix: [4, 4]", "trace: " SOURCE_DIR "/examples/stencil.csv",
     "", REFUSED},
    {"traffic.workload", MESH, REDUCE, "", REFUSED},
    {"traffic.flit_bytes", MESH, REDUCE ", flit_bytes: 64", "", REFUSED},
    {"traffic.packet_flits", MESH, REDUCE ", packet_flits: 4", "", REFUSED},
    {"traffic.ranks", MESH, REDUCE ", ranks: 5", "", REFUSED},
    {"traffic.placement", MESH, REDUCE ", placement: random", "", REFUSED},
    {"traffic.groups", MESH, REDUCE ", groups: {rows: 4, columns: 3}", "", REFUSED},
    {"traffic.reduction_time", MESH, REDUCE ", reduction_time: 0.1", "", REFUSED},
    {"traffic.send_overhead", MESH, REDUCE ", send_overhead: 5", "", REFUSED},
    {"traffic.send_gap", MESH, REDUCE ", send_gap: 5", "", REFUSED},
    {"traffic.jobs", MESH, "jobs: [{workload: {all-to-all: {bytes: 64}}, ranks: 3}]", "", REFUSED},
    {"traffic.repeats", MESH, REDUCE ", repeats: skipped", "", REFUSED},
    {"traffic.repeats", MESH, REDUCE ", repeats: simulated", "", REFUSED},
    {"traffic.slow_ranks", MESH, REDUCE ", slow_ranks: {ranks: [1], factor: 2}", "", REFUSED},
    {"traffic.destinations", MESH, "destinations: uniform", "", SAME},
    {"traffic.destinations", MESH, "destinations: {near-neighbour: 0.6}", "", PROCESSOR},
    {"traffic.destinations", MESH, "destinations: {hot-spot: {share: 0.2, node: 3}}", "", SAME},
    {"traffic.destinations", "topology: mesh, radix: [4, 2]",
     "destinations: {matrix: " SOURCE_DIR "/examples/torus_matrix.mtx}", "", SAME},
    {"traffic.destinations", "topology: mesh, radix: [4, 4]", "destinations: transpose", "", SAME},
    {"traffic.destinations", MESH, "destinations: bit-complement", "", SAME},
    {"traffic.destinations", TREE, "destinations: bit-reverse", "", SAME},
    {"traffic.destinations", TREE, "destinations: shuffle", "", SAME},
    {"traffic.destinations", TORUS, "destinations: tornado", "", SAME},
    {"traffic.destinations", TREE, "destinations: bit-rotation", "", SAME},
    {"traffic.destinations", TORUS, "destinations: neighbour", "", SAME},
    {"traffic.destinations", MESH, "destinations: diagonal", "", SAME},
    {"traffic.destinations", TREE, "destinations: asymmetric", "", SAME},
    {"traffic.destinations", MESH, "destinations: diagonal, self_messages: sent", "", PROCESSOR},
    {"traffic.destinations", TREE, "destinations: asymmetric, self_messages: sent", "", PROCESSOR},
    {"traffic.destinations", MESH, "destinations: {random-permutation: 3}", "", SAME},
    {"traffic.destinations", MESH, "destinations: {next-group: 4}", "", PROCESSOR},
    {"traffic.destinations", MESH,
     "destinations: {hot-spots: [{node: 1, weight: 2}, {node: 4, weight: 1}]}", "", PROCESSOR},
    {"traffic.self_messages", MESH, "self_messages: none", "", SAME},
    {"traffic.self_messages", MESH, "self_messages: sent", "", SAME},
    {"traffic.self_messages", TREE, "self_messages: sent, destinations: shuffle", "", SAME},
    {"traffic.outstanding", MESH, REPLIES ", outstanding: 2", "", REFUSED},
    {"traffic.requests", MESH, REPLIES, "", REFUSED},
    {"traffic.classes", MESH,
     "classes: [{name: a, share: 0.5, flits: 2}, {name: b, share: 0.5, priority: 1}]", "", REFUSED},
    {"simulation.precision", MESH, "", "precision: 0.3", SAME},
    {"simulation.max_cycles", TREE, "", "max_cycles: 1234", SAME},
    {"simulation.max_cycles", MESH, "", "max_cycles: 1e10, precision: 0.4", REFUSED},
    {"simulation.max_seconds", MESH, "", "max_seconds: 1000", SAME},
    {"simulation.point_seconds", MESH, "", "point_seconds: 1000", SAME},
    {"simulation.controls", MESH, "", "controls: none", SAME},
    {"simulation.controls", MESH, "", "controls: auto", SAME},
    {"simulation.seed", TREE, "", "seed: 77", SAME},
    {"simulation.replications", MESH, "", "replications: 5", SAME},
    {"network.nodes", CLUSTER, "", "", REFUSED},
    {"network.gpus", CLUSTER, "", "", REFUSED},
    {"network.rails", CLUSTER ", rails: 2", "", "", REFUSED},
    {"network.inner_width", CLUSTER ", inner_width: 4", "", "", REFUSED},
    {"network.leaf_nodes", CLUSTER ", leaf_nodes: 2", "", "", REFUSED},
    {"network.spines", CLUSTER, "", "", REFUSED},
    {"network.taper", CLUSTER ", taper: 2", "", "", REFUSED},
    {"network.cross_rail", CLUSTER ", cross_rail: spine", "", "", REFUSED},
    {"network.cross_rail", CLUSTER ", cross_rail: inner", "", "", REFUSED},
    {"network.cross_rail", CLUSTER ", cross_rail: spine", "", "", REFUSED},
    {"network.multipath", GRAPH ", multipath: none", "", "", REFUSED},
    {"network.multipath", GRAPH ", multipath: hash", "", "", REFUSED},
    {"network.multipath", GRAPH ", multipath: adaptive", "", "", REFUSED},
    {"network.port_choice", GRAPH ", port_choice: nearest", "", "", REFUSED},
    {"network.port_choice", GRAPH ", port_choice: spread", "", "", REFUSED},
    {"network.extra_links", GRAPH ", extra_links: [[0, 1]]", "", "", REFUSED},
    {"network.link_width", MESH ", link_width: 1", "", "", SAME},
    {"network.link_width", MESH ", link_width: 0.5", "", "", REFUSED},
    {"network.link_width", TORUS ", link_width: [1, 0.5]", "", "", REFUSED},
    {"network.link_delay", MESH ", link_delay: [1, 3]", "", "", REFUSED},
    {"network.faults", MESH ", faults: [[0, 1]]", "", "", REFUSED},
    {"network.faults", TREE ", faults: {random: {links: 0.1, seed: 2}}", "", "", REFUSED},
    {"network.routing", MESH ", routing: minimal, faults: [[0, 1]]", "", "", REFUSED},
    {"network.routing", MESH ", routing: up-down, faults: [[0, 1]]", "", "", REFUSED},
};
enum { ROWS = sizeof rows / sizeof *rows, NETWORKS = 3, TEXT_SIZE = 1400 };

/* ---- the table is whole ---- */

/* Whether the text gives the key this value; any, if it is NULL. */
static bool gives(const char *text, const char *name, const char *value) {
    char wanted[160];
    const int length = snprintf(wanted, sizeof wanted, "%s: %s", name, value ? value : "");
    for (const char *at = strstr(text, wanted); at; at = strstr(at + 1, wanted)) {
        const bool begins = at == text || at[-1] == ' ';
        const char end = at[length];
        if (begins && (!value || end == ',' || end == '\0'))
            return true;
    }
    return false;
}

static const char *text_of(const row *r, const char *key) {
    return strncmp(key, "network", 7) == 0   ? r->network
           : strncmp(key, "traffic", 7) == 0 ? r->traffic
                                             : r->simulation;
}

static void must_have_row(const char *key, const char *value) {
    const char *name = strchr(key, '.') + 1;
    for (size_t i = 0; i < ROWS; ++i) {
        if (strcmp(rows[i].key, key) == 0 && gives(text_of(&rows[i], key), name, value))
            return;
    }
    fail_msg("no row says what engines make of %s: %s", key, value ? value : "...");
}

static void must_name_keys(const fc_key *keys) {
    for (const fc_key *key = keys; key->path; ++key) {
        if (strcmp(key->path, "simulation.engine") == 0)
            continue;
        must_have_row(key->path, NULL);
        for (const char *const *choice = key->choices; choice && *choice; ++choice) {
            const bool fallback = key->fallback && strcmp(key->fallback, *choice) == 0;
            if (!fallback)
                must_have_row(key->path, *choice);
        }
    }
}

static void every_key_has_a_row(void **state) {
    (void)state;
    for (const fc_family *const *family = fc_families; *family; ++family) {
        if (!(*family)->routers)
            continue;
        must_name_keys((*family)->keys);
        for (const char *const *name = (*family)->topologies; *name; ++name)
            must_have_row("network.topology", *name);
    }
    must_name_keys(fc_simulation_keys);
    must_name_keys(fc_unit_keys);
    for (size_t i = 0; i < FC_PATTERNS; ++i) {
        char value[64];
        snprintf(value, sizeof value, "{%s", fc_pattern_names[i]);
        bool found = false;
        for (size_t r = 0; r < ROWS; ++r)
            found |= gives(rows[r].traffic, "destinations", fc_pattern_names[i]) ||
                     strstr(rows[r].traffic, value) != NULL;
        if (!found)
            fail_msg("no row says what engines make of destinations: %s", fc_pattern_names[i]);
    }
}

/* ---- the rows are true ---- */

static void append(char *text, const char *given, const char *name, const char *value) {
    if (!gives(given, name, NULL))
        snprintf(text + strlen(text), TEXT_SIZE - strlen(text), ", %s: %s", name, value);
}

static void append_number(char *text, const char *given, const char *name, double value) {
    char number[32];
    snprintf(number, sizeof number, "%g", value);
    append(text, given, name, number);
}

/* A random network and traffic around what the row names. */
static void describe(const row *r, fc_random *random, char *text) {
    const bool work = gives(r->traffic, "workload", NULL) || gives(r->traffic, "trace", NULL) ||
                      gives(r->traffic, "jobs", NULL) || gives(r->traffic, "kind", "closed");
    const bool lengths =
        work || gives(r->traffic, "message_mix", NULL) || gives(r->traffic, "requests", NULL);
    const bool ideal = gives(r->network, "switching", "scouting");
    char stages[32];
    snprintf(stages, sizeof stages, "[%u, %u, %u, 1]", fc_random_below(random, 3),
             fc_random_below(random, 3), fc_random_below(random, 3));
    snprintf(text, TEXT_SIZE, "network: {%s", r->network);
    append(text, r->network, "router_delay", stages);
    append_number(text, r->network, "link_delay", 1 + fc_random_below(random, 2));
    append_number(text, r->network, "credit_delay", fc_random_below(random, 2));
    if (!ideal)
        append_number(text, r->network, "buffer", 2 + fc_random_below(random, 8));
    snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "}\ntraffic: {%s",
             *r->traffic ? r->traffic : "kind: open");
    if (!work)
        append_number(text, r->traffic, "rate", 0.005 + 0.02 * fc_random_unit(random));
    if (!lengths)
        append_number(text, r->traffic, "message_flits", 1 + fc_random_below(random, 6));
    snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "}\nsimulation: {%s",
             *r->simulation ? r->simulation : "replications: 3");
    append_number(text, r->simulation, "max_cycles", 3000);
    append_number(text, r->simulation, "precision", 0.002);
    strcat(text, "}\n");
}

static void assert_same(const char *text, const fc_result *a, const fc_result *b) {
    bool same = a->outcome == b->outcome && a->metric_count == b->metric_count &&
                same_bytes(&a->run.cycles, &b->run.cycles, sizeof a->run.cycles);
    for (size_t i = 0; same && i < a->metric_count; ++i) {
        const fc_metric *m = &a->metrics[i], *n = &b->metrics[i];
        same = strcmp(m->name, n->name) == 0 && same_bytes(&m->value, &n->value, sizeof m->value) &&
               same_bytes(&m->half_width, &n->half_width, sizeof m->half_width);
        if (!same)
            fail_msg("%s\n%s: %s %.17g +- %.17g, %s %.17g +- %.17g", text, m->name, a->run.engine,
                     m->value, m->half_width, b->run.engine, n->value, n->half_width);
    }
    if (!same)
        fail_msg("%s\n%s and %s differ", text, a->run.engine, b->run.engine);
}

static fc_status simulate(const char *text, const char *engine, fc_error *error,
                          fc_result **result) {
    fc_scenario *scenario = must_read(text, "simulation.engine", engine);
    const fc_status status = fc_simulate(scenario, NULL, error, result);
    fc_scenario_free(scenario);
    return status;
}

static void check_engine(const char *text, const char *engine, bool covered,
                         const fc_result *events) {
    fc_error error = {{0}};
    fc_result *result = NULL;
    const fc_status status = simulate(text, engine, &error, &result);
    if (!covered && status == FC_OK)
        fail_msg("%s\n%s simulated what it should refuse", text, engine);
    if (!covered && (status != FC_ERROR_UNSUPPORTED || !strstr(error.text, engine)))
        fail_msg("%s\n%s", text, error.text);
    if (!covered)
        return;
    if (status != FC_OK)
        fail_msg("%s\n%s", text, error.text);
    assert_string_equal(result->run.engine, engine);
    assert_same(text, events, result);
    fc_result_free(result);
}

static void check_row(const row *r, fc_random *random, bool gpu) {
    char text[TEXT_SIZE];
    fc_error error = {{0}};
    fc_result *events = NULL;
    describe(r, random, text);
    if (r->verdict == ELSEWHERE) {
        must_refuse(text, NULL, NULL, "");
        return;
    }
    if (simulate(text, "events", &error, &events) != FC_OK)
        fail_msg("%s\n%s", text, error.text);
    assert_string_equal(events->method, "router");
    check_engine(text, "lanes", r->verdict != REFUSED, events);
    if (gpu || r->verdict != SAME)
        check_engine(text, "gpu", r->verdict == SAME, events);
    fc_result_free(events);
}

/* Also one that the processor plays. */
static bool has_gpu(void) {
    fc_error error;
    fc_result *result = NULL;
    const bool runs = simulate("network: {" MESH ", router_delay: 1}\ntraffic: {rate: 0.01}\n"
                               "simulation: {max_cycles: 200}\n",
                               "gpu", &error, &result) == FC_OK;
    fc_result_free(result);
    return runs;
}

static void engines_do_the_same_or_refuse(void **state) {
    (void)state;
    const bool gpu = has_gpu();
    for (uint32_t i = 0; i < ROWS; ++i) {
        for (uint32_t network = 0; network < NETWORKS; ++network) {
            fc_random random = fc_random_stream(5, i, network);
            check_row(&rows[i], &random, gpu);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_a_row),
        cmocka_unit_test(engines_do_the_same_or_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
