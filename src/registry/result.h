/* Building an fc_result. The adders remember a failed allocation; fc_result_status returns it at
 * the end, so that a method need not check every call. */
#ifndef FC_REGISTRY_RESULT_H
#define FC_REGISTRY_RESULT_H

#include "registry/metrics.h"

/* Networks with more pairs of nodes have no table "pairs". */
enum { FC_PAIRS_MOST = 65536 };

/* scenario may be NULL: no name and no hash. */
fc_result *fc_result_create(const fc_method_info *method, const fc_scenario *scenario);
/* Name and unit are those of the table of metrics. A value that is not finite is left out: what is
 * not known is not printed. half_width NaN: none. A metric that is there already takes the new
 * value. */
void fc_result_add(fc_result *result, fc_metric_id metric, double value, double half_width);
/* Those that are not NaN. */
void fc_result_add_counts(fc_result *result, const fc_counts *counts);
/* The same of a class of messages, by its name. */
void fc_result_add_of_class(fc_result *result, const char *class, fc_metric_id metric, double value,
                            double half_width);
/* To read or to change; NULL if the result has no such metric. */
fc_metric *fc_result_find(const fc_result *result, fc_metric_id metric);
/* As fc_result_interval, of any metric that has one: network_time and the response times of hot
 * spots too. */
bool fc_result_interval_of(const fc_result *result, const fc_metric *metric, double *low,
                           double *high);
/* NaN if the result has no such metric. */
double fc_result_value(const fc_result *result, fc_metric_id metric);
/* A part by its name; NULL if the result has none. Its value; 0 if it has none. */
fc_metric *fc_result_part(const fc_result *result, const char *name);
double fc_result_part_value(const fc_result *result, const char *name);
/* A corrected value: the model's own is kept beside it. */
void fc_metric_correct(fc_metric *metric, double value);
/* Of a column of a table; all zero if there is no such column. */
typedef struct fc_column_sums {
    double most, mean, root_square;
} fc_column_sums;
fc_column_sums fc_table_sums(const fc_table *table, size_t column);
/* The same for a result that is read back: name and unit are what was written then. */
void fc_result_add_named(fc_result *result, const char *name, const char *unit, double value,
                         double half_width);
/* Parts add up to the latency unless another metric is named here. */
void fc_result_set_parts_of(fc_result *result, fc_metric_id metric);
void fc_result_add_part(fc_result *result, const char *name, const char *unit, double value);
/* A zeroed table; fill row_labels and values. NULL if out of memory. Names are copied. The pointer
 * stays valid while further tables are added: room for all is reserved at once. */
enum { FC_TABLES_MAX = 16 };
fc_table *fc_result_add_table(fc_result *result, const char *name, size_t rows,
                              const char *const *column_names, size_t columns);
/* Gives tables a column in ns behind the others for each in cycles, where the clock is known. */
void fc_result_add_physical(fc_result *result);
/* The labels of a table are words; JSON has them one by one, under these names. */
void fc_result_name_words(fc_table *table, const char *const names[FC_LABEL_WORDS]);
/* A table with these labels and values; none if it has no rows. */
typedef struct fc_table_columns {
    const char *const *names;
    size_t count;
} fc_table_columns;
void fc_result_add_rows(fc_result *result, const char *name, fc_table_columns columns, size_t rows,
                        char (*labels)[FC_NAME_SIZE], const double *values);
/* Of a workload, once its metrics and tables are there: the phase and the link that decide. */
void fc_result_find_critical(fc_result *result);
void fc_result_note(fc_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Behind the note that is there. */
void fc_result_add_note(fc_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
fc_status fc_result_status(const fc_result *result); /* FC_OK or FC_ERROR_MEMORY */

#endif
