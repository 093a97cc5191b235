/* Tables 4.2 to 4.4: model and simulation beside the published columns. */
#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "studies/papers/adve_vernon_paper.h"
#include "output/report/report.h"

enum { ROWS_MAX = 16, NODES = 64 };

/* One published table: the scenarios of its model and its simulation differ (see the files). */
typedef struct sides {
    fc_scenario *scenarios[2 * ROWS_MAX];
    fc_result *models[ROWS_MAX], *ours[ROWS_MAX], *simulations[ROWS_MAX];
    size_t rows;
} sides;

static void release(sides *s) {
    for (size_t i = 0; i < ROWS_MAX; ++i) {
        fc_scenario_free(s->scenarios[2 * i]);
        fc_scenario_free(s->scenarios[2 * i + 1]);
        fc_result_free(s->models[i]);
        fc_result_free(s->ours[i]);
        fc_result_free(s->simulations[i]);
    }
}

/* The paper thinks in request rates; its tau = 33.3 is 1 / 0.03. */
static double exact_think_time(double printed) {
    return printed == 33.3 ? 1 / 0.03 : printed;
}

typedef struct table_read {
    const char *name;
    double precision;
    const double *published;
    size_t columns;
} table_read;

/* published: rows of `columns` numbers that begin with N_out and tau. The paper's model is asked
 * about the model's scenario, ours and the simulator about the simulation's. */
static fc_status evaluate(const fc_paper_context *context, const table_read *read, fc_error *error,
                          sides *s) {
    const char *table = read->name;
    const double precision = read->precision, *published = read->published;
    const size_t columns = read->columns;
    static const char *const paper[] = {"adve-vernon"}, *const ours[] = {"closed-two-moment"};
    fc_status status = FC_OK;
    for (size_t i = 0; i < s->rows && status == FC_OK; ++i) {
        char outstanding[24], think[FC_REAL_SIZE], file[48];
        snprintf(outstanding, sizeof outstanding, "%.0f", published[i * columns]);
        fc_real_text(exact_think_time(published[i * columns + 1]), think);
        const fc_setting settings[] = {{"traffic.outstanding", outstanding},
                                       {"traffic.think_time", think}};
        snprintf(file, sizeof file, "%s-model", table);
        const fc_paper_point by_model = {NULL, file, settings, 2, {paper, 1, false}};
        const fc_paper_point simulated = {NULL, table, settings, 2, {ours, 1, true}};
        status = fc_closed_paper_scenario(context, precision, &by_model, error, &s->scenarios[i]);
        if (status == FC_OK)
            status = fc_closed_paper_scenario(context, precision, &simulated, error,
                                              &s->scenarios[ROWS_MAX + i]);
    }
    const fc_scenario *const *first = (const fc_scenario *const *)s->scenarios;
    const fc_scenario *const *second = first + ROWS_MAX;
    const fc_evaluation wanted[] = {{first, s->rows, paper, 1, false},
                                    {second, s->rows, ours, 1, false},
                                    {second, s->rows, NULL, 0, true}};
    fc_result **const found[] = {s->models, s->ours, s->simulations};
    for (size_t i = 0; i < 3 && status == FC_OK; ++i)
        status = fc_evaluate(&wanted[i], context->settings, error, found[i]);
    return status;
}

static double percent(const fc_result *result, fc_metric_id metric) {
    return result ? 100 * fc_result_value(result, metric) : (double)NAN;
}

static double mean_network_time(const fc_result *result, bool over_processors) {
    const fc_table *nodes = result ? fc_result_table(result, "nodes") : NULL;
    if (!over_processors || !nodes)
        return result ? fc_result_value(result, FC_METRIC_NETWORK_TIME) : (double)NAN;
    double sum = 0;
    for (size_t i = 0; i < nodes->rows; ++i)
        sum += nodes->values[i * nodes->columns + 2];
    return sum / (double)nodes->rows;
}

static void compare_cells(fc_report *report, double published, double found) {
    fc_report_cell_number(report, published, 4);
    fc_report_cell_number(report, found, 4);
    fc_report_cell_percent(report, found / published - 1);
}

/* How far a column may be from the printed one, cell by cell. */
static fc_cell_claim column_claim(const char *statement, double limit) {
    return (fc_cell_claim){{statement, .quantity = "found over published, less 1", .unit = "%",
                            FC_BETWEEN(-limit, limit), .bound = "ours: what counts as reproduced"}};
}

static void add_cell(fc_cell_claim *claim, const double *row, double published, double found) {
    fc_cell_claim_add(claim, 100 * (found / published - 1), "N_out = %.0f, tau = %g", row[0],
                      row[1]);
}

/* What the paper says of its model's errors; here they are those of its model against its own
 * simulation as both come out here. */
static void claim_errors(fc_report *report, const sides *s, const double *published, bool worst) {
    enum { COLUMNS = 6 };
    fc_cell_claim light = {{"at low to moderate loads the model's efficiency is less than 3 % off",
                            .source = "section 4.2", .quantity = "model over simulation, less 1",
                            .unit = "%", FC_BETWEEN(-3, 3), .bound = FC_BOUND_PAPER}};
    double largest = 0;
    for (size_t i = 0; i < s->rows; ++i) {
        const double *p = &published[i * COLUMNS];
        const double error = 100 * (percent(s->models[i], FC_METRIC_EFFICIENCY) /
                                        percent(s->simulations[i], FC_METRIC_EFFICIENCY) -
                                    1);
        largest = fabs(error) > fabs(largest) ? error : largest;
        if (p[0] < 4 || p[1] >= 50)
            fc_cell_claim_add(&light, error, "N_out = %.0f, tau = %g", p[0], p[1]);
    }
    light.claim.remark = "Cells with N_out < 4 or tau >= 50 were looked at.";
    fc_report_add_cell_claim(report, &light);
    if (worst)
        fc_report_add_claim(
            report,
            &(fc_report_claim){
                "the largest error in efficiency is 20 %, at tau = 5 and N_out = 8",
                .source = "section 4.2", .quantity = "model over simulation, less 1, the largest",
                .unit = "%", .value = largest, FC_BETWEEN(18, 22),
                .bound = "the paper's number, within a tenth", .read_at = "all cells",
                .remark = "The printed column (30.08 against 25.07) is not what the "
                          "printed equations give."});
}

static const char *const columns_42[] = {"N_out",
                                         "tau",
                                         "E sim, published",
                                         "E sim",
                                         "error",
                                         "E model, published",
                                         "adve-vernon",
                                         "error",
                                         "net sim, published",
                                         "net sim",
                                         "error",
                                         "net model, published",
                                         "adve-vernon, net over processors",
                                         "error",
                                         "adve-vernon, net over requests",
                                         "closed-two-moment E",
                                         "closed-two-moment net"};

static fc_status table_42(const fc_paper_context *context, const char *table, bool worst,
                          fc_error *error, fc_report *report) {
    enum { COLUMNS = 6 };
    fc_cell_claim claims[] = {
        column_claim("the simulated efficiency is the published one", 1),
        column_claim("the model's efficiency is the published one", 1),
        column_claim("the simulated network time is the published one", 2),
        column_claim("the model's network time, averaged over processors, is the published one",
                     2.5)};
    double published[ROWS_MAX * COLUMNS];
    sides s = {.rows = fc_closed_paper_csv(table, COLUMNS, published, ROWS_MAX)};
    const fc_status status =
        evaluate(context, &(table_read){table, 0.003, published, COLUMNS}, error, &s);
    fc_report_add_table(report, "Efficiency (%) and network time (cycles)", columns_42, 17);
    fc_report_set_keys(report, 2, false);
    for (size_t i = 0; i < s.rows && status == FC_OK; ++i) {
        const double *p = &published[i * COLUMNS];
        const double found[4] = {percent(s.simulations[i], FC_METRIC_EFFICIENCY),
                                 percent(s.models[i], FC_METRIC_EFFICIENCY),
                                 mean_network_time(s.simulations[i], false),
                                 mean_network_time(s.models[i], true)};
        fc_report_row(report);
        fc_report_cell_text(report, "%.0f", p[0]);
        fc_report_cell_number(report, p[1], 3);
        for (size_t n = 0; n < 4; ++n) {
            compare_cells(report, p[n + 2], found[n]);
            add_cell(&claims[n], p, p[n + 2], found[n]);
        }
        fc_report_cell_number(report, mean_network_time(s.models[i], false), 4);
        fc_report_cell_number(report, percent(s.ours[i], FC_METRIC_EFFICIENCY), 4);
        fc_report_cell_number(report, mean_network_time(s.ours[i], false), 4);
    }
    if (status == FC_OK) {
        for (size_t n = 0; n < 4; ++n)
            fc_report_add_cell_claim(report, &claims[n]);
        claim_errors(report, &s, published, worst);
    }
    release(&s);
    return status;
}

fc_status fc_adve_vernon_table_42a(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    return table_42(context, "table-4.2a", true, error, report);
}

fc_status fc_adve_vernon_table_42b(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    return table_42(context, "table-4.2b", false, error, report);
}

static const char *const columns_43[] = {"N_out",
                                         "tau",
                                         "max sim, published",
                                         "max sim",
                                         "error",
                                         "max model, published",
                                         "adve-vernon max",
                                         "error",
                                         "min sim, published",
                                         "min sim",
                                         "error",
                                         "min model, published",
                                         "adve-vernon min",
                                         "error",
                                         "ratio sim, published",
                                         "ratio sim",
                                         "ratio model, published",
                                         "adve-vernon ratio"};

fc_status fc_adve_vernon_table_43(const fc_paper_context *context, fc_error *error,
                                  fc_report *report) {
    enum { COLUMNS = 8 };
    static const fc_metric_id metrics[] = {FC_METRIC_EFFICIENCY_MAX, FC_METRIC_EFFICIENCY_MIN};
    fc_cell_claim claims[] = {column_claim("the simulated extremes are the published ones", 3.5),
                              column_claim("the model's extremes are the published ones", 1.2)};
    fc_cell_claim under = {{"the ratio of the two is always underestimated by the model",
                            .source = "section 4.2",
                            .quantity = "the model's ratio over the simulated one, less 1",
                            .unit = "%", FC_AT_MOST(0), .bound = FC_BOUND_PAPER}};
    double published[ROWS_MAX * COLUMNS];
    sides s = {.rows = fc_closed_paper_csv("table-4.3", COLUMNS, published, ROWS_MAX)};
    const fc_status status =
        evaluate(context, &(table_read){"table-4.3", 0.002, published, COLUMNS}, error, &s);
    fc_report_add_table(report, "Largest and smallest efficiency, %", columns_43, 18);
    fc_report_set_keys(report, 2, false);
    for (size_t i = 0; i < s.rows && status == FC_OK; ++i) {
        const double *p = &published[i * COLUMNS];
        double found[4];
        fc_report_row(report);
        fc_report_cell_text(report, "%.0f", p[0]);
        fc_report_cell_number(report, p[1], 3);
        for (size_t n = 0; n < 4; ++n) {
            const bool model = n % 2 == 1;
            found[n] = percent(model ? s.models[i] : s.simulations[i], metrics[n / 2]);
            compare_cells(report, p[n + 2], found[n]);
            add_cell(&claims[model], p, p[n + 2], found[n]);
        }
        const double simulated = found[0] / found[2], modelled = found[1] / found[3];
        fc_report_cell_number(report, p[6], 4);
        fc_report_cell_number(report, simulated, 4);
        fc_report_cell_number(report, p[7], 4);
        fc_report_cell_number(report, modelled, 4);
        fc_cell_claim_add(&under, 100 * (modelled / simulated - 1), "N_out = %.0f, tau = %g", p[0],
                          p[1]);
    }
    release(&s);
    if (status != FC_OK)
        return status;
    fc_report_add_cell_claim(report, &claims[0]);
    fc_report_add_cell_claim(report, &claims[1]);
    fc_report_add_cell_claim(report, &under);
    return FC_OK;
}

/* ---- Table 4.4: a map of the processors ---- */

typedef struct node_map {
    double published[NODES], model[NODES], simulated[NODES];
} node_map;

static void read_map(char panel, node_map *map) {
    enum { COLUMNS = 10, ALL = 16 };
    double values[ALL * COLUMNS];
    fc_closed_paper_csv("table-4.4", COLUMNS, values, ALL);
    const size_t first = panel == 'a' ? 0 : 8;
    for (size_t row = 0; row < 8; ++row)
        memcpy(&map->published[row * 8], &values[(first + row) * COLUMNS + 2], 8 * sizeof(double));
}

static fc_status evaluate_map(const fc_paper_context *context, char panel, fc_error *error,
                              node_map *map) {
    static const char *const models[] = {"adve-vernon"};
    const fc_setting settings[] = {{"traffic.outstanding", "4"},
                                   {"traffic.think_time", panel == 'a' ? "50" : "25"}};
    fc_scenario *scenario;
    fc_result *results[2] = {0};
    char file[16];
    snprintf(file, sizeof file, "table-4.4%c", panel);
    const fc_paper_point point = {NULL, file, settings, 2, {models, 1, true}};
    fc_status status = fc_closed_paper_scenario(context, 0.004, &point, error, &scenario);
    if (status != FC_OK)
        return status;
    const fc_scenario *const list[] = {scenario};
    const fc_evaluation both = {list, 1, models, 1, .simulate = true};
    status = fc_evaluate(&both, context->settings, error, results);
    for (size_t r = 0; r < 2 && status == FC_OK; ++r) {
        const fc_table *nodes = results[r] ? fc_result_table(results[r], "nodes") : NULL;
        for (size_t i = 0; i < NODES; ++i)
            (r == 0 ? map->model : map->simulated)[i] =
                nodes ? 100 * nodes->values[i * nodes->columns] : (double)NAN;
    }
    fc_result_free(results[0]);
    fc_result_free(results[1]);
    fc_scenario_free(scenario);
    return status;
}

static void add_map(fc_report *report, const char *title, const double *values) {
    static const char *const columns[] = {"row",   "col 0", "col 1", "col 2", "col 3",
                                          "col 4", "col 5", "col 6", "col 7"};
    fc_report_add_table(report, title, columns, 9);
    for (size_t row = 0; row < 8; ++row) {
        fc_report_row(report);
        fc_report_cell_text(report, "%zu", row);
        for (size_t column = 0; column < 8; ++column)
            fc_report_cell_text(report, "%.0f", values[row * 8 + column]);
    }
}

static double mean(const double *values) {
    double sum = 0;
    for (size_t i = 0; i < NODES; ++i)
        sum += values[i];
    return sum / NODES;
}

static double mean_of_corners(const double *values) {
    return (values[0] + values[7] + values[56] + values[63]) / 4;
}

static double mean_of_centre(const double *values) {
    return (values[27] + values[28] + values[35] + values[36]) / 4;
}

static void claim_corners(fc_report *report, const char *method, const double *map, bool better) {
    char statement[160];
    snprintf(statement, sizeof statement, "%s: processors near the corners do %s", method,
             better ? "better than those at the centre" : "worse than those at the centre");
    fc_report_add_claim(
        report,
        &(fc_report_claim){statement, .source = "section 4.8",
                           .quantity = "mean efficiency of the 4 corners less that of the "
                                       "4 processors at the centre",
                           .unit = "points", .value = mean_of_corners(map) - mean_of_centre(map),
                           .low = better ? 0 : -INFINITY, .high = better ? INFINITY : 0,
                           .bound = FC_BOUND_PAPER});
}

static fc_status table_44(const fc_paper_context *context, char panel, fc_error *error,
                          fc_report *report) {
    const bool unidirectional = panel == 'a';
    const double said = unidirectional ? 79 : 58; /* mean efficiency, section 4.8 */
    node_map map;
    read_map(panel, &map);
    const fc_status status = evaluate_map(context, panel, error, &map);
    if (status != FC_OK)
        return status;
    add_map(report, "Published (model), %", map.published);
    add_map(report, "adve-vernon, %", map.model);
    add_map(report, "Simulation, %", map.simulated);
    double squares = 0;
    for (size_t i = 0; i < NODES; ++i)
        squares += pow(map.model[i] - map.published[i], 2);
    fc_report_add_claim(
        report, &(fc_report_claim){
                    "the model's efficiency of each processor is the published one",
                    .quantity = "root of the mean square of the differences", .unit = "points",
                    .value = sqrt(squares / NODES), FC_AT_MOST(1.2),
                    .bound = "ours: what counts as reproduced", .read_at = "all 64 processors",
                    .remark = unidirectional ? "The low region lies about 1.5 columns beside the "
                                               "printed one; no reading of the equations moves it."
                                             : NULL});
    char mean_text[120];
    snprintf(mean_text, sizeof mean_text, "The printed cells have a mean of %.1f %%.",
             mean(map.published));
    fc_report_add_claim(
        report,
        &(fc_report_claim){unidirectional ? "the average efficiency is 79 %"
                                          : "the average efficiency is 58 %",
                           .source = "section 4.8", .quantity = "mean efficiency by the model",
                           .unit = "%", .value = mean(map.model), FC_BETWEEN(said - 1, said + 1),
                           .bound = "the paper's number, within 1", .remark = mean_text});
    claim_corners(report, "adve-vernon", map.model, unidirectional);
    claim_corners(report, "simulation", map.simulated, unidirectional);
    return FC_OK;
}

fc_status fc_adve_vernon_table_44a(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    return table_44(context, 'a', error, report);
}

fc_status fc_adve_vernon_table_44b(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    return table_44(context, 'b', error, report);
}
