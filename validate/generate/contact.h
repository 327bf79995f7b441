/* Single contacts, u = W r + b in 2D and 3D, to try the local solvers on: random ones, and every degenerate case we know of. */
#ifndef CST_GENERATE_CONTACT_H
#define CST_GENERATE_CONTACT_H

#include <stdbool.h>

#include "base/rng.h"

typedef enum cst_contact_family {
    CST_CONTACT_GRAM = 0,      /* W = H H^T, H random with 4 to 8 columns */
    CST_CONTACT_CONDITION_1E1, /* W with random eigenvectors, eigenvalues log-uniform over this condition number */
    CST_CONTACT_CONDITION_1E4,
    CST_CONTACT_CONDITION_1E8,
    CST_CONTACT_CONDITION_1E12,
    CST_CONTACT_KNOWN_SLIDE,         /* condition to 1e12, b computed from a sliding answer */
    CST_CONTACT_KNOWN_STICK,         /* the same from a sticking answer */
    CST_CONTACT_ON_CONE,             /* the same from a sticking answer on the surface of the cone */
    CST_CONTACT_GRAZING,             /* b_N in [-1e-6, -1e-16] */
    CST_CONTACT_DIAGONAL,            /* no coupling of normal and tangent, or of the tangents */
    CST_CONTACT_ISOTROPIC,           /* the same with equal tangents */
    CST_CONTACT_ALIGNED,             /* b_T along an eigenvector of Wbar, or b parallel to the normal column of W */
    CST_CONTACT_ROUGH,               /* mu from 10 to 1000 */
    CST_CONTACT_SLIPPERY,            /* mu from 1e-8 to 0.01 */
    CST_CONTACT_SKEW,                /* W not symmetric */
    CST_CONTACT_SINGULAR,            /* W = H H^T with fewer columns than dim: there may be no answer */
    CST_CONTACT_SINGULAR_CONSISTENT, /* the same with b computed from a sticking answer */
    CST_CONTACT_SINGULAR_WHOLE,      /* W and b of small integers, W singular exactly */
    CST_CONTACT_FAMILY_COUNT
} cst_contact_family;

typedef struct cst_contact_sample {
    int dim;
    double W[9]; /* dim x dim */
    double b[3];
    double mu;
    bool definite; /* W is positive definite: an answer exists */
    bool known;    /* r is an answer, up to the rounding of b */
    double r[3];
} cst_contact_sample;

const char *cst_contact_family_name(cst_contact_family family);

/* b_N < 0 always, except with known answers: there it is what it comes to. */
void cst_generate_contact(cst_contact_family family, int dim, cst_rng *rng, cst_contact_sample *out);

#endif
