/* Allocation for the whole library: one place to count, limit or fail allocations in tests. */
#ifndef FC_BASE_MEMORY_H
#define FC_BASE_MEMORY_H

#include <stddef.h>

/* Zeroed memory for count items of the given size; NULL if it cannot be had or the product
 * overflows. */
void *fc_allocate(size_t count, size_t size);
void *fc_reallocate(void *block, size_t count, size_t size); /* new memory is not zeroed */
char *fc_copy_text(const char *text);
void fc_release(void *block); /* accepts NULL */

#endif
