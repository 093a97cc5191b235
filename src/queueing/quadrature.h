/* Averages over many points by a few. */
#ifndef FC_QUEUEING_QUADRATURE_H
#define FC_QUEUEING_QUADRATURE_H

enum { FC_QUADRATURE_MAX = 8 };

/* Replaces count weighted points by at most `nodes` (<= FC_QUADRATURE_MAX) with the same sums of
 * every polynomial of degree below 2 nodes (Gauss quadrature of a discrete measure). Points with
 * equal values are merged first; if at most `nodes` remain they are kept as they are. Works in
 * place and returns how many there are. */
int fc_quadrature_reduce(double *values, double *weights, int count, int nodes);

#endif
