#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

const option_info common_options[] = {
    {"format", "text|json|csv", "how to print the result (default: text)"},
    {"threads", "N", "number of threads (default: one per core); it does not change the results"},
    {"quiet", NULL, "no progress, and no notes on differences from BookSim"},
    {"verbose", NULL, "print a line whenever the state of a simulation changes"},
    {"help", NULL, "print what the command does and its options"},
    {0},
};

const option_info scenario_options[] = {
    {"set", "KEY=VALUE", "set a scenario key, overriding the file; may be repeated"},
    {"seed", "N", "short for --set simulation.seed=N"},
    {"precision", "P", "short for --set simulation.precision=P"},
    {"engine", "NAME", "short for --set simulation.engine=NAME: auto, events, lanes, gpu"},
    {0},
};

int fail(fc_status status, const fc_error *error) {
    progress_end();
    fprintf(stderr, "flitcast: %s\n",
            error && error->text[0] ? error->text : fc_status_text(status));
    return EXIT_FAILED;
}

int fail_usage(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("flitcast: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return EXIT_USAGE;
}

const char *hint_at(const char *name, const char *const *names, const char *before,
                    char text[HINT_SIZE]) {
    const char *nearest = fc_nearest(name, names);
    if (!nearest)
        return ".";
    snprintf(text, HINT_SIZE, "; did you mean '%s%s'?", before, nearest);
    return text;
}

static const option_info *find_in(const option_info *options, const char *name, size_t length) {
    for (; options && options->name; ++options) {
        if (strlen(options->name) == length && strncmp(options->name, name, length) == 0)
            return options;
    }
    return NULL;
}

const option_info *find_option(const command_info *command, const char *name, size_t length) {
    const option_info *found = find_in(command->options, name, length);
    if (!found && command->scenario)
        found = find_in(scenario_options, name, length);
    return found ? found : find_in(common_options, name, length);
}

static int fail_option(const command_info *command, const char *name, size_t length) {
    const char *names[64];
    size_t count = 0;
    const option_info *const lists[] = {command->options, common_options,
                                        command->scenario ? scenario_options : NULL};
    for (size_t l = 0; l < 3; ++l) {
        for (const option_info *option = lists[l]; option && option->name && count < 63; ++option)
            names[count++] = option->name;
    }
    names[count] = NULL;
    char text[64], hint[HINT_SIZE];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    const bool near = fc_nearest(text, names) != NULL;
    return fail_usage("%s has no option '--%s'%s%s See flitcast %s --help", command->name, text,
                      hint_at(text, names, "--", hint),
                      command->scenario && !near ? " Keys of the scenario are set by --set "
                                                   "KEY=VALUE, for example traffic.rate=0.002."
                                                 : "",
                      command->name);
}

static int add_option(arguments *given, const option_info *option, const char *value) {
    if (given->option_count == ARGUMENTS_MAX)
        return fail_usage("more than %d options were given", ARGUMENTS_MAX);
    given->options[given->option_count] = option;
    given->values[given->option_count++] = value;
    return EXIT_DONE;
}

static int take_option(arguments *given, int argc, char **argv, int *at) {
    const char *name = argv[*at] + 2;
    const size_t length = strcspn(name, "=");
    const option_info *option = find_option(given->command, name, length);
    if (!option)
        return fail_option(given->command, name, length);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (value && !option->argument)
        return fail_usage("--%s takes no value", option->name);
    if (!value && option->argument) {
        if (*at + 1 >= argc)
            return fail_usage("--%s needs a value: %s", option->name, option->argument);
        value = argv[++*at];
    }
    if (option->argument && !value[0])
        return fail_usage("--%s is empty; it needs a value: %s", option->name, option->argument);
    return add_option(given, option, value ? value : "");
}

static int add_operand(arguments *given, const char *operand) {
    if (given->operand_count == ARGUMENTS_MAX)
        return fail_usage("more than %d operands were given", ARGUMENTS_MAX);
    given->operands[given->operand_count++] = operand;
    return EXIT_DONE;
}

int arguments_parse(const command_info *command, int argc, char **argv, arguments *given) {
    *given = (arguments){.command = command};
    bool only_operands = false;
    for (int at = 0; at < argc; ++at) {
        int code = EXIT_DONE;
        if (!only_operands && strcmp(argv[at], "--") == 0)
            only_operands = true;
        else if (!only_operands && strcmp(argv[at], "-h") == 0)
            code = add_option(given, find_in(common_options, "help", 4), "");
        else if (!only_operands && strncmp(argv[at], "--", 2) == 0)
            code = take_option(given, argc, argv, &at);
        else if (!only_operands && argv[at][0] == '-' && argv[at][1])
            code = fail_usage("unknown option '%s'; options begin with two dashes", argv[at]);
        else
            code = add_operand(given, argv[at]);
        if (code != EXIT_DONE)
            return code;
    }
    if (arguments_has(given, "help"))
        return EXIT_DONE;
    if (given->operand_count < command->operands_min)
        return fail_usage("%s needs %s; see flitcast %s --help", command->name, command->operands,
                          command->name);
    /* After the file, a command with a scenario takes settings of a BookSim file: k=4. */
    size_t settings = 0;
    for (size_t i = command->operands_max; command->scenario && i && i < given->operand_count; ++i)
        settings += strchr(given->operands[i], '=') != NULL;
    if (given->operand_count > command->operands_max + settings)
        return fail_usage("%s does not take '%s'; see flitcast %s --help", command->name,
                          given->operands[command->operands_max], command->name);
    return EXIT_DONE;
}

const char *arguments_nth(const arguments *given, const char *option, size_t index) {
    for (size_t i = 0; i < given->option_count; ++i) {
        if (strcmp(given->options[i]->name, option) == 0 && index-- == 0)
            return given->values[i];
    }
    return NULL;
}

const char *asked_model(const arguments *given) {
    const char *name = arguments_value(given, "model");
    return name || !arguments_has(given, "no-calibration") ? name : FC_UNCALIBRATED;
}

const char *arguments_value(const arguments *given, const char *option) {
    const char *last = NULL;
    for (size_t i = 0; i < given->option_count; ++i) {
        if (strcmp(given->options[i]->name, option) == 0)
            last = given->values[i];
    }
    return last;
}

bool arguments_has(const arguments *given, const char *option) {
    for (size_t i = 0; i < given->option_count; ++i) {
        if (strcmp(given->options[i]->name, option) == 0)
            return true;
    }
    return false;
}

static bool parse_number(const char *text, double minimum, double maximum, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && *number >= minimum && *number <= maximum;
}

int arguments_number(const arguments *given, const char *option, double minimum, double maximum,
                     double *value) {
    const char *text = arguments_value(given, option);
    double number;
    if (!text)
        return EXIT_DONE;
    if (!parse_number(text, minimum, maximum, &number))
        return fail_usage("--%s is '%s'; expected a number from %g to %g", option, text, minimum,
                          maximum);
    *value = number;
    return EXIT_DONE;
}

int arguments_count(const arguments *given, const char *option, unsigned minimum, unsigned maximum,
                    unsigned *value) {
    const char *text = arguments_value(given, option);
    double number;
    if (!text)
        return EXIT_DONE;
    if (!parse_number(text, minimum, maximum, &number) || number != floor(number))
        return fail_usage("--%s is '%s'; expected a whole number from %u to %u", option, text,
                          minimum, maximum);
    *value = (unsigned)number;
    return EXIT_DONE;
}
