/* CSV in the long form: one line per number, each with everything that identifies it, so that the
 * output of several runs can be put into one file whatever their metrics are. */
#include "base/units.h"
#include "output/text/characters.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"
#include "registry/metrics.h"
#include "scenario/routed.h"

#include <inttypes.h>
#include <math.h>

typedef struct csv_line {
    const char *group; /* "metric", "part", or the name of a table */
    const char *label; /* of the table's row */
    const char *name, *unit;
    double value, half_width;
} csv_line;

static void write_line(const fc_result *result, csv_line line, FILE *stream) {
    const char *fields[] = {
        result->version,       result->scenario_name,
        result->scenario_hash, result->kind == FC_MODEL ? "model" : "simulator",
        result->method,        fc_outcome_name(result->outcome),
    };
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        fc_write_csv(stream, fields[f]);
        fputc(',', stream);
    }
    if (result->kind == FC_SIMULATOR)
        fprintf(stream, "%llu", (unsigned long long)result->run.seed);
    const char *names[] = {line.group, line.label, line.name};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        fputc(',', stream);
        fc_write_csv(stream, names[n]);
    }
    char value[FC_NUMBER_SIZE], half_width[FC_NUMBER_SIZE];
    fc_number_exact(line.value, value);
    fc_number_exact(line.half_width, half_width);
    fprintf(stream, ",%s,%s,", value, half_width);
    fc_write_csv(stream, line.unit);
    fc_physical physical = {.factor = (double)NAN, .unit = ""};
    if (fc_units_given(&result->units)) {
        fc_units units = result->units;
        if (fc_metric_is_of_class(line.name))
            units.message_flits = 0;
        fc_physical_of(&units, line.unit, &physical);
        fc_number_exact(line.value * physical.factor, value);
        fprintf(stream, ",%s,%s", value, physical.unit);
    }
    fputc('\n', stream);
}

static void write_metrics(const fc_result *result, const char *group, const fc_metric *metrics,
                          size_t count, FILE *stream) {
    for (size_t m = 0; m < count; m++) {
        write_line(result,
                   (csv_line){.group = group,
                              .label = "",
                              .name = metrics[m].name,
                              .unit = metrics[m].unit,
                              .value = metrics[m].value,
                              .half_width = metrics[m].half_width},
                   stream);
    }
}

static void write_table(const fc_result *result, const fc_table *table, FILE *stream) {
    for (size_t r = 0; r < table->rows; r++) {
        for (size_t c = 0; c < table->columns; c++) {
            write_line(result,
                       (csv_line){.group = table->name,
                                  .label = table->row_labels[r],
                                  .name = table->column_names[c],
                                  .unit = "",
                                  .value = table->values[r * table->columns + c],
                                  .half_width = (double)NAN},
                       stream);
        }
    }
}

fc_status fc_result_write_table(const fc_result *result, const char *name, FILE *stream) {
    const fc_table *table = result && name && stream ? fc_result_table(result, name) : NULL;
    if (!table)
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    for (size_t c = 0; c < table->columns; c++) {
        fputs(c ? "," : "", stream);
        fc_write_csv(stream, table->column_names[c]);
    }
    for (size_t i = 0; i < table->rows * table->columns; i++) {
        char value[FC_NUMBER_SIZE];
        fc_number_exact(table->values[i], value);
        fprintf(stream, "%s%s", i % table->columns ? "," : "\n", value);
    }
    fputc('\n', stream);
    return fc_writing_end(&writing, stream, FC_OK);
}

fc_status fc_result_write_deliveries(const fc_result *result, const fc_scenario *scenario,
                                     FILE *stream) {
    if (!result || !scenario || !stream || (result->delivery_count && !result->deliveries))
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_given_classes *given = routed ? routed->given : NULL;
    fputs("source,destination,class,flits,generated,started,delivered\n", stream);
    for (size_t i = 0; i < result->delivery_count; i++) {
        const fc_delivered_message *d = &result->deliveries[i];
        fprintf(stream, "%" PRIu32 ",%" PRIu32 ",", d->source, d->destination);
        fc_write_csv(stream, given ? given->classes.list[d->class_number].name : "");
        fprintf(stream, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", d->flits,
                d->generated, d->started, d->delivered);
    }
    return fc_writing_end(&writing, stream, FC_OK);
}

fc_status fc_result_write_csv(const fc_result *result, bool detail, FILE *stream) {
    fprintf(stream,
            "version,scenario,hash,kind,method,outcome,seed,group,label,name,value,half_width,unit"
            "%s\n",
            fc_units_given(&result->units) ? ",physical,physical_unit" : "");
    write_metrics(result, "metric", result->metrics, result->metric_count, stream);
    write_metrics(result, "part", result->parts, result->part_count, stream);
    for (size_t t = 0; detail && t < result->table_count; t++)
        write_table(result, &result->tables[t], stream);
    return FC_OK;
}
