/* Networks of pipelined routers, drawn at random over the whole range of their keys (not a grid):
 * once, by a script with the ranges given in the text below, and kept as lists, so that the design
 * does not change with the rules of scenarios. All but router_held_out were in view while
 * router-queueing was developed; some of those had been held out from its earlier versions. */
#include "design_router.h"
#include "suite.h"

static const char *const models[] = {"router-queueing", NULL};
static const char *const metrics[] = {"latency", "latency_p99", NULL};
static const double loads[] = {0.25, 0.55, 0.8, 0.9, 0};

static const router_network known[] = {
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 7, router_delay: 2",
     "requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 4}], injection: bernoulli, "
     "destinations: shuffle"},
    {"topology: torus, radix: [4, 8], channel_rule: wrapping, routing: adaptive, virtual_channels: "
     "8, buffer: 1, router_delay: [1, 1, 1, 1]",
     "message_flits: 6, destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: torus, radix: [4, 4], channel_rule: wrapping, virtual_channels: 8, buffer: 2, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 10, destinations: neighbour"},
    {"topology: mesh, radix: [2, 2, 3], virtual_channels: 4, buffer: 3, router_delay: [0, 1, 1, "
     "1], input_speedup: 1",
     "message_flits: 4"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: adaptive, virtual_channels: 1, buffer: 2, "
     "router_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.2}, {flits: 10, share: 0.8}]"},
    {"topology: mesh, radix: [6, 5], routing: valiant, virtual_channels: 4, buffer: 4, "
     "router_delay: 3, link_delay: 3, input_speedup: 1",
     "message_flits: 24, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 0}}"},
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 3, buffer: 5, router_delay: [1, 1, 1, "
     "1], link_delay: 3, input_speedup: 1, injection_channels: 1, switching: cut-through",
     "message_flits: 4"},
    {"topology: hypercube, dimensions: 4, routing: o1turn, virtual_channels: 3, buffer: 9, "
     "router_delay: 3, credit_delay: 1, input_speedup: 1",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 16, share: 0.4}], injection: bernoulli"},
    {"topology: mesh, radix: [6, 3], virtual_channels: 2, buffer: 10, router_delay: 3",
     "message_mix: [{flits: 1, share: 0.4}, {flits: 5, share: 0.6}], injection: bernoulli, "
     "destinations: neighbour"},
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 5, buffer: 1, router_delay: [1, 1, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_flits: 3"},
    {"topology: fly, arity: 2, levels: 4, virtual_channels: 1, buffer: 8, router_delay: 2, "
     "injection_channels: 1",
     "message_flits: 4, destinations: shuffle"},
    {"topology: fly, arity: 2, levels: 4, virtual_channels: 4, buffer: 27, router_delay: [0, 0, 1, "
     "1], link_delay: 3, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.8}, {flits: 11, share: 0.2}], destinations: "
     "bit-complement"},
    {"topology: fly, arity: 4, levels: 2, extra_stages: 1, virtual_channels: 8, buffer: 8, "
     "router_delay: [0, 1, 1, 1], link_delay: 2, injection_channels: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 5, virtual_channels: 6, buffer: 3, router_delay: [0, 1, 1, "
     "1], link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 10, injection: bernoulli"},
    {"topology: mesh, radix: [7, 5], virtual_channels: 1, buffer: 10, router_delay: 2, "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 8"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 8, buffer: 5, router_delay: [0, 0, 1, "
     "1], link_delay: 2",
     "message_flits: 8, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, routing: o1turn, virtual_channels: 2, buffer: 16, "
     "router_delay: [1, 1, 1, 1], credit_delay: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: mesh, radix: [4, 3], concentration: 2, virtual_channels: 1, buffer: 12, "
     "router_delay: 1, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 7, destinations: tornado"},
    {"topology: mesh, radix: [2, 4, 2], routing: o1turn, virtual_channels: 3, buffer: 1, "
     "router_delay: 1, input_speedup: 1",
     "message_flits: 9"},
    {"topology: fat-tree, arity: 2, levels: 5, routing: destination, virtual_channels: 1, buffer: "
     "1, router_delay: [0, 1, 1, 1], injection_channels: 1",
     "message_flits: 6"},
    {"topology: torus, radix: [5, 5], channel_rule: wrapping, virtual_channels: 2, buffer: 5, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, injection_channels: 1",
     "message_flits: 20, injection: {on-off: {on: 50, off: 150}}, destinations: transpose"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 5, buffer: 4, router_delay: [1, 1, 1, "
     "1], link_delay: 3",
     "message_flits: 18"},
    {"topology: mesh, radix: [4, 4, 2], virtual_channels: 1, buffer: 13, router_delay: [1, 1, 1, "
     "1], link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 19, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 2, router_delay: 3, "
     "injection_channels: 1",
     "message_flits: 6"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 5, buffer: 5, router_delay: [1, 1, 1, "
     "1]",
     "message_flits: 1, destinations: {near-neighbour: 0.3}"},
    {"topology: fly, arity: 5, levels: 2, virtual_channels: 1, buffer: 5, router_delay: [0, 1, 1, "
     "1], injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.8}, {flits: 4, share: 0.2}]"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: random, virtual_channels: 1, buffer: 4, "
     "router_delay: [0, 1, 1, 1], credit_delay: 2, input_speedup: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 8, share: 0.4}], destinations: "
     "{random-permutation: 8}"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 25, router_delay: 3, "
     "injection_channels: 1, switching: cut-through",
     "message_flits: 25, injection: bernoulli"},
    {"topology: mesh, radix: [3, 4], routing: o1turn, virtual_channels: 4, buffer: 15, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 6, share: 0.5}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.04, node: 1}}"},
    {"topology: fat-tree, arity: 3, levels: 3, routing: random, virtual_channels: 6, buffer: 1, "
     "router_delay: 1",
     "message_flits: 24, injection: bernoulli"},
    {"topology: mesh, radix: [5, 5], routing: o1turn, virtual_channels: 4, buffer: 1, "
     "router_delay: 1, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 31"},
    {"topology: hypercube, dimensions: 5, routing: valiant, virtual_channels: 6, buffer: 17, "
     "router_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 18, destinations: {hot-spot: {share: 0.04, node: 0}}"},
    {"topology: mesh, radix: [5, 3], virtual_channels: 2, buffer: 1, router_delay: [0, 1, 1, 0], "
     "injection_channels: 1",
     "message_flits: 2, destinations: {hot-spot: {share: 0.06, node: 8}}"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: adaptive, virtual_channels: 3, buffer: 28, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, input_speedup: 1",
     "message_flits: 9, destinations: shuffle"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 10, router_delay: [1, 1, 1, "
     "1], link_delay: 4, input_speedup: 1, injection_channels: 1",
     "requests: [{share: 1, flits: 1, reply_flits: 9, memory_reply: 30}]"},
    {"topology: hypercube, dimensions: 4, routing: adaptive, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1], credit_delay: 1",
     "requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 4}], injection: bernoulli"},
    {"topology: fat-tree, arity: 2, levels: 5, routing: destination, virtual_channels: 2, buffer: "
     "8, router_delay: 3, credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 2, injection: bernoulli, destinations: {hot-spot: {share: 0.1, node: 2}}"},
    {"topology: torus, radix: [4, 6], channel_rule: wrapping, virtual_channels: 2, buffer: 3, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 1"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: random, virtual_channels: 2, buffer: 6, "
     "router_delay: 3, input_speedup: 1",
     "message_flits: 16, injection: bernoulli"},
    {"topology: mesh, radix: [3, 4], routing: adaptive, virtual_channels: 4, buffer: 3, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 30}], destinations: neighbour"},
    {"topology: ring, radix: [17], channel_rule: wrapping, virtual_channels: 8, buffer: 2, "
     "router_delay: [1, 1, 1, 0], injection_channels: 1",
     "message_flits: 1, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 0}}"},
    {"topology: mesh, radix: [6, 4], virtual_channels: 3, buffer: 13, router_delay: 2, "
     "credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 2, injection: bernoulli, destinations: {near-neighbour: 0.3}"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: adaptive, virtual_channels: 6, buffer: 11, "
     "router_delay: [1, 1, 1, 0], credit_delay: 1, input_speedup: 1",
     "message_flits: 13, injection: bernoulli"},
    {"topology: mesh, radix: [2, 2, 4], virtual_channels: 3, buffer: 7, router_delay: [0, 0, 1, 1]",
     "message_flits: 10, destinations: tornado"},
    {"topology: mesh, radix: [2, 3, 3], virtual_channels: 2, buffer: 5, router_delay: 2, "
     "injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.5}, {flits: 14, share: 0.5}], injection: bernoulli, "
     "destinations: {random-permutation: 2}"},
    {"topology: mesh, radix: [4, 6], virtual_channels: 4, buffer: 2, router_delay: [0, 1, 1, 1], "
     "link_delay: 2, injection_channels: 1",
     "message_flits: 4"},
    {"topology: mesh, radix: [3, 5], virtual_channels: 4, buffer: 20, router_delay: 1, "
     "injection_channels: 1, switching: cut-through",
     "message_flits: 4, injection: bernoulli"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: adaptive, virtual_channels: 1, buffer: 2, "
     "router_delay: [0, 0, 1, 1]",
     "message_flits: 13"},
    {"topology: mesh, radix: [3, 2, 4], virtual_channels: 1, buffer: 2, router_delay: [1, 1, 1, "
     "0], link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 2, injection: {on-off: {on: 10, off: 150}}"},
    {"topology: torus, radix: [3, 3, 3], channel_rule: dateline, routing: adaptive, "
     "virtual_channels: 4, buffer: 9, router_delay: [0, 0, 1, 1], input_speedup: 1, "
     "injection_channels: 1",
     "message_flits: 4"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 8, buffer: 3, router_delay: [0, 1, 1, "
     "1], link_delay: 3, credit_delay: 1, injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 30}]"},
    {NULL, NULL},
};

static const router_network once_held_out[] = {
    {"topology: ring, radix: [9], channel_rule: dateline, virtual_channels: 6, buffer: 24, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.5}, {flits: 14, share: 0.5}]"},
    {"topology: fly, arity: 2, levels: 4, extra_stages: 1, virtual_channels: 4, buffer: 12, "
     "router_delay: 2, link_delay: 2, credit_delay: 1, input_speedup: 1",
     "message_flits: 8"},
    {"topology: torus, radix: [4, 6], channel_rule: wrapping, virtual_channels: 2, buffer: 1, "
     "router_delay: 2, input_speedup: 1",
     "message_flits: 17, destinations: {random-permutation: 3}"},
    {"topology: ring, radix: [9], channel_rule: dateline, virtual_channels: 2, buffer: 9, "
     "router_delay: [1, 1, 1, 1], credit_delay: 2, injection_channels: 1",
     "message_flits: 1"},
    {"topology: torus, radix: [4, 6], channel_rule: wrapping, virtual_channels: 6, buffer: 2, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 10"},
    {"topology: fat-tree, arity: 3, levels: 3, routing: adaptive, virtual_channels: 4, buffer: 1, "
     "router_delay: [1, 1, 1, 1]",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 20, share: 0.4}]"},
    {"topology: fly, arity: 3, levels: 3, virtual_channels: 1, buffer: 9, router_delay: [0, 0, 1, "
     "1], credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 2"},
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 1, buffer: 2, router_delay: [1, 1, 1, "
     "1], input_speedup: 1",
     "message_flits: 30, injection: bernoulli"},
    {"topology: mesh, radix: [4, 3], virtual_channels: 2, buffer: 5, router_delay: [0, 1, 1, 1]",
     "message_flits: 21"},
    {"topology: fat-tree, arity: 3, levels: 3, routing: adaptive, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 0], injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 5, share: 0.5}], destinations: {hot-spot: "
     "{share: 0.06, node: 2}}"},
    {"topology: ring, radix: [21], channel_rule: wrapping, virtual_channels: 4, buffer: 9, "
     "router_delay: 3, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.4}, {flits: 21, share: 0.6}], injection: {on-off: {on: 50, "
     "off: 60}}, destinations: tornado"},
    {"topology: torus, radix: [3, 3, 3], channel_rule: dateline, routing: o1turn, "
     "virtual_channels: 4, buffer: 25, router_delay: [1, 1, 1, 1]",
     "message_flits: 2, injection: {on-off: {on: 50, off: 20}}, destinations: {hot-spot: {share: "
     "0.1, node: 4}}"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 2, buffer: 30, router_delay: 2, "
     "link_delay: 4, input_speedup: 1",
     "message_flits: 11, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 4, extra_stages: 1, virtual_channels: 4, buffer: 2, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 7, injection: bernoulli"},
    {"topology: mesh, radix: [8, 3], virtual_channels: 4, buffer: 1, router_delay: [0, 1, 1, 1], "
     "credit_delay: 2, injection_channels: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: hypercube, dimensions: 5, routing: adaptive, virtual_channels: 2, buffer: 3, "
     "router_delay: [0, 1, 1, 1], link_delay: 4",
     "message_flits: 13, destinations: {near-neighbour: 0.3}"},
    {"topology: mesh, radix: [3, 5], concentration: 2, routing: o1turn, virtual_channels: 5, "
     "buffer: 6, router_delay: [1, 1, 1, 1], link_delay: 2, injection_channels: 1",
     "message_flits: 2, injection: bernoulli, destinations: {near-neighbour: 0.6}"},
    {"topology: torus, radix: [5, 5], channel_rule: dateline, routing: valiant, virtual_channels: "
     "4, buffer: 5, router_delay: [0, 1, 1, 1], input_speedup: 1",
     "message_mix: [{flits: 2, share: 0.5}, {flits: 7, share: 0.5}]"},
    {"topology: ring, radix: [8], channel_rule: dateline, virtual_channels: 6, buffer: 2, "
     "router_delay: [1, 1, 1, 1], link_delay: 4, input_speedup: 1",
     "message_flits: 13, injection: {on-off: {on: 50, off: 60}}"},
    {"topology: mesh, radix: [3, 3], virtual_channels: 8, buffer: 29, router_delay: [1, 1, 1, 1], "
     "injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 10, share: 0.4}], injection: bernoulli"},
    {"topology: mesh, radix: [2, 2, 2], virtual_channels: 2, buffer: 5, router_delay: [1, 1, 1, "
     "1], link_delay: 4, input_speedup: 1, injection_channels: 1, switching: cut-through",
     "message_flits: 5"},
    {"topology: mesh, radix: [4, 6], virtual_channels: 5, buffer: 7, router_delay: [1, 1, 1, 1]",
     "message_flits: 5, injection: bernoulli"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: random, virtual_channels: 3, buffer: 6, "
     "router_delay: [0, 1, 1, 1], link_delay: 3, credit_delay: 2",
     "message_flits: 2, destinations: {hot-spot: {share: 0.04, node: 5}}"},
    {"topology: torus, radix: [4, 4], channel_rule: wrapping, routing: valiant, virtual_channels: "
     "4, buffer: 15, router_delay: [1, 1, 1, 1], credit_delay: 1",
     "message_flits: 2"},
    {"topology: ring, radix: [14], channel_rule: wrapping, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1], credit_delay: 2, injection_channels: 1",
     "requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 30}], injection: bernoulli"},
    {"topology: torus, radix: [4, 4], channel_rule: wrapping, virtual_channels: 8, buffer: 26, "
     "router_delay: 1, injection_channels: 1",
     "message_flits: 3, destinations: {near-neighbour: 0.3}"},
    {"topology: mesh, radix: [3, 2, 3], virtual_channels: 4, buffer: 3, router_delay: [1, 1, 1, 0]",
     "requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 10}], injection: bernoulli"},
    {"topology: mesh, radix: [3, 4], concentration: 2, routing: o1turn, virtual_channels: 2, "
     "buffer: 2, router_delay: 1, link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.5}, {flits: 4, share: 0.5}]"},
    {"topology: ring, radix: [9], channel_rule: dateline, virtual_channels: 2, buffer: 7, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, input_speedup: 1",
     "message_mix: [{flits: 1, share: 0.2}, {flits: 22, share: 0.8}], injection: bernoulli, "
     "destinations: neighbour"},
    {"topology: mesh, radix: [6, 5], virtual_channels: 4, buffer: 11, router_delay: [1, 1, 1, 1], "
     "credit_delay: 1",
     "message_flits: 17"},
    {"topology: mesh, radix: [7, 3], virtual_channels: 2, buffer: 2, router_delay: 1, "
     "injection_channels: 1",
     "message_flits: 7"},
    {"topology: mesh, radix: [3, 3], concentration: 2, virtual_channels: 2, buffer: 4, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "message_flits: 7, injection: bernoulli"},
    {"topology: torus, radix: [4, 8], channel_rule: wrapping, virtual_channels: 2, buffer: 21, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.2}, {flits: 9, share: 0.8}], injection: {on-off: {on: 10, "
     "off: 20}}, destinations: {near-neighbour: 0.6}"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 2, buffer: 7, router_delay: [0, 1, 1, "
     "0], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.8}, {flits: 15, share: 0.2}], injection: bernoulli, "
     "destinations: {random-permutation: 5}"},
    {"topology: torus, radix: [4, 4], channel_rule: wrapping, virtual_channels: 2, buffer: 8, "
     "router_delay: [1, 1, 1, 0], input_speedup: 1",
     "message_flits: 6"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: adaptive, virtual_channels: 3, buffer: 17, "
     "router_delay: [0, 1, 1, 0], input_speedup: 1",
     "message_mix: [{flits: 3, share: 0.2}, {flits: 10, share: 0.8}]"},
    {"topology: torus, radix: [4, 7], channel_rule: dateline, routing: valiant, virtual_channels: "
     "8, buffer: 14, router_delay: 3",
     "message_flits: 17, injection: bernoulli"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: destination, virtual_channels: 2, buffer: "
     "1, router_delay: 3, credit_delay: 2",
     "message_flits: 4, destinations: bit-reverse"},
    {"topology: fly, arity: 2, levels: 4, extra_stages: 1, virtual_channels: 2, buffer: 5, "
     "router_delay: [1, 1, 1, 0], link_delay: 4, injection_channels: 1",
     "message_flits: 2, injection: bernoulli"},
    {"topology: ring, radix: [14], channel_rule: wrapping, virtual_channels: 4, buffer: 7, "
     "router_delay: [1, 1, 1, 0]",
     "message_flits: 18"},
    {"topology: fat-tree, arity: 2, levels: 5, routing: adaptive, virtual_channels: 8, buffer: 23, "
     "router_delay: 3, credit_delay: 1",
     "message_flits: 13, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 5, virtual_channels: 6, buffer: 2, router_delay: [1, 1, 1, "
     "1], link_delay: 3, credit_delay: 2, injection_channels: 1",
     "message_flits: 30"},
    {"topology: hypercube, dimensions: 5, routing: valiant, virtual_channels: 4, buffer: 3, "
     "router_delay: 3, input_speedup: 1",
     "message_flits: 2, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 11}}"},
    {"topology: torus, radix: [3, 3, 3], channel_rule: dateline, virtual_channels: 2, buffer: 4, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.2}, {flits: 11, share: 0.8}], destinations: {hot-spot: "
     "{share: 0.06, node: 8}}"},
    {"topology: ring, radix: [20], channel_rule: wrapping, virtual_channels: 2, buffer: 24, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 7, injection: bernoulli, destinations: neighbour"},
    {"topology: torus, radix: [4, 4], channel_rule: wrapping, virtual_channels: 6, buffer: 1, "
     "router_delay: [0, 0, 1, 1], link_delay: 4, injection_channels: 1",
     "message_flits: 16, injection: bernoulli"},
    {"topology: mesh, radix: [4, 8], virtual_channels: 1, buffer: 1, router_delay: 1",
     "message_flits: 27"},
    {"topology: ring, radix: [23], channel_rule: dateline, virtual_channels: 4, buffer: 15, "
     "router_delay: [0, 0, 1, 1], injection_channels: 1, switching: cut-through",
     "message_flits: 15, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 7}}"},
    {"topology: ring, radix: [10], channel_rule: wrapping, virtual_channels: 6, buffer: 3, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1, switching: cut-through",
     "message_flits: 2, injection: bernoulli, destinations: tornado"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: random, virtual_channels: 3, buffer: 30, "
     "router_delay: 1, link_delay: 2, input_speedup: 1, switching: cut-through",
     "message_flits: 28, injection: bernoulli"},
    {"topology: ring, radix: [13], channel_rule: wrapping, virtual_channels: 4, buffer: 3, "
     "router_delay: 1, credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.5}, {flits: 11, share: 0.5}]"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 2, buffer: 3, router_delay: [0, 1, 1, "
     "0], input_speedup: 1",
     "requests: [{share: 1, flits: 2, reply_flits: 8, memory_reply: 10}]"},
    {"topology: fly, arity: 2, levels: 5, virtual_channels: 5, buffer: 10, router_delay: [1, 1, 1, "
     "1], switching: cut-through",
     "message_flits: 3, destinations: {hot-spot: {share: 0.04, node: 0}}"},
    {"topology: hypercube, dimensions: 4, routing: adaptive, virtual_channels: 6, buffer: 7, "
     "router_delay: [0, 0, 1, 1], input_speedup: 1",
     "message_flits: 3, destinations: {near-neighbour: 0.3}"},
    {"topology: fly, arity: 3, levels: 3, virtual_channels: 8, buffer: 5, router_delay: 1, "
     "injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 10}], destinations: {hot-spot: "
     "{share: 0.1, node: 5}}"},
    {"topology: mesh, radix: [2, 3, 3], virtual_channels: 2, buffer: 13, router_delay: 1, "
     "injection_channels: 1",
     "message_flits: 2"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 1, buffer: 9, router_delay: 3, "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 7, destinations: neighbour"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: destination, virtual_channels: 2, buffer: "
     "2, router_delay: [0, 1, 1, 1], link_delay: 3, input_speedup: 1",
     "message_flits: 5, injection: bernoulli, destinations: neighbour"},
    {"topology: mesh, radix: [3, 6], virtual_channels: 1, buffer: 2, router_delay: [0, 1, 1, 1], "
     "input_speedup: 1",
     "message_flits: 25, destinations: tornado"},
    {"topology: mesh, radix: [5, 3], virtual_channels: 8, buffer: 4, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1, injection_channels: 1, switching: cut-through",
     "message_flits: 4, injection: bernoulli"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 6, router_delay: [1, 1, 1, "
     "1], input_speedup: 1, switching: cut-through",
     "message_flits: 6"},
    {"topology: ring, radix: [17], channel_rule: dateline, virtual_channels: 8, buffer: 2, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 3, injection: bernoulli, destinations: bit-complement"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: adaptive, virtual_channels: 6, buffer: 3, "
     "router_delay: [0, 0, 1, 1], injection_channels: 1",
     "message_flits: 1, injection: bernoulli, destinations: shuffle"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: random, virtual_channels: 3, buffer: 4, "
     "router_delay: [0, 1, 1, 1]",
     "message_flits: 4, injection: bernoulli"},
    {"topology: mesh, radix: [3, 5], virtual_channels: 1, buffer: 3, router_delay: [0, 0, 1, 1], "
     "link_delay: 2, input_speedup: 1",
     "message_flits: 3"},
    {"topology: fly, arity: 2, levels: 4, virtual_channels: 4, buffer: 1, router_delay: [1, 1, 1, "
     "1]",
     "message_flits: 5, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 5, virtual_channels: 2, buffer: 2, router_delay: 2, "
     "credit_delay: 1, input_speedup: 1",
     "message_flits: 25, injection: bernoulli"},
    {"topology: mesh, radix: [2, 4, 3], virtual_channels: 8, buffer: 3, router_delay: [1, 1, 1, "
     "1], credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.6}, {flits: 10, share: 0.4}], destinations: neighbour"},
    {"topology: torus, radix: [5, 6], channel_rule: wrapping, virtual_channels: 6, buffer: 23, "
     "router_delay: 3, credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 23, share: 0.4}], injection: bernoulli, "
     "destinations: neighbour"},
    {"topology: torus, radix: [4, 5], channel_rule: wrapping, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, credit_delay: 1",
     "message_flits: 6, destinations: {random-permutation: 5}"},
    {"topology: ring, radix: [18], channel_rule: wrapping, virtual_channels: 6, buffer: 31, "
     "router_delay: 1, credit_delay: 1",
     "message_flits: 3, injection: {on-off: {on: 10, off: 20}}, destinations: bit-complement"},
    {"topology: mesh, radix: [3, 2, 2], virtual_channels: 2, buffer: 1, router_delay: 2",
     "message_flits: 4, injection: bernoulli"},
    {"topology: torus, radix: [4, 8], channel_rule: dateline, virtual_channels: 4, buffer: 2, "
     "router_delay: [0, 0, 1, 1], credit_delay: 2",
     "message_flits: 9, injection: bernoulli, destinations: neighbour"},
    {"topology: fly, arity: 2, levels: 5, virtual_channels: 6, buffer: 1, router_delay: [0, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 8"},
    {"topology: fat-tree, arity: 2, levels: 5, routing: adaptive, virtual_channels: 1, buffer: 1, "
     "router_delay: [0, 1, 1, 0], input_speedup: 1",
     "message_flits: 3"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 1, buffer: 3, router_delay: 2, "
     "link_delay: 4",
     "message_flits: 2, injection: {on-off: {on: 20, off: 20}}"},
    {"topology: fly, arity: 4, levels: 2, extra_stages: 1, virtual_channels: 1, buffer: 9, "
     "router_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 3"},
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 4, buffer: 18, router_delay: [1, 1, 1, "
     "1], credit_delay: 2, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.5}, {flits: 19, share: 0.5}], injection: bernoulli"},
    {"topology: mesh, radix: [4, 3], virtual_channels: 1, buffer: 8, router_delay: [1, 1, 1, 0], "
     "link_delay: 2, injection_channels: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: torus, radix: [4, 8], channel_rule: dateline, virtual_channels: 2, buffer: 2, "
     "router_delay: [0, 0, 1, 1], credit_delay: 1, input_speedup: 1",
     "message_mix: [{flits: 4, share: 0.4}, {flits: 5, share: 0.6}], destinations: bit-reverse"},
    {"topology: torus, radix: [3, 3, 3], channel_rule: dateline, virtual_channels: 8, buffer: 3, "
     "router_delay: 3",
     "message_flits: 6"},
    {"topology: torus, radix: [3, 3, 3], channel_rule: wrapping, virtual_channels: 4, buffer: 5, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 4}]"},
    {"topology: torus, radix: [4, 7], channel_rule: dateline, virtual_channels: 4, buffer: 1, "
     "router_delay: 1, link_delay: 3, injection_channels: 1",
     "message_flits: 3"},
    {"topology: torus, radix: [6, 4], channel_rule: dateline, virtual_channels: 4, buffer: 1, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 3"},
    {"topology: mesh, radix: [3, 5], virtual_channels: 1, buffer: 29, router_delay: 1, "
     "credit_delay: 1, input_speedup: 1",
     "message_flits: 13, injection: bernoulli, destinations: neighbour"},
    {"topology: fat-tree, arity: 2, levels: 5, routing: adaptive, virtual_channels: 5, buffer: 6, "
     "router_delay: [1, 1, 1, 1], credit_delay: 2, injection_channels: 1",
     "message_flits: 8, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 6}}"},
    {"topology: torus, radix: [4, 8], channel_rule: wrapping, routing: o1turn, virtual_channels: "
     "8, buffer: 3, router_delay: [0, 1, 1, 1], injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 5, share: 0.4}], injection: bernoulli"},
    {"topology: fat-tree, arity: 3, levels: 3, routing: random, virtual_channels: 3, buffer: 4, "
     "router_delay: [0, 1, 1, 0], link_delay: 3, injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.2}, {flits: 6, share: 0.8}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.04, node: 9}}"},
    {"topology: torus, radix: [4, 4], channel_rule: wrapping, routing: o1turn, virtual_channels: "
     "4, buffer: 18, router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 12"},
    {"topology: fly, arity: 2, levels: 5, extra_stages: 1, virtual_channels: 5, buffer: 6, "
     "router_delay: 1, credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: mesh, radix: [3, 5], routing: adaptive, virtual_channels: 2, buffer: 4, "
     "router_delay: [0, 0, 1, 1]",
     "message_flits: 2, injection: bernoulli, destinations: bit-complement"},
    {"topology: mesh, radix: [4, 3, 2], routing: o1turn, virtual_channels: 4, buffer: 11, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 1"},
    {"topology: torus, radix: [4, 4], channel_rule: wrapping, virtual_channels: 2, buffer: 22, "
     "router_delay: 1",
     "message_flits: 26, injection: bernoulli"},
    {"topology: mesh, radix: [2, 3, 2], virtual_channels: 4, buffer: 24, router_delay: [1, 1, 1, "
     "0], link_delay: 3, input_speedup: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 30}], injection: bernoulli"},
    {"topology: mesh, radix: [4, 4], routing: adaptive, virtual_channels: 2, buffer: 5, "
     "router_delay: [0, 1, 1, 0], credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 5, destinations: {random-permutation: 9}"},
    {"topology: mesh, radix: [3, 6], virtual_channels: 2, buffer: 7, router_delay: [1, 1, 1, 0], "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 3, destinations: tornado"},
    {"topology: ring, radix: [13], channel_rule: dateline, virtual_channels: 2, buffer: 31, "
     "router_delay: 2, link_delay: 2",
     "message_flits: 8, injection: bernoulli"},
    {"topology: mesh, radix: [6, 4], virtual_channels: 2, buffer: 6, router_delay: [0, 1, 1, 1], "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 6"},
    {NULL, NULL},
};

static void add_all(suite *s, bool held_out, const router_network *networks) {
    for (const router_network *n = networks; n->network; ++n)
        suite_add(s, held_out, n->network, n->traffic);
}

/* Training networks have the loads that the table holds, drawn between 15 and 95 % of the simulated
 * saturation load: fixed ones would tell a calibration, by their ratio to the model's saturation
 * load, what it cannot know. */
static void add_training(suite *s) {
    const size_t first = s->count;
    add_all(s, SUITE_DEVELOP, router_training);
    for (size_t e = first; e < s->count; ++e)
        s->entries[e].point_count = 0;
}

static void lay_out(suite *s) {
    add_all(s, SUITE_DEVELOP, known);
    add_all(s, SUITE_DEVELOP, once_held_out);
    add_training(s);
    add_all(s, SUITE_DEVELOP, router_seen);
    add_all(s, SUITE_HELD_OUT, router_held_out);
}

const suite_design routers_design = {
    .name = "routers",
    .title = "Networks of pipelined routers",
    .text = "Meshes, concentrated meshes, tori, rings, hypercubes, flies and fat trees of 8 to "
            "100 nodes, drawn at random over most keys of routers, and 150 networks drawn over "
            "all keys, among them dragonflies and HyperX: these were held out until revision 4 of "
            "`router-queueing`; revision 5 was developed with samples of all networks in view. "
            "(One saturation load, 0.00145, is wrong: runs of 20,000 cycles are too short for "
            "that network.)",
    .models = models,
    .metrics = metrics,
    .loads = loads,
    .precision = 0.02,
    .max_cycles = 1e5,
    .cost = 1,
    .lay_out = lay_out,
};
