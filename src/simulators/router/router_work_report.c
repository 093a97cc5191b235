/* What a workload reports in addition to the metrics of its messages: the bound of its duration,
 * its phases, its ranks. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "simulators/router/router_simulator.h"
#include "simulators/router/sources.h"
#include "workloads/work_bounds.h"

static const fc_router *engine_of(void *const *states, size_t i) {
    return ((const fc_router_run_state *)states[i])->engine;
}

/* ---- bound ---- */

/* A run that was stopped is reported at once: computing the bounds of long work would delay it. */
static const double messages_at_once = 1e5;

static bool takes_long(const fc_work *work) {
    return !fc_work_done(work) && fc_work_messages(work) > messages_at_once;
}

/* If something is drawn at random, the bounds differ between replications: the mean is reported,
 * with the reason of the first one. */
static double mean_bound(void *const *states, size_t replications, fc_work_bounds *first,
                         fc_result *result) {
    const fc_router *engine = engine_of(states, 0);
    const size_t runs = fc_workload_draws(engine->routed->workload) ? replications : 1;
    double sum = 0;
    for (size_t i = 0; i < runs; ++i) {
        fc_work_bounds bounds;
        const fc_status status = fc_work_bounds_find(
            engine->network, engine->routed, fc_work_seed(engine), (uint32_t)i, NULL, &bounds);
        result->incomplete |= status == FC_ERROR_MEMORY;
        if (status != FC_OK)
            return 0;
        sum += fc_work_bound(&bounds);
        if (i)
            fc_work_bounds_clear(&bounds);
        else
            *first = bounds;
    }
    return sum / (double)runs;
}

static void add_bound(void *const *states, double bound, const fc_work_bounds *bounds,
                      fc_result *result) {
    const fc_metric *duration = fc_result_find(result, FC_METRIC_DURATION);
    char text[160], note[sizeof result->note];
    if (!duration || !(bound > 0))
        return;
    fc_result_add(result, FC_METRIC_DURATION_BOUND, bound, (double)NAN);
    if (result->outcome != FC_OUTCOME_OK || !(duration->value > 0))
        return;
    const double efficiency = bound / duration->value;
    fc_result_add(result, FC_METRIC_EFFICIENCY, efficiency,
                  efficiency * duration->half_width / duration->value);
    fc_work_bounds_text(bounds, engine_of(states, 0)->network, sizeof text, text);
    snprintf(note, sizeof note, "%s", result->note);
    fc_result_note(result, "%.800s %s", note, text);
}

/* ---- phases ---- */

static void add_phases(void *const *states, size_t replications, const fc_work_bounds *bounds,
                       fc_result *result) {
    static const char *const columns[] = {"begin", "end", "cycles", "alone"};
    enum { WIDTH = 4 };
    const fc_workload *workload = engine_of(states, 0)->routed->workload;
    fc_table *table = fc_result_add_table(result, "phases", workload->count, columns, WIDTH);
    for (size_t p = 0; table && p < workload->count; ++p) {
        double *row = &table->values[p * WIDTH];
        fc_work_phase_label(workload, p, FC_NAME_SIZE, table->row_labels[p]);
        for (size_t i = 0; i < replications; ++i) {
            const fc_phase_time *time = fc_work_phase(fc_work_of(engine_of(states, i)), p);
            const double share = 1 / (double)replications;
            if (time->begun == UINT64_MAX)
                continue;
            row[0] += share * (double)time->begun;
            row[1] += share * (double)time->ended;
            row[2] += share * fc_phase_cycles(time);
        }
        row[3] = bounds->phase_alone ? bounds->phase_alone[p] : (double)NAN;
    }
}

/* "Cycles of each job from its start: 1: 102, 2: 149." */
static void say_jobs(const fc_table *table, fc_result *result) {
    char text[300] = "";
    size_t used = 0;
    for (size_t j = 0; j < table->rows && used < sizeof text; ++j)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %.0f", j ? ", " : "",
                                 table->row_labels[j], table->values[j * table->columns + 3]);
    fc_result_add_note(result, "Cycles of each job from its start: %s.", text);
}

static void add_jobs(void *const *states, size_t replications, fc_result *result) {
    static const char *const columns[] = {"ranks", "begin", "end", "cycles"};
    enum { WIDTH = 4 };
    const fc_workload *workload = engine_of(states, 0)->routed->workload;
    fc_table *table = workload->jobs
                          ? fc_result_add_table(result, "jobs", workload->job_count, columns, WIDTH)
                          : NULL;
    for (size_t j = 0; table && j < workload->job_count; ++j) {
        double *row = &table->values[j * WIDTH];
        snprintf(table->row_labels[j], FC_NAME_SIZE, "%zu", j + 1);
        row[0] = (double)workload->jobs[j].work->ranks;
        row[1] = (double)workload->jobs[j].start;
        for (size_t i = 0; i < replications; ++i)
            row[2] += (double)fc_work_job_ended(fc_work_of(engine_of(states, i)), j) /
                      (double)replications;
        row[3] = row[2] - row[1];
    }
    if (table && workload->job_count <= 8)
        say_jobs(table, result);
}

/* Of the first run. */
static void add_ranks(void *const *states, fc_result *result) {
    static const char *const columns[] = {"node", "end"};
    const fc_router *engine = engine_of(states, 0);
    const fc_work *work = fc_work_of(engine);
    const uint32_t ranks = (uint32_t)engine->routed->workload->ranks;
    fc_table *table = fc_result_add_table(result, "ranks", ranks, columns, 2);
    for (uint32_t rank = 0; table && rank < ranks; ++rank) {
        const uint32_t node = fc_work_node(work, rank);
        snprintf(table->row_labels[rank], FC_NAME_SIZE, "%u", rank);
        table->values[2 * rank] = node;
        table->values[2 * rank + 1] = (double)fc_work_finished(work, node);
    }
}

/* Of the first run. */
static void add_chains(const fc_router *engine, const fc_work_bounds *bounds, fc_result *result) {
    const fc_table_columns columns = {fc_chain_columns, FC_CHAIN_COLUMNS};
    fc_critical_chain chain = {0};
    const fc_status status =
        fc_critical_chain_find(fc_work_of(engine), engine->network, engine->routed, NULL, &chain);
    result->incomplete |= status == FC_ERROR_MEMORY;
    result->critical.chain = chain.summary;
    result->critical.alone = bounds->chain.summary;
    fc_result_find_critical(result);
    fc_result_add_rows(result, "chain", columns, chain.rows, chain.labels, chain.values);
    fc_result_add_rows(result, "chain_alone", columns, bounds->chain.rows, bounds->chain.labels,
                       bounds->chain.values);
    fc_critical_chain_clear(&chain);
}

/* Of the first run. */
static void say_skipped(const fc_work *work, fc_result *result) {
    const fc_skipped skipped = fc_work_skipped(work);
    if (skipped.passes > 0)
        fc_result_add_note(result,
                           "%.0f passes of a repetition took as long as those before, and were "
                           "not simulated: %.0f cycles of the duration, +- %.3g by how "
                           "those differed. Counts of packets are without them.",
                           skipped.passes, (double)skipped.cycles, skipped.error);
}

void fc_router_work_report(void *const *states, size_t replications, fc_result *result) {
    const fc_router *engine = engine_of(states, 0);
    const size_t late = fc_work_late(fc_work_of(engine));
    if (late) {
        char note[sizeof result->note];
        snprintf(note, sizeof note, "%s", result->note);
        fc_result_note(result,
                       "%.700s %zu messages of the file were read only after they were due: "
                       "in the file, messages that wait for others must not be far above those "
                       "that are due before them.",
                       note, late);
    }
    if (engine->routed->workload->of_trace)
        return;
    fc_work_bounds bounds = {0};
    if (!takes_long(fc_work_of(engine))) {
        const double bound = mean_bound(states, replications, &bounds, result);
        add_bound(states, bound, &bounds, result);
    }
    say_skipped(fc_work_of(engine), result);
    add_jobs(states, replications, result);
    add_phases(states, replications, &bounds, result);
    add_ranks(states, result);
    add_chains(engine, &bounds, result);
    fc_work_bounds_clear(&bounds);
}
