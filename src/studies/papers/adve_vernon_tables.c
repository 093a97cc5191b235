/* Tables 4.2 to 4.4: model and simulation beside the published columns. */
#include <math.h>
#include <string.h>
#include "studies/papers/adve_vernon_paper.h"

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

/* published: rows of `columns` numbers that begin with N_out and tau. The paper's model is asked
 * about the model's scenario, ours and the simulator about the simulation's. */
static fc_status evaluate(const fc_paper_context *context, const char *table, double precision,
                          const double *published, size_t columns, fc_error *error, sides *s) {
    static const char *const paper[] = {"adve-vernon"}, *const ours[] = {"closed-two-moment"};
    fc_status status = FC_OK;
    for (size_t i = 0; i < s->rows && status == FC_OK; ++i) {
        char outstanding[24], think[40], file[48];
        snprintf(outstanding, sizeof outstanding, "%.0f", published[i * columns]);
        snprintf(think, sizeof think, "%.17g", exact_think_time(published[i * columns + 1]));
        const fc_setting settings[] = {{"traffic.outstanding", outstanding},
                                       {"traffic.think_time", think}};
        snprintf(file, sizeof file, "%s-model", table);
        status = fc_closed_paper_scenario(context, file, precision, settings, 2, error,
                                          &s->scenarios[i]);
        if (status == FC_OK)
            status = fc_closed_paper_scenario(context, table, precision, settings, 2, error,
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

static double largest(double so_far, double published, double found) {
    const double error = fabs(found / published - 1);
    return error > so_far || isnan(error) ? error : so_far;
}

static void claim(fc_report *report, const char *what, double found, double limit) {
    char statement[160], text[96];
    snprintf(statement, sizeof statement, "%s within %.3g %% of the published column", what,
             100 * limit);
    snprintf(text, sizeof text, "at most %.2f %% off", 100 * found);
    fc_report_add_claim(report, statement, text, found <= limit);
}

/* limits of the model: efficiency, network time; 0: no claim. */
static fc_status table_42(const fc_paper_context *context, const char *table, double model_limit,
                          double net_limit, fc_error *error, fc_report *report) {
    enum { COLUMNS = 6 };
    static const char *const columns[] = {"N_out",
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
                                          "adve-vernon, net",
                                          "error",
                                          "closed-two-moment E",
                                          "closed-two-moment net"};
    double published[ROWS_MAX * COLUMNS], worst[4] = {0};
    sides s = {.rows = fc_closed_paper_csv(table, COLUMNS, published, ROWS_MAX)};
    const fc_status status = evaluate(context, table, 0.003, published, COLUMNS, error, &s);
    fc_report_add_table(report, "Efficiency (%) and network time (cycles)", columns, 16);
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
            worst[n] = largest(worst[n], p[n + 2], found[n]);
        }
        fc_report_cell_number(report, percent(s.ours[i], FC_METRIC_EFFICIENCY), 4);
        fc_report_cell_number(report, mean_network_time(s.ours[i], false), 4);
    }
    release(&s);
    if (status != FC_OK)
        return status;
    claim(report, "simulated efficiency", worst[0], 0.01);
    claim(report, "simulated network time", worst[2], 0.02);
    if (model_limit > 0) {
        claim(report, "the model's efficiency", worst[1], model_limit);
        claim(report, "the model's network time", worst[3], net_limit);
    }
    return FC_OK;
}

fc_status fc_adve_vernon_table_42a(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    fc_report_add_text(report,
                       "The caption says a single link from the node to its switch, but both "
                       "columns are those of one link per outgoing virtual channel, with a memory "
                       "that takes 12 cycles for a read. At tau = 5, outside the range the paper "
                       "gives for its parameters, the model's column is not reproduced (up to 16 "
                       "%% in efficiency at N_out = 8); it is at light load.");
    return table_42(context, "table-4.2a", 0, 0, error, report);
}

fc_status fc_adve_vernon_table_42b(const fc_paper_context *context, fc_error *error,
                                   fc_report *report) {
    return table_42(context, "table-4.2b", 0.01, 0.025, error, report);
}

fc_status fc_adve_vernon_table_43(const fc_paper_context *context, fc_error *error,
                                  fc_report *report) {
    enum { COLUMNS = 8 };
    static const char *const columns[] = {"N_out",           "tau",   "max sim, published",
                                          "max sim",         "error", "max model, published",
                                          "adve-vernon max", "error", "min sim, published",
                                          "min sim",         "error", "min model, published",
                                          "adve-vernon min", "error"};
    static const fc_metric_id metrics[] = {FC_METRIC_EFFICIENCY_MAX, FC_METRIC_EFFICIENCY_MIN};
    double published[ROWS_MAX * COLUMNS], worst[2] = {0};
    sides s = {.rows = fc_closed_paper_csv("table-4.3", COLUMNS, published, ROWS_MAX)};
    fc_report_add_text(report,
                       "The simulated columns have the slow memory of Table 4.2(a), the analytical "
                       "ones the fast memory. Largest and smallest of 64 estimates depend on the "
                       "length of the run, which the paper does not tell.");
    const fc_status status = evaluate(context, "table-4.3", 0.002, published, COLUMNS, error, &s);
    fc_report_add_table(report, "Largest and smallest efficiency, %", columns, 14);
    for (size_t i = 0; i < s.rows && status == FC_OK; ++i) {
        const double *p = &published[i * COLUMNS];
        fc_report_row(report);
        fc_report_cell_text(report, "%.0f", p[0]);
        fc_report_cell_number(report, p[1], 3);
        for (size_t n = 0; n < 4; ++n) {
            const bool model = n % 2 == 1;
            const double found = percent(model ? s.models[i] : s.simulations[i], metrics[n / 2]);
            compare_cells(report, p[n + 2], found);
            worst[model] = largest(worst[model], p[n + 2], found);
        }
    }
    release(&s);
    if (status != FC_OK)
        return status;
    claim(report, "simulated extremes", worst[0], 0.035);
    claim(report, "the model's extremes", worst[1], 0.012);
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
    fc_status status =
        fc_closed_paper_scenario(context, file, 0.004, settings, 2, error, &scenario);
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

static fc_status table_44(const fc_paper_context *context, char panel, fc_error *error,
                          fc_report *report) {
    node_map map;
    char found[160];
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
    const double rms = sqrt(squares / NODES);
    snprintf(found, sizeof found, "rms difference %.2f points; mean %.1f, published cells %.1f",
             rms, mean(map.model), mean(map.published));
    if (panel == 'b')
        fc_report_add_claim(report, "each processor's efficiency within 1.2 points rms", found,
                            rms <= 1.2);
    else
        fc_report_add_text(report,
                           "Model against published: %s. The low region lies about 1.5 columns "
                           "beside the printed one; no reading of the equations moves it.",
                           found);
    const double *maps[] = {map.model, map.simulated};
    const char *const names[] = {"adve-vernon", "simulation"};
    for (size_t m = 0; m < 2; ++m) {
        char statement[160];
        const double corners = mean_of_corners(maps[m]), centre = mean_of_centre(maps[m]);
        snprintf(statement, sizeof statement, "%s: processors near the corners do %s (%s)",
                 names[m], panel == 'a' ? "better than those at the centre" : "worse",
                 panel == 'a' ? "unidirectional" : "bidirectional");
        snprintf(found, sizeof found, "corners %.1f %%, centre %.1f %%", corners, centre);
        fc_report_add_claim(report, statement, found,
                            panel == 'a' ? corners > centre : corners < centre);
    }
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
