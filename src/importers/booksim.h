/* A BookSim configuration as a scenario: the lines of the scenario file with the keys each comes
 * from, and a sentence for everything that means something else here. */
#ifndef FC_IMPORTERS_BOOKSIM_H
#define FC_IMPORTERS_BOOKSIM_H

#include "importers/booksim_file.h"

enum { FC_BOOKSIM_LINES_MAX = 40, FC_BOOKSIM_NOTES_MAX = 40 };
/* A hot spot takes two characters there, "7,", and up to 36 here. */
enum { FC_BOOKSIM_LINE_SIZE = 20 * FC_BOOKSIM_VALUE_SIZE };

typedef struct fc_booksim_line {
    const char *path; /* "network.radix" */
    char value[FC_BOOKSIM_LINE_SIZE];
    char comment[256]; /* "k = 8; default n = 2" */
    /* of the first of these keys that was given; 0: none, or not in the file */
    size_t line, column;
} fc_booksim_line;

typedef struct fc_booksim_import {
    const fc_booksim_file *file;
    fc_error *error;
    fc_booksim_line lines[FC_BOOKSIM_LINES_MAX];
    size_t line_count;
    char notes[FC_BOOKSIM_NOTES_MAX][320];
    size_t note_count;
    double rate;       /* messages (requests) per node and cycle */
    double longest;    /* flits of the longest message */
    double tile;       /* above 1: routers have tile x tile nodes, numbered along rows of nodes, not
                          router by router */
    double channels;   /* above 0: virtual channels, whatever num_vcs says */
    double radix;      /* k */
    double node_count; /* 0: not known (anynet) */
} fc_booksim_import;

/* A line of the scenario; sources: the BookSim keys it comes from, "k n". */
fc_status fc_booksim_emit(fc_booksim_import *import, const char *path, const char *sources,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A sentence about a key whose meaning is not the same here. */
fc_status fc_booksim_note(fc_booksim_import *import, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* fc_booksim_number for a whole number. */
fc_status fc_booksim_whole(const fc_booksim_import *import, const char *key, double minimum,
                           double maximum, double *number);

/* The parts of the translation, in this order: the traffic asks how many nodes there are and how
 * they are numbered, the router how long messages are. */
fc_status fc_booksim_import_topology(fc_booksim_import *import);
fc_status fc_booksim_import_traffic(fc_booksim_import *import);
fc_status fc_booksim_import_router(fc_booksim_import *import);

#endif
