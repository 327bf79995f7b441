/* The geometric stiffness of a super helix in an iterated step: super_circle_stiffen.c, in space.
 *
 * With the blocks N of super_helix_stiffness.h, of all forces at the guess v_k,
 *
 *     (A + theta^2 dt^2 N) v = rhs + theta^2 dt^2 N v_k + H^T r
 *
 * is Newton's method. The forces of an element are those that the world pushes with, and rhs - A v_k, which is weight and inertia
 * (of the mean motion of the element: what N is made of need not be exact); what follows it pulls at its end with the sum of
 * theirs and with their moment, which is the moment that bends and twists it.
 *
 * In a quasi-static step all of N is taken, as in the plane. In a step with inertia only the positive part of each block is: a
 * rod in space has motions of hardly any inertia (twist that turns a slight bend about), against which the negative part of N,
 * which the changes of M v and of h that are left out would balance, makes the iteration diverge. (A falling hair, natural
 * (twist, k1) (5, 20) or (5, 5) 1/m, radius 0.04 or 1 mm, dt 0.5, 2, 4 and 11 ms, 4, 8 and 20 elements, theta = 1, 2 s: 48 runs,
 * of about 1e-6 J of kinetic energy. Runs that had more than 1e-5 J, or failed, with a fixed number of linearisations per step:
 *
 *     linearisations      1    2    4   10
 *     without N          22   17    8    9
 *     all of N                28   23   30
 *     its positive part        4    0    1     all five at 11 ms and (5, 20)
 *
 * The one at ten says that the iteration need not converge at such steps: it must be watched, and the step halved.) */
#include <math.h>
#include <string.h>

#include "rod/super_helix_rod.h"

/* omega and u' of the guess, and added to what was pushed the other impulses on each element: rhs - A v_k. */
static void find_forces(cst_super_helix *rod, const cst_helix_step *step, const double *guess)
{
    cst_helix_nonad node = {{0.0}, {0.0}, {0.0}};
    if (!rod->clamped)
        memcpy(&node, guess, 6 * sizeof *guess); /* v and omega of the root */
    for (int i = 0; i < rod->elements; ++i) {
        cst_helix_bearing *bearing = &rod->bearing[i];
        const cst_helix_material *material = &rod->material[i];
        cst_helix_mass A;
        cst_helix_nonad rhs, taken;
        cst_helix_dynamics_of(rod, step, i, &A, &rhs);
        memcpy(node.u, guess + rod->rate_first + (size_t)i * (size_t)rod->rate_stride, sizeof node.u);
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

/* One turn of Jacobi's method on the rows and columns p, q of the symmetric a; vectors gets the columns' turn. */
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

/* The block without its negative eigenvalues, curvatures measured in turns of its length. Six sweeps: Jacobi's method converges
 * quadratically, and what is left is not needed to the last digit. */
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
        if (!frame->quasi_static)
            leave_positive_part(&bearing->block, rod->material[i].length);
        memset(bearing->pushed, 0, sizeof bearing->pushed);
        memset(bearing->moment, 0, sizeof bearing->moment);
        memset(&bearing->given, 0, sizeof bearing->given);
    }
    rod->stiffening = frame->quasi_static ? CST_HELIX_STIFFENED : CST_HELIX_STIFFENED_ONLY;
    rod->stiffened = true;
}

bool cst_helix_stiffen_only(cst_super_helix *rod)
{
    if (rod->stiffening != CST_HELIX_STIFFENED)
        return false;
    for (int i = 0; i < rod->elements; ++i)
        leave_positive_part(&rod->bearing[i].block, rod->material[i].length);
    rod->stiffening = CST_HELIX_STIFFENED_ONLY;
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
