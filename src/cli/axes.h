/* The --vary options of sweep and optimize. */
#ifndef FC_CLI_AXES_H
#define FC_CLI_AXES_H

#include "cli/cli.h"

enum { AXES_MAX = 16 };

typedef struct varied_axes {
    fc_axis list[AXES_MAX];
    size_t count;
} varied_axes;

/* Clear it also after a failure. */
int axes_read(const arguments *given, varied_axes *varied);
void axes_clear(varied_axes *varied);

#endif
