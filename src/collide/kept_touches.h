/* Stores the contacts that a search found, so that a later search with the same shapes at the same positions can use them.
 *
 * A search at the start of a step has the same shapes as the search at the end of the previous step. If a step is rejected and
 * repeated, the search at the start of the repeated step has the same shapes again. The result of a search is the same, bit by
 * bit, whether it uses stored contacts or not. The shapes of two searches count as the same if the 64-bit hash keys of their
 * positions, sizes and margins are equal.
 *
 * The stored contacts of all shapes are valid if the displacement of each shape in the later search is nearly f times its
 * displacement in the first search, with the same factor f for all shapes. Symbols:
 *     `w`: displacement in the later search.
 *     `W`: displacement in the first search.
 *     `f`: factor common to all shapes.
 *     `u`, `U`: uncertainties of the displacements in the later search and in the first search (m).
 *     `margin`: contact margin of the piece.
 *     `least_margin`: smallest margin of all pieces.
 *
 * The stored contacts of all shapes are valid if the first inequality holds at both ends of each centreline piece, and the second
 * inequality at all points of each solid:
 *     `2*|w-f*W|+max(0,u-f*U) <= CST_WAY_SLACK*margin`.
 *     `|w-f*W|+max(0,u-f*U) <= CST_SOLID_SLACK*least_margin`.
 *
 * The search distance of the first search (space_motion.h) is large enough for every displacement in the later search that
 * satisfies the inequality for its kind of shape (centreline piece or solid). The factor f is 1, or it is fitted to the
 * displacements by least squares, with f from 0 to 1. For example, if a step is repeated with half its length, the fit gives the
 * factor f = 1/2 for the displacements.
 *
 * If one shape does not satisfy its inequality, the stored contacts of most pairs of shapes are still valid. The code then tests
 * the stored contacts of each pair of shapes separately: they are valid if both shapes satisfy their inequalities with the factor
 * f = 1. For a centreline piece and a solid, the second inequality is tested with the margin of this piece instead of
 * least_margin. For two centreline pieces, or a piece and a solid that does not rotate, the stored contacts are also valid if the
 * following inequality holds:
 *     `d <= max(CST_COME_NEAR*m, D+CST_WAY_SLACK*m)`.
 *     `d`: upper bound for the relative displacement of two points of the two shapes in the later search, plus the uncertainties
 *         of both displacements (m).
 *     `D`: lower bound for the relative displacement of two points of the two shapes in the first search, plus the uncertainties
 *         of both displacements (m).
 *     `m`: sum of the two margins (m).
 *
 * Most pairs of centreline pieces move together, so their relative displacement is small, however long the step is. A search at
 * the end of a step assumes only small displacements: the differences between the displacements that the step would have had
 * without contact forces and the actual displacements. Pairs of shapes whose stored contacts are not valid are searched again. */
#ifndef CST_COLLIDE_KEPT_TOUCHES_H
#define CST_COLLIDE_KEPT_TOUCHES_H

#include "base/arena.h"
#include "collide/touch_merge_space.h"

struct cst_space_scene;

/* A pair of segments that was searched for contacts. Small types are used, because up to three searches are stored, each with
 * hundreds of pairs of segments for each hair (scenes/hair/head_100k.json). */
typedef struct cst_kept_job {
    int32_t b;        /* centreline piece of the second segment */
    uint16_t rank[2]; /* number of segments of the piece before the first and before the second segment */
    int32_t first;    /* index of its first contact */
    float beyond;     /* search distance beyond the margins (m) */
    uint8_t count;    /* number of contacts */
    /* true if a search with other displacements may need another number of start points of Newton's method (another `level`) for
     * this pair of segments. A later search that needs another number of start points searches the pair again, even if its stored
     * contacts are valid. */
    bool uneven;
    int16_t level;
} cst_kept_job;

typedef struct cst_kept_touches {
    cst_arena arena;
    bool there;
    uint64_t key;
    int64_t used;             /* number of the last call of cst_detect_space that used the stored contacts */
    cst_piece_way *way;       /* array (pieces); NULL: no shape moved */
    cst_solid_way *solid_way; /* array (solids) */
    cst_joint *joint;         /* array (pieces) */
    int touches, touch_room;
    cst_touch_space *touch; /* in the order of `job` */
    int jobs;
    cst_kept_job *job;  /* sorted by piece, then by rank */
    int32_t *row;       /* array (pieces + 1): first pair of segments of each centreline piece */
    uint16_t *segments; /* array (pieces): number of segments of each centreline piece that was searched */
} cst_kept_touches;

/* Returns true if the contacts of a scene can be stored. Contacts of edges of solids cannot be stored, because merging them
 * (edge_touches.h) needs the positions of the edges, which are not stored. */
bool cst_space_keepable(const struct cst_space_scene *scene);

/* Returns the hash key of all shapes of a scene, which is the same for any number of threads. */
uint64_t cst_space_key(const struct cst_space_scene *scene, int threads);

/* Returns true if the stored contacts of all shapes are valid for the displacements of `scene`. */
bool cst_kept_covers(const cst_kept_touches *kept, const struct cst_space_scene *scene, int threads);

/* Returns true if the stored contacts of the shapes a and b are valid for the displacements of `scene`. The index b of a solid is
 * the number of all centreline pieces plus the index of the solid. Both `scene` and `kept` must contain displacements of
 * shapes. */
bool cst_kept_covers_pair(const cst_kept_touches *kept, const struct cst_space_scene *scene, int32_t a, int32_t b);

/* Removes all stored contacts, reserves memory for the shapes of the scene, and stores their displacements. Returns false if
 * memory ran out. */
bool cst_kept_begin(cst_kept_touches *kept, const struct cst_space_scene *scene);

/* Reserves memory for `more` contacts besides those that are stored already. `part`: part of all contact searches, in (0, 1],
 * that has found these contacts; if the array must be enlarged, it gets room for as many contacts as all searches will probably
 * find. Returns false if memory ran out or if there would be more than INT32_MAX / 2 contacts. */
bool cst_kept_reserve_touches(cst_kept_touches *kept, size_t more, double part);

/* Reserves memory for all searched pairs of segments of one search, before the first pair is stored. Returns false if memory ran
 * out or if there are more than INT32_MAX pairs. */
bool cst_kept_reserve_jobs(cst_kept_touches *kept, int64_t jobs);

#endif
