/* An answer where the equations of a closed network do not settle.
 *
 * They fail to where processors have so many requests out that the network limits them: waits are
 * then many times the time of an empty network, and a little more throughput multiplies them. But
 * there the throughput hardly depends on the number of requests, and with few of them the equations
 * always settle. So the largest number of requests up to N_out for which they do is found by
 * bisection; its throughput is taken, and the time that N_out requests then need by Little's law:
 * what fewer of them do not explain is spent in front of the network. */
#ifndef FC_MODELS_CLOSED_FEWER_H
#define FC_MODELS_CLOSED_FEWER_H

#include "models/closed/closed_stations.h"
#include "queueing/fixed_point.h"

typedef struct fc_closed_fewer {
    fc_fixed_point_map map; /* evaluates the network and solves the stations */
    void *context;
    size_t size;      /* of the unknowns */
    double *unknowns; /* receives the solution */
    fc_closed_stations *stations;
    double requests; /* receives the number found: the stations are left with it */
} fc_closed_fewer;

/* Whether what is left of the equations is nothing beside the longest wait. */
bool fc_closed_settled(const fc_fixed_point_info *info, const double *unknowns, size_t count);

/* info: of the solution found, its iterations added to. Not converged: not even one request. */
fc_status fc_closed_fewer_solve(fc_closed_fewer *fewer, fc_fixed_point_info *info);

#endif
