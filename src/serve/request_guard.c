#include "serve/request_guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool guard_make_token(char token[TOKEN_SIZE]) {
    unsigned char bytes[(TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; ++i)
        snprintf(token + 2 * i, 3, "%02x", (unsigned)bytes[i]);
    return true;
}

bool guard_is_loopback(const char *address) {
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

/* "NAME:PORT", where an IPv6 address has brackets. */
static bool is_place(const char *text, const char *name, unsigned port) {
    char expected[96];
    snprintf(expected, sizeof expected, strchr(name, ':') ? "[%s]:%u" : "%s:%u", name, port);
    return strcasecmp(text, expected) == 0;
}

static bool is_wildcard(const char *address) {
    return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

/* An address of digits: names, which a foreign name server may point at this machine, are not. */
static bool is_number(const char *host, unsigned port) {
    const char *end = strrchr(host, ':');
    char name[64];
    if (!end || (size_t)(end - host) >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(end - host), host);
    const char *digits = name[0] == '[' ? "0123456789abcdefABCDEF:[]" : "0123456789.";
    char expected[16];
    snprintf(expected, sizeof expected, ":%u", port);
    return name[0] && !name[strspn(name, digits)] && strcmp(end, expected) == 0;
}

bool guard_accepts_host(const page_guard *guard, const char *host) {
    if (!host)
        return false;
    if (is_wildcard(guard->address))
        return is_number(host, guard->port) || is_place(host, "localhost", guard->port);
    return is_place(host, guard->address, guard->port) ||
           (guard_is_loopback(guard->address) && is_place(host, "localhost", guard->port));
}

bool guard_accepts_origin(const page_guard *guard, const char *origin) {
    static const char scheme[] = "http://";
    if (!origin)
        return true;
    return strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           guard_accepts_host(guard, origin + sizeof scheme - 1);
}

bool guard_accepts_token(const page_guard *guard, const char *token) {
    if (!token || strlen(token) != TOKEN_SIZE - 1)
        return false;
    unsigned char different = 0;
    for (size_t i = 0; i < TOKEN_SIZE - 1; ++i)
        different |= (unsigned char)(token[i] ^ guard->token[i]);
    return different == 0;
}
