/* The result store: rows with checksums, rows of stores from before there were any. */
#include "test_support.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include "output/store.h"

static const char path[] = "unit_store.db", other[] = "unit_store_other.db";
static const char scenario_text[] = "network: {topology: mesh, radix: [3, 3], router_delay: 1, "
                                    "virtual_channels: 2}\ntraffic: {rate: 0.01}\n";
static const fc_store_key key = {.scenario = "0123456789abcdef", .method = "channel-load"};

static void clean(void) {
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        remove(name);
        snprintf(name, sizeof name, "%s%s", other, ends[i]);
        remove(name);
    }
}

static fc_store *open_store(void) {
    fc_error error = {{0}};
    fc_store *store;
    if (fc_store_open(path, true, &error, &store) != FC_OK)
        fail_msg("%s", error.text);
    return store;
}

static void add_row(fc_store_key as) {
    fc_scenario *scenario;
    fc_result *result;
    assert_int_equal(
        fc_scenario_read_text(scenario_text, strlen(scenario_text), "t", NULL, 0, NULL, &scenario),
        FC_OK);
    assert_int_equal(fc_predict(scenario, "channel-load", NULL, &result), FC_OK);
    fc_store *store = open_store();
    assert_int_equal(fc_store_add(store, as, result, "{\"traffic.rate\": \"0.01\"}", NULL), FC_OK);
    fc_store_close(store);
    fc_result_free(result);
    fc_scenario_free(scenario);
}

static void change(const char *statement) {
    sqlite3 *database;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, statement, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", statement, why);
    sqlite3_close(database);
}

static void a_changed_row_is_not_handed_out(void **state) {
    (void)state;
    static const char *const changes[] = {
        "UPDATE results SET result = replace(result, '1', '2')",
        "UPDATE results SET outcome = 'saturated'",
        "UPDATE results SET settings = replace(settings, '0.01', '0.02')",
        "UPDATE results SET version = '9'",
        "UPDATE results SET checksum = checksum + 1",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        clean();
        add_row(key);
        fc_error error = {{0}};
        fc_result *found = NULL;
        fc_store *store = open_store();
        assert_int_equal(fc_store_find(store, key, &error, &found), FC_OK);
        assert_non_null(found);
        assert_true(fc_store_unchecked(store) == 0);
        fc_result_free(found);
        fc_store_close(store);

        change(changes[i]);
        store = open_store();
        assert_int_equal(fc_store_find(store, key, &error, &found), FC_ERROR_FILE);
        assert_null(found);
        assert_non_null(strstr(error.text, "unit_store.db: a result was changed after it was "
                                           "stored"));
        assert_non_null(strstr(error.text, "0123456789abcdef"));
        fc_store_close(store);
        fc_stored *rows;
        size_t count;
        assert_int_equal(fc_store_read(path, &error, &rows, &count), FC_ERROR_FILE);
        const char *const from[] = {path};
        assert_int_equal(fc_store_merge(other, from, 1, &error, &count), FC_ERROR_FILE);
        assert_true(count == 0);
    }
    clean();
}

/* As the first format was: without the column. */
static void make_old(void) {
    clean();
    add_row(key);
    change("ALTER TABLE results DROP COLUMN checksum; PRAGMA user_version=1;");
}

static void rows_without_checksums_are_read_and_counted(void **state) {
    (void)state;
    fc_stored *rows;
    fc_result *found;
    size_t count;
    make_old();
    assert_int_equal(fc_store_read(path, NULL, &rows, &count), FC_OK);
    assert_true(count == 1 && rows[0].unchecked);
    fc_stored_free(rows, count);

    const char *const from[] = {path};
    assert_int_equal(fc_store_merge(other, from, 1, NULL, &count), FC_OK);
    assert_true(count == 1);
    assert_int_equal(fc_store_read(other, NULL, &rows, &count), FC_OK);
    assert_true(count == 1 && rows[0].unchecked);
    fc_stored_free(rows, count);

    fc_store *store = open_store(); /* from now on rows have checksums */
    assert_int_equal(fc_store_find(store, key, NULL, &found), FC_OK);
    assert_non_null(found);
    assert_true(fc_store_unchecked(store) == 1);
    fc_result_free(found);
    fc_store_close(store);
    add_row((fc_store_key){.scenario = "fedcba9876543210", .method = "channel-load"});
    assert_int_equal(fc_store_read(path, NULL, &rows, &count), FC_OK);
    assert_true(count == 2 && rows[0].unchecked != rows[1].unchecked);
    fc_stored_free(rows, count);
    clean();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_row_is_not_handed_out),
        cmocka_unit_test(rows_without_checksums_are_read_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
