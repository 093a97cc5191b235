/* FNV-1a, 64 bits: it distinguishes scenarios and the files they name; it is no protection. */
#ifndef FC_BASE_HASH_H
#define FC_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FC_HASH_START 0xcbf29ce484222325u

/* The hash of what was hashed before (FC_HASH_START: nothing) and of these bytes. */
static inline uint64_t fc_hash(uint64_t hash, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

#endif
