#include "scene/define.h"

#include <math.h>

#include "scene/values.h"

static const double pi = 3.14159265358979323846;

cst_motion cst_define_keys(const cst_json *node, void (*get_rotation)(const cst_json *, const char *, double *),
                           cst_arena *scratch)
{
    cst_motion motion = {0};
    const cst_json *keys = node ? cst_given(node, "keys") : NULL;
    cst_key *key = keys ? CST_TAKE(scratch, cst_key, keys->count) : NULL;
    if (!key)
        return motion;
    motion = (cst_motion){
        .key = key, .keys = keys->count, .smooth = cst_get_bool(node, "smooth"), .period = cst_get_real(node, "period")};
    for (const cst_json *from = keys->first; from; from = from->next, key++) {
        key->time = cst_get_real(from, "time");
        cst_get_vector(from, "translation", key->translation);
        get_rotation(from, "rotation", key->rotation);
    }
    return motion;
}

static void get_angle(const cst_json *node, const char *key, double *rotation)
{
    rotation[2] = cst_get_real(node, key);
}

cst_motion cst_define_motion(const cst_json *node, cst_arena *scratch)
{
    return cst_define_keys(node, get_angle, scratch);
}

/* ------------------------------------------------------------------------------------------------------------------- rods */

/* Returns one value for each element of a rod. The JSON node is a number for all elements, an array with one value per element,
 * or a start value and an end value; these are interpolated linearly along the rod to the middle of each element. */
static double *element_values(const cst_json *node, int elements, const double *element_length, cst_arena *scratch)
{
    double *value = CST_TAKE(scratch, double, elements);
    if (!value)
        return NULL;
    if (node->kind == CST_JSON_ARRAY) {
        cst_get_reals(node, value);
        return value;
    }
    bool changes = node->kind == CST_JSON_OBJECT;
    double from = changes ? cst_get_real(node, "from") : node->number, to = changes ? cst_get_real(node, "to") : node->number;
    double length = 0.0, before = 0.0;
    for (int i = 0; i < elements; i++)
        length += element_length ? element_length[i] : 1.0;
    for (int i = 0; i < elements; i++) {
        double own = element_length ? element_length[i] : 1.0;
        value[i] = from + (to - from) * (before + 0.5 * own) / length;
        before += own;
    }
    return value;
}

static double *element_array(const cst_json *rod, const char *key, int elements, cst_arena *scratch)
{
    const cst_json *node = cst_given(rod, key);
    return node && node->kind == CST_JSON_ARRAY ? element_values(node, elements, NULL, scratch) : NULL;
}

double cst_rod_length(const cst_json *rod)
{
    const cst_json *node = cst_given(rod, "length");
    double length = 0.0;
    if (node && node->kind == CST_JSON_ARRAY)
        for (const cst_json *child = node->first; child; child = child->next)
            length += child->number;
    return node && node->kind == CST_JSON_NUMBER ? node->number : length;
}

/* Sets contact radius, mass and stiffness of a rod from those keys that are given: for example radius or thickness, density or
 * mass per length. */
static void define_section(const cst_json *node, cst_rod_def *rod, cst_arena *scratch)
{
    double thickness = cst_get_real_or(node, "thickness", 0.0), width = cst_get_real_or(node, "width", 0.0);
    bool strip = thickness > 0.0 && width > 0.0;
    double *radius = element_array(node, "radius", rod->elements, scratch);
    rod->element_radius = radius;
    rod->radius = radius ? radius[0] : cst_get_real_or(node, "radius", 0.5 * thickness);
    double area = strip ? width * thickness : pi * rod->radius * rod->radius;
    rod->mass_per_length = cst_get_real_or(node, "mass_per_length", cst_get_real_or(node, "density", 0.0) * area);
    double *stiffness = element_array(node, "bending_stiffness", rod->elements, scratch);
    double young = cst_get_real_or(node, "young", 0.0);
    if (cst_given(node, "young") && radius && !strip) {
        stiffness = CST_TAKE(scratch, double, rod->elements);
        for (int i = 0; stiffness && i < rod->elements; i++)
            stiffness[i] = young * pi * pow(radius[i], 4) / 4.0;
    }
    double second_moment = strip ? width * pow(thickness, 3) / 12.0 : pi * pow(rod->radius, 4) / 4.0;
    rod->element_bending_stiffness = stiffness;
    rod->bending_stiffness = stiffness ? stiffness[0] : cst_get_real_or(node, "bending_stiffness", young * second_moment);
    rod->viscosity = cst_get_real_or(node, "viscosity", cst_get_real_or(node, "damping_time", 0.0) * rod->bending_stiffness);
}

static void define_shape(const cst_json *node, cst_rod_def *rod, cst_arena *scratch)
{
    double turn = 2.0 * pi / rod->length;
    const cst_json *natural = cst_given(node, "natural_curvature"), *first = cst_given(node, "curvature");
    bool even = !natural || natural->kind == CST_JSON_NUMBER;
    rod->natural_curvature = natural && even ? natural->number : natural ? 0.0 : rod->closed ? turn : 0.0;
    if (!even)
        rod->element_natural_curvature = element_values(natural, rod->elements, rod->element_length, scratch);
    if (first) {
        rod->curvature = element_values(first, rod->elements, rod->element_length, scratch);
    } else if (rod->closed) {
        double *ring = CST_TAKE(scratch, double, rod->elements);
        for (int i = 0; ring && i < rod->elements; i++)
            ring[i] = turn;
        rod->curvature = ring;
    }
}

cst_rod_def cst_define_rod(const cst_json *node, cst_arena *scratch)
{
    cst_rod_def rod = cst_rod_def_default();
    rod.contour = (cst_rod_contour)cst_get_choice(node, "contour");
    rod.formulation = (cst_rod_formulation)cst_get_choice(node, "formulation");
    rod.elements = (int)cst_get_integer(node, "elements");
    rod.length = cst_rod_length(node);
    rod.element_length = element_array(node, "length", rod.elements, scratch);
    rod.closed = cst_get_bool(node, "closed");
    define_section(node, &rod, scratch);
    define_shape(node, &rod, scratch);
    rod.drag = cst_get_real(node, "drag");
    cst_get_vector(node, "load", rod.load);
    cst_get_vector(node, "position", rod.position);
    rod.angle = cst_get_real(node, "angle");
    cst_get_vector(node, "velocity", rod.velocity);
    rod.angular_velocity = cst_get_real(node, "angular_velocity");
    rod.clamped = cst_get_bool(node, "clamped");
    rod.root_motion = cst_define_motion(cst_given(node, "motion"), scratch);
    double *friction = element_array(node, "friction", rod.elements, scratch);
    rod.element_friction = friction;
    rod.surface.friction = friction ? CST_UNSET : cst_get_real_or(node, "friction", CST_UNSET);
    rod.surface.restitution = cst_get_real_or(node, "restitution", CST_UNSET);
    return rod;
}

/* ----------------------------------------------------------------------------------------------- rigid bodies and obstacles */

double cst_polygon_area(const double *corner, int corners)
{
    double twice = 0.0;
    for (int i = 0; i < corners; i++) {
        const double *a = corner + 2 * i, *b = corner + 2 * ((i + 1) % corners);
        /* The area is computed from coordinates relative to the first corner, so that no digits are lost if the polygon is far
         * from the origin. */
        twice += (a[0] - corner[0]) * (b[1] - corner[1]) - (a[1] - corner[1]) * (b[0] - corner[0]);
    }
    return 0.5 * twice;
}

static const double *points(const cst_json *node, const char *key, int *count, cst_arena *scratch)
{
    const cst_json *array = cst_given(node, key);
    double *point = array ? CST_TAKE(scratch, double, 2 * (size_t)array->count) : NULL;
    *count = point ? array->count : 0;
    if (point)
        cst_get_points(array, point);
    return point;
}

void cst_define_rigid_contact(const cst_json *node, cst_rigid_def *body)
{
    body->drag = cst_get_real(node, "drag");
    body->angular_drag = cst_get_real(node, "angular_drag");
    body->collides = cst_get_bool(node, "collides");
    body->surface.friction = cst_get_real_or(node, "friction", CST_UNSET);
    body->surface.restitution = cst_get_real_or(node, "restitution", CST_UNSET);
}

cst_rigid_def cst_define_rigid(const cst_json *node, cst_arena *scratch)
{
    cst_rigid_def body = cst_rigid_def_default();
    body.shape = (cst_rigid_shape)cst_get_choice(node, "shape");
    body.radius = cst_get_real_or(node, "radius", 0.0);
    body.corner = points(node, "corners", &body.corners, scratch);
    double area = body.shape == CST_RIGID_DISK ? pi * body.radius * body.radius : cst_polygon_area(body.corner, body.corners);
    body.mass = cst_get_real_or(node, "mass", cst_get_real_or(node, "density", 0.0) * area);
    body.inertia = cst_get_real_or(node, "inertia", CST_UNSET);
    cst_get_vector(node, "position", body.position);
    body.angle = cst_get_real(node, "angle");
    cst_get_vector(node, "velocity", body.velocity);
    body.angular_velocity = cst_get_real(node, "angular_velocity");
    cst_define_rigid_contact(node, &body);
    return body;
}

cst_obstacle_def cst_define_obstacle(const cst_json *node, cst_arena *scratch)
{
    cst_obstacle_def obstacle = cst_obstacle_def_default();
    obstacle.shape = (cst_obstacle_shape)cst_get_choice(node, "shape");
    cst_get_vector(node, "position", obstacle.position);
    cst_get_vector(node, "normal", obstacle.normal);
    obstacle.angle = cst_get_real(node, "angle");
    if (cst_given(node, "angle") && obstacle.shape == CST_OBSTACLE_HALF_PLANE) {
        obstacle.normal[0] = -sin(obstacle.angle);
        obstacle.normal[1] = cos(obstacle.angle);
    }
    obstacle.radius = cst_get_real_or(node, "radius", 0.0);
    obstacle.hollow = cst_get_bool(node, "hollow");
    obstacle.point = points(node, "points", &obstacle.points, scratch);
    obstacle.closed = cst_get_bool(node, "closed");
    obstacle.solid = cst_get_bool(node, "solid");
    obstacle.curvature = cst_get_real(node, "curvature");
    obstacle.length = cst_get_real(node, "length");
    obstacle.motion = cst_define_motion(cst_given(node, "motion"), scratch);
    obstacle.surface.friction = cst_get_real_or(node, "friction", CST_UNSET);
    obstacle.surface.restitution = cst_get_real_or(node, "restitution", CST_UNSET);
    return obstacle;
}

cst_load_def cst_define_load(const cst_json *node, cst_arena *scratch)
{
    cst_load_def load = cst_load_def_default();
    cst_get_vector(node, "force", load.force);
    /* moment about z, for a load in 2D; define_space.c reads the moment vector of a load in 3D */
    load.moment[2] = cst_get_real_or(node, "moment", 0.0);
    load.follower = cst_get_bool(node, "follower");
    const cst_json *factor = cst_given(node, "factor");
    double *time = factor ? CST_TAKE(scratch, double, factor->count) : NULL;
    double *value = factor ? CST_TAKE(scratch, double, factor->count) : NULL;
    if (!time || !value)
        return load;
    for (const cst_json *pair = factor->first; pair; pair = pair->next) {
        time[load.times] = pair->first->number;
        value[load.times++] = pair->last->number;
    }
    load.time = time;
    load.factor = value;
    return load;
}

/* ------------------------------------------------------------------------------------------------------------------ world */

/* Returns the object that the scene gives for the key `key`. If the scene does not give this key, or gives a number instead of an
 * object, returns an empty object, for which all defaults apply. */
static cst_json section_of(const cst_json *root, const char *key)
{
    const cst_json *node = cst_given(root, key);
    const cst_scene_key *spec = cst_section_key(&cst_scene_section, key);
    if (node && node->kind == CST_JSON_OBJECT)
        return *node;
    return (cst_json){.kind = CST_JSON_OBJECT, .role = spec->section};
}

double cst_scene_dt(const cst_json *root)
{
    const cst_json *node = cst_given(root, "time_step");
    cst_json section = section_of(root, "time_step");
    return node && node->kind == CST_JSON_NUMBER ? node->number : cst_get_real(&section, "dt");
}

static cst_time_step define_time_step(const cst_json *root)
{
    cst_json section = section_of(root, "time_step"), *from = &section;
    return (cst_time_step){.dt = cst_scene_dt(root),
                           .theta = cst_get_real(from, "theta"),
                           .iterations = (int)cst_get_integer(from, "iterations"),
                           .iteration_tolerance = cst_get_real(from, "tolerance"),
                           .quasi_static = cst_get_bool(from, "quasi_static"),
                           .relaxation = cst_get_bool(from, "relaxation"),
                           .adaptive = cst_get_bool(from, "adaptive"),
                           .halvings = (int)cst_get_integer(from, "halvings"),
                           .motion_limit = cst_get_real(from, "motion_limit"),
                           .penetration_limit = cst_get_real(from, "penetration_limit"),
                           .calm_steps = (int)cst_get_integer(from, "calm_steps")};
}

cst_world_def cst_define_world(const cst_json *root)
{
    cst_world_def world = cst_world_def_default((int)cst_get_integer(root, "dim"));
    cst_get_vector(root, "gravity", world.gravity);
    world.time_step = define_time_step(root);
    cst_json contact = section_of(root, "contact"), solver = section_of(root, "solver"), friction = section_of(root, "friction");
    world.contact = (cst_contact_rules){.margin = cst_get_real(&contact, "margin"),
                                        .stabilisation = cst_get_real(&contact, "stabilisation"),
                                        .recovery_speed = cst_get_real(&contact, "recovery_speed"),
                                        .self_contact = cst_get_bool(&contact, "self_contact"),
                                        .at_centreline = cst_get_bool(&contact, "at_centreline")};
    world.friction.solver = (cst_solver)cst_get_choice(&solver, "name");
    world.friction.local = (cst_local_solver)cst_get_choice(&solver, "local");
    world.friction.local_failsafe = cst_get_bool(&solver, "failsafe");
    world.friction.form = (cst_form)cst_get_choice(&solver, "form");
    world.friction.tolerance = cst_get_real(&solver, "tolerance");
    world.friction.max_iterations = (int)cst_get_integer(&solver, "max_iterations");
    world.friction.threads = (int)cst_get_integer(&solver, "threads");
    const cst_json *given = cst_given(root, "friction");
    world.friction_coefficient = given && given->kind == CST_JSON_NUMBER ? given->number : cst_get_real(&friction, "default");
    world.restitution = cst_get_real(&friction, "restitution");
    return world;
}
