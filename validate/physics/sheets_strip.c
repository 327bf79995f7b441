/* A strip of length L, clamped level at one end, against the heavy elastica of the planar rods (cantilever.c):  Gamma = density g L^3 / B.
 *
 * As of nodal rods the clamp is in the middle between two columns of nodes that are held. Poisson's ratio of the membrane is 0. */
#include <math.h>
#include <stdio.h>

#include "cloth/element.h"
#include "physics/sheets.h"

enum { LEVELS = 3 };

static const double LENGTH = 0.2, WIDTH = 0.04, DENSITY = 0.2, G = 9.81, STRETCH = 1e4;

static bool look_up(const cst_csv_file *table, double gamma, double *x, double *y)
{
    for (int i = 0; i < table->rows; i++)
        if (fabs(cst_csv_number(table, i, "Gamma") / gamma - 1) < 1e-9) {
            *x = cst_csv_number(table, i, "x_tip_over_L");
            *y = cst_csv_number(table, i, "y_tip_over_L_down");
            return true;
        }
    return false;
}

/* Distance of the middle of the free end from that of the elastica, over L. */
static bool tip_error(cst_validation *about, int bending, cst_sheet_cut cut, double gamma, int cells, const double *exact,
                      double *error)
{
    const double gravity[3] = {0, 0, -G}, edge = LENGTH / (cells - 0.5), B = DENSITY * G * LENGTH * LENGTH * LENGTH / gamma;
    const int both[2] = {cells, (int)fmax(2, 2 * round(0.5 * WIDTH / edge))};
    cst_sheet_trial trial;
    cst_sheet_shape shape;
    if (!cst_sheet_trial_begin(about, &trial, 0.05, gravity))
        return false;
    bool good = cst_sheet_rectangle(cells * edge, WIDTH, both, cut, &trial.arena, &shape);
    int32_t *held = CST_TAKE(&trial.arena, int32_t, good ? shape.nodes : 1);
    cst_handle handle = {.node = held, .release_time = -1};
    double tip[3] = {0}, tips = 0;
    for (int i = 0; good && held && i < shape.nodes; i++)
        if (shape.position[3 * i] <= 1.01 * edge)
            held[handle.nodes++] = i;
    if (good && held) {
        cst_sheet_shape_use(&shape, &trial.def);
        trial.def.handle = &handle;
        trial.def.handles = 1;
        trial.def.fabric = (cst_fabric){.density = DENSITY, .thickness = 1e-3, .bending = (cst_bending)bending};
        trial.def.fabric.stretching[0][0] = trial.def.fabric.stretching[0][2] = trial.def.fabric.stretching[0][3] = STRETCH;
        for (int i = 0; i < CST_BEND_ROWS * CST_BEND_COLUMNS; i++)
            trial.def.fabric.bend[i / CST_BEND_COLUMNS][i % CST_BEND_COLUMNS] = B;
    }
    good = good && held && cst_sheet_trial_rest(about, &trial, 1e-7, 4000);
    for (int i = 0; good && i < shape.nodes; i++)
        if (shape.rest[2 * i] >= (cells - 0.01) * edge) {
            tip[0] += trial.x[3 * i] - 0.5 * edge;
            tip[2] += trial.x[3 * i + 2];
            tips++;
        }
    if (good)
        *error = hypot(tip[0] / tips / LENGTH - exact[0], -tip[2] / tips / LENGTH - exact[1]);
    cst_sheet_trial_end(&trial);
    return good;
}

/* What is asked of the finest level. The energy of hinges has another limit on each kind of mesh (docs/cloth.md): it is shown, nothing is asked. */
static double bound_of(int bending)
{
    return bending == CST_BENDING_HINGE ? HUGE_VAL : 0.01;
}

bool cst_sheets_strip(cst_validation *about)
{
    static const cst_sheet_cut cuts[2] = {CST_CUT_DIAGONAL, CST_CUT_STAGGERED};
    static const char *const headings[] = {"bending", "mesh", "Gamma", "cells", "tip error/L", "order", NULL};
    const double gammas[2] = {1, 10};
    const int levels = about->quick ? 2 : LEVELS;
    cst_csv_file reference;
    cst_table *table = cst_validation_table(headings);
    bool good = cst_validation_reference(about, &reference, "cantilever_k0_0.csv");
    for (int k = 0; good && k < 4 * CST_BENDING_COUNT; k++) {
        const int bending = k / 4;
        const cst_sheet_cut cut = cuts[k / 2 % 2];
        const double gamma = gammas[k % 2];
        double exact[2], error[LEVELS] = {0};
        if (about->quick && (gamma == 1 || bending == CST_BENDING_HINGE))
            continue;
        good = look_up(&reference, gamma, exact, exact + 1) || cst_validation_fault(about, "no reference for Gamma = %g", gamma);
        for (int level = 0; good && level < levels; level++) {
            good = tip_error(about, bending, cut, gamma, 8 << level, exact, error + level);
            cst_table_cell(table, "%s", cst_bending_name(bending));
            cst_table_cell(table, "%s", cst_sheet_cut_name((int)cut));
            cst_table_cell(table, "%g", gamma);
            cst_table_cell(table, "%d", 8 << level);
            cst_table_cell(table, "%.2e", error[level]);
            cst_validation_cell(table, "%.2f", level > 0 ? log2(error[level - 1] / error[level]) : NAN);
        }
        if (!good)
            break;
        const double bound = bound_of(bending);
        if (isfinite(bound))
            cst_validation_at_most(about, error[levels - 1], about->quick ? 4 * bound : bound,
                                   "strip, %s, %s, Gamma %g: tip error / L, %d cells", cst_bending_name(bending),
                                   cst_sheet_cut_name((int)cut), gamma, 8 << (levels - 1));
        else
            cst_validation_note(about, error[levels - 1], "strip, %s, %s, Gamma %g: tip error / L, %d cells",
                                cst_bending_name(bending), cst_sheet_cut_name((int)cut), gamma, 8 << (levels - 1));
    }
    cst_csv_file_free(&reference);
    cst_validation_print(table);
    return good;
}
