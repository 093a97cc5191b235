/* The saturation load by simulation.
 *
 * A look at one load says whether the network settles there:
 *  - above the capacity of its busiest link (the model channel-load, a bound) it does not;
 *  - where the simulator can start from an overload, and that grows, it does not. The drift of the
 *    backlog shows this within a few thousand cycles, and does not depend on chance as a run from
 *    empty does, which waits near the boundary for something that hardly ever happens
 *    (simulators/driver_recovery.c);
 *  - otherwise a run from empty says it, by its outcome, and where it ends without one by what it
 *    carried. If there is no overload to start from, runs at the two ends of the bracket are
 *    repeated with other seeds, and an end that is not confirmed moves outwards.
 *
 * Looks near the boundary are the longest. What a saturated network still carries is often the load
 * at which it saturates, so just below and just above that come first, then bisection. */
#include "studies/load_search.h"

#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "base/progress.h"
#include "base/status.h"
#include "registry/method.h"
#include "simulators/driver.h"

static const double usual_width = 0.02;
/* The first load simulated, over the forecast of the saturation load: a look at a good forecast
 * would be at the boundary; one that is surely saturated is short, and shows what the network
 * carries. */
static const double above_forecast = 1.15;
/* of a run that tests whether a network settles, and of one that confirms it */
static const char brief_look[] = "0.2", closer_look[] = "0.05";
static const double known_latency = 0.1; /* half width of an interval */
/* Cycles of it; the second number where an overload says most. In large networks fewer: so many
 * cycles of nodes, all replications together. */
static const double verdict_cycles = 300000, checking_cycles = 100000, node_cycles = 8e7;
static const double cycles_least = 10000;
/* A look may take at most this share of the work that is left, or at the end of the whole. */
static const double work_share = 0.4, work_last = 0.05;
static const double undecided_lag = 0.005; /* of what is offered, about twice its scatter */
/* A network whose throughput grows by less than this share of the growth of the load refuses what
 * it cannot carry: no need to look at higher loads. */
static const double growth_least = 0.1;
enum { STEPS_MAX = 60, MISLED_MAX = 3, CONFIRMATIONS = 2, MOVES_MAX = 4 };

typedef struct search {
    const fc_load_search *wanted;
    const char *key;
    const fc_simulator *simulator;
    double width, capacity; /* infinity: not known */
    bool floods;            /* looks start from an overload */
    size_t looks;
    double cpu_seconds, work;
} search;

typedef enum verdict { IMPOSSIBLE, SETTLES, SATURATED, UNDECIDED } verdict;

typedef struct look {
    verdict verdict;
    double carried;    /* of the load, if it saturates; NaN: not known */
    double throughput; /* if it settles; NaN: not known */
    double width;      /* of the interval of the main metric, over its value; NaN: not known */
} look;

static fc_status check_cancelled(const search *s, fc_error *error) {
    return fc_cancelled(s->wanted->settings) ? fc_fail(error, FC_ERROR_CANCELLED, "stopped")
                                             : FC_OK;
}

static bool is_tired(const search *s) {
    return s->wanted->work_most > 0 && s->work > s->wanted->work_most;
}

static fc_run_settings limited_settings(const search *s) {
    fc_run_settings settings =
        s->wanted->settings ? *s->wanted->settings : fc_run_settings_default();
    const double most = s->wanted->work_most;
    settings.work_most = work_share * fmax(most - s->work, work_last * most);
    return settings;
}

/* ---- a look from an overload ---- */

static fc_status look_at_overload(search *s, double load, fc_error *error, look *seen) {
    const fc_setting setting = {.key = s->key, .value = (char[FC_REAL_SIZE]){0}};
    fc_real_text(load, (char *)setting.value);
    fc_scenario *scenario;
    fc_status status = fc_scenario_with(s->wanted->scenario, &setting, 1, error, &scenario);
    if (status != FC_OK) {
        seen->verdict = IMPOSSIBLE;
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    }
    fc_overload overload;
    const fc_run_settings settings = limited_settings(s);
    status = fc_driver_try_overload(s->simulator, scenario, load * fc_scenario_nodes(scenario),
                                    &settings, error, &overload);
    fc_scenario_free(scenario);
    ++s->looks;
    s->cpu_seconds += overload.cpu_seconds;
    s->work += overload.events;
    if (status != FC_OK)
        return status;
    s->floods = overload.drift != FC_DRIFT_NONE;
    seen->verdict = overload.drift == FC_DRIFT_UP     ? SATURATED
                    : overload.drift == FC_DRIFT_DOWN ? SETTLES
                                                      : UNDECIDED;
    seen->carried = overload.drift == FC_DRIFT_DOWN ? NAN : load * overload.carried;
    return FC_OK;
}

/* ---- a look from empty ---- */

/* What a network carried, and what that says where the run itself has no verdict. Settled, and yet
 * it carried less than it was offered: that is doubtful. */
static bool judge_carried(const fc_result *result, double load, look *seen) {
    const fc_metric *offered = fc_result_find(result, FC_METRIC_OFFERED);
    const fc_metric *throughput = fc_result_find(result, FC_METRIC_THROUGHPUT);
    const fc_metric *loss = fc_result_find(result, FC_METRIC_LOSS);
    if (!offered || !throughput || !(throughput->value > 0))
        return false;
    const double accepted = offered->value * (loss ? 1 - loss->value : 1);
    const bool lags = throughput->value < (1 - undecided_lag) * accepted;
    if (result->outcome == FC_OUTCOME_NOT_CONVERGED && lags)
        seen->verdict = SATURATED;
    if (seen->verdict == SATURATED)
        seen->carried = load * throughput->value / offered->value;
    seen->throughput = throughput->value;
    return lags && result->outcome == FC_OUTCOME_OK;
}

static double cycles_of_look(const search *s) {
    const fc_scenario *base = s->wanted->scenario;
    const double most = s->floods ? checking_cycles : verdict_cycles;
    const double each =
        node_cycles / (fc_scenario_nodes(base) * (double)base->simulation.replications);
    return fmin(base->simulation.max_cycles, fmin(most, fmax(each, cycles_least)));
}

typedef struct short_run {
    double load;
    const char *precision;
    int seed; /* added to the scenario's */
} short_run;

/* A run of moderate length is enough for a verdict. */
static fc_status run_at(search *s, const short_run *wanted, fc_error *error, look *seen,
                        bool *doubtful) {
    char text[3][FC_REAL_SIZE];
    const fc_scenario *base = s->wanted->scenario;
    fc_real_text(wanted->load, text[0]);
    fc_real_text(cycles_of_look(s), text[1]);
    fc_real_text(fmod((double)base->simulation.seed + wanted->seed, 0x1p31), text[2]);
    const fc_setting values[] = {{s->key, text[0]},
                                 {"simulation.precision", wanted->precision},
                                 {"simulation.max_cycles", text[1]},
                                 {"simulation.seed", text[2]}};
    fc_scenario *scenario;
    fc_result *result;
    *seen = (look){IMPOSSIBLE, NAN, NAN, NAN};
    fc_status status = fc_scenario_with(base, values, 4, error, &scenario);
    if (status != FC_OK)
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    const fc_run_settings settings = limited_settings(s);
    status = fc_simulate(scenario, &settings, error, &result);
    fc_scenario_free(scenario);
    if (status != FC_OK)
        return status;
    ++s->looks;
    s->cpu_seconds += result->run.cpu_seconds;
    s->work += (double)result->run.events;
    seen->verdict = result->outcome == FC_OUTCOME_SATURATED ? SATURATED : SETTLES;
    const fc_metric *metric = fc_result_metric(result, fc_scenario_main_metric(base));
    if (metric)
        seen->width = metric->half_width / fabs(metric->value);
    *doubtful = judge_carried(result, wanted->load, seen);
    fc_result_free(result);
    return check_cancelled(s, error);
}

/* Some networks fill up only slowly: a doubtful run is repeated, longer. */
static fc_status look_from_empty(search *s, double load, int seed, fc_error *error, look *seen) {
    bool doubtful = false;
    short_run wanted = {load, brief_look, seed};
    fc_status status = run_at(s, &wanted, error, seen, &doubtful);
    wanted.precision = closer_look;
    if (status == FC_OK && doubtful)
        status = run_at(s, &wanted, error, seen, &doubtful);
    return status;
}

static fc_status look_at(search *s, double load, fc_error *error, look *seen) {
    *seen = (look){SATURATED, NAN, NAN, NAN};
    if (load >= s->capacity)
        return FC_OK;
    if (s->floods) {
        fc_status status = look_at_overload(s, load, error, seen);
        if (status == FC_OK)
            status = check_cancelled(s, error);
        if (status != FC_OK || (s->floods && seen->verdict != SETTLES))
            return status;
    }
    return look_from_empty(s, load, 0, error, seen);
}

/* ---- the bracket ---- */

/* The boundary lies between low, which settled, and high, which did not. */
typedef struct bracket {
    double low, high; /* 0 and infinity: not known yet */
    double carried;   /* at high; NaN: not known, or found to be no guide */
    double boundary;  /* a load without a verdict; NaN: none */
    int misled;       /* how often `carried` was no guide */
    double factor;    /* to the next load while one end is not known */
    double settled;   /* throughput at low; NaN: not known */
} bracket;

/* seen: of a load above low that settles, too. */
static bool refuses(const bracket *b, double load, const look *seen) {
    return seen->verdict == SETTLES && b->high == INFINITY && b->low > 0 &&
           seen->throughput / b->settled - 1 < growth_least * (load / b->low - 1);
}

static double next_load(bracket *b, double load, double width) {
    const bool bracketed = b->low > 0 && b->high < INFINITY;
    const double middle = isnan(b->boundary) ? b->carried : b->boundary;
    const double below = middle * (1 - 0.49 * width), above = middle * (1 + 0.49 * width);
    if (below > b->low && below < b->high)
        return below;
    if (above > b->low && above < b->high && (bracketed || !isnan(b->boundary)))
        return above;
    if (bracketed)
        return 0.5 * (b->low + b->high);
    load = b->low > 0 ? load * b->factor : load / b->factor;
    b->factor = fmin(2, b->factor * b->factor);
    return load;
}

static void narrow(bracket *b, double load, const look *seen) {
    const bool saturated = seen->verdict == SATURATED;
    if (!isnan(b->carried) && (load < b->carried) == saturated) {
        b->carried = NAN;
        ++b->misled;
    }
    if (saturated && b->misled < MISLED_MAX)
        b->carried = seen->carried;
    *(saturated ? &b->high : &b->low) = load;
    if (!saturated)
        b->settled = seen->throughput;
    if (!(b->boundary > b->low && b->boundary < b->high))
        b->boundary = NAN;
}

/* A load without a verdict is at the boundary: the ends are looked for beside it, and where one
 * there has none either, further out. */
static bool widen(bracket *b, double *load, double width, int step) {
    const double out = 0.49 * width * (1 + step);
    if (isnan(b->boundary))
        b->boundary = *load;
    const double below = b->boundary * (1 - out), above = b->boundary * (1 + out);
    if (below > b->low)
        *load = below;
    else if (above < b->high)
        *load = above;
    else
        return false;
    return true;
}

/* Narrows the bracket from a first load on until it is as narrow as it should be. */
static fc_status search_from(search *s, double load, fc_error *error, bracket *b) {
    int undecided = 0;
    for (int step = 0; step < STEPS_MAX && !is_tired(s); ++step) {
        look seen;
        const fc_status status = look_at(s, load, error, &seen);
        if (status != FC_OK)
            return status;
        if (seen.verdict == IMPOSSIBLE && step == 0) {
            load *= 0.5; /* the guess itself was out of range */
            continue;
        }
        if (seen.verdict == IMPOSSIBLE) {
            /* accepted loads end between low and load: try closer, then give up there */
            if (load < b->low * (1 + s->width))
                return FC_OK;
            load = 0.5 * (b->low + load);
            continue;
        }
        if (seen.verdict == UNDECIDED) {
            if (!widen(b, &load, s->width, undecided++))
                return FC_OK;
            continue;
        }
        const bool refused = refuses(b, load, &seen);
        narrow(b, load, &seen);
        if (refused)
            return FC_OK;
        if (b->high < INFINITY && b->high - b->low <= s->width * b->high)
            return FC_OK;
        load = next_load(b, load, s->width);
    }
    return FC_OK;
}

/* ---- the ends, confirmed ---- */

/* At a load that settles the latency can be measured: just above capacity, where hardly anything
 * piles up in the cycles of a run, its interval does not become narrow. */
static bool confirms(const look *seen, verdict expected) {
    return seen->verdict == expected && (expected != SETTLES || !(seen->width > known_latency));
}

static fc_status confirm(search *s, double load, verdict expected, fc_error *error,
                         bool *confirmed) {
    const char *precision = expected == SETTLES ? closer_look : brief_look;
    bool unused;
    *confirmed = true;
    for (int seed = 1; seed <= CONFIRMATIONS && *confirmed && load < s->capacity; ++seed) {
        look seen;
        const short_run wanted = {load, precision, seed};
        const fc_status status = run_at(s, &wanted, error, &seen, &unused);
        if (status != FC_OK)
            return status;
        *confirmed = confirms(&seen, expected);
    }
    return FC_OK;
}

static fc_status confirm_ends(search *s, fc_error *error, bracket *b) {
    bool confirmed = false;
    fc_status status = FC_OK;
    for (int move = 0;
         status == FC_OK && !confirmed && b->low > 0 && move < MOVES_MAX && !is_tired(s); ++move) {
        status = confirm(s, b->low, SETTLES, error, &confirmed);
        if (status == FC_OK && !confirmed)
            b->low *= 1 - 0.5 * s->width * (1 + move);
    }
    confirmed = false;
    for (int move = 0;
         status == FC_OK && !confirmed && b->high < INFINITY && move < MOVES_MAX && !is_tired(s);
         ++move) {
        status = confirm(s, b->high, SATURATED, error, &confirmed);
        if (status == FC_OK && !confirmed)
            b->high = fmin(b->high * (1 + 0.5 * s->width * (1 + move)), s->capacity);
    }
    return status;
}

/* ---- the whole ---- */

/* The bound of the busiest link; infinity: none is known. */
static double capacity_of(const fc_scenario *scenario) {
    static const char bound[] = "channel-load";
    fc_saturation *found;
    double capacity = INFINITY;
    if (fc_method_covers(bound, scenario, NULL) != FC_OK)
        return capacity;
    const fc_saturation_settings settings = {.model = bound};
    if (fc_saturate(scenario, &settings, NULL, NULL, &found) != FC_OK)
        return capacity;
    if (found[0].load > 0)
        capacity = found[0].load;
    fc_saturation_free(found);
    return capacity;
}

/* To three digits, so that it does not depend on the last ones of a forecast. */
static double first_load(const search *s, double present) {
    char text[FC_REAL_SIZE];
    double rounded;
    const bool known = s->wanted->forecast > 0 && s->wanted->forecast < INFINITY;
    const double load =
        fmin(known ? above_forecast * s->wanted->forecast : present, above_forecast * s->capacity);
    snprintf(text, sizeof text, "%.3g", load);
    return fc_parse_real(text, &rounded) ? rounded : load;
}

fc_status fc_find_saturation(const fc_load_search *wanted, fc_error *error,
                             fc_load_bracket *found) {
    search s = {.wanted = wanted,
                .key = fc_scenario_load_key(wanted->scenario),
                .width = wanted->width > 0 ? wanted->width : usual_width};
    double present;
    *found = (fc_load_bracket){.high = INFINITY, .carried = NAN};
    fc_status status = fc_simulator_choose(wanted->scenario, error, &s.simulator);
    if (status == FC_OK)
        status = fc_scenario_number(wanted->scenario, s.key, error, &present);
    if (status != FC_OK)
        return status;
    s.capacity = capacity_of(wanted->scenario);
    s.floods = s.simulator->flooding != NULL;
    bracket b = {.high = INFINITY, .carried = NAN, .boundary = NAN, .factor = 1.1, .settled = NAN};
    status = search_from(&s, first_load(&s, present), error, &b);
    if (status == FC_OK && !s.floods)
        status = confirm_ends(&s, error, &b);
    *found = (fc_load_bracket){.low = b.low,
                               .high = fmin(b.high, s.capacity),
                               .carried = b.carried,
                               .looks = s.looks,
                               .work = s.work,
                               .cpu_seconds = s.cpu_seconds};
    return status;
}
