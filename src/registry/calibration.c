#include "registry/calibration.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/hash.h"
#include "registry/calibration_inputs.h"
#include "registry/parts.h"
#include "scenario/torus.h"

const double fc_calibration_step = 0.03;
const double fc_calibration_near_limit = 0.95;

/* Below this share of the empty network's latency there is nothing worth calibrating, and the slope
 * would have no digits. */
static const double excess_least = 1e-4;
static const double r_most = 0.995;
/* Data are near where every input is between those of the data, or beyond them by this share of
 * their range. */
static const double margin_share = 0.05;
static const double quantile = 1.645;        /* of the normal distribution: 90 % on both sides */
static const double simulation_share = 0.01; /* what a simulation itself is uncertain by */
static const double stretch_most = 8;
/* An interval that reaches further is named in a note: by forecast, unless that says otherwise, and
 * by shift, where intervals are narrower. */
static const double wide_usual = 0.13, wide_shifted = 0.09;

/* ---- inputs ---- */

double fc_calibration_part(const fc_result *result, const char *name) {
    for (size_t p = 0; p < result->part_count; ++p)
        if (strcmp(result->parts[p].name, name) == 0)
            return result->parts[p].value;
    return 0;
}

/* The largest of the first column of the table of channels. */
double fc_calibration_busiest(const fc_result *result) {
    const fc_table *table = fc_result_table(result, "channels");
    double most = 0;
    for (size_t row = 0; table && row < table->rows; ++row)
        most = fmax(most, table->values[row * table->columns]);
    return most;
}

double fc_calibration_hops(const fc_torus *torus, int64_t radix) {
    const double k = (double)radix;
    return torus->topology == FC_MESH          ? (k * k - 1) / (3 * k)
           : torus->links == FC_UNIDIRECTIONAL ? (k - 1) / 2
           : radix % 2 == 0                    ? k / 4
                                               : (k * k - 1) / (4 * k);
}

static double mean_hops(const fc_torus *torus) {
    double hops = 0;
    for (size_t d = 0; d < torus->radix.count; ++d)
        hops += fc_calibration_hops(torus, torus->radix.values[d]);
    return hops;
}

/* The shape of a network: shares of the hops in the dimension with most, and in the one crossed
 * last. */
static void hop_shares(const fc_torus *torus, double *longest, double *last) {
    const double hops = mean_hops(torus);
    *longest = *last = 0;
    for (size_t step = 0; step < torus->radix.count; ++step) {
        const size_t d = torus->order == FC_DESCENDING ? torus->radix.count - 1 - step : step;
        const double share = fc_calibration_hops(torus, torus->radix.values[d]) / hops;
        *longest = fmax(*longest, share);
        if (torus->radix.values[d] > 1)
            *last = share;
    }
}

static void read_scouting(const fc_scenario *scenario, const fc_result *result, double excess,
                          double *x) {
    const fc_torus *torus = scenario->parameters;
    double longest, last;
    hop_shares(torus, &longest, &last);
    const double values[] = {log(fc_calibration_busiest(result)),
                             fc_calibration_part(result, FC_PART_PATH_WAIT) / excess,
                             fc_calibration_part(result, FC_PART_WAIT_AT_SOURCE) / excess,
                             log((double)torus->message_flits),
                             log((double)torus->virtual_channels),
                             (double)torus->scouting_distance,
                             log(mean_hops(torus)),
                             log((double)torus->radix.count),
                             log((double)torus->message_flits / mean_hops(torus)),
                             longest};
    memcpy(x, values, sizeof values);
}

/* How a model is calibrated: the inputs beyond the first two, of which the last are what the model
 * says of its state, and the parts of its latency that an empty network has. */
typedef struct calibrated_model {
    const char *name;
    size_t inputs, states;
    void (*read)(const fc_scenario *scenario, const fc_result *result, double excess, double *x);
    const char *empty[5];
} calibrated_model;

enum { COMMON = 2 }; /* inputs of every model: r and the logarithm of the latency over the empty */

static const calibrated_model models[] = {
    {"scouting-sharing", COMMON + 16, 6, read_scouting, {FC_PART_EMPTY, NULL}},
    /* by forecasts of their own */
    {"torus-sharing", 0, 0, NULL, {FC_PART_TRAVEL, FC_PART_TRANSFER, NULL}},
    {"router-queueing",
     0,
     0,
     NULL,
     {FC_PART_LINKS, FC_PART_ROUTERS, FC_PART_LENGTH, FC_PART_OWN_CREDITS, NULL}},
    {0},
};

static const calibrated_model *find_model(const char *name) {
    const calibrated_model *model = models;
    while (model->name && strcmp(model->name, name) != 0)
        ++model;
    return model->name ? model : NULL;
}

size_t fc_calibration_inputs(const char *model) {
    const calibrated_model *found = find_model(model);
    return found ? found->inputs : 0;
}

static bool is_empty_part(const calibrated_model *model, const char *part) {
    size_t i = 0;
    while (model->empty[i] && strcmp(model->empty[i], part) != 0)
        ++i;
    return model->empty[i] != NULL;
}

bool fc_calibration_read(const fc_scenario *scenario, const fc_result *result,
                         const fc_reference *reference, double below, fc_calibration_input *input) {
    const calibrated_model *model = find_model(result->method);
    const fc_metric *latency = fc_result_find(result, FC_METRIC_LATENCY);
    if (!model || !model->read || !latency)
        return false;
    input->empty = 0;
    for (size_t i = 0; model->empty[i]; ++i)
        input->empty += fc_calibration_part(result, model->empty[i]);
    input->excess = latency->value - input->empty;
    const double lower = below - input->empty;
    if (!(input->excess > excess_least * input->empty) || !(lower > 0) || !(lower < input->excess))
        return false;
    const double slope = log(input->excess / lower) / -log1p(-fc_calibration_step);
    input->values[0] = fmin(r_most, fmax(0, 1 - 1 / slope));
    input->values[1] = log(latency->value / input->empty);
    model->read(scenario, result, input->excess, input->values + COMMON);
    assert(reference->states == model->states && model->inputs <= FC_CALIBRATION_INPUTS);
    memcpy(input->values + model->inputs - model->states, reference->state,
           model->states * sizeof *input->values);
    return true;
}

/* ---- the shift ---- */

double fc_calibration_shift(double r, double ratio, double *derivative) {
    const double mixed = 1 - r + r * ratio;
    *derivative = (1 - r) / mixed;
    return log(ratio / mixed);
}

double fc_calibration_stretch(double r, double t) {
    const double shifted = exp(t), rest = 1 - r * shifted;
    return rest > 0 ? shifted * (1 - r) / rest : INFINITY;
}

/* Of the distribution of t every value counts for 1 / latency: the median is then the value with
 * the least expected relative error. Beyond the end of the hyperbola nothing counts. */
fc_calibrated_excess fc_calibration_forecast(const fc_calibration_input *input, double mean,
                                             double deviation) {
    enum { STEPS = 48 };
    static const double widest = 3; /* standard deviations */
    const double r = input->values[0];
    double weights[STEPS], stretches[STEPS], total = 0;
    for (int i = 0; i < STEPS; ++i) {
        const double z = widest * (2 * (i + 0.5) / STEPS - 1);
        stretches[i] = fc_calibration_stretch(r, mean + z * deviation);
        weights[i] = exp(-0.5 * z * z) / (input->empty + input->excess * stretches[i]);
        total += weights[i];
    }
    double below = 0;
    int at = 0;
    while (at < STEPS - 1 && below + weights[at] < total / 2)
        below += weights[at++];
    const double share = total > 0 ? (total / 2 - below) / weights[at] : 0.5;
    const double z = widest * (2 * (at + share) / STEPS - 1);
    return (fc_calibrated_excess){
        .stretch = fmin(stretch_most, fc_calibration_stretch(r, mean + z * deviation)),
        .low = fc_calibration_stretch(r, mean - quantile * deviation),
        .high = fc_calibration_stretch(r, mean + quantile * deviation)};
}

/* Near the end of the hyperbola a small shift is a large factor: of the simulated networks, nearly
 * all have smaller ones than this. */
static const double shifted_most = 2.5;

fc_calibrated_excess fc_calibration_shifted(const fc_calibration_input *input, double mean,
                                            double deviation) {
    fc_calibrated_excess excess = fc_calibration_forecast(input, mean, deviation);
    excess.stretch = fmin(excess.stretch, shifted_most);
    excess.low = fmin(excess.low, excess.stretch);
    return excess;
}

/* ---- results ---- */

const fc_calibration_points *fc_calibration_find(const char *model) {
    for (const fc_calibration_points *at = fc_calibrations; at->model; ++at)
        if (strcmp(at->model, model) == 0)
            return at;
    static const fc_calibration_points *const forecasts[] = {&fc_router_calibration,
                                                             &fc_torus_calibration};
    for (size_t i = 0; i < sizeof forecasts / sizeof *forecasts; ++i)
        if (strcmp(forecasts[i]->model, model) == 0)
            return forecasts[i];
    return NULL;
}

const fc_calibration_points *fc_calibration_find_limit(const char *model) {
    for (const fc_calibration_points *at = fc_limit_calibrations; at->model; ++at)
        if (strcmp(at->model, model) == 0)
            return at;
    const fc_calibration_points *points = fc_calibration_find(model);
    return points && !points->shifts ? points : NULL;
}

static bool is_within(const double *values, const double *low, const double *high, size_t count) {
    bool within = true;
    for (size_t i = 0; i < count; ++i) {
        const double margin = margin_share * (high[i] - low[i]);
        within &= values[i] >= low[i] - margin && values[i] <= high[i] + margin;
    }
    return within;
}

double fc_shift_value(const fc_perceptrons *perceptrons, const fc_boosted_trees *trees,
                      const double *values) {
    static const double share_of_trees = 0.2;
    return (1 - share_of_trees) * fc_perceptrons_value(perceptrons, values) +
           share_of_trees * fc_boosted_value(trees, values);
}

bool fc_shift_find(const fc_shift_trees *trees, size_t inputs, const double *values, double *mean,
                   double *deviation) {
    *mean = fc_shift_value(&trees->perceptrons, &trees->shift, values);
    *deviation = exp(fc_boosted_value(&trees->spread, values));
    return is_within(values, trees->low, trees->high, inputs);
}

static void move(fc_metric *metric, double value) {
    metric->uncalibrated = metric->value;
    metric->value = value;
}

void fc_calibration_move(const fc_calibration_points *points, double empty, double stretch,
                         fc_result *result) {
    const calibrated_model *model = find_model(points->model);
    result->calibrated = points->networks;
    for (size_t m = 0; m < result->metric_count; ++m) {
        fc_metric *metric = &result->metrics[m];
        const fc_metric_id id = fc_metric_find(metric->name);
        if (id == FC_METRIC_SOURCE_WAIT)
            move(metric, metric->value * stretch);
        else if (id == FC_METRIC_LATENCY || id == FC_METRIC_NETWORK_LATENCY)
            move(metric, empty + (metric->value - empty) * stretch);
    }
    for (size_t p = 0; p < result->part_count; ++p)
        if (!is_empty_part(model, result->parts[p].name))
            move(&result->parts[p], result->parts[p].value * stretch);
}

static bool grows_with_load(const char *column) {
    static const char *const columns[] = {"utilisation", "injection", "ejection"};
    bool grows = false;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
        grows |= strcmp(column, columns[k]) == 0;
    return grows;
}

void fc_calibration_raise_load(double times, fc_result *result) {
    static const fc_metric_id rates[] = {FC_METRIC_THROUGHPUT, FC_METRIC_OFFERED};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
        fc_metric *rate = fc_result_find(result, rates[i]);
        if (rate)
            rate->value *= times;
    }
    for (size_t t = 0; t < result->table_count; ++t) {
        fc_table *table = &result->tables[t];
        for (size_t c = 0; c < table->columns; ++c)
            for (size_t row = 0; row < table->rows && grows_with_load(table->column_names[c]);
                 ++row)
                table->values[row * table->columns + c] *= times;
    }
    for (size_t m = 0; m < result->metric_count; ++m)
        result->metrics[m].uncalibrated = NAN;
    for (size_t p = 0; p < result->part_count; ++p)
        result->parts[p].uncalibrated = NAN;
}

/* No answer is to be trusted further than its interval reaches. */
static void warn_if_wide(fc_result *result, double value, double reach) {
    if (isinf(result->value_high))
        fc_result_note(
            result,
            "uncertain: the true latency may be %.4g cycles or more, up to saturation (90 %% "
            "interval); simulate it",
            result->value_low);
    else if (result->value_low < (1 - reach) * value || result->value_high > (1 + reach) * value)
        fc_result_note(
            result,
            "uncertain: the true latency may be %.0f %% lower to %.0f %% higher (90 %% interval); "
            "simulate it",
            100 * (1 - result->value_low / value), 100 * (result->value_high / value - 1));
}

static void set_interval(fc_result *result, double value, double low, double high, double reach) {
    result->value_low = low * (1 - simulation_share);
    result->value_high = high * (1 + simulation_share);
    warn_if_wide(result, value, reach);
}

void fc_calibration_set_interval(fc_result *result, double value, double low, double high,
                                 double wide) {
    set_interval(result, value, low, high, wide > 0 ? wide : wide_usual);
}

uint64_t fc_calibration_hash(const fc_boosted_trees *trees, uint64_t hash) {
    const fc_tree_node *first = trees->nodes + trees->roots[trees->trees - 1], *last = first;
    while (last->input >= 0)
        last += last->right;
    return fc_hash(hash, first, (size_t)(last + 1 - first) * sizeof *first);
}

/* The weights of the last perceptron depend on all that was fitted. */
static uint64_t shift_trees_hash(const fc_shift_trees *trees, uint64_t hash) {
    const fc_perceptrons *all = &trees->perceptrons;
    const size_t size = fc_perceptron_size(all->inputs);
    hash = fc_hash(hash, all->weights + (all->count - 1) * size, size * sizeof *all->weights);
    return fc_calibration_hash(&trees->spread, fc_calibration_hash(&trees->shift, hash));
}

uint32_t fc_calibration_identity(const fc_calibration_points *points) {
    uint64_t hash = FC_HASH_START;
    if (!points->shifts)
        return points->identity;
    hash = shift_trees_hash(points->shifts, hash);
    return (uint32_t)(hash ^ hash >> 32);
}

/* The shift at an input and its standard deviation; false: there are no data near. */
static bool find_shift(const fc_calibration_points *points, const fc_calibration_input *input,
                       double *mean, double *deviation) {
    const calibrated_model *model = find_model(points->model);
    return model && points->shifts && points->inputs == model->inputs &&
           fc_shift_find(points->shifts, points->inputs, input->values, mean, deviation);
}

/* The input that is the logarithm of the latency over the empty network's. Near its saturation load
 * a model may answer with a latency that no simulated network had: then it counts as the largest
 * that one had. */
enum { SLOWER = 1 };

static bool find_bounded_shift(const fc_calibration_points *points,
                               const fc_calibration_input *input, double *mean, double *deviation) {
    fc_calibration_input bounded = *input;
    if (points->inputs > SLOWER)
        bounded.values[SLOWER] = fmin(input->values[SLOWER], points->shifts->high[SLOWER]);
    return find_shift(points, &bounded, mean, deviation);
}

static void warn_if_slower_than_all(const fc_calibration_points *points,
                                    const fc_calibration_input *input, fc_result *result) {
    const double slower = input->values[SLOWER], most = points->shifts->high[SLOWER];
    if (slower > most)
        fc_result_add_note(
            result,
            "uncertain: the model's latency is %.0f times that of the empty network; no network "
            "that was simulated settled above %.0f times; simulate it",
            exp(slower), exp(most));
}

void fc_calibrate(const fc_calibration_points *points, const fc_calibration_input *input,
                  fc_result *result) {
    double mean, deviation;
    if (points->inputs != fc_calibration_inputs(points->model))
        return;
    if (!find_bounded_shift(points, input, &mean, &deviation)) {
        warn_if_slower_than_all(points, input, result);
        return;
    }
    const fc_calibrated_excess excess = fc_calibration_shifted(input, mean, deviation);
    fc_calibration_move(points, input->empty, excess.stretch, result);
    set_interval(result, input->empty + input->excess * excess.stretch,
                 input->empty + input->excess * excess.low,
                 input->empty + input->excess * excess.high, wide_shifted);
    warn_if_slower_than_all(points, input, result);
}

bool fc_calibration_limit(const fc_calibration_points *points, const fc_calibration_input *input,
                          double *ratio) {
    double mean, deviation;
    const bool near = find_shift(points, input, &mean, &deviation);
    *ratio = near ? exp(-mean) : 1;
    return near;
}
