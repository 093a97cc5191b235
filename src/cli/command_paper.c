#include <string.h>
#include "cli/cli.h"

static const option_info options[] = {
    {"precision", "P", "of the simulations (default: each item's own)"},
    {"svg", "PREFIX", "write each plot as PREFIX-1.svg, PREFIX-2.svg, ..., maps after them"},
    {"scenario", "FILE", "write what was run: FILE, and FILE-2, ... if it took more than one"},
    {"report", "FILE.html", "write everything as a page"},
    {0},
};

static int list_papers(const fc_write_settings *output) {
    static const char *const columns[] = {"paper/item", "what it shows"};
    fc_report *report = fc_report_create("Papers that can be reproduced");
    if (!report)
        return fail(FC_ERROR_MEMORY, NULL);
    for (size_t p = 0; p < fc_paper_count(); ++p) {
        const fc_paper_info paper = fc_paper_at(p);
        fc_report_add_table(report, paper.title, columns, 2);
        for (size_t i = 0; i < fc_paper_item_count(p); ++i) {
            const fc_paper_item_info item = fc_paper_item_at(p, i);
            char name[128];
            snprintf(name, sizeof name, "%s/%s", paper.name, item.name);
            const fc_cell row[] = {text_cell(name), text_cell(item.title)};
            fc_report_add_row(report, row, 2);
        }
    }
    const fc_status status = fc_report_write(report, output, stdout);
    fc_report_free(report);
    return finish_output(status);
}

static int write_pictures(const char *prefix, const fc_report *report) {
    const fc_write_settings settings = {.format = FC_FORMAT_SVG};
    for (size_t i = 0; i < fc_report_picture_count(report); ++i) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s-%zu.svg", prefix, i + 1);
        if (length < 0 || (size_t)length >= sizeof path)
            return fail_usage("--svg %s: the name is too long", prefix);
        FILE *stream = open_output(path);
        const int code =
            stream
                ? close_output(path, stream, fc_report_write_picture(report, i, &settings, stream))
                : EXIT_FAILED;
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

/* a.yaml, a-2.yaml, a-3.yaml */
static int write_scenarios(const char *file, const fc_report *report) {
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
    const int stem = dot ? (int)(dot - file) : (int)strlen(file);
    for (size_t i = 0; fc_report_scenario(report, i); ++i) {
        char path[4096], number[24] = "";
        if (i > 0)
            snprintf(number, sizeof number, "-%zu", i + 1);
        const int length =
            snprintf(path, sizeof path, "%.*s%s%s", stem, file, number, dot ? dot : "");
        if (length < 0 || (size_t)length >= sizeof path)
            return fail_usage("--scenario %s: the name is too long", file);
        FILE *stream = open_output(path);
        if (!stream)
            return EXIT_FAILED;
        const bool written = fputs(fc_report_scenario(report, i), stream) >= 0;
        const int code = close_output(path, stream, written ? FC_OK : FC_ERROR_FILE);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

static fc_status write(const void *report, const fc_write_settings *settings, FILE *stream) {
    return fc_report_write(report, settings, stream);
}

static int run(arguments *given) {
    fc_write_settings output;
    fc_run_settings settings;
    double precision = 0;
    int code = output_settings(given, &output);
    if (code == EXIT_DONE)
        code = run_settings(given, &settings);
    if (code == EXIT_DONE)
        code = arguments_number(given, "precision", 1e-4, 0.5, &precision);
    if (code != EXIT_DONE)
        return code;
    if (given->operand_count == 0)
        return list_papers(&output);
    char paper[128];
    snprintf(paper, sizeof paper, "%s", given->operands[0]);
    char *item = strchr(paper, '/');
    if (item)
        *item++ = '\0';
    fc_error error = {{0}};
    fc_report *report;
    fc_status status = fc_paper_run(paper, item, precision, &settings, &error, &report);
    progress_end();
    if (status != FC_OK)
        return fail(status, &error);
    status = write(report, &output, stdout);
    if (arguments_has(given, "svg"))
        code = write_pictures(arguments_value(given, "svg"), report);
    if (code == EXIT_DONE && arguments_has(given, "scenario"))
        code = write_scenarios(arguments_value(given, "scenario"), report);
    if (code == EXIT_DONE)
        code = write_page_file(given, write, report);
    fc_report_free(report);
    return code == EXIT_DONE ? finish_output(status) : code;
}

const command_info paper_command = {
    .name = "paper",
    .operands = "[PAPER[/ITEM]]",
    .operands_max = 1,
    .summary = "Rebuilds the tables and figures of a paper",
    .text = "Without an operand: a list of the papers and their items. With a paper: all of its "
            "items,\n"
            "one after the other, which can take minutes. A figure with panels (safaei/figure-1) "
            "means\n"
            "all of its panels. Each item ends with the statements of the paper that it checks: "
            "what was\n"
            "compared, its value, the bounds and where it was read; and with the scenarios it ran.",
    .examples = "  flitcast paper\n"
                "  flitcast paper hamacher-jiang/figure-4 --precision 0.05\n"
                "  flitcast paper adve-vernon/table-4.2b --scenario table.yaml",
    .options = options,
    .run = run,
};
