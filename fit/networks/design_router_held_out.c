/* Networks of routers that were held out up to revision 4 of the model, drawn by router_draw with a
 * seed of their own (17203) and simulated by fit_points, in the order in which they were
 * finished. */
#include "design_router.h"

const router_network router_held_out[] = {
    {"topology: ring, radix: [21], channel_rule: wrapping, virtual_channels: 2, buffer: 8, "
     "router_delay: [0, 1, 1, 0], link_delay: 3, credit_delay: 2, input_speedup: 1, "
     "injection_channels: 1",
     "message_flits: 1, injection: bernoulli, destinations: {hot-spot: {share: 0.10, node: 16}}"},
    {"topology: mesh, radix: [9, 3], virtual_channels: 3, buffer: 1, router_delay: [1, 1, 1, 1], "
     "link_delay: 2, credit_delay: 2",
     "message_flits: 2, injection: bernoulli, destinations: {random-permutation: 884}"},
    {"topology: mesh, radix: [3, 3], routing: adaptive, virtual_channels: 2, buffer: 2, "
     "router_delay: [0, 1, 1, 0], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.2}, {flits: 13, share: 0.8}], injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 5, buffer: 3, router_delay: 2, "
     "link_delay: 3, input_speedup: 1",
     "message_flits: 10"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 1, buffer: 22, router_delay: [1, 1, 1, "
     "0], credit_delay: 2, injection_channels: 1, internal_speedup: 1.25",
     "message_flits: 18, injection: bernoulli"},
    {"topology: mesh, radix: [6, 8], virtual_channels: 2, buffer: 1, router_delay: [1, 1, 1, 0], "
     "credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 5, destinations: {hot-spot: {share: 0.04, node: 37}}"},
    {"topology: torus, radix: [2, 3, 4], channel_rule: dateline, routing: o1turn, "
     "virtual_channels: 4, buffer: 3, router_delay: [1, 1, 1, 0], link_delay: 3",
     "message_flits: 2, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 9}}"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 1, buffer: 26, router_delay: [0, 0, 1, "
     "1], input_speedup: 1, injection_channels: 1, internal_speedup: 1.75",
     "message_flits: 3"},
    {"topology: mesh, radix: [5, 3], routing: adaptive, virtual_channels: 2, buffer: 7, "
     "router_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 30, injection: bernoulli"},
    {"topology: fly, arity: 5, levels: 2, virtual_channels: 7, buffer: 2, router_delay: 2, "
     "input_speedup: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: torus, radix: [2, 5], channel_rule: wrapping, virtual_channels: 2, buffer: 22, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1, switching: cut-through",
     "message_flits: 10, injection: bernoulli, destinations: {hot-spot: {share: 0.10, node: 8}}"},
    {"topology: torus, radix: [2, 8], channel_rule: dateline, virtual_channels: 4, buffer: 24, "
     "router_delay: [0, 0, 1, 1], injection_channels: 1, switching: cut-through",
     "message_mix: [{flits: 2, share: 0.7}, {flits: 24, share: 0.3}], destinations: tornado"},
    {"topology: ring, radix: [19], channel_rule: dateline, virtual_channels: 4, buffer: 1, "
     "router_delay: [1, 1, 1, 1], credit_delay: 2, injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 1, memory_reply: 4}]"},
    {"topology: fly, arity: 3, levels: 3, virtual_channels: 6, buffer: 3, router_delay: 3, "
     "injection_channels: 1",
     "message_flits: 4"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 2, buffer: 1, router_delay: 3, "
     "link_delay: 4, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 2, share: 0.5}], injection: bernoulli"},
    {"topology: mesh, radix: [3, 4, 2], routing: o1turn, virtual_channels: 2, buffer: 9, "
     "router_delay: [0, 1, 1, 0]",
     "message_flits: 25, injection: {on-off: {on: 30, off: 120}}"},
    {"topology: mesh, radix: [3, 7], virtual_channels: 1, buffer: 2, router_delay: [1, 1, 1, 1]",
     "message_mix: [{flits: 4, share: 0.7}, {flits: 5, share: 0.3}]"},
    {"topology: torus, radix: [7, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 16, "
     "router_delay: [0, 0, 1, 1], credit_delay: 2, injection_channels: 1",
     "message_flits: 21, destinations: {hot-spot: {share: 0.04, node: 16}}"},
    {"topology: torus, radix: [4, 2, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 13, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, credit_delay: 2, injection_channels: 1, "
     "switching: cut-through",
     "message_flits: 12, injection: bernoulli"},
    {"topology: torus, radix: [2, 3, 4], channel_rule: dateline, virtual_channels: 6, buffer: 23, "
     "router_delay: 2, link_delay: 2, credit_delay: 1, input_speedup: 1",
     "message_flits: 14"},
    {"topology: hyperx, shape: [3, 4], concentration: 4, routing: valiant, virtual_channels: 2, "
     "buffer: 11, router_delay: [0, 1, 1, 1], input_speedup: 1",
     "message_flits: 20, injection: bernoulli"},
    {"topology: torus, radix: [5, 7], channel_rule: dateline, virtual_channels: 6, buffer: 8, "
     "router_delay: 2, injection_channels: 1",
     "message_flits: 1"},
    {"topology: torus, radix: [9, 5], channel_rule: wrapping, routing: valiant, virtual_channels: "
     "4, buffer: 21, router_delay: [1, 1, 1, 0], link_delay: 2, input_speedup: 1, "
     "injection_channels: 1",
     "message_flits: 1"},
    {"topology: mesh, radix: [9, 5], virtual_channels: 6, buffer: 11, router_delay: 2, "
     "credit_delay: 1, input_speedup: 1, internal_speedup: 1.5",
     "requests: [{share: 1, flits: 1, reply_flits: 4, memory_reply: 30}], destinations: "
     "{random-permutation: 171}"},
    {"topology: mesh, radix: [9, 5], virtual_channels: 3, buffer: 8, router_delay: 2, "
     "credit_delay: 2, input_speedup: 1",
     "message_mix: [{flits: 1, share: 0.3}, {flits: 3, share: 0.7}]"},
    {"topology: ring, radix: [8], channel_rule: dateline, virtual_channels: 2, buffer: 11, "
     "router_delay: 1, link_delay: 3, input_speedup: 1",
     "message_flits: 12"},
    {"topology: mesh, radix: [2, 3, 3], virtual_channels: 1, buffer: 2, router_delay: [0, 1, 1, "
     "1], link_delay: 4, input_speedup: 1, injection_channels: 1, switching: cut-through",
     "message_flits: 2, injection: bernoulli"},
    {"topology: torus, radix: [8, 7], channel_rule: wrapping, routing: valiant, virtual_channels: "
     "4, buffer: 22, router_delay: 1, link_delay: 4, credit_delay: 2, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.2}, {flits: 17, share: 0.8}]"},
    {"topology: fat-tree, arity: 4, levels: 3, routing: destination, virtual_channels: 4, buffer: "
     "1, router_delay: [1, 1, 1, 1], injection_channels: 1",
     "requests: [{share: 1, flits: 5, reply_flits: 1, memory_reply: 30}], injection: bernoulli, "
     "destinations: shuffle"},
    {"topology: fat-tree, arity: 5, levels: 2, routing: random, virtual_channels: 3, buffer: 22, "
     "router_delay: [0, 1, 1, 0], switching: cut-through",
     "message_flits: 1, destinations: neighbour"},
    {"topology: fat-tree, arity: 2, levels: 5, routing: random, virtual_channels: 2, buffer: 7, "
     "router_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 16, injection: bernoulli, destinations: shuffle"},
    {"topology: dragonfly, hosts: 2, routers: 4, global_links: 2, routing: minimal, "
     "virtual_channels: 2, buffer: 1, router_delay: [1, 1, 1, 1], link_delay: 4, credit_delay: 1, "
     "input_speedup: 1",
     "message_flits: 2"},
    {"topology: hypercube, dimensions: 3, routing: valiant, virtual_channels: 4, buffer: 2, "
     "router_delay: [1, 1, 1, 1], credit_delay: 2, switching: cut-through, internal_speedup: 1.75",
     "message_flits: 1, injection: bernoulli, destinations: {near-neighbour: 0.2}"},
    {"topology: fly, arity: 2, levels: 5, extra_stages: 1, routing: adaptive, virtual_channels: 2, "
     "buffer: 1, router_delay: [0, 1, 1, 1], link_delay: 3, credit_delay: 1, input_speedup: 1",
     "message_flits: 18, injection: bernoulli, destinations: neighbour"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 3, router_delay: 1, "
     "link_delay: 4",
     "message_mix: [{flits: 4, share: 0.9}, {flits: 32, share: 0.1}]"},
    {"topology: hypercube, dimensions: 4, routing: adaptive, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 4, share: 0.5}]"},
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 1, buffer: 18, router_delay: [1, 1, 1, "
     "1], link_delay: 3, injection_channels: 1, switching: cut-through",
     "message_flits: 18, destinations: {random-permutation: 69}"},
    {"topology: ring, radix: [12], channel_rule: wrapping, virtual_channels: 8, buffer: 1, "
     "router_delay: 1, credit_delay: 2, input_speedup: 1, internal_speedup: 2",
     "message_flits: 4, destinations: {random-permutation: 410}"},
    {"topology: mesh, radix: [7, 7], virtual_channels: 7, buffer: 14, router_delay: 2",
     "message_flits: 32"},
    {"topology: torus, radix: [6, 2], channel_rule: wrapping, virtual_channels: 2, buffer: 22, "
     "router_delay: [0, 0, 1, 1], link_delay: 2, credit_delay: 2",
     "message_flits: 26, injection: bernoulli"},
    {"topology: fat-tree, arity: 6, levels: 2, routing: random, virtual_channels: 5, buffer: 6, "
     "router_delay: 2, credit_delay: 1, internal_speedup: 1.5",
     "message_flits: 1, destinations: bit-complement"},
    {"topology: ring, radix: [11], channel_rule: wrapping, virtual_channels: 6, buffer: 6, "
     "router_delay: [0, 0, 1, 1]",
     "message_flits: 3, injection: bernoulli"},
    {"topology: fat-tree, arity: 4, levels: 2, routing: random, virtual_channels: 5, buffer: 2, "
     "router_delay: [0, 0, 1, 1], link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.2}, {flits: 22, share: 0.8}]"},
    {"topology: ring, radix: [16], channel_rule: wrapping, virtual_channels: 4, buffer: 9, "
     "router_delay: [0, 0, 1, 1], link_delay: 4, credit_delay: 2",
     "message_flits: 3, injection: bernoulli, destinations: transpose"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 28, router_delay: 2, "
     "link_delay: 2, injection_channels: 1",
     "message_flits: 2, destinations: {random-permutation: 41}"},
    {"topology: mesh, radix: [7, 6], virtual_channels: 1, buffer: 5, router_delay: 1, link_delay: "
     "4, credit_delay: 2, injection_channels: 1",
     "message_flits: 6"},
    {"topology: torus, radix: [9, 6], channel_rule: dateline, virtual_channels: 2, buffer: 4, "
     "router_delay: 3, link_delay: 4, injection_channels: 1, internal_speedup: 2",
     "message_flits: 6, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 3, buffer: 2, router_delay: [1, 1, 1, "
     "1], input_speedup: 1, internal_speedup: 1.25",
     "message_flits: 16, injection: bernoulli"},
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 2, buffer: 18, router_delay: [1, 1, 1, "
     "0], injection_channels: 1",
     "requests: [{share: 1, flits: 3, reply_flits: 2, memory_reply: 30}]"},
    {"topology: fat-tree, arity: 4, levels: 3, routing: random, virtual_channels: 2, buffer: 3, "
     "router_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 14, injection: bernoulli, destinations: {random-permutation: 396}"},
    {"topology: fly, arity: 6, levels: 2, extra_stages: 1, routing: adaptive, virtual_channels: 1, "
     "buffer: 17, router_delay: [1, 1, 1, 0]",
     "message_flits: 1"},
    {"topology: torus, radix: [4, 8], channel_rule: dateline, virtual_channels: 2, buffer: 6, "
     "router_delay: [0, 1, 1, 0], input_speedup: 1",
     "message_flits: 9, injection: bernoulli"},
    {"topology: fat-tree, arity: 5, levels: 2, routing: random, virtual_channels: 1, buffer: 22, "
     "router_delay: 2, credit_delay: 1, input_speedup: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: fat-tree, arity: 3, levels: 2, routing: random, virtual_channels: 1, buffer: 2, "
     "router_delay: 2, credit_delay: 2, input_speedup: 1",
     "message_flits: 5, injection: bernoulli"},
    {"topology: fly, arity: 4, levels: 3, virtual_channels: 8, buffer: 1, router_delay: [1, 1, 1, "
     "1], link_delay: 2, injection_channels: 1",
     "message_flits: 4, injection: bernoulli"},
    {"topology: torus, radix: [2, 4, 4], channel_rule: dateline, routing: adaptive, "
     "virtual_channels: 4, buffer: 6, router_delay: 3, input_speedup: 1, injection_channels: 1, "
     "internal_speedup: 1.75",
     "message_flits: 32, destinations: {random-permutation: 378}"},
    {"topology: torus, radix: [4, 5], channel_rule: wrapping, routing: adaptive, virtual_channels: "
     "8, buffer: 5, router_delay: [0, 0, 1, 1], link_delay: 4, credit_delay: 2",
     "message_mix: [{flits: 1, share: 0.1}, {flits: 28, share: 0.9}], injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 3, buffer: 1, router_delay: [1, 1, 1, "
     "1], credit_delay: 2",
     "message_flits: 13"},
    {"topology: hyperx, shape: [5, 5], concentration: 2, routing: minimal, virtual_channels: 4, "
     "buffer: 2, router_delay: [0, 1, 1, 1], link_delay: 3, credit_delay: 2, input_speedup: 1, "
     "injection_channels: 1",
     "message_flits: 7"},
    {"topology: torus, radix: [2, 2, 4], channel_rule: wrapping, virtual_channels: 8, buffer: 27, "
     "router_delay: 2, credit_delay: 1, switching: cut-through",
     "message_flits: 27, destinations: {near-neighbour: 0.5}"},
    {"topology: mesh, radix: [9, 3], virtual_channels: 1, buffer: 1, router_delay: [1, 1, 1, 1], "
     "link_delay: 2, input_speedup: 1",
     "message_flits: 26, injection: bernoulli"},
    {"topology: ring, radix: [10], channel_rule: dateline, virtual_channels: 2, buffer: 2, "
     "router_delay: 2, credit_delay: 2",
     "message_flits: 6, injection: bernoulli"},
    {"topology: mesh, radix: [2, 4, 4], virtual_channels: 1, buffer: 2, router_delay: [0, 1, 1, "
     "1], link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 21"},
    {"topology: torus, radix: [9, 3], channel_rule: dateline, routing: adaptive, virtual_channels: "
     "8, buffer: 8, router_delay: [0, 1, 1, 0], link_delay: 4, injection_channels: 1",
     "message_flits: 1"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 1, buffer: 6, router_delay: [0, 1, 1, "
     "1], link_delay: 4, credit_delay: 1, injection_channels: 1",
     "message_flits: 1, destinations: {near-neighbour: 0.2}"},
    {"topology: torus, radix: [2, 3, 4], channel_rule: dateline, virtual_channels: 6, buffer: 3, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 2, destinations: {hot-spot: {share: 0.02, node: 22}}"},
    {"topology: mesh, radix: [9, 8], virtual_channels: 3, buffer: 4, router_delay: [1, 1, 1, 1], "
     "link_delay: 4, credit_delay: 2",
     "message_flits: 7, injection: bernoulli, destinations: {near-neighbour: 0.2}"},
    {"topology: mesh, radix: [8, 7], virtual_channels: 7, buffer: 2, router_delay: 2, link_delay: "
     "4, input_speedup: 1, injection_channels: 1, internal_speedup: 1.25",
     "message_flits: 19, injection: bernoulli, destinations: {near-neighbour: 0.2}"},
    {"topology: fat-tree, arity: 3, levels: 2, routing: adaptive, virtual_channels: 3, buffer: 5, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.3}, {flits: 7, share: 0.7}], destinations: "
     "{random-permutation: 420}"},
    {"topology: torus, radix: [2, 3, 3], channel_rule: dateline, routing: valiant, "
     "virtual_channels: 4, buffer: 26, router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 1, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 8}}"},
    {"topology: mesh, radix: [5, 9], virtual_channels: 2, buffer: 6, router_delay: 3, "
     "injection_channels: 1",
     "message_flits: 2, injection: bernoulli"},
    {"topology: fly, arity: 5, levels: 2, virtual_channels: 1, buffer: 5, router_delay: [0, 1, 1, "
     "0], credit_delay: 2, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.5}, {flits: 10, share: 0.5}], destinations: {hot-spot: "
     "{share: 0.10, node: 19}}"},
    {"topology: ring, radix: [10], channel_rule: dateline, virtual_channels: 8, buffer: 3, "
     "router_delay: [1, 1, 1, 1], credit_delay: 2, input_speedup: 1, internal_speedup: 1.25",
     "message_flits: 13, injection: bernoulli, destinations: {random-permutation: 179}"},
    {"topology: hypercube, dimensions: 3, routing: o1turn, virtual_channels: 2, buffer: 3, "
     "router_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 25, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: fat-tree, arity: 5, levels: 2, routing: destination, virtual_channels: 7, buffer: "
     "2, router_delay: [0, 1, 1, 0], input_speedup: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: mesh, radix: [7, 2], virtual_channels: 1, buffer: 18, router_delay: [1, 1, 1, 0], "
     "credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 9, injection: bernoulli"},
    {"topology: torus, radix: [4, 6], channel_rule: wrapping, virtual_channels: 2, buffer: 6, "
     "router_delay: [0, 0, 1, 1]",
     "message_flits: 2, injection: bernoulli"},
    {"topology: mesh, radix: [8, 2], virtual_channels: 1, buffer: 1, router_delay: [1, 1, 1, 1], "
     "credit_delay: 1",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 14, share: 0.4}]"},
    {"topology: fly, arity: 2, levels: 4, virtual_channels: 6, buffer: 23, router_delay: [0, 1, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.8}, {flits: 2, share: 0.2}], injection: bernoulli, "
     "destinations: shuffle"},
    {"topology: mesh, radix: [4, 2, 3], routing: o1turn, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 1, destinations: {hot-spot: {share: 0.08, node: 0}}"},
    {"topology: torus, radix: [4, 7], channel_rule: wrapping, virtual_channels: 2, buffer: 2, "
     "router_delay: 2, credit_delay: 2, internal_speedup: 1.75",
     "message_flits: 1, injection: bernoulli, destinations: {random-permutation: 199}"},
    {"topology: mesh, radix: [7, 8], routing: o1turn, virtual_channels: 8, buffer: 27, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, input_speedup: 1",
     "message_flits: 28, injection: bernoulli, destinations: {random-permutation: 158}"},
    {"topology: mesh, radix: [2, 2, 2], virtual_channels: 3, buffer: 29, router_delay: [0, 0, 1, "
     "1], credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 8, injection: bernoulli, destinations: bit-complement"},
    {"topology: fly, arity: 2, levels: 4, virtual_channels: 1, buffer: 8, router_delay: 3, "
     "credit_delay: 2, input_speedup: 1",
     "message_flits: 17, injection: bernoulli, destinations: {random-permutation: 48}"},
    {"topology: ring, radix: [22], channel_rule: dateline, virtual_channels: 6, buffer: 2, "
     "router_delay: [0, 1, 1, 0], link_delay: 3, input_speedup: 1",
     "message_flits: 11, destinations: {random-permutation: 171}"},
    {"topology: mesh, radix: [5, 7], routing: valiant, virtual_channels: 2, buffer: 4, "
     "router_delay: 3, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: fly, arity: 6, levels: 2, virtual_channels: 4, buffer: 27, router_delay: [0, 0, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.4}, {flits: 13, share: 0.6}]"},
    {"topology: fly, arity: 4, levels: 3, virtual_channels: 2, buffer: 5, router_delay: [0, 1, 1, "
     "0], credit_delay: 1, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 11, share: 0.4}], injection: bernoulli"},
    {"topology: torus, radix: [3, 7], channel_rule: dateline, virtual_channels: 2, buffer: 31, "
     "router_delay: 1, link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 20, destinations: {hot-spot: {share: 0.10, node: 7}}"},
    {"topology: mesh, radix: [2, 3, 3], concentration: 3, virtual_channels: 2, buffer: 25, "
     "router_delay: 1, link_delay: 2, credit_delay: 2, injection_channels: 1",
     "message_flits: 2, injection: bernoulli"},
    {"topology: mesh, radix: [2, 2, 4], routing: o1turn, virtual_channels: 8, buffer: 2, "
     "router_delay: 1, injection_channels: 1",
     "message_flits: 2, injection: bernoulli"},
    {"topology: ring, radix: [17], channel_rule: wrapping, virtual_channels: 6, buffer: 9, "
     "router_delay: 2, injection_channels: 1",
     "message_flits: 9, injection: bernoulli, destinations: tornado"},
    {"topology: hypercube, dimensions: 4, routing: o1turn, virtual_channels: 6, buffer: 5, "
     "router_delay: [1, 1, 1, 0], link_delay: 2, input_speedup: 1",
     "message_flits: 2"},
    {"topology: ring, radix: [15], channel_rule: wrapping, virtual_channels: 4, buffer: 4, "
     "router_delay: [1, 1, 1, 0], link_delay: 2, injection_channels: 1",
     "message_flits: 6"},
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 1, buffer: 20, router_delay: [1, 1, 1, "
     "1], link_delay: 2, input_speedup: 1",
     "message_flits: 25"},
    {"topology: torus, radix: [3, 4], channel_rule: wrapping, virtual_channels: 8, buffer: 22, "
     "router_delay: [1, 1, 1, 0], link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 21, injection: bernoulli"},
    {"topology: fly, arity: 4, levels: 3, virtual_channels: 1, buffer: 5, router_delay: [0, 1, 1, "
     "0], link_delay: 2, injection_channels: 1",
     "message_flits: 16, destinations: {random-permutation: 50}"},
    {"topology: torus, radix: [2, 8], channel_rule: wrapping, virtual_channels: 8, buffer: 2, "
     "router_delay: [1, 1, 1, 0], link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 9"},
    {"topology: torus, radix: [4, 4, 2], channel_rule: dateline, virtual_channels: 2, buffer: 14, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 5"},
    {"topology: fly, arity: 3, levels: 3, extra_stages: 1, virtual_channels: 1, buffer: 22, "
     "router_delay: 1",
     "message_flits: 13, injection: bernoulli"},
    {"topology: dragonfly, hosts: 2, routers: 4, global_links: 1, routing: minimal, "
     "virtual_channels: 4, buffer: 3, router_delay: [1, 1, 1, 1], link_delay: 2, credit_delay: 1",
     "message_flits: 2"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 2, buffer: 21, router_delay: [1, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 19, injection: bernoulli"},
    {"topology: fat-tree, arity: 5, levels: 2, routing: random, virtual_channels: 7, buffer: 1, "
     "router_delay: 1, link_delay: 4, injection_channels: 1",
     "message_flits: 18"},
    {"topology: mesh, radix: [3, 5], concentration: 3, virtual_channels: 4, buffer: 23, "
     "router_delay: [0, 1, 1, 0], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 13, share: 0.4}], destinations: neighbour"},
    {"topology: ring, radix: [8], channel_rule: dateline, virtual_channels: 2, buffer: 2, "
     "router_delay: [1, 1, 1, 0], input_speedup: 1",
     "message_flits: 29, injection: {on-off: {on: 80, off: 60}}"},
    {"topology: hypercube, dimensions: 3, routing: adaptive, virtual_channels: 4, buffer: 26, "
     "router_delay: [0, 0, 1, 1]",
     "message_flits: 23, injection: bernoulli, destinations: {random-permutation: 52}"},
    {"topology: mesh, radix: [9, 3], virtual_channels: 2, buffer: 2, router_delay: [1, 1, 1, 0], "
     "link_delay: 2, switching: cut-through",
     "message_mix: [{flits: 1, share: 0.7}, {flits: 2, share: 0.3}], destinations: {hot-spot: "
     "{share: 0.04, node: 4}}"},
    {"topology: torus, radix: [2, 5], channel_rule: wrapping, routing: o1turn, virtual_channels: "
     "4, buffer: 6, router_delay: [1, 1, 1, 1], link_delay: 2, injection_channels: 1",
     "message_flits: 5, destinations: {random-permutation: 234}"},
    {"topology: mesh, radix: [7, 6], routing: o1turn, virtual_channels: 2, buffer: 6, "
     "router_delay: [1, 1, 1, 0]",
     "message_mix: [{flits: 1, share: 0.2}, {flits: 3, share: 0.8}]"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 4, buffer: 8, router_delay: 2",
     "message_flits: 1"},
    {"topology: mesh, radix: [3, 3, 3], virtual_channels: 7, buffer: 4, router_delay: [1, 1, 1, "
     "1], credit_delay: 2, injection_channels: 1",
     "message_flits: 6, injection: bernoulli, destinations: {near-neighbour: 0.3}"},
    {"topology: fly, arity: 6, levels: 2, virtual_channels: 1, buffer: 1, router_delay: 1, "
     "link_delay: 4, credit_delay: 1",
     "message_mix: [{flits: 1, share: 0.7}, {flits: 11, share: 0.3}], destinations: {hot-spot: "
     "{share: 0.08, node: 17}}"},
    {"topology: mesh, radix: [7, 4], virtual_channels: 2, buffer: 2, router_delay: 2, "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 4, destinations: bit-complement"},
    {"topology: mesh, radix: [4, 2, 3], virtual_channels: 6, buffer: 9, router_delay: [1, 1, 1, "
     "1], link_delay: 4, credit_delay: 1",
     "requests: [{share: 1, flits: 2, reply_flits: 8, memory_reply: 30}], destinations: {hot-spot: "
     "{share: 0.02, node: 17}}"},
    {"topology: mesh, radix: [2, 4, 2], virtual_channels: 1, buffer: 5, router_delay: [1, 1, 1, 1]",
     "message_flits: 9, injection: bernoulli"},
    {"topology: ring, radix: [11], channel_rule: wrapping, virtual_channels: 6, buffer: 6, "
     "router_delay: 2, credit_delay: 2, input_speedup: 1",
     "message_flits: 5, injection: bernoulli"},
    {"topology: torus, radix: [3, 9], channel_rule: wrapping, routing: o1turn, virtual_channels: "
     "4, buffer: 2, router_delay: [1, 1, 1, 1], link_delay: 2, credit_delay: 1, input_speedup: 1, "
     "injection_channels: 1",
     "message_flits: 23, destinations: {hot-spot: {share: 0.06, node: 7}}"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 2, buffer: 16, router_delay: [0, 1, 1, "
     "0], input_speedup: 1",
     "requests: [{share: 1, flits: 1, reply_flits: 2, memory_reply: 4}], injection: bernoulli"},
    {"topology: fly, arity: 3, levels: 2, virtual_channels: 5, buffer: 13, router_delay: 2, "
     "credit_delay: 1, input_speedup: 1",
     "message_flits: 1, injection: bernoulli, destinations: {random-permutation: 606}"},
    {"topology: ring, radix: [19], channel_rule: wrapping, virtual_channels: 4, buffer: 14, "
     "router_delay: [1, 1, 1, 1], link_delay: 4",
     "message_flits: 6, destinations: neighbour"},
    {"topology: mesh, radix: [6, 6], virtual_channels: 2, buffer: 6, router_delay: 2, link_delay: "
     "4, credit_delay: 2",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 3, share: 0.4}], injection: bernoulli"},
    {"topology: dragonfly, hosts: 2, routers: 2, global_links: 2, routing: minimal, "
     "virtual_channels: 4, buffer: 29, router_delay: [1, 1, 1, 1], input_speedup: 1, switching: "
     "cut-through",
     "message_flits: 4, injection: bernoulli"},
    {"topology: torus, radix: [2, 3, 4], channel_rule: dateline, virtual_channels: 6, buffer: 25, "
     "router_delay: 3, link_delay: 4, credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 4, injection: bernoulli"},
    {"topology: mesh, radix: [2, 2, 2], virtual_channels: 2, buffer: 22, router_delay: [0, 0, 1, "
     "1], credit_delay: 1, switching: cut-through",
     "message_flits: 22"},
    {"topology: fly, arity: 2, levels: 4, virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, "
     "1], injection_channels: 1, switching: cut-through",
     "message_mix: [{flits: 1, share: 0.1}, {flits: 3, share: 0.9}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.06, node: 0}}"},
    {"topology: torus, radix: [6, 8], channel_rule: dateline, virtual_channels: 6, buffer: 9, "
     "router_delay: 2, link_delay: 4, input_speedup: 1",
     "message_flits: 3, destinations: {hot-spot: {share: 0.02, node: 15}}"},
    {"topology: mesh, radix: [5, 6], routing: o1turn, virtual_channels: 4, buffer: 2, "
     "router_delay: [0, 0, 1, 1], injection_channels: 1",
     "message_flits: 19, destinations: bit-complement"},
    {"topology: mesh, radix: [3, 3, 4], virtual_channels: 2, buffer: 21, router_delay: 3",
     "message_mix: [{flits: 3, share: 0.8}, {flits: 4, share: 0.2}], injection: bernoulli"},
    {"topology: torus, radix: [4, 2, 4], channel_rule: dateline, routing: valiant, "
     "virtual_channels: 8, buffer: 11, router_delay: [0, 0, 1, 1], injection_channels: 1, "
     "switching: cut-through",
     "message_flits: 10"},
    {"topology: ring, radix: [22], channel_rule: dateline, virtual_channels: 2, buffer: 8, "
     "router_delay: [0, 0, 1, 1]",
     "message_flits: 1, destinations: {hot-spot: {share: 0.04, node: 6}}"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 2, buffer: 4, router_delay: 1, "
     "input_speedup: 1",
     "message_mix: [{flits: 2, share: 0.5}, {flits: 16, share: 0.5}], injection: bernoulli, "
     "destinations: {near-neighbour: 0.3}"},
    {"topology: ring, radix: [13], channel_rule: wrapping, virtual_channels: 8, buffer: 25, "
     "router_delay: [1, 1, 1, 0], credit_delay: 2",
     "message_flits: 15, injection: bernoulli"},
    {"topology: torus, radix: [6, 2], channel_rule: dateline, virtual_channels: 2, buffer: 1, "
     "router_delay: 1, credit_delay: 1, input_speedup: 1",
     "message_flits: 1"},
    {"topology: mesh, radix: [4, 4, 2], virtual_channels: 6, buffer: 1, router_delay: [1, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 11, injection: {on-off: {on: 80, off: 300}}"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 13, router_delay: 3, "
     "link_delay: 2, internal_speedup: 2",
     "message_flits: 4"},
    {"topology: ring, radix: [23], channel_rule: wrapping, virtual_channels: 4, buffer: 29, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, injection_channels: 1",
     "message_flits: 1"},
    {"topology: torus, radix: [5, 6], channel_rule: wrapping, routing: o1turn, virtual_channels: "
     "4, buffer: 7, router_delay: [1, 1, 1, 1], credit_delay: 1, input_speedup: 1, "
     "injection_channels: 1, switching: cut-through",
     "message_flits: 5, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 6, buffer: 28, router_delay: [1, 1, 1, "
     "1]",
     "message_flits: 3"},
    {"topology: fly, arity: 2, levels: 3, extra_stages: 1, virtual_channels: 8, buffer: 6, "
     "router_delay: [0, 1, 1, 0], link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 1"},
    {"topology: hyperx, shape: [2, 3], concentration: 4, routing: minimal, virtual_channels: 4, "
     "buffer: 5, router_delay: 2, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 7, injection: bernoulli"},
    {"topology: mesh, radix: [3, 4, 3], virtual_channels: 4, buffer: 2, router_delay: [0, 1, 1, 0]",
     "message_flits: 9"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: random, virtual_channels: 2, buffer: 7, "
     "router_delay: [1, 1, 1, 1]",
     "message_mix: [{flits: 1, share: 0.7}, {flits: 8, share: 0.3}], injection: bernoulli"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 4, buffer: 26, router_delay: [0, 0, 1, "
     "1], credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.9}, {flits: 8, share: 0.1}], injection: {on-off: {on: 90, "
     "off: 40}}, destinations: {hot-spot: {share: 0.08, node: 22}}"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 7, buffer: 14, router_delay: 1, "
     "credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.3}, {flits: 4, share: 0.7}], destinations: "
     "{near-neighbour: 0.5}"},
    {"topology: torus, radix: [5, 9], channel_rule: dateline, virtual_channels: 2, buffer: 30, "
     "router_delay: 3, credit_delay: 1, switching: cut-through",
     "message_flits: 30, injection: bernoulli, destinations: {near-neighbour: 0.4}"},
    {"topology: mesh, radix: [7, 7], routing: o1turn, virtual_channels: 8, buffer: 19, "
     "router_delay: [1, 1, 1, 0], credit_delay: 1, injection_channels: 1, switching: cut-through",
     "message_flits: 1, injection: bernoulli"},
    {"topology: torus, radix: [4, 3, 4], channel_rule: dateline, virtual_channels: 2, buffer: 3, "
     "router_delay: [0, 1, 1, 0], link_delay: 4, credit_delay: 2, input_speedup: 1, switching: "
     "cut-through",
     "message_flits: 3, injection: bernoulli, destinations: {near-neighbour: 0.2}"},
    {"topology: mesh, radix: [9, 8], virtual_channels: 7, buffer: 11, router_delay: [1, 1, 1, 1], "
     "link_delay: 4, credit_delay: 2",
     "message_flits: 5"},
    {"topology: mesh, radix: [5, 9], routing: adaptive, virtual_channels: 6, buffer: 4, "
     "router_delay: 3, link_delay: 3, credit_delay: 2, injection_channels: 1, switching: "
     "cut-through",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 3, share: 0.4}]"},
    {"topology: mesh, radix: [7, 9], routing: adaptive, virtual_channels: 6, buffer: 5, "
     "router_delay: [1, 1, 1, 1]",
     "message_mix: [{flits: 1, share: 0.8}, {flits: 9, share: 0.2}], injection: bernoulli"},
    {NULL, NULL},
};
