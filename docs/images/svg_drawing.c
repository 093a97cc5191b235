#include "svg_drawing.h"

#include <math.h>
#include <stdlib.h>

static const char style[] =
    ".page{fill:#ffffff}.label,.small,.caption{fill:#1f2328;text-anchor:middle}\n"
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,'DejaVu Sans',sans-serif;"
    "font-size:13px}.small{font-size:11px}.caption{font-size:14px;font-weight:600}\n"
    ".link{stroke:#59636e;stroke-width:1.4;fill:none}\n"
    ".faint{stroke:#c3cad1;stroke-width:1.2;fill:none}\n"
    ".hidden{stroke:#59636e;stroke-width:1.4;stroke-dasharray:4 3;fill:none}\n"
    ".path{stroke:#d55e00;stroke-width:3.2;fill:none;stroke-linecap:round}\n"
    ".link-head{fill:#59636e}.path-head{fill:#d55e00}.faint-head{fill:#c3cad1}\n"
    ".node{fill:#d9ebf7;stroke:#0072b2;stroke-width:1.4}\n"
    ".switch{fill:#eceff2;stroke:#59636e;stroke-width:1.4}\n"
    ".memory{fill:#d8f0e7;stroke:#008a65;stroke-width:1.4}\n"
    ".mark{fill:#fbdcc6;stroke:#d55e00;stroke-width:2}\n"
    ".slot{fill:#ffffff;stroke:#59636e;stroke-width:1}\n"
    ".flit{fill:#d55e00;stroke:#d55e00}.header{fill:#aa4499;stroke:#aa4499}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".page{fill:#14181d}.label,.small,.caption{fill:#e6eaee}\n"
    ".link,.hidden{stroke:#9aa4af}.faint{stroke:#3d4650}.path{stroke:#ff9248}\n"
    ".link-head{fill:#9aa4af}.path-head{fill:#ff9248}.faint-head{fill:#3d4650}\n"
    ".node{fill:#12344a;stroke:#56b4e9}.switch{fill:#262d35;stroke:#9aa4af}\n"
    ".memory{fill:#0f3a2e;stroke:#2fcf9f}.mark{fill:#553014;stroke:#ff9248}\n"
    ".slot{fill:#14181d;stroke:#9aa4af}.flit{fill:#ff9248;stroke:#ff9248}\n"
    ".header{fill:#e48fd0;stroke:#e48fd0}\n"
    "}\n";

drawing drawing_begin(const char *folder, const char *name, point size, const char *title) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    drawing d = {.stream = fopen(path, "w"), .width = size.x, .height = size.y};
    if (!d.stream) {
        perror(path);
        exit(1);
    }
    fprintf(d.stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
            "viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n<style>\n%s</style>\n"
            "<rect class=\"page\" width=\"%g\" height=\"%g\"/>\n",
            size.x, size.y, size.x, size.y, title, style, size.x, size.y);
    return d;
}

void drawing_end(drawing *d) {
    fputs("</svg>\n", d->stream);
    if (ferror(d->stream) || fclose(d->stream) != 0) {
        perror("a drawing could not be written");
        exit(1);
    }
}

void draw_line(drawing *d, const char *kind, point from, point to) {
    fprintf(d->stream, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", kind, from.x, from.y,
            to.x, to.y);
}

void draw_arrow(drawing *d, const char *kind, point from, point to, gap shortened) {
    const double length = hypot(to.x - from.x, to.y - from.y);
    const point unit = {(to.x - from.x) / length, (to.y - from.y) / length};
    const double head = kind[0] == 'w' ? 11 : 8, half = kind[0] == 'w' ? 5.5 : 3.6;
    const point start = {from.x + unit.x * shortened.start, from.y + unit.y * shortened.start};
    const point tip = {to.x - unit.x * shortened.end, to.y - unit.y * shortened.end};
    const point neck = {tip.x - unit.x * head, tip.y - unit.y * head};
    draw_line(d, kind, start, neck);
    fprintf(d->stream, "<path class=\"%s-head\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", kind,
            tip.x, tip.y, neck.x - unit.y * half, neck.y + unit.x * half, neck.x + unit.y * half,
            neck.y - unit.x * half);
}

void draw_curve(drawing *d, const char *kind, point from, point to, double bow) {
    const double length = hypot(to.x - from.x, to.y - from.y);
    const point side = {(to.y - from.y) / length, -(to.x - from.x) / length};
    fprintf(d->stream, "<path class=\"%s\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>\n", kind, from.x,
            from.y, (from.x + to.x) / 2 + 2 * bow * side.x, (from.y + to.y) / 2 + 2 * bow * side.y,
            to.x, to.y);
}

void draw_ring(drawing *d, const char *kind, point centre, double radius) {
    fprintf(d->stream, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", kind,
            centre.x, centre.y, radius);
}

void draw_circle(drawing *d, const char *kind, point centre, double radius) {
    draw_ring(d, kind, centre, radius);
}

void draw_box(drawing *d, const char *kind, point centre, point size) {
    fprintf(d->stream,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\"/>\n",
            kind, centre.x - size.x / 2, centre.y - size.y / 2, size.x, size.y);
}

void draw_text(drawing *d, const char *size, point centre, const char *text) {
    fprintf(d->stream, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" dy=\".35em\">%s</text>\n", size,
            centre.x, centre.y, text);
}

void draw_caption(drawing *d, const char *text) {
    draw_text(d, "caption", (point){d->width / 2, 18}, text);
}
