/* The answers to the page's calls, as JSON. Each returns a text to be freed, or NULL if out of
 * memory. */
#ifndef PAGE_ANSWER_H
#define PAGE_ANSWER_H

#include "page/model_curves.h"
#include "page/page_request.h"

/* What is known at once: keys and values, every model's curve, the network's picture, parts. */
char *answer_forecast(const page_request *request, curve_cache *cache);
/* Where the time goes, in sentences, and which changes would help. */
char *answer_explain(const page_request *request, const fc_run_settings *settings);
/* One self-contained HTML page; on failure the same JSON as the others. *html says which. */
char *answer_report(const page_request *request, curve_cache *cache,
                    const fc_run_settings *settings, bool *html);
/* The scenario to open with, or NULL, and the gallery of examples. */
char *answer_start(const char *file, const char *text);

/* What was simulated so far: points, and once there are enough of them a curve with its band. */
typedef struct simulated_point {
    double load, value, half_width;
} simulated_point;
typedef struct simulated {
    const fc_curve *curve; /* NULL: not yet */
    simulated_point points[CURVE_POINTS];
    size_t count;
} simulated;
/* The plot of all models of a scenario, of pinned ones, and of what was simulated (may be NULL).
 * NULL: out of memory. */
fc_plot *page_plot(const fc_scenario *scenario, const model_curves *curves,
                   const page_request *request, curve_cache *cache, const simulated *found);
/* The duration of a scenario whose work is one collective over its size, by algorithm; NULL where
 * it is not, or out of memory. */
fc_plot *page_algorithm_plot(const fc_scenario *scenario);
/* What its load is counted in, as a unit of metrics. */
const char *page_load_unit(const fc_scenario *scenario);
/* A plot as SVG; free it. */
char *plot_text(const fc_plot *plot);

#endif
