#include "studies/evaluate.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"

struct evaluation {
    const fc_scenario *const *scenarios;
    size_t count;
    const char *const *models;
    size_t model_count, methods;
    fc_error *errors; /* one per job, so that the message does not depend on the threads */
    fc_result **results;
};

static fc_status predict_one(void *context, size_t index) {
    struct evaluation *evaluation = context;
    const size_t scenario = index / evaluation->model_count;
    const size_t model = index % evaluation->model_count;
    fc_result **result = &evaluation->results[scenario * evaluation->methods + model];
    if (*result)
        return FC_OK;
    const fc_status status = fc_predict(evaluation->scenarios[scenario], evaluation->models[model],
                                        &evaluation->errors[index], result);
    return status == FC_ERROR_UNSUPPORTED ? FC_OK : status;
}

static fc_status predict_all(struct evaluation *evaluation, const fc_run_settings *settings,
                             fc_error *error) {
    const size_t jobs = evaluation->count * evaluation->model_count;
    if (jobs == 0)
        return FC_OK;
    evaluation->errors = fc_allocate(jobs, sizeof *evaluation->errors);
    if (!evaluation->errors)
        return fc_fail_memory(error);
    const fc_status status = fc_pool_run(settings, "models", jobs, predict_one, evaluation);
    for (size_t i = 0; i < jobs && status != FC_OK && status != FC_ERROR_CANCELLED; ++i) {
        const size_t at =
            i / evaluation->model_count * evaluation->methods + i % evaluation->model_count;
        if (!evaluation->results[at] && evaluation->errors[i].text[0]) {
            if (error)
                *error = evaluation->errors[i];
            break;
        }
    }
    fc_release(evaluation->errors);
    if (status == FC_ERROR_CANCELLED)
        fc_fail(error, status, "stopped");
    return status;
}

static void report_slice(void *context, double done, const char *what) {
    const fc_slice *slice = context;
    slice->whole->progress(slice->whole->progress_context, slice->begin + done * slice->share,
                           what);
}

fc_run_settings fc_slice_settings(fc_slice *slice) {
    fc_run_settings settings = slice->whole ? *slice->whole : fc_run_settings_default();
    if (settings.progress) {
        settings.progress = report_slice;
        settings.progress_context = slice;
    }
    return settings;
}

static fc_status simulate_all(struct evaluation *evaluation, const fc_run_settings *settings,
                              fc_error *error) {
    for (size_t i = 0; i < evaluation->count; ++i) {
        fc_slice slice = {settings, (double)i / (double)evaluation->count,
                          1 / (double)evaluation->count};
        const fc_run_settings inner = fc_slice_settings(&slice);
        if (inner.cancel && *inner.cancel)
            return fc_fail(error, FC_ERROR_CANCELLED, "stopped");
        fc_result **result =
            &evaluation->results[i * evaluation->methods + evaluation->model_count];
        if (*result)
            continue;
        const fc_status status = fc_simulate(evaluation->scenarios[i], &inner, error, result);
        if (status != FC_OK && status != FC_ERROR_UNSUPPORTED)
            return status;
    }
    return FC_OK;
}

fc_status fc_evaluate_missing(const fc_scenario *const *scenarios, size_t count,
                              const char *const *models, size_t model_count, bool simulate,
                              const fc_run_settings *settings, fc_error *error,
                              fc_result **results) {
    struct evaluation evaluation = {.scenarios = scenarios,
                                    .count = count,
                                    .models = models,
                                    .model_count = model_count,
                                    .methods = model_count + simulate,
                                    .results = results};
    fc_status status = predict_all(&evaluation, settings, error);
    if (status == FC_OK && simulate)
        status = simulate_all(&evaluation, settings, error);
    return status;
}

fc_status fc_evaluate(const fc_scenario *const *scenarios, size_t count, const char *const *models,
                      size_t model_count, bool simulate, const fc_run_settings *settings,
                      fc_error *error, fc_result **results) {
    for (size_t i = 0; i < count * (model_count + simulate); ++i)
        results[i] = NULL;
    return fc_evaluate_missing(scenarios, count, models, model_count, simulate, settings, error,
                               results);
}
