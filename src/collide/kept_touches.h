/* The touches of a configuration, kept for the next query about the same configuration.
 *
 * The end of a step and the start of the next have the same shapes, and so do a retried step and the step before it. All touches
 * that the search found are kept, before the displacements of the step select the required ones; a query with other displacements
 * selects its own. The result has the same bits as the result of a new search.
 *
 * Two configurations are the same if they have the same 64-bit key, computed from every number of every shape and from keys, or
 * points and tangents, of the curves.
 *
 * Displacements w are covered by the displacements W of the search if, for one factor f in [0, 1] common to all shapes, no point
 * of a piece deviates from f W by more than SLACK of its margin, and no point of a solid by more than a tenth of the smallest
 * margin. If the displacements are covered, |w_a - w_b| <= |W_a - W_b| + the slack of both, and the search reached farther than W
 * requires by this slack (space_motion.h). A common velocity or rotation of all shapes is contained in the displacements W. The
 * factor f is 1 or the best fit, so that a halved step is covered.
 *
 * If not all shapes are covered, most pairs of shapes still are. Let d(w) be the largest difference between the displacements of
 * two pieces at any of their points, including their spreads and the variation along each piece. Let D(W) be the least difference
 * between the displacements of the search, including the spreads, and m the sum of both margins. A pair is covered if both pieces
 * are, or if
 *
 *     d(w) <= max(COME_NEAR m, D(W) + SLACK m),
 *
 * because then a touch that w requires has a gap below COME_NEAR m + d(w) <= m + beyond. The inequality for d(w) holds for most
 * pairs that move together, however long the step is, and at the end of a step, where w is only the change by contacts. The other
 * pairs are searched. */
#ifndef CST_COLLIDE_KEPT_TOUCHES_H
#define CST_COLLIDE_KEPT_TOUCHES_H

#include "base/arena.h"
#include "collide/touch_merge_space.h"

struct cst_space_scene;

/* A pair of segments that was searched. */
typedef struct cst_kept_job {
    cst_stretch at[2]; /* the two segments of the job; jobs are sorted by piece and rank */
    int32_t rank[2];   /* rank of each segment in its piece */
    int32_t first;     /* of its touches */
    uint8_t count;
    bool uneven; /* other covered displacements may give another level of effort: then the job is searched again */
    int16_t level;
    double beyond; /* m: search distance beyond the margins */
} cst_kept_job;

typedef struct cst_kept_touches {
    cst_arena arena;
    bool there;
    uint64_t key;
    int64_t used;             /* number of the detector's call that last used these touches */
    cst_piece_way *way;       /* (pieces) displacements of the search; NULL: nothing moved */
    cst_solid_way *solid_way; /* (solids) */
    cst_joint *joint;         /* (pieces) */
    int touches, touch_room;
    cst_touch_space *touch; /* touches in the order of the jobs */
    int jobs, job_room;
    cst_kept_job *job; /* increasing */
} cst_kept_touches;

/* Returns true if the touches of a scene can be kept and found again by the key of the scene. The touches of a scene that has
 * edges of solids among its pieces cannot be kept, because they need the placed pieces, which the key does not include. */
bool cst_space_keepable(const struct cst_space_scene *scene);

/* Returns the key of a configuration, which is the same for any number of threads. */
uint64_t cst_space_key(const struct cst_space_scene *scene, int threads);

/* Returns true if the displacements of the search that filled `kept` cover the displacements of `scene`. */
bool cst_kept_covers(const cst_kept_touches *kept, const struct cst_space_scene *scene, int threads);

/* Returns true if the displacements of the pair a, b are covered (a: a piece; b: a piece, or a solid with an index from the
 * number of pieces on). Both `scene` and `kept` must have displacements. */
bool cst_kept_covers_pair(const cst_kept_touches *kept, const struct cst_space_scene *scene, int32_t a, int32_t b);

/* Empties the kept touches, reserves memory for the joints and displacements of the scene's search, and copies the displacements.
 * Returns false if memory ran out. */
bool cst_kept_begin(cst_kept_touches *kept, const struct cst_space_scene *scene);

/* Reserve or add entries. Return false if memory ran out. */
bool cst_kept_reserve_touches(cst_kept_touches *kept, size_t more);
bool cst_kept_add_job(cst_kept_touches *kept, const cst_kept_job *job);

#endif
