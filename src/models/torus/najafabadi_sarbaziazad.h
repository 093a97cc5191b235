/* The equations of Najaf-abadi and Sarbazi-azad as a function of plain numbers. */
#ifndef FC_MODELS_NAJAFABADI_SARBAZIAZAD_H
#define FC_MODELS_NAJAFABADI_SARBAZIAZAD_H

#include "network/torus_combinatorics.h"
#include "registry/method.h"
#include "scenario/torus.h"

typedef struct fc_najafabadi_case {
    fc_integer_list radix; /* in the order of travel, each at least 2 */
    fc_path_kind kind;     /* of the ring of a dimension: one direction, as in the paper, or both */
    int channels;          /* L, virtual channels of a physical channel, at least 2 */
    double flits;          /* M, of a message, header included */
    double rate;           /* lambda_g, messages per node per cycle */
    bool literal;          /* the waiting time exactly as printed */
} fc_najafabadi_case;

typedef struct fc_najafabadi_solution {
    bool saturated;
    size_t bottleneck; /* saturated: the dimension without a solution; count of dimensions: the
                          source queue or the ejection channel */
    uint64_t iterations;
    double residual;             /* of the last fixed point, relative */
    double channel_rate;         /* lambda_c, messages per cycle */
    double wait[FC_LIST_MAX];    /* W_d, cycles at a hop of dimension d */
    double service[FC_LIST_MAX]; /* D_d */
    double hops;                 /* h */
    double network;              /* S, before multiplexing */
    double multiplexing;         /* l, mean degree */
    double source_wait;          /* W_s */
    double latency;              /* T */
} fc_najafabadi_solution;

void fc_najafabadi_solve(const fc_najafabadi_case *input, fc_najafabadi_solution *solution);
/* The largest rate that has a solution, to a relative 1e-12 or so. */
double fc_najafabadi_saturation(const fc_najafabadi_case *input);

extern const fc_model fc_model_najafabadi_sarbaziazad;
extern const fc_model fc_model_najafabadi_sarbaziazad_literal;

#endif
