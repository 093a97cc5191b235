#include "output/store.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/status.h"
#include "output/json.h"
#include "output/writing.h"

enum { FORMAT = 1, BUSY_MILLISECONDS = 60000, OWNER_SIZE = 128 };
/* marks the file as ours to tools that look: "Flit" */
enum { APPLICATION_ID = 0x466c6974 };

struct fc_store {
    sqlite3 *database;
    char *path;
    sqlite3_stmt *find, *add, *claim, *claimed, *take, *unclaim;
    char owner[OWNER_SIZE];
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS results (scenario TEXT NOT NULL, method TEXT NOT NULL,"
    " seed INTEGER NOT NULL, version TEXT NOT NULL, settings TEXT NOT NULL, outcome TEXT NOT NULL,"
    " result TEXT NOT NULL, PRIMARY KEY (scenario, method, seed)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS claims (scenario TEXT NOT NULL, method TEXT NOT NULL,"
    " seed INTEGER NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (scenario, method, seed))"
    " WITHOUT ROWID;";

/* ---- errors ---- */

static fc_status fail(const char *path, sqlite3 *database, int code, fc_error *error) {
    if (code == SQLITE_NOMEM)
        return fc_fail_memory(error);
    const char *why = database ? sqlite3_errmsg(database) : sqlite3_errstr(code);
    switch (code & 0xff) {
    case SQLITE_FULL:
        return fc_fail(error, FC_ERROR_FILE,
                       "%.300s: the disk is full; the results stored so far are safe", path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return fc_fail(
            error, FC_ERROR_FILE,
            "%.300s: is not a result store, or is damaged (%s); nothing was changed in it", path,
            why);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: {
        const int reason = database ? sqlite3_system_errno(database) : 0;
        return fc_fail(error, FC_ERROR_FILE, "%.300s: cannot be opened for writing (%s)", path,
                       reason ? strerror(reason) : why);
    }
    case SQLITE_BUSY:
        return fc_fail(error, FC_ERROR_FILE, "%.300s: another process keeps it locked", path);
    default:
        return fc_fail(error, FC_ERROR_FILE, "%.300s: %s; the results stored so far are safe", path,
                       why);
    }
}

static fc_status fail_store(fc_store *store, int code, fc_error *error) {
    return fail(store->path, store->database, code, error);
}

/* ---- opening ---- */

static fc_status run(fc_store *store, const char *statement, fc_error *error) {
    const int code = sqlite3_exec(store->database, statement, NULL, NULL, NULL);
    return code == SQLITE_OK ? FC_OK : fail_store(store, code, error);
}

static int64_t pragma(fc_store *store, const char *statement, int *code) {
    sqlite3_stmt *query = NULL;
    int64_t value = -1;
    *code = sqlite3_prepare_v2(store->database, statement, -1, &query, NULL);
    if (*code == SQLITE_OK && (*code = sqlite3_step(query)) == SQLITE_ROW) {
        value = sqlite3_column_int64(query, 0);
        *code = SQLITE_OK;
    }
    sqlite3_finalize(query);
    return value;
}

/* An empty file becomes a store. Two processes may try at once: the first to lock it does. */
static fc_status make_tables(fc_store *store, fc_error *error) {
    int code;
    fc_status status = run(store, "BEGIN IMMEDIATE", error);
    if (status != FC_OK)
        return status;
    if (pragma(store, "SELECT count(*) FROM sqlite_master", &code) == 0) {
        char set[96];
        snprintf(set, sizeof set, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
                 APPLICATION_ID, FORMAT);
        status = run(store, set, error);
        if (status == FC_OK)
            status = run(store, schema, error);
    }
    return status == FC_OK ? run(store, "COMMIT", error) : status;
}

/* One of another program or format is refused untouched, and nothing is changed to read one. */
static fc_status check_format(fc_store *store, bool read_only, fc_error *error) {
    int code;
    const int64_t tables = pragma(store, "SELECT count(*) FROM sqlite_master", &code);
    if (code != SQLITE_OK)
        return fail_store(store, code, error);
    int64_t application = pragma(store, "PRAGMA application_id", &code);
    if (code == SQLITE_OK && tables == 0 && application == 0 && read_only)
        return fc_fail(error, FC_ERROR_FILE, "%.300s: is empty, not a result store", store->path);
    if (code == SQLITE_OK && tables == 0 && application == 0) {
        const fc_status status = make_tables(store, error);
        if (status != FC_OK)
            return status;
        application = pragma(store, "PRAGMA application_id", &code);
    }
    if (code != SQLITE_OK)
        return fail_store(store, code, error);
    const int64_t format = pragma(store, "PRAGMA user_version", &code);
    if (code != SQLITE_OK)
        return fail_store(store, code, error);
    if (application != APPLICATION_ID)
        return fc_fail(error, FC_ERROR_FILE,
                       "%.300s: is a database of another program; nothing was changed in it",
                       store->path);
    if (format != FORMAT)
        return fc_fail(error, FC_ERROR_FILE,
                       "%.300s: is a store of format %" PRId64 "; this version of Flitcast (%s) "
                       "reads format %d; nothing was changed in it",
                       store->path, format, fc_version(), FORMAT);
    return read_only ? FC_OK : run(store, "PRAGMA journal_mode=WAL", error);
}

/* SQLite does not wait for the lock that the change to WAL needs, so we do. */
static fc_status check_format_patiently(fc_store *store, bool read_only, fc_error *error) {
    const struct timespec moment = {.tv_nsec = 20000000};
    for (int waited = 0;; waited += 20) {
        const fc_status status = check_format(store, read_only, error);
        if (status == FC_OK || (sqlite3_errcode(store->database) & 0xff) != SQLITE_BUSY ||
            waited >= BUSY_MILLISECONDS)
            return status;
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
        nanosleep(&moment, NULL);
    }
}

static fc_status prepare(fc_store *store, const char *text, fc_error *error,
                         sqlite3_stmt **statement) {
    const int code =
        sqlite3_prepare_v3(store->database, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    return code == SQLITE_OK ? FC_OK : fail_store(store, code, error);
}

static fc_status prepare_all(fc_store *store, fc_error *error) {
    fc_status status =
        prepare(store, "SELECT result FROM results WHERE scenario=?1 AND method=?2 AND seed=?3",
                error, &store->find);
    if (status == FC_OK)
        status = prepare(store,
                         "INSERT OR IGNORE INTO results (scenario, method, seed, version, settings,"
                         " outcome, result) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                         error, &store->add);
    if (status == FC_OK)
        status = prepare(store,
                         "INSERT OR IGNORE INTO claims (scenario, method, seed, owner)"
                         " VALUES (?1, ?2, ?3, ?4)",
                         error, &store->claim);
    if (status == FC_OK)
        status =
            prepare(store, "SELECT owner FROM claims WHERE scenario=?1 AND method=?2 AND seed=?3",
                    error, &store->claimed);
    if (status == FC_OK)
        status = prepare(store,
                         "UPDATE claims SET owner=?4 WHERE scenario=?1 AND method=?2 AND seed=?3"
                         " AND owner=?5",
                         error, &store->take);
    if (status == FC_OK)
        status = prepare(store, "DELETE FROM claims WHERE scenario=?1 AND method=?2 AND seed=?3",
                         error, &store->unclaim);
    return status;
}

/* When a process began, in clock ticks since the machine did: with its number, that names it. */
static unsigned long long start_of(long process) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return 0;
    const size_t length = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[length] = '\0';
    const char *at = strrchr(text, ')'); /* the name before it may hold anything */
    for (int field = 2; at && field < 22; ++field)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

static void name_owner(fc_store *store) {
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(store->owner, sizeof store->owner, "%s %ld %llu", host, (long)getpid(),
             start_of(getpid()));
}

/* SQLite keeps two files beside a store that is in use. In a folder that may not be written there
 * are none, so that nobody is writing and the store can be read as it is. */
static int open_to_read(fc_store *store) {
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(store->path, &store->database, flags, NULL);
    if (code != SQLITE_OK)
        return code;
    pragma(store, "SELECT count(*) FROM sqlite_master", &code);
    if ((code & 0xff) != SQLITE_CANTOPEN && (code & 0xff) != SQLITE_READONLY)
        return SQLITE_OK;
    sqlite3_close(store->database);
    store->database = NULL;
    char *address = sqlite3_mprintf("file:%s?immutable=1", store->path);
    if (!address)
        return SQLITE_NOMEM;
    code = sqlite3_open_v2(address, &store->database, flags | SQLITE_OPEN_URI, NULL);
    sqlite3_free(address);
    return code;
}

static fc_status prepare_to_write(fc_store *store, fc_error *error) {
    const fc_status status = run(store, "PRAGMA synchronous=NORMAL", error);
    name_owner(store);
    return status == FC_OK ? prepare_all(store, error) : status;
}

fc_status fc_store_open(const char *path, bool write, fc_error *error, fc_store **result) {
    fc_store *store = fc_allocate(1, sizeof *store);
    if (!store || !(store->path = fc_copy_text(path))) {
        fc_release(store);
        return fc_fail_memory(error);
    }
    const int code =
        write ? sqlite3_open_v2(path, &store->database,
                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                                NULL)
              : open_to_read(store);
    fc_status status = FC_OK;
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        status =
            fc_fail(error, FC_ERROR_FILE, "%.300s: cannot be opened (%s)", path, strerror(EISDIR));
    else if (code != SQLITE_OK && !write && access(path, R_OK) != 0)
        status = fc_fail(error, FC_ERROR_FILE, "%.300s: cannot be read: %s", path, strerror(errno));
    else if (code != SQLITE_OK)
        status = fail_store(store, code, error);
    if (status == FC_OK) {
        sqlite3_busy_timeout(store->database, BUSY_MILLISECONDS);
        status = check_format_patiently(store, !write, error);
    }
    if (status == FC_OK && write)
        status = prepare_to_write(store, error);
    if (status != FC_OK) {
        fc_store_close(store);
        return status;
    }
    *result = store;
    return FC_OK;
}

void fc_store_close(fc_store *store) {
    if (!store)
        return;
    sqlite3_finalize(store->find);
    sqlite3_finalize(store->add);
    sqlite3_finalize(store->claim);
    sqlite3_finalize(store->claimed);
    sqlite3_finalize(store->take);
    sqlite3_finalize(store->unclaim);
    sqlite3_close(store->database);
    fc_release(store->path);
    fc_release(store);
}

fc_status fc_store_begin(fc_store *store, fc_error *error) {
    return run(store, "BEGIN IMMEDIATE", error);
}

fc_status fc_store_commit(fc_store *store, fc_error *error) {
    const fc_status status = run(store, "COMMIT", error);
    if (status != FC_OK)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- rows ---- */

/* The column "method" holds "flit", "flit@1" from the second revision of a method on (revisions
 * count from 0), and
 * "torus-sharing+812" by the calibration of that number. */
static void bind_key(sqlite3_stmt *statement, fc_store_key key) {
    char method[FC_NAME_SIZE + 32], revision[16] = "", calibration[16] = "";
    if (key.revision)
        snprintf(revision, sizeof revision, "@%u", key.revision);
    if (key.calibration)
        snprintf(calibration, sizeof calibration, "+%u", key.calibration);
    snprintf(method, sizeof method, "%s%s%s", key.method, revision, calibration);
    sqlite3_reset(statement);
    sqlite3_bind_text(statement, 1, key.scenario, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, method, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(statement, 3, (sqlite3_int64)key.seed);
}

static fc_status finish(fc_store *store, sqlite3_stmt *statement, int code, fc_error *error) {
    const fc_status status =
        code == SQLITE_DONE || code == SQLITE_ROW ? FC_OK : fail_store(store, code, error);
    sqlite3_reset(statement);
    return status;
}

fc_status fc_store_find(fc_store *store, fc_store_key key, fc_error *error, fc_result **result) {
    *result = NULL;
    bind_key(store->find, key);
    const int code = sqlite3_step(store->find);
    fc_status status = FC_OK;
    if (code == SQLITE_ROW)
        status = fc_result_read((const char *)sqlite3_column_text(store->find, 0), error, result);
    const fc_status ended = finish(store, store->find, code, error);
    return status == FC_OK ? ended : status;
}

fc_status fc_store_add(fc_store *store, fc_store_key key, const fc_result *result,
                       const char *settings, fc_error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return fc_fail_memory(error);
    fc_writing writing = fc_writing_begin();
    const fc_status written =
        fc_writing_end(&writing, stream, fc_json_write(fc_json_result(result, false), stream));
    fclose(stream);
    if (written != FC_OK) {
        free(text);
        return fc_fail_memory(error);
    }
    bind_key(store->add, key);
    sqlite3_bind_text(store->add, 4, result->version, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(store->add, 5, settings, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(store->add, 6, fc_outcome_name(result->outcome), -1, SQLITE_STATIC);
    sqlite3_bind_text(store->add, 7, text, -1, SQLITE_TRANSIENT);
    fc_status status = finish(store, store->add, sqlite3_step(store->add), error);
    free(text);
    if (status == FC_OK) {
        bind_key(store->unclaim, key);
        status = finish(store, store->unclaim, sqlite3_step(store->unclaim), error);
    }
    return status;
}

/* ---- claims ---- */

/* A process of another machine cannot be seen from here: it counts as running. */
static bool is_running(const fc_store *store, const char *owner) {
    char host[64];
    long process;
    unsigned long long start;
    if (sscanf(owner, "%63s %ld %llu", host, &process, &start) != 3)
        return false;
    const size_t length = strlen(host);
    if (strncmp(store->owner, host, length) != 0 || store->owner[length] != ' ')
        return true;
    return start_of(process) == start && start != 0;
}

fc_status fc_store_claim(fc_store *store, fc_store_key key, fc_error *error, bool *claimed) {
    bind_key(store->claim, key);
    sqlite3_bind_text(store->claim, 4, store->owner, -1, SQLITE_STATIC);
    fc_status status = finish(store, store->claim, sqlite3_step(store->claim), error);
    *claimed = status == FC_OK && sqlite3_changes(store->database) > 0;
    if (status != FC_OK || *claimed)
        return status;
    char owner[OWNER_SIZE] = "";
    bind_key(store->claimed, key);
    const int code = sqlite3_step(store->claimed);
    if (code == SQLITE_ROW)
        snprintf(owner, sizeof owner, "%s", (const char *)sqlite3_column_text(store->claimed, 0));
    status = finish(store, store->claimed, code, error);
    if (status != FC_OK)
        return status;
    if (strcmp(owner, store->owner) == 0) {
        *claimed = true;
        return FC_OK;
    }
    if (is_running(store, owner))
        return FC_OK;
    /* of a process that is gone: whoever replaces it first has it */
    bind_key(store->take, key);
    sqlite3_bind_text(store->take, 4, store->owner, -1, SQLITE_STATIC);
    sqlite3_bind_text(store->take, 5, owner, -1, SQLITE_TRANSIENT);
    status = finish(store, store->take, sqlite3_step(store->take), error);
    *claimed = status == FC_OK && sqlite3_changes(store->database) > 0;
    return status;
}

/* ---- whole stores ---- */

void fc_stored_free(fc_stored *rows, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        fc_result_free(rows[i].result);
        fc_release(rows[i].settings);
    }
    fc_release(rows);
}

static fc_status read_row(sqlite3_stmt *query, fc_error *error, fc_stored *row) {
    const char *version = (const char *)sqlite3_column_text(query, 1);
    const char *settings = (const char *)sqlite3_column_text(query, 2);
    const char *result = (const char *)sqlite3_column_text(query, 3);
    if (!version || !settings || !result) /* no column may be empty, so memory ran out */
        return fc_fail_memory(error);
    row->seed = (uint64_t)sqlite3_column_int64(query, 0);
    snprintf(row->version, sizeof row->version, "%s", version);
    row->settings = fc_copy_text(settings);
    return row->settings ? fc_result_read(result, error, &row->result) : fc_fail_memory(error);
}

static fc_status read_rows(fc_store *store, fc_error *error, fc_stored **rows, size_t *count) {
    sqlite3_stmt *query = NULL;
    fc_status status = prepare(store,
                               "SELECT seed, version, settings, result FROM results"
                               " ORDER BY settings, method, seed",
                               error, &query);
    fc_stored *list = NULL;
    size_t used = 0;
    int code = SQLITE_DONE;
    while (status == FC_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
        if ((used & (used - 1)) == 0) {
            fc_stored *grown = fc_reallocate(list, used ? 2 * used : 1, sizeof *list);
            if (!grown) {
                status = fc_fail_memory(error);
                break;
            }
            list = grown;
        }
        list[used] = (fc_stored){0};
        status = read_row(query, error, &list[used++]);
    }
    if (status == FC_OK && code != SQLITE_DONE)
        status = fail_store(store, code, error);
    sqlite3_finalize(query);
    if (status != FC_OK) {
        fc_stored_free(list, used);
        return status;
    }
    *rows = list;
    *count = used;
    return FC_OK;
}

fc_status fc_store_read(const char *path, fc_error *error, fc_stored **rows, size_t *count) {
    fc_store *store;
    fc_status status = fc_store_open(path, false, error, &store);
    if (status != FC_OK)
        return status;
    status = read_rows(store, error, rows, count);
    fc_store_close(store);
    return status;
}

static fc_status merge_one(fc_store *into, const char *path, fc_error *error, size_t *added) {
    sqlite3_stmt *attach = NULL;
    fc_status status = prepare(into, "ATTACH DATABASE ?1 AS source", error, &attach);
    if (status != FC_OK)
        return status;
    sqlite3_bind_text(attach, 1, path, -1, SQLITE_TRANSIENT);
    status = finish(into, attach, sqlite3_step(attach), error);
    sqlite3_finalize(attach);
    if (status != FC_OK)
        return status;
    const int before = sqlite3_total_changes(into->database);
    status = run(into, "INSERT OR IGNORE INTO main.results SELECT * FROM source.results", error);
    *added += (size_t)(sqlite3_total_changes(into->database) - before);
    const fc_status detached = run(into, "DETACH DATABASE source", error);
    return status == FC_OK ? detached : status;
}

fc_status fc_store_merge(const char *into, const char *const *from, size_t count, fc_error *error,
                         size_t *added) {
    fc_store *store = NULL;
    fc_status status = FC_OK;
    *added = 0;
    for (size_t i = 0; i < count && status == FC_OK; ++i) { /* before anything is created */
        status = fc_store_open(from[i], false, error, &store);
        if (status == FC_OK)
            fc_store_close(store);
        store = NULL;
    }
    if (status == FC_OK)
        status = fc_store_open(into, true, error, &store);
    for (size_t i = 0; i < count && status == FC_OK; ++i)
        status = merge_one(store, from[i], error, added);
    fc_store_close(store);
    return status;
}
