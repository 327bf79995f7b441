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
    /* 3D scenes: data of the shapes of the last search, such as their segments; NULL: none. `prepared_end`: end of the data
     * `prepared` in the arena. */
    struct cst_space_search *prepared;
    cst_arena_mark prepared_end;
    uint64_t prepared_key; /* hash key of the shapes of the last call; the data `prepared` belong to the same shapes */
    /* planar scenes: number of contacts that the last call found, as first guess for the memory of the next call */
    int touches;
    int ignored; /* number of invalid shapes, left out of the last search */
    /* number of pairs that the last search tested after the broad phase: pairs of shapes (planar scenes), or pairs of a segment
     * with a segment, a solid or a triangle of a mesh (3D scenes) */
    int64_t pairs;
    int64_t calls; /* calls so far (3D scenes) */
    /* 3D scenes: number of calls that searched contacts; all other calls returned stored contacts */
    int64_t searches;
    const cst_kept_touches *searched; /* 3D scenes: contacts that the last call found; NULL: the last call used stored contacts */
} cst_detector;

void cst_detector_begin(cst_detector *detector, const cst_allocator *allocator); /* NULL: malloc and free */
void cst_detector_end(cst_detector *detector);

/* Returns the neighbour list (kept_pairs.h) of the last call for a 3D scene, or NULL if that call did not search all pairs. Row a
 * of the neighbour list contains the centreline pieces b >= a that can touch piece a during the motion, followed by the solids
 * that can touch piece a.
 *     `gap`: for each pair of pieces, a lower bound (m) for the distance of their surfaces at the time of the last call;
 *         -infinity: unknown.
 *     `way`: displacement that the last search assumed for each centreline piece; NULL: no shape moved. */
const cst_pair_list *cst_detector_near(const cst_detector *detector, const float **gap, const cst_piece_way **way);

/* Discards the stored contacts of all searches but the last one, if their memory is large (cst_arena_is_large). Call it at the
 * end of a step: the next step usually needs only the contacts of the last search. */
void cst_detector_trim(cst_detector *detector);

/* Discards the stored contacts, the neighbour list and the stored segments, so that the next call of cst_detect_space must search
 * anew. */
void cst_detector_forget(cst_detector *detector);

#endif
