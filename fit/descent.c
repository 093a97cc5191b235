#include "fit/descent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "fit/backward.h"
#include "base/memory.h"
#include "base/random.h"
#include "fit/loss.h"

enum {
    PARTS = 16,  /* of the networks of a step, each with a gradient of its own */
    BLOCKS = 64, /* of the weights */
    /* streams of random numbers: for the order of the networks, for what is left out of states */
    ORDER = 1000,
    DROP = 1001,
    TAKE = 1002
};
static const double kept = 0.9, kept_square = 0.999; /* of the means of gradients, in a step */
static const double dear = 100; /* cost of a network from which on it is not in every pass */
static const double clip = 1;   /* the longest gradient */

/* What a thread works with. */
typedef struct bench {
    fc_learned_tape *tape;
    fit_backward *backward;
    fc_member_curve curve;
    fit_slopes slopes;
    float *drop;
} bench;

typedef struct descent {
    const fit_lessons *lessons;
    fc_learned_layout layout;
    fit_loss_weights terms;
    const fit_settings *settings;
    fit_team *team;
    bench *benches;
    size_t *known; /* networks that are learned from */
    size_t count;
    size_t *order; /* of those of this pass */
    size_t taken;  /* their number */
    float *weights, *transposed, *mean, *square, *gradient;
    float *followed; /* the mean of the weights of late: the result */
    float *parts;    /* gradients */
    double losses[PARTS], squares[BLOCKS];
    size_t members[PARTS], *member_of[PARTS]; /* networks of each part in this step */
    size_t steps;
    double scale, rate, corrected, corrected_square, follow; /* of this step */
    double follow_least;
} descent;

/* ---- start ---- */

/* Uniform, as wide as the number of inputs asks for. */
static void draw(fc_random *random, size_t inputs, size_t count, double size, float *to) {
    const double most = size / sqrt((double)(inputs ? inputs : 1));
    for (size_t i = 0; i < count; ++i)
        to[i] = (float)(most * (2 * fc_random_unit(random) - 1));
}

void fit_start(const fc_learned_shape *s, const fc_learned_layout *l, double lanes, unsigned seed,
               float *w) {
    const size_t width = s->width, inputs = s->lane + s->whole;
    fc_random random = fc_random_stream(seed, 0, 1);
    memset(w, 0, l->count * sizeof *w);
    draw(&random, inputs, inputs * width, 1, w + l->lane);
    draw(&random, inputs, width, 1, w + l->first_bias);
    draw(&random, width, width * width + width, 1, w + l->second);
    for (size_t r = 0; r < s->rounds; ++r) {
        float *at = w + l->rounds + r * l->round.count;
        draw(&random, width, 2 * width * width + width, 1, at + l->round.from);
        draw(&random, s->movement, s->movement * width, 1, at + l->round.movement);
        draw(&random, FC_HEARD * width, FC_HEARD * width * width + width, 1, at + l->round.seen[0]);
        draw(&random, width, width * width + width, 1, at + l->round.change);
    }
    draw(&random, 2 * width, 2 * width * width + width, 1, w + l->last[0]);
    draw(&random, fc_tail_inputs(s), fc_tail_inputs(s) * width + width, 1, w + l->tail);
    /* The outputs start at usual values, the same for all. */
    if (s->values) {
        for (size_t v = 0; v < FC_LEARNED_VALUES_MOST; ++v)
            w[l->tail_out_bias + FC_LEARNED_VALUES_MOST + v] = -3;
        return;
    }
    for (size_t k = 0; k < FC_KNOTS; ++k) {
        w[l->tail_out_bias + k] = 1.3F;
        w[l->tail_out_bias + FC_KNOTS + k] = -2;
    }
    w[l->tail_out_bias + 2 * FC_KNOTS] = -3;
    if (s->prior)
        return;
    w[l->out_bias] = (float)((2 - log(lanes)) / 8); /* saturates at three quarters */
    for (size_t k = 1; k < FC_KNOTS; ++k)
        w[l->out_bias + 1 + k] = -0.5F;
}

static bool bench_create(const fit_lessons *all, bench *b) {
    const size_t lanes = all->lanes_most;
    b->backward = fit_backward_create(&all->shape, lanes, all->movements_most);
    b->curve.shares = calloc(lanes, FC_KNOTS * sizeof(float));
    b->curve.full = calloc(lanes, sizeof(float));
    b->slopes.out = calloc(lanes, FC_LANE_OUTPUTS * sizeof(float));
    b->drop = calloc(lanes, all->shape.width * sizeof(float));
    return fc_learned_tape_create(&all->shape, lanes, all->movements_most, true, NULL, &b->tape) ==
               FC_OK &&
           b->backward && b->curve.shares && b->curve.full && b->slopes.out && b->drop;
}

static void bench_release(bench *b) {
    fc_learned_tape_free(b->tape);
    fit_backward_free(b->backward);
    free(b->curve.shares);
    free(b->curve.full);
    free(b->slopes.out);
    free(b->drop);
}

static bool descent_create(const bool *left_out, descent *d) {
    const size_t count = d->layout.count;
    float **const all[] = {&d->weights, &d->transposed, &d->mean, &d->square, &d->gradient};
    bool made = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        *all[i] = fc_allocate_lines(count, sizeof(float));
        made &= *all[i] != NULL;
    }
    d->parts = fc_allocate_lines(PARTS * count, sizeof(float));
    d->known = calloc(d->lessons->count + 1, sizeof *d->known);
    d->order = calloc(d->lessons->count + 1, sizeof *d->order);
    d->benches = calloc(fit_team_threads(d->team), sizeof *d->benches);
    made = made && d->parts && d->known && d->order && d->benches;
    for (size_t i = 0; i < PARTS && made; ++i) {
        d->member_of[i] = calloc(d->settings->batch, sizeof **d->member_of);
        made = d->member_of[i] != NULL;
    }
    for (size_t i = 0; i < fit_team_threads(d->team) && made; ++i)
        made = bench_create(d->lessons, &d->benches[i]);
    for (size_t i = 0; i < d->lessons->count && made; ++i)
        if (!left_out[i])
            d->known[d->count++] = i;
    return made;
}

static void descent_release(descent *d) {
    float *const all[] = {d->weights, d->transposed, d->mean, d->square, d->gradient, d->parts};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        fc_release(all[i]);
    for (size_t i = 0; i < fit_team_threads(d->team) && d->benches; ++i)
        bench_release(&d->benches[i]);
    for (size_t i = 0; i < PARTS; ++i)
        free(d->member_of[i]);
    free(d->benches);
    free(d->known);
    free(d->order);
}

/* ---- a step ---- */

/* Which numbers of a network's states are left out in this step, by bytes of random words. */
static void draw_drop(const descent *d, size_t network, bench *b) {
    const uint32_t least = (uint32_t)(256 * d->settings->drop + 0.5);
    const size_t count =
        d->lessons->list[network].record->traits.lane_count * d->lessons->shape.width;
    const float kept_factor = 1 / (1 - (float)least / 256);
    fc_random random =
        fc_random_stream(d->settings->seed + ((uint64_t)network << 32), (uint32_t)d->steps, DROP);
    for (size_t i = 0; i < count; i += 4) {
        const uint32_t word = fc_random_word(&random);
        for (size_t k = 0; k < 4; ++k)
            b->drop[i + k] = (word >> 8 * k & 255) < least ? 0 : kept_factor;
    }
    b->tape->drop = least > 0 ? b->drop : NULL;
}

static void learn_part(void *context, size_t part, size_t thread) {
    descent *d = context;
    bench *b = &d->benches[thread];
    float *gradient = d->parts + part * d->layout.count;
    const fc_learned_shape *shape = &d->lessons->shape;
    memset(gradient, 0, d->layout.count * sizeof *gradient);
    d->losses[part] = 0;
    for (size_t i = 0; i < d->members[part]; ++i) {
        const fit_lesson *lesson = &d->lessons->list[d->member_of[part][i]];
        draw_drop(d, d->member_of[part][i], b);
        fc_learned_forward(shape, &d->layout, d->weights, lesson->graph, b->tape);
        d->losses[part] += fit_loss(&d->terms, d->lessons, lesson, b->tape, &b->curve, &b->slopes);
        fit_go_back(shape, &d->layout, d->transposed, lesson->graph, b->tape, &b->slopes,
                    b->backward, gradient);
    }
}

typedef struct block {
    size_t from, to;
} block;

static block block_of(const descent *d, size_t number) {
    const size_t size = (d->layout.count + BLOCKS - 1) / BLOCKS;
    const size_t from = number * size, to = from + size;
    return (block){from < d->layout.count ? from : d->layout.count,
                   to < d->layout.count ? to : d->layout.count};
}

static void sum_block(void *context, size_t number, size_t thread) {
    descent *d = context;
    const block at = block_of(d, number);
    (void)thread;
    memcpy(d->gradient + at.from, d->parts + at.from, (at.to - at.from) * sizeof(float));
    for (size_t p = 1; p < PARTS; ++p) {
        const float *part = d->parts + p * d->layout.count;
        for (size_t i = at.from; i < at.to; ++i)
            d->gradient[i] += part[i];
    }
    double squares = 0;
    for (size_t i = at.from; i < at.to; ++i)
        squares += (double)d->gradient[i] * (double)d->gradient[i];
    d->squares[number] = squares;
}

static void move_block(void *context, size_t number, size_t thread) {
    descent *d = context;
    const block at = block_of(d, number);
    const float scale = (float)d->scale, rate = (float)(d->rate / d->corrected);
    const float root = (float)(1 / d->corrected_square);
    const float shrink = (float)(1 - d->rate * d->settings->decay);
    const float keep = (float)kept, keep_square = (float)kept_square, follow = (float)d->follow;
    (void)thread;
    for (size_t i = at.from; i < at.to; ++i) {
        const float g = scale * d->gradient[i];
        d->mean[i] = keep * d->mean[i] + (1 - keep) * g;
        d->square[i] = keep_square * d->square[i] + (1 - keep_square) * g * g;
        d->weights[i] =
            shrink * d->weights[i] - rate * d->mean[i] / (sqrtf(root * d->square[i]) + 1e-8F);
        d->followed[i] += follow * (d->weights[i] - d->followed[i]);
    }
}

static int by_cost(const void *a, const void *b, void *context) {
    const fit_lessons *all = context;
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const double more = all->list[y].cost - all->list[x].cost;
    return more > 0 ? 1 : more < 0 ? -1 : x < y ? -1 : x > y;
}

/* The networks of a step, so that all parts cost about the same: the dearest first, each to the
 * part that costs least so far. */
static void divide(descent *d, size_t *networks, size_t count) {
    double costs[PARTS] = {0};
    memset(d->members, 0, sizeof d->members);
    qsort_r(networks, count, sizeof *networks, by_cost, (void *)(uintptr_t)d->lessons);
    for (size_t i = 0; i < count; ++i) {
        size_t least = 0;
        for (size_t p = 1; p < PARTS; ++p)
            if (costs[p] < costs[least])
                least = p;
        costs[least] += d->lessons->list[networks[i]].cost;
        d->member_of[least][d->members[least]++] = networks[i];
    }
}

/* Returns the loss per network. */
static double step(descent *d, size_t *networks, size_t count) {
    divide(d, networks, count);
    ++d->steps;
    fit_team_run(d->team, PARTS, learn_part, d);
    fit_team_run(d->team, BLOCKS, sum_block, d);
    double squares = 0, loss = 0;
    for (size_t i = 0; i < BLOCKS; ++i)
        squares += d->squares[i];
    for (size_t i = 0; i < PARTS; ++i)
        loss += d->losses[i];
    const double length = sqrt(squares) / (double)count;
    d->scale = (length > clip ? clip / length : 1) / (double)count;
    d->corrected = 1 - (1 - d->corrected) * kept;
    d->corrected_square = 1 - (1 - d->corrected_square) * kept_square;
    d->follow = fmax(1 / (double)d->steps, d->follow_least);
    if (isfinite(length))
        fit_team_run(d->team, BLOCKS, move_block, d);
    fit_transpose(&d->lessons->shape, &d->layout, d->weights, d->transposed);
    return loss / (double)count;
}

/* ---- all steps ---- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The networks of a pass, in random order. A large one teaches about as much as a small one: where
 * it costs more than that, it is taken so much less often. */
static void shuffle(descent *d, size_t pass) {
    fc_random taking = fc_random_stream(d->settings->seed, (uint32_t)pass, TAKE);
    fc_random random = fc_random_stream(d->settings->seed, (uint32_t)pass, ORDER);
    d->taken = 0;
    for (size_t i = 0; i < d->count; ++i)
        if (fc_random_unit(&taking) * d->lessons->list[d->known[i]].cost < dear)
            d->order[d->taken++] = d->known[i];
    for (size_t i = d->taken; i > 1; --i) {
        const size_t j = fc_random_below(&random, (uint32_t)i), other = d->order[j];
        d->order[j] = d->order[i - 1];
        d->order[i - 1] = other;
    }
}

/* From 1 to 0, flat at both ends: close to a cosine. */
static double falling(double done) {
    return done < 1 ? 1 - done * done * (3 - 2 * done) : 0;
}

static void descend(descent *d, fit_report *report, void *context) {
    const fit_settings *s = d->settings;
    const double start = now();
    double done = 0;
    for (size_t pass = 0; s->seconds > 0 ? done < 1 : pass < s->passes; ++pass) {
        double loss = 0, steps = 0;
        shuffle(d, pass);
        for (size_t at = 0; at < d->taken && done < 1; at += s->batch) {
            const size_t left = d->taken - at, size = left < s->batch ? left : s->batch;
            const double through = (double)(at + size) / (double)d->taken;
            const double first = (double)pass + through;
            done = s->seconds > 0 ? (now() - start) / s->seconds : first / (double)s->passes;
            d->rate = s->rate * fmin(1, first) * falling(done - 1e-12);
            loss += step(d, d->order + at, size);
            steps += 1;
        }
        const bool last = s->seconds > 0 ? done >= 1 : pass + 1 == s->passes;
        if (report && s->report_every && ((pass + 1) % s->report_every == 0 || last))
            report(context, d->followed, pass + 1, loss / steps, now() - start);
    }
}

static double mean_lanes(const fit_lessons *lessons) {
    double sum = 0;
    for (size_t i = 0; i < lessons->count; ++i)
        for (size_t l = 0; l < lessons->list[i].record->traits.lane_count; ++l)
            sum += (double)lessons->list[i].record->traits.lanes[l].copies;
    return sum / (double)lessons->count;
}

bool fit_descend(const fit_lessons *lessons, const bool *left_out, const fit_settings *settings,
                 fit_team *team, fit_report *report, void *context, float *weights) {
    descent d = {.lessons = lessons,
                 .layout = fc_learned_layout_of(&lessons->shape),
                 .terms = fit_loss_weights_of(lessons, left_out),
                 .settings = settings,
                 .team = team,
                 .followed = weights};
    const bool made = descent_create(left_out, &d);
    if (made) {
        const double steps = ceil((double)d.count / (double)settings->batch);
        d.follow_least = fmin(1, 1 / fmax(1, settings->average * steps));
        if (settings->goes_on)
            memcpy(d.weights, weights, d.layout.count * sizeof *weights);
        else
            fit_start(&lessons->shape, &d.layout, mean_lanes(lessons), settings->seed, d.weights);
        fit_transpose(&lessons->shape, &d.layout, d.weights, d.transposed);
        descend(&d, report, context);
    }
    descent_release(&d);
    return made;
}
