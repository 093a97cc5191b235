/* The result store of a sweep: an SQLite file (WAL) with one row per scenario hash, method
 * (with its revision, so that a changed method does not answer with old rows) and seed.
 *
 * A row is there or not: a process killed at any moment loses what it had not finished, nothing
 * else. Several processes may use one store; claims keep them from doing the same work twice.
 *
 * Every row has a checksum over all of its columns: one that was changed since is not handed out.
 * Stores of format 1 had none: their rows are taken as they are, and counted. */
#ifndef FC_OUTPUT_STORE_H
#define FC_OUTPUT_STORE_H

#include "flitcast/flitcast.h"

typedef struct fc_store fc_store;

typedef struct fc_store_key {
    const char *scenario; /* hash */
    const char *method;
    unsigned revision;    /* of the method */
    unsigned calibration; /* which, by its number; 0: not calibrated */
    uint64_t seed;        /* 0 for models */
} fc_store_key;

/* write: make the file if it is not there; else it is only read, and nothing is changed. */
fc_status fc_store_open(const char *path, bool write, fc_error *error, fc_store **store);
void fc_store_close(fc_store *store);

/* Rows found so far that have no checksum; store may be NULL. */
size_t fc_store_unchecked(const fc_store *store);

/* *result is NULL if the store has no such row. Fails if it was changed after it was stored. */
fc_status fc_store_find(fc_store *store, fc_store_key key, fc_error *error, fc_result **result);
/* Adds a row unless it is there; settings: the point's settings as a JSON object. */
fc_status fc_store_add(fc_store *store, fc_store_key key, const fc_result *result,
                       const char *settings, fc_error *error);
/* Rows added between these appear together, or not at all. */
fc_status fc_store_begin(fc_store *store, fc_error *error);
fc_status fc_store_commit(fc_store *store, fc_error *error);

/* Announces work on a key. *claimed is false if another process that still runs has announced it. A
 * claim ends with the row, or with the process. */
fc_status fc_store_claim(fc_store *store, fc_store_key key, fc_error *error, bool *claimed);

#endif
