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
     .about = "The largest step; frames fall on its multiples."},
    {"theta", CST_VALUE_REAL, BETWEEN(0.5, 1), .otherwise = "1",
     .about = "1: implicit Euler, robust. 0.5: second order, no numerical damping."},
    {"iterations", CST_VALUE_INTEGER, BETWEEN(1, 1000), .otherwise = "1",
     .about = "1: a linearised step. More: Newton, at most so many."},
    {"tolerance", CST_VALUE_REAL, POSITIVE, .otherwise = "1e-10",
     .about = "Newton stops at this change of velocity, relative to the largest one."},
    {"quasi_static", CST_VALUE_BOOL, .otherwise = "false",
     .about = "Every step ends in equilibrium, whatever dt: bodies follow their loads through equilibria."},
    {"relaxation", CST_VALUE_BOOL, .otherwise = "false",
     .about = "Quasi-static: each step goes towards the equilibrium for dt, held back by mass and viscosity, not all the way."},
    {"adaptive", CST_VALUE_BOOL, .otherwise = "true",
     .about = "Halve dt on fast motion, penetration or a missed tolerance; recover in calm."},
    {"halvings", CST_VALUE_INTEGER, UP_TO(30), .otherwise = "10", .about = "At most so many."},
    {"motion_limit", CST_VALUE_REAL, POSITIVE, .otherwise = "0.5",
     .about = "Motion in a step that is not fast yet, in the smallest contact radius."},
    {"penetration_limit", CST_VALUE_REAL, POSITIVE, .otherwise = "0.01",
     .about = "Penetration that is still accepted, in the contact radius."},
    {"calm_steps", CST_VALUE_INTEGER, BETWEEN(1, 1e6), .otherwise = "10", .about = "Good steps before dt doubles."},
};
const cst_section cst_section_time_step = {"time_step", "How time advances.", KEYS(time_step_keys)};

static const cst_scene_key solver_keys[] = {
    {"name", CST_VALUE_CHOICE, .choice_name = solver_name, .choice_count = CST_SOLVER_COUNT, .otherwise = "\"auto\"",
     .about = "Solver of the whole friction problem (docs/solvers.md)."},
    {"local", CST_VALUE_CHOICE, .choice_name = local_name, .choice_count = CST_LOCAL_COUNT, .otherwise = "\"direct\"",
     .about = "Solver of one contact in a sweep."},
    {"failsafe", CST_VALUE_BOOL, .otherwise = "true", .about = "Where the local solver fails the direct one takes over."},
    {"form", CST_VALUE_CHOICE, .choice_name = form_name, .choice_count = CST_FORM_COUNT, .otherwise = "\"auto\"",
     .about = "How the contacts of bodies are swept."},
    {"tolerance", CST_VALUE_REAL, BETWEEN(0, 1), .above = true, .otherwise = "1e-8",
     .about = "Largest violation E of the Coulomb law in a step."},
    {"max_iterations", CST_VALUE_INTEGER, BETWEEN(1, 1e9), .otherwise = "100000", .about = "For each island of contacts."},
    {"threads", CST_VALUE_INTEGER, BETWEEN(1, 1024), .otherwise = "1", .about = "Results do not depend on it."},
};
const cst_section cst_section_solver = {"solver", "Who solves the friction problem of a step, and how exactly.", KEYS(solver_keys)};

static const cst_scene_key contact_keys[] = {
    {"margin", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .otherwise = "0",
     .about = "Gaps below it become contacts. 0: chosen from radii and speeds."},
    {"stabilisation", CST_VALUE_REAL, UP_TO(1), .otherwise = "0.2", .about = "Share of a penetration undone in one step."},
    {"recovery_speed", CST_VALUE_REAL, .unit = "m/s", NOT_NEGATIVE, .otherwise = "0",
     .about = "Penetration is never undone faster. 0: 0.05 of a contact radius per dt."},
    {"self_contact", CST_VALUE_BOOL, .otherwise = "true", .about = "Contacts of a rod with itself."},
    {"at_centreline", CST_VALUE_BOOL, .otherwise = "false",
     .about = "Forces act on the centreline of rods, not at their surface: as in theories without thickness."},
};
const cst_section cst_section_contact = {"contact", "What counts as a contact.", KEYS(contact_keys)};

/* ---------------------------------------------------------------------------------------------------------------- friction */

static const cst_scene_key pair_keys[] = {
    {"between", CST_VALUE_PARTIES, .kinds = CST_NAMED_PARTY, REQUIRED,
     .about = "Two names of bodies, obstacles or materials; twice the same: among themselves."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " the finer level of the two", .about = "Coefficient mu."},
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = " the finer level of the two", .about = "Newton's coefficient of impacts."},
    {"touch", CST_VALUE_BOOL, .otherwise = "true",
     .about = "false: they never touch, one passes beside the other. Of two bodies, or a body and an obstacle."},
};
static const cst_section pair = {"pair", "Contacts between two in particular; of two pairs for one contact the later one counts.",
                                 KEYS(pair_keys)};

static const cst_scene_key friction_keys[] = {
    {"default", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0.3", .about = "Coefficient where neither side says anything."},
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = "0", .about = "Restitution where neither side says anything."},
    {"pairs", CST_VALUE_LIST, .section = &pair, .about = "What two in particular have between them."},
};
const cst_section cst_section_friction = {
    "friction", "Friction of a contact is that of its pair; else that of the segment, body or obstacle, material, default, the "
                "first that speaks. If both sides speak at the same level: the geometric mean.", KEYS(friction_keys)};

static const cst_scene_key material_keys[] = {
    NAMED(CST_NAMED_MATERIAL),
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " the default", .about = "Coefficient mu."},
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = " the default", .about = "Newton's coefficient of impacts."},
};
const cst_section cst_section_material = {"material", "Friction and restitution that several things share.", KEYS(material_keys)};

/* ------------------------------------------------------------------------------------------------------------------ motion */

static const cst_scene_key motion_key_keys[] = {
    {"time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, REQUIRED, .about = "Increasing from key to key."},
    {"translation", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]", .about = "From where it was put."},
    {"rotation", CST_VALUE_ANGLE, .unit = "rad", .otherwise = "0", .about = "About its reference point."},
};
static const cst_section motion_key = {"motion_key", "Where a moved thing is at one time.", KEYS(motion_key_keys)};

static const cst_scene_key motion_keys[] = {
    MOTION_KEYS(motion_key),
};
static const cst_section motion = {"motion", "A prescribed motion, by keys.", KEYS(motion_keys)};

/* ------------------------------------------------------------------------------------------------------------------ bodies */

static const cst_scene_key change_keys[] = {
    {"from", CST_VALUE_REAL, REQUIRED, .about = "At the start of the rod."},
    {"to", CST_VALUE_REAL, REQUIRED, .about = "At its end."},
};
static const cst_section change = {"change", "A value that changes linearly along a rod.", KEYS(change_keys)};

static const cst_scene_key rod_keys[] = {
    NAMED(CST_NAMED_ROD),
    {"elements", CST_VALUE_INTEGER, BETWEEN(1, 1e6), REQUIRED, .about = "Arcs of constant curvature it is made of."},
    {"length", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "m", POSITIVE, REQUIRED,
     .about = "Length of the whole rod, or of each element."},
    {"radius", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "m", POSITIVE, .otherwise = " half the thickness",
     .about = "Radius of contact, and of a circular section; for all or for each element. Required without thickness."},
    {"thickness", CST_VALUE_REAL, .unit = "m", POSITIVE, .about = "Thickness of a strip, in the plane."},
    {"width", CST_VALUE_REAL, .unit = "m", POSITIVE, .about = "Width of a strip, across the plane."},
    {"mass_per_length", CST_VALUE_REAL, .unit = "kg/m", POSITIVE, .group = "mass", .group_required = true,
     .about = "Or: density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", POSITIVE, .group = "mass",
     .about = "Times the section, circular or that of a strip."},
    {"bending_stiffness", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "N m2", POSITIVE, .group = "stiffness",
     .group_required = true, .about = "EI, for all or for each element. Or: young."},
    {"young", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "stiffness",
     .about = "Young's modulus, times pi radius^4 / 4, or width thickness^3 / 12 for a strip."},
    {"natural_curvature", CST_VALUE_REAL | CST_VALUE_REALS | CST_VALUE_OBJECT, .unit = "1/m", .section = &change,
     .otherwise = " 0, or 2 pi / length if closed",
     .about = "Without load: for all, for each element, or changing along the rod."},
    {"viscosity", CST_VALUE_REAL, .unit = "N m2 s", NOT_NEGATIVE, .otherwise = "0", .group = "viscosity",
     .about = "Moment per rate of curvature. Or: damping_time."},
    {"damping_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .group = "viscosity",
     .about = "Damping time of the Kelvin-Voigt model: viscosity = damping_time EI; one EI for all elements."},
    {"drag", CST_VALUE_REAL, .unit = "kg/(m s)", NOT_NEGATIVE, .otherwise = "0", .about = "Force per length and velocity."},
    {"load", CST_VALUE_VECTOR, .unit = "N/m", .otherwise = "[0, 0]", .about = "Distributed, fixed in space, besides gravity."},
    {"position", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]", .about = "Position of its start."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", .otherwise = "0", .about = "Angle of its direction at the start."},
    {"curvature", CST_VALUE_REAL | CST_VALUE_REALS | CST_VALUE_OBJECT, .unit = "1/m", .section = &change,
     .otherwise = " the natural one, or 2 pi / length if closed", .about = "At first."},
    {"velocity", CST_VALUE_VECTOR, .unit = "m/s", .otherwise = "[0, 0]", .about = "Velocity of its start."},
    {"angular_velocity", CST_VALUE_REAL, .unit = "rad/s", .otherwise = "0",
     .about = "With which all of it turns about its start."},
    {"clamped", CST_VALUE_BOOL, .otherwise = "false", .about = "The start is held in place and direction, or moved by motion."},
    {"motion", CST_VALUE_OBJECT, .section = &motion, .about = "Motion of the clamped start."},
    {"closed", CST_VALUE_BOOL, .otherwise = "false", .about = "A ring: the end is joined to the start."},
    {"contour", CST_VALUE_CHOICE, CHOICES("arcs", "chords"), .otherwise = "\"arcs\"",
     .about = "What others touch: the curved elements, or their chords (to see what straight segments cost)."},
    {"formulation", CST_VALUE_CHOICE, CHOICES("auto", "chained", "mixed"), .otherwise = "\"auto\"",
     .about = "Coordinates: the root and all curvatures (few elements), or each element's own place (many)."},
    {"friction", CST_VALUE_REAL | CST_VALUE_REALS, NOT_NEGATIVE, .otherwise = " of the material",
     .about = "Coefficient mu, for all or for each element."},
    SURFACE,
};
static const cst_section rod = {
    "rod", "A slender elastic body of the plane: inextensible, bent by moments (a super-circle).", KEYS(rod_keys),
    .template_too = true};

enum { DISK = 1, POLYGON = 2 };

static const cst_scene_key rigid_keys[] = {
    NAMED(CST_NAMED_RIGID),
    {"shape", CST_VALUE_CHOICE, CHOICES("disk", "polygon"), REQUIRED, .about = "What it looks like."},
    {"radius", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .required = DISK, .otherwise = " 0 for a polygon",
     .about = "Radius of the disk; rounding of a polygon."},
    {"corners", CST_VALUE_POINTS, .unit = "m", NEEDED(POLYGON),
     .about = "Counter-clockwise, in the body's frame; their centroid becomes its origin."},
    {"mass", CST_VALUE_REAL, .unit = "kg", POSITIVE, .group = "mass", .group_required = true, .about = "Or: density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m2", POSITIVE, .group = "mass",
     .about = "Mass per area of the disk or between the corners."},
    {"inertia", CST_VALUE_REAL, .unit = "kg m2", POSITIVE, .otherwise = " homogeneous", .about = "About the centre of mass."},
    {"position", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]", .about = "Position of the centre of mass."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", .otherwise = "0", .about = "By which the frame is turned."},
    {"velocity", CST_VALUE_VECTOR, .unit = "m/s", .otherwise = "[0, 0]", .about = "Velocity of the centre of mass."},
    {"angular_velocity", CST_VALUE_REAL, .unit = "rad/s", .otherwise = "0", .about = "Counter-clockwise."},
    {"drag", CST_VALUE_REAL, .unit = "kg/s", NOT_NEGATIVE, .otherwise = "0", .about = "Force per velocity."},
    {"angular_drag", CST_VALUE_REAL, .unit = "N m s", NOT_NEGATIVE, .otherwise = "0", .about = "Moment per angular velocity."},
    {"collides", CST_VALUE_BOOL, .otherwise = "true", .about = "false: a ghost that only carries constraints and mass."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Coefficient mu."},
    SURFACE,
};
static const cst_section rigid = {"rigid_body", "A body that does not bend.", KEYS(rigid_keys), .by = "shape",
                                  .template_too = true};

/* --------------------------------------------------------------------------------------------------------------- obstacles */

enum { HALF_PLANE = 1, ROUND = 2, CHAIN = 4, ARC = 8 };

static const cst_scene_key obstacle_keys[] = {
    NAMED(CST_NAMED_OBSTACLE),
    {"shape", CST_VALUE_CHOICE, CHOICES("half_plane", "disk", "chain", "arc"), REQUIRED, .about = "What it looks like."},
    {"position", CST_VALUE_VECTOR, .unit = "m", .otherwise = "[0, 0]",
     .about = "A point of the half-plane's surface, the centre of the disk, the origin of the points, the start of the arc."},
    {"normal", CST_VALUE_VECTOR, ONLY(HALF_PLANE), .group = "direction", .otherwise = "[0, 1]",
     .about = "Outward, of any length. Or: angle."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", ONLY(HALF_PLANE | ARC), .group = "direction", .otherwise = "0",
     .about = "Angle of the surface, with matter on its right: 0 is flat ground. Arc: the direction at its start."},
    {"radius", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .variants = ROUND | CHAIN | ARC, .required = ROUND,
     .otherwise = " 0 for a chain or an arc", .about = "Radius of the disk; half the thickness of a chain or an arc."},
    {"hollow", CST_VALUE_BOOL, ONLY(ROUND), .otherwise = "false", .about = "Matter outside the circle."},
    {"points", CST_VALUE_POINTS, .unit = "m", NEEDED(CHAIN), .about = "Corners of the chain, from position."},
    {"closed", CST_VALUE_BOOL, ONLY(CHAIN), .otherwise = "false", .about = "The last point is joined to the first."},
    {"solid", CST_VALUE_BOOL, ONLY(CHAIN | ARC), .otherwise = "false", .about = "Matter on the right of the way along it."},
    {"curvature", CST_VALUE_REAL, .unit = "1/m", NEEDED(ARC), .about = "Positive: to the left."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(ARC), .about = "Length of the arc."},
    {"motion", CST_VALUE_OBJECT, .section = &motion, .about = "About position."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Coefficient mu."},
    SURFACE,
};
static const cst_section obstacle = {"obstacle", "What bodies touch and cannot move.", KEYS(obstacle_keys), .by = "shape"};

/* ---------------------------------------------------------------------------------------------------- constraints and loads */

static const cst_scene_key place_keys[] = {
    BODY(CST_NAMED_PLANE_BODY, "rod"),
    AT(CST_VALUE_VECTOR, "rod"),
};
static const cst_section place = {"place", "A point of another body. If `at` is omitted, a rigid body is attached at the current "
                                           "position of the first body's point.", KEYS(place_keys)};

static const cst_scene_key constraint_keys[] = {
    CONSTRAINT_KEYS(CST_NAMED_PLANE_BODY, "rod", CST_VALUE_VECTOR, place, motion),
};
static const cst_section constraint = {"constraint", "Holds a place of a body to the world or to another body.",
                                       KEYS(constraint_keys), .by = "type"};

static const cst_scene_key load_keys[] = {
    NAMED(CST_NAMED_LOAD),
    BODY(CST_NAMED_PLANE_BODY, "rod"),
    AT(CST_VALUE_VECTOR, "rod"),
    {"force", CST_VALUE_VECTOR, .unit = "N", .otherwise = "[0, 0]", .about = "At the place."},
    {"moment", CST_VALUE_REAL, .unit = "N m", .otherwise = "0", .about = "Counter-clockwise."},
    {"follower", CST_VALUE_BOOL, .otherwise = "false", .about = "Turns with the body."},
    {"factor", CST_VALUE_POINTS, .about = "[[time, factor], ...]: linear between, constant outside."},
};
static const cst_section load = {"load", "A force and a moment on a place of a body.", KEYS(load_keys)};

/* -------------------------------------------------------------------------------------------------------------- generators */

enum { ROW = 1, GRID = 2, RANDOM = 4 };

static const cst_scene_key template_keys[] = {
    {"rod", CST_VALUE_OBJECT, .section = &rod, .group = "template", .group_required = true, .about = "A rod without a name. Or:"},
    {"rigid_body", CST_VALUE_OBJECT, .section = &rigid, .group = "template", .about = "A rigid body without a name."},
};
static const cst_section template = {"template", "What a generator makes.", KEYS(template_keys), .repeated = true};

static const cst_scene_key region_keys[] = {
    {"from", CST_VALUE_VECTOR, .unit = "m", REQUIRED, .about = "Lower left corner."},
    {"to", CST_VALUE_VECTOR, .unit = "m", REQUIRED, .about = "Upper right corner."},
};
static const cst_section region = {"region", "A box.", KEYS(region_keys)};

static const cst_scene_key angles_keys[] = {
    {"from", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "The least."},
    {"to", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "The largest."},
};
static const cst_section angles = {"angles", "A range of angles.", KEYS(angles_keys)};

static const cst_scene_key generator_keys[] = {
    {"name", CST_VALUE_NAME, .kinds = CST_NAMED_GENERATOR, REQUIRED, .about = "The bodies are called NAME_1, NAME_2 and so on."},
    {"type", CST_VALUE_CHOICE, CHOICES("row", "grid", "random"), REQUIRED, .about = "Where the bodies are put."},
    {"of", CST_VALUE_OBJECT, .section = &template, REQUIRED, .about = "What is repeated; places are added to its position."},
    {"count", CST_VALUE_INTEGER, BETWEEN(1, 1e5), NEEDED(ROW | RANDOM), .about = "Number of bodies."},
    {"columns", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Columns of the grid, along x."},
    {"rows", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Rows of the grid, along y."},
    {"spacing", CST_VALUE_VECTOR, .unit = "m", NEEDED(ROW | GRID),
     .about = "From one to the next; of a grid, between columns and rows."},
    {"region", CST_VALUE_OBJECT, .section = &region, NEEDED(RANDOM), .about = "Where they are strewn."},
    {"separation", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(RANDOM), .otherwise = "0",
     .about = "Positions are not closer."},
    {"jitter", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .otherwise = "0",
     .about = "Each coordinate is moved by at most this much."},
    {"angle", CST_VALUE_OBJECT, .section = &angles, .about = "Each is turned about its place by an angle of this range, at random."},
    {"seed", CST_VALUE_INTEGER, UP_TO(9e15), .otherwise = "1", .about = "Seed of all that is random."},
};
static const cst_section generator = {"generator", "Many bodies alike.", KEYS(generator_keys), .by = "type"};

/* ------------------------------------------------------------------------------------------------------------------ output */

static const cst_scene_key output_keys[] = {
    {"frame_interval", CST_VALUE_REAL, .unit = "s", POSITIVE, .group = "frames",
     .otherwise = " the multiple of dt next to 1/30 s", .about = "Between saved frames: a multiple of dt."},
    {"frames_per_second", CST_VALUE_REAL, .unit = "1/s", POSITIVE, .group = "frames", .about = "The same the other way round."},
    {"checkpoint_interval", CST_VALUE_REAL, .unit = "s", POSITIVE, .otherwise = " 10 frames",
     .about = "Between checkpoints, from which a killed run goes on; rounded to frames."},
    {"samples", CST_VALUE_INTEGER, BETWEEN(1, 1000), .otherwise = "4", .about = "Drawn vertices per element of a rod."},
    {"contacts", CST_VALUE_BOOL, .otherwise = "true", .about = "Contacts and their forces are saved."},
    {"detail", CST_VALUE_CHOICE, CHOICES("auto", "full", "light"), .otherwise = "\"auto\"",
     .about = "Detail of saved frames: light leaves out what pictures do without and rounds positions (cache.md); auto is light in space with "
              "more than 500 bodies."},
};
const cst_section cst_section_output = {"output", "What a run saves.", KEYS(output_keys)};

static const cst_scene_key probe_keys[] = {
    PROBE_KEYS(CST_NAMED_PLANE_BODY, "rod", CST_VALUE_VECTOR, "", ""),
};
static const cst_section probe = {"probe", "A column of numbers over time, one CSV file each.", KEYS(probe_keys), .by = "type"};

static const cst_scene_key camera_keys[] = {
    {"center", CST_VALUE_VECTOR, .unit = "m", REQUIRED, .about = "Center of the view."},
    {"height", CST_VALUE_REAL, .unit = "m", POSITIVE, REQUIRED, .about = "Height of the view."},
};
static const cst_section camera = {"camera", "What pictures show; without it, everything.", KEYS(camera_keys)};

/* -------------------------------------------------------------------------------------------------------------------- root */

static const cst_scene_key scene_keys[] = {
    SCENE_HEAD,
    {"dim", CST_VALUE_INTEGER, BETWEEN(2, 3), .otherwise = "2", .about = "Dimensions: 2, or 3 (space_scene)."},
    {"gravity", CST_VALUE_VECTOR, .unit = "m/s2", .otherwise = "[0, -9.81]", .about = "Acceleration of free fall."},
    SCENE_STEP,
    {"rods", CST_VALUE_LIST, .section = &rod, .about = "Slender elastic bodies."},
    SCENE_LISTS(rigid, obstacle, constraint, load, generator),
    SCENE_LOOK(probe, camera),
};
const cst_section cst_scene_section = {"scene", "The file as a whole.", KEYS(scene_keys)};

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
