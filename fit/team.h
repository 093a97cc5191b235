/* Threads that stay: work is divided into numbered parts that any of them may take. */
#ifndef FC_FIT_TEAM_H
#define FC_FIT_TEAM_H

#include <stddef.h>

typedef struct fit_team fit_team;
typedef void fit_part(void *context, size_t part, size_t thread);

fit_team *fit_team_create(size_t threads); /* NULL: there is no memory, or no thread */
size_t fit_team_threads(const fit_team *team);
/* Returns when every part is done. */
void fit_team_run(fit_team *team, size_t parts, fit_part *work, void *context);
void fit_team_free(fit_team *team); /* accepts NULL */

#endif
