/* Calls in which each allocation in turn fails: they say that memory ran out, leave their
 * out-parameters alone and keep nothing. Only builds that check invariants can fail an allocation.
 */
#ifndef ALLOCATION_SUPPORT_H
#define ALLOCATION_SUPPORT_H

#include "test_support.h"

#ifdef FC_CHECKS

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "flitcast/flitcast.h"

/* Tiny networks under enough load that queues and pools have to grow. */
static const char *const scenarios[] = {
    "name: rings\n"
    "network: {topology: ring-hierarchy, rings: [3, 4]}\n"
    "traffic: {rate: 0.2, locality: [0.5]}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: rings on three levels\n"
    "network: {topology: ring-hierarchy, rings: [2, 3, 2]}\n"
    "traffic: {rate: 0.05}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: requests over rings\n"
    "network: {topology: ring-hierarchy, rings: [2, 3]}\n"
    "traffic: {kind: closed, outstanding: 3, think_time: 5}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: multistage\n"
    "network: {topology: multistage, ports: 8, switch: 2, buffer: 2, service: 1}\n"
    "traffic: {rate: 0.3}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: multistage there and back\n"
    "network: {topology: multistage, ports: 4, switch: 2, buffer: 2, service: 1}\n"
    "traffic: {rate: 0.3, memory_busy: 1}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: multistage with a hot spot and infinite buffers\n"
    "network: {topology: multistage, ports: 8, switch: 2, buffer: infinite, service: 1}\n"
    "traffic: {rate: 0.5, destinations: {hot-spot: {share: 0.2, node: 3}}}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: open torus\n"
    "network: {topology: torus, radix: [3, 3], links: unidirectional, virtual_channels: 3,\n"
    "          channel_rule: escape}\n"
    "traffic: {kind: open, rate: 0.05, message_flits: 4}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: mesh\n"
    "network: {topology: mesh, radix: [3, 2], virtual_channels: 1, buffer: 2}\n"
    "traffic: {kind: open, rate: 0.02, message_flits: 4, destinations: {near-neighbour: 0.5}}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: closed torus\n"
    "network: {topology: torus, radix: [3, 3], order: descending, virtual_channels: 2,\n"
    "          channel_rule: high-low, buffer: 1}\n"
    "traffic: {kind: closed, outstanding: 3, think_time: 5, destinations: {hot-spot: {share: 0.1,\n"
    "          node: [1, 1]}}, requests: [{share: 0.8, flits: 3, reply_flits: 9, memory_reply: 4,\n"
    "          memory_busy: 4}, {share: 0.2, flits: 11, reply_flits: 3, memory_reply: 8,\n"
    "          memory_busy: 4}]}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: closed torus with infinite buffers\n"
    "network: {topology: torus, radix: [3, 3], order: descending, virtual_channels: 2,\n"
    "          channel_rule: high-low, buffer: infinite, node_links: per-channel}\n"
    "traffic: {kind: closed, outstanding: 2, think_time: 5, requests: [{share: 1, flits: 3,\n"
    "          reply_flits: 9, memory_reply: 4, memory_busy: 4}]}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: scouting\n"
    "network: {topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 2,\n"
    "          virtual_channels: 2}\n"
    "traffic: {rate: 0.01, message_flits: 4}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: scouting round faults\n"
    "network: {topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 2,\n"
    "          virtual_channels: 2, faults: [[5, 0, 1]]}\n"
    "traffic: {rate: 0.05, message_flits: 4}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: mesh of routers\n"
    "network: {topology: mesh, radix: [3, 2], virtual_channels: 2, buffer: 2, router_delay: 1}\n"
    "traffic: {rate: 0.02, destinations: {hot-spots: [{node: 1}, {node: 3, weight: 2}]},\n"
    "          requests: [{share: 1, flits: 1, reply_flits: 3, memory_reply: 2}]}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: classes\n"
    "network: {topology: mesh, radix: [2, 2], virtual_channels: 3, buffer: 2, router_delay: 1}\n"
    "traffic: {classes: [{name: a, rate: 0.02, flits: 1, channels: 0, reply: b, memory_busy: 9,\n"
    "          destinations: {hot-spots: [{node: 1}]}}, {name: b, flits: 2, channels: 1, reply: "
    "c,\n"
    "          destinations: {hot-spots: [{node: 2}]}}, {name: c, flits: 3, channels: 2, priority: "
    "1}]}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: fat tree\n"
    "network: {topology: fat-tree, arity: 2, levels: 2, routing: random}\n"
    "traffic: {rate: 0.02, injection: {on-off: {on: 10, off: 20}},\n"
    "          message_mix: [{flits: 1, share: 0.5}, {flits: 4, share: 0.5}]}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",

    "name: workload\n"
    "network: {topology: mesh, radix: [2, 2], virtual_channels: 2, buffer: 2, router_delay: 1}\n"
    "traffic: {workload: [{all-reduce: {algorithm: ring, bytes: 256}}, {all-to-all: {bytes: "
    "64}}]}\n",

    "name: a chip\n"
    "network: {topology: chip, radix: [10, 12], networks: [{name: NOC_0}, {name: NOC_1}],\n"
    "          memories: [{name: L1, latency: 90, gap: 12}]}\n"
    "traffic: {workload: {noc-trace: " SOURCE_DIR "/examples/chips/small_trace.json}}\n",

    "name: mesh with failures\n"
    "network: {topology: mesh, radix: [3, 3], virtual_channels: 2, buffer: 2, link_delay: [1, 2],\n"
    "          faults: {links: [[0, 1]], routers: [4], random: {links: 0.1, seed: 2}}}\n"
    "traffic: {rate: 0.02, message_flits: 4}\n"
    "simulation: {max_cycles: 600, replications: 2}\n",
};

enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static inline fc_scenario *read_scenario(size_t index) {
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(scenarios[index], strlen(scenarios[index]), "test", NULL, 0, &error,
                              &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static inline FILE *sink(void) {
    FILE *stream = fopen("/dev/null", "w");
    assert_non_null(stream);
    return stream;
}

/* ---- the trial: one call, again and again with a later allocation failing ---- */

typedef struct trial {
    const fc_scenario *scenario;
    const fc_result *result;
    const char *text, *method;
    const fc_comparison *comparison;
    const fc_optimum *optimum;
    const fc_sweep *sweep;
    const fc_explanation *explanation;
    const fc_saturation *saturation;
    const fc_curve *curve;
} trial;

/* Releases what it made; leaves an error sentence if the call takes one. */
typedef fc_status (*attempt)(const trial *about, fc_error *error);

/* growth 1: each allocation fails in turn; above: for calls that simulate much, each of the first
 * and then every so many, further apart by that factor. */
static inline void fail_allocations(const char *what, attempt call, const trial *about,
                                    bool has_error, double growth) {
    size_t nth = 1;
    for (;; nth = (size_t)fmax((double)nth + 1, growth * (double)nth)) {
        const size_t before = fc_allocations_in_use();
        fc_error error = {""};
        fc_allocation_fail_nth(nth);
        const fc_status status = call(about, &error);
        const bool failed = fc_allocation_has_failed();
        fc_allocation_fail_nth(0);
        if (fc_allocations_in_use() != before)
            fail_msg("%s, allocation %zu: %zu blocks before, %zu after", what, nth, before,
                     fc_allocations_in_use());
        if (!failed) {
            if (status != FC_OK)
                fail_msg("%s: %s: %s", what, fc_status_text(status), error.text);
            break;
        }
        if (status != FC_ERROR_MEMORY)
            fail_msg("%s, allocation %zu failed: the status is '%s' (%s)", what, nth,
                     fc_status_text(status), error.text);
        if (has_error && !strstr(error.text, "memory"))
            fail_msg("%s, allocation %zu failed: the sentence is '%s'", what, nth, error.text);
    }
    if (nth == 1)
        fail_msg("%s: nothing was allocated, so nothing was tested", what);
    print_message("%s: %zu allocations\n", what, nth - 1);
}

static inline void fail_each_allocation(const char *what, attempt call, const trial *about,
                                        bool has_error) {
    fail_allocations(what, call, about, has_error, 1);
}

static inline void *allocate_for_jansson(size_t bytes) {
    return fc_allocate(bytes, 1);
}

/* What Jansson asks for can fail too, from one call to the next: no tree may outlive that. */
static inline void let_jansson_fail(bool may) {
    json_set_alloc_funcs(may ? allocate_for_jansson : malloc, may ? fc_release : free);
}

/* An out-parameter must still hold what it held. */
static char untouched_mark;
#define UNTOUCHED ((void *)&untouched_mark)

#else

static inline void test_not_here(void **state) {
    (void)state;
    skip();
}

#endif

#endif
