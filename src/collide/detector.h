/* Memory of detection from call to call, in the plane and in space. */
#ifndef CST_COLLIDE_DETECTOR_H
#define CST_COLLIDE_DETECTOR_H

#include "base/arena.h"
#include "collide/kept_pairs.h"
#include "collide/kept_touches.h"

struct cst_space_search;

/* The start of a step, its end, and one more that a second search of either is made beside. */
enum { CST_DETECTOR_KEPT = 3 };

typedef struct cst_detector {
    cst_arena arena;
    cst_arena_mark empty;
    cst_kept_touches kept[CST_DETECTOR_KEPT]; /* in space */
    cst_kept_pairs pairs_kept;                /* in space */
    struct cst_space_search *prepared; /* in space: shapes of the last search, cut; NULL: none. In the arena up to the mark, */
    cst_arena_mark prepared_end;
    uint64_t prepared_key;            /* of this configuration */
    int touches;                      /* of the last call in the plane: first guess of the next */
    int ignored;                      /* shapes left out of the last search */
    int64_t pairs;                    /* that the broad phase let through in the last search */
    int64_t calls;                    /* in space */
    int64_t searches;                 /* of these: the others were answered by what was kept */
    const cst_kept_touches *searched; /* in space: what the last call made; NULL: it did not search */
} cst_detector;

void cst_detector_begin(cst_detector *detector, const cst_allocator *allocator); /* NULL: malloc and free */
void cst_detector_end(cst_detector *detector);

/* Pairs of pieces of the last call in space, with *way (pieces) the ways that it searched for, NULL if nothing moved: row a has all b >= a
 * that come nearer to a than their radii in these ways; *gap (pairs): by how much their centrelines are farther apart than their radii, at
 * least, -inf: not known. NULL: it was answered without a search. */
const cst_pair_list *cst_detector_near(const cst_detector *detector, const float **gap, const cst_piece_way **way);

/* The next call searches, whatever is kept; for those who measure. */
void cst_detector_forget(cst_detector *detector);

#endif
