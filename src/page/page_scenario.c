#include "page/page_scenario.h"

#include <stdlib.h>
#include <string.h>

static const char origin[] = "scenario";

/* "scenario:5:9: what is wrong" */
static void locate(const fc_error *error, page_error *located) {
    size_t line, column;
    int used = 0;
    *located = (page_error){0};
    if (sscanf(error->text, "scenario:%zu:%zu: %n", &line, &column, &used) == 2 && used) {
        located->line = line;
        located->column = column;
    } else if (strncmp(error->text, "scenario: ", 10) == 0) {
        used = 10;
    } else {
        used = 0;
    }
    snprintf(located->text, sizeof located->text, "%s", error->text + used);
}

/* A word and an equals sign: a line of BookSim's, none of YAML's. */
static bool is_booksim(const char *text) {
    while (*text) {
        text += strspn(text, " \t\r\n");
        if (strncmp(text, "//", 2) == 0) {
            text += strcspn(text, "\n");
            continue;
        }
        const size_t word =
            strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        const char *after = text + word + strspn(text + word, " \t");
        return word && *after == '=';
    }
    return false;
}

static fc_status translate(const page_text *text, fc_error *error, char **yaml,
                           json_t **differences) {
    const fc_input input = {origin, text->text, text->length, true};
    fc_import *import;
    const fc_status status = fc_import_booksim(&input, NULL, 0, error, &import);
    if (status != FC_OK)
        return status;
    *yaml = strdup(import->scenario);
    *differences = json_array();
    for (size_t i = 0; i < import->difference_count; ++i)
        json_array_append_new(*differences, json_string(import->differences[i]));
    fc_import_free(import);
    return *yaml ? FC_OK : FC_ERROR_MEMORY;
}

fc_status page_scenario_read(const page_text *text, page_error *error, char **yaml,
                             json_t **differences, fc_scenario **scenario) {
    fc_error why = {{0}};
    fc_status status = FC_OK;
    *yaml = NULL;
    *differences = NULL;
    if (is_booksim(text->text))
        status = translate(text, &why, yaml, differences);
    const char *read = *yaml ? *yaml : text->text;
    fc_scenario *made = NULL;
    if (status == FC_OK)
        status = fc_scenario_read_confined(read, strlen(read), origin, NULL, 0, &why, &made);
    if (status == FC_OK && fc_scenario_nodes(made) > PAGE_NODES_MAX) {
        snprintf(why.text, sizeof why.text,
                 "this network has %.0f nodes; the page serves up to %d. The command line has no "
                 "such limit",
                 fc_scenario_nodes(made), PAGE_NODES_MAX);
        status = FC_ERROR_UNSUPPORTED;
        fc_scenario_free(made);
    }
    if (status == FC_OK) {
        *scenario = made;
        return FC_OK;
    }
    if (status == FC_ERROR_MEMORY)
        snprintf(why.text, sizeof why.text, "out of memory");
    locate(&why, error);
    free(*yaml);
    json_decref(*differences);
    *yaml = NULL;
    *differences = NULL;
    return status;
}

json_t *page_error_json(const page_error *error) {
    return json_pack("{s:b, s:I, s:I, s:s}", "ok", 0, "line", (json_int_t)error->line, "column",
                     (json_int_t)error->column, "message", error->text);
}
