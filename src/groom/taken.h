/* Space occupied by hair: straight segments of the centrelines of laid hairs, in a spatial hash.
 *
 * A segment is stored in the hash cell that contains its middle. The segments of a cell are stored in blocks of eight, which are
 * tested in parallel. A cheap test excludes pairs of segments whose distance exceeds a limit D. Let d be the vector between the
 * middles of two segments, let h be half the length of the first segment, and let q be half the vector from start to end of the
 * second segment. The index t denotes the component of a vector along the first segment, and the index n the component
 * perpendicular to the first segment. The distance of two segments exceeds the limit D if one of the following two conditions
 * holds:
 *
 *     (1) |d_n| > D+|q_n|.      (2) |d_t| > D+h+|q_t|.
 *
 * Hairs are nearly parallel to their neighbours, so conditions (1) and (2) exclude most pairs of segments as too far apart; the
 * nearest points of two segments are computed only for the remaining pairs. Segments are stored in single precision: one metre
 * from the origin, a position has an error of 6e-8 m.
 *
 * Several occupied spaces, each with its own segment length and hair radius, can form a list. A search for near hair covers all
 * spaces of its list, so that new hair also avoids the hair of earlier grooms (other calls). */
#ifndef CST_GROOM_TAKEN_H
#define CST_GROOM_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct cst_taken cst_taken;

/* `pieces`: approximate number of segments. `half`: largest half length of a segment, m. `near`: approximate search
 * distance, m. `radius`: hair radius of all segments, m. `earlier`: the space occupied by hair laid before, or NULL; it must
 * outlive the new space. Returns NULL if memory ran out. */
cst_taken *cst_taken_new(size_t pieces, double half, double near, double radius, const cst_taken *earlier, cst_arena *arena);

/* Adds a straight segment from a to b. With `owner` = -1 the segment belongs to a laid hair and is permanent. With `owner`
 * >= 0 the segment is a placeholder above the root of hair number `owner`, which is not laid yet; the placeholder keeps
 * other hairs away from this root. Returns false if memory ran out. */
bool cst_taken_add(cst_taken *taken, const double a[3], const double b[3], int32_t owner);

/* The function cst_taken_reserve allows placeholder segments above the roots of the first `hairs` hairs. The function
 * cst_taken_release removes the placeholder segment above the root of one hair. */
bool cst_taken_reserve(cst_taken *taken, int hairs);
void cst_taken_release(cst_taken *taken, int hair);

/* Computes the least gap between each segment of a polyline and the hair laid so far, as cst_taken_room does for one segment.
 * `point`: coordinates of the (pieces + 1) points of the polyline. `away`: (pieces x 3) vectors. A search for several consecutive
 * segments together is several times faster than a search for each segment. */
void cst_taken_rooms(const cst_taken *taken, int hair, double radius, const double *point, int pieces, double limit, double *room,
                     double *away);

/* Returns the least gap (m) between the segment from a to b and the occupied space. The gap is the distance of the centrelines
 * minus both radii; it is `limit` if no occupied space is nearer than `limit`. The placeholder segment above the root of hair
 * number `hair` is ignored. If the gap is less than `limit`, the vector (m) from the nearest point of the occupied space to the
 * segment is written to `away`. */
double cst_taken_room(const cst_taken *taken, int hair, double radius, const double a[3], const double b[3], double limit,
                      double away[3]);

#endif
