#include "studies/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "registry/method.h"
#include "registry/metrics.h"
#include "scenario/scenario.h"

static const double points_max = 1e9;

void fc_space_free(fc_space *space) {
    fc_release(space);
}

/* ---- names ---- */

static bool is_setting(const fc_optimize_settings *settings, const char *name) {
    for (size_t a = 0; a < settings->axis_count; ++a) {
        if (strcmp(settings->axes[a].key, name) == 0)
            return true;
    }
    for (size_t d = 0; d < settings->derived_count; ++d) {
        if (strcmp(settings->derived[d].key, name) == 0)
            return true;
    }
    return false;
}

static fc_status check_names(const fc_space *space, const fc_expression *expression, bool metrics,
                             fc_error *error) {
    for (size_t i = 0; i < expression->name_count; ++i) {
        const char *name = expression->names[i];
        double unused;
        if (strcmp(name, "nodes") == 0 || is_setting(space->settings, name) ||
            fc_scenario_number(space->base, name, NULL, &unused) == FC_OK ||
            (metrics && fc_metric_find(name)))
            continue;
        const char *names[FC_METRICS];
        fc_metric_names(names);
        const char *nearest = fc_nearest(name, names);
        return fc_fail(error, FC_ERROR_INPUT, "'%s' is neither a number of this scenario%s%s%s%s",
                       name, metrics ? " nor a metric" : " nor a varied key",
                       metrics && nearest ? "; did you mean '" : "",
                       metrics && nearest ? nearest : "", metrics && nearest ? "'?" : "");
    }
    return FC_OK;
}

static fc_status read_expression(const fc_space *space, const char *text, bool metrics,
                                 fc_error *error, fc_expression *expression) {
    const fc_status status = fc_expression_parse(text, error, expression);
    return status == FC_OK ? check_names(space, expression, metrics, error) : status;
}

static fc_status check_grid(fc_space *space, fc_error *error) {
    const fc_optimize_settings *settings = space->settings;
    double product = 1;
    for (size_t a = 0; a < settings->axis_count; ++a)
        product *= (double)settings->axes[a].count;
    space->setting_count = settings->axis_count + settings->derived_count;
    if (space->setting_count > FC_SPACE_KEYS || settings->constraint_count > FC_SPACE_CONSTRAINTS)
        return fc_fail(error, FC_ERROR_INPUT, "at most %d keys and %d constraints are possible",
                       FC_SPACE_KEYS, FC_SPACE_CONSTRAINTS);
    if (product > points_max)
        return fc_fail(error, FC_ERROR_INPUT, "the grid has %.3g points; at most %.0g are possible",
                       product, points_max);
    space->points = (size_t)product;
    return FC_OK;
}

fc_status fc_space_create(const fc_scenario *base, const fc_optimize_settings *settings,
                          fc_error *error, fc_space **space) {
    fc_space *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->base = base;
    made->settings = settings;
    fc_status status = check_grid(made, error);
    if (status == FC_OK)
        status = read_expression(made, settings->objective, true, error, &made->objective);
    if (status == FC_OK && settings->second)
        status = read_expression(made, settings->second, true, error, &made->second);
    for (size_t c = 0; c < settings->constraint_count && status == FC_OK; ++c)
        status =
            read_expression(made, settings->constraints[c], true, error, &made->constraints[c]);
    for (size_t d = 0; d < settings->derived_count && status == FC_OK; ++d)
        status = read_expression(made, settings->derived[d].value, false, error, &made->derived[d]);
    if (status != FC_OK) {
        fc_space_free(made);
        return status;
    }
    *space = made;
    return FC_OK;
}

/* ---- points ---- */

static double setting_value(const fc_setting *settings, size_t count, const char *name,
                            const fc_scenario *base) {
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(settings[i].key, name) == 0) {
            char *end;
            const double value = strtod(settings[i].value, &end);
            return *end ? NAN : value;
        }
    }
    double value;
    return fc_scenario_number(base, name, NULL, &value) == FC_OK ? value : NAN;
}

void fc_space_settings(const fc_space *space, size_t point, fc_setting *settings,
                       char texts[FC_SPACE_KEYS][32]) {
    const fc_optimize_settings *given = space->settings;
    for (size_t a = given->axis_count; a-- > 0;) {
        const fc_axis *axis = &given->axes[a];
        settings[a] = (fc_setting){axis->key, axis->values[point % axis->count], axis->label};
        point /= axis->count;
    }
    for (size_t d = 0; d < given->derived_count; ++d) {
        const fc_expression *expression = &space->derived[d];
        const size_t at = given->axis_count + d;
        double values[FC_EXPRESSION_NAMES];
        for (size_t i = 0; i < expression->name_count; ++i)
            values[i] = setting_value(settings, at, expression->names[i], space->base);
        snprintf(texts[d], 32, "%.15g", fc_expression_evaluate(expression, values));
        settings[at] = (fc_setting){given->derived[d].key, texts[d], given->derived[d].label};
    }
}

/* What the network is built of is known without a method. */
static double count_of(const fc_scenario *scenario, const char *name) {
    fc_counts counts;
    if (fc_scenario_counts(scenario, NULL, &counts) != FC_OK)
        return NAN;
    return fc_count_of(&counts, fc_metric_find(name));
}

static double evaluate(const fc_expression *expression, const fc_scenario *scenario,
                       const fc_result *result) {
    double values[FC_EXPRESSION_NAMES];
    for (size_t i = 0; i < expression->name_count; ++i) {
        const char *name = expression->names[i];
        const fc_metric *metric = result ? fc_result_metric(result, name) : NULL;
        values[i] = NAN;
        if (strcmp(name, "nodes") == 0)
            values[i] = scenario->family->nodes(scenario->parameters);
        else if (metric)
            values[i] = metric->value;
        else if (fc_metric_is_count(name))
            values[i] = count_of(scenario, name);
        else
            fc_scenario_number(scenario, name, NULL, &values[i]);
    }
    return fc_expression_evaluate(expression, values);
}

double fc_space_objective(const fc_space *space, const fc_scenario *scenario,
                          const fc_result *result) {
    return evaluate(&space->objective, scenario, result);
}

double fc_space_second(const fc_space *space, const fc_scenario *scenario,
                       const fc_result *result) {
    return evaluate(&space->second, scenario, result);
}

/* Whether an expression names a metric that the result does not have. */
static bool lacks(const fc_expression *expression, const fc_scenario *scenario,
                  const fc_result *result) {
    for (size_t i = 0; i < expression->name_count; ++i) {
        const char *name = expression->names[i];
        double unused;
        if (fc_metric_find(name) && !fc_metric_is_count(name) &&
            !(result && fc_result_metric(result, name)) &&
            fc_scenario_number(scenario, name, NULL, &unused) != FC_OK)
            return true;
    }
    return false;
}

static bool holds(const fc_expression *constraint, const fc_scenario *scenario,
                  const fc_result *result) {
    const double held = evaluate(constraint, scenario, result);
    return held != 0 && !isnan(held);
}

bool fc_space_feasible(const fc_space *space, const fc_scenario *scenario,
                       const fc_result *result) {
    bool feasible = true;
    for (size_t c = 0; c < space->settings->constraint_count; ++c)
        feasible &= holds(&space->constraints[c], scenario, result);
    return feasible;
}

bool fc_space_judges_results(const fc_space *space) {
    for (size_t c = 0; c < space->settings->constraint_count; ++c)
        if (lacks(&space->constraints[c], space->base, NULL))
            return true;
    return false;
}

/* Checks what follows from the result (NULL: none); the state says what only a simulation decides.
 */
static fc_point_state judge(const fc_space *space, const fc_scenario *scenario,
                            const fc_result *result, const fc_point *evaluated) {
    bool open = lacks(&space->objective, scenario, result);
    for (size_t c = 0; c < space->settings->constraint_count; ++c) {
        if (lacks(&space->constraints[c], scenario, result))
            open = true;
        else if (!holds(&space->constraints[c], scenario, result))
            return FC_POINT_INFEASIBLE;
    }
    if (!result)
        return FC_POINT_UNMODELLED;
    const bool known = isfinite(evaluated->objective) || lacks(&space->objective, scenario, result);
    if (!known || result->outcome != FC_OUTCOME_OK ||
        (space->settings->second && !isfinite(evaluated->second)))
        return FC_POINT_INFEASIBLE;
    return open ? FC_POINT_OPEN : FC_POINT_FEASIBLE;
}

/* In place of an objective that the model does not have. */
static double rank_by_main_metric(const fc_result *result) {
    const fc_metric *metric = fc_result_metric(result, result->main_metric);
    const bool higher =
        fc_metrics[fc_metric_find(result->main_metric)].better == FC_HIGHER_IS_BETTER;
    return !metric ? INFINITY : higher ? -metric->value : metric->value;
}

static void evaluate_result(const fc_space *space, const fc_scenario *scenario,
                            const fc_result *result, fc_point *evaluated) {
    evaluated->objective = evaluate(&space->objective, scenario, result);
    if (space->settings->second)
        evaluated->second = evaluate(&space->second, scenario, result);
    const double sign = space->settings->maximize ? -1 : 1;
    evaluated->rank =
        isfinite(evaluated->objective) ? sign * evaluated->objective : rank_by_main_metric(result);
    evaluated->state = judge(space, scenario, result, evaluated);
}

/* The objective with the main metric at one end of its interval. */
static double objective_at(const fc_space *space, const fc_scenario *scenario, fc_result *result,
                           double end) {
    for (size_t m = 0; m < result->metric_count; ++m)
        if (strcmp(result->metrics[m].name, result->main_metric) == 0)
            result->metrics[m].value = end;
    return fc_space_objective(space, scenario, result);
}

fc_status fc_space_range(const fc_space *space, const fc_setting *settings, fc_error *error,
                         fc_range *range) {
    fc_scenario *scenario;
    fc_result *result;
    double low, high;
    *range = (fc_range){NAN, NAN};
    fc_status status =
        fc_scenario_with(space->base, settings, space->setting_count, error, &scenario);
    if (status != FC_OK)
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    status = fc_predict(scenario, space->settings->model, error, &result);
    if (status == FC_OK) {
        if (fc_result_interval(result, &low, &high)) {
            const double one = objective_at(space, scenario, result, low);
            const double other =
                isfinite(high) ? objective_at(space, scenario, result, high) : (double)INFINITY;
            *range = (fc_range){fmin(one, other), fmax(one, other)};
        }
        fc_result_free(result);
    }
    fc_scenario_free(scenario);
    return status == FC_ERROR_MEMORY ? status : FC_OK;
}

fc_status fc_space_evaluate(const fc_space *space, size_t point, fc_error *error,
                            fc_point *evaluated) {
    fc_setting settings[FC_SPACE_KEYS];
    char texts[FC_SPACE_KEYS][32];
    fc_scenario *scenario;
    fc_result *result;
    const fc_simulator *simulator;
    *evaluated = (fc_point){FC_POINT_INVALID, NAN, NAN, INFINITY};
    fc_space_settings(space, point, settings, texts);
    fc_status status =
        fc_scenario_with(space->base, settings, space->setting_count, error, &scenario);
    if (status != FC_OK)
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    status = fc_predict(scenario, space->settings->model, error, &result);
    if (status == FC_OK) {
        evaluate_result(space, scenario, result, evaluated);
        fc_result_free(result);
    } else if (status == FC_ERROR_UNSUPPORTED && fc_model_is_default(space->settings->model) &&
               fc_simulator_choose(scenario, NULL, &simulator) == FC_OK) {
        evaluated->state = judge(space, scenario, NULL, evaluated);
    }
    fc_scenario_free(scenario);
    return status == FC_ERROR_MEMORY ? status : FC_OK;
}
