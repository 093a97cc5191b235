/* The table of commands, and help made from it. */
#include <string.h>
#include "cli/cli.h"

static const command_info *const commands[] = {
    &predict_command,  &simulate_command, &compare_command, &sweep_command, &saturate_command,
    &optimize_command, &explain_command,  &results_command, &merge_command, &paper_command,
    &models_command,   &keys_command,     &demo_command,    NULL,
};

static void print_help(FILE *stream) {
    fputs("Flitcast forecasts the performance of interconnection networks: by model in\n"
          "microseconds, and by a simulation of the same network that measures the model's error.\n"
          "\n"
          "  flitcast COMMAND [OPERANDS] [OPTIONS]\n\n",
          stream);
    for (size_t i = 0; commands[i]; ++i)
        fprintf(stream, "  %-9s %-16s %s\n", commands[i]->name, commands[i]->operands,
                commands[i]->summary);
    fputs("\nflitcast COMMAND --help tells more. Scenario files are described by flitcast keys.\n",
          stream);
}

static void print_options(const option_info *options) {
    for (; options && options->name; ++options) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", options->name, options->argument ? " " : "",
                 options->argument ? options->argument : "");
        printf("  %-26s %s\n", left, options->help);
    }
}

static int print_command_help(const command_info *command) {
    printf("flitcast %s %s%s[OPTIONS]\n\n%s.\n", command->name, command->operands,
           command->operands[0] ? " " : "", command->summary);
    if (command->text)
        printf("\n%s\n", command->text);
    puts("");
    print_options(command->options);
    if (command->scenario)
        print_options(scenario_options);
    print_options(common_options);
    return finish_output(FC_OK);
}

static int unknown_command(const char *name) {
    const char *names[32];
    size_t count = 0;
    for (; commands[count]; ++count)
        names[count] = commands[count]->name;
    names[count] = NULL;
    const char *nearest = fc_nearest(name, names);
    return fail_usage("there is no command '%s'%s%s%s See flitcast --help", name,
                      nearest ? "; did you mean '" : ".", nearest ? nearest : "",
                      nearest ? "'?" : "");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return finish_output(FC_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("flitcast %s\n", fc_version());
        return finish_output(FC_OK);
    }
    for (size_t i = 0; commands[i]; ++i) {
        if (strcmp(argv[1], commands[i]->name) != 0)
            continue;
        arguments given;
        const int code = arguments_parse(commands[i], argc - 2, argv + 2, &given);
        if (code != EXIT_DONE)
            return code;
        return arguments_has(&given, "help") ? print_command_help(commands[i])
                                             : commands[i]->run(&given);
    }
    return unknown_command(argv[1]);
}
