#include "fit/weights_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 8 };

/* The lines of the dataset's head that begin so. */
static void copy_lines(const char *head, const char *begin, FILE *to) {
    const size_t length = strlen(begin);
    for (const char *line = head; *line; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, begin, length) == 0)
            fprintf(to, "%.*s\n", (int)strcspn(line, "\n"), line);
        if (!line[strcspn(line, "\n")])
            return;
    }
}

static void write_passport(const fit_fitted *f, FILE *to) {
    const fit_dataset *data = f->lessons->dataset;
    static const char *const first[] = {"model ", "revision ", "form "};
    static const char *const names[] = {"whole:", "lane:", "movement:", "values:"};
    fputs("weights of Flitcast 1\n", to);
    for (size_t i = 0; i < sizeof first / sizeof *first; ++i)
        copy_lines(data->head, first[i], to);
    fprintf(to, "width %zu\nrounds %zu\nmembers %zu\n", f->lessons->shape.width,
            f->lessons->shape.rounds, f->members);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        copy_lines(data->head, names[i], to);
    fprintf(to, "networks %zu\ncases %zu\ndata %016llx\ncommand %s\n", f->networks, f->cases,
            (unsigned long long)data->hash, f->command);
    if (f->reach > 0 && f->reach != 1)
        fprintf(to, "reach %g\n", f->reach);
    copy_lines(data->head, "seen ", to);
    fputc('\n', to);
}

char *fit_weights_image(const fit_fitted *f, size_t *size) {
    const fc_learned_shape *s = &f->lessons->shape;
    const fc_learned_layout layout = fc_learned_layout_of(s);
    char *image = NULL;
    FILE *to = open_memstream(&image, size);
    if (!to)
        return NULL;
    write_passport(f, to);
    fflush(to);
    for (size_t at = *size; at % ALIGNMENT; ++at)
        fputc('\0', to);
    fwrite(f->lessons->norms, sizeof *f->lessons->norms, s->whole + s->lane + s->movement, to);
    fwrite(f->spread_factors, sizeof *f->spread_factors, FC_KNOTS + 1, to);
    fwrite(f->weights, sizeof *f->weights, f->members * layout.count, to);
    if (fclose(to) == 0)
        return image;
    free(image);
    return NULL;
}
