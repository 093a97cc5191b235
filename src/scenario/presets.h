/* network.preset: what other simulators assume where nothing is said, as keys and values.
 *
 * The values are laid under the scenario as if the file gave them; a key that it gives itself stays
 * as it is, and so does one that does not apply to the network. */
#ifndef FC_SCENARIO_PRESETS_H
#define FC_SCENARIO_PRESETS_H

#include "scenario/scenario.h"

/* KEY, VALUE, the topology that it is for (NULL: all), the key that must be given (NULL: none), and
 * what the help says. The first that is right for a network is taken; an empty value leaves the key
 * alone. */
#define FC_PRESET_BOOKSIM(X)                                                                       \
    X("network.router_delay", "[1, 1, 1, 1]", NULL, NULL, "router_delay [1, 1, 1, 1]")             \
    X("network.link_delay", "2", "torus", NULL, "link_delay 2 in a torus")                         \
    X("network.link_delay", "2", "mesh", "network.concentration", "and with concentration")        \
    X("network.link_delay", "10", "dragonfly", NULL, "10 in a dragonfly")                          \
    X("network.link_delay", "", "graph", NULL, "as in the file of a graph")                        \
    X("network.link_delay", "1", NULL, NULL, "else 1")                                             \
    X("network.global_delay", "100", "dragonfly", NULL, "global_delay 100")                        \
    X("network.node_delay", "2", NULL, NULL, "node_delay 2")                                       \
    X("network.credit_delay", "0", NULL, NULL, "credit_delay 0")                                   \
    X("network.virtual_channels", "", "dragonfly", NULL,                                           \
      "virtual_channels as few as can be in a dragonfly")                                          \
    X("network.virtual_channels", "16", NULL, NULL, "else 16")                                     \
    X("network.buffer", "8", NULL, NULL, "buffer 8")                                               \
    X("network.handover", "next-cycle", NULL, NULL, "handover next-cycle")                         \
    X("network.injection_channels", "1", NULL, NULL, "injection_channels 1")                       \
    X("network.input_speedup", "1", NULL, NULL, "input_speedup 1")                                 \
    X("network.allocator_rounds", "1", NULL, NULL, "allocator_rounds 1")                           \
    X("network.arbitration", "round-robin", NULL, NULL, "arbitration round-robin")                 \
    X("network.ties", "first", "graph", NULL, "ties first")                                        \
    X("network.injection_choice", "random", "dragonfly", NULL, "injection_choice random")          \
    X("network.ejection_choice", "layer", "dragonfly", NULL, "ejection_choice layer")              \
    X("network.intermediate", "router", "dragonfly", NULL, "intermediate router")                  \
    X("network.bias", "30", "dragonfly", NULL, "bias 30 in a dragonfly")                           \
    X("network.bias", "2", "flattened-butterfly", NULL, "2 in a flattened butterfly")              \
    X("network.queues", "link", NULL, NULL, "queues link")                                         \
    X("traffic.message_flits", "1", NULL, NULL, "message_flits 1")                                 \
    X("traffic.injection", "bernoulli", NULL, NULL, "injection bernoulli")                         \
    X("traffic.self_messages", "sent", NULL, NULL, "self_messages sent")

#define FC_PRESET_GARNET(X)                                                                        \
    X("network.router_delay", "1", NULL, NULL, "router_delay 1")                                   \
    X("network.link_delay", "1", NULL, NULL, "link_delay 1")                                       \
    X("network.node_delay", "1", NULL, NULL, "node_delay 1")                                       \
    X("network.credit_delay", "1", NULL, NULL, "credit_delay 1")                                   \
    X("network.virtual_channels", "4", NULL, NULL, "virtual_channels 4")                           \
    X("network.buffer", "4", NULL, NULL, "buffer 4")                                               \
    X("network.handover", "when-empty", NULL, NULL, "handover when-empty")                         \
    X("network.input_speedup", "1", NULL, NULL, "input_speedup 1")                                 \
    X("network.arbitration", "round-robin", NULL, NULL, "arbitration round-robin")                 \
    X("network.flit_bytes", "16", NULL, NULL, "flit_bytes 16")                                     \
    X("traffic.injection", "bernoulli", NULL, NULL, "injection bernoulli")                         \
    X("traffic.self_messages", "sent", NULL, NULL, "self_messages sent")

#define FC_PRESET_SAY(key, value, topology, given, said) said "; "

extern const char *const fc_preset_names[]; /* of network.preset; NULL-terminated */

/* Before anything is read of the document. topology: the word of network.topology. */
fc_status fc_scenario_lay_preset(fc_scenario *scenario, const char *topology, fc_error *error);

#endif
