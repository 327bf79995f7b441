/* A square hung by patches at two corners, at rest, against itself with edges of half the length, on two unlike meshes.
 *
 * Distances, over its side, between the middle and the lower corners of one mesh and the next finer one must fall, and the finest of both meshes agree. */
#include <math.h>
#include <stdio.h>

#include "cloth/element.h"
#include "physics/sheets.h"

enum { LEVELS = 3, POINTS = 3 };

static const double
    SIDE = 0.4,
    PATCH = 0.125; /* of its side: held at each corner. At a point a membrane gives way without end as edges become shorter */

static int node_near(const cst_sheet_shape *shape, double u, double v)
{
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < shape->nodes; i++) {
        const double away = hypot(shape->rest[2 * i] - u, shape->rest[2 * i + 1] - v);
        if (away < least) {
            least = away;
            best = i;
        }
    }
    return best;
}

/* Places of the middle and of the lower corners. */
static bool hang(cst_validation *about, int bending, cst_sheet_cut cut, int cells, double place[POINTS][3])
{
    const double gravity[3] = {0, -9.81, -0.3}; /* a little aside, so that it falls to one side of the plane only */
    const int both[2] = {cells, cells};
    cst_sheet_trial trial;
    cst_sheet_shape shape;
    if (!cst_sheet_trial_begin(about, &trial, 0.05, gravity))
        return false;
    bool good = cst_sheet_rectangle(SIDE, SIDE, both, cut, &trial.arena, &shape);
    int32_t *held = CST_TAKE(&trial.arena, int32_t, good ? shape.nodes : 1);
    int holds = 0;
    good = good && held;
    for (int i = 0; good && i < shape.nodes; i++) {
        const double u = shape.rest[2 * i], v = shape.rest[2 * i + 1];
        if (v > (1 - PATCH) * SIDE - 1e-9 && (u < PATCH * SIDE + 1e-9 || u > (1 - PATCH) * SIDE - 1e-9))
            held[holds++] = i;
    }
    const cst_handle handle = {.node = held, .nodes = holds, .release_time = -1};
    if (good) {
        cst_sheet_shape_use(&shape, &trial.def);
        trial.def.handle = &handle;
        trial.def.handles = 1;
        trial.def.fabric = (cst_fabric){.density = 0.2, .thickness = 1e-3, .bending = (cst_bending)bending, .damping = 0.1};
        trial.def.fabric.stretching[0][0] = trial.def.fabric.stretching[0][2] = 200;
        trial.def.fabric.stretching[0][1] = 40;
        trial.def.fabric.stretching[0][3] = 60;
        for (int i = 0; i < CST_BEND_ROWS * CST_BEND_COLUMNS; i++)
            trial.def.fabric.bend[i / CST_BEND_COLUMNS][i % CST_BEND_COLUMNS] = 2e-4;
        trial.def.wind = (cst_wind){.density = 1.2, .normal = 5, .tangential = 1};
    }
    good = good && cst_sheet_trial_rest(about, &trial, 1e-6, 4000);
    for (int p = 0; good && p < POINTS; p++) {
        const int node = p == 0 ? node_near(&shape, 0.5 * SIDE, 0.5 * SIDE) : node_near(&shape, p == 1 ? 0 : SIDE, 0);
        for (int k = 0; k < 3; k++)
            place[p][k] = trial.x[3 * node + k];
    }
    cst_sheet_trial_end(&trial);
    return good;
}

static double apart(double one[POINTS][3], double two[POINTS][3])
{
    double most = 0;
    for (int p = 0; p < POINTS; p++)
        most = fmax(most, sqrt(pow(one[p][0] - two[p][0], 2) + pow(one[p][1] - two[p][1], 2) + pow(one[p][2] - two[p][2], 2)));
    return most / SIDE;
}

bool cst_sheets_hang(cst_validation *about)
{
    static const cst_sheet_cut cuts[2] = {CST_CUT_CROSSED, CST_CUT_STAGGERED};
    static const char *const headings[] = {"bending", "mesh", "cells", "to twice as many", "order", NULL};
    cst_table *table = cst_validation_table(headings);
    const int levels = about->quick ? 2 : LEVELS;
    bool good = true;
    for (int bending = about->quick ? CST_BENDING_QUADRATIC : 0; good && bending < CST_BENDING_COUNT; bending++) {
        double place[2][LEVELS][POINTS][3];
        for (int c = 0; good && c < 2; c++) {
            double before = NAN;
            for (int level = 0; good && level < levels; level++) {
                good = hang(about, bending, cuts[c], 8 << level, place[c][level]);
                if (!good || level == 0)
                    continue;
                const double moved = apart(place[c][level - 1], place[c][level]);
                cst_table_cell(table, "%s", cst_bending_name(bending));
                cst_table_cell(table, "%s", cst_sheet_cut_name((int)cuts[c]));
                cst_table_cell(table, "%d", 8 << (level - 1));
                cst_table_cell(table, "%.2e", moved);
                cst_validation_cell(table, "%.2f", log2(before / moved));
                if (level == levels - 1)
                    cst_validation_at_most(about, moved, about->quick ? 0.04 : 0.01,
                                           "hanging square, %s, %s: places by half the edge, of its side",
                                           cst_bending_name(bending), cst_sheet_cut_name((int)cuts[c]));
                before = moved;
            }
        }
        if (good)
            cst_validation_at_most(about, apart(place[0][levels - 1], place[1][levels - 1]), about->quick ? 0.04 : 0.01,
                                   "hanging square, %s: places on both meshes, of its side", cst_bending_name(bending));
    }
    cst_validation_print(table);
    return good;
}
