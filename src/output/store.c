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
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "output/text/json.h"
#include "output/text/writing.h"

/* Rows of format 1 have no checksum. */
enum {
    FORMAT = 2,
    FORMAT_UNCHECKED = 1,
    BUSY_MILLISECONDS = 60000,
    OWNER_SIZE = 128,
    METHOD_SIZE = FC_NAME_SIZE + 32
};
/* marks the file as ours to tools that look: "Flit" */
enum { APPLICATION_ID = 0x466c6974 };

struct fc_store {
    sqlite3 *database;
    char *path;
    int64_t format;
    size_t unchecked; /* rows found that have no checksum */
    sqlite3_stmt *find, *add, *claim, *claimed, *take, *unclaim;
    char owner[OWNER_SIZE];
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS results (scenario TEXT NOT NULL, method TEXT NOT NULL,"
    " seed INTEGER NOT NULL, version TEXT NOT NULL, settings TEXT NOT NULL, outcome TEXT NOT NULL,"
    " result TEXT NOT NULL, checksum INTEGER, PRIMARY KEY (scenario, method, seed)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS claims (scenario TEXT NOT NULL, method TEXT NOT NULL,"
    " seed INTEGER NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (scenario, method, seed))"
    " WITHOUT ROWID;";

#define COLUMNS "scenario, method, seed, version, settings, outcome, result"
#define SELECT_ROW "SELECT " COLUMNS ", checksum FROM results"
#define SELECT_UNCHECKED_ROW "SELECT " COLUMNS ", NULL FROM results"
enum { SCENARIO, METHOD, SEED, VERSION, SETTINGS, OUTCOME, RESULT, CHECKSUM };

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

/* Its rows stay without checksums. Another process may have done it in the meantime. */
static fc_status add_checksums(fc_store *store, fc_error *error) {
    int code;
    char change[128];
    fc_status status = run(store, "BEGIN IMMEDIATE", error);
    if (status != FC_OK)
        return status;
    snprintf(change, sizeof change,
             "ALTER TABLE results ADD COLUMN checksum INTEGER; PRAGMA user_version=%d;", FORMAT);
    if (pragma(store, "PRAGMA user_version", &code) == FORMAT_UNCHECKED)
        status = run(store, change, error);
    store->format = FORMAT;
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
    store->format = format;
    if (format != FORMAT && format != FORMAT_UNCHECKED)
        return fc_fail(error, FC_ERROR_FILE,
                       "%.300s: is a store of format %" PRId64 "; this version of Flitcast (%s) "
                       "reads formats %d and %d; nothing was changed in it",
                       store->path, format, fc_version(), FORMAT_UNCHECKED, FORMAT);
    if (read_only)
        return FC_OK;
    const fc_status status = run(store, "PRAGMA journal_mode=WAL", error);
    return status == FC_OK && format == FORMAT_UNCHECKED ? add_checksums(store, error) : status;
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
    fc_status status = prepare(store, SELECT_ROW " WHERE scenario=?1 AND method=?2 AND seed=?3",
                               error, &store->find);
    if (status == FC_OK)
        status = prepare(store,
                         "INSERT OR IGNORE INTO results (" COLUMNS
                         ", checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
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

size_t fc_store_unchecked(const fc_store *store) {
    return store ? store->unchecked : 0;
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
static void write_method(fc_store_key key, char method[METHOD_SIZE]) {
    char revision[16] = "", calibration[16] = "";
    if (key.revision)
        snprintf(revision, sizeof revision, "@%u", key.revision);
    if (key.calibration)
        snprintf(calibration, sizeof calibration, "+%u", key.calibration);
    snprintf(method, METHOD_SIZE, "%s%s%s", key.method, revision, calibration);
}

static void bind_key(sqlite3_stmt *statement, fc_store_key key) {
    char method[METHOD_SIZE];
    write_method(key, method);
    sqlite3_reset(statement);
    sqlite3_bind_text(statement, 1, key.scenario, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, method, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(statement, 3, (sqlite3_int64)key.seed);
}

/* Of all columns but the last, each with the zero behind it. */
static int64_t checksum_of(const char *const texts[CHECKSUM], int64_t seed) {
    uint64_t hash = fc_hash(FC_HASH_START, &seed, sizeof seed);
    for (int i = 0; i < CHECKSUM; ++i) {
        if (i != SEED)
            hash = fc_hash(hash, texts[i], strlen(texts[i]) + 1);
    }
    return (int64_t)hash;
}

/* The row that a query stands on: whether it is as it was stored. */
static fc_status check_row(fc_store *store, sqlite3_stmt *query, fc_error *error, bool *unchecked) {
    const char *texts[CHECKSUM] = {NULL};
    const int64_t seed = sqlite3_column_int64(query, SEED);
    for (int i = 0; i < CHECKSUM; ++i) {
        if (i != SEED && !(texts[i] = (const char *)sqlite3_column_text(query, i)))
            return fc_fail_memory(error); /* no column may be empty */
    }
    *unchecked = sqlite3_column_type(query, CHECKSUM) == SQLITE_NULL;
    store->unchecked += *unchecked;
    if (*unchecked || sqlite3_column_int64(query, CHECKSUM) == checksum_of(texts, seed))
        return FC_OK;
    return fc_fail(
        error, FC_ERROR_FILE,
        "%.300s: a result was changed after it was stored (its checksum does not fit): "
        "scenario %s, method %s, seed %" PRId64 ", %.80s; take it out, and it is computed "
        "again: sqlite3 STORE \"DELETE FROM results WHERE scenario='%s' AND method='%s'\"",
        store->path, texts[SCENARIO], texts[METHOD], seed, texts[SETTINGS], texts[SCENARIO],
        texts[METHOD]);
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
    bool unchecked;
    if (code == SQLITE_ROW)
        status = check_row(store, store->find, error, &unchecked);
    if (code == SQLITE_ROW && status == FC_OK)
        status =
            fc_result_read((const char *)sqlite3_column_text(store->find, RESULT), error, result);
    const fc_status ended = finish(store, store->find, code, error);
    return status == FC_OK ? ended : status;
}

static fc_status add_row(fc_store *store, fc_store_key key, const fc_result *result,
                         const char *settings, const char *text, fc_error *error) {
    char method[METHOD_SIZE];
    write_method(key, method);
    const char *const texts[CHECKSUM] = {[SCENARIO] = key.scenario,
                                         [METHOD] = method,
                                         [VERSION] = result->version,
                                         [SETTINGS] = settings,
                                         [OUTCOME] = fc_outcome_name(result->outcome),
                                         [RESULT] = text};
    bind_key(store->add, key);
    for (int i = VERSION; i < CHECKSUM; ++i)
        sqlite3_bind_text(store->add, i + 1, texts[i], -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(store->add, CHECKSUM + 1, checksum_of(texts, (int64_t)key.seed));
    return finish(store, store->add, sqlite3_step(store->add), error);
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
    fc_status status = add_row(store, key, result, settings, text, error);
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

static fc_status read_row(fc_store *store, sqlite3_stmt *query, fc_error *error, fc_stored *row) {
    const fc_status status = check_row(store, query, error, &row->unchecked);
    if (status != FC_OK)
        return status;
    row->seed = (uint64_t)sqlite3_column_int64(query, SEED);
    snprintf(row->version, sizeof row->version, "%s",
             (const char *)sqlite3_column_text(query, VERSION));
    row->settings = fc_copy_text((const char *)sqlite3_column_text(query, SETTINGS));
    return row->settings ? fc_result_read((const char *)sqlite3_column_text(query, RESULT), error,
                                          &row->result)
                         : fc_fail_memory(error);
}

/* All rows of a store of either format. */
static fc_status query_rows(fc_store *store, fc_error *error, sqlite3_stmt **query) {
    return prepare(store,
                   store->format == FORMAT_UNCHECKED
                       ? SELECT_UNCHECKED_ROW " ORDER BY settings, method, seed"
                       : SELECT_ROW " ORDER BY settings, method, seed",
                   error, query);
}

static fc_status read_rows(fc_store *store, fc_error *error, fc_stored **rows, size_t *count) {
    sqlite3_stmt *query = NULL;
    fc_status status = query_rows(store, error, &query);
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
        status = read_row(store, query, error, &list[used++]);
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

/* The row that a query stands on, unless it is there. */
static fc_status copy_row(fc_store *into, sqlite3_stmt *row, fc_error *error) {
    sqlite3_reset(into->add);
    for (int i = 0; i <= CHECKSUM; ++i)
        sqlite3_bind_value(into->add, i + 1, sqlite3_column_value(row, i));
    return finish(into, into->add, sqlite3_step(into->add), error);
}

static fc_status merge_rows(fc_store *into, fc_store *from, fc_error *error) {
    sqlite3_stmt *query = NULL;
    int code = SQLITE_DONE;
    fc_status status = query_rows(from, error, &query);
    while (status == FC_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
        bool unchecked;
        status = check_row(from, query, error, &unchecked);
        if (status == FC_OK)
            status = copy_row(into, query, error);
    }
    if (status == FC_OK && code != SQLITE_DONE)
        status = fail_store(from, code, error);
    sqlite3_finalize(query);
    return status;
}

static fc_status merge_one(fc_store *into, const char *path, fc_error *error, size_t *added) {
    fc_store *from;
    fc_status status = fc_store_open(path, false, error, &from);
    if (status != FC_OK)
        return status;
    const int before = sqlite3_total_changes(into->database);
    status = fc_store_begin(into, error);
    if (status == FC_OK) {
        status = merge_rows(into, from, error);
        if (status == FC_OK)
            status = fc_store_commit(into, error);
        else
            sqlite3_exec(into->database, "ROLLBACK", NULL, NULL, NULL);
    }
    if (status == FC_OK)
        *added += (size_t)(sqlite3_total_changes(into->database) - before);
    fc_store_close(from);
    return status;
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
