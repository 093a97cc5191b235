/* One hot destination: traffic.destinations of the families that know no other pattern than uniform
 * and this one. */
#ifndef FC_SCENARIO_HOT_SHARE_H
#define FC_SCENARIO_HOT_SHARE_H

#include "scenario/family.h"

typedef struct fc_hot_share {
    double share; /* of every source's packets; the rest go where they go without. 0: uniform */
    int64_t node; /* meaningful if share > 0 */
} fc_hot_share;

/* The custom reader and writer of traffic.destinations. */
fc_status fc_hot_share_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error);
void fc_hot_share_write(const void *field, FILE *stream);

#endif
