/* Why a result is what it is, and what would change it.
 *
 * Parts and utilisations are the method's own. The levers are found by trying: every number of the
 * scenario is moved down and up while all else stays, by 5 % where it is real and to the nearest
 * value that makes a valid scenario where it is whole (one more or less, else a few more, else a
 * multiple); every choice (routing, channel rule, topology, ...) is replaced by each of its others.
 * The same kind of forecast evaluates base and changes, so a difference is never one between
 * models; what it does not cover is left out. A saturated network is judged by its saturation load.
 * The elasticity is the slope between the two outer points in logarithms: exact for a power law,
 * and within the square of the step otherwise.
 *
 * Where no model covers the scenario, the simulator takes its place, with the same seed for all
 * (common random numbers), steps of 10 %, and the noise of a difference stated.
 *
 * What would raise the saturation load is put in an order of its own. In a graph, links that could
 * be there besides are tried (explain_links.h). Where a change leads to networks of a kind that the
 * correction does not know, it is compared by the model alone with the base by the model alone, and
 * the ratio counts.
 *
 * Of a network with failures, each of them is repaired, up to 32.
 *
 * Lists of whole numbers whose product is the number of nodes (the radix of a torus, the rings of a
 * hierarchy) can also be rearranged: a prime factor moves from one entry to another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/pool.h"
#include "forecast/forecast.h"
#include "scenario/scenario_numbers.h"
#include "studies/evaluate.h"
#include "studies/explain_carriers.h"
#include "studies/explain_links.h"
#include "studies/explain_repairs.h"
#include "studies/run.h"

enum { NUMBERS_MAX = 64, LEVERS_MAX = 128, BUSIEST_MAX = 8, TRIES_MAX = 12 };
static const double model_step = 0.05;
static const double simulation_step = 0.1; /* larger, so that it stands out of the noise */
static const double simulated_precision = 0.02;
static const double nothing = 1e-9; /* a relative change that is none */

struct trial {
    size_t lever;
    bool up;
};

/* What came of a trial. */
struct answer {
    bool covered;
    fc_outcome outcome;
    double metric, saturation;
};

struct explaining {
    const fc_scenario *base;
    const char *asked;        /* model; NULL: the forecast */
    fc_forecast *forecast;    /* of the base; NULL: no model covers it */
    struct answer base_alone; /* by the model without a correction; not covered: the same */
    fc_explanation *explanation;
    double step; /* of real numbers, relative */
    bool out_of_memory;
    fc_scenario *scenarios[2 * LEVERS_MAX + 1]; /* the last one is the base itself */
    struct trial trials[2 * LEVERS_MAX];
    size_t trial_count;
    size_t carrier; /* the trial with the largest saturation load, of those that count; or none */
    double carried; /* that load */
};

const char *fc_lever_kind_name(fc_lever_kind kind) {
    static const char *const names[] = {"network", "shape", "size", "traffic"};
    return names[kind];
}

void fc_explanation_free(fc_explanation *explanation) {
    if (!explanation)
        return;
    fc_result_free(explanation->result);
    fc_release(explanation->busiest);
    fc_release(explanation->levers);
    free(explanation->scenario);
    fc_release(explanation);
}

/* ---- what to try ---- */

static double nodes_of(const fc_scenario *scenario) {
    return scenario->family->nodes(scenario->parameters);
}

/* The scenario with one value changed, or NULL if that is not a valid one. */
static fc_scenario *changed(struct explaining *all, const char *key, const char *value) {
    const fc_setting setting = {key, value};
    fc_scenario *scenario;
    const fc_status status = fc_scenario_with(all->base, &setting, 1, NULL, &scenario);
    all->out_of_memory |= status == FC_ERROR_MEMORY;
    return status == FC_OK ? scenario : NULL;
}

static void add_trial(struct explaining *all, size_t lever, bool up, const char *value,
                      fc_scenario *scenario) {
    fc_lever *moved = &all->explanation->levers[lever];
    fc_step *step = up ? &moved->up : &moved->down;
    snprintf(step->value, sizeof step->value, "%s", value);
    all->trials[all->trial_count] = (struct trial){lever, up};
    all->scenarios[all->trial_count++] = scenario;
}

/* The values to try for a whole number, nearest first; returns how many. */
static size_t whole_steps(double value, bool up, double steps[TRIES_MAX]) {
    static const double near[] = {1, 2, 3, 4, 6, 8};
    static const double factors[] = {2, 3, 4, 8, 16, 32};
    size_t count = 0;
    for (size_t i = 0; i < sizeof near / sizeof *near; ++i) {
        const double tried = up ? value + near[i] : value - near[i];
        if (tried >= 0 && near[i] < fmax(2, value))
            steps[count++] = tried;
    }
    for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i) {
        const double tried = up ? value * factors[i] : value / factors[i];
        if (value > 0 && tried >= 1 && tried == floor(tried))
            steps[count++] = tried;
    }
    return count;
}

static void try_number(struct explaining *all, const fc_scenario_value *number, bool up) {
    double steps[TRIES_MAX] = {number->value * (up ? 1 + all->step : 1 - all->step)};
    const size_t count = number->whole        ? whole_steps(number->value, up, steps)
                         : number->value != 0 ? 1
                                              : 0;
    for (size_t i = 0; i < count; ++i) {
        char text[32];
        snprintf(text, sizeof text, number->whole ? "%.15g" : "%.6g", steps[i]);
        fc_scenario *scenario = changed(all, number->key, text);
        if (scenario) {
            add_trial(all, all->explanation->lever_count, up, text, scenario);
            return;
        }
    }
}

/* A number of nodes along something is whole for whoever builds it, even where a model would take
 * fractions. */
static bool counts_nodes(struct explaining *all, const fc_scenario_value *number) {
    char text[32];
    if (number->value != floor(number->value))
        return false;
    snprintf(text, sizeof text, "%.15g", number->value + 1);
    fc_scenario *scenario = changed(all, number->key, text);
    const bool counts = scenario && nodes_of(scenario) != nodes_of(all->base);
    fc_scenario_free(scenario);
    return counts;
}

static void add_number(struct explaining *all, fc_scenario_value *number) {
    const size_t first = all->trial_count;
    number->whole = number->whole || counts_nodes(all, number);
    fc_lever *lever = &all->explanation->levers[all->explanation->lever_count];
    *lever = (fc_lever){.elasticity = NAN};
    memcpy(lever->key, number->key, sizeof lever->key);
    snprintf(lever->value, sizeof lever->value, number->whole ? "%.15g" : "%.6g", number->value);
    try_number(all, number, false);
    try_number(all, number, true);
    lever->kind = strncmp(number->key, "network.", 8) == 0 ? FC_LEVER_NETWORK : FC_LEVER_TRAFFIC;
    for (size_t i = first; i < all->trial_count; ++i) {
        if (nodes_of(all->scenarios[i]) != nodes_of(all->base))
            lever->kind = FC_LEVER_SIZE;
    }
    if (all->trial_count > first)
        ++all->explanation->lever_count;
}

static void list_text(const fc_integer_list *list, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "[");
    for (size_t i = 0; i < list->count && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "",
                                 (long long)list->values[i]);
    if (used < size)
        snprintf(text + used, size - used, "]");
}

/* Moves the smallest prime factor of entry `from` to entry `to`. */
static void add_shape(struct explaining *all, const fc_key *key, const fc_integer_list *list,
                      size_t from, size_t to) {
    fc_integer_list moved = *list;
    int64_t prime = 2;
    while (prime < moved.values[from] && moved.values[from] % prime)
        ++prime;
    if (prime >= moved.values[from])
        return; /* would leave an entry of 1 */
    moved.values[from] /= prime;
    moved.values[to] *= prime;
    char text[96];
    list_text(&moved, text, sizeof text);
    fc_scenario *scenario = changed(all, key->path, text);
    if (!scenario)
        return;
    if (nodes_of(scenario) != nodes_of(all->base)) {
        fc_scenario_free(scenario);
        return;
    }
    fc_lever *lever = &all->explanation->levers[all->explanation->lever_count];
    *lever = (fc_lever){.kind = FC_LEVER_SHAPE, .elasticity = NAN};
    snprintf(lever->key, sizeof lever->key, "%s", key->path);
    list_text(list, lever->value, sizeof lever->value);
    add_trial(all, all->explanation->lever_count, true, text, scenario);
    ++all->explanation->lever_count;
}

/* A list of whole numbers at a key, also if fractions were allowed; empty if it is none. */
static fc_integer_list whole_list(const fc_key *key, const void *field) {
    fc_integer_list list = {0};
    if (key->type == FC_KEY_INTEGERS)
        return *(const fc_integer_list *)field;
    const fc_number_list *numbers = field;
    for (size_t i = 0; key->type == FC_KEY_NUMBERS && i < numbers->count; ++i) {
        if (numbers->values[i] != floor(numbers->values[i]))
            return (fc_integer_list){0};
        list.values[list.count++] = (int64_t)numbers->values[i];
    }
    return list;
}

static void add_shapes(struct explaining *all) {
    for (const fc_key *key = all->base->family->keys; key->path; ++key) {
        const fc_integer_list list =
            whole_list(key, (const char *)all->base->parameters + key->offset);
        for (size_t from = 0; from < list.count; ++from) {
            for (size_t to = 0; to < list.count; ++to) {
                if (from != to && all->explanation->lever_count < LEVERS_MAX)
                    add_shape(all, key, &list, from, to);
            }
        }
    }
}

static void add_choice(struct explaining *all, const char *key, const char *now,
                       const char *other) {
    fc_scenario *scenario = changed(all, key, other);
    if (!scenario || all->explanation->lever_count == LEVERS_MAX ||
        strcmp(fc_scenario_main_metric(scenario), fc_scenario_main_metric(all->base)) != 0) {
        fc_scenario_free(scenario);
        return;
    }
    fc_lever *lever = &all->explanation->levers[all->explanation->lever_count];
    *lever = (fc_lever){.elasticity = NAN, .choice = true};
    lever->kind = strncmp(key, "network.", 8) != 0            ? FC_LEVER_TRAFFIC
                  : nodes_of(scenario) != nodes_of(all->base) ? FC_LEVER_SIZE
                                                              : FC_LEVER_NETWORK;
    snprintf(lever->key, sizeof lever->key, "%s", key);
    snprintf(lever->value, sizeof lever->value, "%s", now);
    add_trial(all, all->explanation->lever_count, true, other, scenario);
    ++all->explanation->lever_count;
}

static void add_choices(struct explaining *all) {
    const fc_family *family = all->base->family;
    const char *const parameters = all->base->parameters;
    const char *topology = family->topologies[*(const int *)(parameters + family->topology_offset)];
    for (size_t i = 0; family->topologies[i]; ++i) {
        if (strcmp(family->topologies[i], topology) != 0)
            add_choice(all, "network.topology", topology, family->topologies[i]);
    }
    for (const fc_key *key = family->keys; key->path; ++key) {
        if (key->type != FC_KEY_CHOICE || key->apart)
            continue;
        const char *now = key->choices[*(const int *)(parameters + key->offset)];
        for (size_t i = 0; key->choices[i]; ++i) {
            if (strcmp(key->choices[i], now) != 0)
                add_choice(all, key->path, now, key->choices[i]);
        }
    }
}

/* A change of a key of the network that is tried and listed as `what`; the trial has a name. */
static void add_change(struct explaining *all, const char *key, const char *what, const char *value,
                       const char *name) {
    if (all->explanation->lever_count == LEVERS_MAX)
        return;
    fc_scenario *scenario = changed(all, key, value);
    if (!scenario)
        return;
    fc_lever *lever = &all->explanation->levers[all->explanation->lever_count];
    *lever = (fc_lever){.elasticity = NAN, .choice = true, .kind = FC_LEVER_NETWORK};
    snprintf(lever->key, sizeof lever->key, "%s", key);
    snprintf(lever->value, sizeof lever->value, "%s", what);
    add_trial(all, all->explanation->lever_count, true, name, scenario);
    ++all->explanation->lever_count;
}

/* A failure that is repaired. It may bring back nodes: that makes it no other size. */
static void add_repair(void *context, const char *what, const char *value) {
    add_change(context, "network.faults", what, value, "repaired");
}

/* One more link of a graph. */
static void add_link(void *context, const char *now, const char *value) {
    add_change(context, "network.extra_links", now, value, value);
}

/* ---- what came of it ---- */

/* The share by which a step improves the metric; NaN if that is not known. */
static double improvement(const fc_explanation *explanation, const fc_step *step) {
    return explanation->larger_is_better ? step->relative : -step->relative;
}

static void read_step(const fc_explanation *explanation, const struct answer *answer,
                      fc_step *step) {
    if (!answer->covered)
        step->value[0] = '\0';
    step->outcome = answer->outcome;
    step->metric =
        answer->covered && step->outcome != FC_OUTCOME_NOT_CONVERGED ? answer->metric : NAN;
    step->relative = step->metric / explanation->present - 1;
    step->saturation = answer->covered ? answer->saturation : NAN;
}

static double value_of(const char *text) {
    char *end;
    const double value = strtod(text, &end);
    return end == text || *end ? NAN : value;
}

static void judge(const fc_explanation *explanation, fc_lever *lever) {
    const double down = improvement(explanation, &lever->down);
    const double up = improvement(explanation, &lever->up);
    lever->upward = isnan(down) || up > down;
    lever->gain = lever->upward ? up : down;
    const bool below = isfinite(lever->down.metric), above = isfinite(lever->up.metric);
    const double x0 = value_of(below ? lever->down.value : lever->value);
    const double x1 = value_of(above ? lever->up.value : lever->value);
    const double y0 = below ? lever->down.metric : explanation->present;
    const double y1 = above ? lever->up.metric : explanation->present;
    if ((below || above) && x0 > 0 && x1 > 0 && y0 > 0 && y1 > 0)
        lever->elasticity = log(y1 / y0) / log(x1 / x0);
}

/* Most helpful first; equal ones by how much they matter at all. */
static int compare_levers(const void *a, const void *b) {
    const fc_lever *x = a, *y = b;
    const double gain_x = isnan(x->gain) ? -INFINITY : x->gain;
    const double gain_y = isnan(y->gain) ? -INFINITY : y->gain;
    if (gain_x != gain_y)
        return gain_x > gain_y ? -1 : 1;
    const double slope_x = isnan(x->elasticity) ? 0 : fabs(x->elasticity);
    const double slope_y = isnan(y->elasticity) ? 0 : fabs(y->elasticity);
    if (slope_x != slope_y)
        return slope_x > slope_y ? -1 : 1;
    return strcmp(x->key, y->key);
}

/* The metric the levers move: the main one, or what a saturated network still carries. */
static void choose_metric(struct explaining *all, const fc_result *base) {
    fc_explanation *explanation = all->explanation;
    const char *name = fc_scenario_main_metric(all->base);
    if (base->outcome == FC_OUTCOME_SATURATED || !fc_result_metric(base, name))
        name = fc_metrics[FC_METRIC_THROUGHPUT].name;
    const fc_metric *metric = fc_result_metric(base, name);
    snprintf(explanation->metric, sizeof explanation->metric, "%s", name);
    explanation->larger_is_better = fc_metrics[fc_metric_find(name)].better == FC_HIGHER_IS_BETTER;
    explanation->present = metric ? metric->value : NAN;
}

/* Without a step that is covered, or a choice that changes nothing. */
static void drop_empty_levers(fc_explanation *explanation) {
    size_t kept = 0;
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        const fc_lever *lever = &explanation->levers[i];
        const bool idle = lever->choice && !(fabs(lever->up.relative) > nothing) &&
                          !(fabs(lever->up.saturation / explanation->saturation - 1) > nothing);
        if (!idle && (lever->down.value[0] || lever->up.value[0]))
            explanation->levers[kept++] = *lever;
    }
    explanation->lever_count = kept;
}

/* ---- trials by forecast ---- */

struct forecasts {
    struct explaining *all;
    struct answer *answers;
};

/* Of the main metric, or where the base is saturated of the saturation load. */
static fc_status ask(const struct explaining *all, fc_forecast *forecast,
                     const fc_scenario *scenario, struct answer *answer) {
    fc_forecast_point point;
    fc_load_range range;
    const double load = fc_scenario_load(scenario);
    const bool saturated = strcmp(all->explanation->metric, fc_scenario_main_metric(scenario)) != 0;
    fc_status status = fc_forecast_points(forecast, &load, 1, NULL, &point);
    range.load = NAN;
    if (status == FC_OK && fc_scenario_load_key(scenario))
        status = fc_forecast_saturation(forecast, NULL, &range);
    if (status == FC_ERROR_UNSUPPORTED && !saturated)
        status = FC_OK;
    *answer = (struct answer){.covered = status == FC_OK, .saturation = range.load};
    if (status == FC_OK) {
        answer->outcome = point.outcome;
        answer->metric = !saturated                       ? point.value
                         : fc_scenario_load_key(scenario) ? range.load
                                                          : point.throughput;
    }
    return status;
}

static fc_status ask_model_alone(const struct explaining *all, const fc_scenario *scenario,
                                 struct answer *answer) {
    fc_forecast *forecast;
    fc_status status =
        fc_forecast_create(scenario, fc_forecast_method(all->forecast), NULL, &forecast);
    if (status != FC_OK)
        return status;
    status = ask(all, forecast, scenario, answer);
    fc_forecast_free(forecast);
    return status;
}

/* What the model alone says, times how the forecast of the base compares with the model's of it. */
static fc_status ask_ratio(const struct explaining *all, const fc_scenario *scenario,
                           struct answer *answer) {
    const fc_status status = ask_model_alone(all, scenario, answer);
    if (status == FC_OK) {
        answer->metric *= all->explanation->present / all->base_alone.metric;
        answer->saturation *= all->explanation->saturation / all->base_alone.saturation;
    }
    return status;
}

/* A trial by another model, or where the correction does not apply as it does to the base, would
 * show the difference between these. */
static fc_status forecast_trial(void *context, size_t index) {
    const struct forecasts *trials = context;
    const struct explaining *all = trials->all;
    const fc_scenario *scenario = all->scenarios[index];
    fc_forecast *forecast;
    fc_status status = fc_forecast_create(scenario, all->asked, NULL, &forecast);
    if (status == FC_OK) {
        const bool same = fc_forecast_model(all->forecast) == fc_forecast_model(forecast);
        const bool corrected = fc_forecast_is_corrected(forecast);
        if (same && corrected == fc_forecast_is_corrected(all->forecast))
            status = ask(all, forecast, scenario, &trials->answers[index]);
        else if (same && !corrected && all->base_alone.covered)
            status = ask_ratio(all, scenario, &trials->answers[index]);
        fc_forecast_free(forecast);
    }
    return status == FC_ERROR_MEMORY || status == FC_ERROR_CANCELLED ? status : FC_OK;
}

/* ---- trials by simulation ---- */

static fc_status simulate_trials(struct explaining *all, const fc_run_settings *settings,
                                 fc_error *error, struct answer *answers) {
    const size_t count = all->trial_count;
    fc_result **results = fc_allocate(count + 1, sizeof *results);
    if (!results)
        return fc_fail_memory(error);
    const fc_evaluation trials = {(const fc_scenario *const *)all->scenarios, count, NULL, 0, true};
    const fc_status status = fc_evaluate(&trials, settings, error, results);
    for (size_t i = 0; i < count; ++i) {
        const fc_metric *metric =
            results[i] ? fc_result_metric(results[i], all->explanation->metric) : NULL;
        if (results[i])
            answers[i] =
                (struct answer){true, results[i]->outcome, metric ? metric->value : NAN, NAN};
        fc_result_free(results[i]);
    }
    fc_release(results);
    return status;
}

static void read_trials(struct explaining *all, const struct answer *answers) {
    fc_explanation *explanation = all->explanation;
    for (size_t i = 0; i < all->trial_count; ++i) {
        fc_lever *lever = &explanation->levers[all->trials[i].lever];
        read_step(explanation, &answers[i], all->trials[i].up ? &lever->up : &lever->down);
        const bool own = lever->kind == FC_LEVER_NETWORK || lever->kind == FC_LEVER_SHAPE;
        if (own && answers[i].covered && answers[i].saturation > all->carried) {
            all->carrier = i;
            all->carried = answers[i].saturation;
        }
    }
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        fc_lever *lever = &explanation->levers[i];
        if (!lever->down.value[0])
            lever->down.metric = lever->down.relative = lever->down.saturation = NAN;
        if (!lever->up.value[0])
            lever->up.metric = lever->up.relative = lever->up.saturation = NAN;
        judge(explanation, lever);
    }
    drop_empty_levers(explanation);
    qsort(explanation->levers, explanation->lever_count, sizeof *explanation->levers,
          compare_levers);
    fc_explain_rank_carriers(explanation);
}

/* A difference of two simulated values that may be chance: both half widths, as if they were
 * independent (common random numbers only make it smaller). */
static double noise_of(const fc_result *base, const char *name) {
    const fc_metric *metric = fc_result_metric(base, name);
    return metric && isfinite(metric->half_width) && metric->value != 0
               ? sqrt(2) * metric->half_width / fabs(metric->value)
               : 0;
}

static fc_status pull_levers(struct explaining *all, const fc_run_settings *settings,
                             fc_error *error) {
    fc_scenario_value numbers[NUMBERS_MAX];
    size_t count = fc_scenario_numbers(all->base, numbers, NUMBERS_MAX);
    count = count < NUMBERS_MAX ? count : NUMBERS_MAX;
    for (size_t i = 0; i < count; ++i)
        add_number(all, &numbers[i]);
    add_shapes(all);
    add_choices(all);
    fc_status more = fc_explain_repairs(all->base, error, add_repair, all);
    if (more == FC_OK)
        more = fc_explain_links(all->base, error, add_link, all);
    if (more != FC_OK)
        return more;
    if (all->out_of_memory)
        return fc_fail_memory(error);
    struct answer *answers = fc_allocate(all->trial_count + 1, sizeof *answers);
    if (!answers)
        return fc_fail_memory(error);
    struct forecasts trials = {all, answers};
    const fc_status status =
        all->forecast ? fc_pool_run(settings, "changes", all->trial_count, forecast_trial, &trials)
                      : simulate_trials(all, settings, error, answers);
    if (status == FC_OK)
        read_trials(all, answers);
    fc_release(answers);
    if (status == FC_ERROR_CANCELLED)
        fc_error_write(error, "stopped");
    return status == FC_ERROR_MEMORY ? fc_fail_memory(error) : status;
}

/* ---- what is busy ---- */

static void keep_busiest(fc_explanation *explanation, const fc_resource *candidate) {
    ++explanation->resource_count;
    size_t at = explanation->busiest_count;
    if (at == BUSIEST_MAX && candidate->utilisation <= explanation->busiest[at - 1].utilisation)
        return;
    at = at < BUSIEST_MAX ? explanation->busiest_count++ : BUSIEST_MAX - 1;
    for (; at > 0 && candidate->utilisation > explanation->busiest[at - 1].utilisation; --at)
        explanation->busiest[at] = explanation->busiest[at - 1];
    explanation->busiest[at] = *candidate;
}

/* The column of a table with that name, or its number of columns. */
static size_t find_column(const fc_table *table, const char *name) {
    size_t column = 0;
    while (column < table->columns && strcmp(table->column_names[column], name) != 0)
        ++column;
    return column;
}

static void find_busiest(fc_explanation *explanation) {
    /* which columns say how much of the time something is in use */
    static const struct {
        const char *table, *column, *wait, *prefix;
    } uses[] = {{"channels", "utilisation", "wait", ""},
                {"queues", "utilisation", "wait", ""},
                {"nodes", "injection", "source_wait", "into the network at "},
                {"nodes", "ejection", "ejection_wait", "out of the network at "}};
    for (size_t u = 0; u < sizeof uses / sizeof *uses; ++u) {
        const fc_table *table = fc_result_table(explanation->result, uses[u].table);
        const size_t column = table ? find_column(table, uses[u].column) : 0;
        if (!table || column == table->columns)
            continue;
        const size_t wait = find_column(table, uses[u].wait);
        for (size_t row = 0; row < table->rows; ++row) {
            fc_resource resource = {.utilisation = table->values[row * table->columns + column],
                                    .wait = NAN};
            if (wait < table->columns)
                resource.wait = table->values[row * table->columns + wait];
            snprintf(resource.name, sizeof resource.name, "%s%s", uses[u].prefix,
                     table->row_labels[row]);
            if (isfinite(resource.utilisation))
                keep_busiest(explanation, &resource);
        }
    }
}

/* ---- all of it ---- */

/* If it is not found it is left unknown; the rest of the explanation is still valid. */
static fc_status find_saturation(struct explaining *all) {
    fc_explanation *explanation = all->explanation;
    const char *key = fc_scenario_load_key(all->base);
    fc_load_range range;
    if (!key)
        return FC_OK;
    snprintf(explanation->load_key, sizeof explanation->load_key, "%s", key);
    explanation->load = fc_scenario_load(all->base);
    const fc_status status =
        all->forecast ? fc_forecast_saturation(all->forecast, NULL, &range) : FC_ERROR_UNSUPPORTED;
    if (status == FC_OK) {
        explanation->saturation = range.load;
        explanation->saturation_low = range.low;
        explanation->saturation_high = range.high;
    }
    return status == FC_ERROR_MEMORY || status == FC_ERROR_CANCELLED ? status : FC_OK;
}

/* The value that changes are compared with: that of the result, or of the forecast if the result is
 * simulated and the changes are not. */
static fc_status find_present(struct explaining *all, fc_error *error) {
    fc_explanation *explanation = all->explanation;
    struct answer base;
    if (!all->forecast) {
        explanation->noise = noise_of(explanation->result, explanation->metric);
        return FC_OK;
    }
    fc_status status = ask(all, all->forecast, all->base, &base);
    if (status == FC_OK)
        explanation->present = base.metric;
    if (status == FC_OK && fc_forecast_is_corrected(all->forecast))
        status = ask_model_alone(all, all->base, &all->base_alone);
    return status == FC_OK ? FC_OK : fc_fail(error, status, "%s", fc_status_text(status));
}

/* Without a model, the simulation still shows where the time goes. */
static fc_status make_forecast(struct explaining *all, fc_error *error) {
    const fc_status status = fc_forecast_create(all->base, all->asked, error, &all->forecast);
    if (status == FC_ERROR_UNSUPPORTED && fc_model_is_default(all->asked)) {
        all->forecast = NULL;
        return FC_OK;
    }
    if (status == FC_OK)
        snprintf(all->explanation->model, sizeof all->explanation->model, "%s",
                 fc_forecast_method(all->forecast));
    return status;
}

/* Many runs: a moderate precision for each will do. */
static fc_status coarser(const fc_scenario *scenario, fc_error *error, fc_scenario **coarse) {
    char text[32];
    snprintf(text, sizeof text, "%g", fmax(scenario->simulation.precision, simulated_precision));
    const fc_setting setting = {"simulation.precision", text};
    return fc_scenario_with(scenario, &setting, 1, error, coarse);
}

static fc_status find_levers(struct explaining *all, const fc_run_settings *settings,
                             fc_error *error) {
    if (all->forecast) {
        all->step = model_step;
        return pull_levers(all, settings, error);
    }
    all->step = simulation_step;
    const fc_scenario *base = all->base;
    fc_scenario *coarse;
    fc_status status = coarser(base, error, &coarse);
    if (status != FC_OK)
        return status;
    all->base = coarse;
    status = pull_levers(all, settings, error);
    all->base = base;
    fc_scenario_free(coarse);
    return status;
}

static fc_status fill(struct explaining *all, const fc_explain_settings *explain,
                      const fc_run_settings *settings, fc_error *error) {
    fc_explanation *explanation = all->explanation;
    fc_status status = make_forecast(all, error);
    if (status != FC_OK)
        return status;
    status = explain->simulate || !all->forecast
                 ? fc_simulate(all->base, settings, error, &explanation->result)
                 : fc_forecast_at(all->forecast, fc_scenario_load(all->base), error,
                                  &explanation->result);
    if (status != FC_OK)
        return status;
    find_busiest(explanation);
    choose_metric(all, explanation->result);
    status = find_saturation(all);
    if (status == FC_OK)
        status = find_present(all, error);
    if (status == FC_OK)
        status = find_levers(all, settings, error);
    if (status == FC_OK && explain->simulate && explanation->carrier_count)
        status = fc_explain_check(all->base, all->scenarios[all->carrier], all->carried, settings,
                                  error, explanation);
    if (status != FC_OK)
        return status;
    explanation->scenario = fc_scenario_text(all->base);
    return explanation->scenario ? FC_OK : fc_fail_memory(error);
}

fc_status fc_explain(const fc_scenario *scenario, const fc_explain_settings *explain,
                     const fc_run_settings *settings, fc_error *error,
                     fc_explanation **explanation) {
    FC_IN_C_LOCALE;
    static const fc_explain_settings defaults = {0};
    struct explaining *all = fc_allocate(1, sizeof *all);
    fc_explanation *made = fc_allocate(1, sizeof *made);
    fc_status status = all && made ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        *all = (struct explaining){
            .base = scenario, .asked = explain ? explain->model : NULL, .explanation = made};
        made->load = made->present = NAN;
        made->saturation = made->saturation_low = made->saturation_high = made->check.load = NAN;
        made->levers = fc_allocate(LEVERS_MAX, sizeof *made->levers);
        made->busiest = fc_allocate(BUSIEST_MAX, sizeof *made->busiest);
        status = made->levers && made->busiest ? FC_OK : fc_fail_memory(error);
    }
    if (status == FC_OK)
        status = fill(all, explain ? explain : &defaults, settings, error);
    for (size_t i = 0; all && i < all->trial_count; ++i)
        fc_scenario_free(all->scenarios[i]);
    if (all)
        fc_forecast_free(all->forecast);
    fc_release(all);
    if (status != FC_OK) {
        fc_explanation_free(made);
        return status;
    }
    *explanation = made;
    return FC_OK;
}
