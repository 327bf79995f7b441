/* A rod in reduced coordinates: rigid links of unit length, clamped at the root, each turning at its joint by three angles, as the
 * elements of a super-helix do (Bertails et al. 2006). A point moves with all joints below it:
 *
 *     dx/dq_ek = axis_ek x (x - joint_e),     A = sum of masses J^T J + K,
 *
 * K diagonal, the joints' stiffness times dt^2. Points near the root hardly move and some joint motions hardly move anything, so
 * compliances spread widely and couple normal with tangent, as those of hair do. */
#ifndef CST_GENERATE_LINKED_ROD_H
#define CST_GENERATE_LINKED_ROD_H

#include "base/rng.h"

enum { CST_LINKS_MAX = 8 };

typedef struct cst_linked_rod {
    int links;                          /* dofs: 3 links */
    double joint[CST_LINKS_MAX + 1][3]; /* the last one is the tip */
    double axis[CST_LINKS_MAX][3][3];   /* along the link, and two across it */
} cst_linked_rod;

/* Each link turned a little from the one before. */
void cst_linked_rod_draw(cst_rng *rng, int links, cst_linked_rod *rod);

/* A (3 links x 3 links) for links of this mass; it comes zeroed. */
void cst_linked_rod_matrix(const cst_linked_rod *rod, double mass, double bend, double twist, double *matrix);

/* J (3 x 3 (link + 1)) row-major of the point at s in [0, 1] of a link; joints above it have no part in it. */
void cst_linked_rod_jacobian(const cst_linked_rod *rod, int link, double s, double *jacobian);

#endif
