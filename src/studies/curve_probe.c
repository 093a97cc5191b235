#include "studies/curve_probe.h"

#include <math.h>
#include "base/progress.h"
#include "base/status.h"
#include "registry/method.h"
#include "registry/metrics.h"

/* Precision and longest run of a look at one load. Close to saturation the verdict takes very long,
 * and there the throughput tells as much. It takes so many time scales of the simulator (each a few
 * lifetimes of a message) and so many messages to know it, and no look lasts longer than so many
 * cycles. */
static const double look_precision = 0.2, look_scales = 32, look_messages = 40000,
                    look_cycles_most = 40000;
/* A run that ends without a verdict is taken for saturated if it carried less than it was offered
 * by this share, about twice the scatter. */
static const double undecided_lag = 0.005;
/* The next load to try, over the throughput of a saturated network; and how far above it is close
 * enough: that throughput then says where the network saturates. */
static const double next_above = 1.05, near_enough = 1.25;
/* A network that carries less the more it is offered settles at loads above that throughput. The
 * next load is then in the middle, not one that is hardly above a load that settled. */
static const double least_step = 1.02;
/* A network whose throughput grows by less than this share of the growth of the load refuses what
 * it cannot carry: no need to look at higher loads. */
static const double growth_least = 0.1;
enum { STEPS_MOST = 40 };

static double look_cycles(const fc_scenario *scenario, double load) {
    const fc_simulator *simulator;
    if (fc_simulator_choose(scenario, NULL, &simulator) != FC_OK || !simulator->time_scale)
        return look_cycles_most;
    const double messages =
        load * fc_scenario_nodes(scenario) * (double)scenario->simulation.replications;
    const double least =
        fmax(look_scales * simulator->time_scale(scenario), look_messages / messages);
    return ceil(fmin(least, look_cycles_most));
}

/* A load may be refused by the scenario: then *run is NULL. */
static fc_status look(fc_curve_runs *runs, const fc_curve_request *base, double load,
                      const fc_run_settings *settings, fc_error *error,
                      fc_curve_measurement **run) {
    fc_curve_request request = *base;
    fc_scenario *scenario;
    request.load = load;
    request.precision = look_precision;
    request.cycles_most = look_cycles_most;
    *run = NULL;
    fc_status status =
        fc_curve_scenario(base->scenario, base->key, load, &request, error, &scenario);
    if (status != FC_OK)
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    request.cycles_most = look_cycles(scenario, load);
    fc_scenario_free(scenario);
    status = fc_curve_simulate(runs, &request, settings, error, run);
    if (status == FC_OK && fc_cancelled(settings))
        status = fc_fail(error, FC_ERROR_CANCELLED, "stopped");
    return status;
}

/* What is carried of a load; NaN: not known. */
static double carried_of(const fc_curve_measurement *run) {
    return run->throughput > 0 && run->offered > 0 ? run->load * run->throughput / run->offered
                                                   : (double)NAN;
}

static bool is_saturated(const fc_curve_measurement *run) {
    if (run->outcome == FC_OUTCOME_NOT_CONVERGED)
        return run->throughput < (1 - undecided_lag) * run->offered * (1 - run->loss);
    return run->outcome == FC_OUTCOME_SATURATED;
}

/* A run that ended without a verdict has a latency, but it means nothing. */
static void call_saturated(const fc_curve_runs *runs, fc_curve_measurement *run) {
    run->outcome = FC_OUTCOME_SATURATED;
    for (size_t m = 0; m < runs->curve->metric_count; ++m) {
        if (fc_metrics[fc_metric_find(runs->curve->metrics[m])].time)
            run->measured[m] = (fc_curve_value){NAN, NAN};
    }
}

/* The next load to look at; NaN: high is near enough. */
static double next_load(const fc_curve_probe *found, double load, double factor) {
    if (found->high == INFINITY)
        return load * factor;
    if (found->high <= near_enough * found->low)
        return NAN;
    const double above = next_above * found->carried;
    if (found->high <= near_enough * found->carried)
        return NAN;
    if (above > least_step * found->low && above < found->high)
        return above;
    return found->low > 0 ? 0.5 * (found->low + found->high) : found->high / factor;
}

fc_status fc_curve_find_saturation(fc_curve_runs *runs, const fc_curve_request *base, double guess,
                                   double factor, const fc_run_settings *settings, fc_error *error,
                                   fc_curve_probe *found) {
    double load = guess, refused = INFINITY;
    double settled = NAN; /* throughput at the largest load that did */
    *found = (fc_curve_probe){.high = INFINITY, .carried = NAN};
    for (int step = 0; step < STEPS_MOST && isfinite(load); ++step) {
        fc_curve_measurement *run;
        const fc_status status = look(runs, base, load, settings, error, &run);
        if (status != FC_OK)
            return status;
        if (!run) {
            /* accepted loads end between low and here: closer, then give up there */
            refused = load;
            if (refused <= found->low * 1.02)
                return FC_OK;
            load = found->low > 0 ? 0.5 * (found->low + refused) : 0.5 * load;
            continue;
        }
        if (is_saturated(run)) {
            call_saturated(runs, run);
            found->high = load;
            found->carried = carried_of(run);
        } else {
            if (found->high == INFINITY && found->low > 0 &&
                run->throughput / settled - 1 < growth_least * (load / found->low - 1))
                load = NAN;
            found->low = run->load;
            settled = run->throughput;
        }
        if (isfinite(load))
            load = fc_curve_rounded(next_load(found, load, factor));
        if (refused <= found->low * 1.02)
            return FC_OK;
        if (load >= refused)
            load = 0.5 * (found->low + refused);
    }
    return FC_OK;
}
