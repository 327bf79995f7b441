/* Families of one-step friction problems, each deterministic from a seed: the same seed gives the same bits.
 *
 * A generated problem is in body form, A v = rhs + H^T r, u = H v + u_f (capstan/friction.h); the explicit W follows from
 * cst_friction_assemble. Solvable by construction, in one of two ways:
 *   known     (r, u) is drawn in the law first and rhs, u_f computed from it, so that r is a solution;
 *   feasible  some v puts every u_i in the interior of the dual cone, u_N > mu |u_T|, which is enough for a solution to exist
 *             (Acary, Cadoux, Lemarechal and Malick 2011).
 *
 * nu = dim * contacts / dofs says how constrained a problem is: W is singular beyond 1. */
#ifndef CST_GENERATE_FAMILY_H
#define CST_GENERATE_FAMILY_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Start from cst_family_parameters_default(), in which every field means "the family's usual". A value that a family cannot
 * have is taken to the nearest that it can; a field that it does not know is ignored. */
typedef struct cst_family_parameters {
    int contacts;      /* 0: usual. Strands: about */
    int bodies;        /* 0: as many as contacts and nu ask for */
    double mu;         /* < 0: usual */
    double nu;         /* 0: usual */
    double mass_ratio; /* 0: usual; heaviest over lightest, >= 1 */
    double push;       /* < 0: usual. Boxes: sideways velocity that a force gives the top box in the step,
                          m/s. Planar: sideways gravity, a share of the downward one */
    double bilateral;  /* < 0: usual; share of bilateral contacts */
    int nodes;         /* 0: usual. Strands: free control points of a strand. Sheets: nodes of the sheet */
    double stretch;    /* 0: usual. Strands: stretch stiffness, N */
    double slack;      /* < 0: usual. Strands: clearance added to every gap, m */
} cst_family_parameters;

cst_family_parameters cst_family_parameters_default(void);

typedef struct cst_generated {
    cst_body_problem problem; /* everything it points to is owned here */
    double *known_r;          /* (contacts x dim) a solution by construction, or NULL */
    double *known_u;          /* (contacts x dim) its relative velocities, or NULL */
    double *known_v;          /* (dofs) its body velocities in body order, or NULL */
    double known_error;       /* largest distance of (known_r, known_u) from the law, in its own scales: at most 1e-12 */
    double *frame;            /* (contacts x dim x dim) rows normal, tangents in world axes */
    double nu;                /* dim * contacts / dofs */
    int dofs;                 /* over all bodies */
    uint64_t seed;
    char name[64]; /* family, sizes and seed */
    cst_arena arena;
} cst_generated;

typedef struct cst_family_def {
    const char *name;
    const char *what; /* one line */
    /* Free with cst_generated_free. parameters NULL: usual; allocator NULL: malloc. NULL if memory ran out. */
    cst_generated *(*make)(uint64_t seed, const cst_family_parameters *parameters, const cst_allocator *allocator);
} cst_family_def;

extern const cst_family_def cst_families[];
extern const int cst_family_count;

/* NULL if there is no family of that name. */
const cst_family_def *cst_family_find(const char *name);

void cst_generated_free(cst_generated *generated);

#endif
