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

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return finish_output(FC_OK);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("flitcast %s\n", fc_version());
        return finish_output(FC_OK);
    }
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
