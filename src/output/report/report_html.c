/* One page that holds everything: no script, nothing loaded from anywhere (which its content
 * security policy states), readable on a phone, in print, light and dark. Written as well-formed
 * XML, so that it can be checked. */
#include "base/memory.h"
#include "output/text/characters.h"
#include "output/pictures/heatmap.h"
#include "output/pictures/plot.h"
#include "output/report/report.h"
#include "output/pictures/svg.h"
#include "output/text/writing.h"

#include <stdlib.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--text:#1f2328;--page:#ffffff;--soft:#59636e;--line:#d1d9e0;"
    "--band:#f6f8fa;--good:#1a7f37;--bad:#cf222e}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--text:#e6eaee;--page:#14181d;"
    "--soft:#9aa4af;--line:#39424c;--band:#1c2229;--good:#4ac26b;--bad:#ff7b72}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:60rem;background:var(--page);"
    "color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'Helvetica Neue',Arial,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:0 0 1rem}\n"
    "h2{font-size:1.25rem;line-height:1.3;margin:2.2rem 0 .6rem;padding-bottom:.2rem;"
    "border-bottom:1px solid var(--line)}\n"
    "p{margin:.7rem 0}\n"
    "nav ol{columns:16rem;column-gap:2rem;padding-left:1.4rem;margin:.5rem 0 1.5rem}\n"
    "a{color:inherit}\n"
    ".scroll{overflow-x:auto;margin:.8rem 0}\n"
    "table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding:.2rem 0;caption-side:top}\n"
    "th,td{padding:.28rem .7rem;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--line)}\n"
    "th.n{white-space:normal}\n"
    "td{white-space:nowrap}\n"
    ".w{min-width:14rem;white-space:normal}\n"
    "th:first-child,td:first-child{position:sticky;left:0;background:var(--page)}\n"
    "tbody tr:nth-child(even) td:first-child,th:first-child{background:var(--band)}\n"
    "th{vertical-align:bottom;border-bottom-width:2px;background:var(--band)}\n"
    "tbody tr:nth-child(even){background:var(--band)}\n"
    ".n{text-align:right;white-space:nowrap}\n"
    "figure{margin:1.2rem 0;overflow-x:auto}\n"
    "figure svg{display:block;width:100%;max-width:42rem;height:auto}\n"
    "pre{overflow-x:auto;padding:.8rem;background:var(--band);border:1px solid var(--line);"
    "border-radius:6px;font-size:.85rem;line-height:1.4}\n"
    "summary{cursor:pointer;font-weight:600}\n"
    ".claims{list-style:none;padding:0;margin:1rem 0}\n"
    ".claims li{padding:.45rem 0 .45rem 1.9rem;position:relative;"
    "border-bottom:1px solid var(--line)}\n"
    ".claims li::before{position:absolute;left:.2rem;font-weight:700}\n"
    ".good::before{content:'\\2713';color:var(--good)}\n"
    ".bad::before{content:'\\2717';color:var(--bad)}\n"
    ".found{display:block;color:var(--soft)}\n"
    ".verdict{font-weight:600}\n"
    "footer{margin-top:3rem;color:var(--soft);font-size:.85rem}\n"
    "@media print{body{max-width:none;padding:0;font-size:10.5pt}nav{display:none}"
    "figure,tr,.claims li{break-inside:avoid}h2{break-after:avoid}"
    "figure,.scroll,pre{overflow:visible}figure svg{max-width:15cm}"
    "pre{white-space:pre-wrap}}\n"
    "@page{margin:18mm}\n";

static void write_element(FILE *stream, const char *open, const char *text, const char *close) {
    fputs(open, stream);
    fc_write_xml(stream, text);
    fputs(close, stream);
}

/* ---- tables: numbers line up at the decimal point by spaces as wide as a digit or a point ---- */

static size_t digits_after_point(const char *text) {
    const char *point = strchr(text, '.');
    return point ? strspn(point + 1, "0123456789") : 0;
}

static size_t most_digits(const fc_report_table *table, size_t column) {
    size_t most = 0;
    for (size_t r = 0; r < table->rows; r++) {
        const fc_cell *cell = &table->cells[r * table->columns + column];
        char buffer[FC_CELL_SIZE];
        if (!fc_cell_is_number(cell))
            continue;
        const size_t digits = digits_after_point(fc_cell_text(cell, false, buffer));
        most = digits > most ? digits : most;
    }
    return most;
}

static bool is_number_column(const fc_report_table *table, size_t column) {
    for (size_t r = 0; r < table->rows; r++) {
        if (fc_cell_is_number(&table->cells[r * table->columns + column]))
            return true;
    }
    return false;
}

static void write_number(const char *text, size_t most, FILE *stream) {
    const char *end = text;
    const size_t digits = digits_after_point(text);
    while (*end && !strchr(" e", *end))
        end++;
    char number[FC_CELL_SIZE];
    snprintf(number, sizeof number, "%.*s", (int)(end - text), text);
    fc_write_xml(stream, number);
    if (*end != 'e') {
        fputs(most && !strchr(number, '.') ? "\xE2\x80\x88" : "", stream);
        fc_write_repeated(stream, "\xE2\x80\x87", most - digits);
    }
    fc_write_xml(stream, end);
}

static void write_cell(const fc_cell *cell, bool numbers, size_t most, FILE *stream) {
    char buffer[FC_CELL_SIZE];
    const char *text = fc_cell_text(cell, false, buffer);
    const bool wide = !numbers && fc_text_width(text) > 36;
    fputs(numbers ? "<td class=\"n\">" : wide ? "<td class=\"w\">" : "<td>", stream);
    if (fc_cell_is_number(cell))
        write_number(text, most, stream);
    else
        fc_write_xml(stream, text);
    fputs("</td>", stream);
}

enum { OPEN_ROWS = 40 }; /* longer tables are folded: a page shows its pictures first */

static fc_status write_table(const fc_item *item, FILE *stream) {
    const fc_report_table *table = item->table;
    size_t *most = fc_allocate(table->columns, sizeof *most);
    bool *numbers = fc_allocate(table->columns, sizeof *numbers);
    if (!most || !numbers) {
        fc_release(most);
        fc_release(numbers);
        return FC_ERROR_MEMORY;
    }
    const bool folded = table->rows > OPEN_ROWS;
    if (folded)
        fprintf(stream, "<details><summary>Table of %zu rows</summary>\n", table->rows);
    fputs("<div class=\"scroll\"><table>\n", stream);
    if (item->title[0])
        write_element(stream, "<caption>", item->title, "</caption>\n");
    fputs("<thead><tr>", stream);
    for (size_t c = 0; c < table->columns; c++) {
        most[c] = most_digits(table, c);
        numbers[c] = is_number_column(table, c);
        write_element(stream, numbers[c] ? "<th class=\"n\">" : "<th>", table->names[c], "</th>");
    }
    fputs("</tr></thead>\n<tbody>\n", stream);
    for (size_t r = 0; r < table->rows; r++) {
        fputs("<tr>", stream);
        for (size_t c = 0; c < table->columns; c++)
            write_cell(&table->cells[r * table->columns + c], numbers[c], most[c], stream);
        fputs("</tr>\n", stream);
    }
    fputs("</tbody></table></div>\n", stream);
    if (folded)
        fputs("</details>\n", stream);
    fc_release(most);
    fc_release(numbers);
    return FC_OK;
}

/* ---- the other items ---- */

/* Changes the text. A number and its per cent sign stay on one line. */
static void write_line(char *text, FILE *stream) {
    for (char *percent; (percent = strstr(text, " %")); text = percent + 1) {
        *percent = '\0';
        fc_write_xml(stream, text);
        fputs("\xC2\xA0", stream);
    }
    fc_write_xml(stream, text);
}

/* Lines of a paragraph stay lines. */
static fc_status write_paragraph(const char *text, FILE *stream) {
    fputs("<p>", stream);
    while (*text) {
        const size_t bytes = strcspn(text, "\n");
        char *line = fc_allocate(bytes + 1, 1);
        if (!line)
            return FC_ERROR_MEMORY;
        memcpy(line, text, bytes);
        write_line(line, stream);
        fc_release(line);
        text += bytes;
        if (*text == '\n') {
            text++;
            fputs(*text ? "<br/>\n" : "", stream);
        }
    }
    fputs("</p>\n", stream);
    return FC_OK;
}

static void write_code(const fc_item *item, FILE *stream) {
    if (item->title[0])
        write_element(stream, "<details open=\"open\"><summary>", item->title, "</summary>\n");
    write_element(stream, "<pre>", item->text, "</pre>\n");
    if (item->title[0])
        fputs("</details>\n", stream);
}

static fc_status write_claim(const fc_report *report, size_t index, FILE *stream) {
    const fc_item *item = &report->items[index];
    char *found = fc_report_claim_found(item->claim);
    if (!found)
        return FC_ERROR_MEMORY;
    if (index == 0 || report->items[index - 1].kind != FC_ITEM_CLAIM)
        fputs("<ul class=\"claims\">\n", stream);
    write_element(stream,
                  fc_report_claim_holds(item->claim) ? "<li class=\"good\">" : "<li class=\"bad\">",
                  item->text, "");
    if (found[0])
        write_element(stream, "<span class=\"found\">", found, "</span>");
    free(found);
    fputs("</li>\n", stream);
    if (index + 1 == report->item_count || report->items[index + 1].kind != FC_ITEM_CLAIM)
        fputs("</ul>\n", stream);
    return FC_OK;
}

static void write_plot(const fc_plot *plot, FILE *stream) {
    fputs("<figure>\n", stream);
    fc_plot_svg(plot, false, stream);
    fputs("</figure>\n", stream);
}

static fc_status write_item(const fc_report *report, size_t index, FILE *stream) {
    const fc_item *item = &report->items[index];
    switch (item->kind) {
    case FC_ITEM_HEADING:
        fprintf(stream, "<h2 id=\"part-%zu\">", index);
        write_element(stream, "", item->text, "</h2>\n");
        break;
    case FC_ITEM_TEXT:
        return write_paragraph(item->text, stream);
    case FC_ITEM_CODE:
    case FC_ITEM_SCENARIO:
        write_code(item, stream);
        break;
    case FC_ITEM_TABLE:
        return write_table(item, stream);
    case FC_ITEM_PLOT:
        write_plot(item->plot, stream);
        break;
    case FC_ITEM_HEATMAP:
        fputs("<figure>\n", stream);
        fc_heatmap_svg(item->map, false, stream);
        fputs("</figure>\n", stream);
        break;
    case FC_ITEM_DRAWING:
        fprintf(stream, "<figure>\n%s</figure>\n", item->text);
        break;
    case FC_ITEM_CLAIM:
        return write_claim(report, index, stream);
    }
    return FC_OK;
}

static void write_contents(const fc_report *report, FILE *stream) {
    size_t headings = 0;
    for (size_t i = 0; i < report->item_count; i++)
        headings += report->items[i].kind == FC_ITEM_HEADING;
    if (headings < 3)
        return;
    fputs("<nav><ol>\n", stream);
    for (size_t i = 0; i < report->item_count; i++) {
        if (report->items[i].kind != FC_ITEM_HEADING)
            continue;
        fprintf(stream, "<li><a href=\"#part-%zu\">", i);
        write_element(stream, "", report->items[i].text, "</a></li>\n");
    }
    fputs("</ol></nav>\n", stream);
}

static void write_head(const fc_report *report, FILE *stream) {
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;\"/>\n",
          stream);
    fprintf(stream, "<meta name=\"generator\" content=\"Flitcast %s\"/>\n", fc_version());
    write_element(stream, "<title>", report->title[0] ? report->title : "Flitcast report",
                  "</title>\n");
    fputs("<style>\n", stream);
    fputs(style, stream);
    fc_svg_style(stream);
    fputs("</style>\n</head>\n<body>\n", stream);
}

fc_status fc_report_write_html(const fc_report *report, const fc_plot *plot, FILE *stream) {
    fc_status status = FC_OK;
    char verdict[FC_CELL_SIZE];
    fc_report_verdict(report, verdict);
    write_head(report, stream);
    write_element(stream, "<h1>", report->title, "</h1>\n");
    if (verdict[0])
        write_element(stream, "<p class=\"verdict\">", verdict, "</p>\n");
    write_contents(report, stream);
    for (size_t i = 0; i < report->item_count && status == FC_OK; i++)
        status = write_item(report, i, stream);
    if (plot)
        write_plot(plot, stream);
    fprintf(stream, "<footer>Written by Flitcast %s.</footer>\n</body>\n</html>\n", fc_version());
    return status;
}
