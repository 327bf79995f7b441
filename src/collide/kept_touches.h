/* Keeps the contacts of a configuration of shapes for the next query about the same configuration.
 *
 * The shapes at the end of a step are the shapes at the start of the next step, and a retried step starts with the same shapes as
 * the step before it. A search keeps all contacts that it found. The displacements of the step then select the required contacts,
 * so that a query with other displacements makes its own selection. The result of a query with kept contacts has the same bits as
 * the result of a new search.
 *
 * Two configurations are the same if they have the same 64-bit key. The key is computed from every number of every shape, and
 * from the keys of the curves or from points and tangents of the curves.
 *
 * Let W be the displacements of the shapes in the search, and w their displacements in a later query. The search covers the query
 * if the displacements w are near f W, for one factor f in [0, 1] common to all shapes. For every point of a centreline piece,
 * twice the difference between the displacement w and f times the displacement W must be at most SLACK times the margin of the
 * piece. For every point of a solid, the displacement w may differ from f times the displacement W by at most a tenth of the
 * smallest margin. In a covered query, the relative displacement |w_a - w_b| of two shapes exceeds their relative displacement
 * |W_a - W_b| in the search by at most the slack of both. The search found contacts up to a distance that is larger, by the slack
 * of both shapes, than the displacements W require (space_motion.h). A velocity or rotation common to all shapes needs no slack,
 * because the displacements W of the search contain it. The factor f is 1 or the best fit of w by f W, so that the search of a
 * step also covers the same step at half its length.
 *
 * If a search does not cover all shapes of a query, it still covers most pairs of shapes. For two centreline pieces, let d(w) be
 * the largest difference between the displacements w of a point of one piece and a point of the other, uncertainties included.
 * Let D(W) be the least difference between the displacements W of the search at any two points of both pieces, and m the sum of
 * both margins. A pair of centreline pieces is covered if both pieces are covered with f = 1, or if d(w) <= max(COME_NEAR m, D(W)
 * + SLACK m). If the condition on d(w) holds, a contact that the displacements w require has a gap below COME_NEAR m + d(w),
 * where m is the sum of both margins. The gap of such a contact is at most the distance m + beyond up to which the search found
 * all contacts. The condition on the relative displacement d(w) holds for most pairs that move together, however long the step
 * is. At the end of a step, the displacements w are only the changes caused by contacts, and the condition on d(w) holds for most
 * pairs too. Pairs that are not covered are searched again. */
#ifndef CST_COLLIDE_KEPT_TOUCHES_H
#define CST_COLLIDE_KEPT_TOUCHES_H

#include "base/arena.h"
#include "collide/touch_merge_space.h"

struct cst_space_scene;

/* A pair of segments whose contacts were searched. */
typedef struct cst_kept_job {
    cst_stretch at[2]; /* the two segments of the job; jobs are sorted by centreline piece and by rank in the piece */
    int32_t rank[2];   /* rank of each segment in its centreline piece */
    int32_t first;     /* of its touches */
    uint8_t count;
    /* true if other covered displacements may give another level of search effort; in that case the job is searched again */
    bool uneven;
    int16_t level;
    double beyond; /* m: search distance beyond the margins */
} cst_kept_job;

typedef struct cst_kept_touches {
    cst_arena arena;
    bool there;
    uint64_t key;
    int64_t used;             /* number of the detector's call that last used these contacts */
    cst_piece_way *way;       /* (pieces) displacements of the search; NULL: no shape moved */
    cst_solid_way *solid_way; /* (solids) */
    cst_joint *joint;         /* (pieces) */
    int touches, touch_room;
    cst_touch_space *touch; /* in the order of `job` */
    int jobs, job_room;
    cst_kept_job *job; /* increasing */
} cst_kept_touches;

/* Returns true if the contacts of a scene can be kept and found again by the key of the scene. The contacts of a scene that has
 * edges of solids among its centreline pieces cannot be kept, because they also need the placed pieces, which the key does not
 * include. */
bool cst_space_keepable(const struct cst_space_scene *scene);

/* Returns the key of a configuration, which is the same for any number of threads. */
uint64_t cst_space_key(const struct cst_space_scene *scene, int threads);

/* Returns true if the displacements of the search that filled `kept` cover the displacements of `scene`. */
bool cst_kept_covers(const cst_kept_touches *kept, const struct cst_space_scene *scene, int threads);

/* Returns true if the displacements of the shapes a and b are covered. The shape a is a centreline piece; b is a piece, or a
 * solid, whose index is the number of pieces plus its own index. Both `scene` and `kept` must have displacements. */
bool cst_kept_covers_pair(const cst_kept_touches *kept, const struct cst_space_scene *scene, int32_t a, int32_t b);

/* Empties the kept contacts, reserves memory for the joints and displacements of the scene's search, and copies the
 * displacements. Returns false if memory ran out. */
bool cst_kept_begin(cst_kept_touches *kept, const struct cst_space_scene *scene);

/* Reserve or add entries. Return false if memory ran out. */
bool cst_kept_reserve_touches(cst_kept_touches *kept, size_t more);
bool cst_kept_add_job(cst_kept_touches *kept, const cst_kept_job *job);

#endif
