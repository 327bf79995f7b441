/* Bending energy of hinges. A hinge is an edge of the mesh with its two triangles. Symbols:
 *     `theta`: hinge angle, 0 if flat.
 *     `theta_0`: hinge angle at rest.
 *     `l`: edge length at rest.
 *     `a1`, `a2`: triangle areas at rest.
 *     `k`: curvature (1/m).
 *     `B(k)`: bending stiffness.
 *     `I(k)`: bending energy per area.
 *     `W`: energy of the hinge.
 *
 *     `W = (a1+a2)*I(k)`.
 *     `k = |theta-theta_0|*l/(a1+a2)`.
 *     `I(k) = int_0^k B(k')*k'*dk'`.
 *
 * If the bending stiffness B does not depend on the curvature, a hinge is a linear torsion spring of the stiffness
 * `B*l^2/(a1+a2)`, with the edge length l and the triangle areas a1 and a2 at rest. If a strip of equilateral triangles, or of
 * squares with one diagonal each, is bent into a cylinder, its hinge energy is exactly the bending energy of a plate bent to the
 * same cylinder. On other meshes, the hinge energy of ever finer meshes tends to a limit that depends on the shapes of the
 * triangles (measured in docs/cloth.md). Literature on hinge energies: Grinspun et al., Discrete Shells, SCA 2003; Grinspun et
 * al., Computing discrete shape operators on general meshes, Eurographics 2006.
 *
 * The bending stiffness B(k) is a secant stiffness: at the curvature k, the bending moment per length of the edge is `B(k)*k`.
 * Between the measured samples, the bending stiffness is a monotone cubic function of the curvature (Fritsch and Carlson, SIAM
 * Journal on Numerical Analysis 17, 1980). At zero curvature, the derivative dB/dk of the bending stiffness is zero; beyond the
 * last sample, the bending stiffness is constant.
 *
 * A tip of a hinge is the corner of a triangle opposite to the hinge edge. Symbols for one tip:
 *     `e = x1-x0`: edge vector.
 *     `t`: unit vector along e.
 *     `h`: distance, tip to edge line.
 *     `s`: projection of tip, edge fraction.
 *     `n`: unit normal of tip's triangle.
 *     `m`: in-plane normal, towards the tip.
 *     `de`: change of the edge vector.
 *     `d = dtip-(1-s)*dx0-s*dx1`.
 *
 * The vector d is the displacement of a tip minus the displacement of the tip's projection on the hinge edge. The first
 * derivative of the hinge angle is a sum over the two tips:
 *     `dtheta = sum n.d/h`.
 *
 * Each of the two tips of a hinge adds three terms to the second derivative of the hinge angle:
 *     `-2 (n.d)(m.d)/h^2`,
 *     `-2 (n.de)(t.d)/(|e| h)`,
 *     `-(n.de)(m.de)/|e|^2`.
 *
 * With the derivatives W' and W'' of the hinge energy W with respect to the hinge angle theta, the Hessian of W is:
 *     `W''*dtheta^2 + W'*d2theta`.
 *
 * The Hessian of the hinge energy is the sum of two parts, each computed from a symmetric 4 x 4 matrix. If the negative
 * eigenvalues of these two 4 x 4 matrices are replaced by 0, the Hessian of the hinge energy becomes positive semi-definite. */
#include <math.h>
#include <string.h>

#include "cloth/bending.h"
#include "cloth/element.h"
#include "math/symmetric_eigen.h"
#include "math/vector3.h"

/* STEP: difference of curvature (1/m) between neighbouring columns of the table cst_fabric.bend. */
static const double STEP = 10.0;
/* FLAT: if a triangle's height above the hinge edge is below FLAT times the edge length, the hinge angle counts as undefined, and
 * the hinge exerts no force. */
static const double FLAT = 1e-6;

enum { PIECES = CST_BEND_COLUMNS - 1 };

typedef struct hinge_rest {
    /* `area`: total area of the hinge's two triangles at rest (m^2). `by_length`: curvature (1/m) divided by the change of the
     * hinge angle from its rest value (rad). `angle`: hinge angle at rest (rad). */
    double area, by_length, angle;
    double coefficient[PIECES][4];  /* cubic for the stiffness B */
    double whole[PIECES + 1], last; /* I(k) at the samples; last stiffness */
} hinge_rest;

/* ------------------------------------------------------------------------------------------------------------- stiffness */

double cst_bend_about(const cst_fabric *fabric, int column, double direction)
{
    static const double RIGHT = 1.57079632679489661923;
    /* the fabric is assumed to be orthotropic: bending axes at the angles a, -a and a + pi to the warp have the same stiffness */
    double fold = fmod(fabs(direction), 2.0 * RIGHT);
    fold = fold > RIGHT ? 2.0 * RIGHT - fold : fold;
    const double at = 2.0 * fold / RIGHT;
    const int row = at < 1.0 ? 0 : 1;
    return fabric->bend[row][column] + (at - row) * (fabric->bend[row + 1][column] - fabric->bend[row][column]);
}

static double slope_at(const double *value, int i)
{
    if (i == 0 || i == PIECES)
        return 0.0;
    const double before = value[i] - value[i - 1], after = value[i + 1] - value[i];
    return before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
}

/* Returns the integral of `B(k)*k*dk` over the first part of the interval between the samples i and i + 1: from the sample i to
 * the fraction t (0 to 1) of the interval. */
static double piece_integral(const double *c, int i, double t)
{
    const double plain = t * (c[0] + t * (c[1] / 2.0 + t * (c[2] / 3.0 + t * c[3] / 4.0)));
    const double moment = t * t * (c[0] / 2.0 + t * (c[1] / 3.0 + t * (c[2] / 4.0 + t * c[3] / 5.0)));
    return STEP * STEP * (i * plain + moment);
}

static void set_stiffness(const double *value, hinge_rest *rest)
{
    rest->whole[0] = 0.0;
    for (int i = 0; i < PIECES; ++i) {
        const double a = slope_at(value, i), b = slope_at(value, i + 1), rise = value[i + 1] - value[i];
        const double c[4] = {value[i], a, 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise};
        memcpy(rest->coefficient[i], c, sizeof c);
        rest->whole[i + 1] = rest->whole[i] + piece_integral(c, i, 1.0);
    }
    rest->last = value[PIECES];
}

/* Returns the bending energy per area, I(k), at the curvature k, and computes the bending stiffness B(k) and its slope dB/dk. */
static double integral(const hinge_rest *rest, double k, double *B, double *slope)
{
    const double at = k / STEP;
    if (at >= PIECES) {
        *B = rest->last;
        *slope = 0.0;
        return rest->whole[PIECES] + 0.5 * rest->last * (k * k - STEP * STEP * PIECES * PIECES);
    }
    const int i = (int)at;
    const double t = at - i, *c = rest->coefficient[i];
    *B = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    *slope = (c[1] + t * (2.0 * c[2] + 3.0 * t * c[3])) / STEP;
    return rest->whole[i] + piece_integral(c, i, t);
}

/* ----------------------------------------------------------------------------------------------------------------- angle */

/* A tip of a hinge: the corner of one of its two triangles opposite to the hinge edge. `axis`: unit vectors n (normal of the
 * tip's triangle), m (in the triangle's plane, perpendicular to the edge, towards the tip) and t (along the edge). `height`:
 * distance of the tip from the line of the hinge edge (m). `foot`: position of the tip's projection on the hinge edge: 0 at the
 * start of the edge, 1 at its end. */
typedef struct tip {
    double axis[3][3], height, foot;
} tip;

/* Computes the tip of one triangle of a hinge. `e`: vector from the start to the end of the hinge edge. `p`: vector from the
 * start of the hinge edge to the tip. `sign`: 1 if the normal of the triangle has the direction of the cross product of the edge
 * vector e and the vector p to the tip, otherwise -1. Returns false if the triangle is so flat that the hinge angle is not
 * defined. */
static bool find_tip(const double *e, const double *p, double sign, tip *out)
{
    const double square = cst_dot3(e, e), length = sqrt(square);
    double N[3], *n = out->axis[0], *m = out->axis[1], *t = out->axis[2];
    cst_cross3(e, p, N);
    const double size = sqrt(cst_dot3(N, N));
    if (!(size > FLAT * square))
        return false;
    for (int k = 0; k < 3; ++k) {
        n[k] = sign * N[k] / size;
        t[k] = e[k] / length;
    }
    cst_cross3(n, t, m);
    for (int k = 0; k < 3; ++k)
        m[k] *= sign;
    out->height = size / length;
    out->foot = cst_dot3(p, e) / square;
    return true;
}

/* Computes the first of the two 4 x 4 matrices of the hinge energy's Hessian: second derivatives with respect to the
 * displacements of the two tips perpendicular to the hinge edge. Variables: `n1.d1, m1.d1, n2.d2, m2.d2`. */
static void matrix_of_heights(const tip *of, double moment, double stiffness, bool projected, double *M)
{
    memset(M, 0, 16 * sizeof *M);
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j)
            M[4 * 2 * i + 2 * j] = stiffness / (of[i].height * of[j].height);
        M[4 * (2 * i) + 2 * i + 1] = M[4 * (2 * i + 1) + 2 * i] = -moment / (of[i].height * of[i].height);
    }
    if (projected)
        cst_symmetric_project(4, M);
}

/* Computes the second of the two 4 x 4 matrices of the hinge energy's Hessian: second derivatives with respect to the change of
 * the edge vector and the displacements of the two tips along the edge. Variables: `m1.de, n1.de, t.d1, t.d2`. */
static void matrix_of_edge(const tip *of, double length, double moment, bool projected, double *M)
{
    memset(M, 0, 16 * sizeof *M);
    for (int i = 0; i < 2; ++i) {
        const double w[2] = {cst_dot3(of[i].axis[0], of[0].axis[1]), cst_dot3(of[i].axis[0], of[0].axis[0])};
        const double y[2] = {cst_dot3(of[i].axis[1], of[0].axis[1]), cst_dot3(of[i].axis[1], of[0].axis[0])};
        for (int j = 0; j < 2; ++j) {
            for (int k = 0; k < 2; ++k)
                M[4 * j + k] -= 0.5 * moment * (w[j] * y[k] + y[j] * w[k]) / (length * length);
            M[4 * j + 2 + i] = M[4 * (2 + i) + j] = -moment * w[j] / (length * of[i].height);
        }
    }
    if (projected)
        cst_symmetric_project(4, M);
}

/* ------------------------------------------------------------------------------------------------------------- the model */

/* Computes the weights of the hinge's four nodes in three vectors, which are weighted sums of the node displacements: the
 * displacements of the first and of the second tip relative to the hinge edge, and the change of the edge vector. */
static void find_shares(const tip *of, double share[3][4])
{
    const double value[3][4] = {
        {of[0].foot - 1.0, -of[0].foot, 1.0, 0.0}, {of[1].foot - 1.0, -of[1].foot, 0.0, 1.0}, {-1.0, 1.0, 0.0, 0.0}};
    memcpy(share, value, sizeof value);
}

/* Adds one of the two parts of the hinge energy's Hessian, given by its 4 x 4 matrix M, to the whole Hessian S. S contains the
 * second derivatives of the hinge energy with respect to three vectors: the displacements of the first tip (vector 0) and of the
 * second tip (vector 1) relative to the hinge edge, and the change of the edge vector (vector 2). Row and column i of the 4 x 4
 * matrix M belong to one variable: the component of vector number `of[i]` along the unit vector `axis[i]`. */
static void add_pairs(const double *M, const int *of, const double *const *axis, double S[3][3][9])
{
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 9 && M[4 * i + j] != 0.0; ++k)
                S[of[i]][of[j]][k] += M[4 * i + j] * axis[i][k / 3] * axis[j][k % 3];
}

static void find_hessian(const tip *of, double length, double moment, double stiffness, bool projected, double *hessian)
{
    const double *const heights[4] = {of[0].axis[0], of[0].axis[1], of[1].axis[0], of[1].axis[1]};
    const double *const edges[4] = {of[0].axis[1], of[0].axis[0], of[0].axis[2], of[1].axis[2]};
    double M[16], S[3][3][9], share[3][4];
    memset(S, 0, sizeof S);
    matrix_of_heights(of, moment, stiffness, projected, M);
    add_pairs(M, (const int[4]){0, 0, 1, 1}, heights, S);
    matrix_of_edge(of, length, moment, projected, M);
    add_pairs(M, (const int[4]){2, 2, 0, 1}, edges, S);
    find_shares(of, share);
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
            double sum[9] = {0};
            for (int g = 0; g < 9; ++g) {
                const double both = share[g / 3][a] * share[g % 3][b];
                for (int k = 0; k < 9 && both != 0.0; ++k)
                    sum[k] += both * S[g / 3][g % 3][k];
            }
            for (int k = 0; k < 9; ++k)
                hessian[12 * (3 * a + k / 3) + 3 * b + k % 3] = sum[k];
        }
}

static double evaluate(const void *rest_of_it, const double *x, double *gradient, double *hessian, bool projected)
{
    const hinge_rest *rest = rest_of_it;
    const double away = cst_hinge_angle(x, x + 3, x + 6, x + 9) - rest->angle, k = fabs(away) * rest->by_length;
    double B, slope, e[3], p[3], q[3], share[3][4];
    const double energy = rest->area * integral(rest, k, &B, &slope);
    tip of[2];
    if (!gradient)
        return energy;
    memset(gradient, 0, 12 * sizeof *gradient);
    if (hessian)
        memset(hessian, 0, 144 * sizeof *hessian);
    cst_subtract3(x + 3, x, e);
    cst_subtract3(x + 6, x, p);
    cst_subtract3(x + 9, x, q);
    if (!find_tip(e, p, 1.0, of) || !find_tip(e, q, -1.0, of + 1))
        return energy;
    const double scale = rest->area * rest->by_length, moment = copysign(scale * B * k, away);
    find_shares(of, share);
    for (int i = 0; i < 2; ++i)
        for (int a = 0; a < 4; ++a)
            cst_add3(moment * share[i][a] / of[i].height, of[i].axis[0], gradient + 3 * a);
    if (hessian)
        find_hessian(of, sqrt(cst_dot3(e, e)), moment, scale * rest->by_length * (B + slope * k), projected, hessian);
    return energy;
}

static bool make(const cst_sheet_mesh *mesh, const cst_fabric *fabric, cst_arena *arena, cst_element_set *out,
                 const cst_complaint *to)
{
    if (!cst_element_take(arena, &cst_bending_hinge, mesh->hinges, 4, sizeof(hinge_rest), out))
        return cst_complain(to, "sheet: out of memory");
    hinge_rest *rest = out->rest;
    for (int i = 0; i < mesh->hinges; ++i) {
        const cst_sheet_hinge *hinge = mesh->hinge + i;
        double value[CST_BEND_COLUMNS];
        /* `value`: bending stiffness about the edge, averaged over the hinge's two triangles; the values for the two triangles
         * differ only at a seam, where the edge has two directions in the material */
        for (int c = 0; c < CST_BEND_COLUMNS; ++c)
            value[c] = 0.5 * (cst_bend_about(fabric, c, hinge->direction[0]) + cst_bend_about(fabric, c, hinge->direction[1]));
        rest[i] = (hinge_rest){.area = hinge->area, .by_length = hinge->length / hinge->area, .angle = hinge->angle};
        set_stiffness(value, rest + i);
        memcpy(out->node + 4 * (size_t)i, hinge->node, sizeof hinge->node);
    }
    return true;
}

const cst_element_model cst_bending_hinge = {"hinge", make, evaluate};
