#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "friction/cluster.h"
#include "friction/cone.h"

typedef double vec4 __attribute__((vector_size(32), aligned(8)));
enum { LANES = 4, SIZE = 3 * CST_CLUSTER_MAX, STEPS = 8 };
/* Newton's method on a cluster of contacts (cluster.h) ends when the error of the cluster is at most SOLVED times the error
 * before the first step. If the first Newton step on a cluster reuses the inverse matrix of an earlier sweep and reduces the
 * error to at most KEPT_SOLVED times the error before this step, Newton's method also ends. */
static const double SOLVED = 0.03, KEPT_SOLVED = 0.1;
/* FAILED: Newton's method on a cluster has failed if its smallest error is more than FAILED times the error before the first
 * step. */
static const double FAILED = 0.3;
/* WEIGHT: proximal weight epsilon of a cluster of contacts, divided by the proximal weight eta of the sweeps over single
 * contacts. The proximal weight epsilon is added to the diagonal of the Delassus matrix of the cluster. The weight epsilon must
 * be small, because the Delassus matrix of a cluster has a small eigenvalue if its contacts act on the same motion of a body. */
static const double WEIGHT = 0.1;
static const double PIVOT_MIN = 1e-12;

typedef struct visit {
    const cst_system *system;
    cst_cluster *cluster;
    int size, stride;
    double weight;      /* epsilon */
    double c[SIZE];     /* contact velocities if all impulses of the cluster were zero */
    double start[SIZE]; /* impulses before the visit */
    double x[SIZE], y[SIZE], f[SIZE];
} visit;

/* Adds factor * matrix * x to `sum`; the matrix is stored like cst_cluster.coupling. */
CST_MULTIVERSION
static void add_product(int size, int stride, double factor, const double *matrix, const double *x, double *sum)
{
    for (int k = 0; k < size; k++) {
        const double x_k = factor * x[k];
        for (int row = 0; row < stride; row += LANES)
            *(vec4 *)(sum + row) += *(const vec4 *)(matrix + k * stride + row) * x_k;
    }
}

static void swap_rows(int size, double *a, double *b, int stride)
{
    for (int k = 0; k < size; k++) {
        const double kept = a[k * stride];
        a[k * stride] = b[k * stride];
        b[k * stride] = kept;
    }
}

/* Inverts a column-major matrix in place by Gauss-Jordan elimination with partial pivoting. The elimination treats the
 * contiguous columns of the matrix as if they were its rows; the result is the same, because the inverse of the transpose is
 * the transpose of the inverse. Returns false if the matrix to be inverted is singular. */
CST_MULTIVERSION
static bool invert(int size, int stride, double *matrix)
{
    int pivot_of[SIZE];
    for (int k = 0; k < size; k++) {
        int pivot = k;
        for (int row = k + 1; row < size; row++)
            if (fabs(matrix[row * stride + k]) > fabs(matrix[pivot * stride + k]))
                pivot = row;
        if (!(fabs(matrix[pivot * stride + k]) > PIVOT_MIN))
            return false;
        pivot_of[k] = pivot;
        double *own = matrix + k * stride;
        if (pivot != k)
            swap_rows(size, own, matrix + pivot * stride, 1);
        const double inverse = 1.0 / own[k];
        own[k] = 1.0;
        for (int c = 0; c < stride; c += LANES)
            *(vec4 *)(own + c) *= inverse;
        for (int row = 0; row < size; row++) {
            double *other = matrix + row * stride;
            const double factor = other[k];
            if (row == k || factor == 0.0)
                continue;
            other[k] = 0.0;
            for (int c = 0; c < stride; c += LANES)
                *(vec4 *)(other + c) -= *(const vec4 *)(own + c) * factor;
        }
    }
    for (int k = size - 1; k >= 0; k--)
        if (pivot_of[k] != k)
            swap_rows(size, matrix + k, matrix + pivot_of[k], stride);
    return true;
}

static void begin(visit *v, const double *x)
{
    const cst_system *system = v->system;
    const cst_cluster *cluster = v->cluster;
    for (int a = 0; a < cluster->contacts; a++) {
        system->coupling->off_diagonal(system, cluster->contact[a], x, v->c + 3 * a);
        memcpy(v->start + 3 * a, x + 3 * (size_t)cluster->contact[a], 3 * sizeof(double));
    }
    add_product(v->size, v->stride, -1.0, cluster->coupling, v->start, v->c);
    /* off_diagonal leaves out the effect of each contact's own impulse, but add_product has subtracted this effect; the loop
     * below adds it again */
    for (int a = 0; a < cluster->contacts; a++)
        for (int k = 3 * a; k < 3 * a + 3; k++)
            for (int row = 3 * a; row < 3 * a + 3; row++)
                v->c[row] += cluster->coupling[k * v->stride + row] * v->start[k];
    memcpy(v->x, v->start, sizeof v->x);
}

/* Computes the velocities y and the Alart-Curnier functions f of the contacts of a cluster; returns the largest weighted norm
 * of f. */
static double evaluate(visit *v)
{
    const cst_system *system = v->system;
    double largest = 0.0;
    for (int row = 0; row < v->size; row++)
        v->y[row] = v->c[row] + v->weight * (v->x[row] - v->start[row]);
    add_product(v->size, v->stride, 1.0, v->cluster->coupling, v->x, v->y);
    for (int a = 0; a < v->cluster->contacts; a++) {
        const int i = v->cluster->contact[a];
        double *f = v->f + 3 * a;
        cst_alart_curnier(3, system->mu[i], v->x + 3 * a, v->y + 3 * a, f);
        const double error = system->weight[i] * sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        if (!(error <= largest))
            largest = isnan(error) ? HUGE_VAL : error;
    }
    return largest;
}

/* Inverts Newton's matrix of a cluster, the derivative of the Alart-Curnier functions of its contacts by its impulses. Returns
 * false if Newton's matrix is singular. */
static bool linearise(visit *v)
{
    cst_cluster *cluster = v->cluster;
    const int stride = v->stride;
    for (int a = 0; a < cluster->contacts; a++) {
        double f[3], f_x[9], f_y[9];
        cst_alart_curnier_jacobian(3, v->system->mu[cluster->contact[a]], v->x + 3 * a, v->y + 3 * a, f, f_x, f_y);
        for (int k = 0; k < v->size; k++) {
            const double *G = cluster->coupling + k * stride + 3 * a;
            for (int row = 0; row < 3; row++)
                cluster->inverse[k * stride + 3 * a + row] =
                    f_y[3 * row] * G[0] + f_y[3 * row + 1] * G[1] + f_y[3 * row + 2] * G[2];
        }
        for (int k = 0; k < 3; k++)
            for (int row = 0; row < 3; row++)
                cluster->inverse[(3 * a + k) * stride + 3 * a + row] += f_x[3 * row + k] + v->weight * f_y[3 * row + k];
    }
    cluster->has_inverse = invert(v->size, stride, cluster->inverse);
    return cluster->has_inverse;
}

/* Does Newton steps for a cluster of contacts, the first with the inverse matrix of an earlier sweep if there is one. Sets *first
 * to the error of the cluster before the first Newton step. Returns the smallest error of the cluster, and sets v->x to the
 * impulses with this error. */
static double iterate(visit *v, double *first)
{
    double best[SIZE] = {0}, least = HUGE_VAL, goal = 0.0;
    for (int step = 0;; step++) {
        const double error = evaluate(v);
        if (step == 0) {
            *first = error;
            goal = KEPT_SOLVED * error;
        }
        if (error < least) {
            least = error;
            memcpy(best, v->x, sizeof best);
        }
        if (error <= goal || step == STEPS || !isfinite(error))
            break;
        if (step > 0 || !v->cluster->has_inverse) {
            goal = SOLVED * *first;
            if (!linearise(v))
                break;
        }
        add_product(v->size, v->stride, -1.0, v->cluster->inverse, v->f, v->x);
    }
    memcpy(v->x, best, sizeof best);
    return least;
}

/* After Newton's method on a cluster has failed: solves the contacts one after the other, from the impulses before Newton's
 * method. */
static void visit_singly(visit *v, double proximal, const cst_local_choice *local, void *prepared, cst_local_count *count)
{
    const cst_system *system = v->system;
    memcpy(v->x, v->start, sizeof v->x);
    for (int a = 0; a < v->cluster->contacts; a++) {
        const int i = v->cluster->contact[a];
        double beta[3];
        for (int row = 0; row < 3; row++) {
            const double *G = v->cluster->coupling + 3 * a + row;
            beta[row] = v->c[3 * a + row] - proximal * v->start[3 * a + row];
            for (int k = 0; k < v->size; k++)
                if (k / 3 != a)
                    beta[row] += G[k * v->stride] * v->x[k];
        }
        cst_local_choice_solve(local, 3, system->law[i], system->mu[i], prepared, i, beta, v->x + 3 * a, count);
    }
}

double cst_cluster_visit(cst_system *system, cst_cluster *cluster, double proximal, const cst_local_choice *local, void *prepared,
                         double *x, cst_local_count *count)
{
    visit v = {.system = system,
               .cluster = cluster,
               .size = 3 * cluster->contacts,
               .stride = cst_cluster_stride(cluster->contacts),
               .weight = WEIGHT * proximal};
    double first;
    begin(&v, x);
    if (!(iterate(&v, &first) <= FAILED * first))
        visit_singly(&v, proximal, local, prepared, count);
    for (int a = 0; a < cluster->contacts; a++) {
        const int i = cluster->contact[a];
        double *x_i = x + 3 * (size_t)i, *new_x = v.x + 3 * a, moved[3];
        cst_cone_project(3, system->mu[i], new_x, new_x);
        for (int k = 0; k < 3; k++) {
            moved[k] = new_x[k] - x_i[k];
            x_i[k] = new_x[k];
        }
        if (system->coupling->moved)
            system->coupling->moved(system, i, moved);
    }
    return first;
}
