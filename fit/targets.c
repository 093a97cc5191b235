#include "targets.h"

#include <math.h>
#include <string.h>
#include "models/closed/closed_hot.h"
#include "registry/parts.h"
#include "registry/result.h"

/* Half of what the traits do not tell, as shares of efficiency, network time and latency. */
static const double unexplained_efficiency = 0.005, unexplained_time = 0.0075,
                    unexplained_latency = 0.004, unexplained_responses = 0.02;

static double deviation_of(const drawn_point *point, int metric) {
    return point->half[metric] / 1.96 / point->value[metric];
}

/* ---- closed traffic ---- */

/* By Little's law, efficiency and network time are two measurements of one round trip, if the rest
 * of it is known. What the model says of the rest is taken to be right to a fifth. */
typedef struct round_trip {
    double rest;                 /* by the model */
    double whole, deviation;     /* of the round trip, from both measurements */
    double network, network_off; /* the same of the network time */
    bool consistent;             /* the two agree within what they are uncertain by */
} round_trip;

static double combined(double a, double off_a, double b, double off_b, double *off) {
    const double weight = 1 / (off_a * off_a), other = 1 / (off_b * off_b);
    *off = 1 / sqrt(weight + other);
    return (weight * a + other * b) / (weight + other);
}

static round_trip round_trip_of(const fc_closed_cycle *c, const drawn_point *point) {
    static const double rest_off = 0.2, model_off = 0.003, farthest = 4;
    const double alone = c->think + c->reply, requests = c->outstanding * c->think;
    round_trip trip = {.rest = fmax(0, requests / c->efficiency - alone - c->network)};
    const double measured = requests / point->value[0], time = point->value[1];
    const double off = measured * fmax(0.001, deviation_of(point, 0)),
                 time_off = time * fmax(0.002, deviation_of(point, 1));
    const double doubt = rest_off * trip.rest + model_off * c->network;
    const double gap = fabs(measured - alone - trip.rest - time);
    trip.consistent =
        gap <= farthest * hypot(hypot(off, time_off), 0.5 * trip.rest + 0.03 * c->network);
    trip.whole =
        combined(measured, off, time + alone + trip.rest, hypot(time_off, doubt), &trip.deviation);
    trip.network = combined(time, time_off, measured - alone - trip.rest, hypot(off, doubt),
                            &trip.network_off);
    return trip;
}

/* What t makes of the efficiency, and of the network time where that is most of what is waited. */
static double efficiency_variance(const fc_closed_cycle *c, const round_trip *trip,
                                  double efficiency) {
    const double below = fmax(1e-6, 1 - efficiency / fc_closed_cycle_most(c));
    const double off = trip->deviation / trip->whole, time_off = trip->deviation / trip->network;
    const double time = fc_closed_cycle_share(c) * trip->whole * below / trip->network;
    const double u = unexplained_efficiency, v = unexplained_time;
    return 1 / (below * below / (off * off + u * u) + time * time / (time_off * time_off + v * v));
}

static double time_variance(const fc_closed_cycle *c, const round_trip *trip, double efficiency) {
    const double excess = fmax(1e-9, fc_closed_cycle_excess(c, efficiency));
    const double share = fmax(1e-5, fmin(1 - 1e-5, (trip->network - c->empty) / excess));
    const double effect = fmax(1e-6, excess * share * (1 - share) / trip->network);
    const double off = trip->network_off / trip->network, v = unexplained_time;
    return (off * off + v * v) / (effect * effect);
}

/* Of requests to a hot node and of others; NaN: there is none, or they were not simulated. */
static void aim_at_responses(const fc_scenario *scenario, const fc_result *result,
                             const drawn_point *point, fit_network *network) {
    const fc_closed_hot hot = fc_closed_hot_of(scenario, result);
    const double off = deviation_of(point, 2), other = deviation_of(point, 3);
    const double u = unexplained_responses;
    const bool known = hot.share > 0 && isfinite(off) && isfinite(other);
    network->value[2] =
        known ? fc_closed_hot_shift(&hot, point->value[2], point->value[3]) : (double)NAN;
    network->variance[2] = known ? off * off + other * other + u * u : (double)NAN;
}

bool fit_closed_targets(const fc_scenario *scenario, const fc_result *result,
                        const drawn_point *point, bool is_short, fit_network *network) {
    const fc_closed_cycle cycle = fc_closed_cycle_of(scenario, result);
    const round_trip trip = round_trip_of(&cycle, point);
    const double efficiency = cycle.outstanding * cycle.think / trip.whole;
    (void)is_short;
    network->value_count = 3;
    network->value[0] = fc_closed_cycle_shift(&cycle, efficiency);
    network->variance[0] = efficiency_variance(&cycle, &trip, efficiency);
    network->value[1] =
        fc_closed_cycle_network_shift(&cycle, fmin(efficiency, fc_closed_cycle_most(&cycle)),
                                      fmax(trip.network, 1.0001 * cycle.empty));
    network->variance[1] = time_variance(&cycle, &trip, efficiency);
    aim_at_responses(scenario, result, point, network);
    return trip.consistent;
}

/* ---- multistage networks ---- */

/* The widest half width of a latency that is learned from, over the latency: of long runs, and of
 * short ones, which were to reach 3 %. And how far the throughput may be from the model's, which is
 * 1 % off: a run that stopped early has a latency as wrong. */
static const double widest_latency = 0.05, widest_short = 0.031, widest_throughput = 0.04;
static const double largest = 1; /* correction, either way */

static double service_of(const fc_result *result) {
    double service = 0;
    for (size_t p = 0; p < result->part_count; ++p)
        if (strcmp(result->parts[p].name, FC_PART_SERVICE) == 0)
            service = result->parts[p].value;
    return service;
}

bool fit_multistage_targets(const fc_scenario *scenario, const fc_result *result,
                            const drawn_point *point, bool is_short, fit_network *network) {
    (void)scenario;
    const double service = service_of(result);
    const double excess = fc_result_value(result, FC_METRIC_LATENCY) - service;
    const double carried = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double simulated = fmax(0.02 * excess, point->value[0] - service);
    const double effect = simulated / point->value[0], off = deviation_of(point, 0);
    const double u = unexplained_latency, t = log(simulated / excess);
    network->value_count = 1;
    network->value[0] = fmax(-largest, fmin(largest, t));
    network->variance[0] = (off * off + u * u) / (effect * effect);
    return point->half[0] <= (is_short ? widest_short : widest_latency) * point->value[0] &&
           fabs(carried / point->value[1] - 1) < widest_throughput;
}
