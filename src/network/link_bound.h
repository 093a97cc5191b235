/* How little the busiest link between routers can have to carry, whichever ways headers choose.
 *
 * Where routing leaves a choice, the loads of the links are known only after the network has run.
 * What is known before: with prices y(e) >= 0 of links, p(e) cycles of a flit on link e and the
 * price of a way the sum of y(e) p(e) over its links, the busiest link is in use for at least
 *
 *     sum over messages of flits times the price of their cheapest way / sum over e of y(e)
 *
 * cycles (duality of linear programming; with the best prices this is the load of the best split).
 * Prices are found in a game of many rounds: links raise theirs where they are busier than what all
 * prices earn, headers turn to the choices they regret (regret matching: Hart and Mas-Colell, 2000;
 * with regrets cut at 0: Tammelin, 2014). The mean of the prices over the rounds comes to the best
 * ones, where prices that answer the last loads alone would swing to and fro. Whatever the prices,
 * their bound holds; the largest is kept.
 *
 * The ways of a message are those that `route` leaves open. Where it is sent around by the queues
 * it finds, or where there are too many ways to list, they are all ways through the network: a
 * weaker bound, which holds as well. */
#ifndef FC_NETWORK_LINK_BOUND_H
#define FC_NETWORK_LINK_BOUND_H

#include "network/router_network.h"

typedef struct fc_link_bound fc_link_bound;

/* What a network draws for each message: in the long run all of it equally often; in a run of some
 * messages as it happens, so that a bound must allow for the best. */
typedef enum fc_draws { FC_DRAWS_EVEN, FC_DRAWS_ANY } fc_draws;

fc_status fc_link_bound_create(const fc_router_network *network, fc_draws draws, fc_error *error,
                               fc_link_bound **bound);
void fc_link_bound_free(fc_link_bound *bound);
/* flits: from one port of a node to another, in virtual channels of this mask. */
fc_status fc_link_bound_add(fc_link_bound *bound, uint32_t source, uint32_t destination,
                            uint64_t channels, double flits, fc_error *error);
/* From node to node, by whichever ports messages take. */
fc_status fc_link_bound_add_nodes(fc_link_bound *bound, uint32_t source, uint32_t destination,
                                  uint64_t channels, double flits, fc_error *error);

typedef struct fc_link_load {
    double cycles;   /* of the busiest link at least: flits times the cycles of a flit on it */
    uint32_t output; /* that link; UINT32_MAX: headers choose, and it may be any */
} fc_link_load;
fc_status fc_link_bound_find(fc_link_bound *bound, fc_error *error, fc_link_load *load);

/* Cycles of a flit on an output's link: 1 over its width. */
double fc_link_pace(const fc_router_network *network, uint32_t output);

#endif
