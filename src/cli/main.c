/* The table of commands. */
#include <string.h>
#include "cli/cli.h"

const command_info *const commands[] = {
    &predict_command,  &simulate_command, &compare_command,
    &sweep_command,    &saturate_command, &curve_command,
    &optimize_command, &explain_command,  &results_command,
    &merge_command,    &paper_command,    &models_command,
    &keys_command,     &import_command,   &serve_command,
    &demo_command,     &help_command,     NULL,
};

/* --version, and behind it --format json. */
static int print_version(int count, char **rest) {
    static const char option[] = "--format";
    const size_t length = sizeof option - 1;
    const char *format = "text";
    if (count > 1 && strcmp(rest[0], option) == 0)
        format = rest[1];
    else if (count > 0 && strncmp(rest[0], option, length) == 0 && rest[0][length] == '=')
        format = rest[0] + length + 1;
    else if (count > 0)
        return fail_usage("--version takes only --format text or --format json, not '%s'", rest[0]);
    if (strcmp(format, "json") == 0)
        printf("{\"tool\": \"flitcast\", \"version\": \"%s\", \"api\": %d, \"schema\": %d}\n",
               fc_version(), FC_API_VERSION, FC_SCHEMA_VERSION);
    else if (strcmp(format, "text") == 0)
        printf("flitcast %s\n", fc_version());
    else
        return fail_usage("--format is '%s'; of --version expected text or json", format);
    return finish_output(FC_OK);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return finish_output(FC_OK);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return print_version(argc - 2, argv + 2);
    if (argv[1][0] == '-')
        return fail_usage("a command comes first, not '%s'. See flitcast --help", argv[1]);
    const command_info *command = find_command(argv[1]);
    if (!command)
        return fail_command(argv[1]);
    arguments given;
    const int code = arguments_parse(command, argc - 2, argv + 2, &given);
    if (code != EXIT_DONE)
        return code;
    return arguments_has(&given, "help") ? print_command_help(command) : command->run(&given);
}
