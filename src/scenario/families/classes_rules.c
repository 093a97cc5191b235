#include "scenario/families/classes_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"
#include "scenario/patterns/traffic_rules.h"
#include "scenario/scenario.h"

static const char key[] = "traffic.classes";

/* ---- the list ---- */

static fc_lengths own_lengths(const fc_routed *routed) {
    return routed->lengths.count
               ? routed->lengths
               : (fc_lengths){.count = 1, .flits = {routed->message_flits}, .share = {1}};
}

/* Classes of higher priority have a lower rank. */
static void rank(fc_classes *classes) {
    for (size_t i = 0; i < classes->count; ++i) {
        fc_class *class = &classes->list[i];
        class->rank = 0;
        for (int64_t p = FC_PRIORITY_MAX; p > class->priority; --p) {
            bool taken = false;
            for (size_t j = 0; j < classes->count; ++j)
                taken |= classes->list[j].priority == p;
            class->rank += taken;
        }
        classes->ranked |= class->rank > 0;
        classes->answers |= class->reply != FC_NONE;
    }
}

static fc_classes requests_and_replies(const fc_routed *routed) {
    const fc_requests *requests = &routed->requests;
    const uint32_t channels = (uint32_t)routed->virtual_channels;
    const uint32_t lower = channels - (uint32_t)routed->reply_channels;
    fc_classes made = {.count = 2};
    fc_class *request = &made.list[0], *reply = &made.list[1];
    *request = (fc_class){.name = "request",
                          .share = 1,
                          .destinations = routed->destinations,
                          .hot_node = routed->hot_node,
                          .last = lower - 1,
                          .reply = 1,
                          .paired = true};
    *reply = (fc_class){.name = "reply", .first = lower, .last = channels - 1, .reply = FC_NONE};
    request->lengths.count = reply->lengths.count = requests->count;
    for (size_t i = 0; i < requests->count; ++i) {
        const fc_request_type *type = &requests->types[i];
        request->lengths.share[i] = reply->lengths.share[i] = type->share;
        request->lengths.flits[i] = type->flits;
        reply->lengths.flits[i] = type->reply_flits;
        request->memory_reply[i] = type->memory_reply;
        request->memory_busy[i] = type->memory_busy;
    }
    return made;
}

static double sum_of_rates(const fc_given_classes *given) {
    double sum = 0;
    for (size_t i = 0; i < given->classes.count; ++i)
        sum += given->rate[i];
    return sum;
}

static fc_classes classes_given(const fc_routed *routed) {
    const fc_given_classes *given = routed->given;
    const double rates = sum_of_rates(given);
    fc_classes made = given->classes;
    for (size_t i = 0; i < made.count; ++i) {
        fc_class *class = &made.list[i];
        if (rates > 0)
            class->share = given->rate[i] / rates;
        if (!class->lengths.count)
            class->lengths = own_lengths(routed);
        if (given->everywhere[i])
            class->last = (uint32_t)routed->virtual_channels - 1;
        class->hot_node = given->back[i] ? routed->hot_node : given->hot_node[i];
        if (!given->back[i])
            class->destinations = &given->destinations[i];
        else if (class->share > 0)
            class->destinations = routed->destinations;
    }
    return made;
}

fc_classes fc_classes_of(const fc_routed *routed) {
    fc_classes made = {.count = 1};
    if (routed->given)
        made = classes_given(routed);
    else if (routed->requests.count)
        made = requests_and_replies(routed);
    else
        made.list[0] = (fc_class){.name = "message",
                                  .share = 1,
                                  .lengths = own_lengths(routed),
                                  .destinations = routed->destinations,
                                  .hot_node = routed->hot_node,
                                  .last = (uint32_t)routed->virtual_channels - 1,
                                  .reply = FC_NONE};
    rank(&made);
    return made;
}

double fc_lengths_mean(const fc_lengths *lengths) {
    double mean = 0;
    for (size_t i = 0; i < lengths->count; ++i)
        mean += lengths->share[i] * (double)lengths->flits[i];
    return mean;
}

double fc_class_chain_flits(const fc_classes *classes, size_t number) {
    double flits = 0;
    for (uint32_t at = (uint32_t)number; at != FC_NONE; at = classes->list[at].reply)
        flits += fc_lengths_mean(&classes->list[at].lengths);
    return flits * classes->list[number].share;
}

/* ---- channels ---- */

static void add_set(fc_channel_sets *sets, uint32_t first, uint32_t last) {
    for (uint32_t i = 0; i < sets->count; ++i)
        if (sets->first[i] == first)
            return;
    for (uint32_t c = first; c <= last && c < 64; ++c)
        sets->of_channel[c] = (uint8_t)sets->count;
    sets->first[sets->count] = first;
    sets->channels[sets->count++] = last - first + 1;
}

fc_channel_sets fc_channel_sets_of(const fc_routed *routed) {
    fc_channel_sets sets = {0};
    const uint32_t channels = (uint32_t)routed->virtual_channels;
    const uint32_t replies = (uint32_t)routed->reply_channels;
    for (size_t i = 0; routed->given && i < routed->given->classes.count; ++i) {
        const fc_class *class = &routed->given->classes.list[i];
        add_set(&sets, class->first, routed->given->everywhere[i] ? channels - 1 : class->last);
    }
    if (routed->given)
        return sets;
    add_set(&sets, 0, channels - replies - 1);
    if (replies)
        add_set(&sets, channels - replies, channels - 1);
    return sets;
}

static fc_status fail_class(const fc_scenario *scenario, size_t number, const char *member,
                            const char *text, fc_error *error) {
    char path[64];
    snprintf(path, sizeof path, "%s.%zu%s%s", key, number, member ? "." : "", member ? member : "");
    return fc_scenario_fail_key(scenario, path, error, "%s", text);
}

static fc_status check_channels(const fc_scenario *scenario, const fc_classes *classes,
                                int64_t channels, fc_error *error) {
    char text[320];
    for (size_t i = 0; i < classes->count; ++i) {
        const fc_class *a = &classes->list[i];
        if (a->last >= channels) {
            snprintf(text, sizeof text,
                     "class '%s' has virtual channel %u, but there are %lld, counted from 0; use "
                     "network.virtual_channels: %u or more",
                     a->name, a->last, (long long)channels, a->last + 1);
            return fail_class(scenario, i, "channels", text, error);
        }
        for (size_t j = 0; j < i; ++j) {
            const fc_class *b = &classes->list[j];
            if ((a->first == b->first && a->last == b->last) || a->last < b->first ||
                b->last < a->first)
                continue;
            snprintf(text, sizeof text,
                     "classes '%s' (virtual channels %u to %u) and '%s' (%u to %u) share some of "
                     "their channels and not others; give them the same or different ones",
                     b->name, b->first, b->last, a->name, a->first, a->last);
            return fail_class(scenario, i, "channels", text, error);
        }
    }
    return FC_OK;
}

/* ---- answers ---- */

/* A message in its buffers waits until its node takes it, which waits, where nodes have room for so
 * many answers only, until an answer has left: its channels wait for those of the answer. */
typedef struct waiting {
    uint32_t
        path[FC_CLASSES_MAX]; /* classes whose answers wait, each for the next one's channels */
    size_t length;            /* 0: there is no circle */
} waiting;

static bool same_channels(const fc_classes *classes, uint32_t a, uint32_t b) {
    return classes->list[a].first == classes->list[b].first;
}

/* Breadth first, so that the circle is a shortest one. */
static waiting waiting_from(const fc_classes *classes, uint32_t start) {
    waiting found = {0};
    uint32_t queue[FC_CLASSES_MAX] = {start}, before[FC_CLASSES_MAX], last = FC_NONE;
    bool seen[FC_CLASSES_MAX] = {false};
    seen[start] = true;
    before[start] = FC_NONE;
    for (size_t head = 0, tail = 1; head < tail && last == FC_NONE; ++head) {
        const uint32_t answer = classes->list[queue[head]].reply;
        if (answer == FC_NONE)
            continue;
        if (same_channels(classes, answer, start))
            last = queue[head];
        for (uint32_t next = 0; next < classes->count; ++next) {
            if (seen[next] || !same_channels(classes, answer, next))
                continue;
            seen[next] = true;
            before[next] = queue[head];
            queue[tail++] = next;
        }
    }
    for (uint32_t class = last; class != FC_NONE; class = before[class])
        ++found.length;
    for (size_t i = found.length; i-- > 0; last = before[last])
        found.path[i] = last;
    return found;
}

bool fc_classes_circle(const fc_classes *classes, size_t size, char *text) {
    waiting least = {0};
    size_t used = 0;
    for (uint32_t start = 0; start < classes->count; ++start) {
        const waiting found =
            classes->list[start].reply == FC_NONE ? (waiting){0} : waiting_from(classes, start);
        if (found.length && (!least.length || found.length < least.length))
            least = found;
    }
    for (size_t i = 0; i < least.length; ++i) {
        const fc_class *class = &classes->list[least.path[i]];
        const fc_class *answer = &classes->list[class->reply];
        if (i == 0 || least.path[i] != classes->list[least.path[i - 1]].reply)
            used += (size_t)snprintf(text + used, size - used, "%s%s (channels %u to %u)",
                                     i ? ", " : "", class->name, class->first, class->last);
        used += (size_t)snprintf(text + used, size - used, " -> %s (channels %u to %u)",
                                 answer->name, answer->first, answer->last);
    }
    return least.length > 0;
}

/* Answers to answers come to an end. */
static fc_status check_answers(const fc_scenario *scenario, const fc_classes *classes,
                               fc_error *error) {
    for (uint32_t begin = 0; begin < classes->count; ++begin) {
        char text[400];
        size_t length = 0, used = (size_t)snprintf(text, sizeof text, "answers never end: ");
        for (uint32_t at = begin; at != FC_NONE && length <= classes->count; ++length) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", length ? " -> " : "",
                                     classes->list[at].name);
            if (length && at == begin) {
                snprintf(text + used, sizeof text - used,
                         "; the last class of a chain has no reply");
                return fail_class(scenario, begin, "reply", text, error);
            }
            at = classes->list[at].reply;
        }
    }
    return FC_OK;
}

/* ---- messages to many ---- */

static bool is_answer(const fc_classes *classes, size_t number) {
    for (size_t i = 0; i < classes->count; ++i)
        if (classes->list[i].reply == number)
            return true;
    return false;
}

/* A router copies a message from its buffer, one branch after the other: so the buffer must hold
 * it, and then a copy waits for no other. */
static fc_status check_multicast(const fc_scenario *scenario, const fc_routed *routed,
                                 const fc_classes *classes, size_t number, fc_error *error) {
    const fc_class *class = &classes->list[number];
    char text[320];
    int64_t longest = 0;
    for (size_t i = 0; i < class->lengths.count; ++i)
        longest = class->lengths.flits[i] > longest ? class->lengths.flits[i] : longest;
    if (class->reply != FC_NONE || is_answer(classes, number))
        snprintf(text, sizeof text,
                 "the multicasts of class '%s' are neither answered nor answers; give what each "
                 "destination sends back a class with a rate of its own",
                 class->name);
    else if (routed->adaptive || routed->routes_by_queues)
        snprintf(text, sizeof text,
                 "a multicast goes over one tree, and headers choose their ways here; use "
                 "a network.routing that does not look at the traffic, such as the default");
    else if (longest > routed->buffer)
        snprintf(
            text, sizeof text,
            "a router copies a multicast from its buffer, which has to hold it: network.buffer "
            "is %lld, and messages of class '%s' have up to %lld flits",
            (long long)routed->buffer, class->name, (long long)longest);
    else
        return FC_OK;
    return fail_class(scenario, number, "multicast", text, error);
}

static fc_status check_multicasts(const fc_scenario *scenario, const fc_routed *routed,
                                  const fc_classes *classes, fc_error *error) {
    fc_status status = FC_OK;
    for (size_t i = 0; i < classes->count && status == FC_OK; ++i)
        if (classes->list[i].multicast)
            status = check_multicast(scenario, routed, classes, i, error);
    return status;
}

fc_status fc_classes_check(const fc_scenario *scenario, const fc_routed *routed, fc_error *error) {
    if (!routed->given)
        return FC_OK;
    const fc_classes classes = fc_classes_of(routed);
    fc_status status = check_channels(scenario, &classes, routed->virtual_channels, error);
    if (status == FC_OK)
        status = check_answers(scenario, &classes, error);
    return status == FC_OK ? check_multicasts(scenario, routed, &classes, error) : status;
}

/* ---- rates and destinations ---- */

bool fc_classes_have_rates(const fc_given_classes *given) {
    return given && sum_of_rates(given) > 0;
}

static fc_status check_shares(const fc_scenario *scenario, const fc_given_classes *given,
                              fc_error *error) {
    const double rates = sum_of_rates(given);
    double shares = 0;
    char text[240];
    for (size_t i = 0; i < given->classes.count; ++i) {
        const fc_class *class = &given->classes.list[i];
        shares += class->share;
        if (!(class->share > 0) && !(given->rate[i] > 0) && !is_answer(&given->classes, i)) {
            snprintf(text, sizeof text,
                     "class '%s' has neither a rate nor a share, and answers no other class: "
                     "nothing would be sent in it",
                     class->name);
            return fail_class(scenario, i, NULL, text, error);
        }
        if (class->share > 0 && rates > 0)
            return fail_class(scenario, i, "share",
                              "some classes have a rate, others a share; give all that nodes "
                              "generate one or the other",
                              error);
    }
    if (!(rates > 0) && !(fabs(shares - 1) <= 1e-9)) {
        snprintf(text, sizeof text,
                 "the shares of traffic.classes add up to %.9g; expected 1 (or give rates)",
                 shares);
        return fc_scenario_fail_key(scenario, key, error, "%s", text);
    }
    return FC_OK;
}

fc_status fc_classes_finish(const fc_scenario *scenario, fc_routed *routed, fc_error *error) {
    fc_given_classes *given = routed->given;
    if (!given)
        return FC_OK;
    fc_status status = check_shares(scenario, given, error);
    for (size_t i = 0; i < given->classes.count && status == FC_OK; ++i) {
        given->destinations[i].to_self = routed->destinations->to_self;
        if (!given->back[i])
            status = fc_destinations_finish(scenario, routed, &given->destinations[i], error,
                                            &given->hot_node[i]);
    }
    if (status == FC_OK && sum_of_rates(given) > 0 && !fc_scenario_has(scenario, "traffic.rate"))
        routed->rate = sum_of_rates(given);
    return status;
}
