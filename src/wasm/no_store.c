/* A browser keeps no results: what the library calls where a study names a store. */
#include "base/status.h"
#include "output/store.h"

fc_status fc_store_open(const char *path, bool write, fc_error *error, fc_store **store) {
    (void)write;
    (void)store;
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "%s: results are not stored in a browser", path);
}

void fc_store_close(fc_store *store) {
    (void)store;
}

fc_status fc_store_find(fc_store *store, fc_store_key key, fc_error *error, fc_result **result) {
    (void)store;
    (void)key;
    (void)error;
    *result = NULL;
    return FC_OK;
}

fc_status fc_store_add(fc_store *store, fc_store_key key, const fc_result *result,
                       const char *settings, fc_error *error) {
    (void)store;
    (void)key;
    (void)result;
    (void)settings;
    (void)error;
    return FC_OK;
}
