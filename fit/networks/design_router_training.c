/* Networks of routers to develop and to calibrate with, drawn at random once. */
#include "design_router.h"

const router_network router_training[] = {
    {"topology: mesh, radix: [2, 2, 3], virtual_channels: 2, buffer: 4, router_delay: 2, "
     "link_delay: 2, credit_delay: 1",
     "message_flits: 29"},
    {"topology: mesh, radix: [5, 6], virtual_channels: 2, buffer: 2, router_delay: 1, link_delay: "
     "3, injection_channels: 1",
     "message_flits: 2"},
    {"topology: torus, radix: [3, 4, 4], channel_rule: wrapping, virtual_channels: 4, buffer: 1, "
     "router_delay: [1, 1, 1, 1], credit_delay: 1",
     "message_flits: 10, destinations: {hot-spot: {share: 0.06, node: 19}}"},
    {"topology: mesh, radix: [4, 4, 3], virtual_channels: 3, buffer: 4, router_delay: [1, 1, 1, "
     "1], link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_flits: 4"},
    {"topology: mesh, radix: [4, 4, 4], routing: o1turn, virtual_channels: 2, buffer: 3, "
     "router_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 6, injection: bernoulli, destinations: tornado"},
    {"topology: mesh, radix: [3, 2, 4], virtual_channels: 1, buffer: 2, router_delay: [0, 1, 1, "
     "1], link_delay: 4",
     "message_flits: 21, injection: bernoulli, destinations: neighbour"},
    {"topology: torus, radix: [5, 6], channel_rule: dateline, virtual_channels: 4, buffer: 2, "
     "router_delay: 2, link_delay: 4, injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.2}, {flits: 28, share: 0.8}], injection: bernoulli"},
    {"topology: mesh, radix: [4, 5], virtual_channels: 8, buffer: 1, router_delay: [0, 1, 1, 1]",
     "message_flits: 1"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 6, buffer: 1, router_delay: [1, 1, 1, "
     "1], credit_delay: 2",
     "message_flits: 1, injection: bernoulli"},
    {"topology: torus, radix: [4, 4, 3], channel_rule: wrapping, virtual_channels: 8, buffer: 3, "
     "router_delay: [1, 1, 1, 0]",
     "message_flits: 4"},
    {"topology: torus, radix: [4, 4, 4], channel_rule: dateline, virtual_channels: 4, buffer: 29, "
     "router_delay: [1, 1, 1, 1], injection_channels: 1",
     "message_flits: 6, destinations: {hot-spot: {share: 0.02, node: 51}}"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 3, buffer: 25, router_delay: [0, 1, 1, "
     "0], link_delay: 2, credit_delay: 1, input_speedup: 1",
     "message_flits: 30, destinations: bit-reverse"},
    {"topology: mesh, radix: [5, 5], virtual_channels: 2, buffer: 6, router_delay: [1, 1, 1, 1], "
     "link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.4}, {flits: 7, share: 0.6}], destinations: {hot-spot: "
     "{share: 0.04, node: 3}}"},
    {"topology: torus, radix: [3, 5], channel_rule: wrapping, virtual_channels: 4, buffer: 28, "
     "router_delay: [0, 1, 1, 1], link_delay: 4",
     "message_mix: [{flits: 4, share: 0.6}, {flits: 26, share: 0.4}], injection: bernoulli, "
     "destinations: {random-permutation: 7}"},
    {"topology: hypercube, dimensions: 4, routing: o1turn, virtual_channels: 4, buffer: 13, "
     "router_delay: 1, link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 3, share: 0.4}, {flits: 13, share: 0.6}]"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 3, buffer: 2, router_delay: 1, "
     "injection_channels: 1",
     "requests: [{share: 1, flits: 2, reply_flits: 8, memory_reply: 30}]"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 1, buffer: 8, router_delay: [0, 1, 1, "
     "0]",
     "message_mix: [{flits: 1, share: 0.4}, {flits: 14, share: 0.6}]"},
    {"topology: torus, radix: [4, 3, 4], channel_rule: dateline, virtual_channels: 2, buffer: 2, "
     "router_delay: [1, 1, 1, 0], credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_flits: 7, injection: bernoulli"},
    {"topology: mesh, radix: [6, 7], virtual_channels: 3, buffer: 9, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 8, destinations: {hot-spot: {share: 0.06, node: 24}}"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 10, router_delay: [0, 0, 1, "
     "1], input_speedup: 1",
     "message_flits: 15, injection: bernoulli, destinations: transpose"},
    {"topology: mesh, radix: [2, 2, 4], virtual_channels: 2, buffer: 1, router_delay: [1, 1, 1, "
     "1], link_delay: 2, credit_delay: 1",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 13, share: 0.4}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.06, node: 3}}"},
    {"topology: torus, radix: [6, 7], channel_rule: wrapping, virtual_channels: 4, buffer: 9, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.2}, {flits: 13, share: 0.8}], injection: bernoulli"},
    {"topology: torus, radix: [3, 3], channel_rule: wrapping, virtual_channels: 6, buffer: 4, "
     "router_delay: [0, 0, 1, 1], link_delay: 3, credit_delay: 2, input_speedup: 1, "
     "injection_channels: 1",
     "message_flits: 9"},
    {"topology: ring, radix: [17], channel_rule: wrapping, virtual_channels: 4, buffer: 27, "
     "router_delay: 1, link_delay: 3, input_speedup: 1",
     "message_flits: 24, injection: bernoulli"},
    {"topology: torus, radix: [7, 5], channel_rule: dateline, virtual_channels: 8, buffer: 1, "
     "router_delay: 2, link_delay: 4, injection_channels: 1",
     "message_flits: 4, destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 5, router_delay: [1, 1, 1, "
     "0], input_speedup: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: ring, radix: [23], channel_rule: dateline, virtual_channels: 2, buffer: 3, "
     "router_delay: 3, input_speedup: 1",
     "message_flits: 2, injection: bernoulli"},
    {"topology: mesh, radix: [4, 2], virtual_channels: 3, buffer: 17, router_delay: [1, 1, 1, 1], "
     "link_delay: 4, credit_delay: 1, input_speedup: 1",
     "message_flits: 25, destinations: bit-complement"},
    {"topology: mesh, radix: [7, 3], virtual_channels: 3, buffer: 29, router_delay: [0, 1, 1, 1]",
     "message_flits: 18"},
    {"topology: torus, radix: [3, 4, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 19, "
     "router_delay: [0, 0, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 25, injection: bernoulli"},
    {"topology: mesh, radix: [3, 4], virtual_channels: 4, buffer: 2, router_delay: 3, "
     "input_speedup: 1",
     "message_flits: 7, injection: bernoulli"},
    {"topology: fat-tree, arity: 2, levels: 3, routing: random, virtual_channels: 5, buffer: 2, "
     "router_delay: [1, 1, 1, 1], link_delay: 2",
     "message_flits: 2, destinations: bit-reverse"},
    {"topology: mesh, radix: [5, 4], virtual_channels: 4, buffer: 3, router_delay: [0, 1, 1, 1]",
     "message_flits: 18"},
    {"topology: ring, radix: [19], channel_rule: dateline, virtual_channels: 2, buffer: 14, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 9, share: 0.5}], destinations: neighbour"},
    {"topology: mesh, radix: [2, 3, 3], virtual_channels: 2, buffer: 1, router_delay: [1, 1, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_flits: 22"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 3, buffer: 4, router_delay: [1, 1, 1, "
     "1], link_delay: 4",
     "message_flits: 1"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 4, buffer: 4, router_delay: [1, 1, 1, "
     "0]",
     "message_flits: 5, injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 3, extra_stages: 1, virtual_channels: 4, buffer: 12, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 9, injection: bernoulli"},
    {"topology: torus, radix: [5, 8], channel_rule: dateline, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 1"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 2, buffer: 12, router_delay: [0, 1, 1, "
     "1], credit_delay: 1, injection_channels: 1",
     "requests: [{share: 1, flits: 1, reply_flits: 9, memory_reply: 10}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.02, node: 6}}"},
    {"topology: mesh, radix: [8, 5], virtual_channels: 2, buffer: 5, router_delay: [0, 1, 1, 0], "
     "input_speedup: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 16, share: 0.4}]"},
    {"topology: torus, radix: [6, 8], channel_rule: wrapping, virtual_channels: 4, buffer: 4, "
     "router_delay: 2, credit_delay: 2",
     "message_flits: 10, destinations: {hot-spot: {share: 0.06, node: 44}}"},
    {"topology: torus, radix: [3, 7], channel_rule: dateline, virtual_channels: 4, buffer: 3, "
     "router_delay: [0, 1, 1, 1], link_delay: 3, input_speedup: 1",
     "message_mix: [{flits: 2, share: 0.8}, {flits: 14, share: 0.2}]"},
    {"topology: torus, radix: [6, 8], channel_rule: dateline, virtual_channels: 4, buffer: 1, "
     "router_delay: 1, injection_channels: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: torus, radix: [6, 6], channel_rule: wrapping, virtual_channels: 2, buffer: 2, "
     "router_delay: 3, input_speedup: 1",
     "message_flits: 2"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 6, buffer: 1, router_delay: [1, 1, 1, "
     "1], input_speedup: 1",
     "message_flits: 6, injection: bernoulli, destinations: {near-neighbour: 0.6}"},
    {"topology: mesh, radix: [2, 3], concentration: 2, virtual_channels: 1, buffer: 4, "
     "router_delay: [1, 1, 1, 1]",
     "message_mix: [{flits: 3, share: 0.8}, {flits: 12, share: 0.2}], injection: bernoulli"},
    {"topology: torus, radix: [4, 5], channel_rule: wrapping, virtual_channels: 4, buffer: 3, "
     "router_delay: [0, 1, 1, 1], link_delay: 3, credit_delay: 2, input_speedup: 1, "
     "injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 4, share: 0.4}], injection: bernoulli"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 2, buffer: 2, router_delay: [0, 1, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_flits: 29"},
    {"topology: fat-tree, arity: 2, levels: 3, routing: random, virtual_channels: 1, buffer: 1, "
     "router_delay: [0, 1, 1, 1], credit_delay: 1, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.2}, {flits: 13, share: 0.8}]"},
    {"topology: ring, radix: [8], channel_rule: wrapping, virtual_channels: 4, buffer: 22, "
     "router_delay: [1, 1, 1, 1], credit_delay: 1, injection_channels: 1",
     "message_flits: 5, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 7}}"},
    {"topology: torus, radix: [3, 6], channel_rule: wrapping, virtual_channels: 4, buffer: 10, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 8, injection: bernoulli"},
    {"topology: mesh, radix: [6, 4], virtual_channels: 4, buffer: 15, router_delay: [0, 1, 1, 1], "
     "link_delay: 2, credit_delay: 2, injection_channels: 1",
     "message_flits: 3"},
    {"topology: mesh, radix: [2, 3, 3], virtual_channels: 2, buffer: 1, router_delay: [0, 1, 1, "
     "1], link_delay: 3, injection_channels: 1",
     "message_flits: 5, destinations: tornado"},
    {"topology: mesh, radix: [4, 7], virtual_channels: 6, buffer: 3, router_delay: [1, 1, 1, 1], "
     "link_delay: 2, credit_delay: 1, input_speedup: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: fat-tree, arity: 2, levels: 3, routing: random, virtual_channels: 6, buffer: 3, "
     "router_delay: 3, link_delay: 4, input_speedup: 1",
     "message_flits: 7, injection: bernoulli, destinations: {hot-spot: {share: 0.04, node: 4}}"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 2, buffer: 10, router_delay: [1, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 1"},
    {"topology: torus, radix: [5, 4], channel_rule: dateline, virtual_channels: 2, buffer: 1, "
     "router_delay: [0, 0, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 7"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 6, buffer: 9, router_delay: [0, 1, 1, "
     "1], injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 20, share: 0.4}]"},
    {"topology: torus, radix: [7, 7], channel_rule: dateline, virtual_channels: 2, buffer: 13, "
     "router_delay: [0, 1, 1, 1]",
     "message_mix: [{flits: 2, share: 0.4}, {flits: 12, share: 0.6}]"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 2, buffer: 9, router_delay: [0, 1, 1, "
     "0], input_speedup: 1, injection_channels: 1",
     "requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 10}], injection: bernoulli"},
    {"topology: mesh, radix: [4, 4, 2], concentration: 2, virtual_channels: 8, buffer: 20, "
     "router_delay: 3",
     "message_flits: 2, destinations: {hot-spot: {share: 0.06, node: 1}}"},
    {"topology: ring, radix: [17], channel_rule: dateline, virtual_channels: 4, buffer: 2, "
     "router_delay: 3, link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.8}, {flits: 4, share: 0.2}], injection: bernoulli"},
    {"topology: fat-tree, arity: 2, levels: 3, routing: random, virtual_channels: 2, buffer: 3, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 15"},
    {"topology: torus, radix: [3, 6], channel_rule: dateline, virtual_channels: 4, buffer: 1, "
     "router_delay: 3",
     "message_flits: 27"},
    {"topology: torus, radix: [4, 3, 4], channel_rule: wrapping, virtual_channels: 8, buffer: 9, "
     "router_delay: [0, 1, 1, 1], link_delay: 4",
     "message_flits: 1, injection: bernoulli"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 8, buffer: 13, router_delay: 1, "
     "link_delay: 2, switching: cut-through",
     "message_flits: 10, destinations: {random-permutation: 6}"},
    {"topology: mesh, radix: [8, 2], virtual_channels: 6, buffer: 30, router_delay: [1, 1, 1, 0], "
     "link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_flits: 10"},
    {"topology: mesh, radix: [5, 8], virtual_channels: 2, buffer: 4, router_delay: [1, 1, 1, 1], "
     "link_delay: 2, injection_channels: 1",
     "message_flits: 26, injection: bernoulli"},
    {"topology: mesh, radix: [2, 2, 3], concentration: 3, virtual_channels: 3, buffer: 24, "
     "router_delay: [1, 1, 1, 0]",
     "message_flits: 1, injection: bernoulli, destinations: bit-complement"},
    {"topology: torus, radix: [8, 5], channel_rule: wrapping, virtual_channels: 8, buffer: 1, "
     "router_delay: 2, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.2}, {flits: 14, share: 0.8}]"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 2, buffer: 2, router_delay: [1, 1, 1, "
     "1], link_delay: 4, credit_delay: 1, injection_channels: 1",
     "message_flits: 14, injection: bernoulli, destinations: {random-permutation: 8}"},
    {"topology: hypercube, dimensions: 5, virtual_channels: 2, buffer: 2, router_delay: 2",
     "message_mix: [{flits: 3, share: 0.8}, {flits: 14, share: 0.2}]"},
    {"topology: fat-tree, arity: 2, levels: 3, routing: adaptive, virtual_channels: 6, buffer: 1, "
     "router_delay: [0, 0, 1, 1], credit_delay: 2, injection_channels: 1",
     "message_flits: 2, injection: bernoulli"},
    {"topology: mesh, radix: [6, 6], virtual_channels: 2, buffer: 12, router_delay: 1, link_delay: "
     "2, credit_delay: 2, input_speedup: 1",
     "message_mix: [{flits: 2, share: 0.5}, {flits: 16, share: 0.5}]"},
    {"topology: mesh, radix: [3, 4, 2], virtual_channels: 3, buffer: 14, router_delay: [0, 1, 1, "
     "1], link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 1"},
    {"topology: torus, radix: [6, 3], channel_rule: wrapping, virtual_channels: 8, buffer: 18, "
     "router_delay: 1, link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 1"},
    {"topology: torus, radix: [8, 3], channel_rule: wrapping, virtual_channels: 2, buffer: 1, "
     "router_delay: [1, 1, 1, 1], link_delay: 3",
     "message_mix: [{flits: 1, share: 0.8}, {flits: 14, share: 0.2}]"},
    {"topology: torus, radix: [3, 5], channel_rule: dateline, virtual_channels: 4, buffer: 8, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, input_speedup: 1",
     "message_flits: 5, injection: bernoulli, destinations: {hot-spot: {share: 0.02, node: 3}}"},
    {"topology: mesh, radix: [2, 2, 2], virtual_channels: 2, buffer: 1, router_delay: [0, 1, 1, "
     "1], input_speedup: 1",
     "message_flits: 15, destinations: {hot-spot: {share: 0.02, node: 1}}"},
    {"topology: hypercube, dimensions: 5, routing: o1turn, virtual_channels: 2, buffer: 6, "
     "router_delay: 3, input_speedup: 1",
     "message_flits: 5, destinations: {hot-spot: {share: 0.06, node: 20}}"},
    {"topology: mesh, radix: [8, 6], virtual_channels: 4, buffer: 4, router_delay: 2, link_delay: "
     "4, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 13, share: 0.4}], injection: bernoulli"},
    {"topology: mesh, radix: [6, 6], virtual_channels: 2, buffer: 1, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: mesh, radix: [4, 3, 3], virtual_channels: 6, buffer: 10, router_delay: [0, 1, 1, "
     "0], credit_delay: 1, injection_channels: 1",
     "message_flits: 31, injection: bernoulli"},
    {"topology: ring, radix: [17], channel_rule: dateline, virtual_channels: 4, buffer: 4, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 11, injection: bernoulli"},
    {"topology: mesh, radix: [3, 3, 2], virtual_channels: 6, buffer: 12, router_delay: [0, 1, 1, "
     "1], link_delay: 2, injection_channels: 1",
     "message_flits: 2"},
    {"topology: ring, radix: [23], channel_rule: dateline, virtual_channels: 4, buffer: 4, "
     "router_delay: 3, link_delay: 2",
     "message_mix: [{flits: 3, share: 0.2}, {flits: 10, share: 0.8}]"},
    {"topology: mesh, radix: [4, 7], virtual_channels: 4, buffer: 3, router_delay: 3, link_delay: "
     "3",
     "message_mix: [{flits: 4, share: 0.6}, {flits: 7, share: 0.4}]"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 1, buffer: 19, router_delay: 3, "
     "link_delay: 2, credit_delay: 1, injection_channels: 1",
     "message_flits: 2"},
    {"topology: hypercube, dimensions: 3, routing: adaptive, virtual_channels: 3, buffer: 2, "
     "router_delay: [0, 1, 1, 1], link_delay: 2, input_speedup: 1",
     "message_mix: [{flits: 3, share: 0.4}, {flits: 13, share: 0.6}], injection: bernoulli"},
    {"topology: mesh, radix: [5, 7], virtual_channels: 4, buffer: 14, router_delay: [0, 1, 1, 1], "
     "link_delay: 4",
     "message_mix: [{flits: 1, share: 0.6}, {flits: 4, share: 0.4}], injection: bernoulli"},
    {"topology: mesh, radix: [6, 7], virtual_channels: 2, buffer: 2, router_delay: [1, 1, 1, 1], "
     "link_delay: 2",
     "message_flits: 4, injection: bernoulli"},
    {"topology: mesh, radix: [3, 8], virtual_channels: 4, buffer: 4, router_delay: [1, 1, 1, 1], "
     "input_speedup: 1, injection_channels: 1",
     "message_flits: 5, injection: bernoulli"},
    {"topology: torus, radix: [6, 7], channel_rule: dateline, virtual_channels: 2, buffer: 16, "
     "router_delay: 1, injection_channels: 1",
     "message_flits: 4, injection: bernoulli"},
    {"topology: hypercube, dimensions: 6, virtual_channels: 4, buffer: 15, router_delay: [1, 1, 1, "
     "1], input_speedup: 1, injection_channels: 1",
     "message_flits: 2, injection: bernoulli, destinations: bit-complement"},
    {"topology: mesh, radix: [2, 7], concentration: 2, virtual_channels: 2, buffer: 1, "
     "router_delay: [0, 1, 1, 1], input_speedup: 1",
     "message_flits: 4, injection: bernoulli"},
    {"topology: ring, radix: [14], channel_rule: wrapping, virtual_channels: 4, buffer: 6, "
     "router_delay: 3, link_delay: 4, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 2, share: 0.6}, {flits: 17, share: 0.4}]"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 4, buffer: 7, router_delay: [0, 1, 1, "
     "1], link_delay: 2",
     "message_flits: 15"},
    {"topology: ring, radix: [22], channel_rule: wrapping, virtual_channels: 4, buffer: 10, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, injection_channels: 1",
     "message_flits: 2"},
    {"topology: torus, radix: [4, 4, 3], channel_rule: dateline, routing: o1turn, "
     "virtual_channels: 4, buffer: 18, router_delay: [0, 0, 1, 1], injection_channels: 1",
     "message_flits: 1"},
    {"topology: mesh, radix: [6, 7], virtual_channels: 2, buffer: 3, router_delay: [1, 1, 1, 0]",
     "message_flits: 18, destinations: neighbour"},
    {"topology: torus, radix: [7, 3], channel_rule: dateline, virtual_channels: 6, buffer: 3, "
     "router_delay: [1, 1, 1, 1]",
     "message_flits: 14"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 1, router_delay: 2, "
     "credit_delay: 1",
     "message_mix: [{flits: 1, share: 0.5}, {flits: 2, share: 0.5}]"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 4, buffer: 6, router_delay: 2, "
     "link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 4, destinations: transpose"},
    {"topology: mesh, radix: [3, 7], virtual_channels: 2, buffer: 29, router_delay: [0, 1, 1, 1], "
     "link_delay: 4, input_speedup: 1",
     "message_flits: 1, injection: bernoulli"},
    {"topology: mesh, radix: [6, 7], virtual_channels: 2, buffer: 15, router_delay: 2, link_delay: "
     "2, credit_delay: 1",
     "message_mix: [{flits: 3, share: 0.2}, {flits: 20, share: 0.8}], destinations: "
     "{random-permutation: 7}"},
    {"topology: fly, arity: 2, levels: 3, virtual_channels: 2, buffer: 2, router_delay: [1, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 3, injection: bernoulli"},
    {"topology: torus, radix: [4, 7], channel_rule: dateline, virtual_channels: 4, buffer: 1, "
     "router_delay: [0, 0, 1, 1], input_speedup: 1, injection_channels: 1",
     "message_flits: 19, injection: bernoulli"},
    {"topology: hypercube, dimensions: 3, virtual_channels: 3, buffer: 4, router_delay: [1, 1, 1, "
     "0], link_delay: 2, credit_delay: 2, input_speedup: 1, injection_channels: 1, switching: "
     "cut-through",
     "message_flits: 3, injection: bernoulli, destinations: {hot-spot: {share: 0.06, node: 0}}"},
    {"topology: ring, radix: [10], channel_rule: wrapping, virtual_channels: 8, buffer: 1, "
     "router_delay: [1, 1, 1, 1], link_delay: 2, input_speedup: 1, injection_channels: 1",
     "message_mix: [{flits: 4, share: 0.8}, {flits: 8, share: 0.2}], injection: bernoulli, "
     "destinations: {hot-spot: {share: 0.04, node: 3}}"},
    {"topology: mesh, radix: [2, 6], concentration: 4, virtual_channels: 6, buffer: 1, "
     "router_delay: [1, 1, 1, 1], input_speedup: 1",
     "message_flits: 10, injection: bernoulli, destinations: {hot-spot: {share: 0.04, node: 0}}"},
    {"topology: torus, radix: [7, 8], channel_rule: wrapping, virtual_channels: 4, buffer: 1, "
     "router_delay: [0, 0, 1, 1], input_speedup: 1",
     "message_flits: 14, injection: bernoulli"},
    {"topology: ring, radix: [16], channel_rule: wrapping, virtual_channels: 2, buffer: 2, "
     "router_delay: [1, 1, 1, 1], link_delay: 3, credit_delay: 2",
     "message_mix: [{flits: 3, share: 0.4}, {flits: 8, share: 0.6}], injection: bernoulli, "
     "destinations: {random-permutation: 3}"},
    {"topology: mesh, radix: [4, 6], virtual_channels: 2, buffer: 7, router_delay: [1, 1, 1, 1], "
     "link_delay: 3, input_speedup: 1, injection_channels: 1",
     "message_flits: 2"},
    {"topology: hypercube, dimensions: 4, virtual_channels: 3, buffer: 2, router_delay: [0, 1, 1, "
     "1], injection_channels: 1",
     "message_flits: 2, destinations: neighbour"},
    {NULL, NULL},
};
