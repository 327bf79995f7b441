/* Energies, state, centreline and drawing of a nodal rod between time steps. */
#include <math.h>
#include <string.h>

#include "collide/key.h"
#include "math/vector3.h"
#include "rod/nodal_curve.h"
#include "rod/nodal_stretch.h"
#include "rod/rod_class.h"

static void position(const void *self, const cst_material_point *at, double *position)
{
    const cst_nodal_rod *rod = self;
    cst_nodal_curve_at(rod, &rod->now, at, position, NULL, NULL);
}

double cst_nodal_elastic_energy(const cst_nodal_rod *rod, const cst_nodal_shape *shape)
{
    const cst_nodal_model *model = rod->model;
    double twice = 0.0, strain[CST_NODAL_ROWS], t[3];
    for (int i = 0; i < rod->edges; ++i) {
        const double length = cst_nodal_direction(rod, shape, i, t), stretch = length / rod->rest[i] - 1.0;
        twice += rod->stretching * rod->rest[i] * stretch * stretch + 2.0 * cst_nodal_pressed_energy(rod, i, length);
        if (model->edge.rows > 0)
            model->edge.find(rod, shape, i, strain, NULL);
        for (int r = 0; r < model->edge.rows; ++r)
            twice += rod->edge_stiffness[i * model->edge.rows + r] * strain[r] * strain[r];
    }
    for (int i = 0; i < rod->joints; ++i) {
        model->joint.find(rod, shape, i, strain, NULL);
        for (int r = 0; r < model->joint.rows; ++r)
            twice += rod->joint_stiffness[i * model->joint.rows + r] * strain[r] * strain[r];
    }
    return 0.5 * twice;
}

void cst_nodal_energy(const void *self, const double *gravity, cst_body_energy *out)
{
    const cst_nodal_rod *rod = self;
    *out = (cst_body_energy){.elastic = cst_nodal_elastic_energy(rod, &rod->now)};
    for (int i = 0; i < rod->total; ++i) {
        out->kinetic += 0.5 * rod->mass[i] * rod->v[i] * rod->v[i];
        if (i % rod->stride < 3)
            out->gravity -= rod->mass[i] * gravity[i % rod->stride] * rod->now.q[i];
    }
}

void cst_nodal_work(const void *self, cst_body_work *out)
{
    *out = ((const cst_nodal_rod *)self)->work;
}

double cst_nodal_length_error(const cst_nodal_rod *rod, const cst_nodal_shape *shape)
{
    double worst = 0.0, t[3];
    for (int i = 0; i < rod->edges; ++i)
        worst = fmax(worst, fabs(cst_nodal_direction(rod, shape, i, t) / rod->rest[i] - 1.0));
    return worst;
}

/* ------------------------------------------------------------------------------------------------------------------ state */

int cst_nodal_dofs(const void *self)
{
    const cst_nodal_rod *rod = self;
    return rod->total - rod->held;
}

static int point_dofs(const void *self)
{
    return ((const cst_nodal_rod *)self)->stride + 9; /* four nodes and an edge */
}

int cst_nodal_state_size(const void *self)
{
    const cst_nodal_rod *rod = self;
    return 2 * rod->total + rod->edges * rod->model->frame_size;
}

void cst_nodal_save(const void *self, double *to)
{
    memcpy(to, ((const cst_nodal_rod *)self)->state, (size_t)cst_nodal_state_size(self) * sizeof *to);
}

void cst_nodal_load(void *self, const double *from)
{
    cst_nodal_rod *rod = self;
    memcpy(rod->state, from, (size_t)cst_nodal_state_size(self) * sizeof *from);
    cst_nodal_settle(rod);
}

/* ------------------------------------------------------------------------------------------------------------- centreline */

static double piece_length(const cst_nodal_rod *rod, int index)
{
    return rod->clamped && index == 0 ? 0.5 * rod->edge_length : rod->edge_length;
}

static int pieces(const void *self)
{
    return ((const cst_nodal_rod *)self)->edges;
}

static void piece(const void *self, int index, cst_curve_piece *out)
{
    const cst_nodal_rod *rod = self;
    const double start = rod->clamped && index > 0 ? index - 0.5 : index;
    *out = (cst_curve_piece){.length = piece_length(rod, index),
                             .radius = rod->radius[index],
                             .curvature = cst_nodal_most_bent(rod, &rod->placed, index),
                             .s = start * rod->edge_length,
                             .owner_length = rod->length,
                             .owner_closed = rod->closed};
}

static void curve(const void *self, int index, double s, double *x, double *tangent)
{
    const cst_nodal_rod *rod = self;
    cst_nodal_curve_at(rod, &rod->placed, &(cst_material_point){.feature = index, .s = s}, x, tangent, NULL);
}

/* The array `pose` describes the shape of an edge for contact detection: it contains the bending vectors at the two nodes of the
 * edge, which define how the centreline deviates from the straight edge. A bending vector is the second difference of the node
 * positions, times the blending factor (nodal_curve.h). */
static void shapes(const void *self, cst_piece_shape *out)
{
    const cst_nodal_rod *rod = self;
    for (int i = 0; i < rod->edges; ++i) {
        out[i].has_key = true;
        cst_key_add_reals(&out[i].key, rod->placed.q + cst_nodal_node(rod, i), 3);
        cst_key_add_reals(&out[i].key, rod->placed.q + cst_nodal_node(rod, i + 1), 3);
        if (rod->placed.bend[i].share != 0.0)
            cst_key_add_reals(&out[i].key, rod->placed.bend[i].at[0], 6);
        memcpy(out[i].pose, rod->placed.bend[i].at, sizeof rod->placed.bend[i].at);
    }
}

/* Returns the larger of the changes (m), from `was` to `is`, of the two bending vectors of an edge. */
static double bend_change(const double was[2][3], const double is[2][3])
{
    double change = 0.0;
    for (int end = 0; end < 2; ++end) {
        double off[3];
        cst_subtract3(is[end], was[end], off);
        change = fmax(change, sqrt(cst_dot3(off, off)));
    }
    return change;
}

static double drift(double length, const double *was, const double *is)
{
    double before[2][3], now[2][3];
    (void)length;
    memcpy(before, was, sizeof before);
    memcpy(now, is, sizeof now);
    /* If the displacements of the points of an edge are interpolated linearly along the edge, or along a part of the edge, the
     * interpolation error is at most 1/8 of the larger change of the two bending vectors of the edge. */
    return 0.125 * bend_change(before, now);
}

/* Computes upper bounds of the motion of each edge since the last accepted step. If the bending vectors (scaled second
 * differences of the node positions) at the ends of an edge change by at most d, the points of the curved edge move by at most
 * d / 8 relative to its chord. If the bending vectors at the ends of an edge of length l change by at most d, its tangents turn
 * by at most d / (2 l) more than its chord. */
static void moved(const void *self, cst_piece_move *out)
{
    const cst_nodal_rod *rod = self;
    double before[3], t[3], turn[3], share = 0.0;
    for (int i = 0; i < rod->edges; ++i) {
        const double length = piece_length(rod, i);
        const cst_nodal_bend *was_bent = rod->now.bend + i, *is_bent = rod->placed.bend + i;
        out[i] = (cst_piece_move){.bend = cst_nodal_most_bent(rod, &rod->now, i)};
        const double change = bend_change(was_bent->at, is_bent->at);
        /* The two ends of an edge are its nodes, except that edge 0 of a clamped rod begins at the clamp, in the middle of this
         * edge. */
        for (int end = 0; end < 2; ++end) {
            const int node = cst_nodal_node(rod, i + end);
            double was[3], is[3];
            if (i > 0 || !rod->clamped) {
                cst_subtract3(rod->placed.q + node, rod->now.q + node, out[i].went.way[end]);
                continue;
            }
            const cst_material_point at = {.feature = i, .s = end * length};
            cst_nodal_curve_at(rod, &rod->now, &at, was, NULL, NULL);
            cst_nodal_curve_at(rod, &rod->placed, &at, is, NULL, NULL);
            cst_subtract3(is, was, out[i].went.way[end]);
        }
        cst_subtract3(out[i].went.way[1], out[i].went.way[0], turn);
        out[i].went.spread = 0.125 * change;
        out[i].turned = sqrt(cst_dot3(turn, turn)) / length + 0.5 * change / rod->edge_length;
        cst_nodal_direction(rod, &rod->now, i, t);
        if (i == 0 && rod->closed) {
            cst_nodal_direction(rod, &rod->now, rod->edges - 1, before);
            share = rod->now.bend[rod->edges - 1].share;
        }
        /* two neighbouring edges whose centreline is the smooth curve form no corner: they have the same tangent at their
         * common node */
        if (i > 0 || rod->closed) {
            double corner[3];
            cst_subtract3(t, before, corner);
            out[i].corner = 1.5707963267948966 * sqrt(cst_dot3(corner, corner)) * /* angle <= chord times pi/2 */
                            (1.0 - 0.5 * (share + was_bent->share));
        }
        memcpy(before, t, sizeof before);
        share = was_bent->share;
    }
}

static bool locate(const void *self, const cst_place *place, cst_material_point *out)
{
    const cst_nodal_rod *rod = self;
    const double s = place->at_end ? rod->length : place->s, l = rod->edge_length;
    if (!(s >= 0.0 && s <= rod->length))
        return false;
    int edge = (int)floor(s / l + (rod->clamped ? 0.5 : 0.0));
    edge = edge < rod->edges ? edge : rod->edges - 1;
    const double start = rod->clamped && edge > 0 ? (edge - 0.5) * l : edge * l;
    *out = (cst_material_point){.feature = edge, .s = fmin(fmax(s - start, 0.0), piece_length(rod, edge))};
    /* the point at the end of the rod is placed exactly at the end of the last edge, without rounding error */
    if (s == rod->length)
        out->s = piece_length(rod, edge);
    return true;
}

/* Returns the curvature at a node, 2 tan(phi / 2) / l, with the angle phi between the two edges at the node and the edge length
 * l. At an end of an open rod, the curvature at the nearest inner node is returned. */
static double node_curvature(const cst_nodal_rod *rod, int node)
{
    int joint = node - 1;
    if (rod->closed)
        joint = (joint + rod->edges) % rod->edges;
    else
        joint = joint < 0 ? 0 : joint < rod->joints ? joint : rod->joints - 1;
    double a[3], b[3], cross[3];
    cst_nodal_direction(rod, &rod->now, joint, a);
    cst_nodal_direction(rod, &rod->now, cst_nodal_next(rod, joint), b);
    cst_cross3(a, b, cross);
    return 2.0 * sqrt(cst_dot3(cross, cross)) / ((1.0 + cst_dot3(a, b)) * rod->edge_length);
}

static cst_drawing draw(const void *self, int samples, double *position, double *radius, double *curvature)
{
    const cst_nodal_rod *rod = self;
    const int per_edge = samples > 1 ? samples : 1, vertices = per_edge * rod->edges + (rod->closed ? 0 : 1);
    for (int k = 0; k < vertices; ++k) {
        double along;
        const int edge = cst_element_sample(k, per_edge, rod->edges, &along);
        const cst_material_point at = {.feature = edge, .s = along * piece_length(rod, edge)};
        if (position)
            cst_nodal_curve_at(rod, &rod->now, &at, position + 3 * k, NULL, NULL);
        if (radius)
            radius[k] = rod->radius[edge];
        if (curvature) {
            const double share = cst_nodal_share(rod, edge, at.s);
            curvature[k] = (1.0 - share) * node_curvature(rod, edge) + share * node_curvature(rod, edge + 1);
        }
    }
    return (cst_drawing){.as = CST_DRAWN_CURVE, .vertices = vertices, .closed = rod->closed};
}

CST_ROD_LOOK(cst_nodal, cst_nodal_rod, edges, piece_length(self_, self_->edges - 1));

const cst_body_state cst_nodal_state = {.size = cst_nodal_state_size, .save = cst_nodal_save, .load = cst_nodal_load};

const cst_body_places cst_nodal_places =
    CST_ROD_PLACES(point_dofs, locate, cst_nodal_point, cst_nodal_velocity, position, cst_nodal_acceleration);

const cst_body_surface cst_nodal_surface = CST_FIBER_SURFACE(cst_nodal_ways, NULL, NULL);
