#include "base/statistics.h"

#include <math.h>

/* ---- Student's t ----
 *
 * The tail is half a regularised incomplete beta function, by its continued fraction (Abramowitz
 * and Stegun 26.5.8, evaluated after Lentz). Two details make it hold for a million degrees: the
 * ratio of gamma functions comes from its asymptotic series where differences of lgamma would
 * cancel, and powers of n/(n+t^2) from log1p. */

double fc_log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

/* log(gamma(x + 1/2) / gamma(x)). */
static double log_gamma_ratio(double x) {
    if (x < 20)
        return fc_log_gamma(x + 0.5) - fc_log_gamma(x);
    const double r = 1 / x, r2 = r * r;
    return 0.5 * log(x) - r * (1.0 / 8 - r2 * (1.0 / 192 - r2 * (1.0 / 640 - r2 * (17.0 / 14336))));
}

/* The continued fraction of I_x(a, b) without its leading factor; x below (a + 1)/(a + b + 2). */
static double beta_fraction(double x, double a, double b) {
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m <= 10000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        value *= d * c;
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        const double factor = d * c;
        value *= factor;
        if (fabs(factor - 1) < 1e-16)
            break;
    }
    return value;
}

/* P(T > t) in *tail and P(0 < T <= t) in *centre, each without cancellation where it is the smaller
 * one; the density is returned. t > 0. */
static double student_parts(double t, double degrees, double *tail, double *centre) {
    if (isinf(degrees)) {
        *tail = 0.5 * erfc(t * M_SQRT1_2);
        *centre = 0.5 * erf(t * M_SQRT1_2);
        return exp(-0.5 * t * t) / sqrt(2 * M_PI);
    }
    const double a = 0.5 * degrees, square = t * t;
    const double scale = exp(log_gamma_ratio(a)) / sqrt(M_PI); /* 1 / B(a, 1/2) */
    const double power = exp(-a * log1p(square / degrees));    /* (n / (n + t^2))^a */
    const double x = degrees / (degrees + square), y = square / (degrees + square);
    const double front = scale * power * sqrt(y);
    if (x < (a + 1) / (a + 2.5)) {
        *tail = 0.5 * front / a * beta_fraction(x, a, 0.5);
        *centre = 0.5 - *tail;
    } else {
        *centre = front * beta_fraction(y, 0.5, a);
        *tail = 0.5 - *centre;
    }
    return scale * power * sqrt(x) / sqrt(degrees);
}

double fc_student_quantile(double probability, double degrees) {
    if (!(probability > 0 && probability < 1 && degrees > 0))
        return probability == 1 ? INFINITY : probability == 0 ? -INFINITY : NAN;
    if (probability < 0.5)
        return -fc_student_quantile(1 - probability, degrees);
    const double wanted_centre = probability - 0.5, wanted_tail = 1 - probability;
    if (wanted_centre == 0)
        return 0;
    /* The distribution function is concave above 0, so Newton's method from below the root rises
     * to it and cannot miss; the density at 0 gives a start that is below. */
    double tail, centre;
    double t = wanted_centre / student_parts(1e-30, degrees, &tail, &centre);
    for (int step = 0; step < 1000; ++step) {
        const double density = student_parts(t, degrees, &tail, &centre);
        const double missing =
            wanted_centre < wanted_tail ? wanted_centre - centre : tail - wanted_tail;
        const double change = missing / density;
        if (!isfinite(change))
            break;
        t += change;
        if (fabs(change) <= 1e-14 * t)
            break;
    }
    return t;
}

/* ---- moments ---- */

void fc_moments_add(fc_moments *moments, double value) {
    const double away = value - moments->mean;
    moments->count += 1;
    moments->mean += away / moments->count;
    moments->squares += away * (value - moments->mean);
}

double fc_moments_half_width(const fc_moments *moments) {
    const double n = moments->count;
    return n < 2 ? (double)NAN
                 : fc_student_quantile(0.975, n - 1) * sqrt(moments->squares / (n - 1) / n);
}

/* ---- warm-up ---- */

size_t fc_mser_truncation(const double *values, size_t count) {
    if (count < 2)
        return 0;
    /* From the back, so that the moments of each tail cost one step. */
    fc_moments tail = {0};
    double smallest = INFINITY;
    size_t best = 0;
    for (size_t kept = 1; kept <= count; ++kept) {
        fc_moments_add(&tail, values[count - kept]);
        const double error = tail.squares / (tail.count * tail.count);
        if (2 * kept >= count && error <= smallest) {
            smallest = error;
            best = count - kept;
        }
    }
    return best;
}

/* ---- intervals ---- */

typedef struct batch_sums {
    const double *sums, *weights, *controls;
    size_t replications, batches, count; /* count: of controls */
    double ratio;
    double sum[FC_CONTROLS_MOST];   /* of each control, over all batches */
    double slope[FC_CONTROLS_MOST]; /* as fitted */
    bool apart[FC_CONTROLS_MOST];   /* not used: see drop_contradictions */
    size_t fitted;                  /* controls that have a slope */
    double leverage; /* what not knowing the slopes adds to the variance, relative to it */
} batch_sums;

/* A batch of a replication cut into `merged` of them, as equal as can be: its residual before
 * controls, and its controls. */
static double merged_batch(const batch_sums *all, size_t merged, size_t replication, size_t batch,
                           double controls[FC_CONTROLS_MOST]) {
    const size_t from = replication * all->batches + batch * all->batches / merged;
    const size_t end = replication * all->batches + (batch + 1) * all->batches / merged;
    double sum = 0, weight = 0;
    for (size_t i = from; i < end; ++i) {
        sum += all->sums[i];
        weight += all->weights[i];
    }
    for (size_t c = 0; c < all->count; ++c) {
        const double *values = all->controls + c * all->replications * all->batches;
        controls[c] = 0;
        for (size_t i = from; i < end; ++i)
            controls[c] += values[i];
    }
    return sum - all->ratio * weight;
}

/* Solves square x = right for the controls that have scatter of their own; the others get 0. */
static void solve_slopes(batch_sums *all, double square[][FC_CONTROLS_MOST + 1]) {
    bool used[FC_CONTROLS_MOST];
    double original[FC_CONTROLS_MOST];
    for (size_t c = 0; c < all->count; ++c)
        original[c] = square[c][c];
    all->fitted = 0;
    for (size_t c = 0; c < all->count; ++c) {
        used[c] = !all->apart[c] && square[c][c] > 1e-9 * original[c] && original[c] > 0;
        all->fitted += used[c] ? 1 : 0;
        for (size_t row = 0; used[c] && row < all->count; ++row) {
            if (row == c)
                continue;
            const double factor = square[row][c] / square[c][c];
            for (size_t k = 0; k <= all->count; ++k)
                square[row][k] -= factor * square[c][k];
        }
    }
    for (size_t c = 0; c < all->count; ++c)
        all->slope[c] = used[c] ? square[c][all->count] / square[c][c] : 0;
}

static void fit_controls(batch_sums *all, size_t merged) {
    const double n = (double)(all->replications * merged);
    double square[FC_CONTROLS_MOST][FC_CONTROLS_MOST + 1] = {{0}};
    double means[FC_CONTROLS_MOST][FC_CONTROLS_MOST + 1];
    double controls[FC_CONTROLS_MOST];
    for (size_t r = 0; r < all->replications; ++r)
        for (size_t batch = 0; batch < merged; ++batch) {
            const double residual = merged_batch(all, merged, r, batch, controls);
            for (size_t c = 0; c < all->count; ++c)
                controls[c] -= all->sum[c] / n;
            for (size_t c = 0; c < all->count; ++c) {
                for (size_t k = 0; k < all->count; ++k)
                    square[c][k] += controls[c] * controls[k];
                square[c][all->count] += controls[c] * residual;
            }
        }
    /* The leverage is the same system with the means on the right. */
    for (size_t c = 0; c < all->count; ++c) {
        for (size_t k = 0; k < all->count; ++k)
            means[c][k] = square[c][k];
        means[c][all->count] = all->sum[c] / n;
    }
    solve_slopes(all, means);
    all->leverage = 0;
    for (size_t c = 0; c < all->count; ++c)
        all->leverage += all->sum[c] * all->slope[c];
    solve_slopes(all, square);
}

/* Each control may be as near to its expectation as chance allows, and a combination of them not:
 * in a short run the rare waits of a control are none, so that it is in proportion to another one,
 * and the difference of the two says nothing but has a slope. The leverage is Hotelling's T squared
 * of all together over its degrees of freedom; where that is more than chance explains (as unlikely
 * as 5 standard errors) the control is left out without which the others agree best, but not the
 * first, the messages or think times that were drawn: their scatter is what all metrics share. */
static void drop_contradictions(batch_sums *all, size_t merged) {
    static const double tail = 2.87e-7, more_for_several = 10;
    const double degrees = (double)(all->replications * merged) - 1;
    if (all->leverage * degrees <= more_for_several)
        return;
    const double furthest = fc_student_quantile(1 - tail, degrees);
    const double most = (furthest * furthest + more_for_several) / degrees;
    while (all->leverage > most && all->fitted > 1) {
        size_t worst = 0;
        double least = INFINITY;
        for (size_t c = 1; c < all->count; ++c) {
            if (all->apart[c])
                continue;
            all->apart[c] = true;
            fit_controls(all, merged);
            if (all->leverage < least) {
                least = all->leverage;
                worst = c;
            }
            all->apart[c] = false;
        }
        all->apart[worst] = true;
        fit_controls(all, merged);
    }
}

/* Fits the slopes, then once more with residuals about the mean that they give. About the mean
 * before controls, the weight of a batch would seem to explain part of what a control explains, in
 * proportion to the error of that mean: a metric that a control explains completely would not come
 * out exact. */
static void correct_mean(batch_sums *all, size_t merged, double weight) {
    const double uncorrected = all->ratio;
    fit_controls(all, merged);
    drop_contradictions(all, merged);
    for (int pass = 0; pass < 2; ++pass) {
        if (pass > 0)
            fit_controls(all, merged);
        all->ratio = uncorrected;
        for (size_t c = 0; c < all->count; ++c)
            all->ratio -= all->slope[c] * all->sum[c] / weight;
    }
}

/* The residuals when each replication is cut into `merged` batches: the sum of their squares, and
 * those of their cubes and of the products of neighbours. */
static double residual_squares(const batch_sums *all, size_t merged, double *products,
                               double *cubes) {
    double squares = 0, controls[FC_CONTROLS_MOST];
    *products = 0;
    *cubes = 0;
    for (size_t replication = 0; replication < all->replications; ++replication) {
        double previous = 0;
        for (size_t batch = 0; batch < merged; ++batch) {
            double residual = merged_batch(all, merged, replication, batch, controls);
            for (size_t c = 0; c < all->count; ++c)
                residual -= all->slope[c] * controls[c];
            squares += residual * residual;
            *cubes += residual * residual * residual;
            *products += residual * previous;
            previous = residual;
        }
    }
    return squares;
}

/* Lag-1 correlation of the residuals, free of the bias the common mean brings. */
static double lag_correlation(double squares, double products, size_t total, size_t pairs) {
    if (pairs == 0 || squares <= 0)
        return 0;
    return products / (double)pairs / (squares / (double)total) + 1 / (double)total;
}

/* Standard errors on either side of a mean of the given skewness. An interval around a skewed mean
 * misses on one side, and this is that side's bound after Johnson (1978), solved exactly as Willink
 * (2005) does. And a run that ends when its interval is narrow prefers samples of small scatter,
 * which are those without the rare large values: so its mean is off, to first order by as many
 * standard errors as the mean is skewed, on the same side. */
static double skewed_quantile(double degrees, double skewness) {
    const double quantile = fc_student_quantile(0.975, degrees), a = skewness / 6;
    if (a < 1e-6)
        return quantile;
    return (1 - cbrt(fmax(1 - 6 * a * (quantile + a), 0))) / (2 * a) + skewness;
}

/* The skewness of the mean of n batches, by their residuals, without what independent symmetric
 * batches would show by chance. */
static double mean_skewness(double squares, double cubes, double n) {
    if (!(squares > 0))
        return 0;
    return sqrt(fmax(cubes * cubes / (squares * squares * squares) - 6 / (n * n), 0));
}

/* Batches of each replication when there are about `wanted` in all. */
static size_t batches_each(size_t wanted, size_t replications, size_t batches) {
    const size_t each = wanted / replications;
    return each < 1 ? 1 : each > batches ? batches : each;
}

/* What is seen of the scatter of the residuals, in the batches that the interval says. */
typedef struct scatter {
    double squares, skewness;
} scatter;

/* Merges batches until those that are left are independent, or few. */
static scatter merge_dependent(const batch_sums *all, fc_interval *interval) {
    const size_t replications = all->replications;
    size_t merged = batches_each(FC_INTERVAL_BATCHES, replications, all->batches);
    scatter seen = {.skewness = -1};
    for (;; merged /= 2) {
        const size_t total = replications * merged, pairs = replications * (merged - 1);
        double products, cubes;
        seen.squares = residual_squares(all, merged, &products, &cubes);
        if (seen.skewness < 0) /* many batches tell it better than few large ones */
            seen.skewness = mean_skewness(seen.squares, cubes, (double)total);
        interval->correlation = lag_correlation(seen.squares, products, total, pairs);
        interval->batches = total;
        /* Better to merge once too often. Negative correlation only makes the interval too wide:
         * so batches are merged where it is beyond doubt, and the interval is sound without. */
        const double deviations = interval->correlation * sqrt((double)pairs);
        interval->independent = deviations <= 1.2816;
        if ((interval->independent && deviations >= -2) || merged < 2 ||
            replications * (merged / 2) < FC_INTERVAL_FEWEST)
            return seen;
    }
}

/* Fits the controls, if there are batches enough for it: in how many of each replication. */
static size_t use_controls(batch_sums *all, size_t count, double weight) {
    const size_t each = all->replications * all->batches;
    const size_t fitted = batches_each(FC_FITTED_BATCHES, all->replications, all->batches);
    all->count = count;
    for (size_t i = 0; i < count * each; ++i)
        all->sum[i / each] += all->controls[i];
    if (all->replications * fitted < FC_CONTROLLED_FEWEST)
        all->count = 0;
    if (all->count)
        correct_mean(all, fitted, weight);
    return fitted;
}

fc_interval fc_controlled_interval(const double *sums, const double *weights,
                                   const double *controls, size_t count, size_t replications,
                                   size_t batches) {
    fc_interval interval = {.mean = NAN, .half_width = INFINITY, .inflation = 1};
    if (replications == 0)
        return interval;
    double sum = 0, weight = 0;
    for (size_t i = 0; i < replications * batches; ++i) {
        sum += sums[i];
        weight += weights[i];
    }
    if (!(weight > 0))
        return interval;
    interval.mean = sum / weight;
    interval.weight = weight;
    batch_sums all = {.sums = sums,
                      .weights = weights,
                      .controls = controls,
                      .replications = replications,
                      .batches = batches,
                      .ratio = interval.mean};

    double products, cubes;
    double unmerged = residual_squares(&all, batches, &products, &cubes);
    const size_t fitted = use_controls(&all, count, weight);
    interval.mean = all.ratio;
    const scatter seen = merge_dependent(&all, &interval);
    const double total = (double)interval.batches;
    if (total < 2) {
        interval.independent = false;
        return interval;
    }
    /* Each slope takes a share of the degrees of freedom of the batches that it was fitted by. */
    double degrees = total - 1;
    if (all.fitted)
        degrees *= 1 - (double)all.fitted / ((double)(replications * fitted) - 1);
    /* What correlation is left is taken for that of a first-order autoregressive series. */
    const double left = fmin(fmax(interval.correlation, 0), 0.8);
    const double squares = seen.squares * ((1 + left) / (1 - left));
    if (all.fitted) /* of the same residuals before merging: how long what is left remembers */
        unmerged = residual_squares(&all, batches, &products, &cubes);
    interval.inflation = unmerged > 0 ? squares / unmerged : 1;
    interval.half_width = skewed_quantile(degrees, seen.skewness) *
                          sqrt(squares * total / degrees * (1 + all.leverage)) / weight;
    return interval;
}

fc_interval fc_ratio_interval(const double *sums, const double *weights, size_t replications,
                              size_t batches) {
    return fc_controlled_interval(sums, weights, NULL, 0, replications, batches);
}
