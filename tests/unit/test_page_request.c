/* Who may call the page's server, and how its requests are read. */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "page/page_request.h"
#include "serve/request_guard.h"

static const page_guard local = {"127.0.0.1", 8017, "0123456789abcdef0123456789abcdef"};

static void test_only_the_own_address_is_answered(void **state) {
    (void)state;
    assert_true(guard_accepts_host(&local, "127.0.0.1:8017"));
    assert_true(guard_accepts_host(&local, "localhost:8017"));
    assert_true(guard_accepts_host(&local, "LOCALHOST:8017"));
    static const char *const others[] = {
        "127.0.0.1", "127.0.0.1:8018",  "evil.example:8017", "127.0.0.1.evil:8017", "localhost",
        "",          "127.0.0.1:8017 ", "[::1]:8017"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        assert_false(guard_accepts_host(&local, others[i]));
    assert_false(guard_accepts_host(&local, NULL));
}

static void test_an_address_of_all_interfaces_is_answered_by_number_only(void **state) {
    (void)state;
    const page_guard open = {"0.0.0.0", 80, ""};
    assert_true(guard_accepts_host(&open, "192.0.2.7:80"));
    assert_true(guard_accepts_host(&open, "[2001:db8::1]:80"));
    assert_false(guard_accepts_host(&open, "rebound.example:80"));
    assert_false(guard_accepts_host(&open, "192.0.2.7:81"));
    assert_false(guard_accepts_host(&open, ":80"));
}

static void test_other_pages_may_not_call(void **state) {
    (void)state;
    assert_true(guard_accepts_origin(&local, NULL)); /* no browser's cross-site request */
    assert_true(guard_accepts_origin(&local, "http://127.0.0.1:8017"));
    static const char *const others[] = {"http://evil.example", "https://127.0.0.1:8017", "null",
                                         "", "http://127.0.0.1:8017.evil.example"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        assert_false(guard_accepts_origin(&local, others[i]));
}

static void test_tokens(void **state) {
    (void)state;
    char one[TOKEN_SIZE], two[TOKEN_SIZE];
    assert_true(guard_make_token(one) && guard_make_token(two));
    assert_int_equal(strlen(one), TOKEN_SIZE - 1);
    assert_string_not_equal(one, two);
    assert_true(guard_accepts_token(&local, "0123456789abcdef0123456789abcdef"));
    assert_false(guard_accepts_token(&local, "0123456789abcdef0123456789abcdee"));
    assert_false(guard_accepts_token(&local, "0123456789abcdef"));
    assert_false(guard_accepts_token(&local, ""));
    assert_false(guard_accepts_token(&local, NULL));
}

static void test_loopback(void **state) {
    (void)state;
    assert_true(guard_is_loopback("127.0.0.1"));
    assert_true(guard_is_loopback("::1"));
    assert_false(guard_is_loopback("0.0.0.0"));
    assert_false(guard_is_loopback("192.0.2.1"));
}

static bool reads(const char *body, page_request *request) {
    char sentence[160];
    return page_request_read(body, strlen(body), request, sentence);
}

static void test_requests(void **state) {
    (void)state;
    page_request request;
    assert_true(reads("{\"text\": \"a: b\", \"pins\": [{\"label\": \"x\", \"text\": \"c\"}], "
                      "\"precision\": 0.05}",
                      &request));
    assert_string_equal(request.scenario.text, "a: b");
    assert_int_equal(request.pin_count, 1);
    assert_string_equal(request.pins[0].label, "x");
    assert_true(request.precision > 0.049);
    page_request_clear(&request);
    static const char *const wrong[] = {
        "",
        "[]",
        "{",
        "{}",
        "{\"text\": 5}",
        "{\"text\": \"\", \"pins\": {}}",
        "{\"text\": \"\", \"pins\": [5]}",
        "{\"text\": \"\", \"pins\": [{\"label\": \"x\"}]}",
        "{\"text\": \"\", \"precision\": 0}",
        "{\"text\": \"\", \"precision\": \"fast\"}",
        "{\"text\": \"\", \"text\": \"\"}",
        ("{\"text\": \"\", \"pins\": [{\"text\": \"\"},{\"text\": \"\"},{\"text\": \"\"},"
         "{\"text\": \"\"},{\"text\": \"\"},{\"text\": \"\"},{\"text\": \"\"}]}"),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        if (reads(wrong[i], &request))
            fail_msg("read: %s", wrong[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_the_own_address_is_answered),
        cmocka_unit_test(test_an_address_of_all_interfaces_is_answered_by_number_only),
        cmocka_unit_test(test_other_pages_may_not_call),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_loopback),
        cmocka_unit_test(test_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
