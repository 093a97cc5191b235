/* A picture of a network: switches and the links between them, coloured by how much they are used.
 */
#ifndef FC_OUTPUT_NETWORK_DRAWING_H
#define FC_OUTPUT_NETWORK_DRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct fc_drawn_switch {
    double x, y;  /* in any unit; the picture is scaled to fit */
    bool station; /* a node by itself: a circle rather than a box */
    bool failed;  /* drawn with broken lines, as are links */
} fc_drawn_switch;

typedef struct fc_drawn_link {
    uint32_t from, to;  /* switches */
    double bow;         /* how far it bows out to the left of its direction; 0: straight */
    double utilisation; /* share of cycles in use; NaN: not known */
    bool failed;
} fc_drawn_link;

typedef struct fc_drawn_network {
    fc_drawn_switch *switches;
    fc_drawn_link *links;
    size_t switch_count, link_count;
    bool grouped;        /* too many to be told apart: to be drawn by groups */
    char unit_text[96];  /* room for `unit` */
    const char *unit;    /* a sentence: what a box stands for; NULL: a switch */
    bool unidirectional; /* no link has a partner in the other direction: drawn in the middle */
} fc_drawn_network;

/* standalone: a file of its own; else part of a page that has the style. */
void fc_network_svg(const fc_drawn_network *network, const char *title, bool standalone,
                    FILE *stream);

#endif
