#include "studies/evaluate.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"

struct job_list {
    const fc_evaluation *wanted;
    fc_error *errors; /* one per job, so that the message does not depend on the threads */
    fc_result **results;
};

static size_t methods_of(const fc_evaluation *evaluation) {
    return evaluation->model_count + evaluation->simulate;
}

/* Where the result of a job of a model goes. */
static fc_result **result_of(const struct job_list *jobs, size_t index) {
    const size_t models = jobs->wanted->model_count;
    return &jobs->results[index / models * methods_of(jobs->wanted) + index % models];
}

static fc_status predict_one(void *context, size_t index) {
    const struct job_list *jobs = context;
    const fc_evaluation *wanted = jobs->wanted;
    fc_result **result = result_of(jobs, index);
    if (*result)
        return FC_OK;
    const fc_status status =
        fc_predict(wanted->scenarios[index / wanted->model_count],
                   wanted->models[index % wanted->model_count], &jobs->errors[index], result);
    return status == FC_ERROR_UNSUPPORTED ? FC_OK : status;
}

static fc_status predict_all(const fc_evaluation *wanted, const fc_run_settings *settings,
                             fc_error *error, fc_result **results) {
    const size_t count = wanted->count * wanted->model_count;
    if (count == 0)
        return FC_OK;
    struct job_list jobs = {wanted, fc_allocate(count, sizeof *jobs.errors), results};
    if (!jobs.errors)
        return fc_fail_memory(error);
    const fc_status status = fc_pool_run(settings, "models", count, predict_one, &jobs);
    for (size_t i = 0; i < count && status != FC_OK && status != FC_ERROR_CANCELLED; ++i) {
        if (!*result_of(&jobs, i) && jobs.errors[i].text[0]) {
            if (error)
                *error = jobs.errors[i];
            break;
        }
    }
    fc_release(jobs.errors);
    if (status == FC_ERROR_CANCELLED)
        fc_error_write(error, "stopped");
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

static fc_status simulate_all(const fc_evaluation *wanted, const fc_run_settings *settings,
                              fc_error *error, fc_result **results) {
    for (size_t i = 0; i < wanted->count; ++i) {
        fc_slice slice = {settings, (double)i / (double)wanted->count, 1 / (double)wanted->count};
        const fc_run_settings inner = fc_slice_settings(&slice);
        if (inner.cancel && *inner.cancel)
            return fc_fail(error, FC_ERROR_CANCELLED, "stopped");
        fc_result **result = &results[i * methods_of(wanted) + wanted->model_count];
        if (*result)
            continue;
        const fc_status status = fc_simulate(wanted->scenarios[i], &inner, error, result);
        if (status != FC_OK && status != FC_ERROR_UNSUPPORTED)
            return status;
    }
    return FC_OK;
}

fc_status fc_evaluate(const fc_evaluation *evaluation, const fc_run_settings *settings,
                      fc_error *error, fc_result **results) {
    const fc_status status = predict_all(evaluation, settings, error, results);
    return status == FC_OK && evaluation->simulate
               ? simulate_all(evaluation, settings, error, results)
               : status;
}
