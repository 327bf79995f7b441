/* Fits a super-helix to a polyline of a file. The super-helix is as long as the polyline.
 *
 * The joints of the super-helix are equally spaced in arc length along the polyline. The tangent at an inner joint is the mean
 * direction of the polyline over half an element on either side. At an end of a strand of two or more elements, a circular arc
 * from the neighbouring joint gives the tangent. */
#ifndef CST_GROOM_STRAND_FILE_FIT_H
#define CST_GROOM_STRAND_FILE_FIT_H

#include "groom/strand.h"
#include "groom/strand_file.h"

/* Maps a point p of a file to the world point x = position + scale R p (R: rotation matrix). */
typedef struct cst_strand_placing {
    double position[3], R[9], scale;
} cst_strand_placing;

/* Fits a super-helix to strand `number` of the file. Returns false if memory ran out. If the length of the strand is zero or not
 * finite, also returns false, and sets *error to NAN.
 *     `elements`: number of elements.
 *     `widths`: true: the radius of the super-helix is the mean radius of the strand in the file; false: 0.
 *     `out`: strand; the caller provides out->curvature.
 *     `error`: largest distance (m) of a joint of the super-helix from its point on the polyline. */
bool cst_strand_of_file(const cst_strand_file *file, int number, int elements, const cst_strand_placing *placing, bool widths,
                        cst_arena *scratch, cst_strand *out, double *error);

#endif
