/* The language of 3D scenes, where it differs from the language of the plane (schema.c). */
#include "scene/fiber_shapes.h"
#include "scene/schema_parts.h"

/* clang-format off */

#define VECTOR CST_VALUE_VECTOR3
#define ZERO .otherwise = "[0, 0, 0]"
#define CURVATURES .components = "[twist, k1, k2]"
#define ROTATION                                                                                                                 \
    {"rotation", VECTOR | CST_VALUE_OBJECT, .unit = "rad", .section = &cst_section_turn, ZERO

/* ------------------------------------------------------------------------------------------------------------------ motion */

static const cst_scene_key turn_keys[] = {
    {"axis", VECTOR, REQUIRED, .about = "Direction of any length."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "By the right hand."},
};
const cst_section cst_section_turn = {"turn", "A rotation about an axis, instead of a rotation vector.", KEYS(turn_keys)};

static const cst_scene_key motion_key_keys[] = {
    {"time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, REQUIRED, .about = "Increasing from key to key."},
    {"translation", VECTOR, .unit = "m", ZERO, .about = "From where it was put."},
    ROTATION, .about = "About its reference point: a rotation vector, or an axis and an angle."},
};
const cst_section cst_section_space_motion_key = {"space_motion_key", "Where a moved thing is at one time.", KEYS(motion_key_keys)};

static const cst_scene_key motion_keys[] = {
    MOTION_KEYS(cst_section_space_motion_key),
    {"file", CST_VALUE_TEXT, .group = "course",
     .about = "CSV instead of keys, relative to this scene: a line of names, then time, x, y, z, or time, x, y, z, rx, ry, rz (a rotation vector)."},
    {"about", VECTOR, .unit = "m", .otherwise = " its own reference point",
     .about = "Point of the world, at the start, about which it turns: what sits on something that turns."},
};
const cst_section cst_section_space_motion = {"space_motion", "A prescribed motion, by keys.", KEYS(motion_keys)};

/* ------------------------------------------------------------------------------------------------------------------ fibers */

static const cst_scene_key curl_keys[] = {
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, REQUIRED, .about = "Radius of the cylinder that the centreline winds around."},
    {"pitch", CST_VALUE_REAL, .unit = "m", .otherwise = "0", .about = "Along the axis in one turn; negative: left-handed."},
};
const cst_section cst_section_curl = {"curl", "A helix, as hair or a cable may have it: with h = pitch / 2 pi its curvature is "
                                              "radius / (radius^2 + h^2) and its twist h / (radius^2 + h^2).", KEYS(curl_keys)};

static const char *shape_name(int value)
{
    return value < CST_SHAPE_KINDS ? cst_fiber_shape_names[value] : NULL;
}

#define OF(kind) (1u << CST_SHAPE_##kind)
#define ROUND_KNOTS (OF(OVERHAND_KNOT) | OF(FIGURE_OF_EIGHT_KNOT))
#define ON_POST (OF(CAPSTAN) | OF(CLOVE_HITCH))

static const cst_scene_key shape_keys[] = {
    {"kind", CST_VALUE_CHOICE, .choice_name = shape_name, .choice_count = CST_SHAPE_KINDS, REQUIRED,
     .about = "Straight, arc, wave, helix, coil and slack begin at the origin along x; a coil stands up along z. What goes around a "
              "post has it along z; tails of knots lie along x."},
    {"loop", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(OF(HELIX) | OF(COIL) | ROUND_KNOTS),
     .about = "Radius of a knot's loop, of a helix or a coil."},
    {"post", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(ON_POST), .about = "Radius of what it is wound around."},
    {"pitch", CST_VALUE_REAL, .unit = "m", .variants = OF(HELIX) | OF(COIL) | OF(CAPSTAN), .required = OF(HELIX),
     .otherwise = " 2.4 radii for coil and capstan", .about = "Along the axis in one turn."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", NEEDED(OF(ARC) | OF(CAPSTAN)),
     .about = "By which an arc turns (360deg: a ring), or of the turns around the post."},
    {"amplitude", CST_VALUE_REAL, .unit = "m", NEEDED(OF(WAVE)), .about = "Amplitude of y = amplitude sin(2 pi x / wavelength)."},
    {"wavelength", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(OF(WAVE)), .about = "Wavelength of the wave."},
    {"distance", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(OF(SLACK)), .about = "Distance between both ends: less than the length."},
    {"crossings", CST_VALUE_INTEGER, BETWEEN(3, 99), ONLY(OF(OVERHAND_KNOT)), .otherwise = "3", .about = "3, 5, 7 and so on."},
    {"clearance", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(ON_POST | ROUND_KNOTS), .otherwise = "0",
     .about = "Free width between fiber and post, and between strands."},
    {"tail", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(OF(COIL) | ON_POST | ROUND_KNOTS),
     .otherwise = " as long as the one behind", .about = "Straight part before the shape. Of a coil: on its top, 0 without."},
    {"mirrored", CST_VALUE_BOOL, .otherwise = "false", .about = "z changes sign: the other hand."},
    {"reversed", CST_VALUE_BOOL, .otherwise = "false", .about = "The fiber starts where the shape ends."},
};
const cst_section cst_section_shape = {
    "shape", "A named centreline, in coordinates of its own: origin at the fiber's position, x along direction, y along normal.",
    KEYS(shape_keys), .by = "kind"};

static const cst_scene_key fiber_keys[] = {
    NAMED(CST_NAMED_FIBER),
    {"model", CST_VALUE_CHOICE, CHOICES("super-helix", "discrete-rod", "corde", "springs"), .otherwise = "\"super-helix\"",
     .about = "Exact length and curved elements; or nodes with stretch: with twist angles, with frames, without twist."},
    {"formulation", CST_VALUE_CHOICE, CHOICES("auto", "dense", "sweep"), .otherwise = "\"auto\"",
     .about = "Formulation of a super helix: dense for few elements, a sweep for many."},
    {"elements", CST_VALUE_INTEGER, BETWEEN(1, 1e6), .otherwise = " one less than points",
     .about = "Helices, or edges between nodes, of equal length. Required without points."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, .otherwise = " that of the line through points",
     .about = "Length of the whole fiber. Required without points."},
    {"radius", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "m", POSITIVE, .otherwise = " the larger half axis of the section",
     .about = "Radius of contact, and of a round section; for all or for each element. Required without section."},
    {"section", CST_VALUE_REALS, .unit = "m", POSITIVE, .about = "[a, b]: half axes of an ellipse, along d1 and along d2."},
    {"mass_per_length", CST_VALUE_REAL, .unit = "kg/m", POSITIVE, .group = "mass", .group_required = true,
     .about = "Or: density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", POSITIVE, .group = "mass", .about = "Times the section."},
    {"bending_stiffness", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "N m2", POSITIVE, .group = "stiffness",
     .group_required = true, .about = "EI, the same both ways, or [about d1, about d2]. Or: young."},
    {"young", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "stiffness",
     .about = "Young's modulus, times pi radius^4 / 4, or of the ellipse [pi a b^3 / 4, pi a^3 b / 4]."},
    {"twisting_stiffness", CST_VALUE_REAL, .unit = "N m2", POSITIVE, .group = "torsion",
     .about = "GJ. Or: shear_modulus, poisson_ratio."},
    {"shear_modulus", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "torsion",
     .about = "Times pi radius^4 / 2, or pi a^3 b^3 / (a^2 + b^2)."},
    {"poisson_ratio", CST_VALUE_REAL, BETWEEN(-0.99, 0.5), .group = "torsion", .otherwise = "0.5",
     .about = "GJ = 2 EI1 EI2 / ((1 + poisson_ratio) (EI1 + EI2)): that of a round or elliptic section."},
    {"stretching_stiffness", CST_VALUE_REAL, .unit = "N", POSITIVE,
     .otherwise = " young times the section; without young so stiff that it hardly stretches",
     .about = "EA of models with nodes; a super helix does not stretch."},
    {"natural_curvature", VECTOR | CST_VALUE_POINTS3, .unit = "1/m", CURVATURES, .group = "rest", ZERO,
     .about = "Without load, for all or for each element: the rate at which the frame (tangent, d1, d2) turns about its own axes. "
              "Or: curl."},
    {"curl", CST_VALUE_OBJECT, .section = &cst_section_curl, .group = "rest", .about = "Without load: a helix."},
    {"sag_free", CST_VALUE_BOOL, .otherwise = "false",
     .about = "For a clamped super helix: natural curvatures are those with which its first shape is at rest under gravity, without contacts. "
              "natural_curvature and curl then say what that shape is, unless something else does."},
    {"damping_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0",
     .about = "Moment = damping_time x stiffness x rate of curvature."},
    {"drag", CST_VALUE_REAL, .unit = "kg/(m s)", NOT_NEGATIVE, .otherwise = "0", .about = "Force per length and velocity."},
    {"position", VECTOR, .unit = "m", ZERO, .about = "Position of its start; origin of points and shape."},
    {"direction", VECTOR, .otherwise = " [1, 0, 0], or along points",
     .about = "At its start, of any length; x of a shape."},
    {"normal", VECTOR, .otherwise = " level: across z and direction",
     .about = "Towards d1 at its start, y of a shape; the part along direction is dropped."},
    {"curvature", VECTOR | CST_VALUE_POINTS3, .unit = "1/m", CURVATURES, .otherwise = " the natural one",
     .about = "At first, for all or for each element."},
    {"points", CST_VALUE_POINTS3, .unit = "m", .group = "line",
     .about = "The centreline at first, from position: elements + 1 points, evenly spaced along it. Or: shape."},
    {"shape", CST_VALUE_OBJECT, .section = &cst_section_shape, .group = "line", .about = "The centreline at first, by name."},
    {"velocity", VECTOR, .unit = "m/s", ZERO, .about = "Velocity of its start."},
    {"angular_velocity", VECTOR, .unit = "rad/s", ZERO, .about = "With which all of it turns about its start."},
    {"clamped", CST_VALUE_BOOL, .otherwise = "false", .about = "The start is held in place and direction, or moved by motion."},
    {"motion", CST_VALUE_OBJECT, .section = &cst_section_space_motion, .about = "Motion of the clamped start."},
    {"closed", CST_VALUE_BOOL, .otherwise = "false", .about = "A ring: the end is joined to the start."},
    {"explicit_step", CST_VALUE_BOOL, .otherwise = "false", .about = "CORDE only: as in its paper, with steps of 0.1 ms."},
    {"friction", CST_VALUE_REAL | CST_VALUE_REALS, NOT_NEGATIVE, .otherwise = " of the material",
     .about = "Coefficient mu, for all or for each element."},
    SURFACE,
};
const cst_section cst_section_fiber = {"fiber", "A slender elastic body in space, bent, twisted and, with nodes, stretched.",
                                       KEYS(fiber_keys), .template_too = true};

/* ------------------------------------------------------------------------------------------------ rigid bodies, obstacles */

enum { BALL = 1, PILL = 2, BOX = 4, MESH = 8 };

#define MESH_KEYS(which, scaled)                                                                                                 \
    {"file", CST_VALUE_TEXT, NEEDED(which), .about = "OBJ or STL, relative to this scene."},                                     \
    {"scale", CST_VALUE_REAL, POSITIVE, ONLY(scaled), .otherwise = "1", .about = "Times the coordinates in the file."}

static const cst_scene_key rigid_keys[] = {
    NAMED(CST_NAMED_RIGID),
    {"shape", CST_VALUE_CHOICE, CHOICES("sphere", "capsule", "box", "mesh"), REQUIRED, .about = "What it looks like."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(BALL | PILL), .about = "Radius of a sphere or around a capsule's axis."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(PILL), .about = "Length of the axis, between the centres of its ends."},
    {"edges", VECTOR, .unit = "m", NEEDED(BOX), .about = "Whole lengths along its axes, without the rounding."},
    MESH_KEYS(MESH, MESH),
    {"rounding", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(BOX | MESH), .otherwise = "0", .about = "Added all around."},
    {"mass", CST_VALUE_REAL, .unit = "kg", POSITIVE, .group = "mass", .group_required = true, .about = "Or: density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", POSITIVE, .group = "mass", .about = "Times its volume."},
    {"inertia", VECTOR | CST_VALUE_POINTS3, .unit = "kg m2", .otherwise = " homogeneous",
     .about = "About the centre of mass, in its axes: the three of a diagonal matrix, or three rows."},
    {"position", VECTOR, .unit = "m", ZERO, .about = "Position of the centre of mass."},
    {"direction", VECTOR, ONLY(PILL), .group = "turned", .otherwise = "[0, 0, 1]", .about = "Direction of the capsule's axis. Or: rotation."},
    ROTATION, .group = "turned", .about = "Rotation of its axes: a rotation vector, or an axis and an angle."},
    {"velocity", VECTOR, .unit = "m/s", ZERO, .about = "Velocity of the centre of mass."},
    {"angular_velocity", VECTOR, .unit = "rad/s", ZERO, .about = "In the axes of the world."},
    {"drag", CST_VALUE_REAL, .unit = "kg/s", NOT_NEGATIVE, .otherwise = "0", .about = "Force per velocity."},
    {"angular_drag", CST_VALUE_REAL, .unit = "N m s", NOT_NEGATIVE, .otherwise = "0", .about = "Moment per angular velocity."},
    {"collides", CST_VALUE_BOOL, .otherwise = "true", .about = "false: a ghost that only carries constraints and mass."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Coefficient mu."},
    SURFACE,
};
const cst_section cst_section_space_rigid = {"space_rigid_body", "A body that does not bend.", KEYS(rigid_keys), .by = "shape",
                                             .template_too = true};

enum { PLANE = 1, SPHERE = 2, CAPSULE = 4, BRICK = 8, CYLINDER = 16, SURFACE_MESH = 32, HUMAN_HEAD = 64, HUMAN_BUST = 128 };
#define HUMAN (HUMAN_HEAD | HUMAN_BUST)

static const cst_scene_key frames_keys[] = {
    {"file", CST_VALUE_TEXT, REQUIRED,
     .about = "A vertex cache (PC2), or OBJ files with their number written as in \"cloth_%03d.obj\"."},
    {"first", CST_VALUE_INTEGER, UP_TO(1e6), .otherwise = "1", .about = "Number of the first OBJ file."},
    {"last", CST_VALUE_INTEGER, UP_TO(1e6), .otherwise = " the last there is", .about = "Number of the last OBJ file."},
    {"frames_per_second", CST_VALUE_REAL, .unit = "1/s", POSITIVE, .otherwise = "24", .about = "At which the shapes follow."},
    {"start", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0", .about = "Time of the first shape."},
};
const cst_section cst_section_mesh_frames = {
    "mesh_frames", "Shapes of a mesh that deforms: the same triangles, their corners moved; linear between.", KEYS(frames_keys)};

static const cst_scene_key obstacle_keys[] = {
    NAMED(CST_NAMED_OBSTACLE),
    {"shape", CST_VALUE_CHOICE, CHOICES("plane", "sphere", "capsule", "box", "cylinder", "mesh", "head", "bust"), REQUIRED,
     .about = "What it looks like. A head with its neck, and the bust that it turns on, are meshes of our own in the same axes, in m: x "
              "forward, y to the left, z up, the origin in the middle of the head."},
    {"position", VECTOR, .unit = "m", .group = "place", ZERO,
     .about = "A point of the plane, the centre, the origin of the mesh. Of a capsule or cylinder, or: ends."},
    {"normal", VECTOR, ONLY(PLANE), .otherwise = "[0, 0, 1]", .about = "Outward, of any length; matter is on the other side."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(SPHERE | CAPSULE | CYLINDER),
     .about = "Radius of the sphere, around the axis."},
    {"ends", CST_VALUE_POINTS3, .unit = "m", ONLY(CAPSULE | CYLINDER), .group = "place",
     .about = "Both ends of the axis, instead of position, direction and length."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, ONLY(CAPSULE | CYLINDER), .otherwise = " between the ends",
     .about = "Length of the axis. Required without ends."},
    {"direction", VECTOR, ONLY(CAPSULE | CYLINDER), .group = "turned", .otherwise = "[0, 0, 1]", .about = "Direction of the axis."},
    {"edges", VECTOR, .unit = "m", NEEDED(BRICK), .about = "Whole lengths along its axes, without the rounding."},
    MESH_KEYS(SURFACE_MESH, SURFACE_MESH | HUMAN),
    {"detail", CST_VALUE_INTEGER, BETWEEN(2, 40), ONLY(HUMAN), .otherwise = "12", .about = "The mesh has 20 detail^2 triangles."},
    {"closed", CST_VALUE_BOOL, ONLY(SURFACE_MESH), .otherwise = " true if no edge is open",
     .about = "Matter inside; otherwise a sheet with two sides."},
    {"frames", CST_VALUE_OBJECT, .section = &cst_section_mesh_frames, ONLY(SURFACE_MESH), .about = "How it deforms."},
    {"rounding", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(BRICK | CYLINDER | SURFACE_MESH | HUMAN), .otherwise = "0",
     .about = "Added all around: half the thickness of a sheet."},
    {"rotation", VECTOR | CST_VALUE_OBJECT, .unit = "rad", .section = &cst_section_turn, ZERO, ONLY(BRICK | SURFACE_MESH | HUMAN),
     .group = "turned", .about = "Rotation of its axes: a rotation vector, or an axis and an angle."},
    {"motion", CST_VALUE_OBJECT, .section = &cst_section_space_motion, .group = "moving",
     .about = "About position, or the middle between the ends. Or: moves_with."},
    {"moves_with", CST_VALUE_REFERENCE, .kinds = CST_NAMED_OBSTACLE, .group = "moving",
     .about = "Name of an obstacle that has a motion: as if both were one."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Coefficient mu."},
    SURFACE,
};
const cst_section cst_section_space_obstacle = {"space_obstacle", "What bodies touch and cannot move.", KEYS(obstacle_keys),
                                                .by = "shape"};

/* ---------------------------------------------------------------------------------------------------- constraints and loads */

static const cst_scene_key place_keys[] = {
    BODY(CST_NAMED_SPACE_BODY, "fiber"),
    AT(VECTOR, "fiber"),
};
const cst_section cst_section_space_place = {
    "space_place", "A point of another body. If `at` is omitted, a rigid body is attached at the current position of the first body's point.",
    KEYS(place_keys)};

static const cst_scene_key constraint_keys[] = {
    CONSTRAINT_KEYS(CST_NAMED_SPACE_BODY, "fiber", VECTOR, cst_section_space_place, cst_section_space_motion),
};
const cst_section cst_section_space_constraint = {
    "space_constraint", "Holds a place of a body to the world or to another body.", KEYS(constraint_keys), .by = "type"};

static const cst_scene_key load_keys[] = {
    NAMED(CST_NAMED_LOAD),
    BODY(CST_NAMED_SPACE_BODY, "fiber"),
    AT(VECTOR, "fiber"),
    {"force", VECTOR, .unit = "N", ZERO, .about = "At the place."},
    {"moment", VECTOR, .unit = "N m", ZERO, .about = "By the right hand."},
    {"follower", CST_VALUE_BOOL, .otherwise = "false", .about = "Turns with the body."},
    {"factor", CST_VALUE_POINTS, .about = "[[time, factor], ...]: linear between, constant outside."},
};
const cst_section cst_section_space_load = {"space_load", "A force and a moment on a place of a body.", KEYS(load_keys)};

/* -------------------------------------------------------------------------------------------------------------- generators */

enum { ROW = 1, GRID = 2, RANDOM = 4, RING = 8, CAP = 16, CARD_HOUSE = 32, HAIR = 64, STRANDS = 128 };

static const cst_scene_key template_keys[] = {
    {"fiber", CST_VALUE_OBJECT, .section = &cst_section_fiber, .group = "template", .group_required = true,
     .about = "A fiber without a name. Or:"},
    {"rigid_body", CST_VALUE_OBJECT, .section = &cst_section_space_rigid, .group = "template",
     .about = "A rigid body without a name."},
};
const cst_section cst_section_space_template = {"space_template", "What a generator makes.", KEYS(template_keys), .repeated = true};

static const cst_scene_key region_keys[] = {
    {"from", VECTOR, .unit = "m", REQUIRED, .about = "Least coordinates."},
    {"to", VECTOR, .unit = "m", REQUIRED, .about = "Largest coordinates."},
};
const cst_section cst_section_space_region = {"space_region", "A box.", KEYS(region_keys)};

static const cst_scene_key turns_keys[] = {
    {"axis", VECTOR, .otherwise = "[0, 0, 1]", .about = "About which they are turned."},
    {"from", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "The least angle."},
    {"to", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "The largest."},
};
const cst_section cst_section_turns = {"turns", "Rotations about an axis by angles of a range, at random.", KEYS(turns_keys)};

static const cst_scene_key tie_keys[] = {
    {"position", VECTOR, .unit = "m", .otherwise = "[-0.125, 0, 0.03]", .about = "Position of its middle, in the axes of the scalp."},
    {"direction", VECTOR, .otherwise = "[-1, 0, 0.3]", .about = "In which hair leaves it, in the axes of the scalp."},
    {"part", CST_VALUE_CHOICE, CHOICES("tail", "scalp"), .otherwise = "\"tail\"",
     .about = "Hairs of the tail begin in the tie, side by side, and hang from there. Those of the scalp grow on it and are combed to the tie, "
              "where they end: they are as long as that way, at most as long as what is repeated."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, .otherwise = "0.02", .about = "From its middle, at which hair of the scalp ends."},
};
const cst_section cst_section_tie = {"tie", "Where the hair of a ponytail is held together.", KEYS(tie_keys)};

static const cst_scene_key generator_keys[] = {
    {"name", CST_VALUE_NAME, .kinds = CST_NAMED_GENERATOR, REQUIRED, .about = "The bodies are called NAME_1, NAME_2 and so on."},
    {"type", CST_VALUE_CHOICE, CHOICES("row", "grid", "random", "ring", "cap", "card_house", "hair", "strands"), REQUIRED,
     .about = "Where the bodies are put."},
    {"of", CST_VALUE_OBJECT, .section = &cst_section_space_template, REQUIRED,
     .about = "What is repeated; its position counts from the place."},
    {"count", CST_VALUE_INTEGER, BETWEEN(1, 1e5), NEEDED(ROW | RANDOM | RING | CAP | HAIR | STRANDS), .about = "Number of bodies. Strands: the first so many of the file."},
    {"columns", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Columns of the grid, along x."},
    {"rows", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Rows of the grid, along y."},
    {"layers", CST_VALUE_INTEGER, BETWEEN(1, 1000), ONLY(GRID), .otherwise = "1", .about = "Layers of the grid, along z."},
    {"spacing", VECTOR, .unit = "m", NEEDED(ROW | GRID), .about = "From one to the next; of a grid, along x, y and z."},
    {"region", CST_VALUE_OBJECT, .section = &cst_section_space_region, NEEDED(RANDOM), .about = "Where they are strewn."},
    {"separation", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(RANDOM), .otherwise = "0",
     .about = "Their centrelines, or the centres of rigid bodies, are not closer at first."},
    {"center", VECTOR, .unit = "m", ONLY(RING | CAP | HAIR | STRANDS), ZERO,
     .about = "Center of the ring or the sphere. Strands: where the origin of the file is. Hair: from where the directions of axis and opening are seen, in the axes of the scalp."},
    {"axis", VECTOR, ONLY(RING | CAP | HAIR), .otherwise = "[0, 0, 1]",
     .about = "Axis of the ring, or from the centre to the top of the cap, or of what grows hair."},
    {"step", CST_VALUE_ANGLE, .unit = "rad", ONLY(RING), .otherwise = " a full turn / count",
     .about = "From one to the next: each is turned about the axis."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(CAP), .about = "Radius of the sphere."},
    {"opening", CST_VALUE_ANGLE, .unit = "rad", ONLY(CAP | HAIR),
     .otherwise = " a quarter turn: half a sphere; hair: a head has its own hairline, all of a mesh",
     .about = "From the axis to the rim of the cap. Places are spread evenly; the z of what is repeated points outward there."},
    {"scalp", CST_VALUE_REFERENCE, .kinds = CST_NAMED_OBSTACLE, .variants = HAIR | STRANDS, .required = HAIR,
     .about = "Name of a head or a closed mesh that the hair grows on and moves with. Hair lies outside of all obstacles at first. "
              "Strands of a file that are clamped move with it; they lie where the file says."},
    {"file", CST_VALUE_TEXT, NEEDED(STRANDS), .about = "File of strands: .hair, .usda, .obj or .csv, relative to this scene."},
    {"scale", CST_VALUE_REAL, POSITIVE, ONLY(STRANDS), .otherwise = "1", .about = "Metres in a unit of the file: 0.01 if it is in centimetres."},
    {"up", CST_VALUE_CHOICE, CHOICES("z", "y"), ONLY(STRANDS), .otherwise = "\"z\"",
     .about = "Which axis of the file points up. With y the file's -z becomes y of the scene."},
    {"widths", CST_VALUE_BOOL, ONLY(STRANDS), .otherwise = "false", .about = "The radius of contact is half the mean width that the file has for the strand."},
    {"length_variation", CST_VALUE_REAL, UP_TO(0.9), ONLY(HAIR), .otherwise = "0",
     .about = "Lengths lie between (1 - it) and (1 + it) times that of what is repeated."},
    {"parting", CST_VALUE_REAL, .unit = "m", ONLY(HAIR), .otherwise = " none: combed away from the whorl",
     .about = "The y of the plane, in the axes of the scalp, from which hair is combed to both sides."},
    {"whorl", VECTOR, .unit = "m", ONLY(HAIR), .otherwise = "[-0.05, 0, 0.1]",
     .about = "In the axes of the scalp: without a parting, hair is combed away from here."},
    {"side", CST_VALUE_REAL, BETWEEN(-10, 10), ONLY(HAIR), .otherwise = "1",
     .about = "How much hair is combed away from the parting or the whorl, next to it; 1 as much as down."},
    {"back", CST_VALUE_REAL, BETWEEN(-10, 10), ONLY(HAIR), .otherwise = "0.4", .about = "How much hair on the head is combed back."},
    {"tie", CST_VALUE_OBJECT, .section = &cst_section_tie, ONLY(HAIR),
     .about = "A ponytail, or the hair that is combed to it: two generators make both. Both move with the scalp."},
    {"bundle", CST_VALUE_INTEGER, BETWEEN(1, 37), ONLY(HAIR), .otherwise = "1",
     .about = "So many hairs are laid as one, side by side, and then go their own ways: a seventh of the time for 7. 7, 19 and 37 fill their tube best."},
    {"wisps", CST_VALUE_INTEGER, UP_TO(1e5), ONLY(HAIR), .otherwise = "0", .about = "So many wisps; 0: none."},
    {"tightness", CST_VALUE_REAL, UP_TO(1), ONLY(HAIR), .otherwise = "0.6",
     .about = "How far the hairs of a wisp come together; 1: as near as they can."},
    {"gap", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(HAIR), .otherwise = " 0.1 of the radius",
     .about = "Free between two hairs, and between hair and obstacles, at first."},
    {"levels", CST_VALUE_INTEGER, BETWEEN(1, 200), NEEDED(CARD_HOUSE),
     .about = "Levels of a house of cards in the plane of x and z, which stands on z = 0. What is repeated is a box: thickness, width and "
              "length of a card as its edges."},
    {"lean", CST_VALUE_ANGLE, .unit = "rad", ONLY(CARD_HOUSE), .otherwise = " 22deg", .about = "Lean of the cards, from upright."},
    {"clearance", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(CARD_HOUSE), .otherwise = " 0.4 of the thickness",
     .about = "Between the ends of cards that lie."},
    {"jitter", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, .otherwise = "0",
     .about = "Each coordinate is moved by at most this much."},
    {"turned", CST_VALUE_CHOICE | CST_VALUE_OBJECT, CHOICES("any"), .section = &cst_section_turns,
     .about = "Each is turned about its place at random: in any way, or about an axis."},
    {"seed", CST_VALUE_INTEGER, UP_TO(9e15), .otherwise = "1", .about = "Seed of all that is random."},
};
const cst_section cst_section_space_generator = {"space_generator", "Many bodies alike.", KEYS(generator_keys), .by = "type"};

/* ------------------------------------------------------------------------------------------------------------------ looking */

static const cst_scene_key probe_keys[] = {
    PROBE_KEYS(CST_NAMED_SPACE_BODY | CST_NAMED_SHEET, "fiber", VECTOR, "; force of a handle on its sheet",
               "; of a sheet: the number of a node, from 0", , "handle_force"),
    {"handle", CST_VALUE_INTEGER, UP_TO(1e6), ONLY(HANDLE_FORCE), .otherwise = "0", .about = "Which of the sheet's handles, from 0."},
};
const cst_section cst_section_space_probe = {"space_probe", "A column of numbers over time, one CSV file each.", KEYS(probe_keys),
                                             .by = "type"};

static const cst_scene_key camera_keys[] = {
    {"center", VECTOR, .unit = "m", REQUIRED, .about = "Center of the view."},
    {"height", CST_VALUE_REAL, .unit = "m", POSITIVE, REQUIRED, .about = "Height of the view, at its centre."},
    {"azimuth", CST_VALUE_ANGLE, .unit = "rad", .otherwise = " seen from the front right",
     .about = "Where the viewer stands: 0 towards x, 90deg towards y."},
    {"elevation", CST_VALUE_ANGLE, .unit = "rad", .otherwise = " a little from above", .about = "Elevation of the viewer over the plane of x and y."},
};
const cst_section cst_section_space_camera = {"space_camera", "What pictures show; without it, everything.", KEYS(camera_keys)};

static const cst_scene_key wind_keys[] = {
    {"velocity", VECTOR, .unit = "m/s", REQUIRED, .about = "Velocity of the air, in the mean."},
    {"gust", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0",
     .about = "How much it changes, as a share: 0.5 blows between half and one and a half times the mean. Gusts travel with the wind."},
    {"period", CST_VALUE_REAL, .unit = "s", POSITIVE, .otherwise = "1", .about = "Period of the gusts, about."},
    {"seed", CST_VALUE_INTEGER, UP_TO(9e15), .otherwise = "1", .about = "Seed of their phases."},
};
const cst_section cst_section_wind = {"wind", "Air that moves: a fiber with drag feels drag times the velocity of the air relative to it, per length.",
                                      KEYS(wind_keys)};

static const cst_scene_key scene_keys[] = {
    SCENE_HEAD,
    {"dim", CST_VALUE_INTEGER, BETWEEN(3, 3), REQUIRED, .about = "Dimensions."},
    {"gravity", VECTOR, .unit = "m/s2", .otherwise = "[0, 0, -9.81]", .about = "Acceleration of free fall."},
    {"wind", CST_VALUE_OBJECT, .section = &cst_section_wind, .about = "On fibers that have drag."},
    SCENE_STEP,
    {"fibers", CST_VALUE_LIST, .section = &cst_section_fiber, .about = "Slender elastic bodies."},
    {"sheets", CST_VALUE_LIST, .section = &cst_section_sheet, .about = "Cloth, paper, thin plates."},
    {"fabrics", CST_VALUE_LIST, .section = &cst_section_fabric, .about = "What sheets are made of."},
    SCENE_LISTS(cst_section_space_rigid, cst_section_space_obstacle, cst_section_space_constraint, cst_section_space_load,
                cst_section_space_generator),
    SCENE_LOOK(cst_section_space_probe, cst_section_space_camera),
};
const cst_section cst_space_section = {"space_scene", "The file as a whole, with three dimensions.", KEYS(scene_keys)};

/* clang-format on */
