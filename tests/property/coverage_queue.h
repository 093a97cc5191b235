/* Single-server queues as a simulator: M/M/1 or M/D/1 with a mean service of one cycle, whose mean
 * time in the system is known. What the driver's statistics are tested on. Many queues side by side
 * behave like a large network: little noise, the same memory. */
#ifndef COVERAGE_QUEUE_H
#define COVERAGE_QUEUE_H

#include "registry/method.h"

typedef struct queue_case {
    double load;        /* arrivals per queue per cycle */
    bool deterministic; /* service: exactly one cycle, else exponential */
    double time_scale;  /* what the simulator claims */
    uint32_t queues;    /* independent, side by side */
} queue_case;

extern const fc_simulator queue_simulator;

/* The simulator looks at nothing but the case. */
const fc_scenario *queue_scenario(const queue_case *what);
double queue_mean_latency(const queue_case *what);

#endif
