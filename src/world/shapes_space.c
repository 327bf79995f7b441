/* Bodies come before obstacles, each in their order. An owner has pieces that stand together, and at most one solid. Obstacles are solids.
 * Solids do not touch solids here: their surfaces do (features_space.c).
 *
 * Margins as in the plane (shapes_plane.c): a quarter of the contact radius, or one and a half times the motion expected in the step; a
 * moving obstacle adds its own motion. */
#include "world/geometry_space.h"

#include <math.h>

#include "collide/mesh_space.h"
#include "math/vector3.h"

static const double MARGIN = 0.25, MOTION_SAFETY = 1.5;
static const double SOLID_DEPTH = 0.1; /* of the size of the smallest closed mesh: how deep matter is looked for */

static int pieces_of(const cst_body_model *model)
{
    return model->class->surface->pieces ? model->class->surface->pieces(model->self) : 0;
}

static int solids_of(const cst_body_model *model)
{
    return model->class->surface->solids ? model->class->surface->solids(model->self) : 0;
}

static void curve_at(const void *user, int feature, double s, double *x, double *tangent)
{
    const cst_body_model *model = user;
    model->class->surface->curve(model->self, feature, s, x, tangent);
}

static int count_solids(const cst_objects *objects)
{
    int solids = objects->obstacles;
    for (int k = 0; k < objects->bodies; k++)
        solids += solids_of(objects->model + k);
    return solids;
}

static void describe_owners(const cst_space_geometry *space, cst_curve_view *curve, uint8_t *flags)
{
    const cst_objects *objects = space->in.objects;
    for (int k = 0; k < objects->bodies; k++) {
        flags[cst_owner_of_body(k)] =
            space->in.rules->self_contact && objects->model[k].class->surface->self_contact ? CST_OWNER_SELF_CONTACT : 0;
        curve[cst_owner_of_body(k)] = (cst_curve_view){.at = curve_at, .user = objects->model + k};
    }
    for (int k = 0; k < objects->obstacles; k++)
        flags[cst_owner_of_obstacle(k)] = CST_OWNER_FIXED;
}

void *cst_space_begin(const cst_geometry_input *input, cst_arena *arena)
{
    const cst_objects *objects = input->objects;
    const int owners = cst_objects_owners(objects), solids = count_solids(objects);
    int pieces = 0;
    for (int k = 0; k < objects->bodies; k++)
        pieces += pieces_of(objects->model + k);
    cst_space_geometry *space = CST_TAKE(arena, cst_space_geometry, 1);
    cst_curve_view *curve = CST_TAKE(arena, cst_curve_view, owners);
    uint8_t *flags = CST_TAKE(arena, uint8_t, owners);
    if (arena->failed)
        return NULL;
    *space = (cst_space_geometry){.in = *input,
                                  .piece = CST_TAKE(arena, cst_piece, pieces),
                                  .margin = CST_TAKE(arena, double, pieces),
                                  .solid = CST_TAKE(arena, cst_solid, solids),
                                  .solid_margin = CST_TAKE(arena, double, solids),
                                  .first_piece = CST_TAKE(arena, int32_t, owners),
                                  .solid_of = CST_TAKE(arena, int32_t, owners)};
    if (arena->failed)
        return NULL;
    space->scene = (cst_space_scene){.pieces = pieces,
                                     .piece = space->piece,
                                     .solids = solids,
                                     .solid = space->solid,
                                     .owners = owners,
                                     .curve = curve,
                                     .owner_flags = flags,
                                     .aparts = input->aparts,
                                     .apart = input->apart,
                                     .threads = input->threads};
    describe_owners(space, curve, flags);
    return cst_space_features_begin(&space->features, &space->in, flags, arena) ? space : NULL;
}

static void take_piece(const cst_body_model *model, int body, int index, cst_piece *out)
{
    cst_curve_piece piece = {0};
    model->class->surface->piece(model->self, index, &piece);
    *out = (cst_piece){.owner = cst_owner_of_body(body),
                       .feature = index,
                       .length = piece.length,
                       .radius = piece.radius,
                       .curvature = piece.curvature,
                       .s = piece.s,
                       .owner_length = piece.owner_length,
                       .owner_closed = piece.owner_closed};
}

/* Half the diagonal of what a solid reaches around its own frame's origin; 0 for a plane, which has no bound. */
static double reach_of(const cst_solid *solid)
{
    const double *size = solid->size;
    switch (solid->kind) {
    case CST_SOLID_PLANE:
        return 0.0;
    case CST_SOLID_SPHERE:
        return size[0];
    case CST_SOLID_CAPSULE:
        return size[0] + size[1];
    case CST_SOLID_BOX:
        return sqrt(cst_dot3(size, size)) + solid->rounding;
    case CST_SOLID_CYLINDER:
        return hypot(size[0], size[1]) + solid->rounding;
    case CST_SOLID_MESH:
        break;
    }
    const cst_box box = cst_mesh_space_box(solid->mesh);
    double farthest = 0.0;
    for (int c = 0; c < 3; c++) {
        const double most = fmax(fabs(box.low[c]), fabs(box.high[c]));
        farthest += most * most;
    }
    return sqrt(farthest) + solid->rounding;
}

static void gather(cst_space_geometry *space, double time)
{
    const cst_objects *objects = space->in.objects;
    double smallest = 0.0;
    int pieces = 0, solids = 0;
    space->smallest_radius = 0.0;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        const int own = pieces_of(model), own_solids = solids_of(model), owner = cst_owner_of_body(k);
        space->first_piece[owner] = pieces;
        space->solid_of[owner] = own_solids > 0 ? solids : -1;
        for (int i = 0; i < own; i++) {
            take_piece(model, k, i, space->piece + pieces);
            space->smallest_radius = cst_smaller_length(space->smallest_radius, space->piece[pieces].radius);
            pieces++;
        }
        for (int i = 0; i < own_solids; i++) {
            model->class->surface->solid(model->self, i, space->solid + solids);
            space->solid[solids++].owner = owner;
        }
    }
    for (int k = 0; k < objects->obstacles; k++) {
        const int owner = cst_owner_of_obstacle(k);
        cst_obstacle_solid(objects->obstacle + k, time, space->solid + solids);
        space->solid_of[owner] = solids;
        space->solid[solids].owner = owner;
        solids++;
    }
    for (int k = 0; k < solids; k++)
        if (space->solid[k].kind == CST_SOLID_MESH && cst_mesh_space_closed(space->solid[k].mesh))
            smallest = cst_smaller_length(smallest, reach_of(space->solid + k));
    space->scene.solid_depth = SOLID_DEPTH * smallest;
    space->scene.margin = space->scene.solid_margin = NULL;
}

static double obstacle_motion(const cst_space_geometry *space, int obstacle, double time, const double *x)
{
    double velocity[3];
    cst_obstacle_step_velocity(space->in.objects->obstacle + obstacle, space->in.frame, time, NULL, x, velocity);
    return space->in.frame->dt * sqrt(cst_dot3(velocity, velocity));
}

/* A bound of how far an obstacle goes in the step: of a box around it, or where bodies are (a plane has no end). */
static double motion_of_solid(const cst_space_geometry *space, int obstacle, const cst_solid *solid, double time)
{
    const double reach = reach_of(solid);
    double largest = 0.0;
    if (solid->kind == CST_SOLID_PLANE) {
        for (int i = 0; i < space->scene.pieces; i++) {
            const cst_piece *piece = space->piece + i;
            const cst_curve_view *curve = space->scene.curve + piece->owner;
            double x[3];
            curve->at(curve->user, piece->feature, 0.0, x, NULL);
            largest = fmax(largest, obstacle_motion(space, obstacle, time, x));
        }
        return largest;
    }
    for (int corner = 0; corner < 8; corner++) {
        double x[3];
        for (int c = 0; c < 3; c++)
            x[c] = solid->position[c] + (corner >> c & 1 ? reach : -reach);
        largest = fmax(largest, obstacle_motion(space, obstacle, time, x));
    }
    return largest;
}

static void choose_margins(cst_space_geometry *space, double time, const double *travel)
{
    const cst_objects *objects = space->in.objects;
    const double given = 0.5 * space->in.rules->margin;
    double largest = 0.0;
    int piece = 0, solid = 0;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        const double motion = MOTION_SAFETY * travel[k];
        for (int i = pieces_of(model); i > 0; i--, piece++) {
            space->margin[piece] = given > 0.0 ? given : fmax(MARGIN * space->piece[piece].radius, motion);
            largest = fmax(largest, space->margin[piece]);
        }
        for (int i = solids_of(model); i > 0; i--, solid++)
            space->solid_margin[solid] = given > 0.0 ? given : fmax(MARGIN * space->solid[solid].rounding, motion);
    }
    for (int k = 0; k < objects->obstacles; k++, solid++) {
        const cst_obstacle_def *def = &objects->obstacle[k].def;
        const bool moves = def->motion.keys > 0 || def->mesh_times > 0;
        space->solid_margin[solid] = given > 0.0 ? given
                                     : moves     ? MOTION_SAFETY * motion_of_solid(space, k, space->solid + solid, time)
                                                 : 0.0;
    }
    /* An element that lies down within its margin is held at both ends before it rocks. No farther than a thin margin, however fast things
     * are: what is level over the length of an element has no deepest point. */
    space->scene.flat = fmin(largest, MARGIN * space->smallest_radius);
    space->scene.margin = space->margin;
    space->scene.solid_margin = space->solid_margin;
}

void cst_space_place(cst_space_geometry *space, double time, const double *travel)
{
    gather(space, time);
    if (travel)
        choose_margins(space, time, travel);
}
