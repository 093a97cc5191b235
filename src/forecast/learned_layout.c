#include "forecast/learned_layout.h"

#include <string.h>

size_t fc_learned_prior_in(const char *names) {
    const char *found = names ? strstr(names, FC_PRIOR_NAME) : NULL;
    size_t place = found != NULL;
    for (const char *c = names; found && c < found; ++c)
        place += *c == ',';
    return place;
}

static size_t take(size_t *next, size_t rows, size_t columns) {
    const size_t at = *next;
    *next += rows * columns;
    return at;
}

static fc_round_layout round_layout(const fc_learned_shape *shape) {
    const size_t width = shape->width;
    fc_round_layout r = {0};
    r.from = take(&r.count, width, width);
    r.from_bias = take(&r.count, 1, width);
    r.to = take(&r.count, width, width);
    r.movement = take(&r.count, shape->movement, width);
    for (int i = 0; i < FC_HEARD; ++i)
        r.seen[i] = take(&r.count, width, width);
    r.seen_bias = take(&r.count, 1, width);
    r.change = take(&r.count, width, width);
    r.change_bias = take(&r.count, 1, width);
    return r;
}

fc_learned_layout fc_learned_layout_of(const fc_learned_shape *shape) {
    const size_t width = shape->width;
    fc_learned_layout l = {.round = round_layout(shape)};
    l.lane = take(&l.count, shape->lane, width);
    l.whole = take(&l.count, shape->whole, width);
    l.first_bias = take(&l.count, 1, width);
    l.second = take(&l.count, width, width);
    l.second_bias = take(&l.count, 1, width);
    l.rounds = take(&l.count, shape->rounds, l.round.count);
    l.last[0] = take(&l.count, width, width);
    l.last[1] = take(&l.count, width, width);
    l.last_bias = take(&l.count, 1, width);
    l.out = take(&l.count, width, FC_LANE_OUTPUTS);
    l.out_bias = take(&l.count, 1, FC_LANE_OUTPUTS);
    l.tail = take(&l.count, fc_tail_inputs(shape), width);
    l.tail_bias = take(&l.count, 1, width);
    l.tail_out = take(&l.count, width, FC_NETWORK_OUTPUTS);
    l.tail_out_bias = take(&l.count, 1, FC_NETWORK_OUTPUTS);
    return l;
}
