/* Fits a super-helix to a polyline of a file. The super-helix is as long as the polyline.
 *
 * The joints of the super-helix are equally spaced in arc length along the polyline. The tangent at an inner joint is the mean
 * direction of the polyline over half an element on either side. At an end of the strand, a circular arc from the neighbouring
 * joint gives the tangent. */
#ifndef CST_GROOM_STRAND_FILE_FIT_H
#define CST_GROOM_STRAND_FILE_FIT_H

#include "groom/strand.h"
#include "groom/strand_file.h"

/* Maps a point p of the file to the world point x = position + scale R p, where R is a rotation matrix. */
typedef struct cst_strand_placing {
    double position[3], R[9], scale;
} cst_strand_placing;

/* Fits a super-helix with `elements` elements to strand `number` of the file. The caller provides the array out->curvature.
 * `widths`: if true, the radius of the strand is the mean of the radii in the file. `error`: receives the largest distance (m)
 * between a joint of the super-helix and its target on the polyline. Returns false if memory ran out. Returns false with
 * *error = NAN if the strand has no length. */
bool cst_strand_of_file(const cst_strand_file *file, int number, int elements, const cst_strand_placing *placing, bool widths,
                        cst_arena *scratch, cst_strand *out, double *error);

#endif
