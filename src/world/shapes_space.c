/* Places the contact shapes of a 3D world, and computes their search margins and their displacements in the step. In the lists of
 * shapes, bodies come before obstacles. As contact shape, a body has at most one solid; every obstacle is one solid. Contacts
 * between two solids are found by features_space.c.
 *
 * A search finds the contact of two shapes if their gap is smaller than M, the sum of their search margins, or if their
 * displacements in the step may reduce the gap below M / 2 (collide/space_motion.h). The search margin of a body is a quarter of
 * its contact radius (the radius of its rounded surface). The search margin of an obstacle is zero. If the user sets a contact
 * margin, the search margin of every shape is half of this contact margin. To predict which material points come near each other
 * in the step, the search assumes that bodies move as if there were no contacts, and that obstacles move as prescribed
 * (collide/detect_space.h). */
#include "world/geometry_space.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "collide/distance_solid_space.h"
#include "collide/mesh_space.h"
#include "math/vector3.h"

/* MARGIN: search margin of a body, divided by its contact radius (the radius of its rounded surface). For spaghetti in a plate
 * (docs/constants.md), half the search margin increases the number of friction iterations by a third; twice the search margin
 * changes little. */
static const double MARGIN = 0.25;
enum { PARALLEL_BODIES = 16 }; /* PARALLEL_BODIES: with fewer bodies, one thread is faster than several */
/* SOLID_DEPTH: largest depth at which penetrations are searched, divided by the radius of the smallest closed mesh (the radius of
 * a ball that contains it). */
static const double SOLID_DEPTH = 0.1;

static int pieces_of(const cst_body_model *model)
{
    return model->class->surface->pieces ? model->class->surface->pieces(model->self) : 0;
}

/* Returns the number of solids of a body that centrelines can touch. `pieces`: number of centreline elements of all bodies; if it
 * is 0, the solids of sheets are left out, so that their triangles need not be sorted in each step. */
static int solids_of(const cst_body_model *model, int pieces)
{
    const cst_body_surface *surface = model->class->surface;
    return !surface->solids || (pieces == 0 && surface->on_solid) ? 0 : surface->solids(model->self);
}

static void curve_at(const void *user, int feature, double s, double *x, double *tangent)
{
    const cst_body_model *model = user;
    model->class->surface->curve(model->self, feature, s, x, tangent);
}

static void curve_bow(const void *user, int feature, double out[CST_QUARTERS - 1][3])
{
    const cst_body_model *model = user;
    model->class->surface->bow(model->self, feature, out);
}

static int count_solids(const cst_objects *objects, int pieces)
{
    int solids = objects->obstacles;
    for (int k = 0; k < objects->bodies; k++)
        solids += solids_of(objects->model + k, pieces);
    return solids;
}

static void describe_owners(const cst_space_geometry *space, cst_curve_view *curve, uint8_t *flags)
{
    const cst_objects *objects = space->in.objects;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_surface *surface = objects->model[k].class->surface;
        flags[cst_owner_of_body(k)] = space->in.rules->self_contact && surface->self_contact ? CST_OWNER_SELF_CONTACT : 0;
        curve[cst_owner_of_body(k)] = (cst_curve_view){.at = curve_at,
                                                       .inside = surface->inside,
                                                       .drift = surface->drift,
                                                       .bow = surface->bow ? curve_bow : NULL,
                                                       .user = objects->model + k};
    }
    for (int k = 0; k < objects->obstacles; k++)
        flags[cst_owner_of_obstacle(k)] = CST_OWNER_FIXED;
}

static void number_shapes(cst_space_geometry *space)
{
    const cst_objects *objects = space->in.objects;
    int pieces = 0, solids = 0;
    for (int k = 0; k < objects->bodies; k++) {
        const int own_solids = solids_of(objects->model + k, space->scene.pieces), owner = cst_owner_of_body(k);
        space->first_piece[owner] = pieces;
        space->solid_of[owner] = own_solids > 0 ? solids : -1;
        pieces += pieces_of(objects->model + k);
        solids += own_solids;
    }
    for (int k = 0; k < objects->obstacles; k++)
        space->solid_of[cst_owner_of_obstacle(k)] = solids++;
}

void *cst_space_begin(const cst_geometry_input *input, cst_arena *arena)
{
    const cst_objects *objects = input->objects;
    int pieces = 0;
    for (int k = 0; k < objects->bodies; k++)
        pieces += pieces_of(objects->model + k);
    const int owners = cst_objects_owners(objects), solids = count_solids(objects, pieces);
    cst_space_geometry *space = CST_TAKE(arena, cst_space_geometry, 1);
    cst_curve_view *curve = CST_TAKE(arena, cst_curve_view, owners);
    uint8_t *flags = CST_TAKE(arena, uint8_t, owners);
    if (arena->failed)
        return NULL;
    *space = (cst_space_geometry){.in = *input,
                                  .piece = CST_TAKE_RAW(arena, cst_piece, pieces),
                                  .shape = CST_TAKE_RAW(arena, cst_piece_shape, pieces),
                                  .move = CST_TAKE_RAW(arena, cst_piece_move, pieces),
                                  .margin = CST_TAKE_RAW(arena, double, pieces),
                                  .way = CST_TAKE_RAW(arena, cst_piece_way, pieces),
                                  .way_from = CST_TAKE_RAW(arena, cst_piece_way, pieces),
                                  .solid = CST_TAKE(arena, cst_solid, solids),
                                  .solid_margin = CST_TAKE(arena, double, solids),
                                  .solid_way = CST_TAKE(arena, cst_solid_way, solids),
                                  .solid_way_from = CST_TAKE(arena, cst_solid_way, solids),
                                  .first_piece = CST_TAKE(arena, int32_t, owners),
                                  .solid_of = CST_TAKE(arena, int32_t, owners)};
    if (arena->failed)
        return NULL;
    space->scene = (cst_space_scene){.pieces = pieces,
                                     .piece = space->piece,
                                     .shape = space->shape,
                                     .solids = solids,
                                     .solid = space->solid,
                                     .owners = owners,
                                     .curve = curve,
                                     .owner_flags = flags,
                                     .aparts = input->aparts,
                                     .apart = input->apart,
                                     .threads = input->threads};
    describe_owners(space, curve, flags);
    number_shapes(space);
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

static void gather_solids(cst_space_geometry *space, double time)
{
    const cst_objects *objects = space->in.objects;
    double smallest = 0.0;
    int solids = 0;
    for (int k = 0; k < objects->bodies; k++) {
        const cst_body_model *model = objects->model + k;
        const int own_solids = solids_of(model, space->scene.pieces);
        for (int i = 0; i < own_solids; i++) {
            model->class->surface->solid(model->self, i, space->solid + solids);
            space->solid[solids++].owner = cst_owner_of_body(k);
        }
    }
    for (int k = 0; k < objects->obstacles; k++) {
        cst_obstacle_solid(objects->obstacle + k, time, space->solid + solids);
        space->solid[solids++].owner = cst_owner_of_obstacle(k);
    }
    for (int k = 0; k < solids; k++)
        if (space->solid[k].kind == CST_SOLID_MESH && cst_mesh_space_closed(space->solid[k].mesh))
            smallest = cst_smaller_length(smallest, cst_solid_reach(space->solid + k));
    space->scene.solid_depth = SOLID_DEPTH * smallest;
}

static void gather_pieces(cst_space_geometry *space, int body)
{
    const cst_body_model *model = space->in.objects->model + body;
    const int own = pieces_of(model), first = space->first_piece[cst_owner_of_body(body)];
    for (int i = 0; i < own; i++)
        take_piece(model, body, i, space->piece + first + i);
    if (own == 0)
        return;
    memset(space->shape + first, 0, (size_t)own * sizeof *space->shape);
    if (model->class->surface->shapes)
        model->class->surface->shapes(model->self, space->shape + first);
}

static void choose_margins(cst_space_geometry *space)
{
    const double given = 0.5 * space->in.rules->margin;
    double largest = 0.0;
    space->smallest_radius = 0.0;
    for (int i = 0; i < space->scene.pieces; i++) {
        const cst_piece *piece = space->piece + i;
        space->smallest_radius = cst_smaller_length(space->smallest_radius, piece->radius);
        const double thin = cst_owner_is_body(piece->owner) ? MARGIN * piece->radius : 0.0;
        space->margin[i] = given > 0.0 ? given : thin;
        largest = fmax(largest, space->margin[i]);
    }
    for (int i = 0; i < space->scene.solids; i++) {
        const cst_solid *solid = space->solid + i;
        const double thin = cst_owner_is_body(solid->owner) ? MARGIN * solid->rounding : 0.0;
        space->solid_margin[i] = given > 0.0 ? given : thin;
    }
    /* flat: if the gap of an element varies along its length by less than `flat`, the element gets contacts at both ends, so that
     * it cannot rock on a single point. A larger contact margin set by the user does not increase `flat`: if the gap of an
     * element varies by more than the default search margin, the position of its nearest point is well defined. */
    space->scene.flat = fmin(largest, MARGIN * space->smallest_radius);
    space->scene.margin = space->margin;
    space->scene.solid_margin = space->solid_margin;
}

/* ---------------------------------------------------------------------------------------------------------------- motion */

static void obstacle_way_at(const cst_space_geometry *space, const cst_step_frame *frame, int obstacle, const double *x,
                            double *way)
{
    cst_obstacle_step_velocity(space->in.objects->obstacle + obstacle, frame, frame->time, NULL, x, way);
    for (int c = 0; c < 3; c++)
        way[c] *= frame->dt;
}

/* Returns a bound (m) for the displacements of an obstacle that deforms: the largest displacement at the corners of a box
 * around it. */
static double largest_way(const cst_space_geometry *space, const cst_step_frame *frame, int obstacle, const cst_solid *solid)
{
    const double reach = cst_solid_reach(solid);
    double largest = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double x[3], way[3];
        for (int c = 0; c < 3; c++)
            x[c] = solid->position[c] + (corner >> c & 1 ? reach : -reach);
        obstacle_way_at(space, frame, obstacle, x, way);
        largest = fmax(largest, sqrt(cst_dot3(way, way)));
    }
    return largest;
}

/* Returns the distance (m) from a point to the farthest centreline element of all bodies, which bounds the part of an infinite
 * plane that can be touched. */
static double farthest_piece(const cst_space_geometry *space, const double *from)
{
    double farthest = 0.0;
    for (int i = 0; i < space->scene.pieces; i++) {
        const cst_piece *piece = space->piece + i;
        const cst_curve_view *curve = space->scene.curve + piece->owner;
        double x[3];
        curve->at(curve->user, piece->feature, 0.0, x, NULL);
        cst_add3(-1.0, from, x);
        farthest = fmax(farthest, sqrt(cst_dot3(x, x)) + piece->length);
    }
    return farthest;
}

/* Computes the displacement of an obstacle in the step. For a rigid obstacle, the displacement is a linear function of the
 * position, with the gradient G.
 *     `turn`: rotation vector of the obstacle: the axial vector of (G - G^T) / 2, with the gradient G of its displacement.
 *     `spread`: bound (m) for the part of the displacement that is not a translation plus the infinitesimal rotation `turn`. The
 *         bound `spread` is the size of the obstacle times the norm of (G + G^T) / 2, which is not zero for a finite rotation. */
static void find_obstacle_way(const cst_space_geometry *space, const cst_step_frame *frame, int obstacle, const cst_solid *solid,
                              cst_solid_way *out)
{
    static const double ARM = 1.0; /* m */
    const cst_obstacle_def *def = &space->in.objects->obstacle[obstacle].def;
    double gradient[9], rest = 0.0;
    if (def->mesh_times > 0) {
        out->spread = largest_way(space, frame, obstacle, solid);
        return;
    }
    if (def->motion.keys == 0)
        return;
    obstacle_way_at(space, frame, obstacle, solid->position, out->way);
    for (int k = 0; k < 3; k++) {
        double x[3] = {solid->position[0], solid->position[1], solid->position[2]}, way[3];
        x[k] += ARM;
        obstacle_way_at(space, frame, obstacle, x, way);
        for (int c = 0; c < 3; c++)
            gradient[3 * c + k] = (way[c] - out->way[c]) / ARM;
    }
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            rest += 0.25 * (gradient[3 * c + k] + gradient[3 * k + c]) * (gradient[3 * c + k] + gradient[3 * k + c]);
    out->turn[0] = 0.5 * (gradient[7] - gradient[5]);
    out->turn[1] = 0.5 * (gradient[2] - gradient[6]);
    out->turn[2] = 0.5 * (gradient[3] - gradient[1]);
    if (rest > 0.0)
        out->spread =
            sqrt(rest) * (solid->kind == CST_SOLID_PLANE ? farthest_piece(space, solid->position) : cst_solid_reach(solid));
}

/* Computes the displacements of all obstacles in the step; with `frame` NULL, the obstacles do not move. */
static void find_obstacle_ways(const cst_space_geometry *space, const cst_step_frame *frame, cst_solid_way *way)
{
    const int bodies = space->scene.solids - space->in.objects->obstacles; /* solids of bodies come first */
    for (int i = bodies; i < space->scene.solids; i++) {
        way[i] = (cst_solid_way){.spread = 0.0};
        if (frame)
            find_obstacle_way(space, frame, i - bodies, space->solid + i, way + i);
    }
}

/* Computes the displacements of one body in a step that ends with the velocities v of all bodies. */
static void find_body_ways(const cst_space_geometry *space, const cst_step_frame *frame, int body, const int32_t *start_of,
                           const double *v, cst_piece_way *way, cst_solid_way *solid_way)
{
    const cst_body_model *model = space->in.objects->model + body;
    const int owner = cst_owner_of_body(body);
    v += start_of[body];
    if (pieces_of(model) > 0)
        model->class->surface->piece_ways(model->self, frame, v, way + space->first_piece[owner]);
    for (int i = 0; i < solids_of(model, space->scene.pieces); i++)
        model->class->surface->solid_way(model->self, frame, v, i, solid_way + space->solid_of[owner] + i);
}

static void subtract_way(const cst_space_geometry *space, int body)
{
    const cst_body_model *model = space->in.objects->model + body;
    const int owner = cst_owner_of_body(body), first = space->first_piece[owner];
    for (int i = first; i < first + pieces_of(model); i++)
        for (int c = 0; c < 6; c++)
            space->way[i].way[c / 3][c % 3] -= space->way_from[i].way[c / 3][c % 3];
    for (int i = space->solid_of[owner]; i >= 0 && i < space->solid_of[owner] + solids_of(model, space->scene.pieces); i++)
        for (int c = 0; c < 3; c++) {
            space->solid_way[i].way[c] -= space->solid_way_from[i].way[c];
            space->solid_way[i].turn[c] -= space->solid_way_from[i].turn[c];
        }
}

/* Returns true if displacements decide which contacts a search finds. With a contact margin given by the user, the search
 * finds all contacts with a smaller gap, whatever the displacements. */
static bool ways_matter(const cst_space_geometry *space, const cst_geometry_motion *motion)
{
    return motion && (motion->free || motion->next) && !(space->in.rules->margin > 0.0);
}

/* Collects the centreline elements of one body, and computes the displacements of the body. One function performs both tasks, so
 * that the data of the body are read from memory only once. The displacements of a body are those that it would have without
 * contacts (motion->free). In a search at the end of the step, the bodies have already moved, so their actual displacements (with
 * the velocities v) are subtracted from the displacements without contacts. If motion->free is NULL, the displacements in the
 * next step are estimated from the velocities motion->next; `next` gives the time and the length of the next step. A search at
 * the end of the step also stores the motions of the elements, with which world/strand_check.h checks that no centrelines passed
 * through each other. */
static void gather_body(cst_space_geometry *space, const cst_geometry_motion *motion, const cst_step_frame *next, int body)
{
    const cst_step_frame *frame = space->in.frame;
    const cst_body_model *model = space->in.objects->model + body;
    gather_pieces(space, body);
    if (motion && motion->at_end && pieces_of(model) > 0 && model->class->surface->moved)
        model->class->surface->moved(model->self, space->move + space->first_piece[cst_owner_of_body(body)]);
    if (!ways_matter(space, motion))
        return;
    if (!motion->free) {
        find_body_ways(space, next, body, motion->start_of, motion->next, space->way_from, space->solid_way_from);
        return;
    }
    find_body_ways(space, frame, body, motion->start_of, motion->free, space->way, space->solid_way);
    if (motion->at_end) {
        find_body_ways(space, frame, body, motion->start_of, motion->v, space->way_from, space->solid_way_from);
        subtract_way(space, body);
    }
}

void cst_space_place(cst_space_geometry *space, double time, const cst_geometry_motion *motion)
{
    const int bodies = space->in.objects->bodies, threads = cst_threads_for(space->in.threads, bodies, PARALLEL_BODIES);
    cst_step_frame next = *space->in.frame; /* time, length and settings of the next step, which begins at `time` */
    next.time = time;
    next.theta = 1.0;
    gather_solids(space, time);
    CST_PARALLEL_FOR(threads, schedule(static), (int k = 0; k < bodies; k++), { gather_body(space, motion, &next, k); });
    choose_margins(space);
    space->scene.way = space->scene.next_way = NULL;
    space->scene.solid_way = space->scene.next_solid_way = NULL;
    if (!ways_matter(space, motion))
        return;
    if (motion->free) { /* in a search at the end of the step, the obstacles do not move any further */
        find_obstacle_ways(space, motion->at_end ? NULL : space->in.frame, space->solid_way);
        space->scene.way = space->way;
        space->scene.solid_way = space->solid_way;
    } else {
        find_obstacle_ways(space, &next, space->solid_way_from);
        space->scene.next_way = space->way_from;
        space->scene.next_solid_way = space->solid_way_from;
    }
}
