/* Networks of routers that were held out from revision 2 of the model, drawn at random once: see
 * routers_design. */
#include "design_router.h"

const router_network router_seen[] = {
    {"topology: fly, arity: 4, levels: 2, virtual_channels: 4, buffer: 3, router_delay: [1, 1, 1, "
     "1], credit_delay: 2, input_speedup: 1",
     "message_flits: 9, destinations: {random-permutation: 8}"},
    {"topology: fat-tree, arity: 6, levels: 2, routing: adaptive, virtual_channels: 1, buffer: 11, "
     "router_delay: 3",
     "message_mix: [{flits: 3, share: 0.4}, {flits: 14, share: 0.6}]"},
    {"topology: mesh, radix: [4, 3, 3], virtual_channels: 4, buffer: 6, router_delay: 2, "
     "injection_channels: 1",
     "message_flits: 16, injection: bernoulli"},
    {"topology: torus, radix: [4, 3, 3], channel_rule: dateline, routing: o1turn, "
     "virtual_channels: 4, buffer: 29, router_delay: [0, 0, 1, 1], input_speedup: 1, switching: "
     "cut-through",
     "message_flits: 7, destinations: {random-permutation: 2}"},
    {"topology: fat-tree, arity: 3, levels: 2, routing: destination, virtual_channels: 6, buffer: "
     "1, router_delay: [0, 1, 1, 1], input_speedup: 1",
     "message_flits: 22"},
    {"topology: mesh, radix: [5, 6], routing: adaptive, virtual_channels: 3, buffer: 7, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 10"},
    {"topology: torus, radix: [3, 6], channel_rule: wrapping, virtual_channels: 4, buffer: 16, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, switching: cut-through",
     "message_flits: 4, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 15}}"},
    {"topology: fly, arity: 5, levels: 2, virtual_channels: 8, buffer: 31, router_delay: [1, 1, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_flits: 6"},
    {"topology: mesh, radix: [4, 2], concentration: 2, virtual_channels: 5, buffer: 13, "
     "router_delay: [0, 1, 1, 1]",
     "message_flits: 20"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 14, router_delay: 1, "
     "credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 3, buffer: 16, router_delay: 1, "
     "input_speedup: 1",
     "message_flits: 22, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 4, virtual_channels: 3, buffer: 9, router_delay: [1, 1, 1, "
     "0], input_speedup: 1",
     "message_flits: 7, injection: bernoulli"},
    {"topology: fat-tree, arity: 2, levels: 4, routing: random, virtual_channels: 4, buffer: 6, "
     "router_delay: [0, 1, 1, 1], link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.8}, {flits: 13, share: 0.2}], injection: bernoulli"},
    {"topology: mesh, radix: [2, 3, 3], routing: o1turn, virtual_channels: 3, buffer: 9, "
     "router_delay: 1, link_delay: 4, injection_channels: 1, switching: cut-through",
     "message_mix: [{flits: 2, share: 0.4}, {flits: 6, share: 0.6}], injection: bernoulli"},
    {"topology: fat-tree, arity: 5, levels: 2, routing: random, virtual_channels: 2, buffer: 19, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 30}], injection: bernoulli"},
    {"topology: fly, arity: 5, levels: 2, virtual_channels: 1, buffer: 10, router_delay: [1, 1, 1, "
     "1], link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 1, destinations: {hot-spot: {share: 0.04, node: 9}}"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 1, buffer: 11, router_delay: [0, 1, 1, "
     "1], credit_delay: 2",
     "message_mix: [{flits: 3, share: 0.4}, {flits: 4, share: 0.6}]"},
    {"topology: torus, radix: [7, 5], channel_rule: wrapping, virtual_channels: 6, buffer: 1, "
     "router_delay: [0, 0, 1, 1], link_delay: 3, credit_delay: 2, input_speedup: 1",
     "message_mix: [{flits: 4, share: 0.6}, {flits: 10, share: 0.4}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.04, node: 18}}"},
    {"topology: fly, arity: 6, levels: 2, extra_stages: 1, virtual_channels: 1, buffer: 14, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 8, destinations: {hot-spot: {share: 0.04, node: 17}}"},
    {"topology: fat-tree, arity: 3, levels: 2, routing: random, virtual_channels: 8, buffer: 26, "
     "router_delay: [1, 1, 1, 0], link_delay: 4, injection_channels: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: ring, radix: [20], channel_rule: wrapping, virtual_channels: 8, buffer: 23, "
     "router_delay: [0, 0, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.2}, {flits: 22, share: 0.8}], injection: {on-off: {on: 10, "
     "off: 20}}, destinations: neighbour"},
    {"topology: mesh, radix: [3, 2, 4], virtual_channels: 4, buffer: 10, router_delay: [0, 1, 1, "
     "1], credit_delay: 2",
     "message_flits: 1, injection: bernoulli"},
    {"topology: mesh, radix: [7, 5], virtual_channels: 2, buffer: 1, router_delay: 1, "
     "credit_delay: 2",
     "message_mix: [{flits: 4, share: 0.4}, {flits: 7, share: 0.6}], injection: bernoulli, "
     "destinations: tornado"},
    {"topology: torus, radix: [3, 7], channel_rule: wrapping, routing: o1turn, virtual_channels: "
     "8, buffer: 1, router_delay: [1, 1, 1, 1]",
     "requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 10}], injection: bernoulli, "
     "destinations: bit-complement"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 3, buffer: 4, router_delay: 1, "
     "link_delay: 4",
     "message_flits: 2, destinations: shuffle"},
    {"topology: torus, radix: [3, 8], channel_rule: dateline, virtual_channels: 4, buffer: 4, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.4}, {flits: 9, share: 0.6}]"},
    {"topology: fat-tree, arity: 6, levels: 2, routing: random, virtual_channels: 2, buffer: 8, "
     "router_delay: 1, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 10}]"},
    {"topology: ring, radix: [13], channel_rule: dateline, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 3"},
    {"topology: mesh, radix: [8, 2], virtual_channels: 5, buffer: 21, router_delay: [1, 1, 1, 1], "
     "credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 4, destinations: {hot-spot: {share: 0.02, node: 13}}"},
    {"topology: mesh, radix: [2, 4, 4], virtual_channels: 8, buffer: 2, router_delay: 2, "
     "input_speedup: 1",
     "message_flits: 15, destinations: {hot-spot: {share: 0.06, node: 26}}"},
    {"topology: mesh, radix: [3, 3], virtual_channels: 8, buffer: 1, router_delay: [1, 1, 1, 1], "
     "link_delay: 2",
     "message_mix: [{flits: 2, share: 0.2}, {flits: 17, share: 0.8}]"},
    {"topology: fly, arity: 2, levels: 5, virtual_channels: 2, buffer: 13, router_delay: [0, 0, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.5}, {flits: 5, share: 0.5}], injection: bernoulli, "
     "destinations: {random-permutation: 8}"},
    {"topology: mesh, radix: [3, 5], virtual_channels: 5, buffer: 12, router_delay: [0, 1, 1, 1], "
     "injection_channels: 1",
     "requests: [{share: 1, flits: 4, reply_flits: 4, memory_reply: 4}], injection: {on-off: {on: "
     "20, off: 20}}"},
    {"topology: mesh, radix: [2, 4, 3], virtual_channels: 1, buffer: 1, router_delay: 3, "
     "link_delay: 2, credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 8"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 4, router_delay: [1, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 6, injection: bernoulli"},
    {"topology: ring, radix: [18], channel_rule: wrapping, virtual_channels: 2, buffer: 20, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.6}, {flits: 8, share: 0.4}]"},
    {"topology: fat-tree, arity: 3, levels: 3, routing: destination, virtual_channels: 2, buffer: "
     "5, router_delay: 2",
     "message_flits: 10, injection: bernoulli"},
    {"topology: mesh, radix: [2, 4, 4], virtual_channels: 4, buffer: 1, router_delay: 2, "
     "input_speedup: 1",
     "message_flits: 14, injection: bernoulli, destinations: tornado"},
    {"topology: mesh, radix: [2, 6], concentration: 3, routing: o1turn, virtual_channels: 4, "
     "buffer: 5, router_delay: [1, 1, 1, 1], link_delay: 3",
     "message_flits: 11, injection: bernoulli, destinations: neighbour"},
    {"topology: mesh, radix: [4, 6], virtual_channels: 2, buffer: 2, router_delay: 1, link_delay: "
     "3, credit_delay: 1",
     "message_flits: 3"},
    {"topology: fly, arity: 6, levels: 2, virtual_channels: 4, buffer: 3, router_delay: [1, 1, 1, "
     "1], link_delay: 3",
     "message_flits: 9, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 5, extra_stages: 1, virtual_channels: 2, buffer: 1, "
     "router_delay: 1, link_delay: 4, injection_channels: 1",
     "message_flits: 1, destinations: {random-permutation: 5}"},
    {"topology: hypercube, dimensions: 3, routing: o1turn, virtual_channels: 4, buffer: 12, "
     "router_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 1"},
    {"topology: ring, radix: [9], channel_rule: dateline, virtual_channels: 2, buffer: 2, "
     "router_delay: 2, injection_channels: 1",
     "message_flits: 12, injection: bernoulli"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 23, router_delay: 2, "
     "injection_channels: 1, switching: cut-through",
     "message_mix: [{flits: 2, share: 0.4}, {flits: 7, share: 0.6}], destinations: "
     "{near-neighbour: 0.3}"},
    {"topology: torus, radix: [7, 3], channel_rule: dateline, virtual_channels: 6, buffer: 1, "
     "router_delay: [0, 0, 1, 1], credit_delay: 2, input_speedup: 1",
     "message_flits: 27, destinations: {random-permutation: 4}"},
    {"topology: ring, radix: [17], channel_rule: wrapping, virtual_channels: 4, buffer: 2, "
     "router_delay: 1, credit_delay: 2, input_speedup: 1",
     "message_flits: 14"},
    {"topology: fly, arity: 2, levels: 5, virtual_channels: 5, buffer: 3, router_delay: [0, 0, 1, "
     "1], input_speedup: 1",
     "message_flits: 4, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 8, buffer: 4, router_delay: [1, 1, 1, "
     "1], input_speedup: 1",
     "message_flits: 2"},
    {"topology: fly, arity: 2, levels: 4, extra_stages: 1, virtual_channels: 4, buffer: 4, "
     "router_delay: 1, injection_channels: 1",
     "message_flits: 16, destinations: neighbour"},
    {"topology: ring, radix: [22], channel_rule: dateline, virtual_channels: 6, buffer: 20, "
     "router_delay: [1, 1, 1, 1], link_delay: 3",
     "message_flits: 9, destinations: neighbour"},
    {"topology: fly, arity: 4, levels: 2, extra_stages: 1, virtual_channels: 4, buffer: 9, "
     "router_delay: [0, 1, 1, 1], link_delay: 3",
     "message_flits: 7"},
    {"topology: mesh, radix: [3, 8], virtual_channels: 2, buffer: 24, router_delay: 3, link_delay: "
     "4, input_speedup: 1, injection_channels: 1",
     "message_flits: 9, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 11}}"},
    {"topology: fat-tree, arity: 2, levels: 3, routing: destination, virtual_channels: 5, buffer: "
     "10, router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 6"},
    {"topology: fly, arity: 3, levels: 3, virtual_channels: 2, buffer: 5, router_delay: 3, "
     "credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 25, destinations: bit-complement"},
    {"topology: mesh, radix: [4, 4, 2], virtual_channels: 4, buffer: 1, router_delay: [0, 0, 1, 1]",
     "message_flits: 3, injection: bernoulli, destinations: bit-complement"},
    {"topology: ring, radix: [16], channel_rule: dateline, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 0], credit_delay: 2, input_speedup: 1",
     "message_flits: 1, destinations: {hot-spot: {share: 0.04, node: 6}}"},
    {"topology: torus, radix: [3, 6], channel_rule: dateline, virtual_channels: 6, buffer: 3, "
     "router_delay: [1, 1, 1, 1], link_delay: 4",
     "message_flits: 1"},
    {"topology: torus, radix: [5, 6], channel_rule: wrapping, virtual_channels: 4, buffer: 9, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, input_speedup: 1",
     "message_flits: 19, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 4}}"},
    {"topology: ring, radix: [24], channel_rule: wrapping, virtual_channels: 2, buffer: 4, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli, destinations: {random-permutation: 7}"},
    {"topology: mesh, radix: [5, 7], virtual_channels: 2, buffer: 7, router_delay: [1, 1, 1, 1], "
     "link_delay: 3, input_speedup: 1",
     "message_flits: 7"},
    {"topology: mesh, radix: [4, 7], routing: o1turn, virtual_channels: 8, buffer: 15, "
     "router_delay: [0, 1, 1, 0], injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.8}, {flits: 10, share: 0.2}], injection: bernoulli"},
    {"topology: torus, radix: [8, 4], channel_rule: dateline, virtual_channels: 4, buffer: 13, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 1, injection: bernoulli"},
    {"topology: torus, radix: [7, 5], channel_rule: dateline, routing: o1turn, virtual_channels: "
     "4, buffer: 14, router_delay: 1",
     "message_flits: 10, injection: bernoulli"},
    {"topology: torus, radix: [5, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 27, "
     "router_delay: [1, 1, 1, 0], injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.8}, {flits: 25, share: 0.2}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: torus, radix: [6, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 1], credit_delay: 1",
     "message_flits: 3, destinations: tornado"},
    {"topology: mesh, radix: [2, 2, 3], virtual_channels: 1, buffer: 8, router_delay: 3, "
     "credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 0}}"},
    {"topology: torus, radix: [3, 4], channel_rule: dateline, virtual_channels: 2, buffer: 13, "
     "router_delay: [0, 1, 1, 0], input_speedup: 1, injection_channels: 1",
     "message_flits: 3, destinations: bit-complement"},
    {"topology: torus, radix: [6, 4], channel_rule: wrapping, virtual_channels: 4, buffer: 4, "
     "router_delay: [0, 1, 1, 1], injection_channels: 1",
     "message_flits: 26, injection: bernoulli"},
    {"topology: mesh, radix: [2, 2, 2], virtual_channels: 2, buffer: 12, router_delay: 2, "
     "link_delay: 2, injection_channels: 1",
     "message_flits: 1"},
    {"topology: mesh, radix: [4, 2, 3], virtual_channels: 2, buffer: 11, router_delay: 2",
     "message_flits: 26, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 10}}"},
    {"topology: torus, radix: [4, 3], channel_rule: wrapping, virtual_channels: 6, buffer: 17, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, input_speedup: 1",
     "message_flits: 27, injection: bernoulli"},
    {"topology: ring, radix: [17], channel_rule: wrapping, virtual_channels: 4, buffer: 12, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 7, destinations: {hot-spot: {share: 0.02, node: 10}}"},
    {"topology: mesh, radix: [3, 4], virtual_channels: 2, buffer: 20, router_delay: [1, 1, 1, 0]",
     "message_flits: 23, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 9}}"},
    {"topology: mesh, radix: [8, 2], routing: o1turn, virtual_channels: 4, buffer: 3, "
     "router_delay: [1, 1, 1, 0], injection_channels: 1",
     "message_flits: 1, injection: bernoulli, destinations: bit-complement"},
    {"topology: ring, radix: [8], channel_rule: wrapping, virtual_channels: 8, buffer: 18, "
     "router_delay: [1, 1, 1, 1]",
     "message_mix: [{flits: 3, share: 0.8}, {flits: 19, share: 0.2}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.02, node: 7}}"},
    {"topology: torus, radix: [5, 7], channel_rule: dateline, virtual_channels: 4, buffer: 10, "
     "router_delay: [0, 1, 1, 1], link_delay: 3, credit_delay: 1, injection_channels: 1",
     "message_flits: 27"},
    {"topology: ring, radix: [14], channel_rule: dateline, virtual_channels: 4, buffer: 2, "
     "router_delay: 3",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 8, share: 0.5}], injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 2, buffer: 22, router_delay: [1, 1, 1, "
     "1], credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.6}, {flits: 9, share: 0.4}]"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 1, buffer: 16, router_delay: [1, 1, 1, "
     "1]",
     "message_flits: 9, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 31}}"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 1, buffer: 7, router_delay: 1",
     "message_flits: 4, injection: bernoulli, destinations: {hot-spot: {share: 0.04, node: 5}}"},
    {"topology: mesh, radix: [6, 2], routing: o1turn, virtual_channels: 5, buffer: 8, "
     "router_delay: 1, input_speedup: 1",
     "message_flits: 3, destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: mesh, radix: [5, 3], virtual_channels: 1, buffer: 9, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1",
     "message_flits: 3"},
    {"topology: mesh, radix: [3, 3, 4], virtual_channels: 1, buffer: 9, router_delay: 2, "
     "link_delay: 4, injection_channels: 1",
     "message_flits: 5"},
    {"topology: mesh, radix: [3, 5], concentration: 2, virtual_channels: 4, buffer: 11, "
     "router_delay: 2, credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 2"},
    {"topology: torus, radix: [3, 7], channel_rule: wrapping, virtual_channels: 2, buffer: 6, "
     "router_delay: 3, link_delay: 4",
     "message_flits: 3, destinations: {hot-spot: {share: 0.06, node: 0}}"},
    {"topology: mesh, radix: [4, 7], virtual_channels: 5, buffer: 5, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1",
     "message_flits: 4, injection: bernoulli, destinations: {hot-spot: {share: 0.04, node: 0}}"},
    {"topology: torus, radix: [6, 6], channel_rule: wrapping, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 2"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 3, buffer: 1, router_delay: [0, 1, 1, "
     "1], link_delay: 4",
     "message_flits: 22"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 3, buffer: 13, router_delay: [1, 1, 1, "
     "1], credit_delay: 1, input_speedup: 1",
     "message_flits: 9, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 17}}"},
    {"topology: torus, radix: [6, 4], channel_rule: wrapping, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 21, destinations: {hot-spot: {share: 0.06, node: 16}}"},
    {"topology: mesh, radix: [8, 2], routing: o1turn, virtual_channels: 4, buffer: 11, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "message_flits: 26"},
    {"topology: torus, radix: [8, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 22, "
     "router_delay: 3, credit_delay: 2, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.8}, {flits: 12, share: 0.2}]"},
    {"topology: torus, radix: [3, 3, 3], channel_rule: wrapping, virtual_channels: 8, buffer: 13, "
     "router_delay: [1, 1, 1, 1], credit_delay: 2",
     "message_flits: 3, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 16}}"},
    {"topology: mesh, radix: [4, 4], concentration: 2, virtual_channels: 8, buffer: 11, "
     "router_delay: [0, 1, 1, 0], injection_channels: 1",
     "message_flits: 1"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 14, router_delay: 2, "
     "link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 21, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 8, buffer: 2, router_delay: [0, 1, 1, "
     "0], injection_channels: 1",
     "message_flits: 2, destinations: {random-permutation: 3}"},
    {"topology: mesh, radix: [6, 6], virtual_channels: 8, buffer: 5, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1",
     "message_flits: 7, injection: bernoulli, destinations: {hot-spot: {share: 0.04, node: 12}}"},
    {"topology: mesh, radix: [2, 4], virtual_channels: 2, buffer: 4, router_delay: [0, 1, 1, 1], "
     "link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 2, destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: ring, radix: [9], channel_rule: dateline, virtual_channels: 4, buffer: 10, "
     "router_delay: [0, 1, 1, 0], injection_channels: 1",
     "message_flits: 1, destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: mesh, radix: [4, 7], routing: o1turn, virtual_channels: 5, buffer: 4, "
     "router_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 15, destinations: neighbour"},
    {"topology: ring, radix: [24], channel_rule: dateline, virtual_channels: 4, buffer: 13, "
     "router_delay: [0, 1, 1, 1]",
     "message_flits: 3, injection: bernoulli"},
    {"topology: mesh, radix: [8, 3], virtual_channels: 2, buffer: 20, router_delay: 3, "
     "credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 18, injection: bernoulli"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 2, buffer: 10, router_delay: [0, 1, 1, "
     "0], credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 15, share: 0.4}], injection: bernoulli"},
    {"topology: torus, radix: [6, 3], channel_rule: dateline, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 15, destinations: neighbour"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 4, buffer: 7, router_delay: 3",
     "message_mix: [{flits: 3, share: 0.5}, {flits: 16, share: 0.5}], destinations: neighbour"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 8, buffer: 1, router_delay: 3, "
     "injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.8}, {flits: 15, share: 0.2}], destinations: neighbour"},
    {"topology: torus, radix: [3, 3, 4], channel_rule: dateline, virtual_channels: 6, buffer: 4, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 8"},
    {"topology: torus, radix: [3, 7], channel_rule: dateline, virtual_channels: 2, buffer: 24, "
     "router_delay: [1, 1, 1, 1], link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 4, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 15}}"},
    {"topology: ring, radix: [18], channel_rule: wrapping, virtual_channels: 8, buffer: 26, "
     "router_delay: 2",
     "message_mix: [{flits: 2, share: 0.5}, {flits: 12, share: 0.5}], injection: bernoulli"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 4, buffer: 1, router_delay: [1, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 9, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 5}}"},
    {"topology: ring, radix: [19], channel_rule: dateline, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 2, injection: bernoulli"},
    {"topology: mesh, radix: [3, 2, 3], virtual_channels: 4, buffer: 14, router_delay: [1, 1, 1, "
     "1]",
     "message_flits: 16"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 4, buffer: 1, router_delay: [1, 1, 1, "
     "1], link_delay: 4, injection_channels: 1",
     "message_flits: 1, injection: bernoulli, destinations: {random-permutation: 6}"},
    {"topology: hypercube, dimensions: 3, routing: o1turn, virtual_channels: 4, buffer: 1, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 9, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 6, buffer: 13, router_delay: [0, 0, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.5}, {flits: 14, share: 0.5}]"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 6, buffer: 1, router_delay: [1, 1, 1, "
     "1], link_delay: 3, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: mesh, radix: [3, 4, 4], virtual_channels: 6, buffer: 5, router_delay: [1, 1, 1, "
     "1], credit_delay: 2",
     "message_flits: 15, injection: bernoulli"},
    {"topology: mesh, radix: [3, 4, 4], virtual_channels: 1, buffer: 17, router_delay: [1, 1, 1, "
     "1], link_delay: 3, credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 7"},
    {"topology: mesh, radix: [2, 5], concentration: 3, virtual_channels: 3, buffer: 31, "
     "router_delay: [0, 1, 1, 0], credit_delay: 1, injection_channels: 1",
     "message_flits: 19, injection: bernoulli, destinations: {random-permutation: 9}"},
    {"topology: mesh, radix: [4, 2, 2], concentration: 3, virtual_channels: 2, buffer: 6, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, credit_delay: 1, input_speedup: 1",
     "message_flits: 1, injection: bernoulli, destinations: shuffle"},
    {"topology: torus, radix: [3, 4], channel_rule: wrapping, virtual_channels: 6, buffer: 21, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, input_speedup: 1",
     "message_mix: [{flits: 3, share: 0.6}, {flits: 24, share: 0.4}]"},
    {"topology: torus, radix: [3, 4, 4], channel_rule: dateline, virtual_channels: 2, buffer: 4, "
     "router_delay: [0, 1, 1, 1], credit_delay: 1",
     "message_flits: 7, injection: bernoulli"},
    {"topology: mesh, radix: [3, 2], concentration: 4, virtual_channels: 6, buffer: 1, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1",
     "message_flits: 7"},
    {"topology: mesh, radix: [2, 2, 2], virtual_channels: 1, buffer: 3, router_delay: 3, "
     "credit_delay: 1",
     "message_flits: 9, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 5}}"},
    {"topology: ring, radix: [8], channel_rule: dateline, virtual_channels: 2, buffer: 1, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1",
     "message_flits: 27, injection: bernoulli"},
    {"topology: mesh, radix: [2, 2, 3], virtual_channels: 6, buffer: 22, router_delay: [0, 0, 1, "
     "1], link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 3, injection: bernoulli, destinations: {random-permutation: 9}"},
    {"topology: torus, radix: [8, 6], channel_rule: wrapping, virtual_channels: 2, buffer: 3, "
     "router_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: mesh, radix: [4, 5], virtual_channels: 4, buffer: 1, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 5, injection: bernoulli, destinations: {random-permutation: 2}"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 6, buffer: 3, router_delay: 3",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 3, share: 0.4}]"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 1, buffer: 2, router_delay: [0, 0, 1, "
     "1], credit_delay: 2, injection_channels: 1",
     "message_flits: 5"},
    {"topology: mesh, radix: [6, 8], virtual_channels: 8, buffer: 1, router_delay: [0, 1, 1, 0], "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 19, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 2, buffer: 2, router_delay: [0, 1, 1, "
     "0], link_delay: 4, input_speedup: 1",
     "message_flits: 3, destinations: {hot-spot: {share: 0.04, node: 9}}"},
    {"topology: mesh, radix: [8, 8], virtual_channels: 4, buffer: 4, router_delay: [0, 0, 1, 1], "
     "link_delay: 3, credit_delay: 1, input_speedup: 1",
     "message_flits: 1, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 50}}"},
    {"topology: ring, radix: [24], channel_rule: dateline, virtual_channels: 4, buffer: 13, "
     "router_delay: 3, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 1, destinations: tornado"},
    {"topology: mesh, radix: [6, 2], virtual_channels: 6, buffer: 4, router_delay: 3, "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 18, injection: bernoulli"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 8, buffer: 3, router_delay: [1, 1, 1, "
     "1], credit_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 2, destinations: bit-reverse"},
    {"topology: hypercube, dimensions: 3, routing: o1turn, virtual_channels: 8, buffer: 15, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "message_flits: 13"},
    {"topology: torus, radix: [6, 8], channel_rule: wrapping, virtual_channels: 4, buffer: 27, "
     "router_delay: [1, 1, 1, 1], credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.4}, {flits: 6, share: 0.6}], injection: bernoulli"},
    {"topology: mesh, radix: [7, 2], virtual_channels: 1, buffer: 2, router_delay: [0, 0, 1, 1], "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 2"},
    {"topology: mesh, radix: [2, 4, 2], virtual_channels: 4, buffer: 1, router_delay: [1, 1, 1, 1]",
     "message_flits: 2, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 9}}"},
    {"topology: mesh, radix: [3, 6], virtual_channels: 2, buffer: 4, router_delay: [1, 1, 1, 0], "
     "injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.2}, {flits: 21, share: 0.8}], injection: bernoulli"},
    {"topology: mesh, radix: [7, 4], routing: o1turn, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1], credit_delay: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: ring, radix: [17], channel_rule: wrapping, virtual_channels: 6, buffer: 3, "
     "router_delay: [0, 0, 1, 1]",
     "message_flits: 31"},
    {"topology: torus, radix: [7, 4], channel_rule: dateline, virtual_channels: 2, buffer: 1, "
     "router_delay: 3, injection_channels: 1",
     "message_flits: 4"},
    {"topology: mesh, radix: [2, 7], virtual_channels: 4, buffer: 7, router_delay: [1, 1, 1, 1], "
     "injection_channels: 1",
     "message_flits: 5"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 6, router_delay: [1, 1, 1, "
     "0], input_speedup: 1",
     "message_mix: [{flits: 4, share: 0.5}, {flits: 10, share: 0.5}]"},
    {"topology: ring, radix: [9], channel_rule: dateline, virtual_channels: 8, buffer: 1, "
     "router_delay: [0, 1, 1, 1], link_delay: 4, credit_delay: 2",
     "message_flits: 1, injection: bernoulli"},
    {"topology: ring, radix: [20], channel_rule: wrapping, virtual_channels: 8, buffer: 2, "
     "router_delay: 3, link_delay: 4, input_speedup: 1",
     "message_flits: 2, destinations: {random-permutation: 6}"},
    {"topology: mesh, radix: [3, 4, 2], routing: o1turn, virtual_channels: 8, buffer: 1, "
     "router_delay: [0, 0, 1, 1], link_delay: 4, credit_delay: 1, input_speedup: 1, "
     "injection_channels: 1",
     "message_flits: 13, destinations: {hot-spot: {share: 0.04, node: 16}}"},
    {"topology: mesh, radix: [3, 3, 3], virtual_channels: 6, buffer: 2, router_delay: [0, 1, 1, "
     "0], credit_delay: 1, injection_channels: 1",
     "message_flits: 21"},
    {"topology: mesh, radix: [3, 3], concentration: 3, virtual_channels: 2, buffer: 18, "
     "router_delay: [1, 1, 1, 0], link_delay: 3, injection_channels: 1",
     "message_flits: 2"},
    {"topology: ring, radix: [15], channel_rule: dateline, virtual_channels: 2, buffer: 5, "
     "router_delay: 2, link_delay: 2, credit_delay: 2, injection_channels: 1",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 12, share: 0.4}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.04, node: 0}}"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 11, router_delay: 3, "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 2, destinations: bit-reverse"},
    {"topology: ring, radix: [17], channel_rule: dateline, virtual_channels: 4, buffer: 4, "
     "router_delay: 2, link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 9"},
    {"topology: ring, radix: [19], channel_rule: dateline, virtual_channels: 8, buffer: 3, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 11, injection: bernoulli, destinations: {random-permutation: 5}"},
    {"topology: torus, radix: [4, 4, 3], channel_rule: dateline, virtual_channels: 2, buffer: 3, "
     "router_delay: 3, credit_delay: 1, input_speedup: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: mesh, radix: [3, 2, 4], virtual_channels: 1, buffer: 1, router_delay: [0, 0, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_flits: 18"},
    {"topology: torus, radix: [4, 3, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 3, "
     "router_delay: 1, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 2, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 10}}"},
    {"topology: torus, radix: [3, 8], channel_rule: dateline, virtual_channels: 2, buffer: 3, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 9, injection: bernoulli"},
    {"topology: torus, radix: [6, 3], channel_rule: wrapping, virtual_channels: 8, buffer: 3, "
     "router_delay: 2",
     "message_flits: 9"},
    {"topology: mesh, radix: [7, 5], virtual_channels: 4, buffer: 1, router_delay: [0, 1, 1, 0], "
     "input_speedup: 1",
     "message_flits: 7, injection: bernoulli"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 2, buffer: 3, router_delay: [0, 1, 1, "
     "1], input_speedup: 1",
     "message_flits: 5, injection: bernoulli"},
    {"topology: mesh, radix: [4, 3, 4], virtual_channels: 1, buffer: 1, router_delay: 3, "
     "credit_delay: 1",
     "message_mix: [{flits: 3, share: 0.5}, {flits: 7, share: 0.5}], injection: bernoulli"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 8, buffer: 1, router_delay: 2, "
     "link_delay: 2, credit_delay: 2, input_speedup: 1",
     "message_flits: 20"},
    {"topology: ring, radix: [8], channel_rule: wrapping, virtual_channels: 4, buffer: 28, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, injection_channels: 1",
     "message_flits: 32, injection: bernoulli, destinations: bit-complement"},
    {"topology: mesh, radix: [5, 5], virtual_channels: 5, buffer: 29, router_delay: [0, 0, 1, 1], "
     "link_delay: 4",
     "message_flits: 1"},
    {"topology: torus, radix: [8, 5], channel_rule: dateline, virtual_channels: 6, buffer: 7, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "message_flits: 2, injection: bernoulli, destinations: neighbour"},
    {"topology: torus, radix: [5, 8], channel_rule: dateline, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 30"},
    {"topology: torus, radix: [7, 5], channel_rule: dateline, virtual_channels: 4, buffer: 25, "
     "router_delay: 1, credit_delay: 1",
     "message_flits: 1, destinations: {random-permutation: 8}"},
    {NULL, NULL},
};
