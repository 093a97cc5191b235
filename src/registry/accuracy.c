/* Which simulated cases are like a scenario, and what they say of a model.
 *
 * The networks of the same structure (the same choices; where they are too few, minor choices may
 * differ) span a box. A scenario is validated if its numbers lie in the
 * box (nothing is extrapolated) and enough of the networks are near it, within one unit (a factor
 * of two, for most) in every number: a box as a whole would let far corners speak for each other.
 * Only those near it are counted. docs/theory/accuracy.md gives reasons and examples. */
#include "base/c_locale.h"
#include "registry/accuracy.h"

#include <math.h>
#include <string.h>
#include "base/statistics.h"
#include "registry/accuracy_cases.h"
#include "registry/accuracy_nearest.h"
#include "registry/method.h"

enum { NETWORKS_MIN = 3 };
static const double factor = 2 * (1 + 1e-5);
static const double slack = 1e-5;     /* the tables hold six digits */
static const double confidence = 0.9; /* of intervals */
enum { INTERVAL_CASES_MIN = 5 };

/* ---- networks ---- */

/* What is asked for: the scenario's features, and which choices must be the same. */
typedef struct question {
    const fc_feature *features;
    const double *values;
    bool minor_too; /* minor choices as well */
    fc_counted counted;
} question;

static bool must_agree(const question *q, size_t f) {
    return q->features[f].scale == FC_FEATURE_CHOICE && (q->minor_too || !q->features[f].minor);
}

static bool same_choices(const question *q, const double *other) {
    bool itself = true, kind = true;
    for (size_t f = 0; q->features[f].name; ++f) {
        const bool equal = fabs(q->values[f] - other[f]) <= 1e-5 * fabs(other[f]);
        if (must_agree(q, f) && q->values[f] != other[f])
            return false;
        itself &= equal;
        kind &= equal || q->features[f].scale != FC_FEATURE_CHOICE;
    }
    return !(itself && q->counted == FC_COUNT_OTHERS) &&
           !(kind && q->counted == FC_COUNT_OTHER_KINDS);
}

/* Within one unit in every number. */
static bool is_near(const fc_feature *features, const double *a, const double *b) {
    for (size_t f = 0; features[f].name; ++f) {
        const bool apart = features[f].scale == FC_FEATURE_RATIO
                               ? a[f] > factor * b[f] || b[f] > factor * a[f]
                               : features[f].scale == FC_FEATURE_DIFFERENCE &&
                                     fabs(a[f] - b[f]) > features[f].unit * (1 + slack);
        if (apart)
            return false;
    }
    return true;
}

/* ---- cases ---- */

typedef struct tally {
    size_t networks, cases, unsolved;
    double sum, worst, low, high;
    double signed_sum, squares;
} tally;

static void count_case(tally *t, double load, int error) {
    if (error == FC_CASE_UNSOLVED) {
        ++t->unsolved;
        return;
    }
    ++t->cases;
    t->sum += fabs(error / 1e5);
    t->signed_sum += error / 1e5;
    t->squares += error / 1e5 * (error / 1e5);
    t->worst = fabs(error / 1e5) > fabs(t->worst) ? error / 1e5 : t->worst;
    t->low = t->cases == 1 || load < t->low ? load : t->low;
    t->high = t->cases == 1 || load > t->high ? load : t->high;
}

static double load_at(const fc_case_network *network, size_t i) {
    return network->loads[i] == FC_CASE_CLOSED ? (double)NAN : network->loads[i] / 1e3;
}

/* The loads of a network that are next to the given one: the nearest below and the nearest above.
 */
typedef struct window {
    double low, high;
} window;

static window window_of(const fc_case_network *network, const fc_case_row *row, double load) {
    window found = {0, INFINITY};
    for (size_t i = 0; i < FC_CASE_LOADS && network->loads[i]; ++i) {
        const double at = load_at(network, i);
        if (row->errors[i] == FC_CASE_NONE)
            continue;
        if (at <= load * (1 + slack))
            found.low = fmax(found.low, at);
        if (at >= load * (1 - slack))
            found.high = fmin(found.high, at);
    }
    return found;
}

/* load NaN: all. */
static void count_network(tally *t, const fc_case_network *network, const fc_case_row *row,
                          double load) {
    const size_t before = t->cases + t->unsolved;
    window near = {-INFINITY, INFINITY};
    if (!isnan(load)) {
        near = window_of(network, row, load);
        if (isinf(near.high)) /* all its loads are below: it has nothing to say */
            return;
    }
    for (size_t i = 0; i < FC_CASE_LOADS && network->loads[i]; ++i) {
        const double at = load_at(network, i);
        if (row->errors[i] != FC_CASE_NONE && !(at < near.low) && !(at > near.high))
            count_case(t, at, row->errors[i]);
    }
    t->networks += t->cases + t->unsolved > before;
}

/* list NULL: any; metric NULL: the main one. */
static const fc_case_model *find_cases(const char *model, const fc_feature_list *list,
                                       const char *metric) {
    for (const fc_case_model *at = fc_case_models; at->model; ++at)
        if (strcmp(at->model, model) == 0 && (!list || strcmp(at->features, list->name) == 0) &&
            (metric ? at->metric && strcmp(at->metric, metric) == 0 : !at->metric))
            return at;
    return NULL;
}

static bool has_cases(const fc_case_model *cases, const fc_case_row *row) {
    const short *loads = cases->networks[row->network].loads;
    for (size_t i = 0; i < FC_CASE_LOADS && loads[i]; ++i)
        if (row->errors[i] != FC_CASE_NONE)
            return true;
    return false;
}

static tally count_near(const fc_case_model *cases, const question *q, double load) {
    tally t = {0};
    for (size_t i = 0; i < cases->count; ++i) {
        const fc_case_network *network = &cases->networks[cases->rows[i].network];
        if (same_choices(q, network->features) &&
            is_near(q->features, q->values, network->features))
            count_network(&t, network, &cases->rows[i], load);
    }
    return t;
}

/* Student's interval for one more error like those counted. */
static void state_interval(const tally *t, fc_accuracy *accuracy) {
    accuracy->error_low = accuracy->error_high = (double)NAN;
    if (t->cases < INTERVAL_CASES_MIN || t->unsolved)
        return;
    const double count = (double)t->cases, mean = t->signed_sum / count;
    const double variance = fmax(0, t->squares - count * mean * mean) / (count - 1);
    const double half =
        fc_student_quantile(0.5 + confidence / 2, count - 1) * sqrt(variance * (1 + 1 / count));
    accuracy->error_low = mean - half;
    accuracy->error_high = mean + half;
}

/* Where too few cases are near, from the nearest ones. */
static void state_nearest_interval(const fc_case_model *cases, const fc_scenario *scenario,
                                   double load, fc_counted counted, fc_accuracy *accuracy) {
    const fc_feature_list *list = fc_features_of(scenario);
    double values[FC_FEATURES_MAX], errors[FC_NEAREST_CASES];
    if (!cases || !isnan(accuracy->error_low) || (accuracy->known && accuracy->unsolved) ||
        counted == FC_COUNT_OTHER_KINDS || (list->unlike && list->unlike(scenario)))
        return;
    list->read(scenario, values);
    if (!fc_nearest_errors(cases, list->features, values, load, counted == FC_COUNT_OTHERS, errors))
        return;
    tally t = {.cases = FC_NEAREST_CASES};
    for (size_t i = 0; i < FC_NEAREST_CASES; ++i) {
        t.signed_sum += errors[i];
        t.squares += errors[i] * errors[i];
    }
    state_interval(&t, accuracy);
}

static void fill(const tally *t, fc_accuracy *accuracy) {
    accuracy->known = true;
    accuracy->cases = t->cases;
    accuracy->networks = t->networks;
    accuracy->unsolved = t->unsolved;
    accuracy->typical = t->sum / (double)t->cases;
    accuracy->worst = t->worst;
    accuracy->low = t->low;
    accuracy->high = t->high;
    state_interval(t, accuracy);
}

/* "channel rule, ejection": the minor choices in which some of the cases near the scenario differ.
 */
static void name_differences(const fc_case_model *cases, const question *q, fc_accuracy *accuracy) {
    size_t used = 0;
    for (size_t f = 0; q->features[f].name; ++f) {
        bool differs = false;
        for (size_t i = 0; i < cases->count && !differs && q->features[f].minor; ++i) {
            const double *other = cases->networks[cases->rows[i].network].features;
            differs = same_choices(q, other) && is_near(q->features, q->values, other) &&
                      other[f] != q->values[f];
        }
        if (differs && used < sizeof accuracy->but_for)
            used += (size_t)snprintf(accuracy->but_for + used, sizeof accuracy->but_for - used,
                                     "%s%s", used ? ", " : "", q->features[f].name);
    }
}

/* ---- why a scenario is not validated ---- */

static size_t choices_apart(const question *q, const double *other) {
    size_t count = 0;
    for (size_t f = 0; q->features[f].name; ++f)
        count += must_agree(q, f) && q->values[f] != other[f];
    return count;
}

static void explain_choice(const fc_case_model *cases, const question *q, fc_accuracy *accuracy) {
    const double *nearest = NULL;
    size_t fewest = FC_FEATURES_MAX;
    for (size_t i = 0; i < cases->count; ++i) {
        const double *other = cases->networks[cases->rows[i].network].features;
        const size_t apart = choices_apart(q, other);
        if (apart < fewest && has_cases(cases, &cases->rows[i])) {
            fewest = apart;
            nearest = other;
        }
    }
    for (size_t f = 0; nearest && q->features[f].name; ++f) {
        char here[32], there[32];
        if (!must_agree(q, f) || q->values[f] == nearest[f])
            continue;
        fc_feature_text(&q->features[f], q->values[f], here);
        fc_feature_text(&q->features[f], nearest[f], there);
        snprintf(accuracy->reason, sizeof accuracy->reason, "%s %s: simulated with %s",
                 q->features[f].name, here, there);
        return;
    }
}

typedef struct box {
    double low[FC_FEATURES_MAX], high[FC_FEATURES_MAX];
    size_t networks;
} box;

static box box_of(const fc_case_model *cases, const question *q) {
    box b = {.networks = 0};
    for (size_t i = 0; i < cases->count; ++i) {
        const double *other = cases->networks[cases->rows[i].network].features;
        if (!same_choices(q, other) || !has_cases(cases, &cases->rows[i]))
            continue;
        for (size_t f = 0; q->features[f].name; ++f) {
            b.low[f] = b.networks == 0 || other[f] < b.low[f] ? other[f] : b.low[f];
            b.high[f] = b.networks == 0 || other[f] > b.high[f] ? other[f] : b.high[f];
        }
        ++b.networks;
    }
    return b;
}

static bool is_inside(const box *b, size_t f, double value) {
    return value >= b->low[f] - slack * fabs(b->low[f]) - slack &&
           value <= b->high[f] + slack * fabs(b->high[f]) + slack;
}

/* The first number outside the box; features' end: none. */
static size_t outside(const box *b, const question *q) {
    size_t f = 0;
    while (q->features[f].name &&
           (q->features[f].scale == FC_FEATURE_CHOICE || is_inside(b, f, q->values[f])))
        ++f;
    return f;
}

static void explain_number(const box *b, const fc_feature *feature, size_t f, double value,
                           fc_accuracy *accuracy) {
    if (b->low[f] == b->high[f])
        snprintf(accuracy->reason, sizeof accuracy->reason, "%s %.4g: simulated with %.4g",
                 feature->name, value, b->low[f]);
    else
        snprintf(accuracy->reason, sizeof accuracy->reason, "%s %.4g: simulated %.4g to %.4g",
                 feature->name, value, b->low[f], b->high[f]);
}

static void explain_count(const tally *t, const tally *at_any_load, double load,
                          fc_accuracy *accuracy) {
    if (at_any_load->networks < NETWORKS_MIN)
        snprintf(accuracy->reason, sizeof accuracy->reason,
                 "%zu simulated network%s within a factor of two in every number",
                 at_any_load->networks, at_any_load->networks == 1 ? " is" : "s are");
    else if (t->networks < NETWORKS_MIN)
        snprintf(accuracy->reason, sizeof accuracy->reason,
                 "%.0f %% of saturation: simulated up to %.0f %%", 100 * load,
                 100 * at_any_load->high);
    else
        snprintf(accuracy->reason, sizeof accuracy->reason,
                 "no answer in %zu simulated cases like this", t->unsolved);
}

/* ---- asking ---- */

/* True if enough cases near the scenario were counted; else the reason is given. */
static bool answer(const fc_case_model *cases, const question *q, double load, tally *t,
                   fc_accuracy *accuracy) {
    const box b = box_of(cases, q);
    const size_t far = b.networks ? outside(&b, q) : 0;
    if (b.networks == 0) {
        explain_choice(cases, q, accuracy);
        return false;
    }
    if (q->features[far].name) {
        explain_number(&b, &q->features[far], far, q->values[far], accuracy);
        return false;
    }
    *t = count_near(cases, q, load);
    if (t->networks >= NETWORKS_MIN && t->cases > 0)
        return true;
    const tally any = count_near(cases, q, (double)NAN);
    explain_count(t, &any, load, accuracy);
    return false;
}

static const fc_accuracy nothing_known = {.error_low = (double)NAN,
                                          .error_high = (double)NAN,
                                          .value_low = (double)NAN,
                                          .value_high = (double)NAN};

/* First with the same choices throughout, then with any minor ones. */
static bool look_up(const fc_case_model *cases, const fc_scenario *scenario, double load,
                    fc_counted counted, tally *t, fc_accuracy *accuracy) {
    *accuracy = nothing_known;
    if (!cases) {
        snprintf(accuracy->reason, sizeof accuracy->reason,
                 "no network of this kind was simulated beside it");
        return false;
    }
    const fc_feature_list *list = fc_features_of(scenario);
    const char *unlike = list->unlike ? list->unlike(scenario) : NULL;
    if (unlike) {
        snprintf(accuracy->reason, sizeof accuracy->reason, "%s", unlike);
        return false;
    }
    double values[FC_FEATURES_MAX];
    list->read(scenario, values);
    question q = {list->features, values, true, counted};
    bool found = answer(cases, &q, load, t, accuracy);
    if (!found) {
        q.minor_too = false;
        found = answer(cases, &q, load, t, accuracy);
        if (found)
            name_differences(cases, &q, accuracy);
    }
    if (found)
        accuracy->reason[0] = '\0';
    return found;
}

static const fc_case_model *cases_of(const char *model, const fc_scenario *scenario,
                                     const char *metric) {
    const fc_feature_list *list = fc_features_of(scenario);
    return list ? find_cases(model, list, metric) : NULL;
}

static fc_accuracy find_accuracy(const fc_case_model *cases, const fc_scenario *scenario,
                                 double load, fc_counted counted) {
    fc_accuracy found;
    tally t;
    if (look_up(cases, scenario, load, counted, &t, &found))
        fill(&t, &found);
    state_nearest_interval(cases, scenario, load, counted, &found);
    return found;
}

fc_status fc_accuracy_counting(fc_counted counted, const char *model, const fc_scenario *scenario,
                               double load, fc_error *error, fc_accuracy *accuracy) {
    FC_IN_C_LOCALE;
    const fc_model *found = fc_model_find(model, error);
    if (!found)
        return FC_ERROR_INPUT;
    if (found->measured) {
        *accuracy = nothing_known;
        accuracy->low = accuracy->high = (double)NAN;
        found->measured(scenario, accuracy);
        return FC_OK;
    }
    *accuracy = find_accuracy(cases_of(model, scenario, NULL), scenario, load, counted);
    return FC_OK;
}

fc_status fc_accuracy_near(const char *model, const fc_scenario *scenario, double load,
                           fc_error *error, fc_accuracy *accuracy) {
    return fc_accuracy_counting(FC_COUNT_ALL, model, scenario, load, error, accuracy);
}

double fc_accuracy_score(const char *model, const fc_scenario *scenario, fc_counted counted) {
    fc_accuracy unused;
    tally t;
    if (!look_up(cases_of(model, scenario, NULL), scenario, (double)NAN, counted, &t, &unused))
        return INFINITY;
    return (t.sum + (double)t.unsolved) / (double)(t.cases + t.unsolved);
}

fc_status fc_accuracy_overall(const char *model, bool held_out, fc_error *error,
                              fc_accuracy *accuracy) {
    if (!fc_model_find(model, error))
        return FC_ERROR_INPUT;
    const fc_case_model *cases = find_cases(model, NULL, NULL);
    tally t = {0};
    for (size_t i = 0; cases && i < cases->count; ++i) {
        const fc_case_network *network = &cases->networks[cases->rows[i].network];
        if (network->held_out || !held_out)
            count_network(&t, network, &cases->rows[i], (double)NAN);
    }
    *accuracy = (fc_accuracy){.value_low = (double)NAN, .value_high = (double)NAN};
    if (t.cases > 0)
        fill(&t, accuracy);
    else
        snprintf(accuracy->reason, sizeof accuracy->reason, "never simulated beside it");
    return FC_OK;
}

/* The loads of the suite, over saturation. Which two of them a load lies between is all that the
 * cases next to it depend on, and a few quick looks tell it where finding the saturation load would
 * take dozens of solutions. */
static const double rungs[] = {0, 0.5, 0.8, 0.9, 0.95, 1.05};
enum { RUNGS = sizeof rungs / sizeof rungs[0] };

static double load_between(const fc_model *model, const fc_scenario *scenario, double load) {
    size_t at = 0;
    bool carried = false;
    while (at + 2 < RUNGS && !carried) {
        if (model->carries(scenario, load / rungs[++at], NULL, &carried) != FC_OK)
            return (double)NAN;
    }
    at -= carried;
    return 0.5 * (rungs[at] + rungs[at + 1]);
}

/* Over the saturation load, by the model; NaN: not known, or closed traffic. */
static double load_of(const char *name, const fc_scenario *scenario) {
    const char *key = fc_scenario_load_key(scenario);
    const fc_model *model = fc_model_find(name, NULL);
    const fc_feature_list *list = fc_features_of(scenario);
    double load, most = (double)NAN;
    if (!key || !model || fc_scenario_number(scenario, key, NULL, &load) != FC_OK)
        return (double)NAN;
    if (list && list->capacity)
        most = list->capacity(scenario);
    else if (model->carries)
        return load_between(model, scenario, load);
    else if (model->saturation && model->saturation(scenario, NULL, &most) != FC_OK)
        return (double)NAN;
    return isinf(most) ? (double)NAN : load / most;
}

/* simulation = model / (1 + error) */
static void state_values(const fc_result *result, const char *name, fc_accuracy *accuracy) {
    const fc_metric *metric = fc_result_metric(result, name);
    const fc_metric_id id = fc_metric_find(name);
    if (!metric || result->outcome != FC_OUTCOME_OK || !(accuracy->error_low > -1))
        return;
    accuracy->value_low = metric->value / (1 + accuracy->error_high);
    const fc_metric *bound =
        id == FC_METRIC_DURATION ? fc_result_find(result, FC_METRIC_DURATION_BOUND) : NULL;
    if (bound) /* no network is faster */
        accuracy->value_low = fmax(accuracy->value_low, bound->value);
    accuracy->value_high = metric->value / (1 + accuracy->error_low);
    if (id == FC_METRIC_EFFICIENCY)
        accuracy->value_high = fmin(1, accuracy->value_high);
}

/* Of closed traffic the network time has errors of its own: while the processors wait for nothing
 * else a small error of the efficiency is a large one of the time. */
static void state_time_accuracy(fc_result *result, const fc_scenario *scenario) {
    const char *name = fc_metrics[FC_METRIC_NETWORK_TIME].name;
    const fc_case_model *cases = cases_of(result->method, scenario, name);
    if (!cases)
        return;
    result->time_accuracy = find_accuracy(cases, scenario, (double)NAN, FC_COUNT_ALL);
    state_values(result, name, &result->time_accuracy);
}

void fc_result_state_accuracy(fc_result *result, const fc_scenario *scenario) {
    fc_accuracy *accuracy = &result->accuracy;
    if (result->kind != FC_MODEL)
        return;
    fc_accuracy_near(result->method, scenario, (double)NAN, NULL, accuracy);
    const fc_feature_list *list = fc_features_of(scenario);
    if (accuracy->known || (list && list->capacity)) /* only then is the load worth finding */
        fc_accuracy_near(result->method, scenario, load_of(result->method, scenario), NULL,
                         accuracy);
    state_values(result, result->main_metric, accuracy);
    state_time_accuracy(result, scenario);
}

/* ---- telling ---- */

static int put_percent(char *text, size_t size, double share) {
    const double percent = 100 * fabs(share);
    return snprintf(text, size, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

static int put_loads(char *text, size_t size, const fc_accuracy *accuracy) {
    if (isnan(accuracy->low))
        return 0;
    if (accuracy->low == accuracy->high)
        return snprintf(text, size, " at %.0f %% of saturation", 100 * accuracy->high);
    if (accuracy->low <= 0.2 + slack)
        return snprintf(text, size, " up to %.0f %% of saturation", 100 * accuracy->high);
    return snprintf(text, size, " at %.0f to %.0f %% of saturation", 100 * accuracy->low,
                    100 * accuracy->high);
}

void fc_accuracy_text(const fc_accuracy *accuracy, char text[FC_ACCURACY_SIZE]) {
    FC_IN_C_LOCALE;
    char typical[16], worst[16], loads[64] = "", unsolved[64] = "", but_for[128] = "";
    if (!accuracy->known) {
        snprintf(text, FC_ACCURACY_SIZE, "not validated here%s%s%s",
                 accuracy->reason[0] ? " (" : "", accuracy->reason, accuracy->reason[0] ? ")" : "");
        return;
    }
    put_percent(typical, sizeof typical, accuracy->typical);
    put_percent(worst, sizeof worst, accuracy->worst);
    put_loads(loads, sizeof loads, accuracy);
    if (accuracy->unsolved)
        snprintf(unsolved, sizeof unsolved, "; no answer in %zu more", accuracy->unsolved);
    if (accuracy->but_for[0])
        snprintf(but_for, sizeof but_for, ", alike but for %s", accuracy->but_for);
    snprintf(text, FC_ACCURACY_SIZE, "typically %s, at most %s, in %zu simulated case%s%s%s%s",
             typical, worst, accuracy->cases, accuracy->cases == 1 ? "" : "s", loads, but_for,
             unsolved);
}
