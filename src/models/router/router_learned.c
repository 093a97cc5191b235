/* Graph networks that forecast waits, as docs/theory/calibration.md#routers has it: several of the
 * same form, fitted from different random weights. forecast_of makes one forecast of theirs.
 *
 * The state of a lane is a vector h of FC_LEARNED_WIDTH numbers. With s(x) = x / (1 + e^-x):
 *
 *     h = h0 = s(W2 s(W1 x + b1) + b2)                     x: inputs of the lane, at the load
 *     m_j = s(A h_from + a + B h_to + C y_j)               y: inputs of a movement, at the load
 *     h += D s(U (h, h0, sum kept m, sum share m, sum load m, mean h of the link) + u) + d
 *
 * the last two FC_LEARNED_ROUNDS times, each with weights of its own; the sums are over the
 * movements that leave the lane, that enter it, and that enter it again. Then each lane has a wait,
 * W = alone phi e^o, where phi is zero without load: so the empty network stays exact. phi is the
 * larger of the link's load and the lane's holding load, or at a source of bursts its exact wait,
 * if it were alone, where that is longer. The mean latency beyond the empty network's is the sum of
 * all W, each weighted by the messages that cross the lane. The margin to saturation is a smooth
 * maximum over lanes; what the 99th percentile has beyond the empty network's is that of the mean
 * times a factor that depends on mean states.
 *
 * Products are over 8 numbers at once, in the same order whatever the processor has: the same bits
 * everywhere. */
#include "models/router/router_learned.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/router/router_learned_merge.h"
#include "models/router/router_weights.h"

/* Inlined into the one function that is compiled for processors with wider vectors, and again for
 * those without. */
#define INLINE static inline __attribute__((always_inline))

enum { WIDTH = FC_LEARNED_WIDTH, AT_ONCE = 8, PARTS = WIDTH / AT_ONCE };
typedef float eight __attribute__((vector_size(4 * AT_ONCE), may_alias));
typedef int32_t eight_whole __attribute__((vector_size(4 * AT_ONCE), may_alias));
typedef struct state {
    eight part[PARTS];
} state;

static const float input_most = 4; /* standard deviations */
static const float load_most = 3;
static const double phi_most = 300;
static const double variance_most = 0.5;
static const double sharpness = 8; /* of the smooth maximum */
static const double wait_least = -12, wait_most = 6, margin_least = -4, margin_most = 2;
static const double near_share = 0.05; /* of the range of an input, beyond it */

struct fc_router_graph_learned {
    fc_merged_graph merged;
    float (*loads)[FC_LANE_LOADS];
    float *alone, *bursts; /* of each lane */
    fc_learned_bursts sources;
    float (*fixed)[FC_MOVEMENT_FIXED]; /* of movements, scaled */
    float whole[FC_WHOLE_INPUTS];      /* scaled */
    double tail_empty;
    state *known[FC_LEARNED_MEMBERS]; /* W1 x + b1 without what depends on the load */
    /* at a load */
    state *first, *now, *from, *to, *kept, *shared, *loaded, *mates, *work;
    float *phi;
    double *waits;
};

/* ---- numbers ---- */

/* x becomes e^x, by its series around the nearest power of two; 3e-7 off at most. */
INLINE void to_exponential(eight *at) {
    eight x = *at;
    static const float round = 12582912; /* added and taken away: the nearest whole number */
    const eight_whole above = x > 80, below = x < -80;
    const eight_whole bounds =
        (above & (eight_whole)(x * 0 + 80)) | (below & (eight_whole)(x * 0 - 80));
    x = (eight)(((eight_whole)x & ~(above | below)) | bounds);
    const eight n = (x * 1.44269504F + round) - round;
    const eight r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    eight sum = r * (1 / 720.0F) + 1 / 120.0F;
    sum = sum * r + 1 / 24.0F;
    sum = sum * r + 1 / 6.0F;
    sum = sum * r + 0.5F;
    sum = sum * r + 1;
    sum = sum * r + 1;
    *at = sum * (eight)((__builtin_convertvector(n, eight_whole) + 127) << 23);
}

INLINE void activate(state *at) {
    for (int p = 0; p < PARTS; ++p) {
        eight shrunk = -at->part[p];
        to_exponential(&shrunk);
        at->part[p] /= 1 + shrunk;
    }
}

/* out += in x weights; in: `inputs` numbers of each row. */
INLINE void multiply(const float *in, size_t stride, size_t rows, const fc_learned_row *weights,
                     size_t inputs, state *out) {
    size_t row = 0;
    for (; row + 2 <= rows; row += 2) { /* two at once: half of the reading of weights */
        const float *a = in + row * stride, *b = a + stride;
        state x = out[row], y = out[row + 1];
        for (size_t i = 0; i < inputs; ++i)
            for (int p = 0; p < PARTS; ++p) {
                eight w;
                memcpy(&w, weights[i] + AT_ONCE * p, sizeof w);
                x.part[p] += a[i] * w;
                y.part[p] += b[i] * w;
            }
        out[row] = x;
        out[row + 1] = y;
    }
    for (; row < rows; ++row) {
        state x = out[row];
        for (size_t i = 0; i < inputs; ++i)
            for (int p = 0; p < PARTS; ++p) {
                eight w;
                memcpy(&w, weights[i] + AT_ONCE * p, sizeof w);
                x.part[p] += in[row * stride + i] * w;
            }
        out[row] = x;
    }
}

INLINE void multiply_states(const state *in, size_t rows, const fc_learned_row *weights,
                            state *out) {
    multiply((const float *)in, WIDTH, rows, weights, WIDTH, out);
}

INLINE void fill(const float *row, size_t rows, state *out) {
    for (size_t i = 0; i < rows; ++i)
        memcpy(&out[i], row, sizeof *out);
}

INLINE double dot(const state *at, const float *weights) {
    const float *values = (const float *)at;
    double sum = 0;
    for (int i = 0; i < WIDTH; ++i)
        sum += (double)values[i] * (double)weights[i];
    return sum;
}

static float scaled(float value, const fc_learned_norm *norm) {
    const float x = (value - norm->mean) / norm->scale;
    return x > input_most ? input_most : x < -input_most ? -input_most : x;
}

/* ---- creation ---- */

static bool within(const float *values, const fc_learned_norm *norms, size_t count) {
    bool is_within = true;
    for (size_t i = 0; i < count; ++i) {
        const double margin = near_share * (double)(norms[i].high - norms[i].low);
        is_within &= (double)values[i] >= (double)norms[i].low - margin &&
                     (double)values[i] <= (double)norms[i].high + margin;
    }
    return is_within;
}

bool fc_learned_whole_is_near(const float whole[FC_WHOLE_INPUTS]) {
    return within(whole, fc_router_weights.whole, FC_WHOLE_INPUTS);
}

bool fc_learned_lanes_are_near(const fc_learned_inputs *in) {
    bool near = true;
    for (uint32_t l = 0; l < in->lane_count && near; ++l)
        near = !(in->lanes[l].weight > 0) ||
               within(in->lanes[l].fixed, fc_router_weights.fixed, FC_LANE_FIXED);
    return near;
}

void fc_router_graph_learned_free(fc_router_graph_learned *g) {
    if (!g)
        return;
    void *const blocks[] = {g->loads,  g->alone, g->bursts, g->fixed, g->first,
                            g->now,    g->from,  g->to,     g->kept,  g->shared,
                            g->loaded, g->mates, g->work,   g->phi,   g->waits};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    for (size_t i = 0; i < FC_LEARNED_MEMBERS; ++i)
        fc_release(g->known[i]);
    fc_merged_graph_release(&g->merged);
    fc_release(g);
}

static bool allocate(fc_router_graph_learned *g) {
    const size_t lanes = g->merged.lane_count;
    state **const states[] = {&g->first,  &g->now,    &g->from,  &g->to,  &g->kept,
                              &g->shared, &g->loaded, &g->mates, &g->work};
    bool made = true;
    for (size_t i = 0; i < sizeof states / sizeof *states; ++i) {
        *states[i] = fc_allocate_lines(lanes, sizeof(state));
        made &= *states[i] != NULL;
    }
    for (size_t i = 0; i < FC_LEARNED_MEMBERS; ++i) {
        g->known[i] = fc_allocate_lines(lanes, sizeof(state));
        made &= g->known[i] != NULL;
    }
    g->loads = fc_allocate(lanes, sizeof *g->loads);
    g->alone = fc_allocate(lanes, sizeof *g->alone);
    g->bursts = fc_allocate(lanes, sizeof *g->bursts);
    g->phi = fc_allocate(lanes, sizeof *g->phi);
    g->waits = fc_allocate(lanes, sizeof *g->waits);
    g->fixed = fc_allocate(g->merged.movement_count, sizeof *g->fixed);
    return made && g->loads && g->alone && g->bursts && g->phi && g->waits && g->fixed;
}

/* Inputs that do not depend on the load: their places among all, the others zero. */
INLINE void fill_known_any(const fc_learned_inputs *in, fc_router_graph_learned *g) {
    const fc_learned_weights *w = &fc_router_weights;
    for (size_t i = 0; i < FC_WHOLE_INPUTS; ++i)
        g->whole[i] = scaled(in->whole[i], &w->whole[i]);
    for (size_t i = 0; i < FC_LEARNED_MEMBERS; ++i)
        fill(w->members[i].first_bias, g->merged.lane_count, g->known[i]);
    for (uint32_t k = 0; k < g->merged.lane_count; ++k) {
        const fc_learned_lane *lane = &in->lanes[g->merged.lanes[k].example];
        float x[FC_LANE_INPUTS] = {0};
        float *solved = x + FC_LANE_FIXED + FC_LANE_BY_LOAD;
        for (size_t i = 0; i < FC_LANE_FIXED; ++i)
            x[i] = scaled(lane->fixed[i], &w->fixed[i]);
        for (size_t i = 0; i < FC_LANE_SOLVED; ++i)
            solved[i] = scaled(lane->solved[i], &w->solved[i]);
        memcpy(solved + FC_LANE_SOLVED, g->whole, sizeof g->whole);
        for (size_t i = 0; i < FC_LEARNED_MEMBERS; ++i)
            multiply(x, FC_LANE_INPUTS, 1, w->members[i].first, FC_LANE_INPUTS, &g->known[i][k]);
        memcpy(g->loads[k], lane->loads, sizeof lane->loads);
        g->alone[k] = lane->alone;
        g->bursts[k] = lane->bursts;
    }
    for (uint32_t k = 0; k < g->merged.movement_count; ++k)
        for (size_t i = 0; i < FC_MOVEMENT_FIXED; ++i)
            g->fixed[k][i] =
                scaled(in->movements[g->merged.movements[k].example].fixed[i], &w->movement[i]);
}

static void fill_known_plain(const fc_learned_inputs *in, fc_router_graph_learned *g) {
    fill_known_any(in, g);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void fill_known_wide(const fc_learned_inputs *in,
                                                            fc_router_graph_learned *g) {
    fill_known_any(in, g);
}
#endif

static void fill_known(const fc_learned_inputs *in, fc_router_graph_learned *g) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        fill_known_wide(in, g);
        return;
    }
#endif
    fill_known_plain(in, g);
}

fc_status fc_router_graph_learned_create(const fc_learned_inputs *inputs, fc_error *error,
                                         fc_router_graph_learned **graph) {
    fc_router_graph_learned *g = fc_allocate(1, sizeof *g);
    if (!g)
        return fc_fail_memory(error);
    const fc_status status = fc_learned_merge(inputs, FC_LEARNED_ROUNDS, error, &g->merged);
    if (status != FC_OK) {
        fc_release(g);
        return status;
    }
    if (!allocate(g)) {
        fc_router_graph_learned_free(g);
        return fc_fail_memory(error);
    }
    fill_known(inputs, g);
    g->tail_empty = inputs->tail_empty;
    g->sources = inputs->bursts;
    *graph = g;
    return FC_OK;
}

/* ---- evaluation ---- */

static float logarithm(float x) {
    return (float)log((double)x + 0.01);
}

/* What waits are in proportion to. */
static void find_phi(fc_router_graph_learned *g, float rate) {
    double last = 0, wait = 0; /* most sources have the same rate */
    for (size_t k = 0; k < g->merged.lane_count; ++k) {
        const double bursts = (double)(rate * g->bursts[k]);
        if (bursts != last)
            wait = bursts > 0 ? fc_router_burst_wait(bursts, &g->sources.injection, g->sources.time)
                              : 0;
        last = bursts;
        const float use = fminf(load_most, rate * fmaxf(g->loads[k][0], g->loads[k][2]));
        g->phi[k] = (float)fmin(phi_most, fmax((double)use, wait / (double)g->alone[k]));
    }
}

INLINE void start(fc_router_graph_learned *g, const fc_learned_member *w, const state *known,
                  float rate) {
    const size_t lanes = g->merged.lane_count;
    for (size_t k = 0; k < lanes; ++k) {
        float x[FC_LANE_BY_LOAD];
        for (int i = 0; i < FC_LANE_LOADS; ++i) {
            const float load = rate * g->loads[k][i];
            x[i] = fminf(load, load_most);
            x[FC_LANE_LOADS + i] = logarithm(load);
            x[2 * FC_LANE_LOADS + i] = 0.2F / (1.05F - fminf(load, 1));
        }
        x[3 * FC_LANE_LOADS] = logarithm(g->phi[k]);
        g->work[k] = known[k];
        multiply(x, FC_LANE_BY_LOAD, 1, w->first + FC_LANE_FIXED, FC_LANE_BY_LOAD, &g->work[k]);
        activate(&g->work[k]);
    }
    fill(w->second_bias, lanes, g->first);
    multiply_states(g->work, lanes, w->second, g->first);
    for (size_t k = 0; k < lanes; ++k)
        activate(&g->first[k]);
    memcpy(g->now, g->first, lanes * sizeof *g->now);
}

/* The sums over movements, and the mean over the lanes of a link. */
INLINE void hear(fc_router_graph_learned *g, const fc_learned_round *w, float rate) {
    const size_t lanes = g->merged.lane_count;
    fill(w->from_bias, lanes, g->from);
    multiply_states(g->now, lanes, w->from, g->from);
    memset(g->to, 0, lanes * sizeof *g->to);
    multiply_states(g->now, lanes, w->to, g->to);
    memset(g->kept, 0, lanes * sizeof *g->kept);
    memset(g->shared, 0, lanes * sizeof *g->shared);
    memset(g->loaded, 0, lanes * sizeof *g->loaded);
    memset(g->mates, 0, lanes * sizeof *g->mates);
    for (uint32_t j = 0; j < g->merged.movement_count; ++j) {
        const fc_merged_movement *at = &g->merged.movements[j];
        float y[FC_MOVEMENT_INPUTS];
        memcpy(y, g->fixed[j], sizeof g->fixed[j]);
        const float load = fminf(load_most, rate * at->load);
        y[FC_MOVEMENT_FIXED] = load;
        y[FC_MOVEMENT_FIXED + 1] = logarithm(load);
        state m = g->from[at->from];
        for (int p = 0; p < PARTS; ++p)
            m.part[p] += g->to[at->to].part[p];
        multiply(y, FC_MOVEMENT_INPUTS, 1, w->movement, FC_MOVEMENT_INPUTS, &m);
        activate(&m);
        for (int p = 0; p < PARTS; ++p) {
            g->kept[at->from].part[p] += at->kept * m.part[p];
            g->shared[at->to].part[p] += at->share * m.part[p];
            g->loaded[at->to].part[p] += at->times * load * m.part[p];
        }
    }
    for (uint32_t i = 0; i < g->merged.mate_count; ++i) {
        const fc_merged_mate *at = &g->merged.mates[i];
        for (int p = 0; p < PARTS; ++p)
            g->mates[at->lane].part[p] += at->share * g->now[at->mate].part[p];
    }
}

INLINE void change(fc_router_graph_learned *g, const fc_learned_round *w) {
    const size_t lanes = g->merged.lane_count;
    const state *const seen[FC_LEARNED_SEEN] = {g->now,    g->first,  g->kept,
                                                g->shared, g->loaded, g->mates};
    fill(w->seen_bias, lanes, g->work);
    for (int i = 0; i < FC_LEARNED_SEEN; ++i)
        multiply_states(seen[i], lanes, w->seen[i], g->work);
    fill(w->change_bias, lanes, g->from);
    for (size_t k = 0; k < lanes; ++k)
        activate(&g->work[k]);
    multiply_states(g->work, lanes, w->change, g->from);
    for (size_t k = 0; k < lanes; ++k)
        for (int p = 0; p < PARTS; ++p)
            g->now[k].part[p] += g->from[k].part[p];
}

static double bounded(double x, double least, double most) {
    return fmin(most, fmax(least, x));
}

/* The factor between the mean beyond the empty network's and that of the 99th percentile. */
INLINE double tail_of(const fc_router_graph_learned *g, const fc_learned_member *w, double excess,
                      double margin) {
    float x[FC_TAIL_INPUTS];
    double weight = 0, mean[WIDTH] = {0}, waited[WIDTH] = {0};
    for (uint32_t k = 0; k < g->merged.lane_count; ++k) {
        const float *h = (const float *)&g->now[k];
        const double share = (double)g->merged.lanes[k].weight;
        weight += share;
        for (int i = 0; i < WIDTH; ++i) {
            mean[i] += share * (double)h[i];
            waited[i] += g->waits[k] * (double)h[i];
        }
    }
    for (int i = 0; i < WIDTH; ++i) {
        x[i] = (float)(mean[i] / weight);
        x[WIDTH + i] = (float)(waited[i] / (excess + 1e-6));
    }
    memcpy(x + 2 * WIDTH, g->whole, sizeof g->whole);
    x[FC_TAIL_INPUTS - 1] = (float)margin;
    state h;
    memcpy(&h, w->tail_bias, sizeof h);
    multiply(x, FC_TAIL_INPUTS, 1, w->tail, FC_TAIL_INPUTS, &h);
    activate(&h);
    return exp(dot(&h, w->tail_last) + (double)w->tail_last_bias);
}

INLINE fc_learned_answer evaluate_any(fc_router_graph_learned *g, const fc_learned_member *w,
                                      const state *known, float rate) {
    const size_t lanes = g->merged.lane_count;
    start(g, w, known, rate);
    for (int round = 0; round < FC_LEARNED_ROUNDS; ++round) {
        hear(g, &w->rounds[round], rate);
        change(g, &w->rounds[round]);
    }
    fill(w->last_bias, lanes, g->work);
    multiply_states(g->now, lanes, w->last[0], g->work);
    multiply_states(g->first, lanes, w->last[1], g->work);
    double excess = 0, sum = 0;
    for (size_t k = 0; k < lanes; ++k) {
        const fc_merged_lane *lane = &g->merged.lanes[k];
        activate(&g->work[k]);
        const double wait = dot(&g->work[k], w->wait) + (double)w->wait_bias;
        const double margin = dot(&g->work[k], w->margin) + (double)w->margin_bias;
        g->waits[k] = (double)lane->weight * (double)g->alone[k] * (double)g->phi[k] *
                      exp(bounded(wait, wait_least, wait_most));
        excess += g->waits[k];
        sum += (double)lane->used * exp(sharpness * bounded(margin, margin_least, margin_most));
    }
    const double margin = log(sum + 1e-9) / sharpness;
    return (fc_learned_answer){
        .excess = excess, .margin = margin, .tail = excess * tail_of(g, w, excess, margin)};
}

static fc_learned_answer evaluate_plain(fc_router_graph_learned *g, const fc_learned_member *w,
                                        const state *known, float rate) {
    return evaluate_any(g, w, known, rate);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static fc_learned_answer evaluate_wide(fc_router_graph_learned *g,
                                                                       const fc_learned_member *w,
                                                                       const state *known,
                                                                       float rate) {
    return evaluate_any(g, w, known, rate);
}
#endif

static fc_learned_answer evaluate(fc_router_graph_learned *g, const fc_learned_member *w,
                                  const state *known, float rate) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return evaluate_wide(g, w, known, rate);
#endif
    return evaluate_plain(g, w, known, rate);
}

typedef struct sums {
    double sum, squares;
} sums;

static void add(double value, sums *to) {
    to->sum += value;
    to->squares += value * value;
}

static double variance_of(const sums *of) {
    const double mean = of->sum / FC_LEARNED_MEMBERS;
    return fmax(0, (of->squares - of->sum * mean) / (FC_LEARNED_MEMBERS - 1));
}

/* Of the logarithms of what the members say. If the simulated value is spread like them, its
 * logarithm normal with variance v, the forecast with the least expected relative error is not the
 * median but e^-v times that: a forecast that is too high may be wrong by any factor. */
static double forecast_of(const sums *of) {
    return exp(of->sum / FC_LEARNED_MEMBERS - fmin(variance_most, variance_of(of)));
}

fc_learned_answer fc_router_graph_learned_evaluate(fc_router_graph_learned *g, double rate) {
    static const double least = 1e-300; /* of a latency, for its logarithm */
    sums excess = {0}, tail = {0};
    double margin = 0;
    find_phi(g, (float)rate);
    for (size_t i = 0; i < FC_LEARNED_MEMBERS; ++i) {
        const fc_learned_answer one =
            evaluate(g, &fc_router_weights.members[i], g->known[i], (float)rate);
        add(log(one.excess + least), &excess);
        add(log(one.tail + least), &tail);
        margin += one.margin / FC_LEARNED_MEMBERS;
    }
    return (fc_learned_answer){.excess = forecast_of(&excess),
                               .tail = forecast_of(&tail),
                               .margin = margin,
                               .deviation = sqrt(variance_of(&excess))};
}
