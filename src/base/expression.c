#include "base/expression.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"

enum operation {
    PUSH_NUMBER,
    PUSH_NAME,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    EQUAL,
    NOT_EQUAL,
    ABS,
    CEIL,
    FLOOR,
    ROUND,
    SQRT,
    LOG2,
    MIN,
    MAX,
};

static const struct {
    const char *name;
    enum operation operation;
    int arguments;
} functions[] = {{"abs", ABS, 1},   {"ceil", CEIL, 1}, {"floor", FLOOR, 1}, {"round", ROUND, 1},
                 {"sqrt", SQRT, 1}, {"log2", LOG2, 1}, {"min", MIN, 2},     {"max", MAX, 2}};

struct parser {
    const char *text, *at;
    fc_expression *expression;
    fc_error *error;
    int depth;
};

static fc_status fail_at(const struct parser *parser, const char *expected) {
    return fc_fail(parser->error, FC_ERROR_INPUT, "'%.200s': %s was expected at '%.40s'",
                   parser->text, expected, *parser->at ? parser->at : "the end");
}

static void skip_spaces(struct parser *parser) {
    while (isspace((unsigned char)*parser->at))
        ++parser->at;
}

static fc_status emit(struct parser *parser, enum operation operation, size_t name, double number) {
    fc_expression *e = parser->expression;
    if (e->step_count == FC_EXPRESSION_STEPS)
        return fc_fail(parser->error, FC_ERROR_INPUT, "'%.200s': the expression is too long",
                       parser->text);
    e->steps[e->step_count].operation = (unsigned char)operation;
    e->steps[e->step_count].name = (unsigned char)name;
    e->steps[e->step_count++].number = number;
    return FC_OK;
}

static fc_status parse_comparison(struct parser *parser);
static fc_status parse_power(struct parser *parser);

static fc_status parse_call(struct parser *parser, enum operation operation, int count) {
    fc_status status = FC_OK;
    for (int i = 0; i < count && status == FC_OK; ++i) {
        skip_spaces(parser);
        if (*parser->at != (i ? ',' : '('))
            return fail_at(parser, i ? "','" : "'('");
        ++parser->at;
        status = parse_comparison(parser);
    }
    skip_spaces(parser);
    if (status == FC_OK && *parser->at != ')')
        return fail_at(parser, "')'");
    if (status == FC_OK)
        ++parser->at;
    return status == FC_OK ? emit(parser, operation, 0, 0) : status;
}

static fc_status parse_name(struct parser *parser) {
    char name[FC_NAME_SIZE];
    size_t length = 0;
    while (isalnum((unsigned char)parser->at[length]) || parser->at[length] == '_' ||
           parser->at[length] == '.')
        ++length;
    if (length >= sizeof name)
        return fail_at(parser, "a shorter name");
    memcpy(name, parser->at, length);
    name[length] = '\0';
    parser->at += length;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        if (strcmp(functions[i].name, name) == 0)
            return parse_call(parser, functions[i].operation, functions[i].arguments);
    }
    fc_expression *e = parser->expression;
    size_t index = 0;
    while (index < e->name_count && strcmp(e->names[index], name) != 0)
        ++index;
    if (index == FC_EXPRESSION_NAMES)
        return fc_fail(parser->error, FC_ERROR_INPUT, "'%.200s': more than %d names", parser->text,
                       FC_EXPRESSION_NAMES);
    if (index == e->name_count)
        memcpy(e->names[e->name_count++], name, sizeof name);
    return emit(parser, PUSH_NAME, index, 0);
}

static fc_status parse_primary(struct parser *parser) {
    skip_spaces(parser);
    if (++parser->depth > 50)
        return fc_fail(parser->error, FC_ERROR_INPUT, "'%.200s': nested too deeply", parser->text);
    fc_status status;
    if (*parser->at == '(') {
        ++parser->at;
        status = parse_comparison(parser);
        skip_spaces(parser);
        if (status == FC_OK && *parser->at != ')')
            return fail_at(parser, "')'");
        if (status == FC_OK)
            ++parser->at;
    } else if (*parser->at == '-') { /* of the whole power: -2^2 is -4 */
        ++parser->at;
        status = parse_power(parser);
        if (status == FC_OK)
            status = emit(parser, NEGATE, 0, 0);
    } else if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
        char *end;
        const double number = strtod(parser->at, &end);
        if (end == parser->at)
            return fail_at(parser, "a number");
        parser->at = end;
        status = emit(parser, PUSH_NUMBER, 0, number);
    } else if (isalpha((unsigned char)*parser->at)) {
        status = parse_name(parser);
    } else {
        status = fail_at(parser, "a number, a key or a metric");
    }
    --parser->depth;
    return status;
}

/* Binary operators by rising precedence; all but ^ group to the left. */
static fc_status parse_power(struct parser *parser) {
    fc_status status = parse_primary(parser);
    skip_spaces(parser);
    if (status == FC_OK && *parser->at == '^') {
        ++parser->at;
        status =
            ++parser->depth > 50 ? fail_at(parser, "a simpler expression") : parse_power(parser);
        --parser->depth;
        if (status == FC_OK)
            status = emit(parser, POWER, 0, 0);
    }
    return status;
}

static fc_status parse_product(struct parser *parser) {
    fc_status status = parse_power(parser);
    for (;;) {
        skip_spaces(parser);
        if (status != FC_OK || (*parser->at != '*' && *parser->at != '/'))
            return status;
        const enum operation operation = *parser->at++ == '*' ? MULTIPLY : DIVIDE;
        status = parse_power(parser);
        if (status == FC_OK)
            status = emit(parser, operation, 0, 0);
    }
}

static fc_status parse_sum(struct parser *parser) {
    fc_status status = parse_product(parser);
    for (;;) {
        skip_spaces(parser);
        if (status != FC_OK || (*parser->at != '+' && *parser->at != '-'))
            return status;
        const enum operation operation = *parser->at++ == '+' ? ADD : SUBTRACT;
        status = parse_product(parser);
        if (status == FC_OK)
            status = emit(parser, operation, 0, 0);
    }
}

static fc_status parse_comparison(struct parser *parser) {
    static const struct {
        const char *text;
        enum operation operation;
    } comparisons[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
                       {"!=", NOT_EQUAL},  {"<", LESS},           {">", GREATER}};
    fc_status status = parse_sum(parser);
    skip_spaces(parser);
    for (size_t i = 0; status == FC_OK && i < sizeof comparisons / sizeof comparisons[0]; ++i) {
        const size_t length = strlen(comparisons[i].text);
        if (strncmp(parser->at, comparisons[i].text, length) != 0)
            continue;
        parser->at += length;
        status = parse_sum(parser);
        return status == FC_OK ? emit(parser, comparisons[i].operation, 0, 0) : status;
    }
    return status;
}

fc_status fc_expression_parse(const char *text, fc_error *error, fc_expression *expression) {
    *expression = (fc_expression){0};
    struct parser parser = {.text = text, .at = text, .expression = expression, .error = error};
    const fc_status status = parse_comparison(&parser);
    skip_spaces(&parser);
    return status == FC_OK && *parser.at ? fail_at(&parser, "an operator") : status;
}

/* Equal up to rounding: 500 / 4 * 4 is 500. */
static bool equal(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static double apply(enum operation operation, double a, double b) {
    switch (operation) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return a / b;
    case POWER:
        return pow(a, b);
    case LESS:
        return a < b && !equal(a, b);
    case LESS_EQUAL:
        return a < b || equal(a, b);
    case GREATER:
        return a > b && !equal(a, b);
    case GREATER_EQUAL:
        return a > b || equal(a, b);
    case EQUAL:
        return equal(a, b);
    case NOT_EQUAL:
        return a != b && !equal(a, b);
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a > b ? a : b;
    default:
        return NAN;
    }
}

static double apply_function(enum operation operation, double a) {
    switch (operation) {
    case NEGATE:
        return -a;
    case ABS:
        return fabs(a);
    case CEIL:
        return ceil(a);
    case FLOOR:
        return floor(a);
    case ROUND:
        return round(a);
    case SQRT:
        return sqrt(a);
    case LOG2:
        return log2(a);
    default:
        return NAN;
    }
}

double fc_expression_evaluate(const fc_expression *expression, const double *values) {
    double stack[FC_EXPRESSION_STEPS];
    size_t top = 0;
    for (size_t i = 0; i < expression->step_count; ++i) {
        const enum operation operation = expression->steps[i].operation;
        if (operation == PUSH_NUMBER) {
            stack[top++] = expression->steps[i].number;
        } else if (operation == PUSH_NAME) {
            stack[top++] = values[expression->steps[i].name];
        } else if (operation == NEGATE || (operation >= ABS && operation <= LOG2)) {
            assert(top > 0);
            stack[top - 1] = apply_function(operation, stack[top - 1]);
        } else {
            assert(top > 1);
            --top;
            const double a = stack[top - 1], b = stack[top];
            stack[top - 1] = isnan(a) || isnan(b) ? NAN : apply(operation, a, b);
        }
    }
    assert(top == 1);
    return stack[0];
}
