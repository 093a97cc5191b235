/* Arithmetic over scenario keys and metrics: objectives, constraints and derived keys.
 *
 * + - * / ^, comparisons (1 or 0), parentheses, and abs, ceil, floor, round, sqrt, log2, min, max.
 * Names are dotted words. */
#ifndef FC_BASE_EXPRESSION_H
#define FC_BASE_EXPRESSION_H

#include "flitcast/flitcast.h"

enum { FC_EXPRESSION_NAMES = 16, FC_EXPRESSION_STEPS = 96 };

typedef struct fc_expression {
    size_t name_count;
    char names[FC_EXPRESSION_NAMES][FC_NAME_SIZE]; /* distinct, in order of appearance */
    size_t step_count;
    struct {
        unsigned char operation;
        unsigned char name;
        double number;
    } steps[FC_EXPRESSION_STEPS]; /* reverse Polish */
} fc_expression;

fc_status fc_expression_parse(const char *text, fc_error *error, fc_expression *expression);
/* values: one per name. */
double fc_expression_evaluate(const fc_expression *expression, const double *values);

#endif
