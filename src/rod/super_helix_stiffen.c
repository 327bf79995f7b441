/* Geometric stiffness of a super helix, for steps that are linearised several times; super_circle_stiffen.c does the same for
 * planar rods.
 *
 * Newton's method adds terms with the geometric stiffness N of all forces (super_helix_stiffness.h) to both sides of the equation
 * of the step for the velocities v:
 *     `(A+h^2*N)*v = rhs+h^2*N*v_k+H^T*r`.
 *
 * Symbols:
 *     `A`, `rhs`: matrix and right-hand side of the step.
 *     `H`: Jacobian of the contact velocities.
 *     `r`: contact impulses.
 *     `v_k`: guess of the velocities.
 *     `N`: geometric stiffness at the guess.
 *     `h = theta*dt`.
 *
 * The geometric stiffness of an element follows from the impulses on it: those of contacts, constraints and loads, and the
 * impulse of its weight and inertia. The impulse of weight and inertia on an element is the residual of the equation of the step
 * at the guess of the velocities. For weight and inertia, the geometric stiffness is approximate: the code computes it for a
 * uniform acceleration of the element. The following elements act on the end of an element with the sum of their forces and with
 * a moment, which bends and twists the element.
 *
 * The whole geometric stiffness is used if the system matrix is positive definite with this stiffness. If the system matrix is
 * not positive definite with the whole geometric stiffness, a quasi-static step uses only the positive semi-definite part of the
 * geometric stiffness of each element, and a step with inertia uses no geometric stiffness. Without geometric stiffness, the
 * iteration over guesses of the velocities is a Gauss-Newton method: the system matrix contains no second derivatives of the
 * positions of the point masses (super_helix_momentum.h).
 *
 * In steps with inertia, the positive semi-definite part of the geometric stiffness is not used, because the iteration over
 * guesses of the velocities converges more slowly with this part than without any geometric stiffness. To measure the
 * convergence, a rod of 0.4 m and 60 elements is bent to a curvature of 30 1/m and released. With the whole geometric stiffness,
 * the largest velocity changes of successive iterations in the 200th time step of the released rod (dt = 0.1 ms) are:
 *     `8.7e-2,5.6e-3,2.0e-5,3.0e-8,6.5e-11`.
 *
 * With only the positive semi-definite part of the geometric stiffness, the velocity changes of successive iterations are:
 *     `6.8e-2,1.1e-2,1.2e-3,1.4e-4,1.5e-5,1.7e-6,1.9e-7,2.1e-8`.
 *
 * Without geometric stiffness, the velocity changes of successive iterations are:
 *     `7.6e-2,4.4e-3,2.7e-4,1.6e-5,9.9e-7,5.9e-8`.
 *
 * The convergence was also measured in the release of an overhand knot in a super helix, with 500 steps of 0.1 ms. In some steps
 * of the released overhand knot, the system matrix with the whole geometric stiffness is not positive definite. If the steps of
 * the knot with an indefinite system matrix use only the positive semi-definite part of the geometric stiffness, 34 of the 500
 * steps do not converge in 20 iterations. If the steps with an indefinite system matrix use no geometric stiffness, all 500 steps
 * of the knot converge.
 *
 * The linearised step represents the resistance of a rod in tension to transverse motion only if the geometric stiffness is used.
 * For large time steps, the iteration over guesses of the velocities can diverge; the caller then halves the time step. */
#include <math.h>
#include <string.h>

#include "rod/super_helix_rod.h"

/* Stores the guessed angular velocity and the guessed rates of curvature of each element. Also adds the impulse of weight and
 * inertia on each element, and its moment about the element's start, to the sums of all impulses (`pushed`) and moments
 * (`moment`) on the element. */
static void find_forces(cst_super_helix *rod, const cst_helix_step *step, const double *guess)
{
    cst_helix_nonad node = {{0.0}, {0.0}, {0.0}};
    if (!rod->clamped)
        memcpy(&node, guess + rod->root_first, 6 * sizeof *guess); /* v and omega of the root */
    for (int i = 0; i < rod->elements; ++i) {
        cst_helix_bearing *bearing = &rod->bearing[i];
        const cst_helix_material *material = &rod->material[i];
        cst_helix_mass A;
        cst_helix_nonad rhs, taken;
        cst_helix_dynamics_of(rod, step, i, &A, &rhs);
        memcpy(node.u, cst_helix_end_rate(rod, guess, i), sizeof node.u);
        cst_helix_mass_times(&A, &node, &taken);
        double rest[3], field[3];
        cst_subtract3(rhs.v, taken.v, rest);
        for (int k = 0; k < 3; ++k)
            field[k] = rest[k] / material->mass;
        memcpy(bearing->turn, node.w, sizeof node.w);
        memcpy(bearing->bend, node.u, sizeof node.u);
        bearing->block = bearing->given;
        cst_helix_block_add_field(&bearing->block, &rod->linear[i], material, rod->gauss, field);
        cst_add3(1.0, rest, bearing->pushed);
        cst_add3(1.0, rhs.w, bearing->moment);
        cst_add3(-1.0, taken.w, bearing->moment);
        cst_helix_joint_times(&rod->linear[i].joint, &node);
    }
}

/* Applies one Jacobi rotation to the rows and columns p, q of the symmetric matrix a, and to the columns of `vectors`. */
static void rotate(double a[6][6], double vectors[6][6], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    const double ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = copysign(1.0, ratio) / (fabs(ratio) + sqrt(ratio * ratio + 1.0)), c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 6; ++k) {
        const double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 6; ++k) {
        const double pk = a[p][k], qk = a[q][k], vp = vectors[k][p], vq = vectors[k][q];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        vectors[k][p] = c * vp - s * vq;
        vectors[k][q] = s * vp + c * vq;
    }
    a[p][q] = a[q][p] = 0.0;
}

/* Replaces the 6 x 6 geometric stiffness of an element of length l by its positive semi-definite part, computed from an
 * eigendecomposition. Before the eigendecomposition, the curvatures are multiplied by the element length, so that all unknowns
 * are angles. Six sweeps of Jacobi's method are enough, because it converges quadratically and the positive semi-definite part
 * need not be exact. */
static void leave_positive_part(cst_helix_block *N, double l)
{
    double a[6][6], vectors[6][6] = {{0.0}}, kept[6][6] = {{0.0}};
    for (int k = 0; k < 9; ++k) {
        const int i = k / 3, j = k % 3;
        a[i][j] = N->ww[k];
        a[i][3 + j] = a[3 + j][i] = N->wu[k] / l;
        a[3 + i][3 + j] = N->uu[k] / (l * l);
    }
    for (int k = 0; k < 6; ++k)
        vectors[k][k] = 1.0;
    for (int round = 0; round < 6; ++round) {
        for (int p = 0; p < 5; ++p) {
            for (int q = p + 1; q < 6; ++q)
                rotate(a, vectors, p, q);
        }
    }
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < 6 && a[k][k] > 0.0; ++i) {
            for (int j = 0; j < 6; ++j)
                kept[i][j] += a[k][k] * vectors[i][k] * vectors[j][k];
        }
    }
    for (int k = 0; k < 9; ++k) {
        const int i = k / 3, j = k % 3;
        N->ww[k] = kept[i][j];
        N->wu[k] = kept[i][3 + j] * l;
        N->uu[k] = kept[3 + i][3 + j] * l * l;
    }
}

void cst_helix_stiffen(cst_super_helix *rod, const cst_step_frame *frame, const double *guess)
{
    const cst_helix_step step = cst_helix_step_of(rod, frame);
    const double scale = frame->theta * frame->theta * frame->dt;
    double pull[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0};
    find_forces(rod, &step, guess);
    for (int i = rod->elements - 1; i >= 0; --i) {
        cst_helix_bearing *bearing = &rod->bearing[i];
        const cst_helix_element *e = &rod->linear[i];
        cst_helix_block_add(&bearing->block, e, rod->material[i].length, pull, moment);
        cst_add_cross3(e->joint.chord, pull, moment);
        cst_add3(1.0, bearing->moment, moment);
        cst_add3(1.0, bearing->pushed, pull);
        for (int k = 0; k < 9; ++k) {
            bearing->block.ww[k] *= scale;
            bearing->block.wu[k] *= scale;
            bearing->block.uu[k] *= scale;
        }
        memset(bearing->pushed, 0, sizeof bearing->pushed);
        memset(bearing->moment, 0, sizeof bearing->moment);
        memset(&bearing->given, 0, sizeof bearing->given);
    }
    rod->stiffening = CST_HELIX_STIFFENED;
}

bool cst_helix_stiffen_less(cst_super_helix *rod, bool quasi_static)
{
    if (rod->stiffening != CST_HELIX_STIFFENED)
        return false;
    for (int i = 0; i < rod->elements && quasi_static; ++i)
        leave_positive_part(&rod->bearing[i].block, rod->material[i].length);
    rod->stiffening = quasi_static ? CST_HELIX_STIFFENED_ONLY : CST_HELIX_NOT_STIFFENED;
    return true;
}

double cst_helix_stiffness_work(const cst_super_helix *rod, int i, const cst_helix_nonad *at_end, const cst_helix_nonad *mean)
{
    const cst_helix_bearing *bearing = &rod->bearing[i];
    const cst_helix_block *N = &bearing->block;
    const double *w = mean->w;
    double turn[3], bend[3], sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        turn[k] = at_end->w[k] - bearing->turn[k];
        bend[k] = at_end->u[k] - bearing->bend[k];
    }
    for (int k = 0; k < 9; ++k) {
        const int r = k / 3, c = k % 3;
        sum +=
            w[r] * (N->ww[k] * turn[c] + N->wu[k] * bend[c]) + mean->u[r] * N->uu[k] * bend[c] + mean->u[c] * N->wu[k] * turn[r];
    }
    return sum;
}
