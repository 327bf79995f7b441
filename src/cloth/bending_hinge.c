/* Bending at hinges. A hinge is an edge between two triangles; the angle theta between the triangles is 0 if they lie in one
 * plane. Symbols:
 *     `l`: edge length at rest.
 *     `a1`, `a2`: triangle areas at rest.
 *     `theta_0`: angle at rest.
 *     `B(k)`: bending stiffness, curvature k.
 *     `I(k)`: bending energy per area.
 *
 * The energy of a hinge is the area of its two triangles at rest, times the bending energy per area:
 *     `W = (a1 + a2) I(k)`.
 *     `k = |theta-theta_0| l/(a1+a2)`.
 *     `I(k) = int_0^k B(k') k' dk'`.
 *
 * If the bending stiffness B is constant, the hinge is a linear torsion spring with the stiffness `B*l^2/(a1+a2)`, where l is the
 * edge length and a1, a2 are the triangle areas. A strip of equilateral triangles, or of squares that are each divided along a
 * diagonal, has exactly the hinge energy per area 1/2 B curvature^2 if it is bent into a cylinder (B: bending stiffness). If a
 * mesh is refined, its hinge energy tends to a limit that depends on the shapes of the triangles (measured in docs/cloth.md).
 * Literature on hinge energies: Grinspun et al., Discrete Shells, SCA 2003; Grinspun et al., Computing discrete shape operators
 * on general meshes, Eurographics 2006.
 *
 * The bending stiffness B(k) is a secant stiffness for bending about the direction of the edge in the material: at the curvature
 * k, the moment per length of the edge is B(k) k. Between the measured samples, the bending stiffness is a monotone cubic
 * function of the curvature (Fritsch and Carlson, SIAM Journal on Numerical Analysis 17, 1980). The slope of the bending
 * stiffness at zero curvature is zero, and after the last sample the bending stiffness is constant.
 *
 * The derivatives of the angle theta are expressed by the edge and by the two tips of the hinge, which are the nodes opposite to
 * the edge. Symbols:
 *     `e = x1-x0`: edge vector.
 *     `t`: unit vector along e.
 *     `h`: distance, tip to edge line.
 *     `s`: projection of tip, edge fraction.
 *     `n`: unit normal of tip's triangle.
 *     `m`: in-plane normal, towards the tip.
 *     `de`: change of the edge vector.
 *     `d = dtip-(1-s)*dx0-s*dx1`.
 *
 * When the nodes of the hinge move, the vector d is the displacement of a tip (a node opposite to the edge) minus the
 * displacement of the tip's projection on the edge. The first derivative of the hinge angle theta is a sum over both tips, the
 * nodes opposite to the edge:
 *     `dtheta = sum n.d/h`.
 *
 * The second derivative of the hinge angle theta is a sum over both tips (nodes opposite to the edge), with three terms for each
 * tip:
 *     `-2 (n.d)(m.d)/h^2`,
 *     `-2 (n.de)(t.d)/(|e| h)`,
 *     `-(n.de)(m.de)/|e|^2`.
 *
 * The Hessian of the hinge energy W(theta), with the hinge angle theta, is the sum of `W'' dtheta^2` and `W' d2theta`. The
 * Hessian of the hinge energy splits into two 4 x 4 parts, which the functions matrix_of_heights and matrix_of_edge compute. The
 * projected Hessian of the hinge energy is positive semi-definite, because the negative eigenvalues of each of the two 4 x 4
 * parts are replaced by 0. */
#include <math.h>
#include <string.h>

#include "cloth/bending.h"
#include "cloth/element.h"
#include "math/symmetric_eigen.h"
#include "math/vector3.h"

static const double STEP = 10.0; /* difference of curvature between neighbouring columns of the table cst_fabric.bend (1/m) */
/* The hinge exerts no force if the distance of an opposite node from the edge is below 1e-6 of the edge length, because the hinge
 * angle is then not defined. */
static const double FLAT = 1e-6;

enum { PIECES = CST_BEND_COLUMNS - 1 };

typedef struct hinge_rest {
    double area, by_length, angle;  /* rest area, curvature/angle, rest angle */
    double coefficient[PIECES][4];  /* cubic for the stiffness B */
    double whole[PIECES + 1], last; /* integral I at samples; last stiffness */
} hinge_rest;

/* ------------------------------------------------------------------------------------------------------------- stiffness */

double cst_bend_about(const cst_fabric *fabric, int column, double direction)
{
    static const double RIGHT = 1.57079632679489661923;
    double fold = fmod(fabs(direction), 2.0 * RIGHT); /* opposite and mirrored directions are equivalent */
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

/* Returns the integral of the bending moment per length over the curvature, from sample i of the bending stiffness to the
 * fraction t of the distance to the next sample. */
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

/* Computes I(k), B(k) and dB/dk. */
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

/* A tip of a hinge. `axis`: n, m, t. The member `foot` is the position, on the edge, of the projection of the opposite node (the
 * tip), as a fraction of the edge length. */
typedef struct tip {
    double axis[3][3], height, foot;
} tip;

/* `e`: the edge vector. `p`: edge start to tip. `sign`: 1 if the normal of the triangle has the direction of the cross product of
 * the edge vector e and the vector p from the edge to the opposite node, otherwise -1. Returns false if the tip, the node
 * opposite to the edge, is so near to the edge that the hinge angle is not defined. */
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

/* Computes the part of the Hessian of the hinge energy with respect to the components, normal to the edge, of the vectors d of
 * both tips. Variables: `n1.d1, m1.d1, n2.d2, m2.d2`. */
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

/* Computes the 4 x 4 part of the hinge energy's Hessian that contains the change of the edge vector. The four variables of
 * matrix_of_edge are the components of the change of the edge vector along m and n of tip 0, and the components of the vectors
 * d of both tips along the edge. */
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

/* Three vectors are linear in the displacements of the hinge's four nodes: the change of the edge vector, and the displacements
 * of the two opposite nodes relative to their projections on the edge. Computes the weights of the nodes. */
static void find_shares(const tip *of, double share[3][4])
{
    const double value[3][4] = {
        {of[0].foot - 1.0, -of[0].foot, 1.0, 0.0}, {of[1].foot - 1.0, -of[1].foot, 0.0, 1.0}, {-1.0, 1.0, 0.0, 0.0}};
    memcpy(share, value, sizeof value);
}

/* Adds the 4 x 4 matrix M, a part of the Hessian, to the Hessian S with respect to three vectors: d of the first tip (number
 * 0), d of the second tip (1), and the change of the edge vector (2). Row i of M belongs to one component of one of these
 * vectors: of[i] is the number of the vector, and the unit vector axis[i] is the direction of the component. */
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
        for (int c = 0; c < CST_BEND_COLUMNS; ++c) /* seam: mean of both sides */
            value[c] = 0.5 * (cst_bend_about(fabric, c, hinge->direction[0]) + cst_bend_about(fabric, c, hinge->direction[1]));
        rest[i] = (hinge_rest){.area = hinge->area, .by_length = hinge->length / hinge->area, .angle = hinge->angle};
        set_stiffness(value, rest + i);
        memcpy(out->node + 4 * (size_t)i, hinge->node, sizeof hinge->node);
    }
    return true;
}

const cst_element_model cst_bending_hinge = {"hinge", make, evaluate};
