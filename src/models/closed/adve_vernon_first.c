#include "models/closed/adve_vernon_first.h"

#include <string.h>
#include "base/memory.h"

fc_status fc_first_waits_create(const fc_closed_paths *paths, const fc_closed_work *work,
                                fc_first_waits *waits) {
    const size_t links = paths->links, visits = paths->visits, types = work->types;
    *waits = (fc_first_waits){.paths = paths, .work = work};
    waits->terms = fc_allocate(links, sizeof *waits->terms);
    waits->block = fc_allocate(links * (5 + 2 * types) + visits * (2 + types), sizeof(double));
    if (!waits->terms || !waits->block) {
        fc_first_waits_release(waits);
        return FC_ERROR_MEMORY;
    }
    double *next = waits->block;
    double **const per_link[] = {&waits->residual, &waits->rest[0], &waits->rest[1],
                                 &waits->link_wait, &waits->reply_mean};
    for (size_t i = 0; i < 5; ++i, next += links)
        *per_link[i] = next;
    for (size_t j = 0; j < types; ++j, next += 2 * links) {
        waits->request_rest[j] = next;
        waits->reply_busy[j] = next + links;
    }
    waits->visit_residual = next;
    waits->visit_wait = next + visits;
    next += 2 * visits;
    for (size_t j = 0; j < types; ++j, next += visits)
        waits->visit_rest[j] = next;
    return FC_OK;
}

void fc_first_waits_release(fc_first_waits *waits) {
    fc_release(waits->terms);
    fc_release(waits->block);
    waits->terms = NULL;
    waits->block = NULL;
}

static double evaluate(const fc_first_waits *f, uint32_t link,
                       const double busy[FC_MESSAGES][FC_REQUEST_TYPES_MAX]) {
    const fc_first_terms *terms = &f->terms[link];
    double all = 0.0, wait = 0.0;
    for (size_t t = 0; t < FC_MESSAGES; ++t) {
        for (size_t j = 0; j < f->work->types; ++j) {
            all += busy[t][j];
            wait += busy[t][j] * terms->tail[t][j];
        }
    }
    return wait + all * terms->queue + (all < 1.0 ? 1.0 - all : 0.0) * terms->idle;
}

/* Sums over the replies of each link: mean header time, and time shares by type. */
static void sum_replies(fc_first_waits *f, const fc_closed_stations *s) {
    const fc_closed_paths *p = f->paths;
    memset(f->reply_mean, 0, p->links * sizeof(double));
    for (size_t j = 0; j < f->work->types; ++j)
        memset(f->reply_busy[j], 0, p->links * sizeof(double));
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t l = p->visit[y].link;
            const double copies = p->orbit_size[i] / p->link[l].copies;
            const double header = p->visit[y].reply * (1.0 + f->visit_wait[y]);
            f->reply_mean[l] += copies * header;
            for (size_t j = 0; j < f->work->types; ++j)
                f->reply_busy[j][l] +=
                    copies * s->throughput[i] * f->work->share[j] * (header + f->visit_rest[j][y]);
        }
    }
    for (size_t l = 0; l < p->links; ++l)
        f->reply_mean[l] =
            s->link_reply_share[l] > 0.0 ? f->reply_mean[l] / s->link_reply_share[l] : 1.0;
}

static void update_visits(fc_first_waits *f, fc_closed_stations *s) {
    const fc_closed_paths *p = f->paths;
    const double own = 1.0 / f->work->outstanding;
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t l = p->visit[y].link;
            const double header = p->visit[y].reply * (1.0 + f->visit_wait[y]);
            const double request = s->link_request_share[l] * (1.0 + f->link_wait[l]);
            s->visit_residual[y] =
                f->visit_residual[y] + header * (0.5 * f->reply_mean[l] + f->rest[FC_REPLY][l]);
            double busy[FC_MESSAGES][FC_REQUEST_TYPES_MAX];
            for (size_t j = 0; j < f->work->types; ++j) {
                const double share = f->work->share[j];
                busy[FC_REQUEST][j] =
                    s->throughput[p->link[l].owner] * share * (request + f->request_rest[j][l]);
                busy[FC_REPLY][j] = f->reply_busy[j][l] -
                                    own * s->throughput[i] * share * (header + f->visit_rest[j][y]);
            }
            f->visit_wait[y] = 0.5 * (f->visit_wait[y] + evaluate(f, l, busy));
        }
    }
}

void fc_first_waits_update(void *waits, fc_closed_stations *s) {
    fc_first_waits *f = waits;
    const fc_closed_paths *p = f->paths;
    const double others = 1.0 - 1.0 / f->work->outstanding;
    sum_replies(f, s);
    for (uint32_t l = 0; l < p->links; ++l) {
        const double header = 1.0 + f->link_wait[l];
        const double request = s->link_request_share[l] * header;
        s->link_request_residual[l] =
            f->residual[l] + request * (0.5 * header + f->rest[FC_REQUEST][l]);
        s->link_hold[FC_REQUEST][l] = header + f->rest[FC_REQUEST][l];
        s->link_hold[FC_REPLY][l] = f->reply_mean[l] + f->rest[FC_REPLY][l];
    }
    update_visits(f, s);
    for (uint32_t l = 0; l < p->links; ++l) {
        const double request = s->link_request_share[l] * (1.0 + f->link_wait[l]);
        double busy[FC_MESSAGES][FC_REQUEST_TYPES_MAX];
        for (size_t j = 0; j < f->work->types; ++j) {
            busy[FC_REQUEST][j] = others * s->throughput[p->link[l].owner] * f->work->share[j] *
                                  (request + f->request_rest[j][l]);
            busy[FC_REPLY][j] = f->reply_busy[j][l];
        }
        f->link_wait[l] = 0.5 * (f->link_wait[l] + evaluate(f, l, busy));
    }
}

void fc_first_waits_headers(const fc_first_waits *f, const fc_closed_stations *s,
                            double *headers[FC_MESSAGES]) {
    const fc_closed_paths *p = f->paths;
    for (size_t l = 0; l < p->links; ++l) {
        headers[FC_REQUEST][l] =
            s->throughput[p->link[l].owner] * s->link_request_share[l] * (1.0 + f->link_wait[l]);
        headers[FC_REPLY][l] = 0.0;
    }
    for (size_t i = 0; i < p->orbits; ++i) {
        const fc_closed_tree *tree = &p->tree[i];
        for (size_t y = tree->first_visit; y < tree->first_visit + tree->visits; ++y) {
            const uint32_t l = p->visit[y].link;
            headers[FC_REPLY][l] += p->orbit_size[i] / p->link[l].copies * s->throughput[i] *
                                    p->visit[y].reply * (1.0 + f->visit_wait[y]);
        }
    }
}
