/* Simulated networks with their traits, in one file: what a fit reads.
 *
 * A file begins with lines of text (model, revision, form, names of the traits, what was drawn), an
 * empty line, and then one binary record per network, numbers as the machine has them. Programs
 * that draw and simulate write it; fit/train reads it. The same networks in the same order make the
 * same file. */
#ifndef FC_FIT_DATASET_H
#define FC_FIT_DATASET_H

#include <stdbool.h>
#include "forecast/traits.h"

enum { FIT_VALUES_MOST = 4, FIT_LOADS_MOST = 64, FIT_BURST_POINTS = 64, FIT_GROUP_SIZE = 16 };

/* What was simulated at a load. */
typedef struct fit_load {
    float load; /* messages per node per cycle */
    float mean,
        mean_half;       /* latency in cycles, half of its 95 % interval; NaN: it did not settle */
    float p99, p99_half; /* NaN: not known */
} fit_load;

/* What was simulated of a network, beside its traits. */
typedef struct fit_network {
    const char *group; /* scored together, "torus": at most 15 characters */
    bool left_out;     /* never fitted to: scored only */
    uint32_t number;   /* records of one network have the same; 0: it has this record alone */
    double saturation, saturation_half; /* load found by a search; 0: none was made */
    uint32_t load_count;                /* form `curve` */
    const fit_load *loads;
    uint32_t value_count; /* form `values`: the corrections that would be exact, NaN: not known */
    double value[FIT_VALUES_MOST], variance[FIT_VALUES_MOST]; /* of the simulation */
    double weight;                                            /* how often it counts; 0: once */
} fit_network;

/* What a file says of all its networks. */
typedef struct fit_head {
    const char *model;           /* "router-queueing" */
    unsigned revision;           /* of the traits that the model fills */
    const fc_trait_names *names; /* no name has a comma or a line break */
    const char *const *values;   /* form `values`: names of the corrections; NULL: form `curve` */
    /* One a key of a scenario, NULL-terminated: "network.channel_rule dateline, wrapping",
     * "network.virtual_channels 1 to 8". NULL: none. */
    const char *const *seen;
} fit_head;

/* ---- writing: one thread, in a fixed order ---- */

typedef struct fit_writer fit_writer;
fit_writer *fit_writer_create(const char *path, const fit_head *head); /* NULL: errno says why */
bool fit_writer_add(fit_writer *writer, const fit_network *network, const fc_traits *traits);
bool fit_writer_close(fit_writer *writer); /* false: not all could be written; accepts NULL */

/* ---- reading: the whole file at once ---- */

typedef struct fit_record {
    fit_network network; /* its pointers are into the dataset */
    char group[FIT_GROUP_SIZE];
    fc_traits traits; /* without burst_wait */
    /* Waits at a source alone, at the capacity times (i + 1) / FIT_BURST_POINTS; NULL: no bursts */
    const float *bursts;
} fit_record;

typedef struct fit_dataset {
    char *head; /* the lines of text */
    size_t count;
    fit_record *records;
    uint64_t hash; /* of the whole file */
    void *file;
} fit_dataset;

/* False: text (at least 256 bytes) says why. */
bool fit_dataset_read(const char *path, fit_dataset *dataset, char *text);
void fit_dataset_release(fit_dataset *dataset);

#endif
