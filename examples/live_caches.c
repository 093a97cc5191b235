/* A small cache model on top of a network: how much do its misses cost once they travel?
 *
 * Every node of a mesh is a core with a direct-mapped cache and a slice of the memory. A core that
 * misses sends a request to the slice that holds the line and waits for the reply. The network is
 * driven cycle by cycle: the cores say what to send, the network when it has arrived.
 *
 *   cc live_caches.c $(pkg-config --cflags --libs flitcast) -o live_caches
 *   ./live_caches [ACCESSES OF EACH CORE] */
#include <flitcast/flitcast.h>
#include <stdio.h>
#include <stdlib.h>

static const char network[] =
    "name: 16 cores on a mesh\n"
    "network: {topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8,\n"
    "          router_delay: [0, 1, 1, 1], input_speedup: 1}\n"
    "traffic: {rate: 0.01,\n" /* not used: all traffic is ours */
    "          requests: [{share: 1, flits: 1, reply_flits: 5, memory_reply: 20}]}\n";

enum { CORES = 16, LINES = 64, REQUEST_FLITS = 1, REPLY_FLITS = 5, MEMORY_CYCLES = 20 };

typedef struct core {
    uint64_t tags[LINES];
    uint64_t state;   /* of its random numbers */
    uint64_t address; /* being fetched */
    size_t left, misses;
    uint64_t missed_at, wait; /* cycles */
    bool stalled;
} core;

/* Mostly the next line, sometimes far away; every core has a part of the memory that it likes. */
static uint64_t next_address(core *c, size_t number) {
    c->state = c->state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t draw = c->state >> 33;
    if (draw % 8 == 0)
        return draw % 4096;
    return (c->address + draw % 2) % 96 + 96 * number;
}

static void check(fc_status status, const fc_error *error) {
    if (status == FC_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

/* One access of a core, if it is not waiting; a miss goes to the slice that holds the line. */
static void access_memory(fc_live *live, core *c, size_t number) {
    fc_error error;
    if (c->stalled || !c->left)
        return;
    --c->left;
    c->address = next_address(c, number);
    const uint64_t line = c->address % LINES, tag = c->address / LINES + 1;
    if (c->tags[line] == tag)
        return;
    c->tags[line] = tag;
    c->stalled = true;
    ++c->misses;
    c->missed_at = fc_live_time(live);
    const fc_live_message request = {.source = (uint32_t)number,
                                     .destination = (uint32_t)(c->address % CORES),
                                     .flits = REQUEST_FLITS,
                                     .tag = number};
    check(fc_live_inject(live, &request, 1, &error), &error);
}

/* A request is answered after the memory's time; a reply lets its core go on. */
static void take_deliveries(fc_live *live, core *cores) {
    fc_delivery list[CORES];
    const size_t count = fc_live_deliveries(live, list, CORES);
    for (size_t i = 0; i < count; ++i) {
        core *c = &cores[list[i].tag];
        fc_error error;
        if (list[i].flits == REPLY_FLITS) {
            c->stalled = false;
            c->wait += fc_live_time(live) - c->missed_at;
            continue;
        }
        const fc_live_message reply = {.source = list[i].destination,
                                       .destination = list[i].source,
                                       .flits = REPLY_FLITS,
                                       .reply = true,
                                       .tag = list[i].tag,
                                       .time = fc_live_time(live) + MEMORY_CYCLES};
        check(fc_live_inject(live, &reply, 1, &error), &error);
    }
}

static bool busy(const core *cores) {
    for (size_t n = 0; n < CORES; ++n) {
        if (cores[n].left || cores[n].stalled)
            return true;
    }
    return false;
}

int main(int count, char **words) {
    const size_t accesses = count > 1 ? strtoul(words[1], NULL, 10) : 20000;
    fc_error error;
    fc_scenario *scenario;
    fc_live *live;
    check(fc_scenario_read_text(network, sizeof network - 1, "live_caches.c", NULL, 0, &error,
                                &scenario),
          &error);
    check(fc_live_create(scenario, false, &error, &live), &error);
    static core cores[CORES];
    for (size_t n = 0; n < CORES; ++n) {
        cores[n].left = accesses;
        cores[n].state = n + 1;
    }
    while (busy(cores)) {
        for (size_t n = 0; n < CORES; ++n)
            access_memory(live, &cores[n], n);
        check(fc_live_advance(live, 1, &error), &error);
        take_deliveries(live, cores);
    }
    size_t misses = 0;
    uint64_t wait = 0;
    for (size_t n = 0; n < CORES; ++n) {
        misses += cores[n].misses;
        wait += cores[n].wait;
    }
    printf("%zu accesses of %d cores took %llu cycles\n", accesses * CORES, CORES,
           (unsigned long long)fc_live_time(live));
    printf("miss rate: %.1f %%\n", 100.0 * (double)misses / (double)(accesses * CORES));
    printf("a miss takes %.1f cycles, %d of them in the memory\n",
           misses ? (double)wait / (double)misses : 0.0, MEMORY_CYCLES);
    fc_live_free(live);
    fc_scenario_free(scenario);
    return 0;
}
