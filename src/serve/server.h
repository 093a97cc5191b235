/* flitcast serve: the page, and the calls it makes. */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include <stddef.h>

typedef struct server_settings {
    const char *address; /* to listen on */
    unsigned port;       /* 0: any that is free */
    const char *file;    /* the scenario to open with; NULL: the gallery */
    const char *text;    /* its content */
    unsigned threads;    /* of a simulation; 0: one per core */
    const volatile int *stop;
} server_settings;

/* Runs until *stop is nonzero. Prints the address on standard output once it is ready. Returns the
 * exit code of the command; on failure a sentence is left in `sentence`. */
int server_run(const server_settings *settings, char *sentence, size_t size);

#endif
