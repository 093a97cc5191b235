#include "fit/backward.h"

#include <stdlib.h>
#include "base/memory.h"
#include "fit/products.h"

/* In what follows, d_x is what the loss changes by with x. */
struct fit_backward {
    float *now, *first, *work, *hidden;    /* d_ of the states */
    float *kept, *shared, *loaded, *mates; /* of the sums */
    float *from, *to;                      /* of what movements see of lanes */
    float *movement;                       /* of their sums */
    float *memory;
};

fit_backward *fit_backward_create(const fc_learned_shape *shape, size_t lanes, size_t movements) {
    fit_backward *b = calloc(1, sizeof *b);
    float **const all[] = {&b->now,    &b->first,  &b->work,  &b->hidden, &b->kept,
                           &b->shared, &b->loaded, &b->mates, &b->from,   &b->to};
    const size_t count = sizeof all / sizeof *all;
    const size_t states = (lanes * shape->width + 15) / 16 * 16;
    if (!b)
        return NULL;
    b->memory = fc_allocate_lines(count * states + movements * shape->width, sizeof(float));
    if (!b->memory) {
        free(b);
        return NULL;
    }
    for (size_t i = 0; i < count; ++i)
        *all[i] = b->memory + i * states;
    b->movement = b->memory + count * states;
    return b;
}

void fit_backward_free(fit_backward *backward) {
    if (!backward)
        return;
    fc_release(backward->memory);
    free(backward);
}

/* ---- transposition ---- */

static void exchange(const float *weights, size_t at, size_t rows, size_t columns, float *to) {
    for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < columns; ++c)
            to[at + c * rows + r] = weights[at + r * columns + c];
}

void fit_transpose(const fc_learned_shape *shape, const fc_learned_layout *l, const float *weights,
                   float *to) {
    const size_t width = shape->width;
    exchange(weights, l->second, width, width, to);
    for (size_t r = 0; r < shape->rounds; ++r) {
        const size_t at = l->rounds + r * l->round.count;
        exchange(weights, at + l->round.from, width, width, to);
        exchange(weights, at + l->round.to, width, width, to);
        for (int i = 0; i < FC_HEARD; ++i)
            exchange(weights, at + l->round.seen[i], width, width, to);
        exchange(weights, at + l->round.change, width, width, to);
    }
    exchange(weights, l->last[0], width, width, to);
    exchange(weights, l->last[1], width, width, to);
    exchange(weights, l->out, width, FC_LANE_OUTPUTS, to);
    exchange(weights, l->tail, 2 * width, width, to); /* the whole is no state */
    exchange(weights, l->tail_out, width, FC_NETWORK_OUTPUTS, to);
}

/* ---- kernels ---- */

FC_INLINE void add_rows(const float *y, size_t rows, size_t columns, float *gradient) {
    for (size_t r = 0; r < rows; ++r)
        fc_add_scaled(y + r * columns, 1, columns, gradient);
}

FC_INLINE void times(const float *slopes, size_t count, float *at) {
    for (size_t i = 0; i < count; i += FC_AT_ONCE)
        *(fc_eight *)(at + i) *= *(const fc_eight *)(slopes + i);
}

static void clear(float *at, size_t count) {
    memset(at, 0, count * sizeof *at);
}

/* ---- the way ---- */

typedef struct way {
    const fc_learned_shape *shape;
    const fc_learned_layout *layout;
    const float *transposed;
    const fc_trait_graph *graph;
    const fc_learned_tape *tape;
    const fit_slopes *slopes;
    fit_backward *b;
    float *gradient;
} way;

/* The two layers of the network's outputs: adds to d_ of the last states. */
FC_INLINE void from_network(const way *a) {
    const fc_learned_layout *l = a->layout;
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    float hidden[FC_WIDTH_MOST] = {0}, in[2 * FC_WIDTH_MOST] = {0};
    const float *d = a->slopes->network;
    fit_add_products(a->tape->tail, 0, 1, d, width, FC_NETWORK_OUTPUTS, a->gradient + l->tail_out);
    fc_add_scaled(d, 1, FC_NETWORK_OUTPUTS, a->gradient + l->tail_out_bias);
    fc_multiply((fc_rows){d, 0, 1}, a->transposed + l->tail_out, FC_NETWORK_OUTPUTS, width, hidden);
    times(a->tape->tail_slope, width, hidden);
    fit_add_products(a->tape->tail_in, 0, 1, hidden, fc_tail_inputs(a->shape), width,
                     a->gradient + l->tail);
    fc_add_scaled(hidden, 1, width, a->gradient + l->tail_bias);
    fc_multiply((fc_rows){hidden, 0, 1}, a->transposed + l->tail, width, 2 * width, in);
    for (size_t k = 0; k < lanes; ++k) {
        fc_add_scaled(in, a->graph->mean[k], width, a->b->now + k * width);
        fc_add_scaled(in + width, a->graph->waited[k], width, a->b->now + k * width);
    }
}

/* The two layers of the lanes' outputs. */
FC_INLINE void from_lanes(const way *a) {
    const fc_learned_layout *l = a->layout;
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const size_t states = lanes * width;
    const fc_learned_tape *t = a->tape;
    float *hidden = a->b->hidden;
    fit_add_products(t->last, width, lanes, a->slopes->out, width, FC_LANE_OUTPUTS,
                     a->gradient + l->out);
    add_rows(a->slopes->out, lanes, FC_LANE_OUTPUTS, a->gradient + l->out_bias);
    clear(hidden, states);
    fc_multiply((fc_rows){a->slopes->out, FC_LANE_OUTPUTS, lanes}, a->transposed + l->out,
                FC_LANE_OUTPUTS, width, hidden);
    times(t->last_slope, states, hidden);
    add_rows(hidden, lanes, width, a->gradient + l->last_bias);
    fit_add_products(t->now[a->shape->rounds], width, lanes, hidden, width, width,
                     a->gradient + l->last[0]);
    fit_add_products(t->now[0], width, lanes, hidden, width, width, a->gradient + l->last[1]);
    fc_multiply((fc_rows){hidden, width, lanes}, a->transposed + l->last[0], width, width,
                a->b->now);
    fc_multiply((fc_rows){hidden, width, lanes}, a->transposed + l->last[1], width, width,
                a->b->first);
}

/* Through the layers of a round behind the sums: d_ of the sums and of the first state. */
FC_INLINE void through_change(const way *a, size_t r) {
    const fc_round_layout *l = &a->layout->round;
    const size_t at = a->layout->rounds + r * l->count;
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const fc_learned_tape *t = a->tape;
    const fc_round_tape *round = &t->round[r];
    fit_backward *b = a->b;
    const float *const seen[FC_HEARD] = {t->now[r],     t->now[0],     round->kept,
                                         round->shared, round->loaded, round->mates};
    float *const d_seen[FC_HEARD] = {b->now, b->first, b->kept, b->shared, b->loaded, b->mates};
    fit_add_products(round->work, width, lanes, b->now, width, width, a->gradient + at + l->change);
    add_rows(b->now, lanes, width, a->gradient + at + l->change_bias);
    clear(b->work, lanes * width);
    fc_multiply((fc_rows){b->now, width, lanes}, a->transposed + at + l->change, width, width,
                b->work);
    times(round->work_slope, lanes * width, b->work);
    add_rows(b->work, lanes, width, a->gradient + at + l->seen_bias);
    for (int i = 0; i < FC_HEARD; ++i) {
        fit_add_products(seen[i], width, lanes, b->work, width, width,
                         a->gradient + at + l->seen[i]);
        if (i > 1)
            clear(d_seen[i], lanes * width);
        fc_multiply((fc_rows){b->work, width, lanes}, a->transposed + at + l->seen[i], width, width,
                    d_seen[i]);
    }
}

/* Through the means over links. links: scratch. */
FC_INLINE void through_links(const way *a, const float *mates, float *links, float *d_now) {
    const size_t width = a->shape->width;
    const fc_traits *traits = a->graph->traits;
    clear(links, traits->link_count * width);
    for (size_t l = 0; l < traits->lane_count; ++l)
        fc_add_scaled(mates + l * width, 1, width, links + traits->lanes[l].link * width);
    for (size_t l = 0; l < traits->lane_count; ++l)
        fc_add_scaled(links + traits->lanes[l].link * width, a->graph->of_link[l], width,
                      d_now + l * width);
}

/* Through the sums over movements and the means over links: adds to d_ of the states before. */
FC_INLINE void through_sums(const way *a, size_t r) {
    const fc_round_layout *l = &a->layout->round;
    const size_t at = a->layout->rounds + r * l->count;
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const size_t movements = a->graph->traits->movement_count;
    const float *now = a->tape->now[r];
    fit_backward *b = a->b;
    clear(b->from, lanes * width);
    clear(b->to, lanes * width);
    for (size_t j = 0; j < movements; ++j) {
        const fc_movement_traits *m = &a->graph->traits->movements[j];
        float *d = b->movement + j * width;
        clear(d, width);
        fc_add_scaled(b->kept + m->from * width, m->kept, width, d);
        fc_add_scaled(b->shared + m->to * width, m->share, width, d);
        fc_add_scaled(b->loaded + m->to * width, m->load, width, d);
        times(a->tape->round[r].movement_slope + j * width, width, d);
        fc_add_scaled(d, 1, width, b->from + m->from * width);
        fc_add_scaled(d, 1, width, b->to + m->to * width);
    }
    fit_add_products(a->graph->movement, a->shape->movement, movements, b->movement,
                     a->shape->movement, width, a->gradient + at + l->movement);
    fit_add_products(now, width, lanes, b->from, width, width, a->gradient + at + l->from);
    add_rows(b->from, lanes, width, a->gradient + at + l->from_bias);
    fit_add_products(now, width, lanes, b->to, width, width, a->gradient + at + l->to);
    fc_multiply((fc_rows){b->from, width, lanes}, a->transposed + at + l->from, width, width,
                b->now);
    fc_multiply((fc_rows){b->to, width, lanes}, a->transposed + at + l->to, width, width, b->now);
    through_links(a, b->mates, b->work, b->now);
}

FC_INLINE void to_inputs(const way *a) {
    const fc_learned_layout *l = a->layout;
    const size_t width = a->shape->width, lanes = a->graph->traits->lane_count;
    const size_t states = lanes * width;
    fit_backward *b = a->b;
    const fc_learned_tape *t = a->tape;
    float all[FC_WIDTH_MOST] = {0};
    for (size_t i = 0; i < states; i += FC_AT_ONCE) /* the first state is also that of round 0 */
        *(fc_eight *)(b->first + i) += *(const fc_eight *)(b->now + i);
    times(t->second_slope, states, b->first);
    fit_add_products(t->first, width, lanes, b->first, width, width, a->gradient + l->second);
    add_rows(b->first, lanes, width, a->gradient + l->second_bias);
    clear(b->work, states);
    fc_multiply((fc_rows){b->first, width, lanes}, a->transposed + l->second, width, width,
                b->work);
    times(t->first_slope, states, b->work);
    fit_add_products(a->graph->lane, a->shape->lane, lanes, b->work, a->shape->lane, width,
                     a->gradient + l->lane);
    add_rows(b->work, lanes, width, all);
    fc_add_scaled(all, 1, width, a->gradient + l->first_bias);
    fit_add_products(a->graph->whole, 0, 1, all, a->shape->whole, width, a->gradient + l->whole);
}

FC_INLINE void go_back_any(const way *a) {
    const size_t states = a->graph->traits->lane_count * a->shape->width;
    clear(a->b->now, states);
    clear(a->b->first, states);
    from_network(a);
    from_lanes(a);
    if (a->tape->drop) {
        times(a->tape->drop, states, a->b->now);
        if (a->shape->rounds == 0) /* then the first states are the last */
            times(a->tape->drop, states, a->b->first);
    }
    for (size_t r = a->shape->rounds; r-- > 0;) {
        through_change(a, r);
        through_sums(a, r);
    }
    to_inputs(a);
}

FC_FOR_ALL(go_back, (const way *a), (a))

void fit_go_back(const fc_learned_shape *shape, const fc_learned_layout *layout,
                 const float *transposed, const fc_trait_graph *graph, const fc_learned_tape *tape,
                 const fit_slopes *slopes, fit_backward *backward, float *gradient) {
    go_back(&(way){shape, layout, transposed, graph, tape, slopes, backward, gradient});
}
