/* Every rank reads the same command line, so that a job is a number and its answer is the JSON text
 * of a result.
 *
 * Messages:
 *   rank 0 -> worker   a job, or STOP
 *   worker -> rank 0   "JOB STATUS\n" and the result as JSON, or the sentence of the error;
 *                      "STOPPED" after STOP
 * A worker that could not read the scenario says so for a job of its own, SETUP, and then waits for
 * STOP like the others. Waiting polls with sleeps: a coordinator that spins would cost a core. */
#include "cli/sweep_mpi.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG_JOB = 1, TAG_ANSWER = 2 };
static const long long stop_job = -1, setup_job = -2, stopped_job = -3;

/* ---- messages ---- */

/* Waits for a message; false if cancelled meanwhile. */
static bool wait_message(const volatile int *cancel, int source, int tag, MPI_Status *about) {
    long pause = 2000; /* nanoseconds */
    for (int there = 0;;) {
        MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, about);
        if (there)
            return true;
        if (cancel && *cancel)
            return false;
        const struct timespec moment = {.tv_nsec = pause};
        nanosleep(&moment, NULL);
        if (pause < 1000000)
            pause *= 2;
    }
}

static char *receive_text(const MPI_Status *about) {
    int length = 0;
    MPI_Get_count(about, MPI_CHAR, &length);
    char *text = calloc((size_t)length + 1, 1);
    if (text)
        MPI_Recv(text, length, MPI_CHAR, about->MPI_SOURCE, about->MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return text;
}

static void send_answer(long long job, fc_status status, const char *body) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream) {
        fprintf(stream, "%lld %d\n%s", job, (int)status, body ? body : "");
        fclose(stream);
    }
    if (!text)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED); /* out of memory: nothing can be said */
    MPI_Send(text, (int)length, MPI_CHAR, 0, TAG_ANSWER, MPI_COMM_WORLD);
    free(text);
}

/* ---- workers ---- */

static void send_result(long long job, const fc_result *result) {
    char *text = NULL;
    size_t length = 0;
    fc_write_settings settings = fc_write_settings_default();
    settings.format = FC_FORMAT_JSON;
    FILE *stream = open_memstream(&text, &length);
    fc_status status = stream ? fc_result_write(result, &settings, stream) : FC_ERROR_MEMORY;
    if (stream)
        fclose(stream);
    send_answer(job, status, status == FC_OK ? text : fc_status_text(status));
    free(text);
}

static void do_job(long long job, const fc_scenario *scenario, const fc_sweep_settings *sweep,
                   const fc_run_settings *settings) {
    fc_error error = {{0}};
    fc_result *result = NULL;
    fc_status status = fc_sweep_evaluate(scenario, sweep, (size_t)job, settings, &error, &result);
    if (status == FC_OK && settings->cancel && *settings->cancel)
        status = FC_ERROR_CANCELLED; /* what was cut short is not a result of the sweep */
    if (status != FC_OK)
        send_answer(job, status, error.text[0] ? error.text : fc_status_text(status));
    else
        send_result(job, result);
    fc_result_free(result);
}

void mpi_work(const mpi_team *team, const fc_scenario *scenario, const fc_sweep_settings *sweep,
              const fc_run_settings *settings) {
    if (!scenario) {
        char text[160];
        snprintf(text, sizeof text,
                 "process %d of the MPI job could not read the scenario: is the file on its "
                 "machine too?",
                 team->rank);
        send_answer(setup_job, FC_ERROR_FILE, text);
    }
    for (;;) {
        MPI_Status about;
        long long job;
        wait_message(NULL, 0, TAG_JOB, &about);
        MPI_Recv(&job, 1, MPI_LONG_LONG, 0, TAG_JOB, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (job == stop_job)
            break;
        if (scenario)
            do_job(job, scenario, sweep, settings);
    }
    send_answer(stopped_job, FC_OK, "");
}

/* ---- rank 0 ---- */

static fc_status report(fc_error *error, fc_status status, const char *text) {
    if (error)
        snprintf(error->text, sizeof error->text, "%s", text);
    return status;
}

static fc_status hand_out(void *context, size_t job, fc_error *error) {
    mpi_team *team = context;
    (void)error;
    const long long number = (long long)job;
    MPI_Send(&number, 1, MPI_LONG_LONG, team->idle[--team->idle_count], TAG_JOB, MPI_COMM_WORLD);
    return FC_OK;
}

static fc_status read_answer(char *text, fc_error *error, long long *job, fc_result **result) {
    int status = FC_OK;
    *job = setup_job;
    char *body = strchr(text, '\n');
    if (!body || sscanf(text, "%lld %d", job, &status) != 2)
        return report(error, FC_ERROR_FILE, "an answer within the MPI job is not readable");
    ++body;
    *result = NULL;
    if (status != FC_OK)
        return report(error, (fc_status)status, body);
    return fc_result_read(body, error, result);
}

static fc_status take_back(void *context, fc_error *error, size_t *job, fc_result **result) {
    mpi_team *team = context;
    MPI_Status about;
    long long number = 0;
    if (!wait_message(team->cancel, MPI_ANY_SOURCE, TAG_ANSWER, &about))
        return report(error, FC_ERROR_CANCELLED, "stopped");
    char *text = receive_text(&about);
    if (!text)
        return report(error, FC_ERROR_MEMORY, fc_status_text(FC_ERROR_MEMORY));
    const fc_status status = read_answer(text, error, &number, result);
    free(text);
    team->idle[team->idle_count++] = about.MPI_SOURCE;
    *job = (size_t)number;
    return status;
}

bool mpi_start(mpi_team *team) {
    int level;
    *team = (mpi_team){0};
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &team->size);
    team->idle = calloc((size_t)team->size, sizeof *team->idle);
    if (!team->idle)
        return false;
    for (int rank = team->size - 1; rank > 0; --rank)
        team->idle[team->idle_count++] = rank;
    team->crew = (fc_crew){team->idle_count, team, hand_out, take_back};
    if (team->rank > 0 &&
        (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return false;
    return true;
}

bool mpi_share_input(const mpi_team *team) {
    enum { PIECE = 1 << 16, MOST = 1 << 21 }; /* bytes; what is longer is refused when it is read */
    static char piece[PIECE];
    FILE *copy = tmpfile();
    int count = 1, kept = copy != NULL;
    for (int total = 0; count > 0 && total < MOST; total += count) {
        count = team->rank == 0 ? (int)fread(piece, 1, PIECE, stdin) : 0;
        MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(piece, count, MPI_CHAR, 0, MPI_COMM_WORLD);
        kept &= copy && fwrite(piece, 1, (size_t)count, copy) == (size_t)count;
    }
    /* What stands for the standard input shares its position with the copy. */
    kept &= copy && fseek(copy, 0, SEEK_SET) == 0 && dup2(fileno(copy), STDIN_FILENO) >= 0;
    if (copy)
        fclose(copy);
    MPI_Allreduce(MPI_IN_PLACE, &kept, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return kept;
}

/* Answers still under way are read and dropped, so that no rank ends with a message unread. */
static void dismiss(const mpi_team *team) {
    for (int rank = 1; rank < team->size; ++rank)
        MPI_Send(&stop_job, 1, MPI_LONG_LONG, rank, TAG_JOB, MPI_COMM_WORLD);
    for (int left = team->size - 1; left > 0;) {
        MPI_Status about;
        long long job = 0;
        wait_message(NULL, MPI_ANY_SOURCE, TAG_ANSWER, &about);
        char *text = receive_text(&about);
        if (!text)
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
        if (sscanf(text, "%lld", &job) == 1 && job == stopped_job)
            --left;
        free(text);
    }
}

void mpi_end(mpi_team *team) {
    if (team->rank == 0)
        dismiss(team);
    free(team->idle);
    MPI_Finalize();
}
