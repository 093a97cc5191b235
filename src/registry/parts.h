/* Names of parts of a latency that a correction looks for: the model that reports a part and the
 * correction that reads it use the same name. */
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
/* closed-refined: of a round trip */
#define FC_PART_PROCESSOR "processor, service"
#define FC_PART_PROCESSOR_WAIT "processor, waiting"
#define FC_PART_NODE_LINK "waiting for the node link"
#define FC_PART_ALONE "transfer without contention"
#define FC_PART_SHARING "blocking and link sharing"
#define FC_PART_MEMORY "memory, access"
#define FC_PART_MEMORY_WAIT "memory, waiting"
/* multistage-backpressure */
#define FC_PART_SERVICE "service"
#define FC_PART_HELD "held after service"
#define FC_PART_BUFFERS "waiting in buffers"

#endif
