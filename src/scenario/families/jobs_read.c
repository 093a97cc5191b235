/* The key traffic.jobs: a list of workloads, each with its ranks, their placement and the cycle in
 * which it starts. */
#include "scenario/families/jobs_read.h"

#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/families/groups_read.h"
#include "scenario/families/workload_read.h"
#include "scenario/readers.h"

static const char what[] = "traffic.jobs";

static fc_status read_numbers(const fc_document *document, const fc_value *value,
                              fc_workload_job *job, fc_error *error) {
    const fc_value *ranks = fc_value_member(value, "ranks");
    const fc_value *start = fc_value_member(value, "start");
    fc_status status = FC_OK;
    if (ranks)
        status = fc_read_integer(document, ranks, "traffic.jobs.ranks",
                                 (fc_range){.minimum = 1, .maximum = FC_RANKS_MAX}, error,
                                 &job->work->ranks);
    if (status == FC_OK && start)
        status = fc_read_integer(document, start, "traffic.jobs.start",
                                 (fc_range){.minimum = 0, .maximum = 1e12}, error, &job->start);
    if (status == FC_OK && !ranks && job->work->placement.kind != FC_PLACE_FILE)
        status = fc_fail_at(error, document, value,
                            "%s: 'ranks' is missing: on how many nodes does this job run?", what);
    return status;
}

static fc_status read_job(const fc_document *document, const fc_value *value, fc_workload_job *job,
                          fc_error *error) {
    static const char *const names[] = {"workload", "ranks", "placement", "start", "groups", NULL};
    fc_status status = fc_check_members(document, value, what, names, error);
    if (status != FC_OK)
        return status;
    const fc_value *work = fc_value_member(value, "workload");
    const fc_value *placement = fc_value_member(value, "placement");
    const fc_value *groups = fc_value_member(value, "groups");
    if (!work)
        return fc_fail_at(error, document, value,
                          "%s: 'workload' is missing, a phase or a list of "
                          "phases as in traffic.workload",
                          what);
    status = fc_workload_read(document, work, job->work, error);
    if (status == FC_OK && placement)
        status = fc_placement_read(document, placement, &job->work->placement, error);
    if (status == FC_OK && groups)
        status = fc_groupings_read(document, groups, &job->work->groupings, error);
    return status == FC_OK ? read_numbers(document, value, job, error) : status;
}

/* The phases of all jobs, one after the other. */
static fc_status gather_phases(fc_workload *workload, fc_error *error) {
    size_t count = 0;
    for (size_t j = 0; j < workload->job_count; ++j)
        count += workload->jobs[j].work->count;
    workload->phases = fc_allocate(count, sizeof *workload->phases);
    if (!workload->phases)
        return fc_fail_memory(error);
    for (size_t j = 0; j < workload->job_count; ++j) {
        const fc_workload *work = workload->jobs[j].work;
        memcpy(&workload->phases[workload->count], work->phases,
               work->count * sizeof *work->phases);
        workload->count += work->count;
    }
    return FC_OK;
}

fc_status fc_jobs_read(const fc_document *document, const fc_value *value, void *field,
                       fc_error *error) {
    fc_workload *workload = field;
    if (value->kind != FC_VALUE_SEQUENCE || value->count == 0 || value->count > FC_JOBS_MAX)
        return fc_fail_at(error, document, value,
                          "%s: expected a list of 1 to %d jobs: - {workload: ..., ranks: 16}", what,
                          FC_JOBS_MAX);
    if (workload->phases) /* a trace or a workload: they are refused together later */
        return FC_OK;
    workload->jobs = fc_allocate(value->count, sizeof *workload->jobs);
    if (!workload->jobs)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    for (size_t j = 0; j < value->count && status == FC_OK; ++j) {
        fc_workload_job *job = &workload->jobs[workload->job_count];
        job->work = fc_allocate(1, sizeof *job->work);
        if (!job->work)
            return fc_fail_memory(error);
        ++workload->job_count;
        fc_workload_initialise(job->work);
        status = read_job(document, value->items[j], job, error);
    }
    return status == FC_OK ? gather_phases(workload, error) : status;
}

void fc_jobs_write(const void *field, FILE *stream) {
    const fc_workload *workload = field;
    if (!workload->jobs) {
        fputs("none", stream);
        return;
    }
    uint64_t content = 0;
    for (size_t j = 0; j < workload->job_count; ++j) {
        const fc_workload_job *job = &workload->jobs[j];
        fputs(j ? ", {workload: " : "[{workload: ", stream);
        fc_workload_write_phases(job->work, &content, stream);
        fprintf(stream, ", ranks: %lld, placement: ", (long long)job->work->ranks);
        fc_placement_write_value(&job->work->placement, stream);
        content = content * 31 + job->work->placement.checksum;
        if (job->work->groupings.count) {
            fputs(", groups: ", stream);
            fc_groupings_write(&job->work->groupings, stream);
        }
        fprintf(stream, ", start: %lld}", (long long)job->start);
    }
    fputs("]", stream);
    if (content)
        fprintf(stream, " # content %016llx", (unsigned long long)content);
}

void fc_jobs_release(fc_workload *workload) {
    for (size_t j = 0; j < workload->job_count; ++j) {
        fc_workload_release(workload->jobs[j].work);
        fc_release(workload->jobs[j].work);
    }
    fc_release(workload->jobs);
}
