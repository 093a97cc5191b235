/* An explanation as sentences, tables of parts, channels and levers, and as JSON. */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "base/memory.h"
#include "flitcast/flitcast.h"
#include "output/text/characters.h"
#include "output/study_writer.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"
#include "registry/result.h"

enum { SENTENCES_MAX = 16, SENTENCE_SIZE = 480 };
static const double idle_below = 0.1;    /* use of a channel that is nobody's bottleneck */
static const double worth_saying = 5e-4; /* smaller gains help nobody */

typedef struct sentences {
    size_t count;
    char text[SENTENCES_MAX][SENTENCE_SIZE];
} sentences;

__attribute__((format(printf, 2, 3))) static void say(sentences *words, const char *format, ...) {
    if (words->count == SENTENCES_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words->text[words->count++], SENTENCE_SIZE, format, arguments);
    va_end(arguments);
}

typedef struct number_text {
    char text[FC_NUMBER_SIZE];
} number_text;

static number_text shown(double value, int digits) {
    number_text made;
    fc_number_text(value, digits, made.text);
    return made;
}

/* ---- what is said ---- */

static double sum_of_parts(const fc_result *result) {
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    return sum;
}

static void say_where_time_goes(sentences *words, const fc_explanation *explanation) {
    const fc_result *result = explanation->result;
    const fc_metric *efficiency = fc_result_find(result, FC_METRIC_EFFICIENCY);
    const fc_metric *throughput = fc_result_find(result, FC_METRIC_THROUGHPUT);
    const fc_metric *offered = fc_result_find(result, FC_METRIC_OFFERED);
    if (result->outcome == FC_OUTCOME_SATURATED) {
        if (throughput && offered)
            say(words,
                "The network is saturated: of %s messages offered per node and cycle it carries "
                "%s (%.0f %%), and latency grows without limit.",
                shown(offered->value, 4).text, shown(throughput->value, 4).text,
                100 * throughput->value / offered->value);
        else
            say(words, "The network is saturated: latency grows without limit.");
        if (result->note[0])
            say(words, "In the words of the method: %s%s", result->note,
                fc_full_stop(result->note));
        return;
    }
    const fc_metric *bound = fc_result_find(result, FC_METRIC_DURATION_BOUND);
    if (bound && efficiency)
        say(words, "No network needs fewer than %s cycles, %.1f %% of what this one takes. %s",
            shown(bound->value, 6).text, 100 * efficiency->value, result->note);
    else if (efficiency)
        say(words,
            "A processor is busy %.1f %% of the time; the rest of the time all its requests are "
            "under way.",
            100 * efficiency->value);
    const fc_metric *largest = NULL;
    for (size_t i = 0; i < result->part_count; ++i) {
        if (!largest || result->parts[i].value > largest->value)
            largest = &result->parts[i];
    }
    if (!largest)
        return;
    const double sum = sum_of_parts(result);
    say(words, "%s takes %s %s; the largest part of it is \"%s\", with %s (%.0f %%).",
        bound        ? "The workload"
        : efficiency ? "A round trip, from one request to the next,"
                     : "A message",
        shown(sum, 4).text, largest->unit, largest->name, shown(largest->value, 4).text,
        100 * largest->value / sum);
}

static void say_what_is_busy(sentences *words, const fc_explanation *explanation) {
    if (!explanation->busiest_count)
        return;
    const fc_resource *first = &explanation->busiest[0];
    if (first->utilisation < idle_below)
        say(words, "Nothing is busy: of %zu channels %s is used most, %.2g %% of the time.",
            explanation->resource_count, first->name, 100 * first->utilisation);
    else if (first->utilisation > 1)
        say(words, "The bottleneck is %s: it is asked for %.2f times what it can carry.",
            first->name, first->utilisation);
    else if (explanation->busiest_count == 1)
        say(words, "The channels are in use %.1f %% of the time.", 100 * first->utilisation);
    else if (explanation->busiest[1].utilisation > 0.99 * first->utilisation)
        say(words,
            "There is no single bottleneck: of %zu channels %s is the busiest, in use %.1f %% of "
            "the time, and %s as much.",
            explanation->resource_count, first->name, 100 * first->utilisation,
            explanation->busiest[1].name);
    else
        say(words,
            "The bottleneck is %s, in use %.1f %% of the time; the next busiest is %s with "
            "%.1f %%.",
            first->name, 100 * first->utilisation, explanation->busiest[1].name,
            100 * explanation->busiest[1].utilisation);
}

static void say_what_decides(sentences *words, const fc_explanation *explanation) {
    char text[FC_CRITICAL_MAX][FC_CRITICAL_SIZE];
    const size_t count = fc_critical_sentences(explanation->result, false, text);
    for (size_t i = 0; i < count; ++i)
        say(words, "%s", text[i]);
}

static void say_how_far(sentences *words, const fc_explanation *explanation) {
    const double ratio = explanation->load / explanation->saturation;
    const char *key = explanation->load_key;
    if (!key[0]) {
        const fc_metric *efficiency = fc_result_find(explanation->result, FC_METRIC_EFFICIENCY);
        const bool work = fc_result_find(explanation->result, FC_METRIC_DURATION) != NULL;
        if (work)
            say(words, "A trace or a workload has no load to raise.");
        else
            say(words, "Closed traffic cannot saturate: processors wait for their answers.");
        if (!work && efficiency && efficiency->value > 0)
            say(words,
                "If every answer came at once, the processors would do %.2f times the present "
                "work; no network can give more.",
                1 / efficiency->value);
    } else if (isinf(explanation->saturation)) {
        say(words, "By the model %s it never saturates, whatever %s.", explanation->model, key);
    } else if (isfinite(ratio) && ratio < 1) {
        say(words,
            "It saturates at %s = %s; the present %s is %.0f %% of that and can grow by %.0f %%.",
            key, shown(explanation->saturation, 4).text, shown(explanation->load, 4).text,
            100 * ratio, 100 * (1 / ratio - 1));
    } else if (isfinite(ratio)) {
        say(words,
            "It saturates at %s = %s; the present %s is %.2f times that and must fall by %.0f %%.",
            key, shown(explanation->saturation, 4).text, shown(explanation->load, 4).text, ratio,
            100 * (1 - 1 / ratio));
    }
}

static const fc_lever *best_lever(const fc_explanation *explanation, fc_lever_kind kind) {
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        if (explanation->levers[i].kind == kind)
            return &explanation->levers[i]; /* they are in order */
    }
    return NULL;
}

/* "latency falls by 12 % (to 36.2)" */
static void describe_effect(const fc_explanation *explanation, const fc_lever *lever, char *text,
                            size_t size) {
    const fc_step *step = lever->upward ? &lever->up : &lever->down;
    const double percent = 100 * fabs(step->relative);
    snprintf(text, size, "%s %s by %.*f %% (to %s)", explanation->metric,
             step->relative < 0 ? "falls" : "rises", percent < 9.95 ? 1 : 0, percent,
             shown(step->metric, 4).text);
    const size_t used = strlen(text);
    if (explanation->result->outcome == FC_OUTCOME_SATURATED && step->outcome == FC_OUTCOME_OK)
        snprintf(text + used, size - used, ", and the network is no longer saturated");
}

static void say_what_helps(sentences *words, const fc_explanation *explanation) {
    char effect[240];
    const fc_lever *network = best_lever(explanation, FC_LEVER_NETWORK);
    const fc_lever *shape = best_lever(explanation, FC_LEVER_SHAPE);
    const fc_lever *traffic = best_lever(explanation, FC_LEVER_TRAFFIC);
    const fc_lever *most = NULL;
    const double least = fmax(worth_saying, explanation->noise);
    if (network && network->gain > least) {
        describe_effect(explanation, network, effect, sizeof effect);
        say(words,
            "Among the network's own parameters %s helps most: from %s to %s, all else equal, %s.",
            network->key, network->value, (network->upward ? &network->up : &network->down)->value,
            effect);
        most = network;
    } else if (network) {
        say(words, "No single step of a parameter or choice of the network improves %s.",
            explanation->metric);
    }
    if (shape && shape->gain > least) {
        describe_effect(explanation, shape, effect, sizeof effect);
        say(words, "The same nodes arranged as %s = %s instead of %s: %s.", shape->key,
            shape->up.value, shape->value, effect);
        if (!most || shape->gain > most->gain)
            most = shape;
    } else if (shape) {
        say(words, "The arrangement %s = %s is as good as any neighbour with as many nodes.",
            shape->key, shape->value);
    }
    if (traffic && traffic->gain > least) {
        describe_effect(explanation, traffic, effect, sizeof effect);
        say(words, "Among the traffic's parameters %s matters most: from %s to %s, %s.",
            traffic->key, traffic->value, (traffic->upward ? &traffic->up : &traffic->down)->value,
            effect);
    }
    if (most)
        say(words, "The single change to this network that would help most: %s = %s.", most->key,
            (most->upward ? &most->up : &most->down)->value);
}

static const fc_step *step_of(const fc_explanation *explanation, size_t carrier) {
    const fc_carrier *chosen = &explanation->carriers[carrier];
    const fc_lever *lever = &explanation->levers[chosen->lever];
    return chosen->upward ? &lever->up : &lever->down;
}

static void say_tried(const fc_tried *tried, char *text, size_t size) {
    if (tried->outcome == FC_OUTCOME_OK)
        snprintf(text, size, "settles with a latency of %s", shown(tried->latency, 4).text);
    else
        snprintf(text, size, "%s and accepts %s",
                 tried->outcome == FC_OUTCOME_SATURATED ? "is saturated" : "does not settle soon",
                 shown(tried->throughput, 4).text);
}

static void say_what_carries(sentences *words, const fc_explanation *explanation) {
    char present[96], changed[96];
    if (!explanation->carrier_count)
        return;
    const fc_lever *lever = &explanation->levers[explanation->carriers[0].lever];
    const fc_step *step = step_of(explanation, 0);
    if (isinf(step->saturation))
        return;
    say(words, "Most raises the saturation load: %s from %s to %s, to %s (%+.0f %%).", lever->key,
        lever->value, step->value, shown(step->saturation, 4).text,
        100 * (step->saturation / explanation->saturation - 1));
    if (!isfinite(explanation->check.load))
        return;
    say_tried(&explanation->check.present, present, sizeof present);
    say_tried(&explanation->check.changed, changed, sizeof changed);
    say(words, "Simulated at %s = %s, the network as it is %s; with that change it %s.",
        explanation->load_key, shown(explanation->check.load, 4).text, present, changed);
}

static void say_load(sentences *words, const fc_explanation *explanation) {
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        const fc_lever *lever = &explanation->levers[i];
        if (explanation->load_key[0] && strcmp(lever->key, explanation->load_key) == 0 &&
            isfinite(lever->elasticity) && !explanation->larger_is_better)
            say(words, "At this load, 1 %% more traffic costs %.2f %% more %s.", lever->elasticity,
                explanation->metric);
    }
}

static sentences words_of(const fc_explanation *explanation) {
    sentences words = {0};
    say_where_time_goes(&words, explanation);
    say_what_is_busy(&words, explanation);
    say_what_decides(&words, explanation);
    say_how_far(&words, explanation);
    say_load(&words, explanation);
    say_what_helps(&words, explanation);
    say_what_carries(&words, explanation);
    if (!explanation->model[0] && fc_result_find(explanation->result, FC_METRIC_DURATION))
        say(&words, "No model covers this scenario: the changes were simulated.");
    else if (!explanation->model[0])
        say(&words,
            "No model covers this scenario: the changes were simulated, and differences below "
            "%.1f %% may be chance.",
            100 * explanation->noise);
    return words;
}

/* ---- as a report ---- */

static void add_parts(fc_report *report, const fc_explanation *explanation, bool plain) {
    const fc_result *result = explanation->result;
    fc_physical physical;
    const bool known = fc_physical_of(&result->units, "cycles", &physical);
    const char *columns[5] = {"part", "cycles"};
    size_t count = 2;
    if (!result->part_count)
        return;
    if (known)
        columns[count++] = physical.unit;
    columns[count++] = "share (%)";
    columns[count++] = "";
    const double sum = sum_of_parts(result);
    fc_report_add_table(report, "Where the time goes", columns, count);
    for (size_t i = 0; i < result->part_count; ++i) {
        char bar[FC_BAR_SIZE];
        fc_bar_text(result->parts[i].value / sum, plain, bar);
        fc_report_row(report);
        fc_report_cell_text(report, "%s", result->parts[i].name);
        fc_report_cell_number(report, result->parts[i].value, 5);
        if (known)
            fc_report_cell_number(report, result->parts[i].value * physical.factor, 5);
        fc_report_cell_number(report, 100 * result->parts[i].value / sum, 3);
        fc_report_cell_text(report, "%s", bar);
    }
}

static void add_busiest(fc_report *report, const fc_explanation *explanation, bool plain) {
    if (!explanation->busiest_count)
        return;
    const bool overloaded = explanation->busiest[0].utilisation > 1;
    const char *const columns[] = {"channel", overloaded ? "asked for (%)" : "in use (%)", "",
                                   "wait (cycles)"};
    char title[80];
    snprintf(title, sizeof title, "The busiest of %zu channels", explanation->resource_count);
    fc_report_add_table(report, title, columns, 4);
    for (size_t i = 0; i < explanation->busiest_count; ++i) {
        const fc_resource *resource = &explanation->busiest[i];
        char bar[FC_BAR_SIZE];
        fc_bar_text(fmin(1, resource->utilisation), plain, bar);
        fc_report_row(report);
        fc_report_cell_text(report, "%s", resource->name);
        fc_report_cell_number(report, 100 * resource->utilisation, 3);
        fc_report_cell_text(report, "%s", bar);
        fc_report_cell_number(report, resource->wait, 4);
    }
}

static void add_levers(fc_report *report, const fc_explanation *explanation) {
    const char *columns[] = {"parameter",         "of the", "now", "elasticity", "step to",
                             explanation->metric, "change"};
    if (!explanation->lever_count)
        return;
    fc_report_add_table(report, "One change at a time, the most helpful first", columns, 7);
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        const fc_lever *lever = &explanation->levers[i];
        const fc_step *step = lever->upward ? &lever->up : &lever->down;
        fc_report_row(report);
        fc_report_cell_text(report, "%s", lever->key);
        fc_report_cell_text(report, "%s", fc_lever_kind_name(lever->kind));
        fc_report_cell_text(report, "%s", lever->value);
        fc_report_cell_number(report, lever->elasticity, 3);
        fc_report_cell_text(report, "%s", step->value);
        if (step->outcome == FC_OUTCOME_OK || isfinite(step->metric))
            fc_report_cell_number(report, step->metric, 5);
        else
            fc_report_cell_text(report, "%s", fc_outcome_name(step->outcome));
        if (isfinite(step->relative))
            fc_report_cell_percent(report, step->relative);
    }
}

static void add_carriers(fc_report *report, const fc_explanation *explanation) {
    static const char *const columns[] = {"parameter", "now", "step to", "saturates at", "change"};
    if (!explanation->carrier_count)
        return;
    fc_report_add_table(report, "What would raise the saturation load most", columns, 5);
    for (size_t i = 0; i < explanation->carrier_count; ++i) {
        const fc_lever *lever = &explanation->levers[explanation->carriers[i].lever];
        const fc_step *step = step_of(explanation, i);
        fc_report_row(report);
        fc_report_cell_text(report, "%s", lever->key);
        fc_report_cell_text(report, "%s", lever->value);
        fc_report_cell_text(report, "%s", step->value);
        fc_report_cell_number(report, step->saturation, 4);
        fc_report_cell_percent(report, step->saturation / explanation->saturation - 1);
    }
}

static fc_report *report_of(const void *study, const fc_write_settings *settings) {
    const fc_explanation *explanation = study;
    const bool page = settings->format == FC_FORMAT_HTML, plain = !settings->colour && !page;
    const fc_result *result = explanation->result;
    fc_report *report = fc_report_create(result->scenario_name);
    if (!report)
        return NULL;
    const sentences words = words_of(explanation);
    for (size_t i = 0; i < words.count; ++i)
        fc_report_add_text(report, "%s", words.text[i]);
    add_parts(report, explanation, plain);
    add_busiest(report, explanation, plain);
    add_levers(report, explanation);
    add_carriers(report, explanation);
    fc_report_add_text(report,
                       "Parts and channels by the %s %s, changes by the %s %s. The elasticity is "
                       "the change of %s in per cent for 1 %% more of the parameter.",
                       result->kind == FC_MODEL ? "model" : "simulator", result->method,
                       explanation->model[0] ? "model" : "simulator",
                       explanation->model[0] ? explanation->model : result->method,
                       explanation->metric);
    if (result->kind == FC_MODEL)
        fc_report_add_accuracy(report, result);
    if (page)
        fc_report_add_code(report, "The scenario", explanation->scenario);
    fc_report_add_text(report, "Flitcast %s, scenario %s.", fc_version(), result->scenario_hash);
    return report;
}

/* ---- as JSON ---- */

static json_t *json_step(const fc_explanation *explanation, const fc_step *step) {
    if (!step->value[0])
        return json_null();
    json_t *item = json_object();
    fc_json_set(&item, "value", fc_json_text(step->value));
    fc_json_set(&item, "outcome", fc_json_text(fc_outcome_name(step->outcome)));
    fc_json_set(&item, explanation->metric, fc_json_number(step->metric));
    fc_json_set(&item, "relative", fc_json_number(step->relative));
    fc_json_set(&item, "saturation", fc_json_number(step->saturation));
    return item;
}

static json_t *json_levers(const fc_explanation *explanation) {
    json_t *list = json_array();
    for (size_t i = 0; i < explanation->lever_count; ++i) {
        const fc_lever *lever = &explanation->levers[i];
        json_t *item = json_object();
        fc_json_set(&item, "key", fc_json_text(lever->key));
        fc_json_set(&item, "kind", fc_json_text(fc_lever_kind_name(lever->kind)));
        fc_json_set(&item, "value", fc_json_text(lever->value));
        fc_json_set(&item, "elasticity", fc_json_number(lever->elasticity));
        fc_json_set(&item, "gain", fc_json_number(lever->gain));
        fc_json_set(&item, "helps", fc_json_text(lever->upward ? "up" : "down"));
        fc_json_set(&item, "down", json_step(explanation, &lever->down));
        fc_json_set(&item, "up", json_step(explanation, &lever->up));
        fc_json_append(&list, item);
    }
    return list;
}

static json_t *json_tried(const fc_tried *tried) {
    json_t *item = json_object();
    fc_json_set(&item, "outcome", fc_json_text(fc_outcome_name(tried->outcome)));
    fc_json_set(&item, "latency", fc_json_number(tried->latency));
    fc_json_set(&item, "throughput", fc_json_number(tried->throughput));
    return item;
}

/* The levers that raise the saturation load, and what was simulated of the first of them. */
static void set_carriers(json_t **tree, const fc_explanation *explanation) {
    json_t *list = json_array();
    for (size_t i = 0; i < explanation->carrier_count; ++i) {
        const fc_lever *lever = &explanation->levers[explanation->carriers[i].lever];
        const fc_step *step = step_of(explanation, i);
        json_t *item = json_object();
        fc_json_set(&item, "key", fc_json_text(lever->key));
        fc_json_set(&item, "value", fc_json_text(lever->value));
        fc_json_set(&item, "to", fc_json_text(step->value));
        fc_json_set(&item, "saturation", fc_json_number(step->saturation));
        fc_json_append(&list, item);
    }
    fc_json_set(tree, "carriers", list);
    if (!isfinite(explanation->check.load))
        return;
    json_t *check = json_object();
    fc_json_set(&check, "load", fc_json_number(explanation->check.load));
    fc_json_set(&check, "present", json_tried(&explanation->check.present));
    fc_json_set(&check, "changed", json_tried(&explanation->check.changed));
    fc_json_set(tree, "check", check);
}

static json_t *json_of(const void *study, bool detail) {
    const fc_explanation *explanation = study;
    json_t *tree = fc_json_document(), *busiest = json_array(), *said = json_array();
    const sentences words = words_of(explanation);
    for (size_t i = 0; i < words.count; ++i)
        fc_json_append(&said, fc_json_text(words.text[i]));
    for (size_t i = 0; i < explanation->busiest_count; ++i) {
        json_t *item = json_object();
        fc_json_set(&item, "channel", fc_json_text(explanation->busiest[i].name));
        fc_json_set(&item, "utilisation", fc_json_number(explanation->busiest[i].utilisation));
        fc_json_set(&item, "wait", fc_json_number(explanation->busiest[i].wait));
        fc_json_append(&busiest, item);
    }
    const fc_units *units = &explanation->result->units;
    fc_json_set(&tree, "sentences", said);
    fc_json_set(&tree, "result", fc_json_result(explanation->result, detail));
    fc_json_set(&tree, "busiest", busiest);
    if (explanation->load_key[0]) {
        json_t *load = json_object(), *saturation = json_object();
        fc_json_set(&load, "key", fc_json_text(explanation->load_key));
        fc_json_set(&load, "present", fc_json_number(explanation->load));
        fc_json_set_physical(&load, units, fc_metrics[FC_METRIC_OFFERED].unit, explanation->load,
                             NAN);
        fc_json_set(&tree, "load", load);
        fc_json_set(&saturation, "load", fc_json_number(explanation->saturation));
        fc_json_set(&saturation, "low", fc_json_number(explanation->saturation_low));
        fc_json_set(&saturation, "high", fc_json_number(explanation->saturation_high));
        fc_json_set_physical(&saturation, units, fc_metrics[FC_METRIC_OFFERED].unit,
                             explanation->saturation, NAN);
        fc_json_set(&tree, "saturation", saturation);
    }
    fc_json_set(&tree, "model", fc_json_text(explanation->model));
    fc_json_set(&tree, "metric", fc_json_text(explanation->metric));
    fc_json_set(&tree, "better",
                fc_json_text(explanation->larger_is_better ? "larger" : "smaller"));
    fc_json_set(&tree, "present", fc_json_number(explanation->present));
    fc_json_set(&tree, "noise", fc_json_number(explanation->noise));
    fc_json_set(&tree, "levers", json_levers(explanation));
    set_carriers(&tree, explanation);
    return tree;
}

fc_status fc_explanation_write(const fc_explanation *explanation, const fc_write_settings *settings,
                               FILE *stream) {
    static const fc_study_writer writer = {.report = report_of, .json = json_of};
    return fc_study_write(explanation, &writer, settings, stream);
}
