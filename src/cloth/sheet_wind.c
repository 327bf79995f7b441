/* Drag of the air on the triangles of a sheet. Symbols:
 *     `f`: drag force on a triangle.
 *     `w`: triangle's velocity relative to air.
 *     `P`: drag matrix of the triangle.
 *     `rho`: density of the air.
 *     `a`, `n`: area and unit normal.
 *     `c_n`, `c_t`: drag coefficients, normal, tangential.
 *     `w_t`: part of the velocity w (relative to the air) that lies in the triangle's plane.
 *
 *     `f = -P*w`.
 *     `P = rho/2*a*(c_n*|w.n|*N+c_t*|w_t|*(1-N))`.
 *     `N = n n^T`.
 *
 * The velocity of a triangle is the mean velocity of its corners, and a third of its drag force acts on each corner. The drag
 * matrix P is positive semi-definite and is computed from the positions and velocities at the start of the step. During the step,
 * the drag matrix multiplies the mean velocity of the theta scheme, so that the drag force is linear in the final velocities.
 * Drag proportional to the square of the speed is the usual model for plates (Ling, Damodaran and Gay, SIGGRAPH 1996 course on
 * cloth). */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "cloth/sheet_parts.h"
#include "math/vector3.h"

static const double TURN = 6.28318530717958647693;

/* Computes the data of a triangle for the drag: its normal, the two drag coefficients of its drag matrix, and the velocity of the
 * air. */
static void find_air(const cst_sheet *sheet, const double *wind, const double *v, int triangle)
{
    const int32_t *face = sheet->mesh.face + 3 * (size_t)triangle;
    double e[3], f[3], w[3], *out = sheet->air + 8 * (size_t)triangle;
    cst_subtract3(sheet->x + 3 * (size_t)face[1], sheet->x + 3 * (size_t)face[0], e);
    cst_subtract3(sheet->x + 3 * (size_t)face[2], sheet->x + 3 * (size_t)face[0], f);
    cst_cross3(e, f, out);
    const double area = 0.5 * cst_normalise3(out), half = 0.5 * sheet->wind.density * area;
    for (int k = 0; k < 3; ++k)
        w[k] =
            (v[3 * (size_t)face[0] + (size_t)k] + v[3 * (size_t)face[1] + (size_t)k] + v[3 * (size_t)face[2] + (size_t)k]) / 3.0 -
            wind[k];
    const double along = cst_dot3(w, out), across = sqrt(fmax(cst_dot3(w, w) - along * along, 0.0));
    out[3] = half * sheet->wind.normal * fabs(along);
    out[4] = half * sheet->wind.tangential * across;
    memcpy(out + 5, wind, 3 * sizeof *out);
}

/* Computes the product of a triangle's drag matrix P and a vector. */
static void apply_air(const double *air, const double *w, double *out)
{
    const double along = cst_dot3(air, w);
    for (int k = 0; k < 3; ++k)
        out[k] = air[4] * w[k] + (air[3] - air[4]) * along * air[k];
}

static void add_triangle(cst_sheet *sheet, const cst_step_frame *frame, double old_share, int triangle)
{
    const double *air = sheet->air + 8 * (size_t)triangle, implicit = frame->theta * frame->dt / 9.0;
    const int32_t *face = sheet->mesh.face + 3 * (size_t)triangle;
    const int64_t *block = sheet->part[CST_SHEET_MEMBRANE].block + 9 * (size_t)triangle;
    double w[3], force[3];
    for (int k = 0; k < 3; ++k)
        w[k] = air[5 + k] - old_share *
                                (sheet->v[3 * (size_t)face[0] + (size_t)k] + sheet->v[3 * (size_t)face[1] + (size_t)k] +
                                 sheet->v[3 * (size_t)face[2] + (size_t)k]) /
                                3.0;
    apply_air(air, w, force);
    for (int p = 0; p < 9; ++p)
        for (int k = 0; k < 9; ++k)
            sheet->block[9 * block[p] + k] +=
                implicit * ((k % 4 == 0 ? air[4] : 0.0) + (air[3] - air[4]) * air[k / 3] * air[k % 3]);
    for (int a = 0; a < 3; ++a)
        cst_add3(frame->dt / 3.0, force, sheet->rhs + 3 * (size_t)face[a]);
}

void cst_sheet_add_air(cst_sheet *sheet, const cst_step_frame *frame, double old_share)
{
    const cst_sheet_part *part = sheet->part + CST_SHEET_MEMBRANE;
    const cst_wind *of = &sheet->wind;
    const double share = 1.0 + (of->period > 0.0 ? of->gust * sin(TURN * cst_frame_end(frame) / of->period) : 0.0);
    const double wind[3] = {share * of->velocity[0], share * of->velocity[1], share * of->velocity[2]};
    if (!(of->density > 0.0))
        return;
    for (int i = 0; i < sheet->mesh.triangles; ++i)
        find_air(sheet, wind, sheet->v, i);
    for (int i = 0; i < part->set.count; ++i)
        add_triangle(sheet, frame, old_share, part->order[i]);
}

void cst_sheet_air_force(const cst_sheet *sheet, const double *z, double *force)
{
    memset(force, 0, sizeof(double) * 3 * (size_t)sheet->mesh.nodes);
    for (int i = 0; sheet->wind.density > 0.0 && i < sheet->mesh.triangles; ++i) {
        const int32_t *face = sheet->mesh.face + 3 * (size_t)i;
        const double *air = sheet->air + 8 * (size_t)i;
        double w[3], on[3];
        for (int k = 0; k < 3; ++k)
            w[k] = air[5 + k] - (z ? (z[3 * (size_t)face[0] + (size_t)k] + z[3 * (size_t)face[1] + (size_t)k] +
                                      z[3 * (size_t)face[2] + (size_t)k]) /
                                         3.0
                                   : 0.0);
        apply_air(air, w, on);
        for (int a = 0; a < 3; ++a)
            cst_add3(1.0 / 3.0, on, force + 3 * (size_t)face[a]);
    }
}
