#include "page/page_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "page/page_scenario.h"
#include "page/page_assets.h"
#include "page/text_stream.h"

static char *finish(json_t *tree) {
    char *text = tree ? json_dumps(tree, JSON_COMPACT) : NULL;
    json_decref(tree);
    return text;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A text that is freed here; null for NULL. */
static json_t *take_text(char *text) {
    json_t *value = text ? json_string(text) : json_null();
    free(text);
    return value;
}

static char *scenario_text(const fc_scenario *scenario) {
    text_stream to;
    if (!text_stream_open(&to))
        return NULL;
    return text_stream_close(&to, fc_scenario_write(scenario, to.stream));
}

/* The scenario of a request; models that are asked about it stop when nobody waits any more. */
static fc_status read_scenario(const page_request *request, const page_text *text,
                               page_error *error, char **yaml, json_t **differences,
                               fc_scenario **scenario) {
    const fc_status status = page_scenario_read(text, error, yaml, differences, scenario);
    if (status == FC_OK)
        fc_scenario_set_cancel(*scenario, request->cancel);
    return status;
}

/* ---- the form ---- */

/* The value in force of "network.radix" in the scenario as it is written: the line "  radix: ..."
 * of the group "network:". */
static void find_value(const char *written, const char *path, char *value, size_t size) {
    const char *dot = strchr(path, '.');
    char group[64], key[96];
    value[0] = '\0';
    if (!dot)
        return;
    snprintf(group, sizeof group, "\n%.*s:\n", (int)(dot - path), path);
    snprintf(key, sizeof key, "  %.80s: ", dot + 1);
    const char *line = strstr(written, group);
    for (line = line ? line + strlen(group) : NULL; line && *line == ' ';) {
        const char *end = line + strcspn(line, "\n");
        if (strncmp(line, key, strlen(key)) == 0) {
            line += strlen(key);
            snprintf(value, size, "%.*s", (int)(end - line), line);
            return;
        }
        line = *end ? end + 1 : end;
    }
}

static json_t *describe_key(const fc_key_info *info, const char *written) {
    char value[600];
    find_value(written, info->path, value, sizeof value);
    char *comment = strstr(value, " # "); /* the checksum of a file */
    if (comment)
        *comment = '\0';
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "path", info->path, "help", info->help,
                     "expected", info->expected, "fallback", info->fallback ? info->fallback : "",
                     "value", value);
}

static json_t *list_keys(const fc_scenario *scenario, const char *written) {
    json_t *keys = json_array();
    const char *family = fc_scenario_family(scenario);
    for (size_t i = 0; i < fc_key_count(); ++i) {
        const fc_key_info info = fc_key_at(i);
        if ((!info.family || strcmp(info.family, family) == 0) &&
            fc_scenario_key_applies(scenario, info.path))
            json_array_append_new(keys, describe_key(&info, written));
    }
    return keys;
}

/* ---- results ---- */

static json_t *result_json(const fc_result *result, bool detail) {
    text_stream to;
    if (!text_stream_open(&to))
        return json_null();
    const fc_write_settings settings = {.format = FC_FORMAT_JSON, .detail = detail};
    char *text = text_stream_close(&to, fc_result_write(result, &settings, to.stream));
    json_t *tree = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return tree ? tree : json_null();
}

static json_t *network_svg(const fc_scenario *scenario, const fc_result *result, json_t **note) {
    text_stream to;
    fc_error error = {{0}};
    if (!text_stream_open(&to))
        return json_null();
    char *text = text_stream_close(&to, fc_scenario_draw(scenario, result, &error, to.stream));
    if (text)
        return take_text(text);
    *note = json_string(error.text);
    return json_null();
}

/* Loads of the links, where a model has them: the first result with a row for each. */
static fc_result *result_with_links(const fc_scenario *scenario) {
    fc_result *result;
    if (fc_predict(scenario, "channel-load", NULL, &result) == FC_OK)
        return result;
    return NULL;
}

static json_t *describe_load(const fc_scenario *scenario, const model_curves *curves) {
    double present;
    if (fc_scenario_number(scenario, curves->key, NULL, &present) != FC_OK)
        return json_null();
    json_t *load = json_pack("{s:s, s:f}", "key", curves->key, "value", present);
    if (curves->count && isfinite(curves->curve[0].saturation))
        json_object_set_new(load, "saturation", json_real(curves->curve[0].saturation));
    if (curves->count && curves->curve[0].end > 0)
        json_object_set_new(load, "end", json_real(curves->curve[0].end));
    const fc_units units = fc_scenario_units(scenario);
    fc_physical physical;
    if (fc_physical_of(&units, page_load_unit(scenario), &physical)) {
        json_object_set_new(load, "factor", json_real(physical.factor));
        json_object_set_new(load, "unit", json_string(physical.unit));
    }
    return load;
}

/* What a configuration gives, for the comparison with pinned ones. */
static json_t *brief(const fc_scenario *scenario) {
    fc_result *result;
    json_t *tree = json_object();
    if (fc_predict(scenario, NULL, NULL, &result) != FC_OK)
        return tree;
    const fc_metric *metric = fc_result_metric(result, fc_scenario_main_metric(scenario));
    json_object_set_new(tree, "model", json_string(result->method));
    json_object_set_new(tree, "outcome", json_string(fc_outcome_name(result->outcome)));
    if (metric && isfinite(metric->value)) {
        json_object_set_new(tree, "metric", json_string(metric->name));
        json_object_set_new(tree, "value", json_real(metric->value));
        json_object_set_new(tree, "unit", json_string(metric->unit));
    }
    fc_result_free(result);
    return tree;
}

static json_t *compare_pins(const page_request *request, curve_cache *cache) {
    json_t *pins = json_array();
    for (size_t i = 0; i < request->pin_count; ++i) {
        page_error error;
        char *yaml;
        json_t *differences;
        fc_scenario *scenario;
        if (read_scenario(request, &request->pins[i], &error, &yaml, &differences, &scenario) !=
            FC_OK)
            continue;
        model_curves curves;
        json_t *pin = brief(scenario);
        json_object_set_new(pin, "label", json_string(request->pins[i].label));
        model_curves_find(scenario, NULL, cache, &curves);
        json_object_set_new(pin, "load", describe_load(scenario, &curves));
        char *written = scenario_text(scenario);
        json_object_set_new(pin, "written", take_text(written));
        json_array_append_new(pins, pin);
        fc_scenario_free(scenario);
        free(yaml);
        json_decref(differences);
    }
    return pins;
}

static void add_curves(json_t *tree, const fc_scenario *scenario, fc_forecast *forecast,
                       const page_request *request, curve_cache *cache) {
    model_curves curves;
    model_curves_find(scenario, forecast, cache, &curves);
    json_object_set_new(tree, "load", describe_load(scenario, &curves));
    if (!curves.count && !fc_scenario_load_key(scenario))
        return;
    fc_plot *plot = page_plot(scenario, &curves, request, cache, NULL);
    json_object_set_new(tree, "curve", take_text(plot ? plot_text(plot) : NULL));
    fc_plot_free(plot);
    json_t *data = json_array();
    for (size_t i = 0; i < curves.count; ++i) {
        json_t *points = json_array();
        for (size_t p = 0; p < curves.curve[i].count; ++p)
            json_array_append_new(points,
                                  json_pack("[f, f]", curves.curve[i].x[p], curves.curve[i].y[p]));
        json_array_append_new(
            data, json_pack("{s:s, s:o}", "model", curves.curve[i].model, "points", points));
    }
    json_object_set_new(tree, "curves", data);
}

static void add_network(json_t *tree, const fc_scenario *scenario, const fc_result *result) {
    fc_result *links = result ? NULL : result_with_links(scenario);
    json_t *note = NULL;
    json_object_set_new(tree, "network", network_svg(scenario, result ? result : links, &note));
    if (note)
        json_object_set_new(tree, "network_note", note);
    fc_result_free(links);
}

/* forecast: NULL: there is none. */
static void add_prediction(json_t *tree, const fc_scenario *scenario, fc_forecast *forecast) {
    const char *key = fc_scenario_load_key(scenario);
    fc_result *result = NULL;
    fc_error error = {{0}};
    double load;
    if (fc_scenario_number(scenario, key ? key : "traffic.think_time", NULL, &load) != FC_OK)
        load = NAN;
    const fc_status status = forecast ? fc_forecast_at(forecast, load, &error, &result)
                                      : fc_predict(scenario, NULL, &error, &result);
    if (status == FC_OK) {
        json_object_set_new(tree, "result", result_json(result, false));
    } else {
        json_object_set_new(tree, "result", json_null());
        json_object_set_new(tree, "unmodelled", json_string(error.text));
    }
    const bool has_links = status == FC_OK && fc_result_table(result, "channels");
    add_network(tree, scenario, has_links ? result : NULL);
    fc_result_free(result);
}

char *answer_forecast(const page_request *request, curve_cache *cache) {
    const double start = now();
    page_error error;
    char *yaml;
    json_t *differences;
    fc_scenario *scenario;
    if (read_scenario(request, &request->scenario, &error, &yaml, &differences, &scenario) != FC_OK)
        return finish(page_error_json(&error));
    char *written = scenario_text(scenario);
    json_t *tree =
        json_pack("{s:b, s:s, s:s, s:s, s:f}", "ok", 1, "name", fc_scenario_name(scenario), "hash",
                  fc_scenario_hash(scenario), "metric", fc_scenario_main_metric(scenario), "nodes",
                  fc_scenario_nodes(scenario));
    json_object_set_new(tree, "keys", list_keys(scenario, written ? written : ""));
    json_object_set_new(tree, "written", take_text(written));
    if (yaml) {
        json_object_set_new(tree, "yaml", take_text(yaml));
        json_object_set_new(tree, "differences", differences);
    }
    fc_forecast *forecast = NULL; /* one for the curve and the present load */
    fc_forecast_create(scenario, NULL, NULL, &forecast);
    add_curves(tree, scenario, forecast, request, cache);
    add_prediction(tree, scenario, forecast);
    fc_forecast_free(forecast);
    json_object_set_new(tree, "pins", compare_pins(request, cache));
    json_object_set_new(tree, "seconds", json_real(now() - start));
    fc_scenario_free(scenario);
    return finish(tree);
}

/* ---- explanation ---- */

static json_t *list_levers(const fc_explanation *explanation) {
    json_t *levers = json_array();
    for (size_t i = 0; i < explanation->lever_count && json_array_size(levers) < 5; ++i) {
        const fc_lever *lever = &explanation->levers[i];
        const fc_step *step = lever->upward ? &lever->up : &lever->down;
        if (!(lever->gain > 0) || !step->value[0] || lever->kind == FC_LEVER_SIZE ||
            lever->kind == FC_LEVER_TRAFFIC)
            continue;
        json_array_append_new(levers,
                              json_pack("{s:s, s:s, s:s, s:f}", "key", lever->key, "from",
                                        lever->value, "to", step->value, "gain", lever->gain));
    }
    return levers;
}

static char *explanation_text(const fc_explanation *explanation) {
    text_stream to;
    if (!text_stream_open(&to))
        return NULL;
    const fc_write_settings settings = {.format = FC_FORMAT_TEXT, .width = 2000};
    return text_stream_close(&to, fc_explanation_write(explanation, &settings, to.stream));
}

/* The paragraphs of the explanation, without its title and tables. */
static json_t *sentences_of(char *text) {
    json_t *sentences = json_array();
    for (char *line = text; line && *line;) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (line > text && line[0] && line[0] != ' ' && line[0] != '=' && line[0] != '-' &&
            end > line && end[-1] == '.')
            json_array_append_new(sentences, json_string(line));
        line = next;
    }
    free(text);
    return sentences;
}

char *answer_explain(const page_request *request, const fc_run_settings *settings) {
    page_error error;
    char *yaml;
    json_t *differences;
    fc_scenario *scenario;
    if (read_scenario(request, &request->scenario, &error, &yaml, &differences, &scenario) != FC_OK)
        return finish(page_error_json(&error));
    free(yaml);
    json_decref(differences);
    fc_error why = {{0}};
    fc_explanation *explanation;
    fc_result *predicted;
    const fc_explain_settings explain = {0};
    fc_status status = fc_predict(scenario, NULL, &why, &predicted);
    json_t *tree;
    if (status == FC_OK) { /* without a model, changes would be simulated one by one: too long */
        fc_result_free(predicted);
        status = fc_explain(scenario, &explain, settings, &why, &explanation);
    }
    if (status == FC_OK) {
        tree = json_pack("{s:b, s:o, s:o, s:s}", "ok", 1, "sentences",
                         sentences_of(explanation_text(explanation)), "levers",
                         list_levers(explanation), "metric", explanation->metric);
        if (isfinite(explanation->saturation))
            json_object_set_new(tree, "saturation", json_real(explanation->saturation));
        fc_explanation_free(explanation);
    } else {
        tree = json_pack("{s:b, s:s}", "ok", 0, "message", why.text);
    }
    fc_plot *algorithms = page_algorithm_plot(scenario);
    if (algorithms)
        json_object_set_new(tree, "algorithms", take_text(plot_text(algorithms)));
    fc_plot_free(algorithms);
    fc_scenario_free(scenario);
    return finish(tree);
}

/* ---- report ---- */

char *answer_report(const page_request *request, curve_cache *cache,
                    const fc_run_settings *settings, bool *html) {
    page_error error;
    char *yaml;
    json_t *differences;
    fc_scenario *scenario;
    *html = false;
    if (read_scenario(request, &request->scenario, &error, &yaml, &differences, &scenario) != FC_OK)
        return finish(page_error_json(&error));
    free(yaml);
    json_decref(differences);
    model_curves curves;
    fc_explanation *explanation;
    const fc_explain_settings explain = {0};
    fc_error why = {{0}};
    char *text = NULL;
    text_stream to;
    model_curves_find(scenario, NULL, cache, &curves);
    if (fc_explain(scenario, &explain, settings, &why, &explanation) == FC_OK) {
        fc_plot *plot = curves.count ? page_plot(scenario, &curves, request, cache, NULL) : NULL;
        const fc_write_settings page = {.format = FC_FORMAT_HTML, .plot = plot};
        if (text_stream_open(&to))
            text = text_stream_close(&to, fc_explanation_write(explanation, &page, to.stream));
        fc_plot_free(plot);
        fc_explanation_free(explanation);
    }
    *html = text != NULL;
    fc_scenario_free(scenario);
    if (text)
        return text;
    return finish(json_pack("{s:b, s:s}", "ok", 0, "message", why.text));
}

/* ---- the first call ---- */

/* The examples that can be read without other files, with their pictures. */
static json_t *gallery(void) {
    json_t *entries = json_array();
    for (size_t i = 0; page_assets[i].path; ++i) {
        const char *path = page_assets[i].path;
        const char *name = strrchr(path, '/') + 1;
        if (strncmp(path, "examples/", 9) != 0)
            continue;
        const page_text text = {(char *)page_assets[i].text, page_assets[i].length, ""};
        page_error error;
        char *yaml;
        json_t *differences, *note = NULL;
        fc_scenario *scenario;
        if (page_scenario_read(&text, &error, &yaml, &differences, &scenario) != FC_OK)
            continue;
        json_t *entry =
            json_pack("{s:s, s:s, s:s, s:s}", "file", name, "name", fc_scenario_name(scenario),
                      "metric", fc_scenario_main_metric(scenario), "text", text.text);
        fc_result *links = result_with_links(scenario);
        json_object_set_new(entry, "network", network_svg(scenario, links, &note));
        json_decref(note);
        fc_result_free(links);
        json_array_append_new(entries, entry);
        fc_scenario_free(scenario);
        free(yaml);
        json_decref(differences);
    }
    return entries;
}

char *answer_start(const char *file, const char *text) {
    json_t *tree = json_pack("{s:s, s:o}", "version", fc_version(), "gallery", gallery());
    if (file)
        json_object_set_new(tree, "file", json_string(file));
    if (text)
        json_object_set_new(tree, "text", json_string(text));
    return finish(tree);
}
