/* What surrounds a command: progress, interruption, files it writes. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "cli/cli.h"

static volatile int interrupted;

const volatile int *interruption(void) {
    return &interrupted;
}

/* ---- output ---- */

/* Found before the run, not after it: a file that cannot be written for lack of a folder or of
 * permission. It is neither created nor changed. */
static int check_writable(const char *path, bool prefix) {
    char folder[4096];
    struct stat about;
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder)
        return fail_usage("%s: the name is too long", path);
    snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    const char *where = !slash ? "." : length ? folder : "/";
    const bool there = !prefix && stat(path, &about) == 0;
    int reason = 0;
    if (there && S_ISDIR(about.st_mode))
        reason = EISDIR;
    else if (!there && (stat(where, &about) != 0 || !S_ISDIR(about.st_mode)))
        reason = ENOENT;
    else if (access(there ? path : where, W_OK) != 0)
        reason = errno;
    if (reason == 0)
        return EXIT_DONE;
    fprintf(stderr, "flitcast: %s: cannot be written: %s\n", path, strerror(reason));
    return EXIT_FAILED;
}

static int check_files(const arguments *given) {
    static const char *const names[] = {"report",     "svg",       "gnuplot",   "output",
                                        "matrix-out", "histogram", "deliveries"};
    int code = EXIT_DONE;
    for (size_t i = 0; i < sizeof names / sizeof *names && code == EXIT_DONE; ++i) {
        const char *path = arguments_value(given, names[i]);
        if (path)
            code = check_writable(path,
                                  given->command == &paper_command && strcmp(names[i], "svg") == 0);
    }
    return code;
}

/* The width of a terminal; elsewhere what COLUMNS says. */
static unsigned columns_of(bool terminal) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    const long asked = columns ? strtol(columns, NULL, 10) : 0;
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col;
    return asked >= 40 && asked <= 1000 ? (unsigned)asked : 100;
}

/* "text, json or csv" */
static void list_formats(const char *const *formats, bool booksim, char *list, size_t size) {
    size_t used = 0;
    for (size_t i = 0; formats[i] && used < size; ++i)
        used += (size_t)snprintf(list + used, size - used, "%s%s",
                                 i == 0                      ? ""
                                 : formats[i + 1] || booksim ? ", "
                                                             : " or ",
                                 formats[i]);
    if (booksim && used < size)
        snprintf(list + used, size - used, " or booksim");
}

int output_settings(const arguments *given, fc_write_settings *settings) {
    *settings = fc_write_settings_default();
    const char *format = arguments_value(given, "format");
    static const char *const formats[] = {"text", "json", "csv", NULL};
    const bool simulates = given->command == &simulate_command;
    if (format && strcmp(format, "booksim") == 0) {
        if (!simulates)
            return fail_usage("--format booksim is BookSim's summary of a simulation; only "
                              "flitcast simulate prints it");
    } else if (format) {
        int chosen = -1;
        for (int i = 0; formats[i]; ++i) {
            if (strcmp(format, formats[i]) == 0)
                chosen = i;
        }
        char hint[HINT_SIZE], list[128];
        list_formats(formats, simulates, list, sizeof list);
        if (chosen < 0)
            return fail_usage("--format is '%s'%s Expected %s", format,
                              hint_at(format, formats, "", hint), list);
        settings->format = (fc_format)chosen;
    }
    settings->detail = arguments_has(given, "detail");
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    const bool is_terminal = isatty(STDOUT_FILENO) != 0;
    settings->colour =
        is_terminal && !(no_colour && no_colour[0]) && !(terminal && strcmp(terminal, "dumb") == 0);
    settings->width = columns_of(is_terminal);
    return check_files(given);
}

/* The file that is being written, one at a time: in memory until it is whole. */
static char *pending;
static size_t pending_size;

FILE *open_output(const char *path) {
    FILE *stream = open_memstream(&pending, &pending_size);
    if (!stream)
        fprintf(stderr, "flitcast: %s: cannot be written: %s\n", path, strerror(errno));
    return stream;
}

static int write_pending(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "flitcast: %s: cannot be written: %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    const bool written = fwrite(pending, 1, pending_size, file) == pending_size;
    if (fclose(file) == 0 && written)
        return EXIT_DONE;
    fprintf(stderr, "flitcast: %s: could not be written\n", path);
    return EXIT_FAILED;
}

int close_output(const char *path, FILE *stream, fc_status status) {
    const bool made = ferror(stream) == 0 && status == FC_OK;
    int code = EXIT_FAILED;
    if (fclose(stream) == 0 && made)
        code = write_pending(path);
    else
        fprintf(stderr, "flitcast: %s: could not be written\n", path);
    free(pending);
    pending = NULL;
    return code;
}

void drop_output(FILE *stream) {
    fclose(stream);
    free(pending);
    pending = NULL;
}

int write_plot(const char *path, const fc_plot *plot, fc_format format) {
    const fc_write_settings settings = {.format = format};
    FILE *stream = open_output(path);
    return stream ? close_output(path, stream, fc_plot_write(plot, &settings, stream))
                  : EXIT_FAILED;
}

int write_plot_files(const arguments *given, const fc_plot *plot) {
    const char *svg = arguments_value(given, "svg"), *gnuplot = arguments_value(given, "gnuplot");
    const int code = svg ? write_plot(svg, plot, FC_FORMAT_SVG) : EXIT_DONE;
    return code == EXIT_DONE && gnuplot ? write_plot(gnuplot, plot, FC_FORMAT_GNUPLOT) : code;
}

int write_page_file(const arguments *given, page_writer *write, const void *what) {
    const char *path = arguments_value(given, "report");
    const fc_write_settings settings = {.format = FC_FORMAT_HTML};
    if (!path)
        return EXIT_DONE;
    FILE *stream = open_output(path);
    return stream ? close_output(path, stream, write(what, &settings, stream)) : EXIT_FAILED;
}

fc_cell text_cell(const char *text) {
    return (fc_cell){.kind = FC_CELL_TEXT, .text = text};
}

fc_cell number_cell(double value, int digits) {
    return (fc_cell){.kind = FC_CELL_NUMBER, .value = value, .digits = digits};
}

int finish_output(fc_status status) {
    if (status == FC_OK && fflush(stdout) == 0 && !ferror(stdout))
        return interrupted ? EXIT_FAILED : EXIT_DONE;
    if (status == FC_ERROR_MEMORY)
        fputs("flitcast: out of memory\n", stderr);
    else if (errno != EPIPE)
        fprintf(stderr, "flitcast: the output could not be written: %s\n", strerror(errno));
    return EXIT_FAILED;
}

/* ---- interruption and progress ---- */

static bool progress_shown;
static double progress_start;

static void on_interrupt(int signal_number) {
    if (interrupted) { /* the second time: at once */
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    interrupted = 1;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void show_progress(void *context, double done, const char *what) {
    (void)context;
    const double elapsed = now() - progress_start;
    if (elapsed < 1)
        return;
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; ++i)
        bar[i] = i < (int)(done * WIDTH) ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3.0f %% %.0f s", bar, 100 * done, elapsed);
    if (done > 0.02)
        fprintf(stderr, ", about %.0f s left", elapsed * (1 - done) / done);
    fprintf(stderr, "; %.80s\033[K", what);
    progress_shown = true;
}

/* A line for each new reason why a run has not ended. */
static void list_progress(void *context, double done, const char *what) {
    (void)context;
    (void)done;
    static char last[128];
    if (strncmp(last, what, sizeof last - 1) == 0)
        return;
    snprintf(last, sizeof last, "%s", what);
    fprintf(stderr, "%.1f s: %s\n", now() - progress_start, last);
}

void progress_end(void) {
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}

int run_settings(const arguments *given, fc_run_settings *settings) {
    *settings = fc_run_settings_default();
    const int code = arguments_count(given, "threads", 1, 1024, &settings->threads);
    settings->cancel = &interrupted;
    progress_start = now();
    if (arguments_has(given, "verbose"))
        settings->progress = list_progress;
    else if (isatty(STDERR_FILENO) && !arguments_has(given, "quiet"))
        settings->progress = show_progress;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    return code;
}

int begin_task(const arguments *given, task *begun) {
    int code = output_settings(given, &begun->output);
    if (code == EXIT_DONE)
        code = run_settings(given, &begun->run);
    if (code == EXIT_DONE)
        code = load_scenario(given, &begun->scenario);
    return code;
}

void say_unchecked(const char *store, size_t count) {
    if (count)
        fprintf(stderr,
                "flitcast: %s: %zu result%s of an older version, without checksums: a change to %s "
                "would not be seen\n",
                store, count, count == 1 ? "" : "s", count == 1 ? "it" : "them");
}
