/* The curve of a model, as outputs of a learned network have it (learned_curve.c): latency without
 * load + load e^(a + b v) through two of its answers, with the pole at its own saturation load. */
#include "forecast/learned_curve.h"
#include "forecast/learned_numbers.h"

static double between(double x, double least, double most) {
    return x > most ? most : x > least ? x : least;
}

static double place_of(const fc_model_answers *m, int i) {
    return -fc_learned_log(1 - between(m->load[i] / m->saturation, 0, 0.95));
}

void fc_prior_of(const fc_model_answers *m, double prior[FC_PRIORS]) {
    static const double below_least = 1e-3, slope_least = 0.2, slope_most = 2.5, usual = 0.8;
    const double below = fc_learned_log(m->capacity / m->saturation);
    const double full = fc_learned_exp(FC_SHARPNESS * between(below, below_least, 3)) - 1;
    const double v[2] = {place_of(m, 0), place_of(m, 1)};
    const double growth[2] = {fc_learned_log(m->excess[0] / m->load[0]),
                              fc_learned_log(m->excess[1] / m->load[1])};
    const double apart = v[1] - v[0];
    const double slope =
        apart > 0.05 ? between((growth[1] - growth[0]) / apart, slope_least, slope_most) : usual;
    const double start = growth[0] + slope * (fc_knot_places[0] - v[0]);
    prior[0] = fc_learned_log(full) / FC_SHARPNESS;
    prior[1] = start - fc_learned_log(m->unit);
    prior[2] = slope - 1 / slope; /* fc_positive of it is the slope */
}
