/* Local solver for a four-sided friction pyramid, which limits the two tangential impulses of a contact separately: |r_t1| <=
 * mu r_N and |r_t2| <= mu r_N, with the normal impulse r_N. The method is scalar projected Gauss-Seidel.
 *
 * The first tangent axis is turned into the direction of the tangential free velocity, which hides part of the anisotropy of the
 * pyramid. In 2D the pyramid is the Coulomb law; in 3D it is an approximation. The pyramid is included for comparison, because
 * many physics engines use it. */
#include "friction/local_methods.h"

#include <math.h>

enum { PASSES_MAX = 100 };

/* Expresses a vector in tangent axes that are turned by the given angle. */
static void turn_vector(double cosine, double sine, double *x)
{
    double x1 = cosine * x[1] + sine * x[2];
    x[2] = cosine * x[2] - sine * x[1];
    x[1] = x1;
}

static void turn_matrix(double cosine, double sine, double *W)
{
    for (int row = 0; row < 3; ++row)
        turn_vector(cosine, sine, W + 3 * row);
    for (int column = 0; column < 3; ++column) {
        double x[3] = {W[column], W[3 + column], W[6 + column]};
        turn_vector(cosine, sine, x);
        W[3 + column] = x[1];
        W[6 + column] = x[2];
    }
}

int cst_local_pyramid(const cst_local_problem *problem, double *r)
{
    int dim = problem->dim;
    cst_local_problem turned = *problem;
    double length = dim == 3 ? sqrt(problem->b[1] * problem->b[1] + problem->b[2] * problem->b[2]) : 0.0;
    double cosine = 1.0, sine = 0.0;
    if (length > 0.0) {
        cosine = problem->b[1] / length;
        sine = problem->b[2] / length;
        turn_vector(cosine, sine, turned.b);
        turn_matrix(cosine, sine, turned.W);
        turn_vector(cosine, sine, r);
    }
    int pass = 0;
    double change = INFINITY;
    for (; pass < PASSES_MAX && change > problem->tolerance; ++pass) {
        change = 0.0;
        for (int k = 0; k < dim; ++k) {
            double u = turned.b[k], diagonal = turned.W[k * dim + k];
            for (int l = 0; l < dim; ++l)
                u += turned.W[k * dim + l] * r[l];
            double x = diagonal > 0.0 ? r[k] - u / diagonal : r[k];
            double bound = problem->mu * r[0];
            x = k == 0 ? fmax(0.0, x) : fmax(-bound, fmin(bound, x));
            change = fmax(change, fabs(x - r[k]));
            r[k] = x;
        }
    }
    if (length > 0.0)
        turn_vector(cosine, -sine, r);
    return pass;
}
