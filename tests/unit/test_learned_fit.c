/* The fit of learned corrections: that it goes down where the loss does, that what it fitted is
 * what a forecast evaluates, and that threads change nothing. */
#include "test_support.h"

#include <stdlib.h>
#include "base/random.h"
#include "fit/backward.h"
#include "fit/descent.h"
#include "fit/loss.h"
#include "fit/score.h"
#include "fit/weights_file.h"

enum { LANES = 7, MOVEMENTS = 11, LINKS = 4, LOADS = 5, NETWORKS = 40 };
static const char *const whole_names[] = {"wide", "long", "mixed", NULL};
static const char *const lane_names[] = {"load", "buffer", NULL};
static const char *const movement_names[] = {"kept", "share", "log load", NULL};
static const fc_trait_names names = {whole_names, lane_names, movement_names};

static float draw(fc_random *random) {
    return (float)fc_random_unit(random);
}

/* A random network, whose latency follows from its traits in some way. */
static fc_traits *draw_traits(fc_random *random) {
    fc_traits *t;
    assert_int_equal(fc_traits_create(&names, LANES, MOVEMENTS, NULL, &t), FC_OK);
    t->link_count = LINKS;
    t->capacity = 0.5 + fc_random_unit(random);
    for (int i = 0; i < FC_LATENCIES; ++i)
        t->empty[i] = 10 + 5 * i;
    for (size_t i = 0; i < t->whole_inputs; ++i)
        t->whole[i] = draw(random);
    for (uint32_t l = 0; l < LANES; ++l) {
        t->lanes[l] = (fc_lane_traits){.link = l % LINKS,
                                       .weight = l == 3 ? 0 : 0.1F + draw(random),
                                       .unit = 1 + draw(random),
                                       .copies = 1};
        for (size_t i = 0; i < t->lane_inputs; ++i)
            t->lane[l * t->lane_inputs + i] = draw(random);
    }
    for (uint32_t j = 0; j < MOVEMENTS; ++j) {
        float *in = t->movement + j * t->movement_inputs;
        for (size_t i = 0; i < t->movement_inputs; ++i)
            in[i] = draw(random);
        t->movements[j] = (fc_movement_traits){.from = fc_random_below(random, LANES),
                                               .to = fc_random_below(random, LANES),
                                               .kept = in[0],
                                               .share = in[1],
                                               .load = draw(random)};
    }
    return t;
}

static void write_curves(const char *path, bool values) {
    static const char *const value_names[] = {"first", "second", NULL};
    static const char *const seen[] = {"network.rule dateline, wrapping", "network.channels 1 to 8",
                                       NULL};
    fc_random random = fc_random_stream(4, 0, 0);
    fit_writer *writer = fit_writer_create(
        path, &(fit_head){"some-model", 3, &names, values ? value_names : NULL, seen});
    assert_non_null(writer);
    for (size_t i = 0; i < NETWORKS; ++i) {
        fc_traits *t = draw_traits(&random);
        const double saturation = t->capacity * (0.6 + 0.3 * (double)t->whole[0]);
        fit_load loads[LOADS];
        for (int k = 0; k < LOADS; ++k) {
            const double u = 0.15 + 0.16 * k, wait = (4 + (double)t->whole[1]) * u / (1 - u);
            loads[k] = (fit_load){(float)(u * saturation), (float)(10 + wait), 0.05F,
                                  (float)(25 + 4 * wait), 0.5F};
        }
        fit_network network = {.group = i % 2 ? "odd" : "even",
                               .left_out = i % 5 == 0,
                               .saturation = i % 4 ? saturation : 0,
                               .saturation_half = 0.01 * saturation,
                               .load_count = LOADS,
                               .loads = loads};
        if (i % 4 == 0)
            loads[LOADS - 1] = (fit_load){(float)(1.1 * saturation), NAN, NAN, NAN, NAN};
        if (values) {
            network.load_count = 0;
            network.value_count = 2;
            network.value[0] = 0.2 * (double)t->whole[0];
            network.value[1] = i % 3 ? 0.3 * (double)t->lane[1] : NAN;
            network.variance[0] = network.variance[1] = 1e-4;
        }
        assert_true(fit_writer_add(writer, &network, t));
        fc_traits_free(t);
    }
    assert_true(fit_writer_close(writer));
}

typedef struct setting {
    fit_dataset data;
    fit_team *team;
    fit_lessons lessons;
    fc_learned_layout layout;
    bool *left_out;
    float *weights;
} setting;

static void set_up(bool values, size_t rounds, size_t threads, setting *s) {
    static const char path[] = "test_learned_fit.data";
    char text[256];
    *s = (setting){.team = fit_team_create(threads)};
    write_curves(path, values);
    if (!fit_dataset_read(path, &s->data, text))
        fail_msg("%s", text);
    remove(path);
    assert_int_equal(s->data.count, NETWORKS);
    s->left_out = calloc(NETWORKS, sizeof *s->left_out);
    for (size_t i = 0; i < NETWORKS; ++i)
        s->left_out[i] = s->data.records[i].network.left_out;
    const fc_learned_shape shape = {.width = 16, .rounds = rounds};
    assert_true(fit_lessons_create(&s->data, s->left_out, s->team, shape, NULL, &s->lessons));
    s->layout = fc_learned_layout_of(&s->lessons.shape);
    s->weights = calloc(s->layout.count, sizeof *s->weights);
}

static void tear_down(setting *s) {
    free(s->weights);
    free(s->left_out);
    fit_lessons_release(&s->lessons);
    fit_team_free(s->team);
    fit_dataset_release(&s->data);
}

/* ---- the gradient ---- */

typedef struct bench {
    fc_learned_tape *tape;
    fit_backward *backward;
    fc_member_curve curve;
    fit_slopes slopes;
    float *transposed;
} bench;

static bench set_bench(const setting *s) {
    bench b = {.backward = fit_backward_create(&s->lessons.shape, LANES, MOVEMENTS),
               .curve.shares = calloc(LANES * FC_KNOTS, sizeof(float)),
               .curve.full = calloc(LANES, sizeof(float)),
               .slopes.out = calloc(LANES * FC_LANE_OUTPUTS, sizeof(float)),
               .transposed = calloc(s->layout.count, sizeof(float))};
    assert_int_equal(
        fc_learned_tape_create(&s->lessons.shape, LANES, MOVEMENTS, true, NULL, &b.tape), FC_OK);
    return b;
}

static void clear_bench(bench *b) {
    fc_learned_tape_free(b->tape);
    fit_backward_free(b->backward);
    free(b->curve.shares);
    free(b->curve.full);
    free(b->slopes.out);
    free(b->transposed);
}

/* Of all networks; gradient: NULL or added to. */
static double loss_at(const setting *s, bench *b, const float *weights, float *gradient) {
    fit_loss_weights terms = fit_loss_weights_of(&s->lessons, s->left_out);
    terms.spread = 0; /* of it, only what it changes by with the spreads is followed */
    double loss = 0;
    fit_transpose(&s->lessons.shape, &s->layout, weights, b->transposed);
    for (size_t i = 0; i < NETWORKS; ++i) {
        const fit_lesson *lesson = &s->lessons.list[i];
        fc_learned_forward(&s->lessons.shape, &s->layout, weights, lesson->graph, b->tape);
        loss += fit_loss(&terms, &s->lessons, lesson, b->tape, &b->curve, &b->slopes);
        if (gradient)
            fit_go_back(&s->lessons.shape, &s->layout, b->transposed, lesson->graph, b->tape,
                        &b->slopes, b->backward, gradient);
    }
    return loss;
}

/* Along the part of the gradient in a section of the weights, the loss changes as it says. */
static void check_section(const setting *s, bench *b, const float *gradient, size_t from,
                          size_t to) {
    double square = 0;
    for (size_t i = from; i < to; ++i)
        square += (double)gradient[i] * (double)gradient[i];
    if (square == 0)
        return;
    const double length = sqrt(square), step = fmin(2e-3, 0.3 / length);
    float *moved = calloc(s->layout.count, sizeof *moved);
    double loss[2];
    for (int side = 0; side < 2; ++side) {
        memcpy(moved, s->weights, s->layout.count * sizeof *moved);
        for (size_t i = from; i < to; ++i)
            moved[i] += (float)((side ? -step : step) * (double)gradient[i] / length);
        loss[side] = loss_at(s, b, moved, NULL);
    }
    free(moved);
    assert_near((loss[0] - loss[1]) / (2 * step) / length, 1, 0.01);
}

static void check_gradient(bool values, size_t rounds) {
    setting s;
    set_up(values, rounds, 1, &s);
    bench b = set_bench(&s);
    float *gradient = calloc(s.layout.count, sizeof *gradient);
    const fc_learned_layout *l = &s.layout;
    fit_start(&s.lessons.shape, l, LANES, 7, s.weights);
    fc_random random = fc_random_stream(8, 0, 0);
    for (size_t i = l->last[0]; i < l->count; ++i) /* outputs that differ from lane to lane */
        s.weights[i] += 0.2F * (draw(&random) - 0.5F);
    loss_at(&s, &b, s.weights, gradient);
    check_section(&s, &b, gradient, 0, l->count);
    check_section(&s, &b, gradient, l->lane, l->whole);
    check_section(&s, &b, gradient, l->whole, l->second);
    check_section(&s, &b, gradient, l->second, l->rounds);
    for (size_t r = 0; r < rounds; ++r) {
        const size_t at = l->rounds + r * l->round.count;
        check_section(&s, &b, gradient, at + l->round.from, at + l->round.to);
        check_section(&s, &b, gradient, at + l->round.to, at + l->round.movement);
        check_section(&s, &b, gradient, at + l->round.movement, at + l->round.seen[0]);
        for (size_t i = 0; i + 1 < FC_HEARD; ++i)
            check_section(&s, &b, gradient, at + l->round.seen[i], at + l->round.seen[i + 1]);
        check_section(&s, &b, gradient, at + l->round.change, at + l->round.count);
    }
    check_section(&s, &b, gradient, l->last[0], l->last[1]);
    check_section(&s, &b, gradient, l->last[1], l->out);
    check_section(&s, &b, gradient, l->out, l->tail);
    check_section(&s, &b, gradient, l->tail, l->tail_out);
    check_section(&s, &b, gradient, l->tail_out, l->count);
    free(gradient);
    clear_bench(&b);
    tear_down(&s);
}

static void the_gradient_is_that_of_the_loss(void **state) {
    (void)state;
    check_gradient(false, 0);
    check_gradient(false, 3);
    check_gradient(true, 0);
    check_gradient(true, 2);
}

/* ---- the fit ---- */

static const fit_settings few = {
    .passes = 60, .batch = 8, .rate = 1e-2, .decay = 0.01, .drop = 0.05, .seed = 1};

static void threads_change_nothing(void **state) {
    (void)state;
    setting one, three;
    set_up(false, 2, 1, &one);
    set_up(false, 2, 3, &three);
    fit_settings settings = few;
    settings.passes = 3;
    assert_true(
        fit_descend(&one.lessons, one.left_out, &settings, one.team, NULL, NULL, one.weights));
    assert_true(fit_descend(&three.lessons, three.left_out, &settings, three.team, NULL, NULL,
                            three.weights));
    assert_true(same_bytes(one.weights, three.weights, one.layout.count * sizeof(float)));
    tear_down(&one);
    tear_down(&three);
}

static fc_weights *read_fitted(const setting *s, char **image) {
    size_t size;
    fc_weights *weights;
    fc_error error;
    const fit_fitted fitted = {.lessons = &s->lessons,
                               .members = 1,
                               .weights = s->weights,
                               .spread_factors = {1, 1, 1, 1, 1, 1, 1, 1, 1},
                               .networks = 32,
                               .cases = 160,
                               .command = "fit/train some.fit --passes 60"};
    *image = fit_weights_image(&fitted, &size);
    assert_non_null(*image);
    if (fc_weights_read(*image, size, "some.weights", &error, &weights) != FC_OK)
        fail_msg("%s", error.text);
    return weights;
}

static void a_curve_is_learned(void **state) {
    (void)state;
    setting s;
    set_up(false, 2, 2, &s);
    bench b = set_bench(&s);
    assert_true(fit_descend(&s.lessons, s.left_out, &few, s.team, NULL, NULL, s.weights));
    char *image;
    fc_weights *weights = read_fitted(&s, &image);
    double off = 0;
    for (size_t i = 0; i < NETWORKS; ++i) {
        const fit_record *r = &s.data.records[i];
        fc_learned_curve made;
        const fc_learned_curve *curve = &made;
        assert_int_equal(fc_learned_curve_of(weights, &r->traits, NULL, &made), FC_OK);
        /* what the fit has evaluated, to the last bit */
        fc_learned_forward(&s.lessons.shape, &s.layout, s.weights, s.lessons.list[i].graph, b.tape);
        fc_member_curve_of(s.lessons.list[i].graph, &s.lessons.list[i].traits, b.tape, &b.curve);
        double before = 0;
        for (int k = 0; k < FC_KNOTS; ++k) {
            assert_true(curve->median[k] == b.curve.growth[k]);
            assert_true(curve->growth[k] <= curve->median[k]);
            assert_true(curve->tail[k] >= b.curve.tail[k]);
            const double p99 = log(fc_knots[k]) + curve->growth[k] + curve->tail[k];
            assert_true(k == 0 || p99 >= before - 1e-12);
            before = p99;
            assert_true(k == 0 || curve->growth[k] >= curve->growth[k - 1]);
        }
        assert_true(curve->saturation > 0 && curve->saturation <= r->traits.capacity);
        if (r->network.left_out && r->network.saturation > 0)
            off += fabs(curve->saturation / r->network.saturation - 1) / 6;
    }
    assert_true(off < 0.08); /* without the fit: 0.2 */
    fc_weights_free(weights);
    free(image);
    clear_bench(&b);
    tear_down(&s);
}

static void values_are_learned(void **state) {
    (void)state;
    setting s;
    set_up(true, 0, 2, &s);
    assert_true(fit_descend(&s.lessons, s.left_out, &few, s.team, NULL, NULL, s.weights));
    char *image;
    fc_weights *weights = read_fitted(&s, &image);
    fit_forecast *forecasts = calloc(NETWORKS, sizeof *forecasts);
    fit_forecast_some(&s.data, s.left_out, weights, s.team, forecasts);
    double off = 0;
    for (size_t i = 0; i < NETWORKS; ++i) {
        assert_true(forecasts[i].made == s.left_out[i]);
        if (forecasts[i].made) {
            assert_int_equal(forecasts[i].values.count, 2);
            off += fabs(forecasts[i].values.value[0] - s.data.records[i].network.value[0]) / 8;
        }
    }
    assert_true(off < 0.03); /* of 0 to 0.2 */
    free(forecasts);
    fc_weights_free(weights);
    free(image);
    tear_down(&s);
}

/* ---- the file ---- */

static void the_passport_is_read(void **state) {
    (void)state;
    setting s;
    set_up(false, 2, 1, &s);
    fit_start(&s.lessons.shape, &s.layout, LANES, 7, s.weights);
    char *image, text[64];
    fc_error error;
    fc_weights *weights = read_fitted(&s, &image);
    const fc_passport passport = fc_weights_passport(weights);
    assert_string_equal(passport.model, "some-model");
    assert_string_equal(passport.command, "fit/train some.fit --passes 60");
    assert_int_equal(passport.networks, 32);
    assert_int_equal(passport.cases, 160);
    assert_int_equal(strlen(passport.hash), 16);
    assert_int_equal(fc_weights_check(weights, "some-model", 3, &names, &error), FC_OK);
    assert_int_equal(fc_weights_check(weights, "other-model", 3, &names, &error), FC_ERROR_INPUT);
    assert_string_equal(error.text, "some.weights: fitted to some-model, not to other-model");
    assert_int_equal(fc_weights_check(weights, "some-model", 4, &names, &error), FC_ERROR_INPUT);
    assert_string_equal(error.text, "some.weights: fitted to revision 3 of some-model, this "
                                    "program has revision 4; fit again");
    static const char *const others[] = {"wide", "long", NULL};
    const fc_trait_names fewer = {others, lane_names, movement_names};
    assert_int_equal(fc_weights_check(weights, "some-model", 3, &fewer, &error), FC_ERROR_INPUT);
    assert_string_equal(error.text, "some.weights: number 3 of the whole is \"mixed\" in the fit, "
                                    "\"\" in this program; fit again");
    assert_int_equal(fc_weights_saw(weights, "network.rule", "wrapping"), FC_SEEN);
    assert_int_equal(fc_weights_saw(weights, "network.rule", "wrap"), FC_SEEN_NEVER);
    assert_int_equal(fc_weights_saw(weights, "network.channels", "8"), FC_SEEN);
    assert_int_equal(fc_weights_saw(weights, "network.channels", "9"), FC_SEEN_OUTSIDE);
    assert_int_equal(fc_weights_saw(weights, "network.other", "9"), FC_SEEN_NEVER);
    fc_weights_drawn(weights, "network.channels", sizeof text, text);
    assert_string_equal(text, "1 to 8");
    fc_traits traits = s.data.records[1].traits;
    const char *where = "";
    assert_true(fc_weights_are_near(weights, &traits, &where));
    traits.whole[1] = 3;
    assert_false(fc_weights_are_near(weights, &traits, &where));
    assert_string_equal(where, "long");
    fc_weights_free(weights);
    free(image);
    tear_down(&s);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    setting s;
    set_up(false, 1, 1, &s);
    char *image;
    size_t size;
    fc_weights *weights;
    fc_error error;
    const fit_fitted fitted = {
        .lessons = &s.lessons, .members = 1, .weights = s.weights, .command = "-"};
    image = fit_weights_image(&fitted, &size);
    assert_int_equal(fc_weights_read(image, size - 4, "short", &error, &weights), FC_ERROR_INPUT);
    assert_string_equal(error.text, "short: the number of weights is not what its first lines say");
    assert_int_equal(fc_weights_read(image, 0, "empty", &error, &weights), FC_ERROR_INPUT);
    assert_string_equal(error.text, "empty: does not begin with \"weights of Flitcast 1\"");
    char *width = strstr(image, "width 16");
    width[7] = '7';
    assert_int_equal(fc_weights_read(image, size, "wide", &error, &weights), FC_ERROR_INPUT);
    image[3] = 'x';
    assert_int_equal(fc_weights_read(image, size, "other", &error, &weights), FC_ERROR_INPUT);
    free(image);
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_gradient_is_that_of_the_loss),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(a_curve_is_learned),
                                       cmocka_unit_test(values_are_learned),
                                       cmocka_unit_test(the_passport_is_read),
                                       cmocka_unit_test(damaged_files_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
