/* What was drawn: of every key of a scenario, the values that the networks of a fit have. */
#ifndef FC_FIT_SEEN_H
#define FC_FIT_SEEN_H

#include "scenario/scenario.h"

/* A value that fewer networks have counts as never drawn; and a range is between numbers that at
 * least so many are at or beyond. */
enum { FIT_SEEN_LEAST = 20 };

typedef struct fit_seen fit_seen;
fit_seen *fit_seen_create(void);
void fit_seen_free(fit_seen *seen);
/* The keys of a network that is fitted to, defaults included. False: out of memory. */
bool fit_seen_add(fit_seen *seen, const fc_scenario *scenario);
/* "network.channel_rule dateline, wrapping", "network.buffer 1 to 31, infinite": one line a key, in
 * the order of their names; NULL-terminated, valid until the next call. NULL: out of memory. */
const char *const *fit_seen_lines(fit_seen *seen);

#endif
