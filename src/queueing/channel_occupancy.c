/* The states are ordered by level, the number of messages holding or waiting. Every transition
 * leads to a neighbouring level, so eliminating the states from the last to the first (Grassmann,
 * Taksar and Heyman: no subtraction, so no loss of digits) fills in only between a level and the
 * one below: a dozen places a row instead of all. */
#include "queueing/channel_occupancy.h"

#include <string.h>
#include "base/memory.h"

typedef enum event {
    ADMIT_FIRST,
    ADMIT_SECOND,
    BLOCK_FIRST,
    BLOCK_SECOND,
    LEAVE_FIRST,
    LEAVE_SECOND,
    LEAVE_COMMON,
} event;

typedef struct state {
    int common, reserved[2], waiting[2];
    int busy, level;
} state;

typedef struct transition {
    int from, to;
    event what;
    double weight; /* times the rate of the event */
} transition;

struct fc_occupancy_chain {
    int common, reserved[2];
    int states, transitions, width; /* width: states in a level and the one below, at most */
    state *state;
    int *reach; /* per state: first state it exchanges probability with when it is eliminated */
    transition *transition;
    double *rate;        /* states x width: rate[i][j - reach[i]], j < i */
    double *rise;        /* states x width: rate from j < i up to i, same indexing */
    double *probability; /* of the states */
};

static int blocked(const fc_occupancy_chain *chain, const state *s, int class) {
    return s->common == chain->common && s->reserved[class] == chain->reserved[class];
}

static int find_state(const fc_occupancy_chain *chain, const state *wanted) {
    for (int i = 0; i < chain->states; ++i) {
        const state *s = &chain->state[i];
        if (s->common == wanted->common && s->reserved[0] == wanted->reserved[0] &&
            s->reserved[1] == wanted->reserved[1] && s->waiting[0] == wanted->waiting[0] &&
            s->waiting[1] == wanted->waiting[1])
            return i;
    }
    return -1;
}

/* Visits every state of a level; appends when store is not NULL. Returns how many. */
static int list_level(const fc_occupancy_chain *chain, int level, state *store) {
    int count = 0;
    for (int c = 0; c <= chain->common && c <= level; ++c)
        for (int a = 0; a <= chain->reserved[0] && c + a <= level; ++a)
            for (int b = 0; b <= chain->reserved[1] && c + a + b <= level; ++b)
                for (int w = 0; w <= FC_WAITING_MAX && c + a + b + w <= level; ++w) {
                    const state s = {c, {a, b}, {w, level - c - a - b - w}, c + a + b, level};
                    if (s.waiting[1] > FC_WAITING_MAX ||
                        (s.waiting[0] > 0 && !blocked(chain, &s, 0)) ||
                        (s.waiting[1] > 0 && !blocked(chain, &s, 1)))
                        continue;
                    if (store != NULL)
                        store[count] = s;
                    ++count;
                }
    return count;
}

static void add_transition(fc_occupancy_chain *chain, int from, const state *to, event what,
                           double weight) {
    if (weight > 0.0)
        chain->transition[chain->transitions++] =
            (transition){from, find_state(chain, to), what, weight};
}

static void add_arrivals(fc_occupancy_chain *chain, int from) {
    for (int class = 0; class < 2; ++class) {
        state to = chain->state[from];
        event what = class == 0 ? ADMIT_FIRST : ADMIT_SECOND;
        if (to.common < chain->common) {
            ++to.common;
        } else if (to.reserved[class] < chain->reserved[class]) {
            ++to.reserved[class];
        } else if (to.waiting[class] < FC_WAITING_MAX) {
            ++to.waiting[class];
            what = class == 0 ? BLOCK_FIRST : BLOCK_SECOND;
        } else {
            continue;
        }
        add_transition(chain, from, &to, what, 1.0);
    }
}

static void add_departures(fc_occupancy_chain *chain, int from) {
    const state s = chain->state[from];
    const int waiting = s.waiting[0] + s.waiting[1];
    if (s.common > 0 && waiting == 0) {
        state to = s;
        --to.common;
        add_transition(chain, from, &to, LEAVE_COMMON, s.common);
    }
    for (int class = 0; class < 2; ++class) {
        const event leave = class == 0 ? LEAVE_FIRST : LEAVE_SECOND;
        state to = s;
        if (s.waiting[class] > 0) {
            --to.waiting[class];
            add_transition(chain, from, &to, LEAVE_COMMON,
                           (double)s.common * s.waiting[class] / waiting);
            add_transition(chain, from, &to, leave, s.reserved[class]);
        } else if (s.reserved[class] > 0) {
            --to.reserved[class];
            add_transition(chain, from, &to, leave, s.reserved[class]);
        }
    }
}

static void lay_out(fc_occupancy_chain *chain, int levels) {
    int placed = 0, below = 0, start = 0; /* start: of this level; below: of the one below */
    for (int level = 0; level < levels; ++level) {
        below = level > 0 ? start : 0;
        start = placed;
        placed += list_level(chain, level, chain->state + placed);
        for (int i = start; i < placed; ++i) {
            chain->reach[i] = below;
            if (i - below > chain->width)
                chain->width = i - below;
        }
    }
    for (int i = 0; i < chain->states; ++i) {
        add_arrivals(chain, i);
        add_departures(chain, i);
    }
}

fc_occupancy_chain *fc_occupancy_chain_create(int common, const int *reserved) {
    fc_occupancy_chain *chain = fc_allocate(1, sizeof *chain);
    if (chain == NULL)
        return NULL;
    chain->common = common;
    chain->reserved[0] = reserved[0];
    chain->reserved[1] = reserved[1];
    const int levels = common + reserved[0] + reserved[1] + 2 * FC_WAITING_MAX + 1;
    for (int level = 0; level < levels; ++level)
        chain->states += list_level(chain, level, NULL);
    const size_t states = (size_t)chain->states;
    chain->state = fc_allocate(states, sizeof *chain->state);
    chain->reach = fc_allocate(states, sizeof *chain->reach);
    chain->transition = fc_allocate(7 * states, sizeof *chain->transition);
    chain->probability = fc_allocate(states, sizeof *chain->probability);
    if (chain->state != NULL && chain->reach != NULL && chain->transition != NULL)
        lay_out(chain, levels);
    chain->rate = fc_allocate(states * (size_t)chain->width, sizeof *chain->rate);
    chain->rise = fc_allocate(states * (size_t)chain->width, sizeof *chain->rise);
    if (chain->state == NULL || chain->reach == NULL || chain->transition == NULL ||
        chain->probability == NULL || chain->rate == NULL || chain->rise == NULL) {
        fc_occupancy_chain_free(chain);
        return NULL;
    }
    return chain;
}

void fc_occupancy_chain_free(fc_occupancy_chain *chain) {
    if (chain == NULL)
        return;
    fc_release(chain->state);
    fc_release(chain->reach);
    fc_release(chain->transition);
    fc_release(chain->probability);
    fc_release(chain->rate);
    fc_release(chain->rise);
    fc_release(chain);
}

static void fill_rates(fc_occupancy_chain *chain, const fc_occupancy_arrivals *arrivals,
                       const double *const departure[2]) {
    const size_t width = (size_t)chain->width, size = (size_t)chain->states * width;
    memset(chain->rate, 0, size * sizeof *chain->rate);
    memset(chain->rise, 0, size * sizeof *chain->rise);
    const double of_event[] = {arrivals->admitted[0], arrivals->admitted[1], arrivals->blocked[0],
                               arrivals->blocked[1]};
    for (int t = 0; t < chain->transitions; ++t) {
        const transition *move = &chain->transition[t];
        if (move->what >= LEAVE_FIRST) {
            const double *of_class = departure[move->what == LEAVE_SECOND];
            const double rate = move->weight * of_class[chain->state[move->from].busy];
            chain->rate[(size_t)move->from * width +
                        (size_t)(move->to - chain->reach[move->from])] += rate;
        } else {
            chain->rise[(size_t)move->to * width + (size_t)(move->from - chain->reach[move->to])] +=
                move->weight * of_event[move->what];
        }
    }
}

/* Eliminates the states above 0; leaves in rise[n] the ratios p_n = sum_i p_i rise[n][i]. */
static void eliminate(fc_occupancy_chain *chain) {
    const size_t width = (size_t)chain->width;
    for (int n = chain->states - 1; n > 0; --n) {
        const int reach = chain->reach[n];
        const double *down = chain->rate + (size_t)n * width;
        double *up = chain->rise + (size_t)n * width;
        double out = 0.0;
        for (int j = reach; j < n; ++j)
            out += down[j - reach];
        const double scale = out > 0.0 ? 1.0 / out : 0.0;
        for (int j = reach; j < n; ++j)
            up[j - reach] *= scale;
        for (int i = reach; i < n; ++i) {
            const double flow = up[i - reach];
            if (flow == 0.0)
                continue;
            double *row = chain->rate + (size_t)i * width; /* i to j < i */
            for (int j = reach; j < i; ++j)
                row[j - chain->reach[i]] += flow * down[j - reach];
            for (int j = i + 1; j < n; ++j) /* i to j > i */
                chain->rise[(size_t)j * width + (size_t)(i - chain->reach[j])] +=
                    flow * down[j - reach];
        }
    }
}

void fc_occupancy_solve(fc_occupancy_chain *chain, const fc_occupancy_arrivals *arrivals,
                        const double *const departure[2], double *busy, double *work,
                        fc_occupancy *occupancy) {
    const int channels = chain->common + chain->reserved[0] + chain->reserved[1];
    fill_rates(chain, arrivals, departure);
    eliminate(chain);
    double total = chain->probability[0] = 1.0;
    for (int n = 1; n < chain->states; ++n) {
        const double *up = chain->rise + (size_t)n * (size_t)chain->width;
        double p = 0.0;
        for (int i = chain->reach[n]; i < n; ++i)
            p += chain->probability[i] * up[i - chain->reach[n]];
        total += chain->probability[n] = p;
    }
    memset(busy, 0, sizeof(double) * (size_t)(channels + 1));
    memset(work, 0, sizeof(double) * (size_t)(channels + 1));
    *occupancy = (fc_occupancy){.cut = 0.0};
    for (int n = 0; n < chain->states; ++n) {
        const state *s = &chain->state[n];
        const double p = chain->probability[n] / total;
        busy[s->busy] += p;
        work[s->busy] += p * ((s->common + s->reserved[0]) * departure[0][s->busy] +
                              s->reserved[1] * departure[1][s->busy]);
        for (int class = 0; class < 2; ++class) {
            occupancy->reserved[class] += p * s->reserved[class];
            if (blocked(chain, s, class))
                occupancy->blocked[class] += p;
        }
        if (s->waiting[0] == FC_WAITING_MAX || s->waiting[1] == FC_WAITING_MAX)
            occupancy->cut += p;
    }
}
