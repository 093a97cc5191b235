/* Help: of the program, of a command, and as manual pages, all from the table of commands. */
#include <string.h>
#include "cli/manual.h"

void print_help(FILE *stream) {
    fputs("Flitcast forecasts the performance of interconnection networks: by model, in\n"
          "micro- to milliseconds, and by simulation, which measures the model's error.\n"
          "\n"
          "  flitcast COMMAND [OPERANDS] [OPTIONS]\n\n",
          stream);
    for (size_t i = 0; commands[i]; ++i)
        fprintf(stream, "  %-9s %-16s %s\n", commands[i]->name, commands[i]->operands,
                commands[i]->summary);
    fputs("\nTo begin: flitcast demo. More on a command: flitcast help COMMAND. What a\n"
          "scenario file can hold: flitcast keys.\n",
          stream);
}

static void print_options(const command_info *command, const option_info *options) {
    for (; options && options->name; ++options) {
        if (find_option(command, options->name, strlen(options->name)) != options)
            continue;
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", options->name, options->argument ? " " : "",
                 options->argument ? options->argument : "");
        printf("  %-26s %s\n", left, options->help);
    }
}

int print_command_help(const command_info *command) {
    printf("flitcast %s %s%s[OPTIONS]\n\n%s.\n", command->name, command->operands,
           command->operands[0] ? " " : "", command->summary);
    if (command->text)
        printf("\n%s\n", command->text);
    puts("");
    print_options(command, command->options);
    if (command->scenario)
        print_options(command, scenario_options);
    print_options(command, common_options);
    if (command->examples)
        printf("\nExamples (the files are in share/flitcast/examples):\n%s\n", command->examples);
    return finish_output(FC_OK);
}

const command_info *find_command(const char *name) {
    for (size_t i = 0; commands[i]; ++i) {
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    }
    return NULL;
}

int fail_command(const char *name) {
    const char *names[32];
    size_t count = 0;
    for (; commands[count] && count < 31; ++count)
        names[count] = commands[count]->name;
    names[count] = NULL;
    char hint[HINT_SIZE];
    return fail_usage("there is no command '%s'%s See flitcast --help", name,
                      hint_at(name, names, "", hint));
}

static int write_page(const char *folder, const command_info *command) {
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/flitcast%s%s.1", folder, command ? "-" : "",
                                command ? command->name : "");
    if (length < 0 || (size_t)length >= sizeof path)
        return fail_usage("--manuals %s: the name is too long", folder);
    FILE *stream = open_output(path);
    if (!stream)
        return EXIT_FAILED;
    if (command)
        write_command_manual(command, stream);
    else
        write_program_manual(stream);
    return close_output(path, stream, FC_OK);
}

static int write_pages(const char *folder) {
    int code = write_page(folder, NULL);
    for (size_t i = 0; commands[i] && code == EXIT_DONE; ++i)
        code = write_page(folder, commands[i]);
    return code;
}

static int run(arguments *given) {
    const char *format = arguments_value(given, "format");
    if (format && strcmp(format, "text") != 0)
        return fail_usage(
            "help is text; --format %s is for commands with results. Keys, models and "
            "papers have lists in JSON and CSV: flitcast keys --format json",
            format);
    const char *folder = arguments_value(given, "manuals");
    if (folder)
        return write_pages(folder);
    if (given->operand_count == 0) {
        print_help(stdout);
        return finish_output(FC_OK);
    }
    const command_info *command = find_command(given->operands[0]);
    return command ? print_command_help(command) : fail_command(given->operands[0]);
}

static const option_info options[] = {
    {"manuals", "FOLDER", "write the manual pages of all commands into a folder"},
    {0},
};

const command_info help_command = {
    .name = "help",
    .operands = "[COMMAND]",
    .operands_max = 1,
    .summary = "What the program or one command does",
    .options = options,
    .examples = "  flitcast help\n"
                "  flitcast help sweep",
    .run = run,
};
