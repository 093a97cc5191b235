#include <string.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"output", "PATH",
     "booksim: write the scenario there instead of on the standard output; rapidchiplet: the "
     "folder "
     "of the files (default: this one)"},
    {"keys", NULL, "print every key of a BookSim configuration and what becomes of it"},
    {0},
};

static int print_keys(const arguments *given) {
    static const char *const columns[] = {"key", "default", "here", "meaning"};
    static const char *const uses[] = {"translated", "no effect", "differs", "refused"};
    fc_write_settings output;
    const int code = output_settings(given, &output);
    if (code != EXIT_DONE)
        return code;
    fc_report *report = fc_report_create("Keys of a BookSim configuration");
    if (!report)
        return fail(FC_ERROR_MEMORY, NULL);
    fc_report_add_text(report, "differs, refused: unless the key has its default.");
    fc_report_add_table(report, "", columns, 4);
    for (size_t i = 0; i < fc_booksim_key_count(); ++i) {
        const fc_booksim_key *key = fc_booksim_key_at(i);
        const fc_cell row[] = {text_cell(key->name), text_cell(key->fallback),
                               text_cell(uses[key->use]), text_cell(key->meaning)};
        fc_report_add_row(report, row, 4);
    }
    const fc_status status = fc_report_write(report, &output, stdout);
    fc_report_free(report);
    return finish_output(status);
}

static int write_scenario(const arguments *given, const fc_import *import,
                          const fc_write_settings *output) {
    const char *path = output->format == FC_FORMAT_TEXT ? arguments_value(given, "output") : NULL;
    if (!path)
        return finish_output(fc_import_write(import, output, stdout));
    FILE *stream = open_output(path);
    return stream ? close_output(path, stream, fc_import_write(import, output, stream))
                  : EXIT_FAILED;
}

/* Writes the files, and reads the scenario back: what would be refused is refused here. */
static int import_design(const arguments *given) {
    fc_error error = {{0}};
    fc_imported_design made;
    fc_scenario *scenario;
    if (given->operand_count != 2)
        return fail_usage("import rapidchiplet takes one design: flitcast import rapidchiplet "
                          "design.json");
    fc_status status =
        fc_import_rapidchiplet(given->operands[1], arguments_value(given, "output"), &error, &made);
    if (status == FC_OK)
        status = fc_scenario_read_file(made.scenario, NULL, 0, &error, &scenario);
    if (status != FC_OK)
        return fail(status, &error);
    printf("%s\n", made.scenario);
    if (made.note[0])
        fprintf(stderr, "%s\n", made.note);
    fc_scenario_free(scenario);
    return finish_output(FC_OK);
}

static int run(arguments *given) {
    if (strcmp(given->operands[0], "rapidchiplet") == 0)
        return import_design(given);
    if (strcmp(given->operands[0], "booksim") != 0)
        return fail_usage("import reads files of booksim or rapidchiplet, not of '%s': flitcast "
                          "import booksim FILE",
                          given->operands[0]);
    if (arguments_has(given, "keys"))
        return print_keys(given);
    if (given->operand_count < 2)
        return fail_usage("import needs booksim FILE; see flitcast import --help");
    fc_write_settings output;
    int code = output_settings(given, &output);
    if (code != EXIT_DONE)
        return code;
    fc_error error = {{0}};
    fc_input input;
    fc_status status = fc_input_read(given->operands[1], &error, &input);
    if (status != FC_OK)
        return fail(status, &error);
    fc_import *import;
    code = load_booksim(given, &input, 2, &import);
    fc_input_clear(&input);
    if (code != EXIT_DONE)
        return code;
    /* A scenario that would be refused when it is read is refused here, at the key it is from. */
    fc_scenario *scenario;
    status = fc_import_scenario(import, NULL, 0, &error, &scenario);
    if (status == FC_OK) {
        fc_scenario_free(scenario);
        code = write_scenario(given, import, &output);
    } else {
        code = fail(status, &error);
    }
    fc_import_free(import);
    return code;
}

const command_info import_command = {
    .name = "import",
    .operands = "booksim|rapidchiplet FILE",
    .operands_min = 1,
    .operands_max = ARGUMENTS_MAX,
    .summary = "A BookSim configuration or a chiplet design as a scenario",
    .text =
        "Writes the scenario; a comment on each line names the BookSim keys that it comes from.\n"
        "Differences from BookSim are listed at the top; a key without an equivalent is refused\n"
        "with the reason. KEY=VALUE sets keys of BookSim, as on its own command line. Other\n"
        "commands accept a BookSim file as FILE too, and translate it the same way.\n"
        "\n"
        "For a design of RapidChiplet (the JSON file that names the others) it writes NAME.yaml\n"
        "and the files of its graph, routing table and traffic, and prints the scenario's path.",
    .examples = "  flitcast import booksim booksim_mesh.cfg\n"
                "  flitcast import booksim booksim_mesh.cfg num_vcs=8 --output imported.yaml",
    .options = options,
    .run = run,
};
