/* The learned correction: small graph networks, fitted to simulations, that turn the traits of a
 * network into its curve over the load. One evaluation gives all loads. docs/theory/forecast.md has
 * the equations and how they were fitted; data/ has the weights, each file with its passport. */
#ifndef FC_FORECAST_LEARNED_H
#define FC_FORECAST_LEARNED_H

#include <stdbool.h>
#include "forecast/traits.h"

/* The weights of one model's correction, with their passport. */
typedef struct fc_weights fc_weights;

/* data: a weights file, which must outlive them. who: its name, for sentences. */
fc_status fc_weights_read(const void *data, size_t size, const char *who, fc_error *error,
                          fc_weights **weights);
void fc_weights_free(fc_weights *weights);
/* Fails with a sentence where the model fills other numbers, or is of another revision. */
fc_status fc_weights_check(const fc_weights *weights, const char *model, unsigned revision,
                           const fc_trait_names *names, fc_error *error);

/* What a file says of itself. */
typedef struct fc_passport {
    const char *file, *model, *command;
    unsigned revision;
    size_t networks, cases;
    char hash[17], data_hash[17]; /* of the file, of what it was fitted to */
} fc_passport;
fc_passport
fc_weights_passport(const fc_weights *weights);        /* reads all of the file, for its hash */
size_t fc_weights_networks(const fc_weights *weights); /* that they were fitted to */

/* What the networks that were drawn for the fit had for a scenario key: whether this value is among
 * them or in their range. A key that the passport does not name was left at its default. */
typedef enum fc_seen { FC_SEEN, FC_SEEN_NEVER, FC_SEEN_OUTSIDE } fc_seen;
fc_seen fc_weights_saw(const fc_weights *weights, const char *key, const char *value);
/* "1 to 8", "dateline, wrapping": of a key. */
void fc_weights_drawn(const fc_weights *weights, const char *key, size_t size, char *text);

/* Whether every trait of the network and of the lanes in use is between the least and the largest
 * of those that were fitted, or further by 5 % of their range. where: the name of the first that is
 * not. */
bool fc_weights_are_near(const fc_weights *weights, const fc_traits *traits, const char **where);

/* ---- form `curve` ---- */

/* Loads, as shares of the saturation load, at which the curve is given. */
enum { FC_KNOTS = 8 };
extern const double fc_knots[FC_KNOTS];

typedef struct fc_learned_curve {
    double saturation, saturation_spread; /* load; standard deviation of its logarithm */
    /* Log of (mean latency - the empty network's) / load: its median, in the middle of an interval,
     * and what is forecast, with the least expected relative error. Both rise. */
    double median[FC_KNOTS], growth[FC_KNOTS];
    double spread[FC_KNOTS]; /* standard deviation of that */
    double tail[FC_KNOTS];   /* log of what p99 has beyond the empty network's, over the mean's */
} fc_learned_curve;

fc_status fc_learned_curve_of(const fc_weights *weights, const fc_traits *traits, fc_error *error,
                              fc_learned_curve *curve);

/* ---- form `values` ---- */

enum { FC_LEARNED_VALUES_MOST = 4 };
typedef struct fc_learned_values {
    size_t count;
    double value[FC_LEARNED_VALUES_MOST], spread[FC_LEARNED_VALUES_MOST];
} fc_learned_values;
fc_status fc_learned_values_of(const fc_weights *weights, const fc_traits *traits, fc_error *error,
                               fc_learned_values *values);

#endif
