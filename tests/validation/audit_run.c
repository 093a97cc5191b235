#include "audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double model_error_most = 0.15;

static fc_scenario *read_scenario(const audit_text *what, double precision, double cycles,
                                  unsigned seed) {
    char text[800];
    const int length =
        snprintf(text, sizeof text, "%ssimulation: {precision: %g, max_cycles: %.0f, seed: %u}\n",
                 what->text, precision, cycles, seed);
    fc_scenario *scenario = NULL;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, "audit", NULL, 0, &error, &scenario) != FC_OK)
        fprintf(stderr, "audit: %s%s\n", what->text, error.text);
    return scenario;
}

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->value : (double)NAN;
}

static double width_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? metric->half_width : (double)NAN;
}

/* left and right should agree within three times what their intervals allow, and half a percent. */
static void check(audit_finding *f, const char *what, double left, double left_width, double right,
                  double right_width) {
    if (isnan(left) || isnan(right))
        return;
    const double allowed = 1.5 * hypot(left_width, right_width) + 0.005 * fabs(right);
    if (!(fabs(left - right) <= allowed))
        snprintf(f->identity, sizeof f->identity, "%s: %.4g against %.4g", what, left, right);
}

static void check_identities(const fc_scenario *scenario, const fc_result *result,
                             audit_finding *f) {
    const double loss = value_of(result, "loss");
    const double offered = value_of(result, "offered") * (1 - (isnan(loss) ? 0 : loss));
    const double throughput = value_of(result, "throughput");
    const double unreachable = value_of(result, "unreachable");
    check(f, "accepted and throughput", throughput, width_of(result, "throughput"),
          offered * (1 - (isnan(unreachable) ? 0 : unreachable)), width_of(result, "offered"));
    double think, outstanding;
    if (fc_scenario_number(scenario, "traffic.think_time", NULL, &think) == FC_OK &&
        !isnan(value_of(result, "efficiency")))
        check(f, "throughput x think time and efficiency", throughput * think,
              width_of(result, "throughput") * think, value_of(result, "efficiency"),
              width_of(result, "efficiency"));
    if (fc_scenario_number(scenario, "traffic.outstanding", NULL, &outstanding) == FC_OK &&
        !isnan(value_of(result, "round_trip")) && outstanding > 0)
        check(f, "throughput x round trip and outstanding",
              throughput * value_of(result, "round_trip"),
              throughput * width_of(result, "round_trip"), outstanding,
              width_of(result, "throughput") * value_of(result, "round_trip"));
    for (size_t i = 0; i < result->metric_count; ++i)
        f->certain = f->certain || result->metrics[i].half_width == 0;
}

static void check_model(const fc_scenario *scenario, const fc_result *simulated, const char *main,
                        audit_finding *f) {
    fc_error error;
    fc_result *predicted;
    f->error = NAN;
    if (fc_predict(scenario, NULL, &error, &predicted) != FC_OK)
        return;
    snprintf(f->model, sizeof f->model, "%s", predicted->method);
    const double value = value_of(predicted, main);
    if (predicted->outcome == FC_OUTCOME_OK) {
        const bool saturated = simulated->outcome == FC_OUTCOME_SATURATED;
        if (!saturated && f->settled)
            f->error = value / f->longer - 1;
        const double seen = saturated ? INFINITY : fabs(f->error);
        f->warned = !predicted->accuracy.known || fabs(predicted->accuracy.worst) >= seen;
        /* what the simulation itself is not sure of is not held against a model */
        const double sure = f->settled ? 2 * f->longer_half_width / f->longer : 0;
        f->misled = seen > model_error_most + sure && !f->warned;
    }
    fc_result_free(predicted);
}

static fc_result *simulate(const audit_text *what, double precision, double cycles, unsigned seed,
                           audit_finding *f) {
    fc_scenario *scenario = read_scenario(what, precision, cycles, seed);
    const fc_run_settings settings = {.threads = 1};
    fc_error error;
    fc_result *result = NULL;
    if (!scenario || fc_simulate(scenario, &settings, &error, &result) != FC_OK)
        f->refused = true;
    else
        f->seconds += result->run.cpu_seconds;
    fc_scenario_free(scenario);
    return result;
}

audit_finding audit_scenario(const audit_text *what, double precision, double cycles) {
    audit_finding f = {.error = NAN};
    fc_result *brief = simulate(what, precision, cycles, 1, &f);
    fc_result *longer =
        f.refused ? NULL : simulate(what, precision / sqrt(10), 10 * cycles, 1000003, &f);
    if (!f.refused) {
        fc_scenario *scenario = read_scenario(what, precision, cycles, 1);
        const char *main = fc_scenario_main_metric(scenario);
        f.settled = brief->outcome == FC_OUTCOME_OK && longer->outcome == FC_OUTCOME_OK;
        f.value = value_of(brief, main);
        f.half_width = width_of(brief, main);
        f.longer = value_of(longer, main);
        f.longer_half_width = width_of(longer, main);
        f.missed = f.settled && fabs(f.value - f.longer) > hypot(f.half_width, f.longer_half_width);
        if (brief->outcome == FC_OUTCOME_OK)
            check_identities(scenario, brief, &f);
        check_model(scenario, longer, main, &f);
        fc_scenario_free(scenario);
    }
    fc_result_free(brief);
    fc_result_free(longer);
    return f;
}
