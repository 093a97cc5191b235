#include "fit/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct member {
    fit_team *team;
    size_t number;
    pthread_t thread;
} member;

struct fit_team {
    size_t threads;
    pthread_barrier_t begin, end;
    atomic_size_t next;
    size_t parts;
    fit_part *work;
    void *context;
    bool over;
    member members[];
};

static void take_parts(fit_team *team, size_t thread) {
    for (;;) {
        const size_t part = atomic_fetch_add(&team->next, 1);
        if (part >= team->parts)
            return;
        team->work(team->context, part, thread);
    }
}

static void *live(void *context) {
    const member *me = context;
    for (;;) {
        pthread_barrier_wait(&me->team->begin);
        if (me->team->over)
            return NULL;
        take_parts(me->team, me->number);
        pthread_barrier_wait(&me->team->end);
    }
}

fit_team *fit_team_create(size_t threads) {
    fit_team *team = calloc(1, sizeof *team + threads * sizeof(member));
    if (!team)
        return NULL;
    team->threads = threads;
    pthread_barrier_init(&team->begin, NULL, (unsigned)threads);
    pthread_barrier_init(&team->end, NULL, (unsigned)threads);
    for (size_t i = 1; i < threads; ++i) {
        team->members[i] = (member){.team = team, .number = i};
        if (pthread_create(&team->members[i].thread, NULL, live, &team->members[i]) != 0)
            return NULL; /* those that wait at the barrier stay there */
    }
    return team;
}

size_t fit_team_threads(const fit_team *team) {
    return team->threads;
}

void fit_team_run(fit_team *team, size_t parts, fit_part *work, void *context) {
    team->parts = parts;
    team->work = work;
    team->context = context;
    atomic_store(&team->next, 0);
    pthread_barrier_wait(&team->begin);
    take_parts(team, 0);
    pthread_barrier_wait(&team->end);
}

void fit_team_free(fit_team *team) {
    if (!team)
        return;
    team->over = true;
    pthread_barrier_wait(&team->begin);
    for (size_t i = 1; i < team->threads; ++i)
        pthread_join(team->members[i].thread, NULL);
    pthread_barrier_destroy(&team->begin);
    pthread_barrier_destroy(&team->end);
    free(team);
}
