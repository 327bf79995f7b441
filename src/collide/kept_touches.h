/* The touches of a configuration, kept for the next question about the same one.
 *
 * The end of a step and the start of the next see the same shapes, and so do a step that is begun again and the one before it. What
 * is kept is all that the search found, before the ways of the step decide what is wanted: of them the question with other ways takes its
 * own. The answer has the bits that a search of its own would give, so nobody but the clock can tell whether there was one.
 *
 * Same configuration: a key of 64 bits, mixed from every number of every shape and from keys, or points and tangents, of the curves.
 *
 * Ways w are covered by the ways W of the search if, for one factor f in [0, 1] of all shapes, no point of a piece goes elsewhere than
 * f W says by more than SLACK of its margin, nor one of a solid by more than a tenth of the smallest margin. Then |w_a - w_b| <=
 * |W_a - W_b| + the slack of both, which the search reached beyond what W asks for (space_motion.h). A velocity or a turn of the whole
 * is in W. f is 1, or what fits best: a step that was halved is covered.
 *
 * Where all are not covered, most pairs of shapes are. With d(w) the largest difference between the ways of two pieces, anywhere on them, their
 * spreads and how far the ways of each differ along it included, D(W) the least one, their spreads included, and m the margins of both, a pair
 * is covered if both are, or if
 *
 *     d(w) <= max(COME_NEAR m, D(W) + SLACK m),
 *
 * because a touch that w wants has then a gap below COME_NEAR m + d(w) <= m + beyond. That is so for most that go along with each other, however
 * far the step leads, and at the end of a step, where w is only what contacts changed. The other pairs are searched for. */
#ifndef CST_COLLIDE_KEPT_TOUCHES_H
#define CST_COLLIDE_KEPT_TOUCHES_H

#include "base/arena.h"
#include "collide/touch_merge_space.h"

struct cst_space_scene;

/* A pair of segments that was searched. */
typedef struct cst_kept_job {
    cst_stretch at[2]; /* its segments, increasing by piece and */
    int32_t rank[2];   /* rank in the piece */
    int32_t first;     /* of its touches */
    uint8_t count;
    bool uneven; /* other ways that are covered may give it another level of effort: then it is searched again */
    int16_t level;
    double beyond; /* m: how far touches were sought beyond the margins */
} cst_kept_job;

typedef struct cst_kept_touches {
    cst_arena arena;
    bool there;
    uint64_t key;
    int64_t used;             /* when, by the detector's count */
    cst_piece_way *way;       /* (pieces) of the search; NULL: nothing moved */
    cst_solid_way *solid_way; /* (solids) */
    cst_joint *joint;         /* (pieces) */
    int touches, touch_room;
    cst_touch_space *touch; /* in the order of jobs */
    int jobs, job_room;
    cst_kept_job *job; /* increasing */
} cst_kept_touches;

/* May the touches of a scene be kept, to be found again by the key of the scene? Not if edges of solids are among its pieces: their touches need the
 * placed pieces, which the key does not hold. */
bool cst_space_keepable(const struct cst_space_scene *scene);

/* The same for any number of threads. */
uint64_t cst_space_key(const struct cst_space_scene *scene, int threads);

/* The ways of `scene` are covered. */
bool cst_kept_covers(const cst_kept_touches *kept, const struct cst_space_scene *scene, int threads);

/* The ways of the pieces a and b (a piece or, from the number of pieces on, a solid) are covered; scene and kept have ways. */
bool cst_kept_covers_pair(const cst_kept_touches *kept, const struct cst_space_scene *scene, int32_t a, int32_t b);

/* Emptied, with room for the joints and ways of the scene's search, and these ways copied. False: memory ran out. */
bool cst_kept_begin(cst_kept_touches *kept, const struct cst_space_scene *scene);

/* Room for more; false: memory ran out. */
bool cst_kept_reserve_touches(cst_kept_touches *kept, size_t more);
bool cst_kept_add_job(cst_kept_touches *kept, const cst_kept_job *job);

#endif
