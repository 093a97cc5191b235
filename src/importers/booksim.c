#include "output/report/report.h"
#include "importers/booksim.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/scenario.h"

/* ---- building ---- */

/* Appends "k = 8, n = 2": those of the keys that were given, or those that were not. */
static size_t list_sources(const fc_booksim_file *file, const char *sources, bool given,
                           fc_booksim_line *line) {
    size_t used = strlen(line->comment), listed = 0;
    for (const char *at = sources; *at;) {
        char key[64];
        const size_t length = strcspn(at, " ");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        at += length + strspn(at + length, " ");
        const fc_booksim_value *value = &file->values[fc_booksim_index(key)];
        if ((value->text != NULL) != given || used >= sizeof line->comment - 1)
            continue;
        const char *before = listed ? ", " : given ? "" : used ? "; default " : "default ";
        used += (size_t)snprintf(line->comment + used, sizeof line->comment - used, "%s%s = %.80s",
                                 before, key, fc_booksim_text(file, key));
        if (given && !line->line) { /* messages about the line point there */
            line->line = value->line;
            line->column = value->column;
        }
        ++listed;
    }
    return listed;
}

fc_status fc_booksim_emit(fc_booksim_import *import, const char *path, const char *sources,
                          const char *format, ...) {
    if (import->line_count == FC_BOOKSIM_LINES_MAX)
        return fc_fail(import->error, FC_ERROR_INPUT, "%s: too many keys", import->file->origin);
    fc_booksim_line *line = &import->lines[import->line_count++];
    line->path = path;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line->value, sizeof line->value, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line->value)
        return fc_fail(import->error, FC_ERROR_INPUT, "%.200s: the value of %s is too long",
                       import->file->origin, path);
    if (list_sources(import->file, sources, true, line) +
            list_sources(import->file, sources, false, line) ==
        0)
        snprintf(line->comment, sizeof line->comment, "always so in BookSim");
    return FC_OK;
}

fc_status fc_booksim_note(fc_booksim_import *import, const char *key, const char *format, ...) {
    if (import->note_count == FC_BOOKSIM_NOTES_MAX)
        return FC_OK;
    char sentence[280];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    snprintf(import->notes[import->note_count++], sizeof import->notes[0], "%s = %.24s: %s", key,
             fc_booksim_text(import->file, key), sentence);
    return FC_OK;
}

fc_status fc_booksim_whole(const fc_booksim_import *import, const char *key, double minimum,
                           double maximum, double *number) {
    return fc_booksim_number(import->file, key, 0, (fc_booksim_range){minimum, maximum, true},
                             import->error, number);
}

/* ---- keys that are not translated ---- */

static bool has_default(const fc_booksim_file *file, size_t index) {
    const char *value = file->values[index].text, *fallback = fc_booksim_keys[index].fallback;
    if (!value || strcmp(value, fallback) == 0)
        return true;
    double a, b;
    return fc_parse_real(value, &a) && fc_parse_real(fallback, &b) && a == b;
}

static fc_status check_keys(fc_booksim_import *import) {
    for (size_t i = 0; fc_booksim_keys[i].name; ++i) {
        const fc_booksim_key *key = &fc_booksim_keys[i];
        if (has_default(import->file, i))
            continue;
        if (key->use == FC_BOOKSIM_REFUSED)
            return fc_booksim_fail(import->file, key->name, import->error,
                                   "%s = %.60s has no equivalent: %s", key->name,
                                   import->file->values[i].text, key->meaning);
        if (key->use == FC_BOOKSIM_DIFFERS) {
            const fc_status status = fc_booksim_note(import, key->name, "%s", key->meaning);
            if (status != FC_OK)
                return status;
        }
    }
    return FC_OK;
}

static fc_status import_simulation(fc_booksim_import *import) {
    const char *type = fc_booksim_text(import->file, "sim_type");
    if (strcmp(type, "latency") != 0 && strcmp(type, "throughput") != 0)
        return fc_booksim_fail(import->file, "sim_type", import->error,
                               "sim_type = %.60s has no equivalent; a run here is in the steady "
                               "state, as with latency",
                               type);
    if (!fc_booksim_given(import->file, "seed"))
        return FC_OK;
    if (strcmp(fc_booksim_text(import->file, "seed"), "time") == 0)
        return fc_booksim_note(
            import, "seed",
            "a run does not depend on the clock here; another simulation.seed gives another");
    double seed = 0;
    const fc_status status = fc_booksim_whole(import, "seed", 0, 0x1p53, &seed);
    return status == FC_OK ? fc_booksim_emit(import, "simulation.seed", "seed", "%.0f", seed)
                           : status;
}

static fc_status translate(fc_booksim_import *import) {
    fc_status status = fc_booksim_import_topology(import);
    if (status == FC_OK)
        status = check_keys(import);
    if (status == FC_OK)
        status = fc_booksim_import_traffic(import);
    if (status == FC_OK)
        status = fc_booksim_import_router(import);
    return status == FC_OK ? import_simulation(import) : status;
}

/* ---- writing ---- */

/* Words of a sentence in lines of comment of at most 96 columns. */
static void write_wrapped(const char *first, const char *text, FILE *stream) {
    size_t column = strlen(first);
    fputs(first, stream);
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (column + 1 + length > 96) {
            fputs("\n#  ", stream);
            column = 3;
        }
        fprintf(stream, " %.*s", (int)length, text);
        column += 1 + length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', stream);
}

static void write_group(const fc_booksim_import *import, const char *group, FILE *stream) {
    const size_t length = strlen(group);
    bool begun = false;
    for (size_t i = 0; i < import->line_count; ++i) {
        const fc_booksim_line *line = &import->lines[i];
        if (strncmp(line->path, group, length) != 0 || line->path[length] != '.')
            continue;
        if (!begun)
            fprintf(stream, "%s:\n", group);
        begun = true;
        const int width = fprintf(stream, "  %s: %s", line->path + length + 1, line->value);
        fprintf(stream, "%*s # %s\n", width < 38 ? 38 - width : 0, "", line->comment);
    }
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_unused(const fc_booksim_file *file, FILE *stream) {
    char names[2048] = "";
    size_t used = 0;
    for (size_t i = 0; fc_booksim_keys[i].name && used < sizeof names - 1; ++i) {
        if (file->values[i].text && fc_booksim_keys[i].use == FC_BOOKSIM_NO_EFFECT)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     fc_booksim_keys[i].name);
    }
    if (used)
        write_wrapped("# Without effect on results here:", names, stream);
}

static void write_scenario(const fc_booksim_import *import, FILE *stream) {
    fputs("# Translated from a BookSim configuration. Each key is followed by the BookSim setting "
          "it comes from;\n"
          "# 'default' is BookSim's own.\n",
          stream);
    for (size_t i = 0; i < import->note_count; ++i)
        write_wrapped("# Differs:", import->notes[i], stream);
    write_unused(import->file, stream);
    fputs("name: ", stream);
    fc_quoted_write(base_name(import->file->origin), stream);
    fputc('\n', stream);
    write_group(import, "network", stream);
    write_group(import, "traffic", stream);
    write_group(import, "simulation", stream);
}

/* ---- the import as the caller sees it ---- */

struct place {
    const char *path;
    size_t line, column;
};

struct owned_import {
    fc_import import; /* first, so that the two pointers are the same */
    char *origin;
    struct place places[FC_BOOKSIM_LINES_MAX];
    size_t place_count;
};

void fc_import_free(fc_import *import) {
    struct owned_import *owner = (struct owned_import *)import;
    if (!owner)
        return;
    free(owner->import.scenario); /* of open_memstream */
    fc_release(owner->import.differences);
    fc_release(owner->origin);
    fc_release(owner);
}

static fc_status hand_over(const fc_booksim_import *built, fc_error *error, fc_import **import) {
    struct owned_import *owner = fc_allocate(1, sizeof *owner);
    if (!owner)
        return fc_fail_memory(error);
    size_t length;
    FILE *stream = open_memstream(&owner->import.scenario, &length);
    bool failed = !stream;
    if (stream) {
        write_scenario(built, stream);
        failed = ferror(stream) != 0;
        failed = fclose(stream) != 0 || failed;
    }
    owner->origin = fc_copy_text(built->file->origin);
    owner->import.differences = fc_allocate(built->note_count + 1, sizeof built->notes[0]);
    if (failed || !owner->origin || !owner->import.differences) {
        fc_import_free(&owner->import);
        return fc_fail_memory(error);
    }
    memcpy(owner->import.differences, built->notes, built->note_count * sizeof built->notes[0]);
    owner->import.difference_count = built->note_count;
    for (size_t i = 0; i < built->line_count; ++i) {
        const fc_booksim_line *line = &built->lines[i];
        owner->places[owner->place_count++] = (struct place){line->path, line->line, line->column};
    }
    *import = &owner->import;
    return FC_OK;
}

fc_status fc_import_booksim(const fc_input *input, const fc_setting *overrides, size_t count,
                            fc_error *error, fc_import **import) {
    FC_IN_C_LOCALE;
    fc_booksim_file *file;
    fc_status status = fc_booksim_file_parse(input, overrides, count, error, &file);
    if (status != FC_OK)
        return status;
    fc_booksim_import *built = fc_allocate(1, sizeof *built);
    if (built) {
        built->file = file;
        built->error = error;
        status = translate(built);
    } else {
        status = fc_fail_memory(error);
    }
    if (status == FC_OK)
        status = hand_over(built, error, import);
    fc_release(built);
    fc_booksim_file_free(file);
    return status;
}

/* ---- the scenario, with the places of the BookSim file ---- */

static void move_value(fc_value *value, const struct place *place) {
    value->line = value->key_line = place ? place->line : 0;
    value->column = value->key_column = place ? place->column : 0;
    for (size_t i = 0; i < value->count; ++i)
        move_value(value->items[i], place);
}

static void move_places(const struct owned_import *owner, fc_document *document) {
    fc_value *root = document->root;
    move_value(root, NULL);
    for (size_t g = 0; g < root->count; ++g) {
        fc_value *group = root->items[g];
        for (size_t i = 0; group->kind == FC_VALUE_MAPPING && i < group->count; ++i) {
            char path[192];
            snprintf(path, sizeof path, "%s.%s", root->keys[g], group->keys[i]);
            for (size_t p = 0; p < owner->place_count; ++p) {
                if (strcmp(owner->places[p].path, path) == 0)
                    move_value(group->items[i], &owner->places[p]);
            }
        }
    }
}

fc_status fc_import_scenario(const fc_import *import, const fc_setting *settings, size_t count,
                             fc_error *error, fc_scenario **scenario) {
    const struct owned_import *owner = (const struct owned_import *)import;
    fc_document *document;
    const fc_status status = fc_document_parse(import->scenario, strlen(import->scenario),
                                               owner->origin, error, &document);
    if (status != FC_OK)
        return status;
    move_places(owner, document);
    return fc_scenario_of_document(document, settings, count, error, scenario);
}

/* For programs: the scenario and what is different here, as a report. */
static fc_status write_report(const fc_import *import, const fc_write_settings *settings,
                              FILE *stream) {
    static const char *const columns[] = {"difference"};
    fc_report *report = fc_report_create("A BookSim configuration as a scenario");
    if (!report)
        return FC_ERROR_MEMORY;
    fc_report_add_code(report, "scenario", import->scenario);
    fc_report_add_table(report, "", columns, 1);
    for (size_t i = 0; i < import->difference_count; ++i) {
        const fc_cell row = {.kind = FC_CELL_TEXT, .text = import->differences[i]};
        fc_report_add_row(report, &row, 1);
    }
    const fc_status status = fc_report_write(report, settings, stream);
    fc_report_free(report);
    return status;
}

fc_status fc_import_write(const fc_import *import, const fc_write_settings *settings,
                          FILE *stream) {
    if (!import || !stream)
        return FC_ERROR_ARGUMENT;
    if (settings && settings->format != FC_FORMAT_TEXT)
        return write_report(import, settings, stream);
    return fputs(import->scenario, stream) < 0 ? FC_ERROR_FILE : FC_OK;
}
