#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/pool.h"
#include "suite.h"

typedef struct job {
    suite *s;
    suite_entry *entry;
    double turn; /* the smallest first */
} job;

typedef struct work {
    job *jobs;
    const suite_settings *settings;
    fc_run_settings run; /* of one simulation */
    pthread_mutex_t lock;
    size_t finished, count;
} work;

static volatile int out_of_time;

static void stop_all(int signal) {
    (void)signal;
    out_of_time = 1;
}

static bool wanted(const suite *s, const suite_settings *settings) {
    return !settings->only || strstr(settings->only, s->design->name);
}

/* To the digits of the table, so that reading it back gives the very numbers that were measured. */
static double rounded(double value, int digits) {
    char text[32];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* ---- saturation ---- */

static double model_saturation(const fc_scenario *scenario, const char *model) {
    const fc_saturation_settings settings = {.model = model};
    fc_saturation *found;
    if (fc_saturate(scenario, &settings, NULL, NULL, &found) != FC_OK)
        return (double)NAN;
    const double load = found[0].load;
    fc_saturation_free(found);
    return rounded(load, 7);
}

static void simulate_saturation(const suite *s, const fc_scenario *scenario,
                                const fc_run_settings *run, suite_value *saturation) {
    const char *model = s->design->models[0];
    if (suite_knows_saturation(s)) {
        const double load = s->features->capacity ? s->features->capacity(scenario)
                                                  : model_saturation(scenario, model);
        saturation->simulated = rounded(load, 7);
        saturation->half_width = 0;
        return;
    }
    const fc_saturation_settings settings = {.model = model, .simulate = true};
    fc_saturation *found;
    fc_error error;
    if (fc_saturate(scenario, &settings, run, &error, &found) != FC_OK) {
        if (!out_of_time)
            suite_stop(fc_scenario_name(scenario), error.text);
        return;
    }
    const fc_saturation *last = found;
    while (last[1].method[0])
        ++last;
    saturation->simulated = rounded(last->load, 7);
    saturation->half_width = rounded(0.5 * (last->high - last->low), 3);
    fc_saturation_free(found);
}

/* Of the many networks to learn from a moderate run decides whether they settle. */
static fc_scenario *brief_scenario(const suite *s, const suite_entry *entry) {
    fc_scenario *scenario = suite_scenario(s, entry, 1e-4), *brief;
    const fc_setting most = {"simulation.max_cycles", "5e4"};
    fc_error error;
    if (!entry->random)
        return scenario;
    if (fc_scenario_with(scenario, &most, 1, &error, &brief) != FC_OK)
        suite_stop(entry->network, error.text);
    fc_scenario_free(scenario);
    return brief;
}

static void find_saturation(const suite *s, suite_entry *entry, const work *w, bool simulate) {
    fc_scenario *scenario = brief_scenario(s, entry);
    if (simulate && isnan(entry->saturation.simulated))
        simulate_saturation(s, scenario, &w->run, &entry->saturation);
    for (size_t m = 0; m < s->models && !suite_knows_saturation(s); ++m)
        if (entry->covered[m])
            entry->saturation.predicted[m] = model_saturation(scenario, s->design->models[m]);
    fc_scenario_free(scenario);
}

/* ---- points ---- */

static double value_of(const fc_result *result, const char *metric) {
    const fc_metric *found = fc_result_metric(result, metric);
    return found ? found->value : (double)NAN;
}

static void predict(const suite *s, const suite_entry *entry, suite_point *point) {
    fc_scenario *scenario = suite_scenario(s, entry, point->rate);
    for (size_t m = 0; m < s->models; ++m) {
        fc_result *result;
        fc_error error;
        if (!entry->covered[m])
            continue;
        if (fc_predict(scenario, s->design->models[m], &error, &result) != FC_OK)
            suite_stop(s->design->models[m], error.text);
        const bool solved = result->outcome == FC_OUTCOME_OK;
        for (size_t k = 0; k < s->metrics; ++k)
            point->metrics[k].predicted[m] =
                solved ? rounded(value_of(result, s->design->metrics[k]), 7) : (double)INFINITY;
        fc_result_free(result);
    }
    fc_scenario_free(scenario);
}

static void simulate(const suite *s, const suite_entry *entry, const fc_run_settings *run,
                     suite_point *point) {
    fc_scenario *scenario = suite_scenario(s, entry, point->rate);
    fc_result *result;
    fc_error error;
    const fc_status status = fc_simulate(scenario, run, &error, &result);
    fc_scenario_free(scenario);
    if (status != FC_OK && !out_of_time)
        suite_stop(entry->network, error.text);
    if (status == FC_OK && !out_of_time) {
        for (size_t k = 0; k < s->metrics; ++k) {
            const fc_metric *found = fc_result_metric(result, s->design->metrics[k]);
            if (found) {
                point->metrics[k].simulated = rounded(found->value, 7);
                point->metrics[k].half_width = /* none where nothing is drawn */
                    isnan(found->half_width) ? 0 : rounded(found->half_width, 3);
            }
        }
        point->done = true;
        point->cycles = suite_cycles_of(s, entry);
    }
    if (status == FC_OK)
        fc_result_free(result);
}

static double unit_of_load(const suite *s, const suite_entry *entry) {
    return entry->random && !entry->held_out && !suite_knows_saturation(s)
               ? entry->saturation.predicted[0]
               : entry->saturation.simulated;
}

static void measure(const suite *s, suite_entry *entry, const work *w) {
    const bool more = w->settings->simulate;
    const bool closed = isnan(entry->points[0].fraction);
    if (!closed)
        find_saturation(s, entry, w, more && !out_of_time);
    bool saturated = false; /* at a lower load: no need to simulate that it is at this one */
    for (size_t i = 0; i < entry->point_count; ++i) {
        suite_point *point = &entry->points[i];
        if (!closed && isnan(point->rate))
            point->rate = rounded(point->fraction * unit_of_load(s, entry), 6);
        if (!closed && !isfinite(point->rate)) { /* it carries every load the scenario accepts */
            point->rate = (double)NAN;
            continue;
        }
        if (more && !point->done && saturated && entry->random) {
            point->done = true;
            point->cycles = suite_cycles_of(s, entry);
        }
        if (more && suite_lacks(s, entry, point) && !out_of_time)
            simulate(s, entry, &w->run, point);
        saturated |= point->done && isnan(point->metrics[0].simulated);
        if (point->done)
            predict(s, entry, point);
    }
}

static fc_status do_job(void *context, size_t index) {
    work *w = context;
    const job *mine = &w->jobs[index];
    if (out_of_time || (w->settings->random_only && !mine->entry->random))
        return FC_OK;
    suite_entry entry = *mine->entry;
    measure(mine->s, &entry, w);
    pthread_mutex_lock(&w->lock); /* others write the table too */
    *mine->entry = entry;
    ++w->finished;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%zu of %zu networks", w->finished, w->count);
    if (w->settings->simulate)
        suite_write(mine->s, w->settings->directory);
    pthread_mutex_unlock(&w->lock);
    return FC_OK;
}

static int by_turn(const void *a, const void *b) {
    const double x = ((const job *)a)->turn, y = ((const job *)b)->turn;
    return (x > y) - (x < y);
}

static bool is_complete(const suite *s, const suite_entry *entry) {
    bool complete = isnan(entry->points[0].fraction) || suite_knows_saturation(s) ||
                    !isnan(entry->saturation.simulated);
    for (size_t i = 0; i < entry->point_count; ++i)
        complete &= !suite_lacks(s, entry, &entry->points[i]);
    return complete;
}

/* Random networks come first, those held out before the others, in the order of drawing, so that
 * those of a run that was stopped are as random as all of them, and of each design the same share;
 * then what is cheap of the grids. Where nothing is left to simulate models are asked last. */
static void set_turns(const suite *s, job *jobs) {
    size_t left[2] = {0, 0}, seen[2] = {0, 0}; /* to learn from, held out */
    for (size_t e = 0; e < s->count; ++e)
        left[s->entries[e].held_out] += s->entries[e].random && !is_complete(s, &s->entries[e]);
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = jobs[e].entry;
        const size_t part = entry->held_out;
        if (is_complete(s, entry))
            jobs[e].turn = INFINITY;
        else if (entry->random)
            jobs[e].turn = (double)seen[part]++ / (double)left[part] - (double)part - 1;
        else
            jobs[e].turn = s->design->cost * entry->nodes;
    }
}

void suite_run(suite *const *suites, const suite_settings *settings) {
    work w = {.settings = settings, .run = {.threads = 1, .cancel = &out_of_time}};
    for (size_t i = 0; suites[i]; ++i)
        w.count += wanted(suites[i], settings) ? suites[i]->count : 0;
    w.jobs = calloc(w.count + 1, sizeof *w.jobs);
    if (!w.jobs)
        suite_stop("jobs", "out of memory");
    size_t used = 0;
    for (size_t i = 0; suites[i]; ++i) {
        if (!wanted(suites[i], settings))
            continue;
        for (size_t e = 0; e < suites[i]->count; ++e)
            w.jobs[used + e] = (job){suites[i], &suites[i]->entries[e], 0};
        set_turns(suites[i], w.jobs + used);
        used += suites[i]->count;
    }
    qsort(w.jobs, w.count, sizeof *w.jobs, by_turn);
    pthread_mutex_init(&w.lock, NULL);
    signal(SIGALRM, stop_all);
    signal(SIGINT, stop_all);
    alarm(settings->seconds);
    const fc_run_settings pool = {.threads = settings->threads};
    fc_pool_run(&pool, NULL, w.count, do_job, &w);
    alarm(0);
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);
    for (size_t i = 0; suites[i]; ++i)
        suite_write(suites[i], settings->directory);
    pthread_mutex_destroy(&w.lock);
    free(w.jobs);
}
