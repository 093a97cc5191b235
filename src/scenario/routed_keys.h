/* The keys that every family of networks of routers has, declared once.
 *
 * FC_ROUTER_KEYS and FC_TRAFFIC_KEYS are entries for a family's table. The parameters must have a
 * member `routed` (fc_routed), and `destinations` and `trace`; `own(member)` tells where the family
 * keeps what a torus has outside of `routed`. */
#ifndef FC_SCENARIO_ROUTED_KEYS_H
#define FC_SCENARIO_ROUTED_KEYS_H

#include "scenario/routed.h"
#include "scenario/routed_readers.h"

#define FC_IN_ROUTED(parameters, member) .offset = offsetof(parameters, routed.member)

/* clang-format off */
#define FC_ROUTER_KEYS(parameters)                                                                 \
    {.path = "network.router_delay",                                                               \
     .type = FC_KEY_CUSTOM,                                                                        \
     FC_IN_ROUTED(parameters, router_delay),                                                       \
     .fallback = "0",                                                                              \
     .help = "cycles a header spends in each stage of a router; one number: all in the crossing",  \
     .expected = "a whole number from 0 to 1000 or [routing, allocation, switch, crossing]",       \
     .read = fc_router_delay_read,                                                                 \
     .write = fc_router_delay_write},                                                              \
    {.path = "network.link_delay",                                                                 \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, link_delay),                                                         \
     .minimum = 1,                                                                                 \
     .maximum = 1000,                                                                              \
     .fallback = "1",                                                                              \
     .help = "cycles from a router to the next"},                                                  \
    {.path = "network.node_delay",                                                                 \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, node_delay),                                                         \
     .minimum = 1,                                                                                 \
     .maximum = 1000,                                                                              \
     .fallback = "1",                                                                              \
     .help = "cycles between a node and its router"},                                              \
    {.path = "network.credit_delay",                                                               \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, credit_delay),                                                       \
     .minimum = 0,                                                                                 \
     .maximum = 1000,                                                                              \
     .fallback = "0",                                                                              \
     .help = "cycles, beyond those of the link, until a freed place is known upstream"},           \
    {.path = "network.input_speedup",                                                              \
     .type = FC_KEY_COUNT,                                                                         \
     FC_IN_ROUTED(parameters, input_speedup),                                                      \
     .minimum = 1,                                                                                 \
     .maximum = 64,                                                                                \
     .fallback = "infinite",                                                                       \
     .help = "flits a router takes from one input in a cycle"},                                    \
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
    {.path = "network.reply_channels",                                                             \
     .type = FC_KEY_INTEGER,                                                                       \
     FC_IN_ROUTED(parameters, reply_channels),                                                     \
     .minimum = 1,                                                                                 \
     .maximum = 63,                                                                                \
     .fallback = "",                                                                               \
     .help = "open traffic with requests: the upper virtual channels that carry replies (default: "\
             "half)"}
/* clang-format on */

#endif
