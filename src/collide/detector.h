/* Memory that collision detection keeps between calls, in the plane and in 3D. */
#ifndef CST_COLLIDE_DETECTOR_H
#define CST_COLLIDE_DETECTOR_H

#include "base/arena.h"
#include "collide/kept_pairs.h"
#include "collide/kept_touches.h"

struct cst_space_search;

/* Number of searches whose contacts are stored: one for the start of a step, one for its end, and a third one for a repeated
 * search at the start or the end. */
enum { CST_DETECTOR_KEPT = 3 };

typedef struct cst_detector {
    cst_arena arena;
    cst_arena_mark empty;
    cst_kept_touches kept[CST_DETECTOR_KEPT]; /* in 3D */
    cst_kept_pairs pairs_kept;                /* in 3D */
    /* 3D scenes: the shapes of the last search with their segments, or NULL; the mark prepared_end is the end of their memory in
     * the arena */
    struct cst_space_search *prepared;
    cst_arena_mark prepared_end;
    uint64_t prepared_key; /* of this configuration */
    /* planar scenes: number of contacts that the last call found, the first guess for the memory of the next call */
    int touches;
    int ignored;   /* number of invalid shapes, left out of the last search */
    int64_t pairs; /* number of pairs that the broad phase accepted in the last search */
    int64_t calls; /* in 3D */
    /* number of calls of collision detection that searched contacts; all other calls used stored contacts */
    int64_t searches;
    const cst_kept_touches *searched; /* 3D scenes: contacts found by the last call; NULL: the call used stored contacts */
} cst_detector;

void cst_detector_begin(cst_detector *detector, const cst_allocator *allocator); /* NULL: malloc and free */
void cst_detector_end(cst_detector *detector);

/* Returns the pairs of centreline pieces that were near each other in the last call in 3D, or NULL if the call did not search.
 * Row a of the returned list contains all centreline pieces b >= a whose distance from the piece a becomes smaller than the sum
 * of both radii during the motion. *way: displacement of each centreline piece that the last call used in its search; NULL if no
 * shape moved. *gap: for each pair, a lower bound (m) for the distance of the two centrelines minus their radii; -infinity if
 * unknown. */
const cst_pair_list *cst_detector_near(const cst_detector *detector, const float **gap, const cst_piece_way **way);

/* Discards all stored contacts, so that the next call must search. */
void cst_detector_forget(cst_detector *detector);

#endif
