/* Material points of a sheet, and the surface of a sheet for contacts and drawing.
 *
 * A material point is given by a triangle and barycentric coordinates. The velocity of a material point is the mean of the
 * velocities of the three nodes, weighted by the barycentric coordinates. A node with prescribed motion is not an unknown: its
 * velocity enters `drift`, the known part of the velocity of a material point. Contact forces act on the middle surface of the
 * sheet; the moment of friction about the middle surface is neglected. */
#include <math.h>
#include <string.h>

#include "cloth/sheet_parts.h"
#include "math/vector3.h"

enum { POINT_DOFS = 9 };

static int point_dofs(const void *self)
{
    (void)self;
    return POINT_DOFS;
}

static int corner_of(const cst_sheet *sheet, int32_t triangle, int32_t node)
{
    const int32_t *face = sheet->mesh.face + 3 * (size_t)triangle;
    return face[0] == node ? 0 : face[1] == node ? 1 : 2;
}

static cst_material_point at_node(const cst_sheet *sheet, int32_t node)
{
    cst_material_point out = {.feature = sheet->mesh.face_of[node]};
    out.local[corner_of(sheet, out.feature, node)] = 1.0;
    return out;
}

static bool locate(const void *self, const cst_place *place, cst_material_point *out)
{
    const cst_sheet *sheet = self;
    if (place->node < 0 || place->node >= sheet->mesh.nodes)
        return false;
    *out = at_node(sheet, place->node);
    return true;
}

static bool touched(const void *self, const cst_material_place *at, double along, const double *x, cst_material_point *out)
{
    const cst_sheet *sheet = self;
    (void)along, (void)x;
    if (at->kind == CST_FEATURE_VERTEX) {
        *out = at_node(sheet, at->index);
    } else if (at->kind == CST_FEATURE_EDGE) {
        const cst_feature_edge *edge = sheet->features->edge + at->index;
        *out = (cst_material_point){.feature = sheet->features->face_of_edge[at->index]};
        out->local[corner_of(sheet, out->feature, edge->from)] = 1.0 - at->c[0];
        out->local[corner_of(sheet, out->feature, edge->to)] = at->c[0];
    } else {
        *out = (cst_material_point){.feature = at->index, .local = {1.0 - at->c[0] - at->c[1], at->c[0], at->c[1]}};
    }
    return false;
}

/* Computes the frame of a triangle: unit vectors along the first edge, across the first edge in the plane of the triangle, and
 * along the normal. */
static void find_frame(const cst_sheet *sheet, const double *x, int32_t triangle, double *frame)
{
    const int32_t *face = sheet->mesh.face + 3 * (size_t)triangle;
    double axis[3][3];
    cst_subtract3(x + 3 * (size_t)face[1], x + 3 * (size_t)face[0], axis[0]);
    cst_subtract3(x + 3 * (size_t)face[2], x + 3 * (size_t)face[0], axis[1]);
    cst_normalise3(axis[0]);
    cst_cross3(axis[0], axis[1], axis[2]);
    cst_normalise3(axis[2]);
    cst_cross3(axis[2], axis[0], axis[1]);
    for (int k = 0; k < 9; ++k)
        frame[k] = axis[k % 3][k / 3];
}

static void point(const void *self, const cst_material_point *at, cst_point_motion *out)
{
    const cst_sheet *sheet = self;
    const int32_t *face = sheet->mesh.face + 3 * (size_t)at->feature;
    int order[3] = {0, 1, 2}, used = 0;
    for (int pass = 0; pass < 2; ++pass) /* dofs in increasing order */
        for (int k = 0; k + 1 < 3; ++k)
            if (face[order[k]] > face[order[k + 1]]) {
                const int kept = order[k];
                order[k] = order[k + 1];
                order[k + 1] = kept;
            }
    double share[3];
    memset(out->drift, 0, sizeof out->drift);
    memset(out->drift_turn, 0, sizeof out->drift_turn);
    memset(out->position, 0, sizeof out->position);
    for (int k = 0; k < 3; ++k) {
        const int32_t node = face[order[k]];
        const double weight = at->local[order[k]];
        if (weight == 0.0)
            continue;
        cst_add3(weight, sheet->placed + 3 * (size_t)node, out->position);
        if (sheet->is_held[node]) {
            cst_add3(weight, sheet->imposed + 3 * (size_t)node, out->drift);
            continue;
        }
        for (int c = 0; c < 3; ++c)
            out->dof[3 * used + c] = 3 * node + c;
        share[used++] = weight;
    }
    out->dofs = 3 * used;
    memset(out->j, 0, sizeof *out->j * 9 * (size_t)used);
    memset(out->j_turn, 0, sizeof *out->j_turn * 9 * (size_t)used);
    for (int k = 0; k < used; ++k)
        for (int c = 0; c < 3; ++c)
            out->j[c * out->dofs + 3 * k + c] = share[k];
    out->frame_angle = 0.0;
    find_frame(sheet, sheet->placed, at->feature, out->frame);
}

static void velocity(const void *self, const cst_material_point *at, double *out, double *turn)
{
    const cst_sheet *sheet = self;
    const int32_t *face = sheet->mesh.face + 3 * (size_t)at->feature;
    memset(out, 0, 3 * sizeof *out);
    memset(turn, 0, 3 * sizeof *turn);
    for (int k = 0; k < 3; ++k)
        cst_add3(at->local[k], sheet->v + 3 * (size_t)face[k], out);
}

void cst_sheet_push(void *self, const cst_material_point *at, const double *impulse, const double *moment)
{
    cst_sheet *sheet = self;
    const int32_t *face = sheet->mesh.face + 3 * (size_t)at->feature;
    (void)moment; /* a sheet has no rotational dofs */
    for (int k = 0; k < 3; ++k)
        if (sheet->is_held[face[k]])
            cst_add3(at->local[k], impulse, sheet->pushed + 3 * (size_t)face[k]);
}

const cst_body_places cst_sheet_places = {
    .point_dofs = point_dofs, .locate = locate, .touched = touched, .point = point, .velocity = velocity};

/* ---------------------------------------------------------------------------------------------------------------- surface */

/* Computes the displacement `way` (m) of node i in a step that ends with the velocities v. */
static void node_way(const cst_sheet *sheet, const cst_step_frame *frame, const double *v, int i, double *way)
{
    for (int k = 0; k < 3; ++k) {
        const size_t dof = 3 * (size_t)i + (size_t)k;
        way[k] = frame->dt *
                 (sheet->is_held[i] ? sheet->imposed[dof] : frame->theta * v[dof] + cst_sheet_old_share(frame) * sheet->v[dof]);
    }
}

static bool features(const void *self, const cst_step_frame *frame, const double *v, cst_feature_body *out)
{
    const cst_sheet *sheet = self;
    double farthest = 0.0;
    *out = (cst_feature_body){.mesh = sheet->features,
                              .rounding = 0.5 * sheet->fabric.thickness,
                              .R = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}},
                              .vertex = {sheet->x, v ? sheet->ahead : sheet->x}};
    for (int i = 0; v && i < sheet->mesh.nodes; ++i) {
        double way[3];
        node_way(sheet, frame, v, i, way);
        for (int k = 0; k < 3; ++k)
            sheet->ahead[3 * (size_t)i + (size_t)k] = sheet->x[3 * (size_t)i + (size_t)k] + way[k];
        farthest = fmax(farthest, cst_dot3(way, way));
    }
    out->stretch = sqrt(farthest);
    return true;
}

/* Returns the number of solids of the body: for contacts with rods, the whole sheet counts as one solid (a triangle mesh). Rods
 * can touch both sides of the sheet. */
static int solids(const void *self)
{
    (void)self;
    return 1;
}

static void solid(const void *self, int index, cst_solid *out)
{
    const cst_sheet *sheet = self;
    *out = (cst_solid){.feature = index,
                       .kind = CST_SOLID_MESH,
                       .rounding = 0.5 * sheet->fabric.thickness,
                       .frame = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                       .mesh = sheet->surface};
    cst_mesh_space_move(sheet->surface, sheet->placed); /* node positions are finite: the function `place` has checked them */
}

/* Computes the average of the displacements of all nodes in a step that ends with the velocities v. `spread`: largest distance
 * (m) between the displacement of a node and the average displacement. */
static void solid_way(const void *self, const cst_step_frame *frame, const double *v, int index, cst_solid_way *out)
{
    const cst_sheet *sheet = self;
    const int nodes = sheet->mesh.nodes;
    double farthest = 0.0;
    (void)index;
    *out = (cst_solid_way){.spread = 0.0};
    for (int i = 0; i < nodes; ++i) {
        double way[3];
        node_way(sheet, frame, v, i, way);
        cst_add3(1.0 / nodes, way, out->way);
    }
    for (int i = 0; i < nodes; ++i) {
        double way[3];
        node_way(sheet, frame, v, i, way);
        cst_add3(-1.0, out->way, way);
        farthest = fmax(farthest, cst_dot3(way, way));
    }
    out->spread = sqrt(farthest);
}

/* Computes the barycentric coordinates of the point x, which lies in the triangle `part` up to rounding errors. */
static void on_solid(const void *self, int32_t part, const double *x, cst_material_place *out, double *at)
{
    const cst_sheet *sheet = self;
    const int32_t *face = sheet->mesh.face + 3 * (size_t)part, *corner = sheet->mesh.corner + 3 * (size_t)part;
    const double *origin = sheet->placed + 3 * (size_t)face[0];
    double u[3], w[3], to[3], share[3];
    cst_subtract3(sheet->placed + 3 * (size_t)face[1], origin, u);
    cst_subtract3(sheet->placed + 3 * (size_t)face[2], origin, w);
    cst_subtract3(x, origin, to);
    const double uu = cst_dot3(u, u), uw = cst_dot3(u, w), ww = cst_dot3(w, w), det = uu * ww - uw * uw;
    const double on_u = cst_dot3(to, u), on_w = cst_dot3(to, w);
    share[1] = det > 0.0 ? fmin(fmax((ww * on_u - uw * on_w) / det, 0.0), 1.0) : 0.0;
    share[2] = det > 0.0 ? fmin(fmax((uu * on_w - uw * on_u) / det, 0.0), 1.0 - share[1]) : 0.0;
    share[0] = 1.0 - share[1] - share[2];
    *out = (cst_material_place){.kind = CST_FEATURE_FACE, .index = part, .c = {share[1], share[2]}};
    at[0] = at[1] = at[2] = 0.0;
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 2; ++c)
            at[c] += share[k] * sheet->mesh.rest[2 * (size_t)corner[k] + (size_t)c];
}

const cst_body_surface cst_sheet_surface = {
    .self_contact = true, .solids = solids, .solid = solid, .solid_way = solid_way, .on_solid = on_solid, .features = features};

/* ------------------------------------------------------------------------------------------------------------------- look */

static cst_drawing draw(const void *self, int samples, double *position, double *radius, double *curvature)
{
    const cst_sheet *sheet = self;
    (void)samples;
    for (int i = 0; i < sheet->mesh.nodes; ++i) {
        if (position)
            memcpy(position + 3 * (size_t)i, sheet->placed + 3 * (size_t)i, 3 * sizeof *position);
        if (radius)
            radius[i] = 0.5 * sheet->fabric.thickness;
        if (curvature)
            curvature[i] = 0.0;
    }
    return (cst_drawing){.as = CST_DRAWN_MESH, .vertices = sheet->mesh.nodes};
}

static int triangles(const void *self, int32_t *out)
{
    const cst_sheet *sheet = self;
    if (out)
        memcpy(out, sheet->mesh.face, sizeof *out * 3 * (size_t)sheet->mesh.triangles);
    return sheet->mesh.triangles;
}

static int vertices(const void *self)
{
    const cst_sheet *sheet = self;
    return sheet->mesh.nodes;
}

static void vertex(const void *self, int index, cst_material_point *at, double *radius)
{
    const cst_sheet *sheet = self;
    *at = at_node(sheet, index);
    *radius = 0.5 * sheet->fabric.thickness;
}

const cst_body_look cst_sheet_look = {.draw = draw, .triangles = triangles, .vertices = vertices, .vertex = vertex};
