/* A cluster is a small set of contacts that act on the same motion of a body; a Gauss-Seidel sweep solves these contacts jointly.
 *
 * Two contacts i and j that hold one fiber between them act on the same motion of the fiber. Gauss-Seidel sweeps over single
 * contacts reduce the error of the impulses only slowly if two contacts hold one fiber between them (docs/solvers.md). Let A_ij
 * be the blocks of the scaled Delassus matrix, and eta the proximal weight of the sweeps. Let f be the Alart-Curnier function
 * of a contact, with its derivatives f_x by the impulse and f_y by the velocity. The strength of the coupling of two contacts i
 * and j is the factor by which a Gauss-Seidel sweep over these two contacts alone multiplies the error of their impulses (to
 * first order, after many sweeps). This factor is the spectral radius of a product:
 *
 *     `strength = radius(S_i*A_ij*S_j*A_ji)`.
 *     `S_i = (f_x+f_y*(A_ii+eta*I))^-1*f_y` (at contact i).
 *
 * Contacts with a strong coupling are joined to sets (clusters) that are solved jointly, the strongest couplings first. The
 * impulses x of jointly solved contacts (a cluster) solve the friction problem of these contacts, with the impulses of all other
 * contacts fixed. Let G consist of the blocks A_ij of the scaled Delassus matrix for the contacts i and j of one cluster. Let c
 * be the velocities that the contacts of the cluster would have if their own impulses were zero. Let x_0 be the impulses of the
 * cluster before the joint solution, and epsilon a proximal weight. The friction problem of the cluster is:
 *
 *     `f(x,y) = 0` at each contact.
 *     `y = G*x+c+epsilon*(x-x_0)`.
 *
 * Newton's method solves the joint friction problem of the contacts of a cluster. The inverse of Newton's matrix is reused in the
 * next sweeps over the contacts, because this matrix changes little from sweep to sweep. If Newton's method fails, the contacts
 * of this cluster (contacts solved jointly) are solved one after the other. At a solution of the whole friction problem, solving
 * some contacts jointly (a cluster) changes no impulse, so clusters do not change the solution. */
#ifndef CST_FRICTION_CLUSTER_H
#define CST_FRICTION_CLUSTER_H

#include "friction/local_choice.h"
#include "friction/system.h"

enum { CST_CLUSTER_MAX = 8 }; /* contacts */

typedef struct cst_cluster {
    int32_t contacts;
    int32_t contact[CST_CLUSTER_MAX]; /* increasing */
    /* matrix G (blocks of the scaled Delassus matrix) of the cluster, column-major; cst_cluster_stride values per column */
    double *coupling;
    double *inverse; /* inverse of the matrix of Newton's method, column-major, with padded columns */
    bool has_inverse;
} cst_cluster;

typedef struct cst_clusters {
    int count;
    cst_cluster *cluster; /* array (count): sorted by colour */
    /* number of colours: 1 if one thread sweeps; otherwise, clusters of the same colour are not coupled with each other */
    int colours;
    int32_t *colour_start; /* (colours + 1) */
    uint8_t *in;           /* array (n): 1 if the contact is solved jointly with others (in a cluster) */
} cst_clusters;

/* Finds the sets of strongly coupled contacts (clusters) with a large error, for the impulses x and the velocities y = A x + b of
 * a system in 3D. `proximal`: eta. Returns false if memory ran out. */
bool cst_clusters_find(const cst_system *system, double proximal, const double *x, const double *y, cst_arena *arena,
                       cst_clusters *out);

static inline int cst_cluster_stride(int contacts)
{
    enum { LANES = 4 };
    return (3 * contacts + LANES - 1) / LANES * LANES;
}

/* Solves the contacts of one cluster jointly, updates their impulses x, and reports each change of an impulse to the coupling
 * (function `moved` of cst_coupling). `prepared`: precomputed data of the solver for single contacts, for the proximal weight
 * `proximal` (local_choice.h). Returns the largest weighted Alart-Curnier error of the jointly solved contacts before their
 * impulses are updated. */
double cst_cluster_visit(cst_system *system, cst_cluster *cluster, double proximal, const cst_local_choice *local, void *prepared,
                         double *x, cst_local_count *count);

#endif
