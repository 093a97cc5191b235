#include "studies/simulate_list.h"

#include <pthread.h>
#include "base/memory.h"
#include "studies/run.h"
#include "studies/side_by_side.h"

struct work {
    const fc_simulation_list *list;
    fc_simulation **open;
    const fc_scenario **scenarios; /* of those */
    size_t count;
    pthread_mutex_t lock; /* of what `finished` changes, and of the error */
    fc_error *error;
};

static fc_status simulate(void *context, size_t index, const fc_run_settings *settings) {
    struct work *work = context;
    fc_simulation *point = work->open[index];
    point->status = point->method.simulator ? FC_OK
                                            : fc_method_choose(point->scenario, FC_SIMULATOR, NULL,
                                                               &point->why, &point->method);
    if (point->status == FC_OK)
        point->status =
            fc_method_run(point->method, point->scenario, settings, &point->why, &point->result);
    if (!work->list->finished)
        return point->status == FC_ERROR_MEMORY ? FC_ERROR_MEMORY : FC_OK;
    pthread_mutex_lock(&work->lock);
    const fc_status status = work->list->finished(work->list->context, point, work->error);
    pthread_mutex_unlock(&work->lock);
    return status;
}

static bool cut_short(const struct work *work) {
    bool stopped = false;
    for (size_t i = 0; i < work->count; ++i)
        stopped |= work->open[i]->status == FC_ERROR_CANCELLED;
    return stopped;
}

fc_status fc_simulate_list(const fc_simulation_list *list, const fc_run_settings *settings,
                           fc_error *error) {
    struct work work = {.list = list,
                        .open = fc_allocate(list->count, sizeof *work.open),
                        .scenarios = fc_allocate(list->count, sizeof *work.scenarios),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .error = error};
    fc_status status = work.open && work.scenarios ? FC_OK : fc_fail_memory(error);
    for (size_t i = 0; i < list->count && status == FC_OK; ++i) {
        if (list->points[i]->result)
            continue;
        work.scenarios[work.count] = list->points[i]->scenario;
        work.open[work.count++] = list->points[i];
    }
    if (status == FC_OK)
        status = fc_side_by_side(work.scenarios, work.count, "points", settings, simulate, &work);
    if (status == FC_OK && cut_short(&work))
        status = FC_ERROR_CANCELLED;
    if (status == FC_ERROR_CANCELLED)
        fc_error_write(error, "stopped");
    if (status == FC_ERROR_MEMORY)
        fc_fail_memory(error);
    fc_release(work.open);
    fc_release(work.scenarios);
    return status;
}

fc_status fc_simulation_failure(const fc_simulation *points, size_t count, fc_error *error) {
    for (size_t i = 0; i < count; ++i) {
        if (points[i].status != FC_OK)
            return fc_fail(error, points[i].status, "%s",
                           points[i].why.text[0] ? points[i].why.text
                                                 : fc_status_text(points[i].status));
    }
    return FC_OK;
}
