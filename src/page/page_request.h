/* What the page asks, read from the JSON body of a request. */
#ifndef PAGE_PAGE_REQUEST_H
#define PAGE_PAGE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum { BODY_MAX = 1 << 20, PINS_MAX = 6, PIN_LABEL_SIZE = 80 };

typedef struct page_text {
    char *text; /* a scenario or a BookSim configuration */
    size_t length;
    char label[PIN_LABEL_SIZE]; /* of a pinned configuration */
} page_text;

typedef struct page_request {
    page_text scenario;
    page_text pins[PINS_MAX]; /* configurations to draw beside it */
    size_t pin_count;
    double precision;           /* of simulations; 0: the page's default */
    const volatile int *cancel; /* nonzero: nobody waits for the answer any more; may be NULL */
} page_request;

/* False, and a sentence, for a body that is not one of the page's. */
bool page_request_read(const char *body, size_t length, page_request *request, char sentence[160]);
void page_request_clear(page_request *request);

#endif
