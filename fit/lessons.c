#include "fit/lessons.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "forecast/learned_weights.h"

static const float scale_least = 1e-3F; /* of inputs that are the same everywhere */

/* ---- scaling ---- */

typedef struct statistics {
    double count, sum, squares;
    float low, high;
} statistics;

static void add_row(const float *values, size_t count, bool in_range, statistics *to) {
    for (size_t i = 0; i < count; ++i) {
        const double value = (double)values[i];
        to[i].count += 1;
        to[i].sum += value;
        to[i].squares += value * value;
        if (in_range) {
            to[i].low = values[i] < to[i].low ? values[i] : to[i].low;
            to[i].high = values[i] > to[i].high ? values[i] : to[i].high;
        }
    }
}

static void add_network(const fc_traits *t, statistics *whole, statistics *lane,
                        statistics *movement) {
    add_row(t->whole, t->whole_inputs, true, whole);
    for (size_t l = 0; l < t->lane_count; ++l)
        add_row(t->lane + l * t->lane_inputs, t->lane_inputs, t->lanes[l].weight > 0, lane);
    for (size_t j = 0; j < t->movement_count; ++j)
        add_row(t->movement + j * t->movement_inputs, t->movement_inputs, true, movement);
}

static void scale_alike(const fc_trait_norm *like, size_t count, fc_trait_norm *to) {
    for (size_t i = 0; i < count; ++i) {
        to[i].mean = like[i].mean;
        to[i].scale = like[i].scale;
    }
}

/* like: mean and scale are those of these weights; the range is that of the dataset. */
static void find_scaling(const fit_dataset *dataset, const bool *left_out, const fc_weights *like,
                         fit_lessons *to) {
    enum { MOST = FC_TRAIT_WHOLE_MOST + FC_TRAIT_LANE_MOST + FC_TRAIT_MOVEMENT_MOST };
    const fc_learned_shape *s = &to->shape;
    statistics all[MOST];
    for (size_t i = 0; i < MOST; ++i)
        all[i] = (statistics){.low = FLT_MAX, .high = -FLT_MAX};
    for (size_t i = 0; i < dataset->count; ++i)
        if (!left_out[i])
            add_network(&dataset->records[i].traits, all, all + s->whole, all + s->whole + s->lane);
    for (size_t i = 0; i < s->whole + s->lane + s->movement; ++i) {
        const double count = all[i].count > 0 ? all[i].count : 1, mean = all[i].sum / count;
        const double variance = all[i].squares / count - mean * mean;
        to->norms[i] =
            (fc_trait_norm){.low = all[i].low,
                            .high = all[i].high,
                            .mean = (float)mean,
                            .scale = (float)sqrt(variance > 0 ? variance : 0) + scale_least};
    }
    if (like) {
        scale_alike(like->norms.whole, like->shape.whole, to->norms);
        scale_alike(like->norms.lane, like->shape.lane, to->norms + s->whole);
        scale_alike(like->norms.movement, like->shape.movement, to->norms + s->whole + s->lane);
    }
    to->scaling = (fc_trait_norms){to->norms, to->norms + s->whole, to->norms + s->whole + s->lane};
}

/* ---- which loads count ---- */

static unsigned char kind_of(const fit_record *r, const fit_load *at) {
    const double excess = (double)at->mean - r->traits.empty[FC_MEAN];
    const double tail = (double)at->p99 - r->traits.empty[FC_P99];
    const double half = (double)at->mean_half;
    if (!(at->load > 0))
        return 0;
    if (isnan(at->mean))
        return r->network.saturation > 0 ? 0 : FIT_SATURATED;
    if (!(excess > 0 && half < 0.2 * (double)at->mean && half < 0.6 * excess))
        return 0;
    return tail > 0 && (double)at->p99_half < 0.5 * tail ? FIT_SETTLED | FIT_TAIL : FIT_SETTLED;
}

bool fit_search_is_doubtful(const fit_record *r) {
    for (uint32_t i = 0; i < r->network.load_count; ++i) {
        const fit_load *at = &r->network.loads[i];
        if ((double)at->load > 0.85 * r->network.saturation &&
            (double)at->mean < 1.1 * r->traits.empty[FC_MEAN])
            return true;
    }
    return false;
}

/* ---- bursts ---- */

double fit_burst_wait(const void *context, double load) {
    const fit_burst_table *table = context;
    double at = load / table->most * FIT_BURST_POINTS;
    at = at < FIT_BURST_POINTS ? at : FIT_BURST_POINTS - 1e-3;
    const size_t below = (size_t)at;
    const double low = below ? (double)table->waits[below - 1] : 0;
    return low + (at - (double)below) * ((double)table->waits[below] - low);
}

fit_burst_table fit_burst_table_of(const fit_record *r) {
    float rate = 0;
    for (size_t l = 0; l < r->traits.lane_count; ++l)
        rate = r->traits.lanes[l].bursts > rate ? r->traits.lanes[l].bursts : rate;
    return rate > 0 ? (fit_burst_table){r->bursts, r->traits.capacity * (double)rate}
                    : (fit_burst_table){NULL, 1};
}

/* ---- */

static void prepare(void *context, size_t part, size_t thread) {
    fit_lessons *all = context;
    fit_lesson *lesson = &all->list[part];
    const fit_record *r = &all->dataset->records[part];
    (void)thread;
    *lesson = (fit_lesson){.record = r,
                           .traits.capacity = r->traits.capacity,
                           .searched = r->network.saturation > 0,
                           .limit = r->network.saturation > 0 && !fit_search_is_doubtful(r),
                           .kinds = calloc(r->network.load_count + 1, 1)};
    if (!lesson->kinds || fc_trait_graph_create(&all->scaling, &all->shape, &r->traits, NULL,
                                                &lesson->graph) != FC_OK)
        abort(); /* out of memory: nothing can be done in a thread */
    for (uint32_t i = 0; i < r->network.load_count; ++i)
        lesson->kinds[i] = kind_of(r, &r->network.loads[i]);
    lesson->bursts = fit_burst_table_of(r);
    if (lesson->bursts.waits) {
        lesson->traits.burst_wait = fit_burst_wait;
        lesson->traits.burst_context = &lesson->bursts;
    }
    lesson->cost = 30 + r->traits.lane_count + 0.1 * r->traits.movement_count;
}

bool fit_lessons_create(const fit_dataset *dataset, const bool *left_out, fit_team *team,
                        fc_learned_shape shape, const fc_weights *like, fit_lessons *lessons) {
    *lessons = (fit_lessons){.dataset = dataset, .shape = shape, .count = dataset->count};
    const fc_traits *first = &dataset->records->traits;
    lessons->shape.whole = first->whole_inputs;
    lessons->shape.lane = first->lane_inputs;
    lessons->shape.movement = first->movement_inputs;
    const char *names = strstr(dataset->head, "\nwhole:");
    char *whole = names ? strndup(names + 1, strcspn(names + 1, "\n")) : NULL;
    lessons->shape.prior = fc_learned_prior_in(whole);
    free(whole);
    lessons->shape.values = strstr(dataset->head, "\nform values\n") != NULL;
    lessons->values = lessons->shape.values ? dataset->records->network.value_count : 0;
    lessons->list = calloc(dataset->count, sizeof *lessons->list);
    if (!lessons->list)
        return false;
    find_scaling(dataset, left_out, like, lessons);
    fit_team_run(team, dataset->count, prepare, lessons);
    for (size_t i = 0; i < lessons->count; ++i) {
        const fc_traits *t = &dataset->records[i].traits;
        if (t->lane_count > lessons->lanes_most)
            lessons->lanes_most = t->lane_count;
        if (t->movement_count > lessons->movements_most)
            lessons->movements_most = t->movement_count;
    }
    return true;
}

void fit_lessons_release(fit_lessons *lessons) {
    for (size_t i = 0; i < lessons->count && lessons->list; ++i) {
        fc_trait_graph_free(lessons->list[i].graph);
        free(lessons->list[i].kinds);
    }
    free(lessons->list);
    *lessons = (fit_lessons){0};
}
