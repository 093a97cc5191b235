#include "suite.h"

static const char *const models[] = {"workload-packets", NULL};
static const char *const metrics[] = {"duration", NULL};

static void add_all(suite *s, bool held_out, const char *const *networks,
                    const char *const *works) {
    for (; *networks; ++networks)
        for (const char *const *work = works; *work; ++work) {
            char traffic[300];
            snprintf(traffic, sizeof traffic, "workload: %s", *work);
            suite_add(s, held_out, *networks, traffic);
        }
}

static void lay_out(suite *s) {
    static const char *const networks[] = {
        "topology: torus, radix: [4, 4], virtual_channels: 4, buffer: 8, channel_rule: escape",
        "topology: torus, radix: [8, 8], virtual_channels: 4, buffer: 8, channel_rule: escape",
        "topology: torus, radix: [4, 4, 4], virtual_channels: 4, buffer: 8, channel_rule: escape",
        ("topology: torus, radix: [8, 8], router_delay: [0, 1, 1, 1], virtual_channels: 4, "
         "buffer: 16, channel_rule: escape"),
        "topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8",
        "topology: mesh, radix: [8, 8], virtual_channels: 4, buffer: 8",
        "topology: hypercube, dimensions: 5, virtual_channels: 4",
        "topology: fat-tree, arity: 4, levels: 2, virtual_channels: 4, buffer: 8",
        "topology: fat-tree, arity: 2, levels: 5, virtual_channels: 4, buffer: 8",
        "topology: fat-tree, arity: 4, levels: 3, virtual_channels: 4, buffer: 8",
        "topology: dragonfly, hosts: 2, routers: 4, global_links: 2, virtual_channels: 4",
        "topology: hyperx, shape: [4, 4], concentration: 2, virtual_channels: 4",
        "topology: slim-fly, q: 3, concentration: 2, virtual_channels: 4",
        NULL};
    static const char *const works[] = {
        "{all-to-all: {bytes: 256}}",
        "{all-to-all: {bytes: 1024}}",
        "{all-to-all: {bytes: 2048}}",
        "{all-reduce: {algorithm: ring, bytes: 16384}}",
        "{all-reduce: {algorithm: ring, bytes: 65536}}",
        "{all-reduce: {algorithm: ring, bytes: 131072}}",
        "{all-reduce: {algorithm: halving-doubling, bytes: 16384}}",
        "{all-reduce: {algorithm: halving-doubling, bytes: 65536}}",
        "{all-reduce: {algorithm: two-trees, bytes: 65536}}",
        "{all-reduce: {algorithm: recursive-doubling, bytes: 16384}}",
        NULL};
    static const char *const other_networks[] = {
        "topology: torus, radix: [6, 6], virtual_channels: 4, buffer: 8, channel_rule: escape",
        "topology: torus, radix: [5, 5], router_delay: [0, 1, 1, 1], link_delay: 2, channel_rule: "
        "escape",
        "topology: torus, radix: [3, 3, 6], channel_rule: escape",
        "topology: mesh, radix: [6, 6], virtual_channels: 4, buffer: 4",
        "topology: mesh, radix: [7, 5], router_delay: 2, virtual_channels: 2",
        "topology: mesh, radix: [5, 5], routing: adaptive, virtual_channels: 3, buffer: 8",
        "topology: hypercube, dimensions: 5",
        "topology: fat-tree, arity: 3, levels: 3",
        "topology: fat-tree, arity: 6, levels: 2, routing: random, virtual_channels: 2",
        ("topology: fat-tree, arity: 2, levels: 5, routing: adaptive, virtual_channels: 2, "
         "buffer: 16"),
        NULL};
    static const char *const other_works[] = {
        "{all-to-all: {bytes: 800}}",
        "{all-to-all: {algorithm: pairwise, bytes: 3000}}",
        "{all-reduce: {algorithm: ring, bytes: 100000}}",
        "{all-reduce: {algorithm: halving-doubling, bytes: 50000}}",
        "{all-reduce: {algorithm: two-trees, bytes: 30000}}",
        ("[{repeat: {times: 2, phases: [{compute: 500}, {halo-exchange: {bytes: 2500}}]}}, "
         "{mixture-of-experts: {tokens: 40, bytes: 200, skew: 0.7, compute: 5}}, "
         "{broadcast: {root: 1, bytes: 20000}}]"),
        NULL};
    add_all(s, SUITE_DEVELOP, networks, works);
    add_all(s, SUITE_HELD_OUT, other_networks, other_works);
}

const suite_design workloads_design = {
    .name = "workloads",
    .title = "Workloads",
    .text = "Collective operations on tori, meshes, trees, a dragonfly, a HyperX and a Slim Fly. "
            "`workload-packets` has no fitted constants. Its interval is from 1,182 other "
            "workloads drawn at random on small networks of all topologies; of 910 drawn "
            "afterwards 92 % are in their intervals, with a mean error of 5.2 % for those of at "
            "most 32 KiB from a rank. Where nothing is drawn a workload is run once and its "
            "duration is exact; where routes or tokens are drawn it is run 32 times. The largest "
            "errors are those of routing that chooses by load, of pipelined routers, whose stages "
            "leave gaps between packets of one virtual channel, and of the Slim Fly.",
    .models = models,
    .metrics = metrics,
    .max_cycles = 2e7,
    .cost = 0.5,
    .lay_out = lay_out,
};
