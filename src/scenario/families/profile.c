#include "scenario/profile.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"

static const char what[] = "traffic.profile";
static const double cycles_most = 1e9, factor_most = 1e6;

/* ---- phases ---- */

static fc_status read_phase(const fc_document *document, const fc_value *value,
                            fc_load_phase *phase, fc_error *error) {
    static const char *const names[] = {"cycles", "factor", "rate", NULL};
    fc_status status = fc_check_members(document, value, what, names, error);
    if (status != FC_OK)
        return status;
    const fc_value *cycles = fc_value_member(value, "cycles");
    const fc_value *factor = fc_value_member(value, "factor");
    const fc_value *rate = fc_value_member(value, "rate");
    if (!cycles || !factor == !rate)
        return fc_fail_at(
            error, document, value,
            "a phase of traffic.profile has cycles and a factor of traffic.rate, or a "
            "rate: {cycles: 2000, factor: 1.5}");
    int64_t count = 0;
    status = fc_read_integer(document, cycles, "traffic.profile.cycles",
                             (fc_range){.minimum = 1, .maximum = cycles_most}, error, &count);
    phase->cycles = (uint64_t)count;
    if (status == FC_OK && factor)
        status =
            fc_read_number(document, factor, "traffic.profile.factor",
                           (fc_range){.minimum = 0, .maximum = factor_most}, error, &phase->factor);
    if (status == FC_OK && rate)
        status = fc_read_number(document, rate, "traffic.profile.rate",
                                (fc_range){.minimum = 0, .maximum = 1}, error, &phase->rate);
    return status;
}

static fc_status read_phases(const fc_document *document, const fc_value *value,
                             fc_profile *profile, fc_error *error) {
    for (size_t i = 0; i < value->count; ++i) {
        fc_load_phase *phase = &profile->phase[profile->count++];
        const bool rate = fc_value_member(value->items[i], "rate");
        const fc_status status = read_phase(document, value->items[i], phase, error);
        if (status != FC_OK)
            return status;
        if (i && rate != profile->rates)
            return fc_fail_at(error, document, value->items[i],
                              "some phases of traffic.profile have a factor, others a rate; give "
                              "all one or the other");
        profile->rates = rate;
    }
    return FC_OK;
}

/* ---- a file: lines of cycles,factor ---- */

static fc_status read_line(const fc_lines *lines, char *line, fc_load_phase *phase, bool *header,
                           fc_error *error) {
    char *fields[2], *end[2];
    const size_t count = fc_split_fields(line, fields, 2);
    const double cycles = count == 2 ? strtod(fields[0], &end[0]) : 0;
    const double factor = count == 2 ? strtod(fields[1], &end[1]) : 0;
    *header = count == 2 && end[0] == fields[0] && end[1] == fields[1];
    if (*header)
        return FC_OK;
    if (count != 2 || *end[0] || *end[1] || !(cycles >= 1 && cycles <= cycles_most) ||
        cycles != floor(cycles) || !(factor >= 0 && factor <= factor_most))
        return fc_lines_fail(lines, error,
                             "expected cycles,factor: whole cycles from 1 to 1e9 and a factor of "
                             "traffic.rate, such as 2000,1.5");
    *phase = (fc_load_phase){.cycles = (uint64_t)cycles, .factor = factor};
    return FC_OK;
}

static fc_status read_lines(char *text, const char *path, fc_profile *profile, fc_error *error) {
    fc_lines lines = {.next = text, .path = path, .comment = '#'};
    for (char *line; (line = fc_lines_next(&lines));) {
        bool header = false;
        if (profile->count == FC_PROFILE_PHASES_MAX)
            return fc_lines_fail(&lines, error, "more than %d phases", FC_PROFILE_PHASES_MAX);
        const fc_status status =
            read_line(&lines, line, &profile->phase[profile->count], &header, error);
        if (status != FC_OK)
            return status;
        profile->count += !header;
    }
    return profile->count
               ? FC_OK
               : fc_lines_fail(&lines, error, "no phase; expected lines of cycles,factor");
}

static fc_status read_file(const fc_document *document, const fc_value *value, fc_profile *profile,
                           fc_error *error) {
    static const char *const names[] = {"file", NULL};
    fc_named_file file = {.what = what, .kind = "a file of lines cycles,factor", .most = 1 << 20};
    char name[FC_PATH_SIZE];
    fc_status status = fc_check_members(document, value, what, names, error);
    if (status == FC_OK && value->count != 1)
        status = fc_fail_at(error, document, value, "traffic.profile: expected {file: FILE}");
    if (status == FC_OK)
        status = fc_named_file_read(document, value->items[0], name, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    status = read_lines(file.text, file.path, profile, &cause);
    fc_release(file.text);
    return status == FC_OK ? FC_OK
                           : fc_named_file_fail(document, value->items[0], &cause, status, error);
}

/* ---- the key ---- */

fc_status fc_profile_read(const fc_document *document, const fc_value *value, void *field,
                          fc_error *error) {
    fc_profile **profile = field;
    const bool list = value->kind == FC_VALUE_SEQUENCE;
    if (value->kind == FC_VALUE_SCALAR ||
        (list && (value->count < 1 || value->count > FC_PROFILE_PHASES_MAX)))
        return fc_fail_at(error, document, value,
                          "traffic.profile is a list of 1 to %d phases, [{cycles: 2000, factor: "
                          "0.5}, {cycles: 500, factor: 3}], or {file: FILE}",
                          FC_PROFILE_PHASES_MAX);
    fc_profile *made = *profile = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->phase = fc_allocate(list ? value->count : FC_PROFILE_PHASES_MAX, sizeof *made->phase);
    if (!made->phase)
        return fc_fail_memory(error);
    const fc_status status =
        list ? read_phases(document, value, made, error) : read_file(document, value, made, error);
    double load = 0;
    for (size_t i = 0; i < made->count; ++i) {
        made->period += made->phase[i].cycles;
        load += made->phase[i].factor + made->phase[i].rate;
    }
    if (status == FC_OK && !(load > 0))
        return fc_fail_at(error, document, value,
                          "traffic.profile has no load in any phase: nothing would be sent");
    return status;
}

void fc_profile_write(const void *field, FILE *stream) {
    const fc_profile *profile = *(fc_profile *const *)field;
    fputs("[", stream);
    for (size_t i = 0; profile && i < profile->count; ++i) {
        const fc_load_phase *phase = &profile->phase[i];
        fprintf(stream, "%s{cycles: %llu", i ? ", " : "", (unsigned long long)phase->cycles);
        fc_number_write(profile->rates ? ", rate: " : ", factor: ",
                        profile->rates ? phase->rate : phase->factor, stream);
        fputs("}", stream);
    }
    fputs("]", stream);
}

void fc_profile_release(fc_profile *profile) {
    if (profile)
        fc_release(profile->phase);
    fc_release(profile);
}

/* ---- asking ---- */

double fc_profile_scale(fc_profile *profile) {
    double mean = 0;
    for (size_t i = 0; i < profile->count; ++i)
        mean += profile->phase[i].rate * (double)profile->phase[i].cycles / (double)profile->period;
    for (size_t i = 0; i < profile->count; ++i)
        profile->phase[i].factor = profile->phase[i].rate / mean;
    return mean;
}

double fc_profile_mean(const fc_profile *profile) {
    double sum = 0;
    for (size_t i = 0; profile && i < profile->count; ++i)
        sum += profile->phase[i].factor * (double)profile->phase[i].cycles;
    return profile ? sum / (double)profile->period : 1;
}

double fc_profile_most(const fc_profile *profile) {
    double most = 0;
    for (size_t i = 0; profile && i < profile->count; ++i)
        most = fmax(most, profile->phase[i].factor);
    return profile ? most : 1;
}

size_t fc_profile_phase(const fc_profile *profile, uint64_t cycle) {
    uint64_t left = cycle % profile->period;
    size_t phase = 0;
    while (left >= profile->phase[phase].cycles)
        left -= profile->phase[phase++].cycles;
    return phase;
}
