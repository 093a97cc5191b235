#include "studies/evaluate.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/status.h"
#include "studies/run.h"
#include "studies/simulate_list.h"

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

/* Without a simulator for the scenario the result stays NULL. */
static fc_status keep_result(void *context, fc_simulation *point, fc_error *error) {
    fc_result **results = context;
    if (point->status == FC_ERROR_UNSUPPORTED)
        return FC_OK;
    results[point->index] = point->result;
    return fc_simulation_failure(point, 1, error);
}

static fc_status simulate_all(const fc_evaluation *wanted, const fc_run_settings *settings,
                              fc_error *error, fc_result **results) {
    fc_simulation *points = fc_allocate(wanted->count, sizeof *points);
    fc_simulation **list = fc_allocate(wanted->count, sizeof *list);
    fc_status status = points && list ? FC_OK : fc_fail_memory(error);
    for (size_t i = 0; i < wanted->count && status == FC_OK; ++i) {
        const size_t index = i * methods_of(wanted) + wanted->model_count;
        points[i] = (fc_simulation){
            .index = index, .scenario = wanted->scenarios[i], .result = results[index]};
        list[i] = &points[i];
    }
    const fc_simulation_list all = {list, wanted->count, keep_result, results};
    if (status == FC_OK)
        status = fc_simulate_list(&all, settings, error);
    fc_release(list);
    fc_release(points);
    return status;
}

fc_status fc_evaluate(const fc_evaluation *evaluation, const fc_run_settings *settings,
                      fc_error *error, fc_result **results) {
    const fc_status status = predict_all(evaluation, settings, error, results);
    return status == FC_OK && evaluation->simulate
               ? simulate_all(evaluation, settings, error, results)
               : status;
}
