#include "output/pictures/network_drawing.h"

#include <math.h>
#include <string.h>
#include "output/pictures/heatmap.h"
#include "output/text/numbers.h"
#include "output/pictures/svg.h"

enum {
    WIDTH = 560,
    MARGIN = 26,
    TALLEST = 460,
    LEGEND = 40,
    LINE = 16, /* of a small text */
    NUMBERS_MAX = 100,
    TOOLTIPS_MAX = 2000
};

typedef struct network_picture {
    const fc_drawn_network *network;
    FILE *stream;
    double scale, left, top, height; /* of the coordinates */
    double radius;                   /* of a switch */
    double title;                    /* its height */
    bool used;                       /* the utilisation of some link is known */
} network_picture;

/* Beside what a style sheet says of links and switches. */
static const char failed_style[] = " style=\"stroke:#cf222e;stroke-dasharray:3 3\"";

typedef struct spot {
    double x, y;
} spot;

static spot place(const network_picture *picture, uint32_t index) {
    const fc_drawn_switch *at = &picture->network->switches[index];
    return (spot){picture->left + picture->scale * at->x, picture->top + picture->scale * at->y};
}

/* Scales the coordinates into the frame; a single row or column keeps its shape. */
static void fit(network_picture *picture) {
    const fc_drawn_network *network = picture->network;
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (size_t i = 0; i < network->switch_count; i++) {
        low_x = fmin(low_x, network->switches[i].x);
        high_x = fmax(high_x, network->switches[i].x);
        low_y = fmin(low_y, network->switches[i].y);
        high_y = fmax(high_y, network->switches[i].y);
    }
    for (size_t i = 0; i < network->link_count; i++) { /* how far out links bow */
        const fc_drawn_switch *from = &network->switches[network->links[i].from];
        const fc_drawn_switch *to = &network->switches[network->links[i].to];
        const double dx = to->x - from->x, dy = to->y - from->y;
        const double out = 0.5 * network->links[i].bow / fmax(hypot(dx, dy), 1e-9);
        low_x = fmin(low_x, 0.5 * (from->x + to->x) + out * dy);
        high_x = fmax(high_x, 0.5 * (from->x + to->x) + out * dy);
        low_y = fmin(low_y, 0.5 * (from->y + to->y) - out * dx);
        high_y = fmax(high_y, 0.5 * (from->y + to->y) - out * dx);
    }
    const double wide = fmax(high_x - low_x, 1e-9), tall = fmax(high_y - low_y, 1e-9);
    picture->scale = fmin((WIDTH - 2.0 * MARGIN) / wide, (TALLEST - 2.0 * MARGIN) / tall);
    picture->scale = fmin(picture->scale, 90);
    picture->left = 0.5 * (WIDTH - picture->scale * (low_x + high_x));
    picture->top = picture->title + MARGIN - picture->scale * low_y;
    picture->height = picture->title + 2.0 * MARGIN + picture->scale * (high_y - low_y);
    const double area = WIDTH * fmax(picture->height, 60) / (double)network->switch_count;
    picture->radius = fmin(12, fmax(2, 0.16 * sqrt(area)));
}

static void write_colour(const network_picture *picture, double utilisation) {
    if (!isfinite(utilisation) || !picture->used) {
        fputs(" class=\"fc-axis\"", picture->stream);
        return;
    }
    const fc_rgb colour = fc_heat_colour(utilisation);
    fprintf(picture->stream, " fill=\"none\" stroke=\"#%02x%02x%02x\"", (unsigned)colour.red,
            (unsigned)colour.green, (unsigned)colour.blue);
}

/* Between groups there are so many lines that only those in use may be wide. */
static double line_width(const network_picture *picture, const fc_drawn_link *link) {
    const double use = link->utilisation;
    if (picture->network->grouped)
        return isfinite(use) ? 0.2 + 2.6 * use * use : 0.3;
    return isfinite(use) ? fmax(0.9, fmin(3.2, fmin(0.4 * picture->radius, 0.045 * picture->scale)))
                         : 1.0;
}

/* The two directions of a link are drawn side by side. */
static void draw_link(const network_picture *picture, const fc_drawn_link *link) {
    const spot from = place(picture, link->from), to = place(picture, link->to);
    const double dx = to.x - from.x, dy = to.y - from.y, length = fmax(hypot(dx, dy), 1e-9);
    const double aside = picture->network->unidirectional ? 0 : fmin(2.2, 0.4 * picture->radius);
    const spot normal = {dy / length, -dx / length};
    const spot shift = {aside * normal.x, aside * normal.y};
    const double bow = picture->scale * link->bow;
    fprintf(picture->stream, "<path stroke-width=\"%.2f\"", line_width(picture, link));
    write_colour(picture, link->utilisation);
    fputs(link->failed ? failed_style : "", picture->stream);
    fprintf(picture->stream, " d=\"M%.1f %.1f", from.x + shift.x, from.y + shift.y);
    if (bow != 0)
        fprintf(picture->stream, "Q%.1f %.1f ", 0.5 * (from.x + to.x) + bow * normal.x,
                0.5 * (from.y + to.y) + bow * normal.y);
    else
        fputc('L', picture->stream);
    fprintf(picture->stream, "%.1f %.1f\"", to.x + shift.x, to.y + shift.y);
    if (link->failed)
        fprintf(picture->stream, "><title>%u to %u: failed</title></path>\n", (unsigned)link->from,
                (unsigned)link->to);
    else if (isfinite(link->utilisation) && picture->network->link_count <= TOOLTIPS_MAX)
        fprintf(picture->stream, "><title>%u to %u: in use %.1f %% of the time</title></path>\n",
                (unsigned)link->from, (unsigned)link->to, 100 * link->utilisation);
    else
        fputs("/>\n", picture->stream);
}

static void draw_switch(const network_picture *picture, uint32_t index) {
    const spot at = place(picture, index);
    const double r = picture->radius;
    const fc_drawn_switch *drawn = &picture->network->switches[index];
    if (drawn->station)
        fprintf(picture->stream,
                "<circle class=\"fc-switch\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", at.x, at.y,
                0.8 * r);
    else
        fprintf(picture->stream,
                "<rect class=\"fc-switch\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "rx=\"%.1f\"%s/>\n",
                at.x - r, at.y - r, 2 * r, 2 * r, 0.3 * r, drawn->failed ? failed_style : "");
    if (picture->network->switch_count > NUMBERS_MAX || r < 8 || drawn->station)
        return;
    char number[16];
    const int bytes = snprintf(number, sizeof number, "%u", (unsigned)index);
    fc_svg_write_text(picture->stream,
                      (fc_svg_text){at.x, at.y + 4, FC_SVG_MIDDLE, .style = "fc-small"}, number,
                      (size_t)bytes);
}

static void draw_legend(const network_picture *picture) {
    enum { STEPS = 24, LONG = 160 };
    const double top = picture->height + 6, left = 0.5 * WIDTH - 0.5 * LONG;
    for (int i = 0; i < STEPS; i++) {
        const fc_rgb colour = fc_heat_colour((i + 0.5) / STEPS);
        fprintf(
            picture->stream,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"10\" fill=\"#%02x%02x%02x\"/>\n",
            left + (double)LONG * i / STEPS, top, (double)LONG / STEPS + 0.3, (unsigned)colour.red,
            (unsigned)colour.green, (unsigned)colour.blue);
    }
    static const char from[] = "links in use: 0", to[] = "100 % of the time";
    fc_svg_write_text(picture->stream,
                      (fc_svg_text){left - 6, top + 10, FC_SVG_END, .style = "fc-small"}, from,
                      sizeof from - 1);
    fc_svg_write_text(picture->stream,
                      (fc_svg_text){left + LONG + 6, top + 10, FC_SVG_START, .style = "fc-small"},
                      to, sizeof to - 1);
}

static void draw_note(const network_picture *picture, double top, const char *text) {
    fc_svg_write_text(picture->stream,
                      (fc_svg_text){0.5 * WIDTH, top, FC_SVG_MIDDLE, .style = "fc-small"}, text,
                      strlen(text));
}

void fc_network_svg(const fc_drawn_network *network, const char *title, bool standalone,
                    FILE *stream) {
    network_picture picture = {.network = network, .stream = stream};
    for (size_t i = 0; i < network->link_count; i++)
        picture.used |= isfinite(network->links[i].utilisation);
    const size_t lines = fc_svg_lines(title, WIDTH - 2.0 * MARGIN, FC_SVG_TITLE_LETTER);
    picture.title = standalone ? 22 * (double)lines : 0; /* a page names the network itself */
    fit(&picture);
    const bool sided = picture.used && !network->unidirectional;
    const double note = picture.height + (picture.used ? LEGEND : 0);
    fc_svg_begin(stream, WIDTH, ceil(note + (sided ? LINE : 0) + (network->unit ? LINE : 0)), title,
                 standalone);
    if (standalone)
        fc_svg_write_lines(
            stream,
            (fc_svg_text){.x = WIDTH / 2.0, .y = 24, .anchor = FC_SVG_MIDDLE, .style = "fc-title"},
            title, WIDTH - 2.0 * MARGIN, FC_SVG_TITLE_LETTER, 22);
    for (size_t i = 0; i < network->link_count; i++)
        draw_link(&picture, &network->links[i]);
    for (uint32_t i = 0; i < network->switch_count; i++)
        draw_switch(&picture, i);
    if (picture.used)
        draw_legend(&picture);
    if (sided)
        draw_note(&picture, note + 4, "Each direction of a link is the line on its left.");
    if (network->unit)
        draw_note(&picture, note + (sided ? LINE : 0) + 4, network->unit);
    fc_svg_end(stream);
}
