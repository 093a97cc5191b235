#include "packet_exact_reference.h"
#include <stdbool.h>
#include <stdlib.h>
#include "base/random.h"

typedef struct packet {
    double born;
    uint32_t source, destination;
} packet;

typedef struct list { /* a growing first-in first-out list of pointers */
    void **items;
    size_t first, end, room;
} list;

typedef struct place place;
struct place {       /* a buffer, a memory behind the last stage, or a source behind the way back */
    uint32_t stage;  /* n: a memory; with a way back n + 1 .. 2n its stages, 2n + 1: a source */
    uint32_t number; /* input within the stage, or memory */
    list packets;
    list blocked;   /* buffers whose first packet waits for a place here */
    list lining_up; /* buffers that wait for the line into this place */
    place *holder;  /* the buffer that holds the line */
};

typedef struct event {
    double time;
    int arrival; /* 1: a memory's, 2: an arrival; in this order at the same instant */
    uint64_t sequence;
    place *at;
} event;

struct reference {
    fc_packet_settings settings;
    place *places; /* (n + 1) N */
    event *heap;
    size_t events, room;
    uint64_t sequence, generated, discarded;
    uint32_t *outstanding;
    double now;
    fc_random arrivals, destinations;
    fc_packet_observer observer;
    void *context;
};

static void push(list *queue, void *item) {
    if (queue->end == queue->room) {
        queue->room = queue->room ? 2 * queue->room : 4;
        queue->items = realloc(queue->items, queue->room * sizeof *queue->items);
        if (!queue->items)
            abort();
    }
    queue->items[queue->end++] = item;
}

static size_t length(const list *queue) {
    return queue->end - queue->first;
}

static void *pop(list *queue) {
    return queue->items[queue->first++];
}

static int earlier(const event *x, const event *y) {
    if (x->time != y->time)
        return x->time < y->time;
    if (x->arrival != y->arrival)
        return x->arrival < y->arrival;
    return x->sequence < y->sequence;
}

static void schedule(reference *simulator, double time, int arrival, place *at) {
    if (simulator->events == simulator->room) {
        simulator->room = simulator->room ? 2 * simulator->room : 16;
        simulator->heap = realloc(simulator->heap, simulator->room * sizeof *simulator->heap);
        if (!simulator->heap)
            abort();
    }
    event *heap = simulator->heap;
    size_t i = simulator->events++;
    heap[i] = (event){time, arrival, simulator->sequence++, at};
    while (i > 0 && earlier(&heap[i], &heap[(i - 1) / 2])) {
        const event swap = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = swap;
        i = (i - 1) / 2;
    }
}

static event next_event(reference *simulator) {
    event *heap = simulator->heap;
    const event first = heap[0];
    heap[0] = heap[--simulator->events];
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < simulator->events; ++child)
            if (earlier(&heap[child], &heap[least]))
                least = child;
        if (least == i)
            return first;
        const event swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

/* The highest digit becomes the lowest. */
static uint32_t shuffle(const fc_packet_settings *settings, uint32_t line) {
    const uint32_t high = settings->ports / settings->switch_size;
    return line % high * settings->switch_size + line / high;
}

static place *place_at(reference *simulator, uint32_t stage, uint32_t number) {
    return &simulator->places[stage * simulator->settings.ports + number];
}

static place *ahead_of(reference *simulator, const place *at) {
    const fc_packet_settings *settings = &simulator->settings;
    const packet *first = at->packets.items[at->packets.first];
    if (at->stage == settings->stages)
        return place_at(simulator, at->stage + 1, shuffle(settings, at->number));
    const bool back = at->stage > settings->stages;
    const uint32_t target = back ? first->source : first->destination;
    const uint32_t stage = at->stage - (back ? settings->stages + 1 : 0);
    uint32_t divisor = 1;
    for (uint32_t s = stage + 1; s < settings->stages; ++s)
        divisor *= settings->switch_size;
    const uint32_t digit = target / divisor % settings->switch_size;
    const uint32_t line = at->number / settings->switch_size * settings->switch_size + digit;
    return stage + 1 == settings->stages
               ? place_at(simulator, at->stage + 1, line)
               : place_at(simulator, at->stage + 1, shuffle(settings, line));
}

static void serve(reference *simulator, place *at) {
    const fc_packet_settings *settings = &simulator->settings;
    const int memory = at->stage == settings->stages;
    schedule(simulator, simulator->now + (memory ? settings->memory_busy : settings->service),
             memory, at);
}

static void start(reference *simulator, place *at) {
    if (simulator->settings.output_contention) {
        place *ahead = ahead_of(simulator, at);
        if (ahead->holder) {
            push(&ahead->lining_up, at);
            return;
        }
        ahead->holder = at;
    }
    serve(simulator, at);
}

static uint32_t last_stage(const fc_packet_settings *settings) {
    return settings->memory_busy > 0 ? 2 * settings->stages + 1 : settings->stages;
}

static int is_full(const reference *simulator, const place *at) {
    return at->stage < last_stage(&simulator->settings) &&
           at->stage != simulator->settings.stages &&
           simulator->settings.places != FC_PACKET_UNLIMITED &&
           length(&at->packets) >= simulator->settings.places;
}

static void join(reference *simulator, place *at, packet *coming) {
    if (at->stage == last_stage(&simulator->settings)) {
        if (simulator->observer)
            simulator->observer(simulator->context, at->number, coming->born, simulator->now);
        --simulator->outstanding[coming->source];
        if (at->number !=
            (simulator->settings.memory_busy > 0 ? coming->source : coming->destination))
            abort();
        free(coming);
        return;
    }
    push(&at->packets, coming);
    if (length(&at->packets) == 1)
        start(simulator, at);
}

/* The first packet of `from` moves into `to`; its line, if lines are held, goes to the next. */
static void hand_over(reference *simulator, place *from, place *to) {
    join(simulator, to, pop(&from->packets));
    if (!simulator->settings.output_contention)
        return;
    to->holder = NULL;
    if (length(&to->lining_up)) {
        to->holder = pop(&to->lining_up);
        serve(simulator, to->holder);
    }
}

/* The first packet of a buffer has been served. */
static void move_on(reference *simulator, place *at) {
    place *ahead = ahead_of(simulator, at);
    if (is_full(simulator, ahead)) {
        push(&ahead->blocked, at);
        return;
    }
    hand_over(simulator, at, ahead);
    while (length(&at->blocked)) {
        place *sender = pop(&at->blocked);
        hand_over(simulator, sender, at);
        start(simulator, at);
        at = sender;
    }
    if (length(&at->packets))
        start(simulator, at);
}

static void arrive(reference *simulator) {
    const fc_packet_settings *settings = &simulator->settings;
    const uint32_t source = fc_random_below(&simulator->arrivals, settings->ports);
    const double mean = 1.0 / (settings->rate * (double)settings->ports);
    schedule(simulator, simulator->now + mean * fc_random_exponential(&simulator->arrivals), 2,
             NULL);
    if (settings->outstanding != FC_PACKET_UNLIMITED &&
        simulator->outstanding[source] == settings->outstanding)
        return;
    ++simulator->generated;
    uint32_t destination = settings->hot_memory;
    if (!(settings->hot_share > 0.0) ||
        fc_random_unit(&simulator->destinations) >= settings->hot_share)
        destination = fc_random_below(&simulator->destinations, settings->ports);
    place *first = place_at(simulator, 0, shuffle(settings, source));
    if (is_full(simulator, first)) {
        ++simulator->discarded;
        return;
    }
    ++simulator->outstanding[source];
    packet *born = malloc(sizeof *born);
    if (!born)
        abort();
    *born = (packet){simulator->now, source, destination};
    join(simulator, first, born);
}

reference *reference_create(const fc_packet_settings *settings) {
    reference *simulator = calloc(1, sizeof *simulator);
    const size_t count = (size_t)settings->ports * (last_stage(settings) + 1);
    if (!simulator)
        abort();
    simulator->settings = *settings;
    simulator->places = calloc(count, sizeof *simulator->places);
    simulator->outstanding = calloc(settings->ports, sizeof *simulator->outstanding);
    if (!simulator->places || !simulator->outstanding)
        abort();
    for (size_t i = 0; i < count; ++i) {
        simulator->places[i].stage = (uint32_t)(i / settings->ports);
        simulator->places[i].number = (uint32_t)(i % settings->ports);
    }
    simulator->arrivals = fc_random_stream(settings->seed, settings->replication, 0);
    simulator->destinations = fc_random_stream(settings->seed, settings->replication, 1);
    const double mean = 1.0 / (settings->rate * (double)settings->ports);
    schedule(simulator, mean * fc_random_exponential(&simulator->arrivals), 2, NULL);
    return simulator;
}

void reference_free(reference *simulator) {
    const size_t count = (size_t)simulator->settings.ports * (last_stage(&simulator->settings) + 1);
    for (size_t i = 0; i < count; ++i) {
        place *at = &simulator->places[i];
        while (length(&at->packets))
            free(pop(&at->packets));
        free(at->packets.items);
        free(at->blocked.items);
        free(at->lining_up.items);
    }
    free(simulator->places);
    free(simulator->heap);
    free(simulator->outstanding);
    free(simulator);
}

void reference_observe(reference *simulator, fc_packet_observer observer, void *context) {
    simulator->observer = observer;
    simulator->context = context;
}

void reference_run_until(reference *simulator, double until) {
    while (simulator->events && simulator->heap[0].time <= until) {
        const event due = next_event(simulator);
        simulator->now = due.time;
        if (due.arrival == 2)
            arrive(simulator);
        else
            move_on(simulator, due.at);
    }
}

uint64_t reference_generated(const reference *simulator) {
    return simulator->generated;
}

uint64_t reference_discarded(const reference *simulator) {
    return simulator->discarded;
}

uint64_t reference_in_stage(const reference *simulator, uint32_t stage) {
    uint64_t packets = 0;
    for (uint32_t i = 0; i < simulator->settings.ports; ++i)
        packets += length(&simulator->places[stage * simulator->settings.ports + i].packets);
    return packets;
}
