/* What an item of a paper ran: every point it evaluated, grouped into scenarios that a file each
 * runs again, with the settings of the other points. */
#ifndef FC_STUDIES_PAPER_TRAIL_H
#define FC_STUDIES_PAPER_TRAIL_H

#include "base/status.h"
#include "flitcast/flitcast.h"

/* By which methods points are evaluated. */
typedef struct fc_paper_methods {
    const char *const *models; /* names; live as long as the program */
    size_t model_count;
    bool simulate;
} fc_paper_methods;

typedef struct fc_paper_trail fc_paper_trail;

fc_paper_trail *fc_paper_trail_create(void);
void fc_paper_trail_free(fc_paper_trail *trail);

/* One point: a built-in file of a paper and the settings made in it, which are copied. NULL for a
 * trail: nothing is kept. */
fc_status fc_paper_trail_add(fc_paper_trail *trail, const char *file, const fc_setting *settings,
                             size_t count, const fc_paper_methods *methods);
size_t fc_paper_trail_length(const fc_paper_trail *trail);
/* These points are simulated, too. */
void fc_paper_trail_simulated(fc_paper_trail *trail, size_t first, size_t count);

/* Adds a scenario file for each group of points of `paper`/`item` to the report. */
fc_status fc_paper_trail_report(const fc_paper_trail *trail, const char *paper, const char *item,
                                fc_error *error, fc_report *report);

#endif
