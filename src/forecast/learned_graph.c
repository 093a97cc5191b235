/* The equations are those of docs/theory/forecast.md. The state of a lane is a vector h. With
 * s(x) = x / (1 + e^-x):
 *
 *     h = h0 = s(W2 s(W1 (x, w) + b1) + b2)          x: inputs of the lane, w: of the whole network
 *     m_j = s(A h_from + a + B h_to + C y_j)         y: inputs of a movement
 *     h += D s(U (h, h0, sum kept m, sum share m, sum load m, mean h of the link) + u) + d
 *
 * the last two in every round, with weights of its own; the sums are over the movements that leave
 * the lane, that enter it, and that enter it again. Then outputs of each lane, and of the network:
 *
 *     o = V s(L (h, h0) + l) + v
 *     n = Z s(T (mean h, mean h weighted by what is waited, w) + t) + z */
#include "forecast/learned_graph.h"

#include <assert.h>
#include "base/memory.h"
#include "forecast/learned_kernels.h"

static const float input_most = 4; /* standard deviations */

/* ---- the graph ---- */

static void scale(const float *values, const fc_trait_norm *norms, size_t count, float *to) {
    for (size_t i = 0; i < count; ++i) {
        const float x = (values[i] - norms[i].mean) / norms[i].scale;
        to[i] = x > input_most ? input_most : x > -input_most ? x : -input_most;
    }
}

void fc_trait_graph_free(fc_trait_graph *g) {
    if (!g)
        return;
    fc_release(g->lane);
    fc_release(g->movement);
    fc_release(g->mean);
    fc_release(g->waited);
    fc_release(g->of_link);
    fc_release(g);
}

/* Shares of lanes in the sum of all; alike where that is zero. */
static void share_out(uint32_t count, float *shares) {
    double sum = 0;
    for (uint32_t l = 0; l < count; ++l)
        sum += (double)shares[l];
    for (uint32_t l = 0; l < count; ++l)
        shares[l] = sum > 0 ? (float)((double)shares[l] / sum) : 1 / (float)count;
}

static void share_links(const fc_traits *traits, float *of_link, float *scratch) {
    memset(scratch, 0, traits->link_count * sizeof *scratch);
    for (uint32_t l = 0; l < traits->lane_count; ++l)
        scratch[traits->lanes[l].link] += traits->lanes[l].weight;
    for (uint32_t l = 0; l < traits->lane_count; ++l) {
        const float all = scratch[traits->lanes[l].link];
        of_link[l] = all > 0 ? traits->lanes[l].weight / all : 0;
    }
}

static void fill_graph(const fc_trait_norms *norms, const fc_learned_shape *shape,
                       fc_trait_graph *g) {
    const fc_traits *t = g->traits;
    scale(t->whole, norms->whole, shape->whole, g->whole);
    for (size_t l = 0; l < t->lane_count; ++l)
        scale(t->lane + l * shape->lane, norms->lane, shape->lane, g->lane + l * shape->lane);
    for (size_t j = 0; j < t->movement_count; ++j)
        scale(t->movement + j * shape->movement, norms->movement, shape->movement,
              g->movement + j * shape->movement);
    share_links(t, g->of_link, g->mean);
    for (size_t l = 0; l < t->lane_count; ++l) {
        g->mean[l] = t->lanes[l].weight;
        g->waited[l] = t->lanes[l].weight * t->lanes[l].unit;
    }
    share_out(t->lane_count, g->mean);
    share_out(t->lane_count, g->waited);
}

fc_status fc_trait_graph_create(const fc_trait_norms *norms, const fc_learned_shape *shape,
                                const fc_traits *traits, fc_error *error, fc_trait_graph **graph) {
    assert(traits->link_count <= traits->lane_count);
    fc_trait_graph *g = fc_allocate(1, sizeof *g);
    if (!g)
        return fc_fail_memory(error);
    g->traits = traits;
    g->lane = fc_allocate(traits->lane_count, shape->lane * sizeof(float));
    g->movement = fc_allocate(traits->movement_count, shape->movement * sizeof(float));
    g->mean = fc_allocate(traits->lane_count, sizeof *g->mean);
    g->waited = fc_allocate(traits->lane_count, sizeof *g->waited);
    g->of_link = fc_allocate(traits->lane_count, sizeof *g->of_link);
    if (!g->lane || !g->movement || !g->mean || !g->waited || !g->of_link) {
        fc_trait_graph_free(g);
        return fc_fail_memory(error);
    }
    fill_graph(norms, shape, g);
    *graph = g;
    return FC_OK;
}

/* ---- the tape ---- */

/* Places in one block; with no block yet, how long it has to be. */
typedef struct places {
    float *block;
    size_t used;
} places;

static float *place(places *at, size_t count) {
    float *made = at->block ? at->block + at->used : NULL;
    at->used += (count + 15) / 16 * 16;
    return made;
}

static void place_round(const fc_learned_shape *shape, places *at, fc_learned_tape *t,
                        fc_round_tape *round) {
    const size_t states = t->lanes * shape->width;
    float **const all[] = {&round->kept,  &round->shared, &round->loaded,
                           &round->mates, &round->work,   &round->work_slope};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        *all[i] = place(at, states);
    round->movement_slope = place(at, t->movements * shape->width);
}

static size_t place_all(const fc_learned_shape *shape, bool keeps, float *block,
                        fc_learned_tape *t) {
    const size_t states = t->lanes * shape->width;
    places at = {.block = block};
    float **const all[] = {&t->first, &t->first_slope, &t->second_slope, &t->now[0],
                           &t->from,  &t->to,          &t->last,         &t->last_slope};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        *all[i] = place(&at, states);
    /* now[0] stays what it is, the others may be one */
    for (size_t r = 0; r < shape->rounds; ++r) {
        if (r > 0 && !keeps) {
            t->now[r + 1] = t->now[r];
            t->round[r] = t->round[r - 1];
            continue;
        }
        t->now[r + 1] = place(&at, states);
        place_round(shape, &at, t, &t->round[r]);
    }
    t->tail_in = place(&at, fc_tail_inputs(shape));
    t->tail = place(&at, shape->width);
    t->tail_slope = place(&at, shape->width);
    t->out = place(&at, t->lanes * FC_LANE_OUTPUTS);
    return at.used;
}

fc_status fc_learned_tape_create(const fc_learned_shape *shape, size_t lanes, size_t movements,
                                 bool keeps, fc_error *error, fc_learned_tape **tape) {
    fc_learned_tape *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->lanes = lanes > 0 ? lanes : 1;
    made->movements = movements;
    made->memory = fc_allocate_lines(place_all(shape, keeps, NULL, made), sizeof(float));
    if (!made->memory) {
        fc_release(made);
        return fc_fail_memory(error);
    }
    place_all(shape, keeps, made->memory, made);
    *tape = made;
    return FC_OK;
}

void fc_learned_tape_free(fc_learned_tape *tape) {
    if (!tape)
        return;
    fc_release(tape->memory);
    fc_release(tape);
}

/* ---- evaluation ---- */

typedef struct at_hand {
    const fc_learned_shape *shape;
    const fc_learned_layout *layout;
    const float *weights;
    const fc_trait_graph *graph;
} at_hand;

FC_INLINE void read_inputs(const at_hand *a, fc_learned_tape *t) {
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const float *w = a->weights;
    float base[FC_WIDTH_MOST];
    memcpy(base, w + a->layout->first_bias, width * sizeof *base);
    fc_multiply((fc_rows){a->graph->whole, 0, 1}, w + a->layout->whole, a->shape->whole, width,
                base);
    fc_fill(base, width, lanes, t->first);
    fc_multiply((fc_rows){a->graph->lane, a->shape->lane, lanes}, w + a->layout->lane,
                a->shape->lane, width, t->first);
    fc_activate(lanes * width, t->first, t->first_slope);
    fc_fill(w + a->layout->second_bias, width, lanes, t->now[0]);
    fc_multiply((fc_rows){t->first, width, lanes}, w + a->layout->second, width, width, t->now[0]);
    fc_activate(lanes * width, t->now[0], t->second_slope);
}

/* The mean state of the lanes of each link. links: scratch. */
FC_INLINE void hear_link(const at_hand *a, const float *now, float *links, float *mates) {
    const size_t width = a->shape->width;
    const fc_traits *traits = a->graph->traits;
    memset(links, 0, traits->link_count * width * sizeof *links);
    for (size_t l = 0; l < traits->lane_count; ++l)
        fc_add_scaled(now + l * width, a->graph->of_link[l], width,
                      links + traits->lanes[l].link * width);
    for (size_t l = 0; l < traits->lane_count; ++l)
        memcpy(mates + l * width, links + traits->lanes[l].link * width, width * sizeof *mates);
}

/* The sums over movements, and the mean over the lanes of a link. */
FC_INLINE void hear(const at_hand *a, size_t r, fc_learned_tape *t) {
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const fc_round_layout *l = &a->layout->round;
    const float *w = a->weights + a->layout->rounds + r * l->count, *now = t->now[r];
    const fc_round_tape *round = &t->round[r];
    fc_fill(w + l->from_bias, width, lanes, t->from);
    fc_multiply((fc_rows){now, width, lanes}, w + l->from, width, width, t->from);
    memset(t->to, 0, lanes * width * sizeof *t->to);
    fc_multiply((fc_rows){now, width, lanes}, w + l->to, width, width, t->to);
    float *const sums[] = {round->kept, round->shared, round->loaded};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; ++i)
        memset(sums[i], 0, lanes * width * sizeof(float));
    const size_t movements = a->graph->traits->movement_count;
    for (size_t j = 0; j < movements; ++j) {
        const fc_movement_traits *at = &a->graph->traits->movements[j];
        float *m = round->movement_slope + j * width;
        memcpy(m, t->from + at->from * width, width * sizeof *m);
        fc_add_scaled(t->to + at->to * width, 1, width, m);
    }
    fc_multiply((fc_rows){a->graph->movement, a->shape->movement, movements}, w + l->movement,
                a->shape->movement, width, round->movement_slope);
    for (size_t j = 0; j < movements; ++j) {
        const fc_movement_traits *at = &a->graph->traits->movements[j];
        float m[FC_WIDTH_MOST];
        memcpy(m, round->movement_slope + j * width, width * sizeof *m);
        fc_activate(width, m, round->movement_slope + j * width);
        fc_add_scaled(m, at->kept, width, round->kept + at->from * width);
        fc_add_scaled(m, at->share, width, round->shared + at->to * width);
        fc_add_scaled(m, at->load, width, round->loaded + at->to * width);
    }
    hear_link(a, now, t->to, round->mates);
}

FC_INLINE void change(const at_hand *a, size_t r, fc_learned_tape *t) {
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const fc_round_layout *l = &a->layout->round;
    const float *w = a->weights + a->layout->rounds + r * l->count, *now = t->now[r];
    const fc_round_tape *round = &t->round[r];
    const float *const seen[FC_HEARD] = {now,           t->now[0],     round->kept,
                                         round->shared, round->loaded, round->mates};
    fc_fill(w + l->seen_bias, width, lanes, round->work);
    for (int i = 0; i < FC_HEARD; ++i)
        fc_multiply((fc_rows){seen[i], width, lanes}, w + l->seen[i], width, width, round->work);
    fc_activate(lanes * width, round->work, round->work_slope);
    fc_fill(w + l->change_bias, width, lanes, t->from);
    fc_multiply((fc_rows){round->work, width, lanes}, w + l->change, width, width, t->from);
    for (size_t i = 0; i < lanes * width; i += FC_AT_ONCE)
        *(fc_eight *)(t->now[r + 1] + i) =
            *(const fc_eight *)(now + i) + *(const fc_eight *)(t->from + i);
}

/* The model's own curve, which outputs are differences from. */
static void add_prior(const at_hand *a, fc_learned_tape *t) {
    const float *prior = a->graph->traits->whole + a->shape->prior - 1;
    for (size_t k = 0; k < a->graph->traits->lane_count; ++k)
        for (int i = 0; i <= FC_KNOTS; ++i)
            t->out[k * FC_LANE_OUTPUTS + (size_t)i] += prior[i < 2 ? i : 2];
}

FC_INLINE void read_out(const at_hand *a, fc_learned_tape *t) {
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const fc_learned_layout *l = a->layout;
    const float *w = a->weights;
    float *now = t->now[a->shape->rounds];
    for (size_t i = 0; i < lanes * width && t->drop; i += FC_AT_ONCE)
        *(fc_eight *)(now + i) *= *(const fc_eight *)(t->drop + i);
    fc_fill(w + l->last_bias, width, lanes, t->last);
    fc_multiply((fc_rows){now, width, lanes}, w + l->last[0], width, width, t->last);
    fc_multiply((fc_rows){t->now[0], width, lanes}, w + l->last[1], width, width, t->last);
    fc_activate(lanes * width, t->last, t->last_slope);
    fc_fill(w + l->out_bias, FC_LANE_OUTPUTS, lanes, t->out);
    fc_multiply((fc_rows){t->last, width, lanes}, w + l->out, width, FC_LANE_OUTPUTS, t->out);
    if (a->shape->prior)
        add_prior(a, t);
    memset(t->tail_in, 0, 2 * width * sizeof *t->tail_in);
    for (size_t k = 0; k < lanes; ++k) {
        fc_add_scaled(now + k * width, a->graph->mean[k], width, t->tail_in);
        fc_add_scaled(now + k * width, a->graph->waited[k], width, t->tail_in + width);
    }
    memcpy(t->tail_in + 2 * width, a->graph->whole, a->shape->whole * sizeof *t->tail_in);
    memcpy(t->tail, w + l->tail_bias, width * sizeof *t->tail);
    fc_multiply((fc_rows){t->tail_in, 0, 1}, w + l->tail, fc_tail_inputs(a->shape), width, t->tail);
    fc_activate(width, t->tail, t->tail_slope);
    memcpy(t->network, w + l->tail_out_bias, sizeof t->network);
    fc_multiply((fc_rows){t->tail, 0, 1}, w + l->tail_out, width, FC_NETWORK_OUTPUTS, t->network);
}

FC_INLINE void forward_any(const at_hand *a, fc_learned_tape *t) {
    read_inputs(a, t);
    for (size_t r = 0; r < a->shape->rounds; ++r) {
        hear(a, r, t);
        change(a, r, t);
    }
    read_out(a, t);
}

FC_FOR_ALL(forward, (const at_hand *a, fc_learned_tape *t), (a, t))

void fc_learned_forward(const fc_learned_shape *shape, const fc_learned_layout *layout,
                        const float *weights, const fc_trait_graph *graph, fc_learned_tape *tape) {
    forward(&(at_hand){shape, layout, weights, graph}, tape);
}
