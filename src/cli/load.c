/* The scenario a command works on: a scenario file or a BookSim configuration, and what the command
 * line sets. */
#include <string.h>
#include "cli/cli.h"

struct settings {
    fc_setting list[ARGUMENTS_MAX];
    char keys[ARGUMENTS_MAX][128], labels[ARGUMENTS_MAX][140];
    size_t count;
};

/* "KEY=VALUE" as a setting; false if it is none. */
static bool take_setting(struct settings *settings, const char *text) {
    const char *equals = strchr(text, '=');
    char *key = settings->keys[settings->count];
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof settings->keys[0])
        return false;
    snprintf(key, sizeof settings->keys[0], "%.*s", (int)(equals - text), text);
    char *label = settings->labels[settings->count];
    snprintf(label, sizeof settings->labels[0], "--set %.*s", (int)(equals - text), text);
    settings->list[settings->count++] = (fc_setting){key, equals + 1, label};
    return true;
}

/* The options that are short for a key of --set. */
static const struct {
    const char *option, *key, *label;
} short_options[] = {{"seed", "simulation.seed", "--seed"},
                     {"precision", "simulation.precision", "--precision"},
                     {"engine", "simulation.engine", "--engine"}};

static int gather_options(const arguments *given, struct settings *settings) {
    settings->count = 0;
    for (size_t i = 0; i < given->option_count; ++i) {
        const char *name = given->options[i]->name, *value = given->values[i];
        for (size_t s = 0; s < sizeof short_options / sizeof short_options[0]; ++s) {
            if (strcmp(name, short_options[s].option) == 0)
                settings->list[settings->count++] =
                    (fc_setting){short_options[s].key, value, short_options[s].label};
        }
        if (strcmp(name, "set") == 0 && !take_setting(settings, value))
            return fail_usage("--set %s: expected KEY=VALUE, for example traffic.rate=0.002",
                              value);
    }
    return EXIT_DONE;
}

/* "traffic.rate=0.1", a key of a scenario, not of BookSim */
static bool names_group(const char *setting) {
    return strchr(setting, '=') && setting[strcspn(setting, ".=")] == '.';
}

int load_booksim(const arguments *given, const fc_input *input, size_t first, fc_import **import) {
    struct settings overrides = {.count = 0};
    for (size_t i = first; i < given->operand_count; ++i) {
        if (names_group(given->operands[i]))
            return fail_usage(
                "%s: only BookSim keys such as k=4 may follow the file; for scenario keys use "
                "--set %s",
                given->operands[i], given->operands[i]);
        if (!take_setting(&overrides, given->operands[i]))
            return fail_usage("%s: expected KEY=VALUE with a key of BookSim, for example k=4",
                              given->operands[i]);
    }
    fc_error error = {{0}};
    const fc_status status =
        fc_import_booksim(input, overrides.list, overrides.count, &error, import);
    return status == FC_OK ? EXIT_DONE : fail(status, &error);
}

/* 'traffic' is a key of both. */
static bool is_booksim_key(const char *key) {
    bool found = false;
    for (size_t i = 0; i < fc_booksim_key_count(); ++i)
        found |= strcmp(fc_booksim_key_at(i)->name, key) == 0;
    return found && strcmp(key, "traffic") != 0;
}

static int load_import(const arguments *given, const fc_input *input,
                       const struct settings *settings, fc_scenario **scenario) {
    for (size_t i = 0; i < settings->count; ++i) {
        if (is_booksim_key(settings->list[i].key))
            return fail_usage("--set %s: --set is for scenario keys; BookSim keys follow the file, "
                              "without --set: %s %s=%s",
                              settings->list[i].key, given->operands[0], settings->list[i].key,
                              settings->list[i].value);
    }
    for (size_t i = 0; arguments_nth(given, "vary", i); ++i) {
        const char *text = arguments_nth(given, "vary", i);
        char key[128];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(text, "="), text);
        if (is_booksim_key(key))
            return fail_usage(
                "--vary %s: this is a BookSim key; only scenario keys can be varied: flitcast "
                "import booksim %s prints them",
                key, given->operands[0]);
    }
    fc_import *import = NULL;
    const int code = load_booksim(given, input, 1, &import);
    if (!import)
        return code;
    fc_error error = {{0}};
    const fc_status status =
        fc_import_scenario(import, settings->list, settings->count, &error, scenario);
    for (size_t i = 0; status == FC_OK && i < import->difference_count; ++i) {
        if (!arguments_has(given, "quiet"))
            fprintf(stderr, "flitcast: not as in BookSim: %s\n", import->differences[i]);
    }
    fc_import_free(import);
    return status == FC_OK ? EXIT_DONE : fail(status, &error);
}

static int load_file(const arguments *given, const fc_input *input, const struct settings *settings,
                     fc_scenario **scenario) {
    if (input->booksim)
        return load_import(given, input, settings, scenario);
    if (given->operand_count > 1) {
        const char *setting = given->operands[1];
        return fail_usage("%s: KEY=VALUE is for BookSim files, and %s is not one; use --set %s",
                          setting, input->origin, names_group(setting) ? setting : "KEY=VALUE");
    }
    fc_error error = {{0}};
    const fc_status status =
        fc_scenario_read_text(input->text, input->length, input->origin, settings->list,
                              settings->count, &error, scenario);
    return status == FC_OK ? EXIT_DONE : fail(status, &error);
}

static int read_scenario(const arguments *given, fc_scenario **scenario) {
    struct settings settings;
    int code = gather_options(given, &settings);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    if (!given->operand_count) {
        const fc_status status =
            fc_scenario_read_default(settings.list, settings.count, &error, scenario);
        return status == FC_OK ? EXIT_DONE : fail(status, &error);
    }
    fc_input input;
    const fc_status status = fc_input_read(given->operands[0], &error, &input);
    if (status != FC_OK)
        return fail(status, &error);
    code = load_file(given, &input, &settings, scenario);
    fc_input_clear(&input);
    return code;
}

int load_scenario(const arguments *given, fc_scenario **scenario) {
    const int code = read_scenario(given, scenario);
    if (code == EXIT_DONE)
        fc_scenario_set_cancel(*scenario, interruption());
    return code;
}

int load_scenarios(const arguments *given, size_t most, fc_scenario **scenarios, size_t *count) {
    size_t next = 0;
    *count = 0;
    while (next < given->operand_count) {
        arguments one = *given;
        one.operand_count = 0;
        if (*count == most)
            return fail_usage("at most %zu files can be given", most);
        do
            one.operands[one.operand_count++] = given->operands[next++];
        while (next < given->operand_count && strchr(given->operands[next], '='));
        const int code = load_scenario(&one, &scenarios[*count]);
        if (code != EXIT_DONE)
            return code;
        ++*count;
    }
    return EXIT_DONE;
}

int equalize_scenarios(const arguments *given, fc_scenario **scenarios, size_t count,
                       fc_equalized *how, bool *equal) {
    const char *wanted = arguments_value(given, "equal");
    const char *const *names = fc_equality_names();
    int choice = 0;
    *equal = wanted != NULL;
    if (!wanted)
        return EXIT_DONE;
    while (names[choice] && strcmp(names[choice], wanted) != 0)
        ++choice;
    char hint[HINT_SIZE];
    if (!names[choice])
        return fail_usage("--equal is '%s'%s Expected bisection, wires or pins", wanted,
                          hint_at(wanted, names, "", hint));
    if (count < 2)
        return fail_usage("--equal %s compares networks: give two files or more", wanted);
    fc_scenario *made[FC_EQUALIZED_MOST];
    fc_error error = {{0}};
    const fc_status status = fc_equalize((const fc_scenario *const *)scenarios, count,
                                         (fc_equality)choice, &error, made, how);
    if (status != FC_OK)
        return fail(status, &error);
    for (size_t i = 0; i < count; ++i) {
        fc_scenario_free(scenarios[i]);
        scenarios[i] = made[i];
    }
    return EXIT_DONE;
}
