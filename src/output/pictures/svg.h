/* What SVG pictures share. */
#ifndef FC_OUTPUT_SVG_H
#define FC_OUTPUT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The style sheet of plots and heat maps: light; dark on a dark screen; light in print. */
void fc_svg_style(FILE *stream);
/* The opening tag, with the style sheet and name space if standalone, and the background. The
 * label is what a screen reader says. */
void fc_svg_begin(FILE *stream, double width, double height, const char *label, bool standalone);
void fc_svg_end(FILE *stream);

typedef enum fc_svg_anchor { FC_SVG_START, FC_SVG_MIDDLE, FC_SVG_END } fc_svg_anchor;

typedef struct fc_svg_text {
    double x, y; /* of the base line */
    fc_svg_anchor anchor;
    const char *style; /* further classes, or NULL */
    int rise;          /* degrees by which it is turned upwards: 0 to 90 */
} fc_svg_text;

void fc_svg_write_text(FILE *stream, fc_svg_text where, const char *text, size_t bytes);
/* The text on as many lines as it needs, below each other; returns how many. */
size_t fc_svg_write_lines(FILE *stream, fc_svg_text where, const char *text, double width,
                          double letter, double line_height);
/* How many lines that would be. */
size_t fc_svg_lines(const char *text, double width, double letter);

/* The average width of a letter, a little above that of common fonts. */
#define FC_SVG_LETTER 7.8
#define FC_SVG_TITLE_LETTER 9.8

#endif
