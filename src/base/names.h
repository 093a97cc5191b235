/* Names as sentences need them: all of a list, and the one that was meant. The lists end with NULL.
 * fc_nearest of the public header is here too. */
#ifndef FC_BASE_NAMES_H
#define FC_BASE_NAMES_H

#include <stddef.h>
#include "flitcast/flitcast.h"

/* "torus, mesh, ring" */
void fc_names_text(const char *const *names, size_t size, char *text);

enum { FC_HINT_SIZE = 96 };
/* "; did you mean 'torus'?", or what is said otherwise if no name is near. */
const char *fc_names_hint(const char *name, const char *const *names, const char *otherwise,
                          char text[FC_HINT_SIZE]);

#endif
