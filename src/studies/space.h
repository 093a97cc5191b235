/* A grid of configurations with derived keys, objectives and constraints: what optimize searches.
 */
#ifndef FC_STUDIES_SPACE_H
#define FC_STUDIES_SPACE_H

#include "flitcast/flitcast.h"
#include "base/expression.h"

enum { FC_SPACE_KEYS = 24, FC_SPACE_CONSTRAINTS = 16 };

typedef enum fc_point_state {
    FC_POINT_FEASIBLE,
    FC_POINT_OPEN,       /* as far as the model can tell: the objective or a constraint names a
                            metric that only a simulation has */
    FC_POINT_UNMODELLED, /* no model covers it, a simulator does */
    FC_POINT_INFEASIBLE, /* a constraint is not met, or the network is saturated */
    FC_POINT_INVALID,    /* not a scenario, or not covered */
} fc_point_state;

typedef struct fc_space {
    const fc_scenario *base;
    const fc_optimize_settings *settings;
    fc_expression objective, second, constraints[FC_SPACE_CONSTRAINTS];
    fc_expression derived[FC_SPACE_KEYS];
    size_t points;
    size_t setting_count; /* axes, then derived keys */
} fc_space;

typedef struct fc_point {
    fc_point_state state;
    double objective, second; /* by the model; NaN: not known to it */
    double rank; /* smaller is better: the objective, else the main metric in its place; infinity
                    without a model */
} fc_point;

/* Parses the expressions and checks every name in them. */
fc_status fc_space_create(const fc_scenario *base, const fc_optimize_settings *settings,
                          fc_error *error, fc_space **space);
void fc_space_free(fc_space *space);

/* The settings of a point. texts: where values of derived keys are written. */
void fc_space_settings(const fc_space *space, size_t point, fc_setting *settings,
                       char texts[FC_SPACE_KEYS][32]);
/* Only failures of the machine (memory) are errors; of an invalid point the error says why. */
fc_status fc_space_evaluate(const fc_space *space, size_t point, fc_error *error,
                            fc_point *evaluated);
/* Between which two the objective lies with 90 %, by the interval of the scenario's main metric;
 * both NaN: not known. Only failures of the machine are errors. */
typedef struct fc_range {
    double low, high;
} fc_range;
fc_status fc_space_range(const fc_space *space, const fc_setting *settings, fc_error *error,
                         fc_range *range);
/* The objective of any result of the scenario, for example a simulation's. */
double fc_space_objective(const fc_space *space, const fc_scenario *scenario,
                          const fc_result *result);
double fc_space_second(const fc_space *space, const fc_scenario *scenario, const fc_result *result);
/* Whether it meets all constraints. */
bool fc_space_feasible(const fc_space *space, const fc_scenario *scenario, const fc_result *result);
/* Whether a constraint is about what a network does, not only about what it is. */
bool fc_space_judges_results(const fc_space *space);

#endif
