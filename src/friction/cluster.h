/* Clusters: small sets of strongly coupled contacts that a Gauss-Seidel sweep solves jointly.
 *
 * If two contacts clamp one fiber, Gauss-Seidel sweeps that solve one contact after the other converge slowly (docs/solvers.md).
 * Symbols:
 *     `A_ij`: block of the scaled Delassus matrix.
 *     `eta`: proximal weight of the sweeps.
 *     `f`: Alart-Curnier function.
 *     `f_x`, `f_y`: its derivatives.
 *     `S_i`: impulse response of contact i.
 *
 * The strength of the coupling of two contacts is the factor by which one sweep over these two contacts multiplies the error of
 * their impulses. For small errors and after many sweeps, the strength of the coupling of the contacts i and j is a spectral
 * radius:
 *
 *     `strength = radius(S_i*A_ij*S_j*A_ji)`.
 *     `S_i = (f_x+f_y*(A_ii+eta*I))^-1*f_y`.
 *
 * Contacts are joined to clusters in the order of decreasing coupling strength. The contacts of one cluster are solved together,
 * while the impulses of all contacts outside the cluster are fixed:
 *
 *     `f(x,y) = 0` at each contact.
 *     `y = G*x+c+epsilon*(x-x_0)`.
 *
 * Symbols:
 *     `x`, `y`: impulses, velocities.
 *     `x_0`: impulses before the solve.
 *     `G`: matrix of the blocks `A_ij` of the contacts of the cluster.
 *     `c`: velocities that the contacts of the cluster would have if all their impulses were zero.
 *     `epsilon`: proximal weight.
 *
 * Newton's method solves the equations of a cluster. The first Newton step on a cluster reuses the inverse of Newton's matrix
 * from an earlier sweep, if there is one. If Newton's method fails for a cluster, the contacts of the cluster are solved one
 * after the other. Clusters do not change the solution of the friction problem. */
#ifndef CST_FRICTION_CLUSTER_H
#define CST_FRICTION_CLUSTER_H

#include "friction/local_choice.h"
#include "friction/system.h"

enum { CST_CLUSTER_MAX = 8 }; /* contacts */

typedef struct cst_cluster {
    int32_t contacts;
    int32_t contact[CST_CLUSTER_MAX]; /* increasing */
    /* blocks A_ij of the scaled Delassus matrix between the contacts of the cluster, as one column-major matrix G with
     * cst_cluster_stride values per column */
    double *coupling;
    double *inverse; /* inverse of Newton's matrix of the cluster, stored like the matrix G */
    bool has_inverse;
} cst_cluster;

typedef struct cst_clusters {
    int count;
    cst_cluster *cluster; /* array (count): sorted by colour */
    /* number of colours of the clusters; several threads solve the clusters of one colour, which are not coupled. If the contacts
     * of the system are not coloured, there is one colour, and one thread solves all clusters */
    int colours;
    int32_t *colour_start; /* (colours + 1) */
    uint8_t *in;           /* array (contacts): 1 if the contact belongs to a cluster */
} cst_clusters;

/* Finds the clusters of strongly coupled contacts with a large error, for the impulses x and the velocities y of a friction
 * problem in 3D. `proximal`: the weight eta. Returns false if memory ran out. */
bool cst_clusters_find(const cst_system *system, double proximal, const double *x, const double *y, cst_arena *arena,
                       cst_clusters *out);

static inline int cst_cluster_stride(int contacts)
{
    enum { LANES = 4 };
    return (3 * contacts + LANES - 1) / LANES * LANES;
}

/* Solves the contacts of one cluster jointly, updates their impulses x, and calls the function `moved` of cst_coupling after each
 * change of an impulse. `prepared`: data of each contact for the local solver of single contacts, computed in advance with the
 * proximal weight `proximal` (local_choice.h). Returns the largest weighted Alart-Curnier error of the contacts of the cluster
 * before the update. */
double cst_cluster_visit(cst_system *system, cst_cluster *cluster, double proximal, const cst_local_choice *local, void *prepared,
                         double *x, cst_local_count *count);

#endif
