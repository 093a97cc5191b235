#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"variants", NULL,
     "other readings of papers, too (of one file): -literal is a model as printed"},
    {"detail", NULL, "add tables of the nodes and channels to JSON"},
    {"equal", "WHAT",
     "several files: make flits as wide as the same bisection, wires or pins allow"},
    {"report", "FILE.html", "write the comparison as a page (of one file)"},
    {0},
};

static fc_status write_one(const void *what, const fc_write_settings *settings, FILE *stream) {
    const fc_comparison *comparison = what;
    return fc_comparison_write(&comparison, 1, settings, stream);
}

static int run_one(arguments *given) {
    task begun;
    int code = begin_task(given, &begun);
    if (code != EXIT_DONE)
        return code;
    begun.run.variants = arguments_has(given, "variants");
    fc_error error = {{0}};
    fc_comparison *comparison;
    fc_status status = fc_compare(begun.scenario, &begun.run, &error, &comparison);
    fc_scenario_free(begun.scenario);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    status = write_one(comparison, &begun.output, stdout);
    if (status == FC_OK)
        code = write_page_file(given, write_one, comparison);
    fc_comparison_free(comparison);
    return code == EXIT_DONE ? finish_output(status) : code;
}

enum { NETWORKS_MAX = 32 };

typedef struct request {
    fc_write_settings output;
    fc_run_settings run;
    fc_scenario *scenarios[NETWORKS_MAX];
    fc_comparison *comparisons[NETWORKS_MAX];
    fc_equalized how[NETWORKS_MAX];
    size_t count, done;
} request;

static int compare_all(const arguments *given, request *asked) {
    bool equal = false;
    int code = output_settings(given, &asked->output);
    if (code == EXIT_DONE)
        code = run_settings(given, &asked->run);
    if (code == EXIT_DONE)
        code = load_scenarios(given, NETWORKS_MAX, asked->scenarios, &asked->count);
    if (code == EXIT_DONE)
        code = equalize_scenarios(given, asked->scenarios, asked->count, asked->how, &equal);
    fc_error error = {{0}};
    for (fc_status status; code == EXIT_DONE && asked->done < asked->count; ++asked->done) {
        fc_comparison **made = &asked->comparisons[asked->done];
        status = fc_compare(asked->scenarios[asked->done], &asked->run, &error, made);
        progress_end();
        if (status != FC_OK)
            return fail(status, &error);
        if (equal)
            snprintf((*made)->equal, sizeof(*made)->equal, "%s", asked->how[asked->done].text);
    }
    return code == EXIT_DONE
               ? finish_output(fc_comparison_write((const fc_comparison *const *)asked->comparisons,
                                                   asked->count, &asked->output, stdout))
               : code;
}

static int run_several(arguments *given) {
    if (arguments_has(given, "report"))
        return fail_usage("--report is the page of one comparison; give one file");
    if (arguments_has(given, "variants"))
        return fail_usage("--variants are columns of one comparison; give one file");
    request *asked = calloc(1, sizeof *asked);
    if (!asked)
        return fail(FC_ERROR_MEMORY, NULL);
    const int code = compare_all(given, asked);
    for (size_t i = 0; i < asked->done; ++i)
        fc_comparison_free(asked->comparisons[i]);
    for (size_t i = 0; i < asked->count; ++i)
        fc_scenario_free(asked->scenarios[i]);
    free(asked);
    return code;
}

/* A BookSim file may be followed by its settings. */
static int run(arguments *given) {
    size_t files = 0;
    for (size_t i = 0; i < given->operand_count; ++i)
        files += i == 0 || !strchr(given->operands[i], '=');
    if (files > 1 || arguments_has(given, "equal"))
        return run_several(given);
    return run_one(given);
}

const command_info compare_command = {
    .name = "compare",
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = ARGUMENTS_MAX,
    .summary = "Every model against the simulation, with its error",
    .text =
        "Asks every model that covers the scenario, simulates, and prints the error of each "
        "model.\n"
        "Simulates as flitcast simulate does, so --precision decides how long it takes.\n"
        "\n"
        "Several files are put side by side, a row for each. With --equal bisection (wires, pins) "
        "the\n"
        "flits of each network are as wide as the bisection (the cables, the ports of a router) "
        "of\n"
        "the first one allows: messages keep their bytes and have more or fewer flits.",
    .examples = "  flitcast compare rings_two_levels.yaml --precision 0.05\n"
                "  flitcast compare mesh.yaml --precision 0.05 --report mesh.html\n"
                "  flitcast compare mesh.yaml hypercube.yaml --equal bisection --precision 0.05",
    .options = options,
    .scenario = true,
    .run = run,
};
