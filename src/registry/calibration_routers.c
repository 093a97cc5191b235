/* What the calibration of router-queueing looks at: the shares of its waits, and what decides about
 * them: channels, buffers over credit loops, ports, lengths, the shape of the network and of the
 * traffic. */
#include <math.h>
#include <string.h>
#include "registry/calibration.h"
#include "registry/calibration_inputs.h"
#include "scenario/torus.h"

/* Virtual channels that a message may choose from on a link. */
static double choices(const fc_scenario *scenario, const fc_routed *routed) {
    const fc_torus *torus = scenario->parameters;
    double channels = (double)routed->virtual_channels;
    if (routed->requests.count)
        channels /= 2;
    if (scenario->family == &fc_torus_family) {
        if (torus->topology == FC_TORUS)
            channels /= 2; /* wrapping, dateline */
        if (torus->routing == FC_O1TURN || torus->routing == FC_VALIANT)
            channels /= 2;
    }
    return fmax(1, channels);
}

static double loop_of(const fc_routed *routed) {
    return (double)(2 * routed->router_delay[FC_STAGE_SWITCH] +
                    routed->router_delay[FC_STAGE_CROSSING] + 2 * routed->link_delay +
                    routed->credit_delay);
}

typedef struct lengths {
    double mean, square;
} lengths;

static void count_length(lengths *sum, double share, int64_t flits) {
    sum->mean += share * (double)flits;
    sum->square += share * (double)flits * (double)flits;
}

static lengths lengths_of(const fc_routed *routed) {
    lengths sum = {0};
    double shares = 0;
    for (size_t i = 0; i < routed->lengths.count; ++i)
        shares += routed->lengths.share[i];
    for (size_t i = 0; i < routed->lengths.count; ++i)
        count_length(&sum, routed->lengths.share[i] / shares, routed->lengths.flits[i]);
    shares = 0;
    for (size_t i = 0; i < routed->requests.count; ++i)
        shares += 2 * routed->requests.types[i].share;
    for (size_t i = 0; i < routed->requests.count; ++i) {
        const fc_request_type *type = &routed->requests.types[i];
        count_length(&sum, type->share / shares, type->flits);
        count_length(&sum, type->share / shares, type->reply_flits);
    }
    if (!routed->lengths.count && !routed->requests.count)
        count_length(&sum, 1, routed->message_flits);
    return sum;
}

/* Mean utilisation of the links between routers over that of the busiest. */
static double evenness(const fc_table *links, double busiest) {
    double sum = 0;
    if (!links || !(busiest > 0))
        return 1;
    for (size_t row = 0; row < links->rows; ++row)
        sum += links->values[row * links->columns];
    return sum / (double)links->rows / busiest;
}

void fc_calibration_read_routers(const fc_scenario *scenario, const fc_result *result,
                                 double excess, double *x) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_table *links = fc_result_table(result, "channels");
    const double busiest = fc_calibration_busiest(result);
    const double hops = fc_result_metric(result, "hops")->value;
    const double loop = loop_of(routed), buffer = (double)routed->buffer;
    const lengths length = lengths_of(routed);
    const fc_injection *injection = &routed->injection;
    const double bursts =
        injection->process == FC_ON_OFF ? (injection->on + injection->off) / injection->on : 1;
    const double degree = links ? (double)links->rows / (double)routed->nodes : 1;
    const double values[] = {log(fmax(1e-3, busiest)),
                             fc_calibration_part(result, "waiting at the source") / excess,
                             fc_calibration_part(result, "waiting for a virtual channel") / excess,
                             (fc_calibration_part(result, "waiting behind another message") +
                              fc_calibration_part(result, "waiting for credits")) /
                                 excess,
                             fc_calibration_part(result, "taking turns on links") / excess,
                             log(choices(scenario, routed)),
                             log(length.mean),
                             log(buffer / loop),
                             log(length.mean / buffer),
                             routed->input_speedup == 1,
                             log((double)routed->injection_channels),
                             (double)(routed->router_delay[FC_STAGE_ROUTING] +
                                      routed->router_delay[FC_STAGE_ALLOCATION]),
                             log(hops),
                             evenness(links, busiest),
                             length.square / (length.mean * length.mean),
                             log(bursts),
                             routed->requests.count > 0,
                             routed->switching == FC_CUT_THROUGH,
                             routed->adaptive,
                             log(degree),
                             log((double)routed->nodes),
                             log(fmax(1, routed->internal_speedup)),
                             log((double)routed->buffer)};
    memcpy(x, values, sizeof values);
}
