/* What decides the duration of a workload, in sentences and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "output/text/json.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"

static void add_part(double cycles, const char *what, size_t size, char *text) {
    char number[FC_NUMBER_SIZE];
    const size_t used = strlen(text);
    if (!isfinite(cycles) || !(cycles > 0))
        return;
    fc_number_text(cycles, 6, number);
    snprintf(text + used, size - used, "%s %s %s", used ? "," : "", number, what);
}

static void chain_text(const fc_chain *chain, const char *begin, bool parts, size_t size,
                       char *text) {
    char sum[160] = "", cycles[FC_NUMBER_SIZE];
    fc_number_text(chain->cycles, 6, cycles);
    if (parts) {
        add_part(chain->alone, "that its messages would take in an empty network", sizeof sum, sum);
        add_part(chain->waiting, "of waiting", sizeof sum, sum);
        add_part(chain->computing, "of computation", sizeof sum, sum);
    }
    if (chain->messages == 1)
        snprintf(text, size, "%s one message, %s: %s cycles%s%s.", begin, chain->path, cycles,
                 sum[0] ? ":" : "", sum);
    else
        snprintf(text, size, "%s %llu messages, %s: %s cycles%s%s.", begin,
                 (unsigned long long)chain->messages, chain->path, cycles, sum[0] ? "," : "", sum);
}

size_t fc_critical_sentences(const fc_result *result, bool link, char text[][FC_CRITICAL_SIZE]) {
    const fc_critical *critical = &result->critical;
    const fc_table *phases = fc_result_table(result, "phases");
    size_t count = 0;
    if (critical->phase[0] && phases && phases->rows > 1)
        snprintf(text[count++], FC_CRITICAL_SIZE,
                 "The longest phase is %s: a rank spends %.3g %% of the duration in it.",
                 critical->phase, 100 * critical->phase_share);
    if (link && critical->link[0] && critical->link_utilisation > 0)
        snprintf(text[count++], FC_CRITICAL_SIZE,
                 "The busiest link is %s, in use %.3g %% of the time.", critical->link,
                 100 * critical->link_utilisation);
    if (critical->chain.messages)
        chain_text(&critical->chain, "The end was decided by a chain of", true, FC_CRITICAL_SIZE,
                   text[count++]);
    if (critical->alone.messages)
        chain_text(&critical->alone, "The longest chain, if no message met another, is", false,
                   FC_CRITICAL_SIZE, text[count++]);
    return count;
}

static json_t *chain_object(const fc_chain *chain) {
    json_t *object = json_object();
    fc_json_set(&object, "messages", fc_json_integer(chain->messages));
    fc_json_set(&object, "cycles", fc_json_number(chain->cycles));
    fc_json_set(&object, "alone", fc_json_number(chain->alone));
    fc_json_set(&object, "waiting", fc_json_number(chain->waiting));
    fc_json_set(&object, "computing", fc_json_number(chain->computing));
    fc_json_set(&object, "path", fc_json_text(chain->path));
    return object;
}

json_t *fc_json_critical(const fc_critical *critical) {
    json_t *object = json_object();
    if (critical->phase[0]) {
        json_t *phase = json_object();
        fc_json_set(&phase, "name", fc_json_text(critical->phase));
        fc_json_set(&phase, "share", fc_json_number(critical->phase_share));
        fc_json_set(&object, "phase", phase);
    }
    if (critical->link[0]) {
        json_t *link = json_object();
        fc_json_set(&link, "name", fc_json_text(critical->link));
        fc_json_set(&link, "utilisation", fc_json_number(critical->link_utilisation));
        fc_json_set(&object, "link", link);
    }
    if (critical->chain.messages)
        fc_json_set(&object, "chain", chain_object(&critical->chain));
    if (critical->alone.messages)
        fc_json_set(&object, "chain_alone", chain_object(&critical->alone));
    return object;
}
