/* Networks of every family, for studies that need some of each. */
#ifndef FC_VALIDATION_NETWORKS_H
#define FC_VALIDATION_NETWORKS_H

typedef struct network {
    const char *name, *network, *traffic;
} network;

static const network networks[] = {
    {"routers: 5x5 mesh",
     "{topology: mesh, radix: [5, 5], virtual_channels: 2, buffer: 6, router_delay: 3}",
     "{rate: 0.03, message_flits: 5}"},
    {"closed 4x4 torus, 2 requests", "{topology: torus, radix: [4, 4]}",
     "{kind: closed, outstanding: 2, think_time: 40, requests: [{share: 1, flits: 3, reply_flits: "
     "9, memory_reply: 4, memory_busy: 4}]}"},
    {"multistage, 32 ports, buffers of 6",
     "{topology: multistage, ports: 32, switch: 2, buffer: 6}", "{rate: 0.5}"},
    {"6x6 torus, 4 channels",
     "{topology: torus, radix: [6, 6], virtual_channels: 4, channel_rule: dateline, buffer: 2}",
     "{rate: 0.01, message_flits: 8}"},
    {"rings [8, 12]", "{topology: ring-hierarchy, rings: [8, 12]}",
     "{rate: 0.01, locality: [0.3]}"},
    {"5x5 torus, scouting K = 2",
     "{topology: torus, radix: [5, 5], switching: scouting, scouting_distance: 2, "
     "virtual_channels: 4}",
     "{rate: 0.01, message_flits: 16}"},
    {"routers: hypercube of 4 dimensions",
     "{topology: hypercube, dimensions: 4, virtual_channels: 2, buffer: 4, router_delay: 1}",
     "{rate: 0.03, message_flits: 6}"},
    {"routers: 2-ary fat tree of 16",
     "{topology: fat-tree, arity: 2, levels: 4, routing: adaptive, virtual_channels: 2, buffer: "
     "4, router_delay: 1}",
     "{rate: 0.03, message_flits: 6}"},
    {"routers: 4x4 mesh, transpose",
     "{topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 4, router_delay: 2}",
     "{rate: 0.02, message_flits: 4, destinations: transpose}"},
    {"5x5 mesh, 3 channels", "{topology: mesh, radix: [5, 5], virtual_channels: 3, buffer: 2}",
     "{rate: 0.01, message_flits: 12}"},
    {"routers: 3x3 mesh, 2 nodes each",
     "{topology: mesh, radix: [3, 3], concentration: 2, virtual_channels: 2, buffer: 4, "
     "router_delay: 2}",
     "{rate: 0.03, message_flits: 4}"},
    {"multistage, 16 ports, 2 requests",
     "{topology: multistage, ports: 16, switch: 2, buffer: 3, contention: output-port}",
     "{rate: 0.5, outstanding: 2}"},
    {"routers: 2-ary 4-fly",
     "{topology: fly, arity: 2, levels: 4, virtual_channels: 2, buffer: 4, router_delay: 1}",
     "{rate: 0.03, message_flits: 6}"},
    {"routers: 4x4 torus, four stages",
     "{topology: torus, radix: [4, 4], virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, "
     "1], credit_delay: 2}",
     "{rate: 0.02, message_flits: 8}"},
    {"routers: 4x4 mesh, adaptive",
     "{topology: mesh, radix: [4, 4], routing: adaptive, virtual_channels: 3, buffer: 4, "
     "router_delay: 2}",
     "{rate: 0.02, message_flits: 4}"},
    {"closed 4x4 mesh, 4 requests", "{topology: mesh, radix: [4, 4]}",
     "{kind: closed, outstanding: 4, think_time: 80, requests: [{share: 1, flits: 2, reply_flits: "
     "6, memory_reply: 10, memory_busy: 4}]}"},
    {"rings [10, 10], uniform", "{topology: ring-hierarchy, rings: [10, 10]}", "{rate: 0.01}"},
    {"4x4 torus, scouting K = 1",
     "{topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 1, "
     "virtual_channels: 3}",
     "{rate: 0.01, message_flits: 10}"},
    {"routers: 4x4 mesh with replies",
     "{topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 4, link_delay: 2, "
     "router_delay: 1}",
     "{rate: 0.01, requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 10}]}"},
    {"4x6 mesh with a hot spot", "{topology: mesh, radix: [4, 6], virtual_channels: 2}",
     "{rate: 0.005, message_flits: 10, destinations: {hot-spot: {share: 0.1, node: [1, 1]}}}"},
    {"routers: 4x4 mesh, bursts, two lengths",
     "{topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 8, router_delay: 1}",
     "{rate: 0.02, message_mix: [{flits: 1, share: 0.5}, {flits: 6, share: 0.5}], injection: "
     "{on-off: {on: 30, off: 60}}}"},
    {"multistage, 16 ports of 4 x 4, infinite buffers",
     "{topology: multistage, ports: 16, switch: 4, buffer: infinite, contention: output-port}",
     "{rate: 0.4}"},
    {"4x4x4 torus, 2 channels",
     "{topology: torus, radix: [4, 4, 4], virtual_channels: 2, channel_rule: dateline}",
     "{rate: 0.005, message_flits: 16}"},
    {"rings [5, 4, 5]", "{topology: ring-hierarchy, rings: [5, 4, 5]}",
     "{rate: 0.01, locality: [0.3, 0.4]}"},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

#endif
