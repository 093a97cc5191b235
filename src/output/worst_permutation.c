/* The worst traffic of a network: a sentence, and where each node sends; or a file of it. */
#include <stdio.h>
#include "flitcast/flitcast.h"
#include "output/study_writer.h"
#include "output/text/writing.h"

struct found {
    const fc_scenario *scenario;
    const fc_worst_traffic *worst;
};

static json_t *json_of(const void *study, bool detail) {
    const fc_scenario *scenario = ((const struct found *)study)->scenario;
    const fc_worst_traffic *worst = ((const struct found *)study)->worst;
    (void)detail;
    json_t *tree = fc_json_document(), *list = json_array();
    fc_json_set(&tree, "key", fc_json_text(fc_scenario_load_key(scenario)));
    fc_json_set(&tree, "worst_rate", fc_json_number(worst->rate));
    fc_json_set(&tree, "link", worst->link[0] ? fc_json_text(worst->link) : json_null());
    fc_json_set(&tree, "link_flits", fc_json_number(worst->link_flits));
    fc_json_set(&tree, "node_flits", fc_json_number(worst->node_flits));
    for (size_t n = 0; n < worst->nodes; ++n)
        fc_json_append(&list, worst->destinations[n] == UINT32_MAX
                                  ? json_null()
                                  : fc_json_number((double)worst->destinations[n]));
    fc_json_set(&tree, "destinations", list);
    return tree;
}

enum { NODES_IN_A_ROW = 8 };

static void list_destinations(const fc_worst_traffic *worst, fc_report *report) {
    static const char *const columns[] = {"nodes", "send to"};
    fc_report_add_table(report, "", columns, 2);
    for (size_t first = 0; first < worst->nodes; first += NODES_IN_A_ROW) {
        const size_t end =
            first + NODES_IN_A_ROW < worst->nodes ? first + NODES_IN_A_ROW : worst->nodes;
        char text[NODES_IN_A_ROW * 12] = "";
        size_t used = 0;
        for (size_t n = first; n < end; ++n)
            used +=
                (size_t)(worst->destinations[n] == UINT32_MAX
                             ? snprintf(text + used, sizeof text - used, "%s-",
                                        n > first ? " " : "")
                             : snprintf(text + used, sizeof text - used, "%s%u",
                                        n > first ? " " : "", (unsigned)worst->destinations[n]));
        fc_report_row(report);
        fc_report_cell_text(report, "%zu to %zu", first, end - 1);
        fc_report_cell_text(report, "%s", text);
    }
}

static fc_report *report_of(const void *study, const fc_write_settings *settings) {
    const fc_scenario *scenario = ((const struct found *)study)->scenario;
    const fc_worst_traffic *worst = ((const struct found *)study)->worst;
    (void)settings;
    fc_report *report = fc_report_create(fc_scenario_name(scenario));
    const char *key = fc_scenario_load_key(scenario);
    if (!report)
        return NULL;
    if (worst->link_flits > worst->node_flits)
        fc_report_add_text(report,
                           "No permutation is worse than this one: the link from %s is full at %s "
                           "%.5g, where the links of the nodes carry %.3g flits per cycle.",
                           worst->link, key, worst->rate, worst->rate * worst->node_flits);
    else
        fc_report_add_text(report,
                           "No permutation fills a link between routers before the links of the "
                           "nodes are full, at %s %.5g.",
                           key, worst->rate);
    list_destinations(worst, report);
    return report;
}

fc_status fc_worst_traffic_write(const fc_scenario *scenario, const fc_worst_traffic *worst,
                                 const fc_write_settings *settings, FILE *stream) {
    const struct found found = {scenario, worst};
    static const fc_study_writer writer = {.report = report_of, .json = json_of};
    return fc_study_write(&found, &writer, settings, stream);
}

fc_status fc_worst_traffic_write_matrix(const fc_worst_traffic *worst, FILE *stream) {
    fc_writing writing = fc_writing_begin();
    fprintf(stream, "# The permutation that loads this network most, for its routing.\n"
                    "src,dst,rate\n");
    for (size_t n = 0; n < worst->nodes; ++n) {
        if (worst->destinations[n] != UINT32_MAX)
            fprintf(stream, "%zu,%u,1\n", n, (unsigned)worst->destinations[n]);
    }
    return fc_writing_end(&writing, stream, FC_OK);
}
