/* Allocation for the whole library: one place to count, limit or fail allocations in tests. */
#ifndef FC_BASE_MEMORY_H
#define FC_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory for count items of the given size; NULL if it cannot be had or the product
 * overflows. */
void *fc_allocate(size_t count, size_t size);
/* The same, from the start of a cache line on. */
void *fc_allocate_lines(size_t count, size_t size);
/* Bytes of memory that the machine has; INFINITY if that is not known. */
double fc_machine_memory(void);
void *fc_reallocate(void *block, size_t count, size_t size); /* new memory is not zeroed */
/* The block with room for `more` items behind the first `count`; where it has to grow, *room at
 * least doubles. NULL: there is no memory, and block and room are as before. */
void *fc_make_room(void *block, size_t *room, size_t count, size_t more, size_t size);
char *fc_copy_text(const char *text);
void fc_release(void *block); /* accepts NULL */

#ifdef FC_CHECKS
/* For tests, in builds that check invariants: the nth allocation from now on (1: the next, of any
 * thread) fails, those after it do not, so that a failure that is ignored shows. 0: none fails. */
void fc_allocation_fail_nth(size_t nth);
bool fc_allocation_has_failed(void); /* the one asked to */
size_t fc_allocations_in_use(void);  /* blocks not released yet */
#endif

#endif
