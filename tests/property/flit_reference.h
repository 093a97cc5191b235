/* The rules of docs/simulators/flit.md, written to be obviously right rather than fast: every
 * flit is an object with a position, everything is scanned in every cycle. The flit engine must
 * agree with it bit for bit. Nothing of the engine is used; scenario, destination draws and random
 * streams are shared, so that both see the same traffic. */
#ifndef FLIT_REFERENCE_H
#define FLIT_REFERENCE_H

#include <stdint.h>
#include "scenario/torus.h"

typedef void (*reference_observer)(void *context, uint64_t number, uint64_t latency);

/* Simulates the cycles and reports every message delivered. Returns the flits that crossed network
 * links. busy (may be NULL): cycles each processor was busy (closed traffic). */
uint64_t reference_run(const fc_torus *torus, uint64_t seed, uint64_t cycles,
                       reference_observer observer, void *context, uint64_t *busy);

#endif
