/* Space occupied by hair: the segments of the centrelines of laid hairs, in a spatial hash.
 *
 * A segment is stored in the hash cell that contains its middle. The segments of a cell are stored in blocks of eight, which
 * are tested in parallel. A cheap test excludes pairs of segments whose distance exceeds a limit. Symbols:
 *     `D`: limit of the distance.
 *     `d`: vector between the middles of the two segments.
 *     `h`: half length of the first segment.
 *     `q`: half the vector from start to end of the second segment.
 *     `d_t`, `q_t`: components along the first segment.
 *     `d_n`, `q_n`: components perpendicular to the first segment.
 *
 * The distance of the two segments exceeds D if one of two conditions holds:
 *     `(1) |d_n| > D+|q_n|`.
 *     `(2) |d_t| > D+h+|q_t|`.
 *
 * Neighbouring hairs are nearly parallel, so that the two conditions exclude most pairs. Only for the remaining pairs are the
 * nearest points computed. Segments are stored in single precision: one metre from the origin, a position has an error of 6e-8
 * m.
 *
 * Each groom has its own occupied space, with one segment length and one hair radius. Occupied spaces form a linked list, and
 * a search covers all of them; new hair therefore also avoids the hair of earlier grooms. */
#ifndef CST_GROOM_TAKEN_H
#define CST_GROOM_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct cst_taken cst_taken;

/* Creates an empty occupied space. Returns NULL if memory ran out.
 *     `pieces`: approximate number of segments.
 *     `half`: largest half length of a segment (m).
 *     `near`: approximate search distance (m).
 *     `radius`: radius of all hairs of the occupied space (m).
 *     `earlier`: occupied space of the hair laid before, or NULL; it must outlive the new occupied space. */
cst_taken *cst_taken_new(size_t pieces, double half, double near, double radius, const cst_taken *earlier, cst_arena *arena);

/* Adds the segment from a to b. If `owner` is -1, the segment belongs to a laid hair. Otherwise the segment is a placeholder
 * above the root of hair `owner`, which is not laid yet; the placeholder keeps other hairs away from the root. Returns false
 * if memory ran out. */
bool cst_taken_add(cst_taken *taken, const double a[3], const double b[3], int32_t owner);

/* The function cst_taken_reserve must be called before placeholders are added for the hairs 0 to `hairs` - 1. The function
 * cst_taken_release removes the placeholders of one hair. The function cst_taken_reserve returns false if memory ran out. */
bool cst_taken_reserve(cst_taken *taken, int hairs);
void cst_taken_release(cst_taken *taken, int hair);

/* Does for each segment of a polyline what cst_taken_room does for one segment. One search for several consecutive segments is
 * several times faster than one search for each segment. `point`: the (pieces + 1) points of the polyline. `room`: receives
 * `pieces` gaps. `away`: receives (pieces x 3) components. */
void cst_taken_rooms(const cst_taken *taken, int hair, double radius, const double *point, int pieces, double limit, double *room,
                     double *away);

/* Returns the least gap (m) between the segment from a to b and the occupied space. The gap is the distance of the centrelines
 * minus the radii of both hairs. If no gap is smaller than `limit`, the function returns `limit`. Otherwise `away` receives
 * the vector (m) from the nearest point of the occupied space to the segment. Placeholders of hair `hair` are ignored. */
double cst_taken_room(const cst_taken *taken, int hair, double radius, const double a[3], const double b[3], double limit,
                      double away[3]);

#endif
