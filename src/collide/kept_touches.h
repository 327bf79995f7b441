/* Stores the contacts that a search found, so that a later search with the same shapes at the same positions can use them.
 *
 * The shapes at the end of a step are the shapes at the start of the next step, and a retried step starts with the same shapes as
 * the rejected attempt. A later search selects those stored contacts that a new search would return. The selected contacts are
 * bitwise equal to those of a new search. Shapes count as the same if they have the same 64-bit hash key. The hash key covers all
 * numbers of all shapes and the hash keys of the curves; a curve without a hash key is represented by a few points and tangents.
 *
 * The stored contacts are valid for all shapes if the displacements w in the later search are nearly a common multiple of the
 * displacements W in the first search. Symbols:
 *     `w`: displacement of a point in the step of the later search.
 *     `W`: displacement of the same point in the step of the first search.
 *     `f`: factor from 0 to 1, common to all shapes.
 *     `margin`: contact margin of a centreline piece.
 *     `least_margin`: smallest contact margin of all centreline pieces.
 *
 * Two inequalities must hold at every point of all centreline pieces and solids:
 *     `2*|w-f*W| <= CST_WAY_SLACK*margin`: centreline piece.
 *     `|w-f*W| <= CST_SOLID_SLACK*least_margin`: solid.
 *
 * The right-hand sides are tolerances. The first search increases its search distance by the tolerances of both shapes
 * (space_motion.h), so that it finds all contacts that the later search must return. The factor f is 1 or is fitted by least
 * squares to the displacements of the later search. A step that is repeated with half its length, for example, has f = 1/2.
 *
 * If an inequality is violated for some shapes, the stored contacts are still valid for most pairs of shapes. Consider two
 * centreline pieces, or a piece and a solid that does not rotate. Symbols:
 *     `d`: largest relative displacement of two points of the two shapes in the later search, with uncertainties.
 *     `D`: least relative displacement of two points of the two shapes in the first search.
 *     `m`: sum of the contact margins of the two shapes.
 *
 * The stored contacts of the two shapes are valid if the two shapes satisfy the inequalities above with f = 1, or if the relative
 * displacements satisfy:
 *     `d <= max(CST_COME_NEAR*m, D+CST_WAY_SLACK*m)`.
 *
 * Most pairs of centreline pieces move together and satisfy this inequality, however long the step is. In a search at the end of
 * a step, the displacements are only the small corrections by contact forces, so nearly all pairs satisfy it. Pairs without valid
 * contacts are searched again. */
#ifndef CST_COLLIDE_KEPT_TOUCHES_H
#define CST_COLLIDE_KEPT_TOUCHES_H

#include "base/arena.h"
#include "collide/touch_merge_space.h"

struct cst_space_scene;

/* A pair of segments that was searched for contacts. */
typedef struct cst_kept_job {
    cst_stretch at[2]; /* the two searched segments */
    int32_t rank[2];   /* rank of each of the two segments in its centreline piece */
    int32_t first;     /* index of the pair's first contact in the array `touch` */
    uint8_t count;
    /* true if a later search with other displacements can need another number of start points (`level`) for this pair of
     * segments; the pair is then searched again, although its stored contacts are valid */
    bool uneven;
    int16_t level;
    double beyond; /* search distance (m) in addition to the contact margins (space_motion.h) */
} cst_kept_job;

typedef struct cst_kept_touches {
    cst_arena arena;
    bool there;
    uint64_t key;
    int64_t used; /* number of the last call of cst_detect_space that used the stored contacts */
    /* array (pieces): displacement of each centreline piece in the first search; NULL: no shape moved */
    cst_piece_way *way;
    cst_solid_way *solid_way; /* array (solids): displacement of each solid */
    cst_joint *joint;         /* array (pieces): neighbours of each piece */
    int touches, touch_room;
    cst_touch_space *touch; /* contacts, in the order of the array `job` */
    int jobs, job_room;
    cst_kept_job *job; /* searched pairs, sorted by piece, then by rank */
} cst_kept_touches;

/* Returns true if the contacts of a scene can be stored. Contacts of edges of solids cannot be stored: merging them
 * (edge_touches.h) needs the positions of the edges, which are not stored. */
bool cst_space_keepable(const struct cst_space_scene *scene);

/* Returns the hash key of all shapes of a scene, which is the same for any number of threads. */
uint64_t cst_space_key(const struct cst_space_scene *scene, int threads);

/* Returns true if the stored contacts of all shapes are valid for the displacements of `scene`. */
bool cst_kept_covers(const cst_kept_touches *kept, const struct cst_space_scene *scene, int threads);

/* Returns true if the stored contacts of the shapes a and b are valid for the displacements of `scene`. `a`: index of a
 * centreline piece. `b`: index of a centreline piece, or the number of all pieces plus the index of a solid. Both `scene` and
 * `kept` must contain displacements of the shapes. */
bool cst_kept_covers_pair(const cst_kept_touches *kept, const struct cst_space_scene *scene, int32_t a, int32_t b);

/* Removes all stored contacts, reserves memory for the shapes of the scene, and stores the displacements of the shapes. Returns
 * false if memory ran out. */
bool cst_kept_begin(cst_kept_touches *kept, const struct cst_space_scene *scene);

/* Reserve memory for more contacts, or add a searched pair. Return false if memory ran out. */
bool cst_kept_reserve_touches(cst_kept_touches *kept, size_t more);
bool cst_kept_add_job(cst_kept_touches *kept, const cst_kept_job *job);

#endif
