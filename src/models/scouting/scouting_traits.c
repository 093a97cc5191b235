/* Traits of networks with scouting: few numbers, since few were simulated. Their shape, and what
 * scouting-sharing says of them at two reference loads: a light one, and one near the largest at
 * which it has an answer. */
#include "models/scouting/scouting_traits.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/scouting/scouting_paths.h"
#include "scenario/scenario.h"

/* The first reference load, as a share of the capacity; the second, as a share of the model's
 * saturation load, which is found so precisely. */
static const double light = 0.15, heavy = 0.65, precision = 5e-3;

enum { SHAPE = 7, LIGHT = 3, HEAVY = 8, INPUTS = SHAPE + LIGHT + HEAVY + 1 + FC_PRIORS };
static const char *const whole_names[] = {"log flits",
                                          "log channels",
                                          "scouting distance",
                                          "log hops",
                                          "log dimensions",
                                          "log flits over hops",
                                          "most hops",
                                          "light: log excess",
                                          "light: sharing",
                                          "light: path wait",
                                          "heavy: log excess",
                                          "heavy: sharing",
                                          "heavy: path wait",
                                          "heavy: source wait",
                                          "heavy: ejection wait",
                                          "heavy: astray",
                                          "heavy: full",
                                          "heavy: held",
                                          "log capacity over saturation",
                                          FC_PRIOR_NAMES,
                                          NULL};
_Static_assert(sizeof whole_names == (INPUTS + 1) * sizeof *whole_names, "a name each");
static const char *const none[] = {NULL};
const fc_trait_names fc_scouting_trait_names = {whole_names, none, none};

static void read_shape(const fc_torus *torus, const fc_scouting_paths *paths, double *x) {
    double most = 0, dimensions = 0;
    for (size_t i = 0; i < paths->dimensions; ++i) {
        most = fmax(most, paths->hops[i] / paths->distance);
        dimensions += torus->radix.values[i] > 1;
    }
    const double flits = (double)torus->message_flits;
    const double values[SHAPE] = {log(flits),
                                  log((double)torus->virtual_channels),
                                  (double)torus->scouting_distance,
                                  log(paths->distance),
                                  log(fmax(1, dimensions)),
                                  log(flits / paths->distance),
                                  most};
    memcpy(x, values, sizeof values);
}

/* ---- the empty network ---- */

static double alone(const fc_torus *torus, double hops) {
    const double lead = fmax((double)torus->scouting_distance, 1);
    return (double)torus->message_flits + (hops >= lead ? hops + 2 * lead - 1 : 3 * hops + 1);
}

static void read_empty(const fc_torus *torus, const fc_scouting_paths *paths, double mean,
                       double *empty) {
    static const double levels[] = {[FC_P50] = 0.5, [FC_P95] = 0.95, [FC_P99] = 0.99};
    empty[FC_MEAN] = mean;
    for (int k = FC_P50; k < FC_LATENCIES; ++k) {
        size_t hops = 0;
        double sum = 0;
        while (hops < paths->longest && (sum += paths->spread[hops]) < levels[k])
            ++hops;
        empty[k] = alone(torus, (double)hops);
    }
}

/* ---- the state at a load ---- */

static double excess_of(const fc_scouting_solution *solution) {
    return solution->network + solution->source_wait - solution->empty;
}

static bool look_at(fc_scouting_solver *solver, double rate, fc_scouting_solution *solution) {
    fc_scouting_solve(solver, rate, solution);
    return !solution->saturated && excess_of(solution) > 0;
}

static void read_heavy(const fc_torus *torus, const fc_scouting_solution *solution, double *x) {
    const double excess = excess_of(solution);
    double full = 0, held = 0;
    for (size_t i = 0; i < torus->radix.count; ++i) {
        full = fmax(full, solution->full[i]);
        held = fmax(held, solution->held[i] / (double)torus->virtual_channels);
    }
    const double values[HEAVY] = {log(excess / solution->empty),
                                  solution->sharing / excess,
                                  solution->path_wait / excess,
                                  solution->source_wait / excess,
                                  solution->ejection_wait / excess,
                                  solution->astray / excess,
                                  full,
                                  held};
    memcpy(x, values, sizeof values);
}

/* False: no answer at the light load. */
static bool read_states(const fc_torus *torus, fc_scouting_solver *solver, double capacity,
                        fc_scouting_solution *first, double *x) {
    if (!look_at(solver, light * capacity, first))
        return false;
    const double excess = excess_of(first);
    const double values[LIGHT] = {log(excess / first->empty), first->sharing / excess,
                                  first->path_wait / excess};
    memcpy(x, values, sizeof values);
    fc_scouting_solution second;
    const double low = light * capacity;
    const double most = fmax(low, fc_scouting_limit(solver, capacity, precision));
    const bool found = look_at(solver, heavy * most, &second);
    read_heavy(torus, found ? &second : first, x + LIGHT);
    x[LIGHT + HEAVY] = log(capacity / most);
    const fc_model_answers answers = {capacity,
                                      most,
                                      {low, found ? heavy * most : low},
                                      {excess, found ? excess_of(&second) : excess},
                                      excess / low};
    fc_prior_of(&answers, x + LIGHT + HEAVY + 1);
    return true;
}

fc_status fc_scouting_traits(const fc_scenario *scenario, void *prepared, fc_error *error,
                             fc_traits **traits) {
    const fc_torus *torus = scenario->parameters;
    fc_scouting_solver *solver = prepared;
    const fc_scouting_paths *paths = fc_scouting_solver_paths(solver);
    const double capacity = fc_scouting_capacity(torus);
    double values[INPUTS];
    fc_scouting_solution first;
    fc_traits *made;
    *traits = NULL;
    read_shape(torus, paths, values);
    if (!read_states(torus, solver, capacity, &first, values + SHAPE))
        return FC_OK;
    const fc_status status =
        fc_traits_of_whole(&fc_scouting_trait_names, values, capacity, error, &made);
    if (status != FC_OK)
        return status;
    made->lanes[0].unit = (float)(excess_of(&first) / (light * capacity));
    read_empty(torus, paths, first.empty, made->empty);
    *traits = made;
    return FC_OK;
}
