/* The few shapes the drawings of networks are made of, as SVG that reads well on a light and on a
 * dark page. Coordinates are in pixels, from the top left. */
#ifndef SVG_DRAWING_H
#define SVG_DRAWING_H

#include <stdio.h>

typedef struct drawing {
    FILE *stream;
    double width, height;
} drawing;

typedef struct point {
    double x, y;
} point;

/* FOLDER/NAME.svg; title is what a screen reader says. Ends the program if it cannot be written. */
drawing drawing_begin(const char *folder, const char *name, point size, const char *title);
void drawing_end(drawing *d);

/* kind: "link" (plain), "way" (the way of a message), "faint", "hidden" (dashed) */
void draw_line(drawing *d, const char *kind, point from, point to);
/* A line with its head at the end; both ends are shortened, by start and end pixels. */
typedef struct gap {
    double start, end;
} gap;
void draw_arrow(drawing *d, const char *kind, point from, point to, gap shortened);
/* A curve that bows out by `bow` pixels to the left of its direction. */
void draw_curve(drawing *d, const char *kind, point from, point to, double bow);
void draw_ring(drawing *d, const char *kind, point centre, double radius);
/* kind: "node", "switch", "memory", "mark" (on the way), "slot", "flit", "header" */
void draw_circle(drawing *d, const char *kind, point centre, double radius);
void draw_box(drawing *d, const char *kind, point centre, point size);
/* size: "label" (14), "small" (11); the text is centred on the point. */
void draw_text(drawing *d, const char *size, point centre, const char *text);
void draw_caption(drawing *d, const char *text);

#endif
