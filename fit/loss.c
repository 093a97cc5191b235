/* Errors count over their usual size, large ones in proportion only (Huber). An error of the
 * latency is the one that is reported, forecast / simulation - 1; one of the saturation load is of
 * its logarithm. Where no saturation load was searched for, a load that settled is to be below it,
 * one that did not is not to be far below it. The spreads are fitted to the errors by the
 * likelihood of Student's distribution with two degrees of freedom, which hardly minds a few very
 * large ones. */
#include "fit/loss.h"

#include <math.h>
#include <string.h>
#include "forecast/learned_numbers.h"
#include "forecast/learned_values.h"

static const double steepest_least = 0.3; /* slope of the growth beyond the last knot */
static const double u_most = 0.97;        /* v goes on with its slope there */
static const double v_most = 3.506557897319982;
/* More would teach the errors of searches in short runs. */
static const double saturation_most = 4;
static const double usual_half = 1.96; /* standard deviations in half of a 95 % interval */

/* ---- places on a curve ---- */

fit_place fit_place_of(double u) {
    const bool beyond = u > u_most;
    const double v = beyond  ? v_most + (u - u_most) / (1 - u_most)
                     : u > 0 ? -fc_learned_log(1 - u)
                             : 0;
    fit_place place = {.knot = -1, .slope = 1 / (1 - (beyond ? u_most : u))};
    while (place.knot < FC_KNOTS - 2 && v > fc_knot_places[place.knot + 1])
        ++place.knot;
    if (place.knot >= 0) {
        const double from = fc_knot_places[place.knot], to = fc_knot_places[place.knot + 1];
        place.share = (v - from) / (to - from);
        place.slope /= to - from;
    }
    return place;
}

/* What the value at a place changes by with the values at the knots, and with u. */
typedef struct reading {
    double value, by_first, by_second, by_u;
} reading;

static reading read_at(const double values[FC_KNOTS], fit_place at, double steepest) {
    if (at.knot < 0)
        return (reading){.value = values[0], .by_second = 1};
    const double from = values[at.knot], to = values[at.knot + 1];
    const double distance = fc_knot_places[at.knot + 1] - fc_knot_places[at.knot];
    if (at.share <= 1)
        return (reading){.value = from + at.share * (to - from),
                         .by_first = 1 - at.share,
                         .by_second = at.share,
                         .by_u = at.slope * (to - from)};
    if (to - from < steepest * distance)
        return (reading){.value = to + (at.share - 1) * steepest * distance,
                         .by_second = 1,
                         .by_u = at.slope * steepest * distance};
    return (reading){.value = to + (at.share - 1) * (to - from),
                     .by_first = 1 - at.share,
                     .by_second = at.share,
                     .by_u = at.slope * (to - from)};
}

double fit_growth_at(const double growth[FC_KNOTS], fit_place place) {
    return read_at(growth, place, steepest_least).value;
}

double fit_spread_at(const double spread[FC_KNOTS], fit_place place) {
    if (place.share > 1)
        place.share = 1;
    return read_at(spread, place, 0).value;
}

/* Logs of what p99 has beyond the empty network's at the knots, over the saturation load. */
static void find_tails(const double growth[FC_KNOTS], const double tail[FC_KNOTS],
                       double tails[FC_KNOTS]) {
    for (int k = 0; k < FC_KNOTS; ++k)
        tails[k] = fc_learned_log(fc_knots[k]) + growth[k] + tail[k];
}

/* Below the first knot in proportion to the load. */
static reading tail_at(const double tails[FC_KNOTS], double u, fit_place place) {
    reading at = read_at(tails, place, steepest_least);
    if (place.knot < 0) {
        at.value += fc_learned_log(u / fc_knots[0]);
        at.by_u = 1 / u;
    }
    return at;
}

double fit_tail_at(const double growth[FC_KNOTS], const double tail[FC_KNOTS], double u) {
    double tails[FC_KNOTS];
    find_tails(growth, tail, tails);
    return tail_at(tails, u, fit_place_of(u)).value;
}

/* ---- errors ---- */

/* A loss and its derivative by what was lost in. */
typedef struct lost {
    double loss, slope;
} lost;

static lost huber(double error, double usual) {
    static const double bend = 0.3;
    const double x = error / usual;
    if (x > bend || x < -bend)
        return (lost){fabs(x) - bend / 2, (x > 0 ? 1 : -1) / usual};
    return (lost){x * x / (2 * bend), x / bend / usual};
}

/* forecast / simulated - 1, twice the logarithm from 1 on; slope: by the forecast's logarithm. */
static lost relative(double forecast, double simulated) {
    const double ratio = forecast / simulated;
    if (ratio > 2)
        return (lost){1 + 2 * fc_learned_log(ratio / 2), 2};
    return (lost){ratio - 1, ratio};
}

/* Of an error e with variance s2, by Student's distribution with two degrees of freedom; slope: by
 * the logarithm of the spread, whose square is a part of s2. */
static lost likelihood(double error, double noise, double log_spread) {
    const double own = fc_learned_exp(2 * log_spread), s2 = own + noise * noise;
    const double x = error * error / (2 * s2);
    return (lost){0.5 * fc_learned_log(s2) + 1.5 * fc_learned_log(1 + x),
                  own / s2 * (1 - 3 * x / (1 + x))};
}

/* ---- form `curve` ---- */

/* What the loss changes by with the numbers of a curve. */
typedef struct curve_slopes {
    double below, growth[FC_KNOTS], tail[FC_KNOTS], spread[FC_KNOTS], saturation_spread;
} curve_slopes;

typedef struct sum {
    const fit_loss_weights *weights;
    const fit_lesson *lesson;
    const fc_member_curve *curve;
    double saturation;
    double loss;
    curve_slopes slopes;
} sum;

static void add_growth(sum *all, const reading *at, fit_place place, double slope, double u) {
    if (place.knot >= 0)
        all->slopes.growth[place.knot] += slope * at->by_first;
    all->slopes.growth[place.knot + 1] += slope * at->by_second;
    all->slopes.below += slope * at->by_u * u; /* u is in proportion to e^below */
}

static void add_latency(sum *all, const fit_load *load, double u, fit_place place) {
    const fc_traits *t = &all->lesson->record->traits;
    const reading at = read_at(all->curve->growth, place, steepest_least);
    const double empty = t->empty[FC_MEAN], simulated = (double)load->mean;
    const double excess = (double)load->load * fc_learned_exp(at.value);
    const double share = fmax(1e-4, (simulated - empty) / simulated);
    const double usual = 0.012 + 0.08 * share + 0.7 * (double)load->mean_half / simulated;
    const lost error = relative(empty + excess, simulated), l = huber(error.loss, usual);
    all->loss += l.loss;
    add_growth(all, &at, place, l.slope * error.slope * excess / (empty + excess), u);
    /* the spread, of the logarithm of the excess */
    const double noise = (double)load->mean_half / usual_half / (simulated - empty);
    reading spread = read_at(all->curve->log_spread, place, 0);
    if (place.share > 1)
        spread = (reading){.value = all->curve->log_spread[FC_KNOTS - 1], .by_second = 1};
    const lost likely =
        likelihood(fc_learned_log((simulated - empty) / excess), noise, spread.value);
    const double weight = all->weights->spread;
    all->loss += weight * likely.loss;
    if (place.knot >= 0)
        all->slopes.spread[place.knot] += weight * likely.slope * spread.by_first;
    all->slopes.spread[place.knot + 1] += weight * likely.slope * spread.by_second;
}

static void add_tail(sum *all, const fit_load *load, double u, fit_place place) {
    const fc_traits *t = &all->lesson->record->traits;
    double tails[FC_KNOTS];
    find_tails(all->curve->growth, all->curve->tail, tails);
    const reading at = tail_at(tails, u, place);
    const double empty = t->empty[FC_P99], simulated = fmax(1, (double)load->p99);
    const double excess = all->saturation * fc_learned_exp(at.value);
    const double mean = (double)load->mean;
    const double share = fmax(1e-4, (mean - t->empty[FC_MEAN]) / mean);
    const double usual = 0.02 + 0.15 * share + 0.7 * ((double)load->p99_half + 0.5) / simulated;
    const lost error = relative(empty + excess, simulated), l = huber(error.loss, usual);
    const double slope = all->weights->tail * l.slope * error.slope * excess / (empty + excess);
    all->loss += all->weights->tail * l.loss;
    add_growth(all, &at, place, slope, u);
    all->slopes.below -= slope; /* the saturation load is in proportion to e^-below */
    if (place.knot >= 0)
        all->slopes.tail[place.knot] += slope * at.by_first;
    all->slopes.tail[place.knot + 1] += slope * at.by_second;
}

/* Of networks whose saturation load was not searched for: below it or not. */
static void add_side(sum *all, double u, unsigned char kind) {
    static const double unit = 0.03;
    const double margin = fc_learned_log(u), weight = all->weights->short_run;
    const double error = kind & FIT_SATURATED ? fmin(0, margin + unit) : fmax(0, margin);
    const lost l = huber(error, unit);
    all->loss += weight * l.loss;
    all->slopes.below += weight * l.slope;
}

static void add_saturation(sum *all) {
    const fit_network *n = &all->lesson->record->network;
    const double off = n->saturation_half / n->saturation;
    const double error = fc_learned_log(all->saturation / n->saturation);
    const lost l = huber(error, 0.03 + 0.5 * off);
    const lost likely = likelihood(error, off / usual_half, all->curve->log_saturation_spread);
    all->loss += all->weights->saturation * l.loss + all->weights->spread * likely.loss;
    all->slopes.below -= all->weights->saturation * l.slope;
    all->slopes.saturation_spread += all->weights->spread * likely.slope;
}

/* Where a curve was made to rise, it moves with the knot before. */
static void undo_rising(const fc_member_curve *curve, curve_slopes *s) {
    for (int k = FC_KNOTS - 1; k > 0; --k) {
        if (curve->tail[k] > curve->tail_of[k]) {
            s->tail[k - 1] += s->tail[k];
            s->growth[k - 1] += s->tail[k];
            s->growth[k] -= s->tail[k];
            s->tail[k] = 0;
        }
    }
    for (int k = FC_KNOTS - 1; k > 0; --k) {
        if (curve->growth[k] > curve->growth_of[k]) {
            s->growth[k - 1] += s->growth[k];
            s->growth[k] = 0;
        }
    }
}

/* From the numbers of a curve to the outputs of a lane. */
static void to_lane(const fc_member_curve *curve, const curve_slopes *s, size_t l, const float *out,
                    float *slopes) {
    memset(slopes, 0, FC_LANE_OUTPUTS * sizeof *slopes);
    if ((double)out[0] > fc_full_least && (double)out[0] < fc_full_most)
        slopes[0] = (float)(s->below * (double)curve->full[l]);
    double later = 0;
    for (int k = FC_KNOTS - 1; k >= 0; --k) {
        later += s->growth[k] * (double)curve->shares[l * FC_KNOTS + (size_t)k];
        const double x = (double)out[1 + k];
        if (k > 0)
            slopes[1 + k] =
                (float)(later * (fc_knot_places[k] - fc_knot_places[k - 1]) * fc_positive_slope(x));
        else if (x > fc_start_least && x < fc_start_most)
            slopes[1] = (float)later;
    }
}

static double of_curve(const fit_loss_weights *weights, const fit_lesson *lesson,
                       const fc_learned_tape *tape, fc_member_curve *curve, fit_slopes *slopes) {
    const fit_record *r = lesson->record;
    fc_member_curve_of(lesson->graph, &lesson->traits, tape, curve);
    sum all = {.weights = weights,
               .lesson = lesson,
               .curve = curve,
               .saturation = r->traits.capacity * fc_learned_exp(-curve->below)};
    for (uint32_t i = 0; i < r->network.load_count; ++i) {
        const fit_load *load = &r->network.loads[i];
        const double u = (double)load->load / all.saturation;
        const fit_place place = fit_place_of(u);
        if (lesson->kinds[i] & FIT_SETTLED)
            add_latency(&all, load, u, place);
        if (lesson->kinds[i] & FIT_TAIL)
            add_tail(&all, load, u, place);
        if (lesson->kinds[i] && !lesson->searched)
            add_side(&all, u, lesson->kinds[i]);
    }
    if (lesson->limit)
        add_saturation(&all);
    undo_rising(curve, &all.slopes);
    for (int k = 0; k < FC_KNOTS; ++k) {
        slopes->network[k] = (float)all.slopes.tail[k];
        slopes->network[FC_KNOTS + k] = (float)all.slopes.spread[k];
    }
    slopes->network[2 * FC_KNOTS] = (float)all.slopes.saturation_spread;
    for (size_t l = 0; l < r->traits.lane_count; ++l)
        to_lane(curve, &all.slopes, l, tape->out + l * FC_LANE_OUTPUTS,
                slopes->out + l * FC_LANE_OUTPUTS);
    return all.loss;
}

/* ---- form `values` ---- */

static double of_values(const fit_loss_weights *weights, const fit_lesson *lesson,
                        const fc_learned_tape *tape, fit_slopes *slopes) {
    const fit_network *n = &lesson->record->network;
    double loss = 0;
    memset(slopes->out, 0,
           lesson->record->traits.lane_count * FC_LANE_OUTPUTS * sizeof *slopes->out);
    for (size_t v = 0; v < n->value_count; ++v) {
        if (!isfinite(n->value[v]) || !(n->variance[v] > 0))
            continue;
        const double error = (double)tape->network[v] - n->value[v];
        const lost l = huber(error, 3 * sqrt(n->variance[v]));
        const lost likely = likelihood(error, 0, fc_learned_log_spread(tape, v));
        loss += l.loss + weights->spread * likely.loss;
        slopes->network[v] = (float)l.slope;
        slopes->network[FC_LEARNED_VALUES_MOST + v] = (float)(weights->spread * likely.slope);
    }
    return loss;
}

/* ---- */

double fit_loss(const fit_loss_weights *weights, const fit_lessons *lessons,
                const fit_lesson *lesson, const fc_learned_tape *tape, fc_member_curve *curve,
                fit_slopes *slopes) {
    memset(slopes->network, 0, sizeof slopes->network);
    const double loss = lessons->shape.values ? of_values(weights, lesson, tape, slopes)
                                              : of_curve(weights, lesson, tape, curve, slopes);
    const double weight = lesson->record->network.weight;
    if (weight != 1) {
        for (size_t i = 0; i < FC_NETWORK_OUTPUTS; ++i)
            slopes->network[i] *= (float)weight;
        for (size_t i = 0; i < lesson->record->traits.lane_count * FC_LANE_OUTPUTS; ++i)
            slopes->out[i] *= (float)weight;
    }
    return weight * loss;
}

fit_loss_weights fit_loss_weights_of(const fit_lessons *lessons, const bool *left_out) {
    double loads = 0, limits = 0;
    for (size_t i = 0; i < lessons->count; ++i) {
        if (left_out[i])
            continue;
        loads += lessons->list[i].record->network.load_count;
        limits += lessons->list[i].limit;
    }
    return (fit_loss_weights){.tail = 0.3,
                              .saturation =
                                  limits > 0 ? fmin(saturation_most, 0.5 * loads / limits) : 0,
                              .short_run = 0.3,
                              .spread = 0.05};
}
