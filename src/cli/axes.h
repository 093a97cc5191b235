/* The --vary options of sweep and optimize. */
#ifndef FC_CLI_AXES_H
#define FC_CLI_AXES_H

#include "cli/cli.h"

enum { AXES_MAX = 16 };

typedef struct axes {
    fc_axis list[AXES_MAX];
    size_t count;
} axes;

/* Clear it also after a failure. */
int axes_read(const arguments *given, axes *varied);
void axes_clear(axes *varied);

#endif
