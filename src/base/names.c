#include "base/names.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* Edit distance with insertions, deletions, replacements and swaps of neighbours; case and the
 * difference between - and _ do not count. What is longer than any name is far from all. */
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 63 };
    const size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST)
        return SIZE_MAX;
    unsigned char rows[3][LONGEST + 1];
    char x[LONGEST + 1], y[LONGEST + 1];
    for (size_t i = 0; i < m; ++i)
        x[i] = (char)(a[i] == '_' ? '-' : tolower((unsigned char)a[i]));
    for (size_t j = 0; j < n; ++j)
        y[j] = (char)(b[j] == '_' ? '-' : tolower((unsigned char)b[j]));
    for (size_t j = 0; j <= n; ++j)
        rows[0][j] = (unsigned char)j;
    for (size_t i = 1; i <= m; ++i) {
        unsigned char *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = (unsigned char)i;
        for (size_t j = 1; j <= n; ++j) {
            size_t best = last[j - 1] + (size_t)(x[i - 1] != y[j - 1]);
            if (last[j] + 1u < best)
                best = last[j] + 1u;
            if (now[j - 1] + 1u < best)
                best = now[j - 1] + 1u;
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1] &&
                before[j - 2] + 1u < best)
                best = before[j - 2] + 1u;
            now[j] = (unsigned char)best;
        }
    }
    return rows[m % 3][n];
}

const char *fc_nearest(const char *name, const char *const *names) {
    const char *nearest = NULL;
    size_t smallest = strlen(name) / 2 + 1;
    for (size_t i = 0; names[i]; ++i) {
        const size_t d = distance(name, names[i]);
        if (d < smallest) {
            smallest = d;
            nearest = names[i];
        }
    }
    return nearest;
}

void fc_names_text(const char *const *names, size_t size, char *text) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; names[i] && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
}

const char *fc_names_hint(const char *name, const char *const *names, const char *otherwise,
                          char text[FC_HINT_SIZE]) {
    const char *nearest = fc_nearest(name, names);
    if (!nearest)
        return otherwise;
    snprintf(text, FC_HINT_SIZE, "; did you mean '%s'?", nearest);
    return text;
}
