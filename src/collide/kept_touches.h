/* Stores the contacts of a configuration of shapes, so that a later search (a query) of the same configuration can use them.
 *
 * The shapes at the end of a step are the shapes at the start of the next step, and a retried step starts with the same shapes as
 * the rejected attempt. A search stores all contacts that it found. A later search (query) selects those stored contacts that a
 * new search with the displacements of the query would return. The stored contacts that a later search takes are bitwise equal to
 * the contacts that it would find itself.
 *
 * Two configurations of shapes count as the same if they have the same 64-bit hash key. The hash key of a configuration is
 * computed from all numbers of all shapes and from the hash keys of the curves; for a curve without a hash key, it is computed
 * from points and tangents.
 *
 * Let W be the displacements of the shapes in a search, w their displacements in a later search (query), and f a factor in [0, 1]
 * common to all shapes. The stored contacts of a search are valid for a later search (query) if, at every point of all shapes,
 * the displacement w in the query is near f times the displacement W in the search:
 *     Centreline piece: `2*|w-f*W| <= CST_WAY_SLACK*margin`.
 *     Solid: `|w-f*W| <= CST_SOLID_SLACK*least_margin`.
 *
 * The slack of a shape is the largest allowed difference between its displacement in a later search (query) and f times its
 * displacement in the first search; it is a fraction of a contact margin. If the stored contacts are valid, the relative
 * displacement of two shapes in the later search exceeds that in the first search by at most the sum of their slacks. A search
 * finds contacts up to a distance that includes the slacks of both shapes (space_motion.h). A velocity or rotation common to all
 * shapes does not use up the slack (the allowed change of displacements), because the displacements of both searches contain it.
 * The factor f is either 1 or fitted by least squares to the displacements of the later search (query). If the displacements in
 * the later search are half those in the first search (f = 1/2), for example because a step is repeated with half its length, the
 * stored contacts are valid, too.
 *
 * If the stored contacts are not valid for all shapes of a later search (query), they are usually valid for most pairs of shapes.
 * For two centreline pieces, or a piece and a solid that does not rotate, let d be their largest relative displacement in the
 * later search (query), over all pairs of points and with uncertainties. Let D be the least relative displacement of the two
 * shapes in the motion that the first search assumed, over all pairs of points, and let m be the sum of the margins of both
 * shapes. The stored contacts of two shapes are valid if the displacements of both shapes in the later search differ from those
 * in the first search (factor f = 1) by at most the tolerance called slack. The stored contacts of two shapes are also valid if
 * the relative displacement d of the two shapes in the later search satisfies the following inequality:
 *     `d <= max(CST_COME_NEAR*m, D+CST_WAY_SLACK*m)`.
 *
 * If the relative displacement d of two shapes is small enough, the stored contacts include every contact of the two shapes that
 * the later search must return. The stored contacts are valid for most pairs of centreline pieces that move together, however
 * long the step is. In a search at the end of a step, the displacements are only the small corrections by contact forces, so the
 * stored contacts are valid for most pairs of shapes. Pairs whose stored contacts are not valid are searched again. */
#ifndef CST_COLLIDE_KEPT_TOUCHES_H
#define CST_COLLIDE_KEPT_TOUCHES_H

#include "base/arena.h"
#include "collide/touch_merge_space.h"

struct cst_space_scene;

/* A pair of segments whose contacts were searched. */
typedef struct cst_kept_job {
    cst_stretch at[2]; /* the two searched segments */
    int32_t rank[2];   /* rank of each segment in its centreline piece */
    int32_t first;     /* of its touches */
    uint8_t count;
    /* true if a later search with other displacements can need another number of start points (search effort `level`) for this
     * pair of segments; if it does, the pair is searched again, although its stored contacts are valid */
    bool uneven;
    int16_t level;
    double beyond; /* search distance beyond the margins (m) */
} cst_kept_job;

typedef struct cst_kept_touches {
    cst_arena arena;
    bool there;
    uint64_t key;
    int64_t used;             /* number of the last call of cst_detect_space that used the stored contacts */
    cst_piece_way *way;       /* array (pieces): displacement of each centreline piece in the search; NULL: no shape moved */
    cst_solid_way *solid_way; /* (solids) */
    cst_joint *joint;         /* (pieces) */
    int touches, touch_room;
    cst_touch_space *touch; /* in the order of `job` */
    int jobs, job_room;
    cst_kept_job *job; /* sorted by piece, then rank */
} cst_kept_touches;

/* Returns true if the contacts of a scene can be stored and found again by the hash key of the scene. The contacts of a scene
 * cannot be stored if some of its centreline pieces are edges of solids: merging contacts of edges (edge_touches.h) needs the
 * segments of the search, which are not stored. */
bool cst_space_keepable(const struct cst_space_scene *scene);

/* Returns the hash key of a configuration of shapes, which is the same for any number of threads. */
uint64_t cst_space_key(const struct cst_space_scene *scene, int threads);

/* Returns true if the stored contacts are valid for the displacements of `scene`. */
bool cst_kept_covers(const cst_kept_touches *kept, const struct cst_space_scene *scene, int threads);

/* Returns true if the stored contacts of the shapes a and b are valid for the displacements of `scene`. The number a is the
 * index of a centreline piece; b is the index of a centreline piece, or the index of a solid plus the number of all centreline
 * pieces. Both the scene and the stored contacts `kept` must contain the displacements of the shapes. */
bool cst_kept_covers_pair(const cst_kept_touches *kept, const struct cst_space_scene *scene, int32_t a, int32_t b);

/* Removes all stored contacts, reserves memory for the joints and displacements of the scene's shapes, and copies these
 * displacements. Returns false if memory ran out. */
bool cst_kept_begin(cst_kept_touches *kept, const struct cst_space_scene *scene);

/* Reserve or add entries. Return false if memory ran out. */
bool cst_kept_reserve_touches(cst_kept_touches *kept, size_t more);
bool cst_kept_add_job(cst_kept_touches *kept, const cst_kept_job *job);

#endif
