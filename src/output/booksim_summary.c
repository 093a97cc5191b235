/* The summary BookSim prints at the end of a run, so that scripts that search it for lines such as
 * "Packet latency average = " keep working.
 *
 * Only what was measured is printed: there are no lines for the extremes, for the latency of single
 * flits and for fragmentation, and in the line of comma-separated results, whose places are fixed,
 * they are nan. A "sample" is a replication. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "output/text/writing.h"
#include "scenario/scenario.h"
#include "scenario/routed.h"
#include "registry/result.h"

static double mean_of_trace(const fc_trace *trace) {
    double flits = 0;
    for (size_t i = 0; trace->messages && i < trace->count; ++i)
        flits += trace->messages[i].flits;
    return flits / (double)trace->count;
}

/* Whether messages are drawn at traffic.rate: not those of a trace or of processors that wait. */
static bool has_rate(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return !(routed && routed->workload) &&
           fc_metric_find(fc_scenario_main_metric(scenario)) != FC_METRIC_EFFICIENCY;
}

/* Mean flits of a message, replies counted as messages too; NaN: not known. */
static double mean_length(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (routed && routed->workload && routed->workload->of_trace)
        return mean_of_trace(&routed->workload->phases[0].trace);
    if (!routed || !has_rate(scenario))
        return NAN;
    return fc_routed_message_flits(routed, &routed->requests) / (routed->requests.count ? 2 : 1);
}

struct summary {
    double latency, network, sent, accepted, length, hops;
};

static void write_line(FILE *stream, const char *name, double value, unsigned samples) {
    if (!isnan(value))
        fprintf(stream, "%s = %g (%u samples)\n", name, value, samples);
}

static void write_lines(const struct summary *of, unsigned samples, FILE *stream) {
    fputs("====== Overall Traffic Statistics ======\n====== Traffic class 0 ======\n", stream);
    write_line(stream, "Packet latency average", of->latency, samples);
    write_line(stream, "Network latency average", of->network, samples);
    write_line(stream, "Injected packet rate average", of->sent, samples);
    write_line(stream, "Accepted packet rate average", of->accepted, samples);
    write_line(stream, "Injected flit rate average", of->sent * of->length, samples);
    write_line(stream, "Accepted flit rate average", of->accepted * of->length, samples);
    write_line(stream, "Injected packet size average", of->length, samples);
    write_line(stream, "Accepted packet size average", of->length, samples);
    write_line(stream, "Hops average", of->hops, samples);
}

/* minimum, average, maximum */
static void write_three(double average, FILE *stream) {
    fprintf(stream, ",nan,%g,nan", average);
}

static fc_status write_results(const fc_scenario *scenario, const struct summary *of,
                               FILE *stream) {
    char *text = fc_scenario_text(scenario);
    if (!text)
        return FC_ERROR_MEMORY;
    const char *key = strstr(text, "\n  destinations: ");
    const char *pattern = key ? key + strlen("\n  destinations: ") : "unknown";
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (routed && routed->workload)
        pattern = routed->workload->of_trace ? "trace" : "workload";
    double load = NAN;
    if (!has_rate(scenario) || fc_scenario_number(scenario, "traffic.rate", NULL, &load) != FC_OK)
        load = NAN;
    fputs("results:0,", stream);
    for (const char *c = pattern; *c && *c != '\n'; ++c)
        fputc(*c == ',' ? ';' : *c, stream);
    fprintf(stream, ",%d,%g", routed && routed->requests.count, load);
    free(text);
    write_three(of->latency, stream);
    write_three(of->network, stream);
    write_three(NAN, stream); /* flit latency */
    write_three(NAN, stream); /* fragmentation */
    write_three(of->sent, stream);
    write_three(of->accepted, stream);
    write_three(of->sent * of->length, stream);
    write_three(of->accepted * of->length, stream);
    fprintf(stream, ",%g,%g,%g\n", of->length, of->length, of->hops);
    return FC_OK;
}

fc_status fc_result_write_booksim(const fc_result *result, const fc_scenario *scenario,
                                  FILE *stream) {
    if (!result || !scenario || !stream)
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    const fc_routed *routed = fc_scenario_routed(scenario);
    /* Rates count requests here, and replies as well there. */
    const double packets = routed && routed->requests.count ? 2 : 1;
    const struct summary of = {
        .latency = fc_result_value(result, FC_METRIC_LATENCY),
        .network = fc_result_value(result, FC_METRIC_NETWORK_LATENCY),
        .sent = packets * fc_result_value(result, FC_METRIC_OFFERED),
        .accepted = packets * fc_result_value(result, FC_METRIC_THROUGHPUT),
        .length = mean_length(scenario),
        .hops = fc_result_value(result, FC_METRIC_HOPS) + 1, /* BookSim counts routers, not links */
    };
    if (result->outcome == FC_OUTCOME_SATURATED)
        fputs("Simulation unstable, ending ...\n", stream);
    fprintf(stream, "Time taken is %.0f cycles\n", result->run.cycles);
    write_lines(&of, result->run.replications, stream);
    const fc_status status = write_results(scenario, &of, stream);
    fprintf(stream, "Total run time %g\n", result->run.seconds);
    return fc_writing_end(&writing, stream, status);
}
