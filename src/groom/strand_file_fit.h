/* Fits a super-helix to a polyline of a file. The joints of the super-helix are equally spaced in arc length along the polyline.
 * The tangent at a joint is the mean direction of the polyline over half an element on either side of the joint. The tangent at
 * an end of the strand is that of the circular arc that touches the tangent at the neighbouring joint and passes through the end.
 * The function cst_strand_fit fits the strand to the joints and tangents taken from the polyline. The strand is as long as the
 * polyline. */
#ifndef CST_GROOM_STRAND_FILE_FIT_H
#define CST_GROOM_STRAND_FILE_FIT_H

#include "groom/strand.h"
#include "groom/strand_file.h"

/* Transformation of a point p of the file to its position in the world, x = position + scale R p, where R is a rotation
 * matrix. */
typedef struct cst_strand_placing {
    double position[3], R[9], scale;
} cst_strand_placing;

/* Fits a super-helix with `elements` elements to strand `number` of the file. The caller provides the array out->curvature. If
 * `widths` is true, the strand's radius is its mean radius in the file. *error: largest distance (m) of a joint of the
 * super-helix from its position on the polyline. Returns false if memory ran out, or if the length of the strand is 0, in which
 * case *error is NAN. */
bool cst_strand_of_file(const cst_strand_file *file, int number, int elements, const cst_strand_placing *placing, bool widths,
                        cst_arena *scratch, cst_strand *out, double *error);

#endif
