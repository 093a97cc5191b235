/* Pairs of rows and columns with the largest sum of weights. */
#ifndef FC_BASE_ASSIGNMENT_H
#define FC_BASE_ASSIGNMENT_H

#include "flitcast/flitcast.h"

#define FC_UNASSIGNED UINT32_MAX

/* weights: rows x columns, none negative. column_of: rows, the column of each row or FC_UNASSIGNED;
 * a column has one row at most. */
fc_status fc_assign_most(uint32_t rows, uint32_t columns, const double *weights,
                         uint32_t *column_of, double *sum);

#endif
