/* What the commands share: parsed arguments, scenario loading, output, progress.
 *
 * The program uses the library only through its public header. stdout is data, stderr is talk.
 * Exit codes: 0 done, 1 failed, 2 usage. */
#ifndef FC_CLI_CLI_H
#define FC_CLI_CLI_H

#include "flitcast/flitcast.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };
enum { ARGUMENTS_MAX = 256 };

/* An option of a command. argument NULL: a switch. */
typedef struct option_info {
    const char *name; /* without the dashes */
    const char *argument;
    const char *help;
} option_info;

typedef struct arguments arguments;

typedef struct command_info {
    const char *name;
    const char *operands; /* "FILE", "[PAPER[/ITEM]]", or "" */
    size_t operands_min, operands_max;
    const char *summary;        /* one line */
    const char *text;           /* what the manual says: paragraphs; may be NULL */
    const char *examples;       /* lines of code, each indented by two spaces; may be NULL */
    const option_info *options; /* its own, ends with a name of NULL */
    bool scenario;              /* takes --set, --seed, --precision */
    int (*run)(arguments *given);
} command_info;

struct arguments {
    const command_info *command;
    const char *operands[ARGUMENTS_MAX];
    size_t operand_count;
    const option_info *options[ARGUMENTS_MAX];
    const char *values[ARGUMENTS_MAX];
    size_t option_count;
};

extern const option_info common_options[];   /* --format, --threads, --quiet, --help */
extern const option_info scenario_options[]; /* --set, --seed, --precision */

extern const command_info *const commands[]; /* ends with NULL */

const command_info *find_command(const char *name); /* NULL: there is none */
/* A sentence on stderr with the nearest name; EXIT_USAGE. */
int fail_command(const char *name);
void print_help(FILE *stream);
int print_command_help(const command_info *command);

/* The option of that name which the command takes: its own before those it shares. NULL: none. */
const option_info *find_option(const command_info *command, const char *name, size_t length);

/* Returns EXIT_DONE, or EXIT_USAGE after a sentence on stderr. */
int arguments_parse(const command_info *command, int argc, char **argv, arguments *given);
bool arguments_has(const arguments *given, const char *option);
/* The last value given for an option, or NULL. */
const char *arguments_value(const arguments *given, const char *option);
/* Of --model and --no-calibration: what fc_predict takes for a model. */
const char *asked_model(const arguments *given);
/* The index-th value given for an option, or NULL. */
const char *arguments_nth(const arguments *given, const char *option, size_t index);
/* A number within a range; EXIT_USAGE after a sentence if it is none. Unchanged if not given. */
int arguments_number(const arguments *given, const char *option, double minimum, double maximum,
                     double *value);
/* A whole number, likewise. */
int arguments_count(const arguments *given, const char *option, unsigned minimum, unsigned maximum,
                    unsigned *value);

/* Prints "flitcast: SENTENCE" and returns the exit code for the status. */
int fail(fc_status status, const fc_error *error);
int fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
enum { HINT_SIZE = 96 };
/* "; did you mean '--model'?" with `before` as the dashes, or a full stop if no name is near. */
const char *hint_at(const char *name, const char *const *names, const char *before,
                    char text[HINT_SIZE]);

/* The scenario of the first operand (the built-in one if there is none) with --set, --seed and
 * --precision applied. A BookSim file is translated, with the KEY=VALUE of the operands after it;
 * differences are reported on stderr. EXIT_DONE, or an exit code after the sentence. */
int load_scenario(const arguments *given, fc_scenario **scenario);
/* Those of several files, at most `most`; each with the KEY=VALUE behind it if it is one of
 * BookSim. Also after a failure *count of them have to be freed. */
int load_scenarios(const arguments *given, size_t most, fc_scenario **scenarios, size_t *count);
/* As asked by --equal: makes the networks cost the same, and fills how. *equal: it was asked for.
 */
int equalize_scenarios(const arguments *given, fc_scenario **scenarios, size_t count,
                       fc_equalized *how, bool *equal);
/* The input as a BookSim configuration, with the KEY=VALUE from operand `first` on. Likewise. */
int load_booksim(const arguments *given, const fc_input *input, size_t first, fc_import **import);

/* What most commands begin with: the settings of the options and the scenario. EXIT_DONE, or an
 * exit code after the sentence; free the scenario. */
typedef struct task {
    fc_write_settings output;
    fc_run_settings run;
    fc_scenario *scenario;
} task;
int begin_task(const arguments *given, task *begun);

/* Output and run settings from the common options; EXIT_DONE or EXIT_USAGE. */
int output_settings(const arguments *given, fc_write_settings *settings);
/* Progress goes to stderr if that is a terminal and --quiet was not given. Ctrl-C cancels. */
int run_settings(const arguments *given, fc_run_settings *settings);
/* Nonzero after Ctrl-C, once run_settings was asked; scenarios that were loaded look at it. */
const volatile int *interruption(void);
/* Removes the progress line. */
void progress_end(void);
/* On stderr, if there are any: results that a store has no checksums of. */
void say_unchecked(const char *store, size_t count);

/* A file to write, one at a time; NULL after a sentence. The file itself is touched when it is
 * closed, so that a failure before leaves what was there. */
FILE *open_output(const char *path);
/* Writes it. EXIT_FAILED after a sentence if status is not FC_OK or something was not written. */
int close_output(const char *path, FILE *stream, fc_status status);
/* Nothing is written after all. */
void drop_output(FILE *stream);
int write_plot(const char *path, const fc_plot *plot, fc_format format);
/* Writes a plot as asked by --svg FILE and --gnuplot FILE. */
int write_plot_files(const arguments *given, const fc_plot *plot);
/* Writes something with pages as asked by --report FILE. */
typedef fc_status page_writer(const void *what, const fc_write_settings *settings, FILE *stream);
int write_page_file(const arguments *given, page_writer *write, const void *what);
/* Cells of tables. */
fc_cell text_cell(const char *text);
fc_cell number_cell(double value, int digits);
/* After the last output: EXIT_FAILED if stdout could not be written. */
int finish_output(fc_status status);

extern const command_info predict_command, simulate_command, compare_command, sweep_command,
    saturate_command, curve_command, optimize_command, explain_command, models_command,
    keys_command, paper_command, demo_command, import_command, merge_command, results_command,
    serve_command, help_command;

#endif
