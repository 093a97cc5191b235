/* Traits of open tori and meshes: their shape, and what torus-sharing says of them at two reference
 * loads: a light one, at which it has an answer in every network that was simulated, and one near
 * the largest at which it has one. */
#include "models/torus/torus_traits.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/torus/torus_sharing_parts.h"

/* The first reference load, as a share of the capacity; the second, as a share of the model's
 * saturation load. */
static const double light = 0.2, heavy = 0.65;

enum { SHAPE = 22, STATE = 11, INPUTS = SHAPE + 2 * STATE + 1 };
static const char *const whole_names[] = {"log flits",
                                          "log channels",
                                          "log blocking channels",
                                          "log ejection channels",
                                          "log injection channels",
                                          "log hops",
                                          "mesh",
                                          "unidirectional",
                                          "dateline",
                                          "free channels",
                                          "idle cycle",
                                          "log dimensions",
                                          "most hops",
                                          "last hops",
                                          "log shortest",
                                          "log longest",
                                          "log flits over hops",
                                          "log channels over ejection",
                                          "log channels over injection",
                                          "log flits at capacity",
                                          "log first radix",
                                          "log last radix",
                                          "light: log excess",
                                          "light: blocking",
                                          "light: source wait",
                                          "light: header delay",
                                          "light: ejection wait",
                                          "light: wait along",
                                          "light: slowness",
                                          "light: blocked",
                                          "light: held",
                                          "light: injection load",
                                          "light: ejection load",
                                          "heavy: log excess",
                                          "heavy: blocking",
                                          "heavy: source wait",
                                          "heavy: header delay",
                                          "heavy: ejection wait",
                                          "heavy: wait along",
                                          "heavy: slowness",
                                          "heavy: blocked",
                                          "heavy: held",
                                          "heavy: injection load",
                                          "heavy: ejection load",
                                          "log capacity over saturation",
                                          NULL};
_Static_assert(sizeof whole_names == (INPUTS + 1) * sizeof *whole_names, "a name each");
static const char *const none[] = {NULL};
const fc_trait_names fc_torus_trait_names = {whole_names, none, none};

/* ---- shape ---- */

typedef struct extents {
    double shortest, longest;       /* nodes along a dimension of at least two */
    double most_hops, last_hops;    /* shares of the hops: the largest, the last crossed */
    double first_nodes, last_nodes; /* along the dimensions crossed first and last */
} extents;

static extents measure(const fc_sharing_solver *solver) {
    extents e = {.shortest = INFINITY};
    double hops = 0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const fc_ring_paths *paths = &solver->dimension[d].paths;
        const double nodes = (double)paths->radix;
        e.shortest = fmin(e.shortest, nodes);
        e.longest = fmax(e.longest, nodes);
        e.most_hops = fmax(e.most_hops, paths->mean_hops);
        e.last_hops = paths->mean_hops;
        e.last_nodes = nodes;
        e.first_nodes = d == 0 ? nodes : e.first_nodes;
        hops += paths->mean_hops;
    }
    e.most_hops /= hops;
    e.last_hops /= hops;
    return e;
}

static void read_shape(const fc_sharing_solver *solver, double *x) {
    const fc_sharing_case *input = &solver->input;
    const extents e = measure(solver);
    const double channels = input->channels, flits = input->flits, hops = solver->mean_hops;
    const double values[SHAPE] = {
        log(flits),
        log(channels),
        log((double)solver->blockers),
        log((double)input->ejection_channels),
        log((double)input->injection_channels),
        log(hops),
        input->kind == FC_LINE,
        input->kind == FC_UNIDIRECTIONAL_RING,
        input->rule == FC_DATELINE,
        input->rule == FC_FREE,
        input->idle_cycle,
        log((double)solver->dimensions),
        e.most_hops,
        e.last_hops,
        log(e.shortest),
        log(e.longest),
        log(flits / hops),
        log(channels / input->ejection_channels),
        log(channels / input->injection_channels),
        log(solver->limit * flits), /* below 0: links of the network fill before those of nodes */
        log(e.first_nodes),
        log(e.last_nodes)};
    memcpy(x, values, sizeof values);
}

/* ---- the empty network ---- */

/* P(h hops), h = 0 .. the longest path, of messages to any other node. Room for them; returns how
 * many there are. */
static size_t find_hops(const fc_sharing_solver *solver, double *chance, double *before) {
    size_t count = 1;
    chance[0] = 1;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const fc_ring_paths *paths = &solver->dimension[d].paths;
        memcpy(before, chance, count * sizeof *chance);
        for (size_t h = 0; h < count + (size_t)paths->longest; ++h)
            chance[h] = h < count ? before[h] * (1 - paths->crossed) : 0;
        for (size_t h = 0; h < count; ++h)
            for (int64_t s = 1; s <= paths->longest; ++s)
                chance[h + (size_t)s] += before[h] * paths->crossed * fc_ring_distance(paths, s);
        count += (size_t)paths->longest;
    }
    chance[0] = 0;
    return count;
}

static double quantile_of(const double *chance, size_t count, double level) {
    double all = 0, sum = 0;
    for (size_t h = 0; h < count; ++h)
        all += chance[h];
    size_t at = 0;
    while (at + 1 < count && (sum += chance[at]) < level * all)
        ++at;
    return (double)at;
}

static bool read_empty(const fc_sharing_solver *solver, fc_traits *traits) {
    static const double levels[] = {[FC_P50] = 0.5, [FC_P95] = 0.95, [FC_P99] = 0.99};
    size_t longest = 1;
    for (size_t d = 0; d < solver->dimensions; ++d)
        longest += (size_t)solver->dimension[d].paths.longest;
    double *chance = fc_allocate(2 * longest, sizeof *chance);
    if (!chance)
        return false;
    const size_t count = find_hops(solver, chance, chance + longest);
    traits->empty[FC_MEAN] = solver->mean_hops + solver->input.flits;
    for (int k = FC_P50; k < FC_LATENCIES; ++k)
        traits->empty[k] = quantile_of(chance, count, levels[k]) + solver->input.flits;
    fc_release(chance);
    return true;
}

/* ---- the state at a load ---- */

static void read_state(const fc_sharing_solver *solver, const fc_sharing_solution *solution,
                       double empty, double *x) {
    const double excess = solution->latency - empty;
    double state[FC_SHARING_STATES];
    const size_t states = fc_sharing_read_state(solver, solution, state);
    assert(states >= STATE - 3);
    (void)states;
    x[0] = log(excess / empty);
    x[1] = solution->blocking / excess;
    x[2] = solution->source_wait / excess;
    memcpy(x + 3, state, (STATE - 3) * sizeof *x);
}

/* False: no answer at the light load. */
static bool read_states(fc_sharing_solver *solver, double empty, double *excess, double *x) {
    fc_sharing_solution solution;
    if (!fc_sharing_look_at(solver, light * solver->limit, true, &solution) ||
        !(solution.latency > empty))
        return false;
    *excess = solution.latency - empty;
    read_state(solver, &solution, empty, x);
    const double most = fc_sharing_rough_saturation(solver);
    x[2 * STATE] = log(solver->limit / fmax(most, light * solver->limit));
    if (!fc_sharing_look_at(solver, heavy * most, true, &solution) || !(solution.latency > empty))
        memcpy(x + STATE, x, STATE * sizeof *x);
    else
        read_state(solver, &solution, empty, x + STATE);
    return true;
}

fc_status fc_torus_traits(const fc_scenario *scenario, void *prepared, fc_error *error,
                          fc_traits **traits) {
    fc_sharing_solver *solver = prepared;
    const double empty = solver->mean_hops + solver->input.flits;
    double values[INPUTS], excess;
    fc_traits *made;
    (void)scenario;
    *traits = NULL;
    read_shape(solver, values);
    if (!read_states(solver, empty, &excess, values + SHAPE))
        return FC_OK;
    const fc_status status =
        fc_traits_of_whole(&fc_torus_trait_names, values, solver->limit, error, &made);
    if (status != FC_OK)
        return status;
    made->lanes[0].unit = (float)(excess / (light * solver->limit));
    if (!read_empty(solver, made)) {
        fc_traits_free(made);
        return fc_fail_memory(error);
    }
    *traits = made;
    return FC_OK;
}
