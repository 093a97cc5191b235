#include "studies/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/embedded.h"
#include "base/names.h"
#include "output/report/report.h"

extern const fc_paper fc_paper_adve_vernon;
extern const fc_paper fc_paper_hamacher_jiang;
extern const fc_paper fc_paper_mohapatra_das;
extern const fc_paper fc_paper_najafabadi_sarbaziazad;
extern const fc_paper fc_paper_safaei;

static const fc_paper *const papers[] = {
    &fc_paper_adve_vernon,   &fc_paper_hamacher_jiang,
    &fc_paper_mohapatra_das, &fc_paper_najafabadi_sarbaziazad,
    &fc_paper_safaei,        NULL,
};

enum { NAMES_MAX = 64 };

size_t fc_paper_count(void) {
    size_t count = 0;
    while (papers[count])
        ++count;
    return count;
}

fc_paper_info fc_paper_at(size_t paper) {
    return papers[paper]->info;
}

size_t fc_paper_item_count(size_t paper) {
    size_t count = 0;
    while (papers[paper]->items[count].info.name)
        ++count;
    return count;
}

fc_paper_item_info fc_paper_item_at(size_t paper, size_t item) {
    return papers[paper]->items[item].info;
}

static fc_status fail_name(const char *what, const char *name, const char *const *names,
                           fc_error *error) {
    char list[600], hint[FC_HINT_SIZE];
    fc_names_text(names, sizeof list, list);
    return fc_fail(error, FC_ERROR_INPUT, "there is no %s '%.60s'%s There are: %s", what, name,
                   fc_names_hint(name, names, ".", hint), list);
}

static fc_status find_paper(const char *name, fc_error *error, const fc_paper **paper) {
    const char *names[NAMES_MAX + 1];
    size_t count = 0;
    for (; papers[count] && count < NAMES_MAX; ++count) {
        names[count] = papers[count]->info.name;
        if (strcmp(names[count], name) == 0) {
            *paper = papers[count];
            return FC_OK;
        }
    }
    names[count] = NULL;
    return fail_name("paper", name, names, error);
}

static fc_status find_item(const fc_paper *paper, const char *name, fc_error *error,
                           const fc_paper_item **item) {
    const char *names[NAMES_MAX + 1];
    size_t count = 0;
    for (; paper->items[count].info.name && count < NAMES_MAX; ++count) {
        names[count] = paper->items[count].info.name;
        if (strcmp(names[count], name) == 0) {
            *item = &paper->items[count];
            return FC_OK;
        }
    }
    names[count] = NULL;
    return fail_name("item", name, names, error);
}

/* The item's tables and claims, how the paper was read for them, and what was run. */
static fc_status run_item(const fc_paper *paper, const fc_paper_item *item,
                          fc_paper_context *context, fc_error *error, fc_report *report) {
    char heading[300];
    context->shown = item->shown;
    context->trail = fc_paper_trail_create();
    if (!context->trail)
        return fc_fail_memory(error);
    snprintf(heading, sizeof heading, "%s: %s", item->info.name, item->info.title);
    fc_report_add_heading(report, heading);
    if (item->reading)
        fc_report_add_text(report, "Reading of the paper: %s", item->reading);
    fc_status status = item->run(context, error, report);
    if (status == FC_OK)
        status =
            fc_paper_trail_report(context->trail, paper->info.name, item->info.name, error, report);
    if (status == FC_OK)
        fc_report_add_text(report, "Symbols, assumptions and equations: %s.", paper->pages);
    fc_paper_trail_free(context->trail);
    context->trail = NULL;
    return status;
}

/* "figure-1" names figure-1 itself or, where there is none, all of its panels: figure-1-8x8-v1-m32,
 * or figure-1a, and so on. */
static bool is_panel(const char *item, const char *figure) {
    const size_t length = strlen(figure);
    return strncmp(item, figure, length) == 0 &&
           (item[length] == '-' || (item[length] >= 'a' && item[length] <= 'z'));
}

static bool is_meant(const fc_paper_item *item, const char *name, bool group) {
    return !name || (group ? is_panel(item->info.name, name) : strcmp(item->info.name, name) == 0);
}

static bool names_group(const fc_paper *paper, const char *name) {
    bool panels = false;
    for (const fc_paper_item *item = paper->items; name && item->info.name; ++item) {
        if (is_meant(item, name, false))
            return false;
        panels |= is_meant(item, name, true);
    }
    return panels;
}

fc_status fc_paper_run(const char *paper_name, const char *item_name, double precision,
                       const fc_run_settings *settings, fc_error *error, fc_report **report) {
    FC_IN_C_LOCALE;
    const fc_paper *paper;
    const fc_paper_item *unused;
    fc_status status = find_paper(paper_name, error, &paper);
    if (status != FC_OK)
        return status;
    const bool group = names_group(paper, item_name);
    if (item_name && !group)
        status = find_item(paper, item_name, error, &unused);
    if (status != FC_OK)
        return status;
    fc_report *made = fc_report_create(paper->info.title);
    if (!made)
        return fc_fail_memory(error);
    fc_paper_context context = {.precision = precision, .settings = settings};
    for (const fc_paper_item *item = paper->items; item->info.name && status == FC_OK; ++item) {
        if (is_meant(item, item_name, group))
            status = run_item(paper, item, &context, error, made);
    }
    if (status == FC_OK && fc_report_status(made) != FC_OK)
        status = fc_fail_memory(error);
    if (status != FC_OK) {
        fc_report_free(made);
        return status;
    }
    *report = made;
    return FC_OK;
}

fc_status fc_paper_scenario_of(const char *path, const fc_setting *settings, size_t count,
                               fc_error *error, fc_scenario **scenario) {
    size_t length;
    const char *text = fc_embedded(path, &length);
    if (!text)
        return fc_fail(error, FC_ERROR_FILE, "%s is not built in", path);
    return fc_scenario_read_text(text, length, path, settings, count, error, scenario);
}

fc_status fc_paper_scenario(const fc_paper_context *context, const fc_paper_point *point,
                            fc_error *error, fc_scenario **scenario) {
    char path[128];
    snprintf(path, sizeof path, "papers/%s/%s.yaml", point->paper, point->file);
    const fc_status status =
        fc_paper_scenario_of(path, point->settings, point->count, error, scenario);
    if (status != FC_OK)
        return status;
    if (fc_paper_trail_add(context->trail, path, point->settings, point->count, &point->methods) ==
        FC_OK)
        return FC_OK;
    fc_scenario_free(*scenario);
    *scenario = NULL;
    return fc_fail_memory(error);
}

double fc_paper_number(const char *path, const char *start) {
    char wanted[192];
    size_t length;
    const int size = snprintf(wanted, sizeof wanted, "\n%s", start);
    const char *text = fc_embedded(path, &length);
    const char *line = text ? strstr(text, wanted) : NULL;
    return line ? strtod(line + size, NULL) : (double)NAN;
}
