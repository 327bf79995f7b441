/* Memory that collision detection keeps between calls, for planar and 3D scenes. */
#ifndef CST_COLLIDE_DETECTOR_H
#define CST_COLLIDE_DETECTOR_H

#include "base/arena.h"
#include "collide/kept_pairs.h"
#include "collide/kept_touches.h"

struct cst_space_search;

/* Number of searches whose contacts are stored: the search at the start of a step, the search at its end, and one repeated
 * search. */
enum { CST_DETECTOR_KEPT = 3 };

typedef struct cst_detector {
    cst_arena arena;
    cst_arena_mark empty;
    cst_kept_touches kept[CST_DETECTOR_KEPT]; /* 3D scenes: contacts of earlier searches */
    cst_kept_pairs pairs_kept;                /* 3D scenes: neighbour list of the broad phase */
    /* 3D scenes: shapes and segments of the last search, or NULL; prepared_end: position in the arena after these shapes and
     * segments */
    struct cst_space_search *prepared;
    cst_arena_mark prepared_end;
    uint64_t prepared_key; /* hash key of the shapes of the last search (`prepared`) */
    /* planar scenes: number of contacts that the last call found, as first guess for the memory of the next call */
    int touches;
    int ignored;   /* number of invalid shapes, left out of the last search */
    int64_t pairs; /* number of pairs that the broad phase accepted in the last search */
    int64_t calls; /* calls so far (3D scenes) */
    /* number of calls that searched contacts; all other calls returned stored contacts */
    int64_t searches;
    const cst_kept_touches *searched; /* 3D scenes: contacts that the last call found; NULL: the last call used stored contacts */
} cst_detector;

void cst_detector_begin(cst_detector *detector, const cst_allocator *allocator); /* NULL: malloc and free */
void cst_detector_end(cst_detector *detector);

/* Returns the pairs of centreline pieces that were near each other in the last call for a 3D scene, or NULL if the last call did
 * not search. Row a of the list contains all pieces b >= a whose distance from piece a becomes smaller than the sum of the two
 * radii during the motion.
 *     `gap`: lower bound (m) for the distance of the two centrelines of each pair minus their radii; -infinity: unknown.
 *     `way`: displacement of each centreline piece in the last search; NULL: no shape moved. */
const cst_pair_list *cst_detector_near(const cst_detector *detector, const float **gap, const cst_piece_way **way);

/* Discards all stored contacts, so that the next call must search. */
void cst_detector_forget(cst_detector *detector);

#endif
