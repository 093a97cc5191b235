/* What has failed in a network (network.faults): listed, or drawn. */
#ifndef FC_SCENARIO_FAULTS_H
#define FC_SCENARIO_FAULTS_H

#include "scenario/family.h"

enum { FC_FAULTS_MAX = 4096 }; /* entries of a list */

/* A broken cable between two routers; or, of a torus or mesh, one direction of one. */
typedef struct fc_fault {
    fc_integer_list coordinates; /* a router: digits, dimension 0 first, or one number */
    fc_integer_list other;       /* the router at the other end; none: by dimension and direction */
    int64_t node;                /* derived for scouting */
    int64_t dimension;
    int64_t direction; /* +1: the digit grows, -1: it falls */
} fc_fault;

typedef struct fc_faults {
    bool given;
    size_t count; /* of broken links */
    fc_fault *list;
    size_t router_count;
    fc_integer_list *routers;        /* coordinates */
    bool drawn;                      /* random is given */
    double link_share, router_share; /* of all cables and routers, drawn by the seed */
    int64_t seed;
} fc_faults;

fc_status fc_faults_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error);
void fc_faults_write(const void *field, FILE *stream);
void fc_faults_release(fc_faults *faults);

/* Whether scouting has to find its way around something. */
static inline bool fc_faults_are_listed(const fc_faults *faults) {
    return faults->count > 0 || faults->router_count > 0;
}

/* The paths of a network in which something may have failed: its own routing knows no way around.
 */
typedef enum fc_around {
    FC_AROUND_NOTHING, /* no network.faults */
    FC_AROUND_MINIMAL, /* shortest paths through what is left */
    FC_AROUND_UP_DOWN, /* over a spanning tree of what is left */
} fc_around;

#endif
