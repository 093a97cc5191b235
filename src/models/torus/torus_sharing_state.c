/* What the correction of torus-sharing sees of a solution, beside its latency. */
#include <math.h>
#include "models/torus/torus_sharing_parts.h"

size_t fc_sharing_read_state(const fc_sharing_solver *solver, const fc_sharing_solution *solution,
                             double *state) {
    const double empty = solver->mean_hops + solver->input.flits;
    const double excess = fmax(1e-9 * empty, solution->latency - empty);
    const double open = solver->separate ? solver->blockers : solver->input.channels;
    double blocked = 0.0, held = 0.0, along = 0.0; /* the first two: at the worst position */
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const dimension *dim = &solver->dimension[d];
        along += solver->correction * dim->paths.mean_hops * dim->wait_along;
        for (int a = 0; a < dim->positions; ++a)
            for (int class = 0; class < 2; ++class) {
                const position *p = &dim->position[a];
                const double share = solver->separate ? p->share[class] : 1.0;
                blocked = fmax(blocked, p->blocked[class]);
                held = fmax(held, dim->rate * p->load * share * p->held[class] / open);
            }
    }
    const double values[] = {solution->header_delay / excess,
                             solver->ejection_wait / excess,
                             along / excess,
                             solution->slowness,
                             blocked,
                             held,
                             solver->injection.load,
                             solver->ejection.load,
                             log(solver->rate / solver->limit)};
    const size_t count = sizeof values / sizeof *values;
    for (size_t i = 0; i < count; ++i)
        state[i] = values[i];
    return count;
}
