/* Traffic matrices from Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html):
 * coordinate or array, real or integer, general. Entry (i, j), counted from 1, is the probability
 * that a message of node i-1 goes to node j-1. */
#ifndef FC_SCENARIO_MATRIX_MARKET_H
#define FC_SCENARIO_MATRIX_MARKET_H

#include "base/status.h"

enum { FC_MATRIX_BYTES_MAX = 1 << 28 };

/* Whether a file says so in its first line or by its name. */
bool fc_is_matrix_market(const char *text, const char *path);

/* A square matrix of numbers that are not below 0. */
fc_status fc_matrix_market_numbers(char *text, const char *path, fc_error *error, size_t *nodes,
                                   double **matrix);

/* A square matrix of probabilities: no entry below 0, nothing on the diagonal, every row adds up to
 * 1 (within 1e-6, then scaled to it). matrix (row by row) is freed with fc_release. Changes the
 * text; path is only named in messages. */
fc_status fc_matrix_market_parse(char *text, const char *path, fc_error *error, size_t *nodes,
                                 double **matrix);

#endif
