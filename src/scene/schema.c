#include "scene/schema_parts.h"

#include <string.h>

#include "capstan/friction.h"

/* clang-format off */

static const char *solver_name(int value)
{
    return cst_solver_name((cst_solver)value);
}

static const char *local_name(int value)
{
    return cst_local_solver_name((cst_local_solver)value);
}

static const char *form_name(int value)
{
    return cst_form_name((cst_form)value);
}

/* ------------------------------------------------------------------------------------------------------------ time, solver */

static const cst_scene_key time_step_keys[] = {
    {"dt", CST_VALUE_REAL, .unit = "s", POSITIVE, .otherwise = "0.001",
     .about = "The largest step; the times of frames are multiples of dt."},
    {"theta", CST_VALUE_REAL, BETWEEN(0.5, 1), .otherwise = "1",
     .about = "1: implicit Euler, robust. 0.5: second order, no numerical damping."},
    {"iterations", CST_VALUE_INTEGER, BETWEEN(1, 1000), .otherwise = "1",
     .about = "Largest number of Newton iterations in a step. 1: a linearised step."},
    {"tolerance", CST_VALUE_REAL, POSITIVE, .otherwise = "1e-10",
     .about = "Newton stops if the change of the velocities, relative to the largest velocity, is below this value."},
    {"quasi_static", CST_VALUE_BOOL, .otherwise = "false",
     .about = "Every step ends in equilibrium, for any dt: bodies follow their loads through equilibria."},
    {"relaxation", CST_VALUE_BOOL, .otherwise = "false",
     .about = "With quasi_static: each step moves towards the equilibrium for the time dt only, slowed down by mass and "
              "viscosity."},
    {"adaptive", CST_VALUE_BOOL, .otherwise = "true",
     .about = "Halve dt on fast motion, penetration or a missed tolerance, and double it again after good steps."},
    {"halvings", CST_VALUE_INTEGER, UP_TO(30), .otherwise = "10",
     .about = "Largest number of halvings of dt; at least 10 if bodies would pass through each other or the step fails."},
    {"motion_limit", CST_VALUE_REAL, POSITIVE, .otherwise = "0.5",
     .about = "Largest relative motion of two touching surfaces in a step, divided by the smaller contact radius of the two bodies; "
              "not between a sheet and a surface."},
    {"penetration_limit", CST_VALUE_REAL, POSITIVE, .otherwise = "0.01",
     .about = "Penetration, divided by the smaller contact radius, above which a step that increases it is repeated; not between "
              "a sheet and a surface."},
    {"calm_steps", CST_VALUE_INTEGER, BETWEEN(1, 1e6), .otherwise = "10", .about = "Number of good steps before dt doubles."},
};
const cst_section cst_section_time_step = {"time_step", "Settings of the time step.", KEYS(time_step_keys)};

static const cst_scene_key solver_keys[] = {
    {"name", CST_VALUE_CHOICE, .choice_name = solver_name, .choice_count = CST_SOLVER_COUNT, .otherwise = "\"auto\"",
     .about = "Solver of the whole friction problem (docs/solvers.md)."},
    {"local", CST_VALUE_CHOICE, .choice_name = local_name, .choice_count = CST_LOCAL_COUNT, .otherwise = "\"direct\"",
     .about = "Solver of one contact in a sweep."},
    {"failsafe", CST_VALUE_BOOL, .otherwise = "true", .about = "If the local solver fails, use the direct solver."},
    {"form", CST_VALUE_CHOICE, .choice_name = form_name, .choice_count = CST_FORM_COUNT, .otherwise = "\"auto\"",
     .about = "Form in which the friction problem is stored and solved (docs/solvers.md)."},
    {"tolerance", CST_VALUE_REAL, BETWEEN(0, 1), .above = true, .otherwise = "1e-8",
     .about = "Largest violation E of the Coulomb law in a step."},
    {"max_iterations", CST_VALUE_INTEGER, BETWEEN(1, 1e9), .otherwise = "100000",
     .about = "Largest number of iterations for each island of contacts."},
    {"threads", CST_VALUE_INTEGER, BETWEEN(1, 1024), .otherwise = "1", .about = "Number of threads; results do not depend on it."},
};
const cst_section cst_section_solver = {"solver", "Choice of the friction solver, and its tolerance.", KEYS(solver_keys)};

static const cst_scene_key contact_keys[] = {
    {"margin", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .otherwise = "0",
     .about = "Pairs with a smaller gap become contacts. 0: chosen from radii and speeds."},
    {"stabilisation", CST_VALUE_REAL, UP_TO(1), .otherwise = "0.2",
     .about = "Fraction of a penetration that is removed in one step."},
    {"recovery_speed", CST_VALUE_REAL, .unit = "m/s", NOT_NEGATIVE, .otherwise = "0",
     .about = "Largest speed at which a penetration is removed. 0: 0.05 of a contact radius per dt; if both bodies have sharp edges, "
              "a quarter of the thickness of the thinner one."},
    {"self_contact", CST_VALUE_BOOL, .otherwise = "true", .about = "Detect contacts of a rod, a fiber or a sheet with itself."},
    {"at_centreline", CST_VALUE_BOOL, .otherwise = "false",
     .about = "Contact forces act on the centreline of rods instead of their surface, as in theories without thickness."},
};
const cst_section cst_section_contact = {"contact", "How contacts are detected and how penetration is removed.", KEYS(contact_keys)};

/* ---------------------------------------------------------------------------------------------------------------- friction */

static const cst_scene_key pair_keys[] = {
    {"between", CST_VALUE_PARTIES, .kinds = CST_NAMED_PARTY, REQUIRED,
     .about = "Names of two bodies, obstacles or materials; the same name twice applies to contacts among them."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " the values of the two bodies", .about = "Friction coefficient mu."},
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = " the values of the two bodies",
     .about = "Newton's coefficient of restitution."},
    {"touch", CST_VALUE_BOOL, .otherwise = "true",
     .about = "false: no contacts between the two, which may overlap. Only for two bodies, or a body and an obstacle."},
};
static const cst_section pair = {"pair", "Friction and restitution of one pair of bodies, obstacles or materials. A pair "
                                         "of bodies or obstacles has priority over a pair of materials. If two entries of "
                                         "`pairs` name the same pair, the later entry is used.",
                                 KEYS(pair_keys)};

static const cst_scene_key friction_keys[] = {
    {"default", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0.3",
     .about = "Friction coefficient of contacts where neither body gives a value."},
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = "0",
     .about = "Restitution coefficient of contacts where neither body gives a value."},
    {"pairs", CST_VALUE_LIST, .section = &pair, .about = "Values for particular pairs."},
};
const cst_section cst_section_friction = {
    "friction", "Friction coefficients of contacts. The friction coefficient of a contact is looked up in this order: the pair of the "
                "two bodies, the elements in contact, the bodies or obstacles, their materials, the default. If both bodies of "
                "a contact give a value at the same level, for example both materials, the geometric mean of the two values is "
                "used.", KEYS(friction_keys)};

static const cst_scene_key material_keys[] = {
    NAMED(CST_NAMED_MATERIAL),
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " the default", .about = "Friction coefficient mu."},
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = " the default", .about = "Newton's coefficient of restitution."},
};
const cst_section cst_section_material = {"material", "Values of friction and restitution under a name, which bodies and "
                                                      "obstacles refer to by their key `material`.", KEYS(material_keys)};

/* ------------------------------------------------------------------------------------------------------------------ motion */

static const cst_scene_key motion_key_keys[] = {
    {"time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, REQUIRED, .about = "Time of the key; times increase from key to key."},
    {"translation", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]", .about = "Displacement from the initial position."},
    {"rotation", CST_VALUE_ANGLE, .unit = "rad", .otherwise = "0", .about = "Rotation about the reference point of the object."},
};
static const cst_section motion_key = {"motion_key", "Displacement of an object with prescribed motion at one time.", KEYS(motion_key_keys)};

static const cst_scene_key motion_keys[] = {
    MOTION_KEYS(motion_key),
};
static const cst_section motion = {"motion", "A prescribed motion, given by displacements at certain times (keys).", KEYS(motion_keys)};

/* ------------------------------------------------------------------------------------------------------------------ bodies */

static const cst_scene_key change_keys[] = {
    {"from", CST_VALUE_REAL, REQUIRED, .about = "Value at the start of the rod."},
    {"to", CST_VALUE_REAL, REQUIRED, .about = "Value at the end of the rod."},
};
static const cst_section change = {"change", "A value that changes linearly along a rod.", KEYS(change_keys)};

static const cst_scene_key rod_keys[] = {
    NAMED(CST_NAMED_ROD),
    {"elements", CST_VALUE_INTEGER, BETWEEN(1, 1e6), REQUIRED, .about = "Number of elements (arcs of constant curvature)."},
    {"length", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "m", POSITIVE, REQUIRED,
     .about = "Length of the whole rod, or of each element."},
    {"radius", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "m", POSITIVE, .otherwise = " half the thickness",
     .about = "Contact radius, and radius of a circular section; one number, or one per element. Required without thickness."},
    {"thickness", CST_VALUE_REAL, .unit = "m", POSITIVE, .about = "Thickness of a strip, in the plane."},
    {"width", CST_VALUE_REAL, .unit = "m", POSITIVE, .about = "Width of a strip, across the plane."},
    {"mass_per_length", CST_VALUE_REAL, .unit = "kg/m", POSITIVE, .group = "mass", .group_required = true,
     .about = "Mass per length. Give either mass_per_length or density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", POSITIVE, .group = "mass",
     .about = "Density; the mass per length is density times the area of the section."},
    {"bending_stiffness", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "N m2", POSITIVE, .group = "stiffness",
     .group_required = true, .about = "EI; one number, or one per element. Give either bending_stiffness or young."},
    {"young", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "stiffness",
     .about = "Young's modulus. EI is young times pi radius^4 / 4, or young times width thickness^3 / 12 for a strip."},
    {"natural_curvature", CST_VALUE_REAL | CST_VALUE_REALS | CST_VALUE_OBJECT, .unit = "1/m", .section = &change,
     .otherwise = " 0, or 2 pi / length if closed",
     .about = "Curvature without load: one number, one per element, or changing linearly along the rod."},
    {"viscosity", CST_VALUE_REAL, .unit = "N m2 s", NOT_NEGATIVE, .otherwise = "0", .group = "viscosity",
     .about = "Moment per rate of curvature. Give either viscosity or damping_time."},
    {"damping_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .group = "viscosity",
     .about = "Damping time of the Kelvin-Voigt model: viscosity = damping_time EI. Needs the same EI for all elements."},
    {"drag", CST_VALUE_REAL, .unit = "kg/(m s)", NOT_NEGATIVE, .otherwise = "0", .about = "Drag force per length and velocity."},
    {"load", CST_VALUE_VECTOR, .unit = "N/m", .otherwise = "[0, 0]",
     .about = "Distributed force per length with a fixed direction, in addition to gravity."},
    {"position", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]", .about = "Position of the start of the rod."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", .otherwise = "0", .about = "Angle of the direction at the start of the rod."},
    {"curvature", CST_VALUE_REAL | CST_VALUE_REALS | CST_VALUE_OBJECT, .unit = "1/m", .section = &change,
     .otherwise = " the natural one, or 2 pi / length if closed", .about = "Initial curvature, in the forms of natural_curvature."},
    {"velocity", CST_VALUE_VECTOR, .unit = "m/s", .otherwise = "[0, 0]", .about = "Initial velocity of the start."},
    {"angular_velocity", CST_VALUE_REAL, .unit = "rad/s", .otherwise = "0",
     .about = "Initial angular velocity of the whole body about its start."},
    {"clamped", CST_VALUE_BOOL, .otherwise = "false",
     .about = "Hold the start in position and direction, or move it as given by motion."},
    {"motion", CST_VALUE_OBJECT, .section = &motion, .about = "Motion of the clamped start."},
    {"closed", CST_VALUE_BOOL, .otherwise = "false", .about = "Make a ring: the end is joined to the start."},
    {"contour", CST_VALUE_CHOICE, CHOICES("arcs", "chords"), .otherwise = "\"arcs\"",
     .about = "Contact surface: the curved elements, or their chords (for comparison with straight segments)."},
    {"formulation", CST_VALUE_CHOICE, CHOICES("auto", "chained", "mixed"), .otherwise = "\"auto\"",
     .about = "Coordinates: chained (root and all curvatures, for few elements) or mixed (position of each element, for many "
              "elements)."},
    {"friction", CST_VALUE_REAL | CST_VALUE_REALS, NOT_NEGATIVE, .otherwise = " of the material",
     .about = "Friction coefficient mu; one number, or one per element."},
    SURFACE,
};
static const cst_section rod = {
    "rod", "A slender elastic body in 2D, inextensible and bent by moments (a super-circle).", KEYS(rod_keys),
    .template_too = true};

enum { DISK = 1, POLYGON = 2 };

static const cst_scene_key rigid_keys[] = {
    NAMED(CST_NAMED_RIGID),
    {"shape", CST_VALUE_CHOICE, CHOICES("disk", "polygon"), REQUIRED, .about = "Shape of the body."},
    {"radius", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .required = DISK, .otherwise = " 0 for a polygon",
     .about = "Radius of the disk; rounding of a polygon."},
    {"corners", CST_VALUE_POINTS, .unit = "m", NEEDED(POLYGON),
     .about = "Corners in counter-clockwise order, in the body's frame; their centroid becomes the origin of the frame."},
    {"mass", CST_VALUE_REAL, .unit = "kg", POSITIVE, .group = "mass", .group_required = true,
     .about = "Mass. Give either mass or density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m2", POSITIVE, .group = "mass",
     .about = "Mass per area of the disk or between the corners."},
    {"inertia", CST_VALUE_REAL, .unit = "kg m2", POSITIVE, .otherwise = " homogeneous",
     .about = "Moment of inertia about the centre of mass."},
    {"position", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]", .about = "Position of the centre of mass."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", .otherwise = "0", .about = "Angle by which the body's frame is rotated."},
    {"velocity", CST_VALUE_VECTOR, .unit = "m/s", .otherwise = "[0, 0]", .about = "Velocity of the centre of mass."},
    {"angular_velocity", CST_VALUE_REAL, .unit = "rad/s", .otherwise = "0", .about = "Angular velocity, counter-clockwise."},
    {"drag", CST_VALUE_REAL, .unit = "kg/s", NOT_NEGATIVE, .otherwise = "0", .about = "Drag force per velocity."},
    {"angular_drag", CST_VALUE_REAL, .unit = "N m s", NOT_NEGATIVE, .otherwise = "0", .about = "Drag moment per angular velocity."},
    {"collides", CST_VALUE_BOOL, .otherwise = "true", .about = "false: the body has no contacts, only mass and constraints."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Friction coefficient mu."},
    SURFACE,
};
static const cst_section rigid = {"rigid_body", "A rigid body: it moves but does not deform.", KEYS(rigid_keys), .by = "shape",
                                  .template_too = true};

/* --------------------------------------------------------------------------------------------------------------- obstacles */

enum { HALF_PLANE = 1, ROUND = 2, CHAIN = 4, ARC = 8 };

static const cst_scene_key obstacle_keys[] = {
    NAMED(CST_NAMED_OBSTACLE),
    {"shape", CST_VALUE_CHOICE, CHOICES("half_plane", "disk", "chain", "arc"), REQUIRED, .about = "Shape of the obstacle."},
    {"position", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]",
     .about = "A point of the half-plane's surface, the centre of the disk, the origin of the points, the start of the arc."},
    {"normal", CST_VALUE_VECTOR, ONLY(HALF_PLANE), .group = "direction", .otherwise = "[0, 1]",
     .about = "Outward normal, of any length. Give either normal or angle."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", ONLY(HALF_PLANE | ARC), .group = "direction", .otherwise = "0",
     .about = "Angle of the surface, with matter on its right (0 is flat ground). For an arc: the direction at its start."},
    {"radius", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .variants = ROUND | CHAIN | ARC, .required = ROUND,
     .otherwise = " 0 for a chain or an arc", .about = "Radius of the disk; half the thickness of a chain or an arc."},
    {"hollow", CST_VALUE_BOOL, ONLY(ROUND), .otherwise = "false", .about = "true: matter outside the circle."},
    {"points", CST_VALUE_POINTS, .unit = "m", NEEDED(CHAIN), .about = "Corners of the chain, relative to position."},
    {"closed", CST_VALUE_BOOL, ONLY(CHAIN), .otherwise = "false", .about = "Join the last point to the first."},
    {"solid", CST_VALUE_BOOL, ONLY(CHAIN | ARC), .otherwise = "false",
     .about = "true: matter on the right side, seen along the chain or arc."},
    {"curvature", CST_VALUE_REAL, .unit = "1/m", NEEDED(ARC), .about = "Curvature; positive values turn to the left."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(ARC), .about = "Length of the arc."},
    {"motion", CST_VALUE_OBJECT, .section = &motion, .about = "Prescribed motion; rotations are about position."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Friction coefficient mu."},
    SURFACE,
};
static const cst_section obstacle = {"obstacle", "An obstacle: bodies touch it, and contact forces do not move it.", KEYS(obstacle_keys), .by = "shape"};

/* ---------------------------------------------------------------------------------------------------- constraints and loads */

static const cst_scene_key place_keys[] = {
    BODY(CST_NAMED_PLANE_BODY, "rod"),
    AT(CST_VALUE_VECTOR, "rod"),
};
static const cst_section place = {
    "place", "The point at which a constraint holds its second body. If `at` is omitted and the second body is rigid, the constraint "
             "holds it at the point that coincides with the constrained point of the first body at the start of the run.", KEYS(place_keys)};

static const cst_scene_key constraint_keys[] = {
    CONSTRAINT_KEYS(CST_NAMED_PLANE_BODY, "rod", CST_VALUE_VECTOR, place, motion),
};
static const cst_section constraint = {"constraint", "A constraint that holds a point of a body to the world or to "
                                                     "another body.",
                                       KEYS(constraint_keys), .by = "type"};

static const cst_scene_key load_keys[] = {
    NAMED(CST_NAMED_LOAD),
    BODY(CST_NAMED_PLANE_BODY, "rod"),
    AT(CST_VALUE_VECTOR, "rod"),
    {"force", CST_VALUE_VECTOR, .unit = "N", .otherwise = "[0, 0]", .about = "Force at the point."},
    {"moment", CST_VALUE_REAL, .unit = "N m", .otherwise = "0", .about = "Moment, counter-clockwise."},
    {"follower", CST_VALUE_BOOL, .otherwise = "false", .about = "true: the force and moment rotate with the body."},
    {"factor", CST_VALUE_POINTS,
     .about = "[[time, factor], ...]: factor on force and moment, linear between these times and constant outside."},
};
static const cst_section load = {"load", "A force and a moment that act on a point of a body.", KEYS(load_keys)};

/* -------------------------------------------------------------------------------------------------------------- generators */

enum { ROW = 1, GRID = 2, RANDOM = 4 };

static const cst_scene_key template_keys[] = {
    {"rod", CST_VALUE_OBJECT, .section = &rod, .group = "template", .group_required = true,
     .about = "A rod without a name. Give either rod or rigid_body."},
    {"rigid_body", CST_VALUE_OBJECT, .section = &rigid, .group = "template", .about = "A rigid body without a name."},
};
static const cst_section template = {"template", "The body that a generator repeats.", KEYS(template_keys), .repeated = true};

static const cst_scene_key region_keys[] = {
    {"from", CST_VALUE_VECTOR, .unit = "m", REQUIRED, .about = "Lower left corner."},
    {"to", CST_VALUE_VECTOR, .unit = "m", REQUIRED, .about = "Upper right corner."},
};
static const cst_section region = {"region", "A box, given by two corners.", KEYS(region_keys)};

static const cst_scene_key angles_keys[] = {
    {"from", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "Smallest angle."},
    {"to", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "Largest angle."},
};
static const cst_section angles = {"angles", "A range of angles for random rotations.", KEYS(angles_keys)};

static const cst_scene_key generator_keys[] = {
    {"name", CST_VALUE_NAME, .kinds = CST_NAMED_GENERATOR, REQUIRED,
     .about = "Name of the generator; its bodies are called NAME_1, NAME_2 and so on."},
    {"type", CST_VALUE_CHOICE, CHOICES("row", "grid", "random"), REQUIRED, .about = "Arrangement of the bodies."},
    {"of", CST_VALUE_OBJECT, .section = &template, REQUIRED,
     .about = "The body that is repeated; the offset of each copy is added to its position."},
    {"count", CST_VALUE_INTEGER, BETWEEN(1, 1e5), NEEDED(ROW | RANDOM), .about = "Number of bodies."},
    {"columns", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Columns of the grid, along x."},
    {"rows", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Rows of the grid, along y."},
    {"spacing", CST_VALUE_VECTOR, .unit = "m", NEEDED(ROW | GRID),
     .about = "Offset from one body to the next; for a grid, the distances between columns and rows."},
    {"region", CST_VALUE_OBJECT, .section = &region, NEEDED(RANDOM), .about = "Box in which the bodies are placed at random."},
    {"separation", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(RANDOM), .otherwise = "0",
     .about = "Smallest distance between the positions of two bodies, before jitter is added."},
    {"jitter", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .otherwise = "0",
     .about = "Largest random change of each coordinate."},
    {"angle", CST_VALUE_OBJECT, .section = &angles, .about = "Range of random rotations of each body about its place."},
    {"seed", CST_VALUE_INTEGER, UP_TO(9e15), .otherwise = "1", .about = "Seed of the random numbers."},
};
static const cst_section generator = {"generator", "A generator that makes many similar bodies.", KEYS(generator_keys), .by = "type"};

/* ------------------------------------------------------------------------------------------------------------------ output */

static const cst_scene_key output_keys[] = {
    {"frame_interval", CST_VALUE_REAL, .unit = "s", POSITIVE, .group = "frames",
     .otherwise = " the multiple of dt next to 1/30 s", .about = "Time between saved frames, a multiple of dt."},
    {"frames_per_second", CST_VALUE_REAL, .unit = "1/s", POSITIVE, .group = "frames",
     .about = "Number of saved frames per second. Give either frame_interval or frames_per_second."},
    {"checkpoint_interval", CST_VALUE_REAL, .unit = "s", POSITIVE, .otherwise = " 10 frames",
     .about = "Time between checkpoints, from which a killed run can be resumed; rounded to frames."},
    {"samples", CST_VALUE_INTEGER, BETWEEN(1, 1000), .otherwise = "4", .about = "Number of saved vertices per element of a rod."},
    {"contacts", CST_VALUE_BOOL, .otherwise = "true", .about = "Save contacts and their forces."},
    {"detail", CST_VALUE_CHOICE, CHOICES("auto", "full", "light"), .otherwise = "\"auto\"",
     .about = "Detail of saved frames: light omits data that pictures do not need and rounds positions (cache.md); auto is "
              "light in 3D with more than 500 bodies."},
};
const cst_section cst_section_output = {"output", "Data that a run saves.", KEYS(output_keys)};

static const cst_scene_key probe_keys[] = {
    PROBE_KEYS(CST_NAMED_PLANE_BODY, "rod", CST_VALUE_VECTOR, "", ""),
};
static const cst_section probe = {"probe", "A quantity that a run records over time in a CSV file.", KEYS(probe_keys), .by = "type"};

static const cst_scene_key camera_keys[] = {
    {"center", CST_VALUE_VECTOR, .unit = "m", REQUIRED, .about = "Center of the view."},
    {"height", CST_VALUE_REAL, .unit = "m", POSITIVE, REQUIRED, .about = "Height of the view."},
};
static const cst_section camera = {"camera", "The view of pictures and pages. Without a camera, pictures show the whole scene.", KEYS(camera_keys)};

/* -------------------------------------------------------------------------------------------------------------------- root */

static const cst_scene_key scene_keys[] = {
    SCENE_HEAD,
    {"dim", CST_VALUE_INTEGER, BETWEEN(2, 3), .otherwise = "2", .about = "Number of dimensions: 2, or 3 (see space_scene)."},
    {"gravity", CST_VALUE_VECTOR, .unit = "m/s2", .otherwise = "[0, -9.81]", .about = "Gravitational acceleration."},
    SCENE_STEP,
    {"rods", CST_VALUE_LIST, .section = &rod, .about = "Slender elastic bodies."},
    SCENE_LISTS(rigid, obstacle, constraint, load, generator),
    SCENE_LOOK(probe, camera),
};
const cst_section cst_scene_section = {"scene", "Keys of a scene file in 2D.", KEYS(scene_keys)};

const cst_section *const cst_scene_sections[] = {
    &cst_scene_section, &cst_section_time_step, &cst_section_solver, &cst_section_contact, &cst_section_friction, &pair,
    &cst_section_material, &rod, &change, &rigid, &obstacle, &constraint, &place, &motion, &motion_key, &load, &generator,
    &template, &region, &angles, &cst_section_output, &probe, &camera,
    CST_SPACE_SECTIONS, NULL};

/* clang-format on */

const cst_scene_key *cst_section_key(const cst_section *section, const char *name)
{
    for (int i = 0; i < section->keys; i++)
        if (strcmp(section->key[i].name, name) == 0)
            return &section->key[i];
    return NULL;
}

const char *cst_key_choice(const cst_scene_key *key, int number)
{
    if (key->choice_name)
        return number < key->choice_count ? key->choice_name(number) : NULL;
    return key->choices ? key->choices[number] : NULL;
}

int cst_key_choices(const cst_scene_key *key)
{
    int count = 0;
    while (cst_key_choice(key, count))
        count++;
    return count;
}

int cst_key_choice_number(const cst_scene_key *key, const char *name)
{
    for (int i = 0; cst_key_choice(key, i); i++)
        if (strcmp(cst_key_choice(key, i), name) == 0)
            return i;
    return -1;
}
