/* Space occupied by hair: the segments of the centrelines of laid hairs, in a spatial hash.
 *
 * A segment is stored in the hash cell that contains its middle. The segments of a cell are stored in blocks of eight, which are
 * tested in parallel. A cheap test excludes pairs of segments that are farther apart than a limit D. Symbols:
 *     `d`: vector between the middles of the two segments.
 *     `h`: half length of the first segment.
 *     `q`: vector from the middle to the end of the second segment.
 *     `_t`: component along the first segment.
 *     `_n`: component across the first segment.
 *
 * The distance of two segments exceeds the limit D if one of two conditions holds:
 *     `(1) |d_n| > D+|q_n|`.
 *     `(2) |d_t| > D+h+|q_t|`.
 *
 * Neighbouring hairs are nearly parallel, so the cheap test excludes most pairs of segments. The nearest points of two segments
 * are computed only for the remaining pairs. Segments are stored in single precision: one metre from the origin, a position has
 * an error of 6e-8 m.
 *
 * Each groom (hairs that are laid together and have one radius) has its own struct of occupied space, with its own cell size.
 * These structs form a linked list. A search for hair near a segment goes through the occupied spaces of the current and of all
 * earlier grooms, so that new hair also avoids the hair of earlier grooms. */
#ifndef CST_GROOM_TAKEN_H
#define CST_GROOM_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct cst_taken cst_taken;

/* Creates an empty occupied space. Returns NULL if memory ran out.
 *     `pieces`: approximate number of segments.
 *     `half`: upper bound of half the length of a segment (m).
 *     `near`: approximate search distance (m).
 *     `radius`: radius of all hairs (m).
 *     `earlier`: space occupied by the hair of earlier grooms, or NULL; it must outlive the new struct. */
cst_taken *cst_taken_new(size_t pieces, double half, double near, double radius, const cst_taken *earlier, cst_arena *arena);

/* Adds the segment from a to b; returns false if memory ran out. With `owner` = -1, the segment belongs to a laid hair. With
 * `owner` >= 0, the segment is a placeholder that keeps other hairs away from the root of hair number `owner`, which is not
 * laid yet. */
bool cst_taken_add(cst_taken *taken, const double a[3], const double b[3], int32_t owner);

/* The function cst_taken_reserve must be called before the first placeholder is added; `hairs` is the number of hairs that may
 * have placeholders. The function cst_taken_release removes the placeholders of one hair. */
bool cst_taken_reserve(cst_taken *taken, int hairs);
void cst_taken_release(cst_taken *taken, int hair);

/* Computes the gap and the vector of cst_taken_room for each segment of a polyline. One search for several consecutive segments
 * is several times faster than one search for each segment.
 *     `point`: (pieces + 1) points.
 *     `room`: receives the gaps (m).
 *     `away`: receives `pieces` vectors (m). */
void cst_taken_rooms(const cst_taken *taken, int hair, double radius, const double *point, int pieces, double limit, double *room,
                     double *away);

/* Returns the least gap (m) between the segment from a to b and the occupied space, or `limit` if no gap is smaller. The gap
 * is the distance of the centrelines minus the radii of both hairs. If the gap is smaller than `limit`, `away` receives the
 * vector (m) from the nearest point of the occupied space to the segment. Placeholders of hair `hair` are ignored. */
double cst_taken_room(const cst_taken *taken, int hair, double radius, const double a[3], const double b[3], double limit,
                      double away[3]);

#endif
