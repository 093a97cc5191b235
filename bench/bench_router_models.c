/* Time to predict a point of a network of routers, and how it grows with the network. */
#include <math.h>
#include <sys/resource.h>
#include "bench_support.h"

typedef struct network {
    const char *text, *model, *keys,
        *traffic; /* model NULL: as predict answers without an option */
} network;

#define TIMING ", virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, 1]"

static const network networks[] = {
    {"4x4 mesh", "router-queueing", "topology: mesh, radix: [4, 4]" TIMING, "rate: 0.02"},
    {"8x8 mesh", "router-queueing", "topology: mesh, radix: [8, 8]" TIMING, "rate: 0.01"},
    {"8x8 mesh, calibrated", NULL, "topology: mesh, radix: [8, 8]" TIMING, "rate: 0.01"},
    {"16x16 mesh", "router-queueing", "topology: mesh, radix: [16, 16]" TIMING, "rate: 0.005"},
    {"32x32 mesh", "router-queueing", "topology: mesh, radix: [32, 32]" TIMING, "rate: 0.0025"},
    {"8x8 torus", "router-queueing", "topology: torus, radix: [8, 8]" TIMING, "rate: 0.02"},
    {"8x8 mesh, V=1 M=64 B=4", "router-queueing",
     "topology: mesh, radix: [8, 8], virtual_channels: 1, buffer: 4, router_delay: [1, 1, 1, 1]",
     "message_flits: 64, rate: 0.0005"},
    {"16x16x16 torus", "router-queueing", "topology: torus, radix: [16, 16, 16]" TIMING,
     "rate: 0.01"},
    {"4096-node fat tree, 16-ary", "router-queueing",
     "topology: fat-tree, arity: 16, levels: 3" TIMING, "rate: 0.02"},
    {"4096-node fat tree, 4-ary", "router-queueing",
     "topology: fat-tree, arity: 4, levels: 6, routing: random" TIMING, "rate: 0.02"},
    {"8x8 mesh", "channel-load", "topology: mesh, radix: [8, 8]" TIMING, "rate: 0.01"},
    {"32x32 mesh", "channel-load", "topology: mesh, radix: [32, 32]" TIMING, "rate: 0.0025"},
    {"graph of 1,000 routers", "channel-load", "routers: 1000", "rate: 0.00001"},
    {"graph of 10,000 routers", "channel-load", "routers: 10000", "rate: 0.00001"},
    {"graph of 10,000 routers", "router-queueing", "routers: 10000", "rate: 0.00001"},
};

/* A random graph: a tree, and two links more for each router. Returns its keys, in `text`. */
static const char *write_graph(const char *keys, size_t size, char *text) {
    static char path[] = "/tmp/bench_router_models_XXXXXX";
    int routers = 0;
    if (sscanf(keys, "routers: %d", &routers) != 1)
        return keys;
    memset(path + strlen(path) - 6, 'X', 6);
    FILE *file = fdopen(mkstemp(path), "w");
    unsigned state = 1;
    for (int router = 0; file && router < routers; ++router) {
        fprintf(file, "router %d node %d", router, router);
        int last = -1;
        for (int link = 0; link < 3; ++link) {
            state = state * 1664525u + 1013904223u;
            const int to = router ? (int)((state >> 8) % (unsigned)router) : 0;
            if (to > last && to < router)
                fprintf(file, " router %d", to);
            last = to > last ? to : last;
        }
        fprintf(file, "\n");
    }
    if (!file || fclose(file)) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    snprintf(text, size, "topology: graph, routing: up-down, file: %s" TIMING, path);
    return text;
}

static double time_one(const network *n) {
    char text[512], graph[256];
    const char *keys = write_graph(n->keys, sizeof graph, graph);
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s%s}\n", keys,
             strstr(n->traffic, "message_flits") ? "" : "message_flits: 8, ", n->traffic);
    fc_scenario *scenario = read_scenario(text);
    if (keys == graph)
        remove(strstr(graph, "/tmp/"));
    uint64_t iterations = 0;
    const double seconds = time_predict(scenario, n->model, &iterations);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-16s %-28s %10.2f ms a point, %llu iterations, at most %.0f MB\n",
           n->model ? n->model : "predict", n->text, 1e3 * seconds, (unsigned long long)iterations,
           (double)usage.ru_maxrss / 1024);
    fc_scenario_free(scenario);
    return seconds;
}

int main(int argc, char **argv) {
    double seconds[sizeof networks / sizeof *networks] = {0};
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i)
        if (argc < 2 || strstr(networks[i].text, argv[1]))
            seconds[i] = time_one(&networks[i]);
    if (argc < 2)
        printf("meshes from 8x8 to 32x32: time grows as nodes^%.2f\n",
               log(seconds[4] / seconds[1]) / log(16));
    return 0;
}
