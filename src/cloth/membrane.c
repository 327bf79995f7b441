#include "cloth/membrane.h"

#include <math.h>
#include <string.h>

#include "math/symmetric_eigen.h"
#include "math/vector3.h"

/* COLLAPSE_SQUARE: square of J0 = 0.7; the collapse energy acts if the area of a triangle is below J0 times its area at rest */
static const double COLLAPSE_SQUARE = 0.49;
/* LEAST_SQUARE: lower limit of J^2, where J is the area of a triangle divided by its area at rest; at J = 0 the collapse energy
 * would be infinite */
static const double LEAST_SQUARE = 1e-12;

/* ------------------------------------------------------------------------------------------------------------------ rest */

bool cst_membrane_check_row(const double *c, int row, const cst_complaint *to)
{
    for (int k = 0; k < 4; ++k)
        if (!isfinite(c[k]))
            return cst_complain(to, "sheet: stretching row %d has a number that is not finite", row);
    if (!(c[0] > 0.0 && c[2] > 0.0))
        return cst_complain(to, "sheet: stretching row %d has c11 = %g and c22 = %g N/m: both must be positive", row, c[0], c[2]);
    return true;
}

bool cst_membrane_law_of(const cst_fabric *fabric, cst_arena *arena, cst_membrane_law *out, const cst_complaint *to)
{
    return fabric->membrane == CST_MEMBRANE_MEASURED ? cst_measured_law(fabric, arena, out, to)
                                                     : cst_kirchhoff_law(fabric, arena, out, to);
}

bool cst_membrane_make(const cst_element_model *model, const cst_sheet_mesh *mesh, const cst_fabric *fabric, const void *material,
                       cst_arena *arena, cst_element_set *out, const cst_complaint *to)
{
    if (!cst_element_take(arena, model, mesh->triangles, 3, sizeof(cst_membrane_rest), out))
        return cst_complain(to, "sheet: out of memory");
    memcpy(out->node, mesh->face, sizeof(int32_t) * 3 * (size_t)mesh->triangles);
    cst_membrane_rest *rest = out->rest;
    for (int i = 0; i < mesh->triangles; ++i) {
        const double *a = mesh->rest + 2 * mesh->corner[3 * i], *b = mesh->rest + 2 * mesh->corner[3 * i + 1],
                     *c = mesh->rest + 2 * mesh->corner[3 * i + 2];
        const double u1 = b[0] - a[0], u2 = c[0] - a[0], v1 = b[1] - a[1], v2 = c[1] - a[1], twice = u1 * v2 - u2 * v1;
        rest[i] = (cst_membrane_rest){
            .material = material,
            .stiffness = sqrt(fabric->stretching[0][0] * fabric->stretching[0][2]),
            .area = 0.5 * twice,
            .w = {{(v1 - v2) / twice, v2 / twice, -v1 / twice}, {(u2 - u1) / twice, -u2 / twice, u1 / twice}}};
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- collapse */

/* Returns, at the strain e, the collapse energy per area, which prevents the collapse of triangles (membrane.h). Adds the first
 * derivatives of the collapse energy to the stress s, and the second derivatives to the tangent stiffness C, unless both pointers
 * are NULL. */
static double add_collapse(double stiffness, const double *e, double *s, double *C)
{
    const double a = 1.0 + 2.0 * e[0], b = 1.0 + 2.0 * e[1], D = fmax(a * b - e[2] * e[2], LEAST_SQUARE);
    if (D >= COLLAPSE_SQUARE)
        return 0.0;
    const double L = log(D / COLLAPSE_SQUARE), slope = -0.125 * stiffness * L * L / D,
                 bend = 0.125 * stiffness * (L * L - 2.0 * L) / (D * D), d[3] = {2.0 * b, 2.0 * a, -2.0 * e[2]};
    if (s) {
        for (int i = 0; i < 3; ++i)
            s[i] += slope * d[i];
        for (int i = 0; i < 9; ++i)
            C[i] += bend * d[i / 3] * d[i % 3];
        C[1] += 4.0 * slope;
        C[3] += 4.0 * slope;
        C[8] -= 2.0 * slope;
    }
    return -stiffness * L * L * L / 24.0;
}

/* -------------------------------------------------------------------------------------------------------------- evaluate */

/* Replaces the negative eigenvalues of the symmetric 2 x 2 matrix (a b; b d) by 0. */
static void project2(double *a, double *b, double *d)
{
    const double mean = 0.5 * (*a + *d), half = 0.5 * (*a - *d), radius = hypot(half, *b);
    if (mean - radius >= 0.0)
        return;
    /* the smaller eigenvalue is negative here and is replaced by 0; `top`: the larger eigenvalue, or 0 if it is also negative */
    const double top = fmax(mean + radius, 0.0);
    const double c = radius > 0.0 ? half / radius : 0.0, s = radius > 0.0 ? *b / radius : 0.0;
    *a = 0.5 * top * (1.0 + c);
    *b = 0.5 * top * s;
    *d = 0.5 * top * (1.0 - c);
}

/* Computes the unit vectors t1 and t2 in the plane of the triangle and the unit normal of the triangle. The columns f1 and f2 of
 * the deformation gradient have the components `r` along the unit vectors t1 and t2:
 *     `f1 = r[0]*t1`.
 *     `f2 = r[1]*t1+r[2]*t2`. */
static void find_axes(const double *f1, const double *f2, double axis[3][3], double *r)
{
    memcpy(axis[0], f1, sizeof axis[0]);
    r[0] = cst_normalise3(axis[0]);
    r[1] = cst_dot3(axis[0], f2);
    memcpy(axis[1], f2, sizeof axis[1]);
    cst_add3(-r[1], axis[0], axis[1]);
    r[2] = cst_normalise3(axis[1]);
    cst_cross3(axis[0], axis[1], axis[2]);
}

/* Computes the 4 x 4 block of the membrane energy's Hessian for displacements in the plane of the triangle. The four variables of
 * this 4 x 4 block are changes of f1 and f2, the columns of the deformation gradient: the components of the two changes along t1
 * and t2, unit vectors in the triangle's plane. */
static void matrix_in_plane(const double *r, const double *s, const double *C, double *G)
{
    const double B[3][4] = {{r[0], 0.0, 0.0, 0.0}, {0.0, 0.0, r[1], r[2]}, {r[1], r[2], r[0], 0.0}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            double sum = i % 2 == j % 2 ? (i / 2 != j / 2 ? s[2] : s[i / 2]) : 0.0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)
                    sum += B[k][i] * C[3 * k + l] * B[l][j];
            G[4 * i + j] = sum;
        }
}

/* Returns true only if the tangent stiffness is positive semi-definite, up to rounding. If the tangent stiffness and the stress
 * matrix are both positive semi-definite, the Hessian of the membrane energy is also positive semi-definite. */
static bool is_positive(const double *C)
{
    const double d1 = C[0] * C[4] - C[1] * C[1];
    const double d2 =
        C[0] * (C[4] * C[8] - C[5] * C[5]) - C[1] * (C[1] * C[8] - C[5] * C[2]) + C[2] * (C[1] * C[5] - C[4] * C[2]);
    return C[0] > 0.0 && d1 > 0.0 && d2 >= 0.0;
}

static void add_hessian(const cst_membrane_rest *rest, const double *f1, const double *f2, const double *s, const double *C,
                        bool projected, double *hessian)
{
    double axis[3][3], r[3], G[16], by_f[4][9], across[4] = {s[0], s[2], s[2], s[1]};
    find_axes(f1, f2, axis, r);
    matrix_in_plane(r, s, C, G);
    if (projected) {
        const bool pulled = s[0] >= 0.0 && s[0] * s[1] - s[2] * s[2] >= 0.0;
        if (!(pulled && is_positive(C)))
            cst_symmetric_project(4, G);
        project2(across, across + 1, across + 3);
        across[2] = across[1];
    }
    for (int p = 0; p < 4; ++p) /* p = 2 i + j */
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) {
                double sum = across[p] * axis[2][k] * axis[2][l];
                for (int m = 0; m < 2; ++m)
                    for (int n = 0; n < 2; ++n)
                        sum += G[4 * (2 * (p / 2) + m) + 2 * (p % 2) + n] * axis[m][k] * axis[n][l];
                by_f[p][3 * k + l] = sum;
            }
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int k = 0; k < 9; ++k) {
                double sum = 0.0;
                for (int p = 0; p < 4; ++p)
                    sum += rest->w[p / 2][a] * rest->w[p % 2][b] * by_f[p][k];
                hessian[9 * (3 * a + k / 3) + 3 * b + k % 3] = rest->area * sum;
            }
}

double cst_membrane_evaluate(cst_strain_law *law, const cst_membrane_rest *rest, const double *x, double *gradient,
                             double *hessian, bool projected)
{
    double f1[3] = {0.0, 0.0, 0.0}, f2[3] = {0.0, 0.0, 0.0}, s[3], C[9];
    for (int a = 0; a < 3; ++a) {
        cst_add3(rest->w[0][a], x + 3 * a, f1);
        cst_add3(rest->w[1][a], x + 3 * a, f2);
    }
    const double e[3] = {0.5 * (cst_dot3(f1, f1) - 1.0), 0.5 * (cst_dot3(f2, f2) - 1.0), cst_dot3(f1, f2)};
    const double psi = law(rest->material, e, gradient ? s : NULL, gradient ? C : NULL) +
                       add_collapse(rest->stiffness, e, gradient ? s : NULL, gradient ? C : NULL);
    for (int a = 0; gradient && a < 3; ++a)
        for (int k = 0; k < 3; ++k)
            gradient[3 * a + k] =
                rest->area * (rest->w[0][a] * (s[0] * f1[k] + s[2] * f2[k]) + rest->w[1][a] * (s[1] * f2[k] + s[2] * f1[k]));
    if (hessian)
        add_hessian(rest, f1, f2, s, C, projected, hessian);
    return rest->area * psi;
}
