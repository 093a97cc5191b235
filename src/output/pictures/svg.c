#include "output/pictures/svg.h"

#include "output/text/characters.h"

#include <string.h>

/* Colours that differ for any kind of colour vision (after Okabe and Ito, and Tol), dark enough on
 * white and light enough on black; shapes and dashes differ too, for print in black and white.
 * Plain rules without variables, because converters such as rsvg know no others. */
static const char style[] =
    ".fc-plot{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "'DejaVu Sans',sans-serif;font-size:14px}\n"
    ".fc-title{font-size:17px;font-weight:600}\n"
    ".fc-small{font-size:12px}\n"
    ".fc-page{fill:#ffffff}\n"
    ".fc-text{fill:#1f2328}\n"
    ".fc-axis{stroke:#59636e;fill:none}\n"
    ".fc-grid{stroke:#e2e6ea;fill:none}\n"
    ".fc-mark{stroke:#59636e;fill:none}\n"
    ".fc-none{fill:#d5dae0}\n"
    ".fc-switch{fill:#ffffff;stroke:#59636e}\n"
    ".fc-c0{color:#0072b2}.fc-c1{color:#d55e00}.fc-c2{color:#008a65}.fc-c3{color:#aa4499}\n"
    ".fc-c4{color:#997700}.fc-c5{color:#332288}.fc-c6{color:#cc4c63}.fc-c7{color:#5a5a5a}\n"
    "@media screen and (prefers-color-scheme:dark){\n"
    ".fc-page{fill:#14181d}\n"
    ".fc-text{fill:#e6eaee}\n"
    ".fc-axis{stroke:#9aa4af}\n"
    ".fc-grid{stroke:#2c333b}\n"
    ".fc-mark{stroke:#b4bdc7}\n"
    ".fc-none{fill:#3a424b}\n"
    ".fc-switch{fill:#1c2229;stroke:#9aa4af}\n"
    ".fc-c0{color:#56b4e9}.fc-c1{color:#ff9248}.fc-c2{color:#2fcf9f}.fc-c3{color:#e48fd0}\n"
    ".fc-c4{color:#e3c24a}.fc-c5{color:#a9a4ff}.fc-c6{color:#f591a0}.fc-c7{color:#c4c9cf}\n"
    "}\n";

void fc_svg_style(FILE *stream) {
    fputs(style, stream);
}

void fc_svg_begin(FILE *stream, double width, double height, const char *label, bool standalone) {
    if (standalone)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
    fprintf(stream, "<svg%s class=\"fc-plot\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" ",
            standalone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", width, height, width,
            height);
    fputs("role=\"img\" aria-label=\"", stream);
    fc_write_xml(stream, label);
    fputs("\">\n", stream);
    if (standalone) {
        fputs("<style>\n", stream);
        fc_svg_style(stream);
        fputs("</style>\n", stream);
    }
    fprintf(stream, "<rect class=\"fc-page\" width=\"%g\" height=\"%g\"/>\n", width, height);
}

void fc_svg_end(FILE *stream) {
    fputs("</svg>\n", stream);
}

void fc_svg_write_text(FILE *stream, fc_svg_text where, const char *text, size_t bytes) {
    static const char *const anchors[] = {"start", "middle", "end"};
    char part[512];
    if (bytes >= sizeof part)
        bytes = sizeof part - 1;
    memcpy(part, text, bytes);
    part[bytes] = '\0';
    fprintf(stream, "<text class=\"fc-text%s%s\" text-anchor=\"%s\" ", where.style ? " " : "",
            where.style ? where.style : "", anchors[where.anchor]);
    if (where.rise)
        fprintf(stream, "transform=\"translate(%.1f %.1f) rotate(-%d)\">", where.x, where.y,
                where.rise);
    else
        fprintf(stream, "x=\"%.1f\" y=\"%.1f\">", where.x, where.y);
    fc_write_xml(stream, part);
    fputs("</text>\n", stream);
}

static size_t letters_in(double width, double letter) {
    const double letters = width / letter;
    return letters < 8 ? 8 : letters > 100 ? 100 : (size_t)letters;
}

size_t fc_svg_lines(const char *text, double width, double letter) {
    size_t lines = 0;
    while (text && *text) {
        const char *next = NULL;
        fc_text_line(text, letters_in(width, letter), &next);
        text = next;
        lines++;
    }
    return lines;
}

size_t fc_svg_write_lines(FILE *stream, fc_svg_text where, const char *text, double width,
                          double letter, double line_height) {
    size_t lines = 0;
    while (text && *text) {
        const char *next = NULL;
        const size_t bytes = fc_text_line(text, letters_in(width, letter), &next);
        fc_svg_write_text(stream, where, text, bytes);
        if (where.rise == 90)
            where.x += line_height;
        else
            where.y += line_height;
        text = next;
        lines++;
    }
    return lines;
}
