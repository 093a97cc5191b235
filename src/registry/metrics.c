#include "registry/metrics.h"

#include <math.h>
#include <string.h>

#define PER_NODE .unit = "messages/node/cycle", .packet_unit = "packets/node/cycle"

const fc_metric_info fc_metrics[FC_METRICS] = {
    [FC_METRIC_LATENCY] = {.name = "latency",
                           .unit = "cycles",
                           .meaning = "mean time from the generation of a message to its delivery",
                           .axis = "mean latency",
                           .better = FC_LOWER_IS_BETTER,
                           .time = true},
    [FC_METRIC_LATENCY_P50] = {.name = "latency_p50",
                               .unit = "cycles",
                               .meaning = "half of the messages take no longer",
                               .axis = "median latency",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true,
                               .percentile = 0.5},
    [FC_METRIC_LATENCY_P95] = {.name = "latency_p95",
                               .unit = "cycles",
                               .meaning = "95 % of the messages take no longer",
                               .axis = "95th percentile of latency",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true,
                               .percentile = 0.95},
    [FC_METRIC_LATENCY_P99] = {.name = "latency_p99",
                               .unit = "cycles",
                               .meaning = "99 % of the messages take no longer",
                               .axis = "99th percentile of latency",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true,
                               .percentile = 0.99},
    [FC_METRIC_LATENCY_P999] = {.name = "latency_p999",
                                .unit = "cycles",
                                .meaning = "99.9 % of the messages take no longer",
                                .axis = "99.9th percentile of latency",
                                .better = FC_LOWER_IS_BETTER,
                                .time = true,
                                .percentile = 0.999},
    [FC_METRIC_LATENCY_MAX] = {.name = "latency_max",
                               .unit = "cycles",
                               .meaning = "no message that was measured took longer",
                               .axis = "largest latency",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true,
                               .percentile = 1},
    [FC_METRIC_NETWORK_LATENCY] = {.name = "network_latency",
                                   .unit = "cycles",
                                   .meaning = "latency without the wait at the source",
                                   .better = FC_LOWER_IS_BETTER,
                                   .time = true},
    [FC_METRIC_SOURCE_WAIT] = {.name = "source_wait",
                               .unit = "cycles",
                               .meaning = "mean wait of a message in the queue of its source",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true},
    [FC_METRIC_LATENCY_HOT] = {.name = "latency_hot",
                               .unit = "cycles",
                               .meaning = "latency of messages to the hot node",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true},
    [FC_METRIC_LATENCY_COLD] = {.name = "latency_cold",
                                .unit = "cycles",
                                .meaning = "latency of messages to all other nodes",
                                .better = FC_LOWER_IS_BETTER,
                                .time = true},
    [FC_METRIC_LATENCY_LAST] = {.name = "latency_last",
                                .unit = "cycles",
                                .meaning = "multicasts: until the last destination has the message",
                                .better = FC_LOWER_IS_BETTER,
                                .time = true},
    [FC_METRIC_THROUGHPUT] = {.name = "throughput",
                              PER_NODE,
                              .meaning = "messages delivered",
                              .axis = "accepted load",
                              .better = FC_HIGHER_IS_BETTER},
    [FC_METRIC_OFFERED] = {.name = "offered",
                           PER_NODE,
                           .meaning = "messages generated",
                           .axis = "offered load",
                           .better = FC_NEITHER_IS_BETTER},
    [FC_METRIC_LOSS] = {.name = "loss",
                        .unit = "",
                        .meaning = "share of the packets that find the first buffer full",
                        .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_EFFICIENCY] =
        {.name = "efficiency",
         .unit = "",
         .meaning = "share of the time in which processors work; of a workload: bound / duration",
         .better = FC_HIGHER_IS_BETTER},
    [FC_METRIC_EFFICIENCY_MAX] = {.name = "efficiency_max",
                                  .unit = "",
                                  .meaning = "efficiency of the node that has the highest",
                                  .better = FC_HIGHER_IS_BETTER},
    [FC_METRIC_EFFICIENCY_MIN] = {.name = "efficiency_min",
                                  .unit = "",
                                  .meaning = "efficiency of the node that has the lowest",
                                  .better = FC_HIGHER_IS_BETTER},
    [FC_METRIC_NETWORK_TIME] = {.name = "network_time",
                                .unit = "cycles",
                                .meaning = "time of a request and its reply in the network",
                                .better = FC_LOWER_IS_BETTER,
                                .time = true},
    [FC_METRIC_REMOTE_TIME] = {.name = "remote_time",
                               .unit = "cycles",
                               .meaning = "time of a request at the memory",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true},
    [FC_METRIC_RESPONSE_TIME] = {.name = "response_time",
                                 .unit = "cycles",
                                 .meaning = "time from sending a request to its reply",
                                 .better = FC_LOWER_IS_BETTER,
                                 .time = true},
    [FC_METRIC_RESPONSE_TIME_P50] = {.name = "response_time_p50",
                                     .unit = "cycles",
                                     .meaning = "half of the requests are answered no later",
                                     .better = FC_LOWER_IS_BETTER,
                                     .time = true,
                                     .percentile = 0.5},
    [FC_METRIC_RESPONSE_TIME_P95] = {.name = "response_time_p95",
                                     .unit = "cycles",
                                     .meaning = "95 % of the requests are answered no later",
                                     .better = FC_LOWER_IS_BETTER,
                                     .time = true,
                                     .percentile = 0.95},
    [FC_METRIC_RESPONSE_TIME_P99] = {.name = "response_time_p99",
                                     .unit = "cycles",
                                     .meaning = "99 % of the requests are answered no later",
                                     .better = FC_LOWER_IS_BETTER,
                                     .time = true,
                                     .percentile = 0.99},
    [FC_METRIC_MEMORY_WAIT] = {.name = "memory_wait",
                               .unit = "cycles",
                               .meaning = "mean wait of a request until its memory takes it",
                               .better = FC_LOWER_IS_BETTER,
                               .time = true},
    [FC_METRIC_RESPONSE_TIME_HOT] = {.name = "response_time_hot",
                                     .unit = "cycles",
                                     .meaning = "response time of requests to the hot node",
                                     .better = FC_LOWER_IS_BETTER,
                                     .time = true},
    [FC_METRIC_RESPONSE_TIME_COLD] = {.name = "response_time_cold",
                                      .unit = "cycles",
                                      .meaning = "response time of requests to all other nodes",
                                      .better = FC_LOWER_IS_BETTER,
                                      .time = true},
    [FC_METRIC_ROUND_TRIP] = {.name = "round_trip",
                              .unit = "cycles",
                              .meaning = "time from generating a request to its reply",
                              .better = FC_LOWER_IS_BETTER,
                              .time = true},
    [FC_METRIC_DURATION] = {.name = "duration",
                            .unit = "cycles",
                            .meaning = "time from the beginning of a workload or trace to its end",
                            .better = FC_LOWER_IS_BETTER,
                            .time = true},
    [FC_METRIC_DURATION_BOUND] = {.name = "duration_bound",
                                  .unit = "cycles",
                                  .meaning = "duration of a workload that no network beats",
                                  .better = FC_LOWER_IS_BETTER,
                                  .time = true},
    [FC_METRIC_HOPS] = {.name = "hops",
                        .unit = "",
                        .meaning = "mean number of links between routers that a message crosses",
                        .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_BACKTRACKS] = {.name = "backtracks",
                              .unit = "per message",
                              .meaning = "links that a header gave up again (scouting)",
                              .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_RESTARTS] = {.name = "restarts",
                            .unit = "per message",
                            .meaning = "times a header began again at its source (scouting)",
                            .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_UNREACHABLE] = {.name = "unreachable",
                               .unit = "of all messages",
                               .meaning = "share of the messages that faults leave without a path",
                               .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_POWER] = {.name = "power",
                         .unit = "energy/cycle",
                         .packet_unit = "packets/cycle^2",
                         .meaning =
                             "multistage: packets per cycle of the whole network, divided by "
                             "the latency (higher is better); with network.energy: energy "
                             "per cycle of the whole network (lower is better)",
                         .better = FC_NEITHER_IS_BETTER}, /* it depends on the network */
    [FC_METRIC_BUFFER_SPACE] = {.name = "buffer_space",
                                .unit = "packets",
                                .meaning = "capacity of all buffers of the network together",
                                .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_ENERGY_PER_FLIT] = {.name = "energy_per_flit",
                                   .unit = "energy",
                                   .meaning = "mean energy of a flit in the routers and links of "
                                              "its path, without leakage",
                                   .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_WAITING] = {.name = "waiting",
                           .unit = "messages",
                           .meaning = "messages at their sources now (a network driven by a "
                                      "program of yours)",
                           .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_IN_NETWORK] = {.name = "in_network",
                              .unit = "messages",
                              .meaning = "messages in the network now (a network driven by a "
                                         "program of yours)",
                              .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_DURATION_MEASURED] = {.name = "duration_measured",
                                     .unit = "cycles",
                                     .meaning = "duration that was measured when the trace was "
                                                "recorded",
                                     .better = FC_NEITHER_IS_BETTER,
                                     .time = true},
    [FC_METRIC_BARRIER_ERROR] = {.name = "barrier_error",
                                 .unit = "",
                                 .meaning = "mean of how far the simulated end of a barrier is off "
                                            "the measured one, as a share of it",
                                 .better = FC_LOWER_IS_BETTER},
    [FC_METRIC_ROUTERS] = {.name = "routers",
                           .unit = "",
                           .meaning = "routers, switches, stations and crossings of rings",
                           .better = FC_LOWER_IS_BETTER,
                           .count = true},
    [FC_METRIC_CABLES] = {.name = "cables",
                          .unit = "",
                          .meaning = "cables between routers; both directions are one",
                          .better = FC_LOWER_IS_BETTER,
                          .count = true},
    [FC_METRIC_PORTS] = {.name = "ports",
                         .unit = "",
                         .meaning = "ports of all routers: ends of cables, and nodes",
                         .better = FC_LOWER_IS_BETTER,
                         .count = true},
    [FC_METRIC_BISECTION] = {.name = "bisection",
                             .unit = "flits/cycle",
                             .meaning = "what passes from one half of the nodes to the other, the "
                                        "least over all halvings",
                             .better = FC_HIGHER_IS_BETTER,
                             .count = true},
    [FC_METRIC_WIRE_LENGTH] = {.name = "wire_length",
                               .unit = "pitches",
                               .meaning =
                                   "length of all cables; a pitch is the distance of neighbouring "
                                   "routers of a grid, of a graph the unit of its places",
                               .better = FC_LOWER_IS_BETTER,
                               .count = true},
};

size_t fc_metric_count(void) {
    return FC_METRICS - 1;
}

const fc_metric_info *fc_metric_at(size_t index) {
    return index < fc_metric_count() ? &fc_metrics[index + 1] : NULL;
}

fc_metric_id fc_metric_find(const char *name) {
    int id = FC_METRICS - 1;
    while (id > FC_METRIC_NONE && strcmp(fc_metrics[id].name, name) != 0)
        --id;
    return (fc_metric_id)id;
}

bool fc_metric_is_count(const char *name) {
    const fc_metric_id id = fc_metric_find(name);
    return id != FC_METRIC_NONE && fc_metrics[id].count;
}

double fc_count_of(const fc_counts *counts, fc_metric_id metric) {
    switch (metric) {
    case FC_METRIC_ROUTERS:
        return counts->routers;
    case FC_METRIC_CABLES:
        return counts->cables;
    case FC_METRIC_PORTS:
        return counts->ports;
    case FC_METRIC_BISECTION:
        return counts->bisection;
    case FC_METRIC_WIRE_LENGTH:
        return counts->wire_length;
    default:
        return (double)NAN;
    }
}

void fc_metric_names(const char *names[FC_METRICS]) {
    for (size_t i = 0; i < fc_metric_count(); ++i)
        names[i] = fc_metrics[i + 1].name;
    names[FC_METRICS - 1] = NULL;
}
