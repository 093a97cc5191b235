#include "table_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

enum { PATH = 1024 };

const char fit_tables[] = FIT_TABLES;

/* NULL: it could not be read to its end. */
static char *read_all(FILE *stream) {
    char *text = NULL;
    size_t length = 0, got;
    char block[1 << 16];
    FILE *into = open_memstream(&text, &length);
    while (into && (got = fread(block, 1, sizeof block, stream)) > 0)
        fwrite(block, 1, got, into);
    if (into && fclose(into) == 0 && !ferror(stream))
        return text;
    free(text);
    return NULL;
}

static char *read_plain(const char *directory, const char *name) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s.csv", directory, name);
    FILE *stream = fopen(path, "r");
    char *text = stream ? read_all(stream) : NULL;
    if (stream && !text)
        suite_stop(path, "cannot be read");
    if (stream)
        fclose(stream);
    return text;
}

static char *read_packed(const char *directory, const char *name) {
    char path[PATH], command[PATH + 32];
    snprintf(path, sizeof path, "%s/%s.csv.xz", directory, name);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return NULL;
    fclose(stream);
    if (strchr(path, '\''))
        suite_stop(path, "has a name with a quote, which unpacking does not take");
    snprintf(command, sizeof command, "xz -dc '%s'", path);
    FILE *pipe = popen(command, "r");
    char *text = pipe ? read_all(pipe) : NULL;
    if (!pipe || pclose(pipe) != 0 || !text)
        suite_stop(path, "cannot be unpacked by xz (Debian package xz-utils)");
    return text;
}

char *table_text(const char *directory, const char *name) {
    const char *const places[] = {directory, fit_tables};
    char *text = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !text; ++i) {
        text = read_plain(places[i], name);
        if (!text)
            text = read_packed(places[i], name);
    }
    return text;
}

char *table_next_line(char **rest) {
    char *line = *rest;
    if (!line || !*line)
        return NULL;
    char *end = strchr(line, '\n');
    if (end)
        *end = '\0';
    *rest = end ? end + 1 : line + strlen(line);
    return line;
}
