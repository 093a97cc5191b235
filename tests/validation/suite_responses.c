/* The page about forecasts for closed networks with hot spots: what `predict` says of the response
 * times of requests to the hot node and of others, in the networks held out, against simulation. */
#include <math.h>
#include <stdlib.h>
#include "base/pool.h"
#include "suite_points.h"

enum { RESPONSES = 2 };
static const char table[] = "closed_hot_held_out";
static const char *const metrics[RESPONSES] = {"response_time_hot", "response_time_cold"};
static const size_t column[RESPONSES] = {2, 3}; /* of fit_points */
static const double far_off = 0.15;

/* Of a network, by the model alone and as forecast. NaN: not simulated precisely, or no answer. */
typedef struct response {
    double alone, forecast; /* over the simulated time, less 1 */
    bool has_interval, held;
} response;

typedef struct scored {
    response of[RESPONSES];
    bool flagged; /* wide or not validated */
} scored;

typedef struct scoring {
    const drawn_case *cases;
    scored *scores;
} scoring;

static double error_of(const fc_result *result, size_t which, double simulated) {
    const fc_metric *metric = fc_result_metric(result, metrics[which]);
    return result->outcome == FC_OUTCOME_OK && metric ? metric->value / simulated - 1 : (double)NAN;
}

static void score_response(const drawn_point *point, const fc_result *alone,
                           const fc_result *forecast, size_t which, response *to) {
    const double simulated = point->value[column[which]], half = point->half[column[which]];
    const double low[RESPONSES] = {forecast->hot_low, forecast->cold_low},
                 high[RESPONSES] = {forecast->hot_high, forecast->cold_high};
    if (!(half <= suite_widest * simulated))
        return;
    to->alone = error_of(alone, which, simulated);
    to->forecast = error_of(forecast, which, simulated);
    to->has_interval = low[which] > 0;
    to->held = simulated >= low[which] && simulated <= high[which];
}

static fc_status score_one(void *context, size_t index) {
    const scoring *all = context;
    const drawn_case *at = &all->cases[index];
    scored *to = &all->scores[index];
    fc_scenario *scenario = drawn_case_scenario(at, 0);
    fc_result *alone, *forecast;
    fc_error error;
    for (size_t r = 0; r < RESPONSES; ++r)
        to->of[r] = (response){NAN, NAN, false, false};
    if (!scenario || fc_predict(scenario, "closed-refined", &error, &alone) != FC_OK ||
        fc_predict(scenario, NULL, &error, &forecast) != FC_OK)
        suite_stop(at->network, "has no answer");
    to->flagged = (forecast->flags & (FC_FLAG_WIDE | FC_FLAG_NOT_VALIDATED)) != 0;
    for (size_t r = 0; r < RESPONSES; ++r)
        score_response(&at->points[0], alone, forecast, r, &to->of[r]);
    fc_result_free(alone);
    fc_result_free(forecast);
    fc_scenario_free(scenario);
    return FC_OK;
}

typedef enum part { ALL, PLAIN, FLAGGED, PARTS } part;
static const char *const part_names[PARTS] = {"all", "no warning", "warning"};

static void put_row(FILE *stream, const scored *scores, size_t count, part of, size_t which) {
    double alone = 0, forecast = 0, alone_worst = 0, worst = 0;
    size_t cases = 0, alone_far = 0, far = 0, intervals = 0, held = 0;
    for (size_t i = 0; i < count; ++i) {
        const response *r = &scores[i].of[which];
        if (!isfinite(r->alone) || !isfinite(r->forecast) ||
            (of != ALL && scores[i].flagged != (of == FLAGGED)))
            continue;
        ++cases;
        alone += fabs(r->alone);
        forecast += fabs(r->forecast);
        alone_worst = fabs(r->alone) > fabs(alone_worst) ? r->alone : alone_worst;
        worst = fabs(r->forecast) > fabs(worst) ? r->forecast : worst;
        alone_far += fabs(r->alone) > far_off;
        far += fabs(r->forecast) > far_off;
        intervals += r->has_interval;
        held += r->has_interval && r->held;
    }
    const double n = cases ? (double)cases : 1;
    fprintf(stream, "| %s, %s | %zu | %.1f (%+.0f); %.1f (%+.0f) | %zu; %zu | %.0f %% |\n",
            metrics[which], part_names[of], cases, 100 * forecast / n, 100 * worst, 100 * alone / n,
            100 * alone_worst, far, alone_far,
            100 * (double)held / (intervals ? (double)intervals : 1));
}

void suite_report_responses(const char *directory, FILE *stream) {
    drawn_case *cases = calloc(DRAWN_CASES, sizeof *cases);
    const size_t count = cases ? drawn_cases_read(directory, table, cases, DRAWN_CASES) : 0;
    scored *scores = calloc(count + 1, sizeof *scores);
    if (!scores || count == 0)
        suite_stop(table, "has no networks");
    scoring all = {cases, scores};
    fc_pool_run(NULL, NULL, count, score_one, &all);
    fputs("\n| response time | cases | error | over 15 % off | interval holds |\n"
          "|---|---|---|---|---|\n",
          stream);
    for (size_t which = 0; which < RESPONSES; ++which)
        for (part of = ALL; of < PARTS; ++of)
            put_row(stream, scores, count, of, which);
    free(scores);
    free(cases);
}
