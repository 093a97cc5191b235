/* Who may call the page's server: pure functions over what a request says of itself.
 *
 * The server runs on the user's own machine, where any web page the user visits can make the
 * browser send requests to it. Three things keep those out: the Host header must name the address
 * it listens on (a foreign name that resolves to this machine is refused), a request that says
 * where it comes from must come from the page itself, and every call carries a token that only the
 * printed address holds. */
#ifndef SERVE_REQUEST_GUARD_H
#define SERVE_REQUEST_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum { TOKEN_SIZE = 33 }; /* 32 hexadecimal digits */

/* A token from the system's random numbers; false if there are none. */
bool guard_make_token(char token[TOKEN_SIZE]);

typedef struct page_guard {
    char address[64]; /* that it listens on: "127.0.0.1" */
    unsigned port;
    char token[TOKEN_SIZE];
} page_guard;

/* host: the header, or NULL. True for the address itself and, on loopback, for localhost. */
bool guard_accepts_host(const page_guard *guard, const char *host);
/* origin: the header, or NULL where there is none: then it is no browser's cross-site request. */
bool guard_accepts_origin(const page_guard *guard, const char *origin);
/* Takes the same time wherever the first difference is. */
bool guard_accepts_token(const page_guard *guard, const char *token);
/* Whether an address is one of this machine alone. */
bool guard_is_loopback(const char *address);

#endif
