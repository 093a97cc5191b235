/* The best configuration of a grid.
 *
 * Screening: the model evaluates every point, in blocks spread over the cores. A block keeps its
 * best points and its part of the Pareto front; blocks are merged in order, so the answer does not
 * depend on the threads.
 *
 * Where the objective or a constraint names a metric that only a simulation has, the model ranks
 * the points by what it does know (the main metric in place of the objective) and the first of them
 * are simulated. Points that no model covers are all simulated, if they are few enough.
 *
 * Confirmation: the best are simulated, as many as asked for, and of those listed also such as the
 * model cannot tell from the best because their 90 % intervals overlap; all with the same seed
 * (common random numbers), coarsely at first. A candidate that is worse than the best by more than
 * the noise of the two is out; the others are simulated again at half the interval, until one is
 * left, or the rest differ by less than the indifference. So the long runs are spent on the few
 * that are hard to tell apart.
 *
 * Constraints on metrics are judged again by the simulation: a point that only the model lets pass
 * is out, and the next ones are simulated until one passes. Where nothing was asked to be simulated
 * this is done for the best point alone.
 *
 * The true best is only lost if a comparison that drops it is wrong. There are at most (candidates
 * - 1) comparisons with it in each of the rounds, and each is made at the level 0.05 / (2 x their
 * number), with Student's quantile for the batches of one run: by Bonferroni, whatever the
 * dependence between rounds and candidates, it survives with at least 95 %. The noise of a
 * difference is taken as if the runs were independent; common random numbers make it smaller. The
 * winner is then the best, or within the indifference of it. Measured by a property test on cases
 * with a known order. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/statistics.h"
#include "base/status.h"
#include "registry/metrics.h"
#include "scenario/scenario.h"
#include "studies/optimize_trials.h"
#include "studies/side_by_side.h"
#include "studies/space.h"

enum { BLOCK = 2048, KEEP_MAX = FC_TRIALS_MOST, FRONT_MAX = 256, ROUNDS_MAX = 5 };
/* How many of the best points by the model are simulated if a simulation is needed and the caller
 * gave no number. */
enum { SIMULATED_DEFAULT = 16 };
static const double default_indifference = 0.005;
static const double first_precision = 0.02;
static const double error_level = 0.05;
static const double batch_degrees = 15;

typedef struct entry {
    size_t point;
    double rank;              /* smaller is better */
    double objective, second; /* by the model; NaN: not known to it */
    bool open;                /* to be decided by a simulation */
} entry;

struct block {
    size_t kept, front, invalid, infeasible, open, unmodelled;
    entry best[KEEP_MAX], pareto[FRONT_MAX];
    fc_error error;
};

struct screening {
    const fc_space *space;
    double sign, second_sign; /* -1 to maximize: smaller is better throughout */
    struct block *blocks;
};

/* ---- screening ---- */

static bool better(const entry *a, const entry *b) {
    return a->rank < b->rank || (a->rank == b->rank && a->point < b->point);
}

static void keep_best(entry *list, size_t *count, size_t most, entry candidate) {
    if (*count == most && !better(&candidate, &list[most - 1]))
        return;
    size_t at = *count < most ? (*count)++ : most - 1;
    for (; at > 0 && better(&candidate, &list[at - 1]); --at)
        list[at] = list[at - 1];
    list[at] = candidate;
}

/* Adds to a front sorted by objective, whose second objective therefore falls. When it is full, the
 * entry closest to its neighbours goes. */
static void keep_front(entry *front, size_t *count, entry candidate) {
    size_t at = 0;
    while (at < *count && front[at].objective < candidate.objective) {
        if (front[at].second <= candidate.second)
            return; /* dominated */
        ++at;
    }
    if (at < *count && front[at].objective == candidate.objective &&
        front[at].second <= candidate.second)
        return;
    size_t end = at;
    while (end < *count && front[end].second >= candidate.second)
        ++end; /* dominated by the candidate */
    if (end == at && *count == FRONT_MAX) {
        size_t closest = 1;
        for (size_t i = 1; i + 1 < *count; ++i) {
            if (front[i + 1].objective - front[i - 1].objective <
                front[closest + 1].objective - front[closest - 1].objective)
                closest = i;
        }
        memmove(front + closest, front + closest + 1, (*count - closest - 1) * sizeof *front);
        --*count;
        at -= at > closest;
        end = at;
    }
    memmove(front + at + 1, front + end, (*count - end) * sizeof *front);
    *count = *count - (end - at) + 1;
    front[at] = candidate;
}

static fc_status screen_block(void *context, size_t index) {
    struct screening *screening = context;
    struct block *block = &screening->blocks[index];
    const fc_space *space = screening->space;
    const size_t first = index * BLOCK;
    const size_t end = first + BLOCK < space->points ? first + BLOCK : space->points;
    for (size_t point = first; point < end; ++point) {
        fc_point evaluated;
        const fc_status status = fc_space_evaluate(space, point, &block->error, &evaluated);
        if (status != FC_OK)
            return status;
        block->invalid += evaluated.state == FC_POINT_INVALID;
        block->infeasible += evaluated.state == FC_POINT_INFEASIBLE;
        block->open += evaluated.state == FC_POINT_OPEN;
        block->unmodelled += evaluated.state == FC_POINT_UNMODELLED;
        if (evaluated.state == FC_POINT_INVALID || evaluated.state == FC_POINT_INFEASIBLE)
            continue;
        const entry candidate = {point, evaluated.rank, screening->sign * evaluated.objective,
                                 screening->second_sign * evaluated.second,
                                 evaluated.state != FC_POINT_FEASIBLE};
        keep_best(block->best, &block->kept, KEEP_MAX, candidate);
        if (space->settings->second && !candidate.open)
            keep_front(block->pareto, &block->front, candidate);
    }
    return FC_OK;
}

/* Everything the blocks found, merged into the first. */
static fc_status screen(struct screening *screening, const fc_run_settings *settings,
                        fc_error *error, struct block **found) {
    const size_t count = (screening->space->points + BLOCK - 1) / BLOCK;
    screening->blocks = fc_allocate(count, sizeof *screening->blocks);
    if (!screening->blocks)
        return fc_fail_memory(error);
    const fc_status status = fc_pool_run(settings, "models", count, screen_block, screening);
    if (status != FC_OK)
        return fc_fail(error, status, "%s", fc_status_text(status));
    struct block *all = &screening->blocks[0];
    for (size_t b = 1; b < count; ++b) {
        const struct block *block = &screening->blocks[b];
        for (size_t i = 0; i < block->kept; ++i)
            keep_best(all->best, &all->kept, KEEP_MAX, block->best[i]);
        for (size_t i = 0; i < block->front; ++i)
            keep_front(all->pareto, &all->front, block->pareto[i]);
        all->invalid += block->invalid;
        all->infeasible += block->infeasible;
        all->open += block->open;
        all->unmodelled += block->unmodelled;
    }
    *found = all;
    return FC_OK;
}

/* ---- the answer ---- */

static void clear_candidate(fc_candidate *candidate, size_t settings) {
    for (size_t s = 0; candidate->settings && s < settings; ++s) {
        fc_release((char *)candidate->settings[s].key);
        fc_release((char *)candidate->settings[s].value);
    }
    fc_release(candidate->settings);
}

static void clear_candidates(fc_candidate *candidates, size_t count, size_t settings) {
    for (size_t i = 0; candidates && i < count; ++i)
        clear_candidate(&candidates[i], settings);
    fc_release(candidates);
}

void fc_optimum_free(fc_optimum *optimum) {
    if (!optimum)
        return;
    clear_candidates(optimum->candidates, optimum->candidate_count, optimum->setting_count);
    clear_candidates(optimum->front, optimum->front_count, optimum->setting_count);
    free(optimum->scenario);
    fc_release(optimum);
}

static fc_candidate *make_candidates(const struct screening *screening, const entry *entries,
                                     size_t count) {
    const fc_space *space = screening->space;
    fc_candidate *candidates = fc_allocate(count, sizeof *candidates);
    if (!candidates)
        return NULL;
    for (size_t i = 0; i < count; ++i) {
        fc_setting settings[FC_SPACE_KEYS];
        char texts[FC_SPACE_KEYS][32];
        fc_space_settings(space, entries[i].point, settings, texts);
        candidates[i] = (fc_candidate){
            .objective = screening->sign * entries[i].objective,
            .second = screening->second_sign * entries[i].second,
            .simulated = NAN,
            .half_width = NAN,
            .second_simulated = NAN,
            .open = entries[i].open,
            .feasible = true,
            .settings = fc_allocate(space->setting_count, sizeof(fc_setting)),
        };
        bool made = candidates[i].settings != NULL;
        for (size_t s = 0; s < space->setting_count && made; ++s) {
            candidates[i].settings[s].key = fc_copy_text(settings[s].key);
            candidates[i].settings[s].value = fc_copy_text(settings[s].value);
            made = candidates[i].settings[s].key && candidates[i].settings[s].value;
        }
        if (!made) {
            clear_candidates(candidates, i + 1, space->setting_count);
            return NULL;
        }
    }
    return candidates;
}

static fc_status make_optimum(const struct screening *screening, const struct block *found,
                              fc_error *error, fc_optimum **result) {
    const fc_space *space = screening->space;
    fc_optimum *optimum = fc_allocate(1, sizeof *optimum);
    if (!optimum)
        return fc_fail_memory(error);
    optimum->setting_count = space->setting_count;
    optimum->candidates = make_candidates(screening, found->best, found->kept);
    optimum->candidate_count = optimum->candidates ? found->kept : 0;
    optimum->front = make_candidates(screening, found->pareto, found->front);
    optimum->front_count = optimum->front ? found->front : 0;
    optimum->scenario = fc_scenario_text(space->base);
    if (!optimum->candidates || !optimum->front || !optimum->scenario) {
        fc_optimum_free(optimum);
        return fc_fail_memory(error);
    }
    optimum->evaluated = (double)space->points;
    optimum->invalid = (double)found->invalid;
    optimum->infeasible = (double)found->infeasible;
    optimum->unmodelled = (double)found->unmodelled;
    optimum->maximize = space->settings->maximize;
    optimum->confidence = NAN;
    optimum->orders_agree = true;
    snprintf(optimum->objective_name, sizeof optimum->objective_name, "%s",
             space->settings->objective);
    snprintf(optimum->second_name, sizeof optimum->second_name, "%s",
             space->settings->second ? space->settings->second : "");
    snprintf(optimum->scenario_name, sizeof optimum->scenario_name, "%s",
             fc_scenario_name(space->base));
    snprintf(optimum->scenario_hash, sizeof optimum->scenario_hash, "%s",
             fc_scenario_hash(space->base));
    *result = optimum;
    return FC_OK;
}

/* ---- confirmation ---- */

/* How much wider an interval of one comparison must be than one at 95 %. Means come from dozens of
 * batches; percentiles have an interval from the replications alone. */
static double widening_of(const fc_space *space, size_t candidates, double replications) {
    const double comparisons = (double)(candidates > 1 ? candidates - 1 : 1) * ROUNDS_MAX;
    double degrees = batch_degrees;
    for (size_t i = 0; i < space->objective.name_count; ++i) {
        if (fc_metrics[fc_metric_find(space->objective.names[i])].percentile > 0)
            degrees = fmax(1, replications - 1);
    }
    return fc_student_quantile(1 - error_level / (2 * comparisons), degrees) /
           fc_student_quantile(0.975, degrees);
}

/* The best simulated candidate, or count if there is none. */
static size_t best_simulated(const fc_candidate *candidates, size_t count, double sign) {
    size_t best = count;
    for (size_t i = 0; i < count; ++i) {
        if (candidates[i].survivor && isfinite(candidates[i].simulated) &&
            (best == count || sign * candidates[i].simulated < sign * candidates[best].simulated))
            best = i;
    }
    return best;
}

/* Drops survivors that are significantly worse than the best; returns how many of the rest differ
 * from the best by less than matters, at the present intervals, with the others still open. */
static size_t eliminate(fc_candidate *candidates, size_t count, double sign, double indifference,
                        double widening, size_t *open) {
    const size_t best = best_simulated(candidates, count, sign);
    size_t left = 0;
    *open = 0;
    for (size_t i = 0; i < count && best < count; ++i) {
        fc_candidate *candidate = &candidates[i];
        if (!candidate->survivor)
            continue;
        const double excess = sign * (candidate->simulated - candidates[best].simulated);
        const double noise = widening * hypot(candidate->half_width, candidates[best].half_width);
        if (!isfinite(candidate->simulated) || excess > noise) {
            candidate->survivor = i == best;
        }
        if (candidate->survivor) {
            ++left;
            *open += i != best && excess + noise > indifference * fabs(candidates[best].simulated);
        }
    }
    return left;
}

/* Whether the simulation orders the candidates as the model does, where the difference is
 * significant. */
static bool orders_agree(const fc_candidate *candidates, size_t count, double sign) {
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = i + 1; j < count; ++j) {
            const double noise = hypot(candidates[i].half_width, candidates[j].half_width);
            if (sign * (candidates[i].simulated - candidates[j].simulated) > noise)
                return false;
        }
    }
    return true;
}

/* Candidates judged by simulation: feasible ones first, sorted from the best. */
static void sort_by_simulation(fc_candidate *candidates, size_t count, double sign) {
    for (size_t i = 1; i < count; ++i) {
        const fc_candidate moved = candidates[i];
        size_t at = i;
        for (; at > 0; --at) {
            const fc_candidate *before = &candidates[at - 1];
            const bool possible = moved.feasible && isfinite(moved.simulated);
            const bool was = before->feasible && isfinite(before->simulated);
            if (!possible || (was && !(sign * moved.simulated < sign * before->simulated)))
                break;
            candidates[at] = *before;
        }
        candidates[at] = moved;
    }
}

static fc_status check_possible(const fc_candidate *candidates, size_t count, fc_error *error) {
    size_t saturated = 0, against = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(candidates[i].simulated))
            ++saturated;
        else if (!candidates[i].feasible)
            ++against;
    }
    if (saturated + against < count)
        return FC_OK;
    return fc_fail(error, FC_ERROR_INPUT,
                   "none of the %zu simulated points is possible: %zu are saturated or have no "
                   "such metric, %zu do not meet the constraints",
                   count, saturated, against);
}

/* All up to the last one whose interval overlaps that of the best: the model cannot tell them
 * apart.
 */
static fc_status extend(const fc_space *space, const fc_optimum *optimum, double sign,
                        fc_error *error, size_t *count) {
    fc_range best, range;
    fc_status status = fc_space_range(space, optimum->candidates[0].settings, error, &best);
    for (size_t i = *count; i < optimum->candidate_count && status == FC_OK; ++i) {
        status = fc_space_range(space, optimum->candidates[i].settings, error, &range);
        if (sign > 0 ? range.low <= best.high : range.high >= best.low)
            *count = i + 1;
    }
    return status;
}

static bool any_possible(const fc_candidate *candidates, size_t count) {
    bool possible = false;
    for (size_t i = 0; i < count; ++i)
        possible |= candidates[i].feasible && isfinite(candidates[i].simulated);
    return possible;
}

/* Simulates the first *count candidates and, while none of them is possible, the next. If nobody
 * asked for simulations, a candidate that no simulator covers ends the search: *count is 0. */
static fc_status take_first_look(const fc_space *space, fc_optimum *optimum,
                                 const fc_run_settings *settings, fc_error *error, size_t *count) {
    const bool asked = space->settings->simulate > 0 || optimum->by_simulation;
    size_t done = 0, failed;
    while (done < *count ||
           (done < optimum->candidate_count && !any_possible(optimum->candidates, done))) {
        const size_t end = done < *count ? *count : done + 1;
        const double share = (double)(end - done) / (double)end / ROUNDS_MAX;
        fc_slice slice = {settings, fmin(1 - share, (double)done / (double)end / ROUNDS_MAX),
                          share};
        const fc_run_settings inner = fc_slice_settings(&slice);
        const fc_trials trials = {optimum->candidates, done, end, false, first_precision};
        const fc_status status = fc_simulate_candidates(space, &trials, &inner, error, &failed);
        if (status == FC_ERROR_UNSUPPORTED && !asked) {
            optimum->unconfirmed = true;
            optimum->winner = failed;
            *count = 0;
            return FC_OK;
        }
        if (status != FC_OK)
            return status;
        done = end;
    }
    *count = done;
    return any_possible(optimum->candidates, done)
               ? FC_OK
               : check_possible(optimum->candidates, done, error);
}

static fc_status confirm(const fc_space *space, size_t simulate, fc_optimum *optimum, double sign,
                         const fc_run_settings *settings, fc_error *error) {
    const fc_optimize_settings *given = space->settings;
    size_t count = simulate < optimum->candidate_count ? simulate : optimum->candidate_count;
    const fc_status extended = count > 0 && given->simulate > 0 && !optimum->by_simulation
                                   ? extend(space, optimum, sign, error, &count)
                                   : FC_OK;
    if (extended != FC_OK)
        return extended;
    const double indifference =
        given->indifference > 0 ? given->indifference : default_indifference;
    if (count == 0)
        return FC_OK;
    double replications = 0;
    fc_scenario_number(space->base, "simulation.replications", NULL, &replications);
    const fc_status looked = take_first_look(space, optimum, settings, error, &count);
    if (looked != FC_OK || count == 0)
        return looked;
    const double widening = widening_of(space, count, replications);
    double precision = first_precision;
    size_t open = 0;
    for (int round = 0; round < ROUNDS_MAX; ++round, precision /= 2) {
        fc_slice slice = {settings, (double)round / ROUNDS_MAX, 1.0 / ROUNDS_MAX};
        const fc_run_settings inner = fc_slice_settings(&slice);
        const fc_trials trials = {optimum->candidates, 0, count, true, precision};
        size_t failed;
        const fc_status status =
            round == 0 ? FC_OK : fc_simulate_candidates(space, &trials, &inner, error, &failed);
        if (status != FC_OK)
            return status;
        optimum->survivors =
            eliminate(optimum->candidates, count, sign, indifference, widening, &open);
        if (optimum->survivors <= 1 || open == 0)
            break;
    }
    if (optimum->by_simulation)
        sort_by_simulation(optimum->candidates, count, sign);
    const size_t best = best_simulated(optimum->candidates, count, sign);
    optimum->winner = best < count ? best : 0;
    optimum->confidence = best < count && open == 0 ? 1 - error_level : NAN;
    optimum->orders_agree = orders_agree(optimum->candidates, count, sign);
    return FC_OK;
}

/* ---- the front ---- */

/* As many as are simulated, evenly along the front. */
static void thin_front(fc_optimum *optimum) {
    const size_t count = optimum->front_count;
    size_t kept = 0;
    if (count <= FC_TRIALS_MOST)
        return;
    for (size_t i = 0; i < count; ++i) {
        if (i == kept * (count - 1) / (FC_TRIALS_MOST - 1))
            optimum->front[kept++] = optimum->front[i];
        else
            clear_candidate(&optimum->front[i], optimum->setting_count);
    }
    optimum->front_count = kept;
}

static bool is_possible(const fc_candidate *candidate) {
    return candidate->feasible && isfinite(candidate->simulated) &&
           isfinite(candidate->second_simulated);
}

static bool dominates(const fc_candidate *a, const fc_candidate *b,
                      const fc_optimize_settings *given) {
    const double sign = given->maximize ? -1 : 1, second_sign = given->second_maximize ? -1 : 1;
    const double more = sign * (b->simulated - a->simulated);
    const double second_more = second_sign * (b->second_simulated - a->second_simulated);
    return is_possible(a) && more >= 0 && second_more >= 0 && (more > 0 || second_more > 0);
}

/* Where candidates were simulated the front is too: the model alone may let saturated points pass.
 */
static fc_status confirm_front(const fc_space *space, fc_optimum *optimum,
                               const fc_run_settings *settings, fc_error *error) {
    size_t failed, kept = 0;
    if (!optimum->survivors || optimum->front_count == 0)
        return FC_OK;
    thin_front(optimum);
    const fc_trials trials = {optimum->front, 0, optimum->front_count, false, first_precision};
    const fc_status status = fc_simulate_candidates(space, &trials, settings, error, &failed);
    if (status != FC_OK)
        return status;
    for (size_t i = 0; i < optimum->front_count; ++i) {
        fc_candidate *candidate = &optimum->front[i];
        candidate->survivor = is_possible(candidate);
        for (size_t k = 0; k < optimum->front_count; ++k)
            candidate->survivor &= !dominates(&optimum->front[k], candidate, space->settings);
    }
    for (size_t i = 0; i < optimum->front_count; ++i) {
        if (optimum->front[i].survivor)
            optimum->front[kept++] = optimum->front[i];
        else
            clear_candidate(&optimum->front[i], optimum->setting_count);
    }
    optimum->front_dropped = optimum->front_count - kept;
    optimum->front_count = kept;
    return FC_OK;
}

/* Why no point can be kept. */
static fc_status fail_impossible(const fc_space *space, const struct block *found,
                                 fc_error *error) {
    fc_point first;
    fc_error why = {{0}};
    if (found->infeasible > 0)
        return fc_fail(error, FC_ERROR_INPUT,
                       "none of the %zu points is possible: %zu are not valid scenarios or not "
                       "covered, %zu are saturated or do not meet the constraints",
                       space->points, found->invalid, found->infeasible);
    if (fc_space_evaluate(space, 0, &why, &first) != FC_OK)
        return fc_fail_memory(error); /* the only thing that it fails for */
    return fc_fail(error, FC_ERROR_INPUT,
                   "none of the %zu points is a valid scenario that is covered. The first: %.800s",
                   space->points, why.text);
}

/* How many of the points are listed, and how many of those are simulated. */
static fc_status plan(const fc_space *space, struct block *found, fc_error *error,
                      size_t *simulate) {
    const fc_optimize_settings *given = space->settings;
    size_t list = given->candidates ? given->candidates : 10;
    *simulate = given->simulate;
    if (found->unmodelled > KEEP_MAX)
        return fc_fail(
            error, FC_ERROR_INPUT,
            "%zu points are covered by no model; without a model at most %d are searched. "
            "Vary fewer values, or simulate the whole grid by a sweep",
            found->unmodelled, KEEP_MAX);
    if (found->unmodelled) /* nothing ranks them before they are simulated */
        *simulate = found->kept;
    else if (*simulate == 0)
        *simulate = found->open ? SIMULATED_DEFAULT : fc_space_judges_results(space);
    list = list > *simulate ? list : *simulate;
    found->kept = found->kept < list ? found->kept : list;
    return FC_OK;
}

static fc_status run(const fc_space *space, const fc_run_settings *settings, fc_error *error,
                     fc_optimum **optimum) {
    struct screening screening = {
        .space = space,
        .sign = space->settings->maximize ? -1 : 1,
        .second_sign = space->settings->second_maximize ? -1 : 1,
    };
    struct block *found = NULL;
    size_t simulate = 0;
    fc_status status = screen(&screening, settings, error, &found);
    if (status == FC_OK) {
        assert(found);
        status = plan(space, found, error, &simulate);
    }
    if (status == FC_OK)
        status = found->kept > 0 ? make_optimum(&screening, found, error, optimum)
                                 : fail_impossible(space, found, error);
    if (status == FC_OK)
        (*optimum)->by_simulation = found->open + found->unmodelled > 0;
    fc_release(screening.blocks);
    if (status != FC_OK)
        return status;
    status = confirm(space, simulate, *optimum, screening.sign, settings, error);
    if (status == FC_OK)
        status = confirm_front(space, *optimum, settings, error);
    if (status != FC_OK)
        fc_optimum_free(*optimum);
    return status;
}

fc_status fc_optimize(const fc_scenario *base, const fc_optimize_settings *optimize,
                      const fc_run_settings *settings, fc_error *error, fc_optimum **optimum) {
    FC_IN_C_LOCALE;
    fc_space *space;
    fc_optimum *made = NULL;
    fc_status status = fc_space_create(base, optimize, error, &space);
    if (status != FC_OK)
        return status;
    status = run(space, settings, error, &made);
    fc_space_free(space);
    if (status == FC_OK)
        *optimum = made;
    return status;
}
