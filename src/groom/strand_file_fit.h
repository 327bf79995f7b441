/* A polyline of a file as a super-helix: joints at equal lengths along it, tangents there from the mean of what is within half an element, at the
 * ends from arcs, then fitted
 * (cst_strand_fit). As long as the polyline. */
#ifndef CST_GROOM_STRAND_FILE_FIT_H
#define CST_GROOM_STRAND_FILE_FIT_H

#include "groom/strand.h"
#include "groom/strand_file.h"

/* How a place of the file becomes one of the world: x = position + scale R p. */
typedef struct cst_strand_placing {
    double position[3], R[9], scale;
} cst_strand_placing;

/* Strand `number` of the file, with `elements`; its array of curvatures is given. Its radius is the mean of those in the file if `widths`.
 * *error: m, how far its joints are from the polyline's at most. False: out of memory, or its length is 0 (*error NAN). */
bool cst_strand_of_file(const cst_strand_file *file, int number, int elements, const cst_strand_placing *placing, bool widths,
                        cst_arena *scratch, cst_strand *out, double *error);

#endif
