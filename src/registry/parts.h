/* Names of parts of a latency that a calibration looks for: the model that reports a part and the
 * calibration that reads it use the same name. */
#ifndef FC_REGISTRY_PARTS_H
#define FC_REGISTRY_PARTS_H

/* torus-sharing */
#define FC_PART_TRAVEL "travel"
#define FC_PART_TRANSFER "transfer"
#define FC_PART_BLOCKING "blocking"
#define FC_PART_SOURCE_WAIT "source wait"
/* scouting-sharing */
#define FC_PART_EMPTY "empty network"
#define FC_PART_PATH_WAIT "wait for a free path"
#define FC_PART_WAIT_AT_SOURCE "wait at the source"
/* router-queueing: what a message alone takes */
#define FC_PART_LINKS "links of the header"
#define FC_PART_ROUTERS "routers of the header"
#define FC_PART_LENGTH "length of the message"
#define FC_PART_OWN_CREDITS "waiting for own credits" /* only where there are such waits */

#endif
