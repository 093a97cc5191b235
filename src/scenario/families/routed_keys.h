/* The keys that every family of networks of routers has, declared once, as entries for the family's
 * table.
 *
 * `parameters` is the family's type: it must have the members routed (fc_routed), destinations and
 * workload. own(member) is `.offset = ...` of what a torus keeps outside of routed. */
#ifndef FC_SCENARIO_ROUTED_KEYS_H
#define FC_SCENARIO_ROUTED_KEYS_H

#include "scenario/presets.h"
#include "scenario/routed.h"
#include "scenario/families/classes_read.h"
#include "scenario/families/routed_readers.h"
#include "scenario/formats/trace_file.h"
#include "scenario/patterns/traffic_readers.h"
#include "scenario/families/groups_read.h"
#include "scenario/families/jobs_read.h"
#include "scenario/families/slow_ranks.h"
#include "scenario/families/workload_read.h"

#define FC_IN_ROUTED(parameters, member) .offset = offsetof(parameters, routed.member)

/* clang-format off */
/* came_later: its hashed_if_given. */
#define FC_FAULTS_KEY(parameters, came_later)                                                      \
    {.path = "network.faults",                                                                     \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, faults),                                                             \
     .hashed_if_given = came_later,                                                                \
     .names_places = true,                                                                         \
     .fallback = "",                                                                               \
     .help = "what has failed: links (both directions of a cable between two routers; listed "     \
             "twice: two of parallel ones; [node, dimension, direction]: one direction), routers "\
             "with their nodes, and a share of all cables and routers, drawn by a seed. Messages " \
             "take new routes (network.routing: minimal or up-down); nodes that are cut off send " \
             "and receive nothing",                                                                \
     .expected = "{links: [[A, B], ...], routers: [R, ...], random: {links: SHARE, routers: SHARE, "\
                 "seed: N}}, or a list of [A, B] or [node, dimension, direction]",                 \
     .whole = "seed",                                                                              \
     .read = fc_faults_read,                                                                       \
     .write = fc_faults_write}
#define FC_ROUTER_KEYS(parameters)                                                                 \
    {.path = "network.router",                                                                     \
     .type = FC_KEY_CHOICE,                                                                        \
     FC_IN_ROUTED(parameters, router),                                                             \
     .choices = fc_router_names,                                                                   \
     .hashed_if_given = true,                                                                      \
     .fallback = "",                                                                               \
     .help = "idealised: the papers' router, which passes a header on in the cycle it arrives (open "\
             "and closed traffic of tori and meshes); pipelined: stages, credits and allocators "  \
             "(default: pipelined if another key needs it, and in topologies that are no torus or "\
             "mesh)"},                                                                             \
    {.path = "network.preset",                                                                     \
     .type = FC_KEY_CHOICE,                                                                        \
     FC_IN_ROUTED(parameters, preset),                                                             \
     .choices = fc_preset_names,                                                                   \
     .fallback = "",                                                                               \
     .apart = true,                                                                                \
     .help = "what another simulator assumes of all that the scenario does not say. booksim: "     \
             FC_PRESET_BOOKSIM(FC_PRESET_SAY) "garnet (of gem5): " FC_PRESET_GARNET(FC_PRESET_SAY) \
             "each where the key applies"},                                                        \
    {.path = "network.router_delay",                                                               \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, router_delay),                                                       \
     .fallback = "0",                                                                              \
     .measures = "time",                                                                           \
     .help = "cycles a header spends in each stage of a router; one number: all in the crossing",  \
     .expected = "a whole number from 0 to 1000 or [routing, allocation, switch, crossing]",       \
     .whole = "*",                                                                                 \
     .read = fc_router_delay_read,                                                                 \
     .write = fc_router_delay_write},                                                              \
    {.path = "network.link_delay",                                                                 \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, link_delay),                                                         \
     .list = offsetof(fc_routed, link_delays) - offsetof(fc_routed, link_delay),                   \
     .minimum = 1,                                                                                 \
     .maximum = FC_DELAY_MAX,                                                                      \
     .fallback = "1",                                                                              \
     .measures = "time",                                                                           \
     .help = "cycles from a router to the next; a list: of each dimension (torus, mesh, hyperx), " \
             "local and global (dragonfly), of each level or stage (fat-tree, fly)"},              \
    {.path = "network.link_width",                                                                 \
     .type = FC_KEY_NUMBER,                                                                        \
     FC_IN_ROUTED(parameters, link_width),                                                         \
     .list = offsetof(fc_routed, link_widths) - offsetof(fc_routed, link_width),                   \
     .hashed_if_given = true,                                                                      \
     .minimum = 0.01,                                                                              \
     .maximum = 8,                                                                                 \
     .fallback = "1",                                                                              \
     .help = "flits a link between routers takes in a cycle; a list: of each kind of link, as "    \
             "link_delay. Above 1 routers must be as fast (internal_speedup)"},                    \
    {.path = "network.node_delay",                                                                 \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, node_delay),                                                         \
     .minimum = 1,                                                                                 \
     .maximum = FC_DELAY_MAX,                                                                              \
     .fallback = "1",                                                                              \
     .measures = "time",                                                                           \
     .help = "cycles between a node and its router"},                                              \
    {.path = "network.credit_delay",                                                               \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, credit_delay),                                                       \
     .minimum = 0,                                                                                 \
     .maximum = 1000,                                                                              \
     .fallback = "0",                                                                              \
     .measures = "time",                                                                           \
     .help = "cycles for a credit to return, in addition to the delay of the link"},                       \
    {.path = "network.input_speedup",                                                              \
     .type = FC_KEY_COUNT,                                                                         \
     FC_IN_ROUTED(parameters, input_speedup),                                                      \
     .minimum = 1,                                                                                 \
     .maximum = 64,                                                                                \
     .fallback = "infinite",                                                                       \
     .help = "flits a router takes from one input in a cycle"},                                    \
    {.path = "network.internal_speedup",                                                           \
     .type = FC_KEY_NUMBER,                                                                        \
     FC_IN_ROUTED(parameters, internal_speedup),                                                   \
     .minimum = 1,                                                                                 \
     .maximum = 8,                                                                                 \
     .fallback = "",                                                                               \
     .help = "router cycles per link cycle (default 1): stages, allocators and crossbar are this " \
             "many times as fast"},                                                                \
    {.path = "network.allocator_rounds",                                                           \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, allocator_rounds),                                                   \
     .minimum = 1,                                                                                 \
     .maximum = 64,                                                                                \
     .fallback = "1",                                                                              \
     .help = "rounds of the channel and switch allocators in a cycle"},                            \
    {.path = "network.arbitration",                                                                \
     .type = FC_KEY_CHOICE,                                                                        \
     FC_IN_ROUTED(parameters, arbitration),                                                        \
     .choices = fc_arbitration_names,                                                              \
     .fallback = "round-robin",                                                                    \
     .help = "who wins where several messages ask for a channel or the switch"},                   \
    {.path = "network.energy",                                                                     \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, energy),                                                             \
     .fallback = "",                                                                               \
     .help = "energy of a flit in every router (buffer_write, buffer_read, crossbar) and for each "\
             "cycle of a link's delay (link), of a router in every cycle (leakage), in any unit; " \
             "adds the metrics energy_per_flit and power (pipelined routers)",                                         \
     .expected = "{buffer_write: E, buffer_read: E, crossbar: E, link: E, leakage: E}",            \
     .read = fc_energy_read,                                                                       \
     .write = fc_energy_write},                                                                    \
    {.path = "network.reply_channels",                                                             \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, reply_channels),                                                     \
     .minimum = 1,                                                                                 \
     .maximum = 63,                                                                                \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}, {"traffic.requests"}},                                \
     .help = "the upper virtual channels that carry replies (default: "                            \
             "half)"}
#define FC_CHANNEL_KEYS(own)                                                                       \
    {.path = "network.switching",                                                                  \
     .type = FC_KEY_CHOICE,                                                                        \
     own(switching),                                                                               \
     .choices = fc_switching_names,                                                                \
     .fallback = "wormhole",                                                                       \
     .help = "wormhole; cut-through: a header advances when the next buffer has room for the whole "\
             "message; "                                                                           \
             "scouting: data follow an acknowledged header probe"},                                \
    {.path = "network.handover",                                                                   \
     .type = FC_KEY_CHOICE,                                                                        \
     own(handover),                                                                                \
     .choices = fc_handover_names,                                                                 \
     .fallback = "same-cycle",                                                                     \
     .help = "when a virtual channel passes to the next message: in the cycle the tail leaves it, "\
             "in the one after (default of pipelined routers), or when its buffer is "             \
             "known to be empty"},                                                                 \
    {.path = "network.injection_channels",                                                         \
     .type = FC_KEY_INTEGER,                                                                       \
     own(injection_channels),                                                                      \
     .minimum = 1,                                                                                 \
     .maximum = 64,                                                                                \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .help = "messages that may share the link into the switch (default: "                         \
             "virtual_channels)"},                                                                 \
    {.path = "network.ejection_channels",                                                          \
     .type = FC_KEY_INTEGER,                                                                       \
     own(ejection_channels),                                                                       \
     .minimum = 1,                                                                                 \
     .maximum = 64,                                                                                \
     .fallback = "",                                                                               \
     .help = "messages that may share the channel into a node (default: 1 in the idealised router "\
             "with wormholes, else virtual_channels)"}

#define FC_TRAFFIC_KEYS(parameters, own)                                                           \
    {.path = "traffic.rate",                                                                       \
     .type = FC_KEY_NUMBER,                                                                        \
     own(rate),                                                                                    \
     .minimum = 0,                                                                                 \
     .above_minimum = true,                                                                        \
     .maximum = 1,                                                                                 \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.trace", "traffic.workload"},                                            \
     .measures = "load",                                                                           \
     .help = "messages (requests, if there are replies) per node per cycle"},                      \
    {.path = "traffic.message_flits",                                                              \
     .type = FC_KEY_INTEGER,                                                                       \
     own(message_flits),                                                                           \
     .minimum = 1,                                                                                 \
     .maximum = 1e6,                                                                               \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.trace", "traffic.workload", "traffic.requests", "traffic.message_mix"}, \
     .measures = "flits",                                                                          \
     .help = "flits of a message, header included (default 16)"},                                  \
    {.path = "traffic.message_mix",                                                                \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, lengths),                                                            \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.trace", "traffic.workload", "traffic.requests"},                        \
     .measures = "flits=flits",                                                                    \
     .help = "lengths of messages and their shares, instead of message_flits",                     \
     .expected = "a list of {flits, share}",                                                       \
     .whole = "flits",                                                                             \
     .read = fc_lengths_read,                                                                      \
     .write = fc_lengths_write},                                                                   \
    {.path = "traffic.injection",                                                                  \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, injection),                                                          \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.trace", "traffic.workload"},                                            \
     .measures = "on=time off=time",                                                               \
     .help = "how a node's messages follow each other (default poisson); on-off: "                 \
             "bursts and silences with these mean lengths, in cycles",                                   \
     .expected = "poisson, bernoulli or {on-off: {on: CYCLES, off: CYCLES}}",                      \
     .read = fc_injection_read,                                                                    \
     .write = fc_injection_write},                                                                 \
    {.path = "traffic.profile",                                                                    \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, profile),                                                            \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.trace", "traffic.workload"},                                            \
     .measures = "cycles=time",                                                                    \
     .help = "a load that changes: phases one after the other, and again from the first, each "    \
             "with a factor of traffic.rate or, instead of traffic.rate, a rate",                  \
     .expected = "a list of {cycles, factor or rate}, or {file: FILE} with lines cycles,factor",   \
     .whole = "cycles",                                                                            \
     .read = fc_profile_read,                                                                      \
     .write = fc_profile_write},                                                                   \
    {.path = "traffic.trace",                                                                      \
     .type = FC_KEY_CUSTOM,                                                                        \
     .offset = offsetof(parameters, workload),                                                     \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.workload"},                                                             \
     .help = "messages from a file of time,source,destination,flits[,after] instead of generated " \
             "ones; after: the messages it waits for, 3;7",                                        \
     .expected = "the name of a file",                                                             \
     .read = fc_trace_read,                                                                        \
     .write = fc_trace_write},                                                                     \
    {.path = "traffic.workload",                                                                   \
     .type = FC_KEY_CUSTOM,                                                                        \
     .offset = offsetof(parameters, workload),                                                     \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .measures = "bytes=bytes compute=time cycles=time",                                           \
     .help = "work that ends, instead of traffic.rate: a collective operation or a list of phases; "\
             "an all-reduce by the algorithm ring, recursive-doubling, halving-doubling, "         \
             "two-trees, direct, multi-ring or hierarchical",                                      \
     .expected = "a phase or a list: {all-to-all: {bytes: N}}, {all-reduce: "            \
                 "{algorithm: ring, bytes: N}}, {reduce-scatter: {bytes: N}}, {all-gather: "       \
                 "{bytes: N}}, {broadcast: {root: 0, bytes: N}}, {halo-exchange: {bytes: N}}, "    \
                 "{mixture-of-experts: {tokens: T, bytes: N, skew: S}}, {matrix: FILE}, "          \
                 "{file: FILE}, {chakra: PREFIX}, {compute: CYCLES}, barrier, {together: [...]}, " \
                 "{repeat: {times: K, phases: [...]}}",                                            \
     .whole = "bytes root chunks rings inner_ranks tokens experts choices compute cycles times "   \
              "grid replicas",                                                                              \
     .read = fc_workload_read,                                                                     \
     .write = fc_workload_write},                                                                  \
    {.path = "traffic.jobs",                                                                       \
     .type = FC_KEY_CUSTOM,                                                                        \
     .offset = offsetof(parameters, workload),                                                     \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .instead_of = "traffic.workload",                                                             \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.trace", "traffic.workload"},                                            \
     .measures = "bytes=bytes compute=time cycles=time start=time",                                \
     .help = "several workloads at the same time, each on nodes of its own: its phases, its ranks, "\
             "where they are placed among the nodes that are left, and when it starts",            \
     .expected = "a list of {workload: PHASES, ranks: N, placement: ..., start: CYCLES, groups: "  \
                 "...}; all but the first two may be left out",                                    \
     .whole = "ranks start bytes root chunks rings inner_ranks tokens experts choices compute "    \
              "cycles times grid replicas random blocks",                                          \
     .read = fc_jobs_read,                                                                         \
     .write = fc_jobs_write},                                                                      \
    {.path = "traffic.groups",                                                                     \
     .type = FC_KEY_CUSTOM,                                                                        \
     .offset = offsetof(parameters, workload.groupings),                                           \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .only_if = {{"traffic.workload"}},                                                            \
     .not_with = {"traffic.jobs"},                                                                 \
     .help = "groups of ranks that a phase may name: by sizes whose product is the number of "     \
             "ranks, the first changing fastest, or as lists of ranks",                            \
     .expected = "names with sizes, {tensor: 8, data: 8}, or with lists of ranks, {stage: [[0, "   \
                 "1], [2, 3]]}",                                                                   \
     .whole = "*",                                                                                 \
     .read = fc_groupings_read,                                                                    \
     .write = fc_groupings_write},                                                                 \
    {.path = "traffic.reduction_time",                                                             \
     .type = FC_KEY_NUMBER,                                                                        \
     .offset = offsetof(parameters, workload.reduction_time),                                      \
     .maximum = 1e6,                                                                               \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .only_if = {{"traffic.workload"}},                                                            \
     .help = "cycles in which a rank adds up a byte of what it received (default 0)"},             \
    {.path = "traffic.send_overhead",                                                              \
     .type = FC_KEY_INTEGER,                                                                       \
     .offset = offsetof(parameters, workload.send_overhead),                                       \
     .maximum = 1e9,                                                                               \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .measures = "time",                                                                           \
     .only_if = {{"traffic.workload"}},                                                            \
     .help = "cycles that a rank spends on each message before it enters the network (o; "         \
             "default 0)"},                                                                        \
    {.path = "traffic.send_gap",                                                                   \
     .type = FC_KEY_INTEGER,                                                                       \
     .offset = offsetof(parameters, workload.send_gap),                                            \
     .maximum = 1e9,                                                                               \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .measures = "time",                                                                           \
     .only_if = {{"traffic.workload"}},                                                            \
     .help = "cycles at least between the beginnings of two messages of a rank (g; default 0)"},   \
    {.path = "traffic.slow_ranks",                                                                 \
     .type = FC_KEY_CUSTOM,                                                                        \
     .offset = offsetof(parameters, workload.slow),                                                \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .only_if = {{"traffic.workload"}},                                                            \
     .help = "ranks that compute and add up more slowly: some by a factor, a share of all drawn at "\
             "random, or each by a factor drawn from a log-normal distribution with median 1",     \
     .expected = "{ranks: [3, 17], factor: 1.5}, {share: 0.05, factor: 1.5} or {deviation: 0.1}",  \
     .whole = "ranks",                                                                             \
     .read = fc_slow_ranks_read,                                                                   \
     .write = fc_slow_ranks_write},                                                                \
    {.path = "traffic.repeats",                                                                    \
     .type = FC_KEY_CHOICE,                                                                        \
     .offset = offsetof(parameters, workload.repeats),                                             \
     .choices = fc_repeats_names,                                                                  \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .only_if = {{"traffic.workload"}},                                                            \
     .help = "repetitions (repeat) of which sixteen passes in a row took equally long: the passes "\
             "that are left are skipped (default) or simulated"},                                  \
    {.path = "traffic.flit_bytes",                                                                 \
     .type = FC_KEY_INTEGER,                                                                       \
     .offset = offsetof(parameters, workload.flit_bytes),                                          \
     .minimum = 1,                                                                                 \
     .maximum = 1 << 20,                                                                           \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.workload"}},                                                            \
     .help = "bytes of a flit (default 32)"},                                                      \
    {.path = "traffic.packet_flits",                                                               \
     .type = FC_KEY_INTEGER,                                                                       \
     .offset = offsetof(parameters, workload.packet_flits),                                        \
     .minimum = 1,                                                                                 \
     .maximum = 1e6,                                                                               \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.workload"}},                                                            \
     .help = "flits of a packet; longer messages are cut (default 16)"},                           \
    {.path = "traffic.ranks",                                                                      \
     .type = FC_KEY_INTEGER,                                                                       \
     .offset = offsetof(parameters, workload.ranks),                                               \
     .minimum = 1,                                                                                 \
     .maximum = FC_RANKS_MAX,                                                                      \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.workload"}},                                                            \
     .not_with = {"traffic.jobs"},                                                                 \
     .help = "processes, one on a node (default: as many as there are nodes)"},                    \
    {.path = "traffic.placement",                                                                  \
     .type = FC_KEY_CUSTOM,                                                                        \
     .offset = offsetof(parameters, workload.placement),                                           \
     .fallback = "",                                                                               \
     .only_if = {{"traffic.workload"}},                                                            \
     .not_with = {"traffic.jobs"},                                                                 \
     .help = "which node a rank is on: rank 3 on node 3 (linear), at random (drawn "               \
             "for each replication, or once by a seed), blocks of this many neighbouring ranks, "    \
             "the blocks at random, or as a file says",                                            \
     .expected = "linear, random, {random: SEED}, {blocks: RANKS} or {file: FILE}",                \
     .whole = "random blocks",                                                                     \
     .read = fc_placement_read,                                                                    \
     .write = fc_placement_write},                                                                 \
    {.path = "traffic.destinations",                                                               \
     .type = FC_KEY_CUSTOM,                                                                        \
     .offset = offsetof(parameters, destinations),                                                 \
     .fallback = "uniform",                                                                        \
     .not_with = {"traffic.trace", "traffic.workload"},                                            \
     .help = "who sends to whom",                                                                  \
     .expected = fc_pattern_forms + 2, /* without the first comma */                               \
     .read = fc_destinations_read,                                                                 \
     .write = fc_destinations_write},                                                              \
    {.path = "traffic.self_messages",                                                              \
     .type = FC_KEY_CHOICE,                                                                        \
     .offset = offsetof(parameters, destinations.to_self),                                         \
     .choices = fc_self_names,                                                                     \
     .fallback = "none",                                                                           \
     .help = "whether nodes that a pattern maps to themselves send there, through their router"},  \
    {.path = "traffic.outstanding",                                                                \
     .type = FC_KEY_COUNT,                                                                         \
     own(outstanding),                                                                             \
     .minimum = 1,                                                                                 \
     .maximum = 1000000,                                                                           \
     .fallback = "",                                                                               \
     .not_with = {"traffic.trace", "traffic.workload"},                                            \
     .help = "requests a processor may have under way (open traffic: default infinite)"},          \
    {.path = "traffic.requests",                                                                   \
     .type = FC_KEY_CUSTOM,                                                                        \
     own(requests),                                                                                \
     .fallback = "",                                                                               \
     .not_with = {"traffic.trace", "traffic.workload"},                                            \
     .measures = "flits=flits reply_flits=flits memory_reply=time memory_busy=time",               \
     .help = "kinds of request, the flits of each and of its reply, the cycles until the memory "  \
             "has the reply, and those it is busy (each 0 where missing). Closed traffic: default "\
             "Adve and Vernon's, 80 % reads of 3+9 flits (memory_reply 4, memory_busy 4), 20 % "   \
             "writes of 11+3 (8, 4); open traffic: requests and replies in channels of their own", \
     .expected = "a list of {share, flits, reply_flits, memory_reply, memory_busy}",               \
     .whole = "flits reply_flits",                                                                 \
     .read = fc_requests_read,                                                                     \
     .write = fc_requests_write},                                                                  \
    {.path = "traffic.classes",                                                                    \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, given),                                                              \
     .fallback = "",                                                                               \
     .hashed_if_given = true,                                                                      \
     .only_if = {{"traffic.kind", {"open"}}},                                                      \
     .not_with = {"traffic.trace", "traffic.workload", "traffic.requests"},                        \
     .measures = "flits=flits memory_reply=time memory_busy=time",                                 \
     .help = "classes of messages with rates (or shares of traffic.rate), lengths, destinations, " \
             "virtual channels and priorities of their own (higher goes first), and the class "    \
             "that answers one: what it does not say is as traffic.message_flits and "             \
             "traffic.destinations say; an answer without destinations goes back to the node that "\
             "began; a multicast goes to all its destinations at once",                            \
     .expected = "a list of {name, rate or share, flits or message_mix, destinations, channels: "  \
                 "[FIRST, LAST], priority, reply: NAME, memory_reply, memory_busy, multicast}",    \
     .whole = "flits channels priority memory_reply memory_busy",                                  \
     .read = fc_classes_read,                                                                      \
     .write = fc_classes_write}
/* clang-format on */

#endif
