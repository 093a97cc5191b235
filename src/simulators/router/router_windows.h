/* The flits of every link in windows of time.
 *
 * How long a run will be is not known: windows begin short, and when there are FC_WINDOWS of them
 * two become one. */
#ifndef FC_SIMULATORS_ROUTER_WINDOWS_H
#define FC_SIMULATORS_ROUTER_WINDOWS_H

#include "registry/result.h"
#include "simulators/router/router.h"

enum { FC_WINDOWS = 64, FC_WINDOW_LINKS_MAX = 1 << 16 };

typedef struct fc_router_windows {
    uint32_t *flits;      /* FC_WINDOWS x outputs; NULL: not wanted */
    uint64_t *before;     /* outputs: flits at the beginning of the open window */
    uint64_t from, begin; /* of the first window, of the open one */
    uint64_t length;      /* cycles of a window */
    uint32_t count;       /* that have ended */
} fc_router_windows;

/* Not for networks of more outputs than FC_WINDOW_LINKS_MAX. */
fc_status fc_router_windows_create(const fc_router *engine, fc_error *error,
                                   fc_router_windows *windows);
void fc_router_windows_free(fc_router_windows *windows);
/* Counters of the engine were cleared. */
void fc_router_windows_restart(const fc_router *engine, fc_router_windows *windows);
/* The cycle at which the open window ends. */
uint64_t fc_router_windows_end(const fc_router_windows *windows);
/* To find later ends: of a copy, whose flits are not used, as if the open window were closed at its
 * end. */
void fc_router_windows_skip(fc_router_windows *windows);
/* The engine's cycle is that one, or the run is over. */
void fc_router_windows_close(const fc_router *engine, fc_router_windows *windows);
/* The table "windows": utilisation of each link, a column for each window. end: cycle up to which
 * something happened. */
void fc_router_windows_report(const fc_router *engine, const fc_router_windows *windows,
                              uint64_t end, fc_result *result);
/* The table "progress" of a workload: the share of what each rank receives that has come at the end
 * of each window. */
void fc_router_progress_report(const fc_router *engine, const fc_router_windows *windows,
                               uint64_t end, fc_result *result);

#endif
