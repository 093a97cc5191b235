#include "scenario/multistage.h"

#include "scenario/counts.h"
#include "scenario/scenario.h"

/* A source that fills its first buffer ten times over is as good as any busier one. */
static const double load_max = 10.0;

enum { PORTS_MAX = 1 << FC_STAGES_MAX, SWITCH_MAX = 4096, BUFFER_MAX = 1000000 };

static const char *const topologies[] = {"multistage", NULL};
static const char *const contentions[] = {"none", "output-port", NULL};
static const char *const kinds[] = {"open", NULL};
#define FIELD(name) .offset = offsetof(fc_multistage, name)

static const fc_key keys[] = {
    {.path = "network.ports",
     .type = FC_KEY_INTEGER,
     FIELD(ports),
     .minimum = 2,
     .maximum = PORTS_MAX,
     .help = "number of sources and of memories, N: a power of network.switch"},
    {.path = "network.switch",
     .type = FC_KEY_INTEGER,
     FIELD(switch_size),
     .minimum = 2,
     .maximum = SWITCH_MAX,
     .fallback = "2",
     .help = "number of inputs and of outputs of a switch"},
    {.path = "network.buffer",
     .type = FC_KEY_COUNT,
     FIELD(buffer),
     .minimum = 1,
     .maximum = BUFFER_MAX,
     .fallback = "4",
     .help = "packets that can wait at a switch input, in addition to the one in service"},
    {.path = "network.service",
     .type = FC_KEY_NUMBER,
     FIELD(service),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1e6,
     .fallback = "1",
     .measures = "time",
     .help = "cycles a packet takes to pass a switch"},
    {.path = "network.contention",
     .type = FC_KEY_CHOICE,
     FIELD(contention),
     .choices = contentions,
     .fallback = "none",
     .help = "none: inputs of a switch may send to one output at once; output-port: one at a time"},
    {.path = "traffic.kind",
     .type = FC_KEY_CHOICE,
     FIELD(kind),
     .choices = kinds,
     .fallback = "open",
     .help = "sources send regardless of what is under way, up to traffic.outstanding"},
    {.path = "traffic.rate",
     .type = FC_KEY_NUMBER,
     FIELD(rate),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1e6,
     .measures = "load",
     .help = "packets per source per cycle"},
    {.path = "traffic.destinations",
     .type = FC_KEY_CUSTOM,
     FIELD(hot),
     .fallback = "uniform",
     .help = "all memories alike, or a share of every source's packets to one memory",
     .expected = "uniform or {hot-spot: {share: SHARE, node: MEMORY}}",
     .read = fc_hot_share_read,
     .write = fc_hot_share_write},
    {.path = "traffic.outstanding",
     .type = FC_KEY_COUNT,
     FIELD(outstanding),
     .minimum = 1,
     .maximum = 1000000,
     .fallback = "infinite",
     .help = "packets a source may have in the network; at this limit it generates no more"},
    {.path = "traffic.memory_busy",
     .type = FC_KEY_NUMBER,
     FIELD(memory_busy),
     .minimum = 0,
     .above_minimum = true,
     .maximum = 1e6,
     .hashed_if_given = true,
     .fallback = "",
     .measures = "time",
     .help = "cycles that a memory takes for a packet, which then returns to its source through a "
             "second network like the first (default: packets end at the memory)"},
    {0},
};

static fc_status finish(const fc_scenario *scenario, void *parameters, fc_error *error) {
    fc_multistage *network = parameters;
    int64_t power = network->switch_size, below = 1;
    network->stages = 1;
    for (; power < network->ports; ++network->stages) {
        below = power;
        power *= network->switch_size;
    }
    if (power != network->ports)
        return fc_scenario_fail_key(
            scenario, "network.ports", error,
            "network.ports is %lld, which is no power of network.switch (%lld); the nearest are "
            "%lld and %lld",
            (long long)network->ports, (long long)network->switch_size,
            (long long)(below > 1 ? below : network->switch_size),
            (long long)(below > 1 ? power : power * network->switch_size));
    if (network->hot.share > 0.0 && network->hot.node >= network->ports)
        return fc_scenario_fail_key(scenario, "traffic.destinations", error,
                                    "the hot memory %lld lies outside the network; expected 0 to "
                                    "%lld",
                                    (long long)network->hot.node, (long long)network->ports - 1);
    if (network->rate * network->service > load_max)
        return fc_scenario_fail_key(scenario, "traffic.rate", error,
                                    "traffic.rate times network.service is %g; at most %g packets "
                                    "per source and service time make sense",
                                    network->rate * network->service, load_max);
    return FC_OK;
}

static const char *main_metric(const void *parameters) {
    (void)parameters;
    return "latency";
}

static const char *load_key(const void *parameters) {
    (void)parameters;
    return "traffic.rate";
}

static double nodes(const void *parameters) {
    return (double)((const fc_multistage *)parameters)->ports;
}

static void count(const void *parameters, fc_counts *counts) {
    const fc_multistage *network = parameters;
    fc_count_butterfly(network->switch_size, network->stages, 0, counts);
    counts->bisection /= network->service; /* a packet takes so many cycles */
}

const fc_family fc_multistage_family = {
    .name = "multistage",
    .topologies = topologies,
    .keys = keys,
    .parameter_size = sizeof(fc_multistage),
    .topology_offset = offsetof(fc_multistage, topology),
    .finish = finish,
    .main_metric = main_metric,
    .packets = true,
    .load_key = load_key,
    .nodes = nodes,
    .count = count,
};
