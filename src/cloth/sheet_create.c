/* Creates a sheet from its definition. */
#include <math.h>
#include <string.h>

#include "cloth/sheet_parts.h"

static bool check_fabric(const cst_fabric *fabric, const cst_complaint *to)
{
    if (!(fabric->density > 0.0) || !isfinite(fabric->density))
        return cst_complain(to, "sheet: the density must be positive, not %g kg/m2", fabric->density);
    if (!(fabric->thickness > 0.0) || !isfinite(fabric->thickness))
        return cst_complain(to, "sheet: the thickness must be positive, not %g m", fabric->thickness);
    if (!(fabric->damping >= 0.0) || !isfinite(fabric->damping))
        return cst_complain(to, "sheet: the damping must be 0 or more, not %g s", fabric->damping);
    if (fabric->membrane < 0 || fabric->membrane >= CST_MEMBRANE_COUNT || fabric->bending < 0 ||
        fabric->bending >= CST_BENDING_COUNT)
        return cst_complain(to, "sheet: no such model: membrane %d, bending %d", (int)fabric->membrane, (int)fabric->bending);
    for (int i = 0; i < CST_BEND_ROWS * CST_BEND_COLUMNS; ++i) {
        const double B = fabric->bend[i / CST_BEND_COLUMNS][i % CST_BEND_COLUMNS];
        if (!(B >= 0.0) || !isfinite(B))
            return cst_complain(to, "sheet: bending stiffnesses must be 0 or more, not %g N m", B);
    }
    return true;
}

static bool check_wind(const cst_sheet_def *def, const cst_complaint *to)
{
    const cst_wind *wind = &def->wind;
    const double sum =
        wind->velocity[0] + wind->velocity[1] + wind->velocity[2] + def->velocity[0] + def->velocity[1] + def->velocity[2];
    if (!isfinite(sum + wind->gust + wind->period) || !(wind->period >= 0.0))
        return cst_complain(to, "sheet: a velocity, or the gusts of its wind, is not finite, or their period is negative");
    if (!(wind->density >= 0.0 && wind->normal >= 0.0 && wind->tangential >= 0.0) ||
        !isfinite(wind->density + wind->normal + wind->tangential))
        return cst_complain(to, "sheet: density and coefficients of the air must be 0 or more");
    return true;
}

static bool take(cst_sheet *sheet)
{
    cst_arena *arena = &sheet->arena;
    const size_t nodes = (size_t)sheet->mesh.nodes, dofs = 3 * nodes;
    double **const array[] = {&sheet->ahead, &sheet->linear, &sheet->imposed, &sheet->pushed, &sheet->u,
                              &sheet->f0,    &sheet->h_v,    &sheet->rhs,     &sheet->z,      &sheet->h_z};
    int most = 0;
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        most = sheet->part[p].set.count > most ? sheet->part[p].set.count : most;
    for (size_t i = 0; i < sizeof array / sizeof *array; ++i)
        *array[i] = CST_TAKE(arena, double, dofs);
    sheet->state = CST_TAKE(arena, double, 2 * dofs);
    sheet->air_force = CST_TAKE(arena, double, 2 * dofs);
    sheet->mass = CST_TAKE(arena, double, nodes);
    sheet->is_held = CST_TAKE(arena, uint8_t, nodes);
    sheet->air = CST_TAKE(arena, double, 8 * (size_t)sheet->mesh.triangles);
    sheet->chunk = CST_TAKE(arena, double, most / CST_SHEET_CHUNK + 1);
    sheet->work = CST_TAKE(arena, double, sheet->factor.work_size);
    sheet->x = sheet->placed = sheet->state;
    sheet->v = sheet->state + dofs;
    return !arena->failed;
}

/* Allocates memory for the matrix rows of all nodes whose motion a handle may prescribe. */
static bool take_rows(cst_sheet *sheet)
{
    /* Largest number of 3 x 3 blocks in the matrix row of any node in a handle (a group of nodes with prescribed motion). Each
     * entry of sheet->held gets memory for the longest row: after a handle releases its nodes, the entry can store the row of
     * another node. */
    int64_t most = 0;
    for (int k = 0; k < sheet->handles; ++k)
        for (int i = 0; i < sheet->handle[k].def.nodes; ++i) {
            const int32_t node = sheet->handle[k].node[i];
            const int64_t length = sheet->row_start[node + 1] - sheet->row_start[node];
            most = length > most ? length : most;
        }
    sheet->held = CST_TAKE(&sheet->arena, cst_held_row, sheet->handled);
    for (int i = 0; sheet->held && i < sheet->handled; ++i)
        sheet->held[i].block = CST_TAKE(&sheet->arena, double, 9 * most);
    return !sheet->arena.failed;
}

static void begin_state(cst_sheet *sheet, const cst_sheet_def *def)
{
    memcpy(sheet->x, def->position, sizeof(double) * 3 * (size_t)def->nodes);
    cst_sheet_place_handles(sheet, 0.0, sheet->x);
    for (int i = 0; i < def->nodes; ++i) {
        memcpy(sheet->v + 3 * (size_t)i, def->velocity, sizeof def->velocity);
        sheet->mass[i] = def->fabric.density * sheet->mesh.node_area[i];
        sheet->whole_mass += sheet->mass[i];
    }
    for (int k = 0; k < sheet->handles; ++k)
        for (int i = 0; i < sheet->handle[k].def.nodes; ++i)
            memset(sheet->v + 3 * (size_t)sheet->handle[k].node[i], 0, 3 * sizeof *sheet->v);
    cst_sheet_energies(sheet, sheet->x, sheet->elastic);
}

/* NEAR: two points of a sheet are tested for self-contact only if every path along edges between them is longer than NEAR
 * thicknesses of the sheet. Two points of the sheet's middle surface count as in contact if their distance is below 1.35
 * thicknesses, which is a gap below 0.35 thicknesses. With NEAR = 1, points of a flat sheet at distances between 1 and 1.35
 * thicknesses would be in contact with each other. */
static const double NEAR = 2.0;

static bool fill(cst_sheet *sheet, const cst_sheet_def *def, const cst_complaint *to)
{
    cst_arena *arena = &sheet->arena;
    const cst_fabric *fabric = &def->fabric;
    if (!check_fabric(fabric, to) || !check_wind(def, to) || !cst_sheet_mesh_make(def, arena, &sheet->mesh, to) ||
        !cst_membrane_models[fabric->membrane]->make(&sheet->mesh, fabric, arena, &sheet->part[CST_SHEET_MEMBRANE].set, to) ||
        !cst_bending_models[fabric->bending]->make(&sheet->mesh, fabric, arena, &sheet->part[CST_SHEET_BENDING].set, to))
        return false;
    sheet->fabric = *fabric;
    sheet->wind = def->wind;
    cst_complain(to, "sheet: out of memory"); /* message for the case that memory runs out; any other error overwrites it */
    if (!cst_sheet_pattern(sheet) || !cst_sheet_late_begin(sheet) || !take(sheet) || !cst_sheet_take_handles(sheet, def, to) ||
        !take_rows(sheet))
        return false;
    begin_state(sheet, def);
    sheet->features =
        cst_feature_mesh_create(sheet->x, sheet->mesh.nodes, sheet->mesh.face, sheet->mesh.triangles, false, &arena->allocator);
    sheet->surface =
        cst_mesh_space_create(sheet->x, sheet->mesh.nodes, sheet->mesh.face, sheet->mesh.triangles, false, &arena->allocator);
    if (!sheet->features || !sheet->surface)
        return false;
    return cst_feature_mesh_soften(sheet->features, fabric->thickness, NEAR * fabric->thickness);
}

static void destroy(void *self)
{
    cst_sheet *sheet = self;
    cst_feature_mesh_destroy(sheet->features);
    cst_mesh_space_destroy(sheet->surface);
    cst_arena_end(&sheet->late.arena);
    cst_arena_end_from_within(&sheet->arena);
}

static const cst_body_class SHEET = {.name = "sheet",
                                     .dynamics = &cst_sheet_dynamics,
                                     .state = &cst_sheet_state,
                                     .places = &cst_sheet_places,
                                     .surface = &cst_sheet_surface,
                                     .look = &cst_sheet_look,
                                     .destroy = destroy};

bool cst_sheet_create(const cst_sheet_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size)
{
    const cst_complaint to = {message, message_size};
    cst_sheet *sheet = CST_TAKE_WITH_ARENA(cst_sheet, allocator);
    if (!sheet)
        return cst_complain(&to, "sheet: out of memory");
    if (!fill(sheet, def, &to)) {
        destroy(sheet);
        return false;
    }
    *out = (cst_body_model){&SHEET, sheet};
    return true;
}

bool cst_is_sheet(const cst_body_model *model)
{
    return model->class == &SHEET;
}

bool cst_sheet_handle_force(const cst_body_model *model, int handle, double *force)
{
    const cst_sheet *sheet = model->self;
    memset(force, 0, 3 * sizeof *force);
    if (!cst_is_sheet(model) || handle < 0 || handle >= sheet->handles)
        return false;
    memcpy(force, sheet->handle[handle].force, sizeof sheet->handle[handle].force);
    return true;
}

void cst_sheet_elastic(const cst_body_model *model, double *membrane, double *bending)
{
    const cst_sheet *sheet = model->self;
    *membrane = sheet->elastic[CST_SHEET_MEMBRANE];
    *bending = sheet->elastic[CST_SHEET_BENDING];
}
