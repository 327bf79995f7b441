/* All that a run needs to go on as if it had never stopped: the world, and how much of each result was there.
 *
 * Written aside and renamed; the one before is kept. A file that is not as it was written is recognised by its checksum. In the
 * byte order and layout of the machine that writes it: a checkpoint is for resuming here, the cache is for keeping. */
#ifndef CST_RUN_CHECKPOINT_H
#define CST_RUN_CHECKPOINT_H

#include "cache/cache_format.h"
#include "capstan/run.h"
#include "run/probe_sums.h"
#include "run/run_directory.h"

/* Does the budget of energy leave more unexplained than a hundredth of what has moved (docs/world.md)? Rounding is not meant: of what
 * bodies have now, 1e-9. */
bool cst_run_unexplained(const cst_run_totals *totals);

typedef enum cst_run_phase { CST_PHASE_RUNNING = 0, CST_PHASE_AT_END, CST_PHASE_AT_REST } cst_run_phase;

typedef struct cst_checkpoint {
    uint64_t settings; /* checksum of the scene as it is run and of what else decides results */
    cst_run_phase phase;
    int64_t rows[CST_TABLES];
    cst_run_totals totals;
    int probes;
    cst_probe_mark *probe_mark; /* (probes) length and checksum of each file */
    uint8_t *world;             /* cst_world_save */
    size_t world_bytes;
} cst_checkpoint;

bool cst_checkpoint_write(const cst_run_directory *directory, const cst_checkpoint *checkpoint, char *message,
                          size_t message_size);

typedef enum cst_checkpoint_found {
    CST_CHECKPOINT_NONE = 0, /* there is none */
    CST_CHECKPOINT_LAST,
    CST_CHECKPOINT_PREVIOUS, /* the last one is missing or damaged */
    CST_CHECKPOINT_DAMAGED   /* the message says what is wrong */
} cst_checkpoint_found;

/* Free it afterwards. */
cst_checkpoint_found cst_checkpoint_read(const cst_run_directory *directory, cst_checkpoint *out, char *message,
                                         size_t message_size);
void cst_checkpoint_free(cst_checkpoint *checkpoint);

/* The bytes of a file, judged. False with a message if they are no checkpoint. */
bool cst_checkpoint_decode(const uint8_t *bytes, size_t size, cst_checkpoint *out, char *message, size_t message_size);

#endif
