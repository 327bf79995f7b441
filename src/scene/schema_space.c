/* The keys of 3D scenes, where they differ from those of 2D scenes (schema.c). */
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
    {"axis", VECTOR, REQUIRED, .about = "Direction of the axis, of any length."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "Angle of the rotation, by the right-hand rule."},
};
const cst_section cst_section_turn = {"turn", "A rotation given by an axis and an angle instead of a rotation vector.", KEYS(turn_keys)};

static const cst_scene_key motion_key_keys[] = {
    {"time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, REQUIRED, .about = "Time of the key; times increase from key to key."},
    {"translation", VECTOR, .unit = "m", ZERO, .about = "Displacement from the initial position."},
    ROTATION, .about = "Rotation about the reference point of the object: a rotation vector, or an axis and an angle."},
};
const cst_section cst_section_space_motion_key = {"space_motion_key", "Displacement of an object with prescribed motion at one time.", KEYS(motion_key_keys)};

static const cst_scene_key motion_keys[] = {
    MOTION_KEYS(cst_section_space_motion_key),
    {"file", CST_VALUE_TEXT, .group = "course",
     .about = "CSV file with the motion, instead of keys, relative to this scene: a line of column names, then lines with "
              "time, x, y, z, or time, x, y, z, rx, ry, rz (a rotation vector)."},
    {"about", VECTOR, .unit = "m", .otherwise = " its own reference point",
     .about = "World point about which the object rotates, at the start. Use it for an object that is attached to a rotating one."},
};
const cst_section cst_section_space_motion = {"space_motion", "A prescribed motion, given by displacements at certain "
                                                              "times (keys).", KEYS(motion_keys)};

/* ------------------------------------------------------------------------------------------------------------------ fibers */

static const cst_scene_key curl_keys[] = {
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, REQUIRED,
     .about = "Radius of the cylinder that the centreline winds around."},
    {"pitch", CST_VALUE_REAL, .unit = "m", .otherwise = "0",
     .about = "Advance along the axis per turn; negative values are left-handed."},
};
const cst_section cst_section_curl = {"curl", "A natural helix, for hair or cables. A natural helix with `radius` and "
                                              "`pitch` has the curvature radius / (radius^2 + h^2) and the twist h / "
                                              "(radius^2 + h^2), where h = pitch / (2 pi).", KEYS(curl_keys)};

static const char *shape_name(int value)
{
    return value < CST_SHAPE_KINDS ? cst_fiber_shape_names[value] : NULL;
}

#define OF(kind) (1u << CST_SHAPE_##kind)
#define ROUND_KNOTS (OF(OVERHAND_KNOT) | OF(FIGURE_OF_EIGHT_KNOT))
#define ON_POST (OF(CAPSTAN) | OF(CLOVE_HITCH))

static const cst_scene_key shape_keys[] = {
    {"kind", CST_VALUE_CHOICE, .choice_name = shape_name, .choice_count = CST_SHAPE_KINDS, REQUIRED,
     .about = "Kind of centreline. Straight, arc, wave, helix, coil and slack begin at the origin along x; a coil rises along "
              "z. The post of a capstan or clove hitch is along z; the tails of knots are along x."},
    {"loop", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(OF(HELIX) | OF(COIL) | ROUND_KNOTS),
     .about = "Radius of the loop of a knot, of a helix or of a coil."},
    {"post", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(ON_POST), .about = "Radius of the post."},
    {"pitch", CST_VALUE_REAL, .unit = "m", .variants = OF(HELIX) | OF(COIL) | OF(CAPSTAN), .required = OF(HELIX),
     .otherwise = " 2.4 radii for coil and capstan", .about = "Advance along the axis per turn."},
    {"angle", CST_VALUE_ANGLE, .unit = "rad", NEEDED(OF(ARC) | OF(CAPSTAN)),
     .about = "Angle of the arc (360deg: a ring), or total angle of the turns around the post."},
    {"amplitude", CST_VALUE_REAL, .unit = "m", NEEDED(OF(WAVE)), .about = "Amplitude of y = amplitude sin(2 pi x / wavelength)."},
    {"wavelength", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(OF(WAVE)), .about = "Wavelength of the wave."},
    {"distance", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(OF(SLACK)),
     .about = "Distance between both ends, smaller than the length."},
    {"crossings", CST_VALUE_INTEGER, BETWEEN(3, 99), ONLY(OF(OVERHAND_KNOT)), .otherwise = "3",
     .about = "Number of crossings: 3, 5, 7 and so on."},
    {"clearance", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(ON_POST | ROUND_KNOTS), .otherwise = "0",
     .about = "Gap between fiber and post, and between strands."},
    {"tail", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(OF(COIL) | ON_POST | ROUND_KNOTS),
     .otherwise = " as long as the one behind",
     .about = "Length of the straight part before the shape. For a coil: length of the straight part on its top, 0 for none."},
    {"mirrored", CST_VALUE_BOOL, .otherwise = "false", .about = "Mirror the shape: z changes its sign."},
    {"reversed", CST_VALUE_BOOL, .otherwise = "false", .about = "The fiber starts where the shape ends."},
};
const cst_section cst_section_shape = {
    "shape", "The initial centreline of a fiber, chosen by name. The coordinates of the initial centreline have "
             "their origin at the fiber's `position`, their x axis along `direction` and their y axis along `normal`.",
    KEYS(shape_keys), .by = "kind"};

static const cst_scene_key fiber_keys[] = {
    NAMED(CST_NAMED_FIBER),
    {"model", CST_VALUE_CHOICE, CHOICES("super-helix", "discrete-rod", "corde", "springs"), .otherwise = "\"super-helix\"",
     .about = "super-helix: exact length and curved elements. The other models have nodes and stretch: discrete-rod with "
              "twist angles, corde with frames, springs without twist."},
    {"formulation", CST_VALUE_CHOICE, CHOICES("auto", "dense", "sweep"), .otherwise = "\"auto\"",
     .about = "Formulation of a super helix: dense for few elements, a sweep for many."},
    {"elements", CST_VALUE_INTEGER, BETWEEN(1, 1e6), .otherwise = " one less than points",
     .about = "Number of elements (helices, or edges between nodes) of equal length. Required without points."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, .otherwise = " that of the line through points",
     .about = "Length of the whole fiber. Required without points."},
    {"radius", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "m", POSITIVE, .otherwise = " the larger half axis of the section",
     .about = "Contact radius, and radius of a round section; one number, or one per element. Required without section."},
    {"section", CST_VALUE_REALS, .unit = "m", POSITIVE, .about = "[a, b]: half axes of an ellipse, along d1 and along d2."},
    {"mass_per_length", CST_VALUE_REAL, .unit = "kg/m", POSITIVE, .group = "mass", .group_required = true,
     .about = "Mass per length. Give either mass_per_length or density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", POSITIVE, .group = "mass",
     .about = "Density; the mass per length is density times the area of the section."},
    {"bending_stiffness", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "N m2", POSITIVE, .group = "stiffness",
     .group_required = true,
     .about = "EI: one number for both directions, or [about d1, about d2]. Give either bending_stiffness or young."},
    {"young", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "stiffness",
     .about = "Young's modulus. EI is young times pi radius^4 / 4, or young times [pi a b^3 / 4, pi a^3 b / 4] for an ellipse."},
    {"twisting_stiffness", CST_VALUE_REAL, .unit = "N m2", POSITIVE, .group = "torsion",
     .about = "GJ. Give one of twisting_stiffness, shear_modulus and poisson_ratio."},
    {"shear_modulus", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "torsion",
     .about = "Shear modulus. GJ is shear_modulus times pi radius^4 / 2, or pi a^3 b^3 / (a^2 + b^2) for an ellipse."},
    {"poisson_ratio", CST_VALUE_REAL, BETWEEN(-0.99, 0.5), .group = "torsion", .otherwise = "0.5",
     .about = "Poisson's ratio: GJ = 2 EI1 EI2 / ((1 + poisson_ratio) (EI1 + EI2)), as for a round or elliptic section."},
    {"stretching_stiffness", CST_VALUE_REAL, .unit = "N", POSITIVE,
     .otherwise = " young times the section; without young so stiff that it hardly stretches",
     .about = "EA of models with nodes; a super helix does not stretch."},
    {"natural_curvature", VECTOR | CST_VALUE_POINTS3, .unit = "1/m", CURVATURES, .group = "rest", ZERO,
     .about = "Twist and curvatures without load, for all or for each element: the rate at which the frame (tangent, d1, d2) "
              "rotates about its own axes. Give either natural_curvature or curl."},
    {"curl", CST_VALUE_OBJECT, .section = &cst_section_curl, .group = "rest", .about = "Natural shape as a helix."},
    {"sag_free", CST_VALUE_BOOL, .otherwise = "false",
     .about = "For a clamped super helix: compute the natural curvatures so that the initial shape is at rest under gravity, "
              "without contacts. natural_curvature and curl then define the initial shape, unless another key does."},
    {"damping_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0",
     .about = "Moment = damping_time x stiffness x rate of curvature."},
    {"drag", CST_VALUE_REAL, .unit = "kg/(m s)", NOT_NEGATIVE, .otherwise = "0", .about = "Drag force per length and velocity."},
    {"position", VECTOR, .unit = "m", ZERO, .about = "Position of the start of the fiber; origin of points and shape."},
    {"direction", VECTOR, .otherwise = " [1, 0, 0], or along points",
     .about = "Direction at the start of the fiber, of any length; x axis of a shape."},
    {"normal", VECTOR, .otherwise = " level: across z and direction",
     .about = "Direction of d1 at the start of the fiber, and y axis of a shape; its component along direction is ignored."},
    {"curvature", VECTOR | CST_VALUE_POINTS3, .unit = "1/m", CURVATURES, .otherwise = " the natural one",
     .about = "Initial twist and curvatures, for all or for each element."},
    {"points", CST_VALUE_POINTS3, .unit = "m", .group = "line",
     .about = "Initial centreline, relative to position: elements + 1 points, evenly spaced. Give either points or shape."},
    {"shape", CST_VALUE_OBJECT, .section = &cst_section_shape, .group = "line", .about = "Initial centreline as a named shape."},
    {"velocity", VECTOR, .unit = "m/s", ZERO, .about = "Initial velocity of the start."},
    {"angular_velocity", VECTOR, .unit = "rad/s", ZERO, .about = "Initial angular velocity of the whole body about its start."},
    {"clamped", CST_VALUE_BOOL, .otherwise = "false",
     .about = "Hold the start in position and direction, or move it as given by motion."},
    {"motion", CST_VALUE_OBJECT, .section = &cst_section_space_motion, .about = "Motion of the clamped start."},
    {"closed", CST_VALUE_BOOL, .otherwise = "false", .about = "Make a ring: the end is joined to the start."},
    {"explicit_step", CST_VALUE_BOOL, .otherwise = "false",
     .about = "For corde only: explicit time steps as in the paper of CORDE, about 0.1 ms long."},
    {"friction", CST_VALUE_REAL | CST_VALUE_REALS, NOT_NEGATIVE, .otherwise = " of the material",
     .about = "Friction coefficient mu; one number, or one per element."},
    SURFACE,
};
const cst_section cst_section_fiber = {"fiber", "A slender elastic body in 3D that bends and twists; models with nodes "
                                                "also stretch.",
                                       KEYS(fiber_keys), .template_too = true};

/* ------------------------------------------------------------------------------------------------ rigid bodies, obstacles */

enum { BALL = 1, PILL = 2, BOX = 4, MESH = 8 };

#define MESH_KEYS(which, scaled)                                                                                                 \
    {"file", CST_VALUE_TEXT, NEEDED(which), .about = "OBJ or STL file, relative to this scene."},                                     \
    {"scale", CST_VALUE_REAL, POSITIVE, ONLY(scaled), .otherwise = "1", .about = "Factor on the coordinates in the file."}

static const cst_scene_key rigid_keys[] = {
    NAMED(CST_NAMED_RIGID),
    {"shape", CST_VALUE_CHOICE, CHOICES("sphere", "capsule", "box", "mesh"), REQUIRED, .about = "Shape of the body."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(BALL | PILL),
     .about = "Radius of a sphere or around a capsule's axis."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(PILL),
     .about = "Length of the axis, between the centres of its ends."},
    {"edges", VECTOR, .unit = "m", NEEDED(BOX), .about = "Full edge lengths along the axes of the box, without the rounding."},
    MESH_KEYS(MESH, MESH),
    {"rounding", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(BOX | MESH), .otherwise = "0",
     .about = "Thickness that is added all around the shape."},
    {"mass", CST_VALUE_REAL, .unit = "kg", POSITIVE, .group = "mass", .group_required = true,
     .about = "Mass. Give either mass or density."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", POSITIVE, .group = "mass",
     .about = "Density; the mass is density times the volume."},
    {"inertia", VECTOR | CST_VALUE_POINTS3, .unit = "kg m2", .otherwise = " homogeneous",
     .about = "Inertia about the centre of mass in the axes of the body: three diagonal values, or three rows of the matrix."},
    {"position", VECTOR, .unit = "m", ZERO, .about = "Position of the centre of mass."},
    {"direction", VECTOR, ONLY(PILL), .group = "turned", .otherwise = "[0, 0, 1]",
     .about = "Direction of the capsule's axis. Give either direction or rotation."},
    ROTATION, .group = "turned", .about = "Rotation of the object: a rotation vector, or an axis and an angle."},
    {"velocity", VECTOR, .unit = "m/s", ZERO, .about = "Velocity of the centre of mass."},
    {"angular_velocity", VECTOR, .unit = "rad/s", ZERO, .about = "Angular velocity in world axes."},
    {"drag", CST_VALUE_REAL, .unit = "kg/s", NOT_NEGATIVE, .otherwise = "0", .about = "Drag force per velocity."},
    {"angular_drag", CST_VALUE_REAL, .unit = "N m s", NOT_NEGATIVE, .otherwise = "0", .about = "Drag moment per angular velocity."},
    {"collides", CST_VALUE_BOOL, .otherwise = "true", .about = "false: the body has no contacts, only mass and constraints."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Friction coefficient mu."},
    SURFACE,
};
const cst_section cst_section_space_rigid = {"space_rigid_body", "A rigid body: it moves but does not deform.", KEYS(rigid_keys), .by = "shape",
                                             .template_too = true};

enum { PLANE = 1, SPHERE = 2, CAPSULE = 4, BRICK = 8, CYLINDER = 16, SURFACE_MESH = 32, HUMAN_HEAD = 64, HUMAN_BUST = 128 };
#define HUMAN (HUMAN_HEAD | HUMAN_BUST)

static const cst_scene_key frames_keys[] = {
    {"file", CST_VALUE_TEXT, REQUIRED,
     .about = "A vertex cache (PC2), or numbered OBJ files with a pattern such as \"cloth_%03d.obj\"."},
    {"first", CST_VALUE_INTEGER, UP_TO(1e6), .otherwise = "1", .about = "Number of the first OBJ file."},
    {"last", CST_VALUE_INTEGER, UP_TO(1e6), .otherwise = " the last there is", .about = "Number of the last OBJ file."},
    {"frames_per_second", CST_VALUE_REAL, .unit = "1/s", POSITIVE, .otherwise = "24", .about = "Number of shapes per second."},
    {"start", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0", .about = "Time of the first shape."},
};
const cst_section cst_section_mesh_frames = {
    "mesh_frames", "The shapes of a deforming mesh at given times. All shapes of a deforming mesh have the same triangles; "
                   "between the times of two shapes, the vertices move linearly.", KEYS(frames_keys)};

static const cst_scene_key obstacle_keys[] = {
    NAMED(CST_NAMED_OBSTACLE),
    {"shape", CST_VALUE_CHOICE, CHOICES("plane", "sphere", "capsule", "box", "cylinder", "mesh", "head", "bust"), REQUIRED,
     .about = "Shape of the obstacle. head (with its neck) and bust are built-in meshes in the same axes, in m: x forward, y "
              "to the left, z up, with the origin in the middle of the head."},
    {"position", VECTOR, .unit = "m", .group = "place", ZERO,
     .about = "A point of the plane, the centre of the shape, or the origin of the mesh. A capsule or cylinder may have ends "
              "instead."},
    {"normal", VECTOR, ONLY(PLANE), .otherwise = "[0, 0, 1]",
     .about = "Outward normal, of any length; matter is on the other side."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(SPHERE | CAPSULE | CYLINDER),
     .about = "Radius of the sphere, or radius around the axis."},
    {"ends", CST_VALUE_POINTS3, .unit = "m", ONLY(CAPSULE | CYLINDER), .group = "place",
     .about = "Both ends of the axis, instead of position, direction and length."},
    {"length", CST_VALUE_REAL, .unit = "m", POSITIVE, ONLY(CAPSULE | CYLINDER), .otherwise = " between the ends",
     .about = "Length of the axis. Required without ends."},
    {"direction", VECTOR, ONLY(CAPSULE | CYLINDER), .group = "turned", .otherwise = "[0, 0, 1]", .about = "Direction of the axis."},
    {"edges", VECTOR, .unit = "m", NEEDED(BRICK), .about = "Full edge lengths along the axes of the box, without the rounding."},
    MESH_KEYS(SURFACE_MESH, SURFACE_MESH | HUMAN),
    {"detail", CST_VALUE_INTEGER, BETWEEN(2, 40), ONLY(HUMAN), .otherwise = "12", .about = "The mesh has 20 detail^2 triangles."},
    {"closed", CST_VALUE_BOOL, ONLY(SURFACE_MESH), .otherwise = " true if no edge is open",
     .about = "true: matter inside the mesh; false: a two-sided sheet."},
    {"frames", CST_VALUE_OBJECT, .section = &cst_section_mesh_frames, ONLY(SURFACE_MESH), .about = "Shapes of the mesh over time."},
    {"rounding", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(BRICK | CYLINDER | SURFACE_MESH | HUMAN), .otherwise = "0",
     .about = "Thickness that is added all around the shape; half the thickness of a two-sided sheet."},
    {"rotation", VECTOR | CST_VALUE_OBJECT, .unit = "rad", .section = &cst_section_turn, ZERO, ONLY(BRICK | SURFACE_MESH | HUMAN),
     .group = "turned", .about = "Rotation of the object: a rotation vector, or an axis and an angle."},
    {"motion", CST_VALUE_OBJECT, .section = &cst_section_space_motion, .group = "moving",
     .about = "Prescribed motion; rotations are about position, or about the middle between the ends. Give either motion or "
              "moves_with."},
    {"moves_with", CST_VALUE_REFERENCE, .kinds = CST_NAMED_OBSTACLE, .group = "moving",
     .about = "Name of an obstacle with a motion; this obstacle moves as if both were one rigid object."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Friction coefficient mu."},
    SURFACE,
};
const cst_section cst_section_space_obstacle = {"space_obstacle", "An obstacle: bodies touch it, and contact forces do "
                                                                  "not move it.", KEYS(obstacle_keys),
                                                .by = "shape"};

/* ---------------------------------------------------------------------------------------------------- constraints and loads */

static const cst_scene_key place_keys[] = {
    BODY(CST_NAMED_SPACE_BODY, "fiber"),
    AT(VECTOR, "fiber"),
};
const cst_section cst_section_space_place = {
    "space_place", "The point at which a constraint holds its second body. If `at` is omitted and the second body is rigid, the "
                   "constraint holds it at the point that coincides with the constrained point of the first body at the start of the "
                   "run.",
    KEYS(place_keys)};

static const cst_scene_key constraint_keys[] = {
    CONSTRAINT_KEYS(CST_NAMED_SPACE_BODY, "fiber", VECTOR, cst_section_space_place, cst_section_space_motion),
};
const cst_section cst_section_space_constraint = {
    "space_constraint", "A constraint that holds a point of a body to the world or to another body.", KEYS(constraint_keys), .by = "type"};

static const cst_scene_key load_keys[] = {
    NAMED(CST_NAMED_LOAD),
    BODY(CST_NAMED_SPACE_BODY, "fiber"),
    AT(VECTOR, "fiber"),
    {"force", VECTOR, .unit = "N", ZERO, .about = "Force at the point."},
    {"moment", VECTOR, .unit = "N m", ZERO, .about = "Moment vector, by the right-hand rule."},
    {"follower", CST_VALUE_BOOL, .otherwise = "false", .about = "true: the force and moment rotate with the body."},
    {"factor", CST_VALUE_POINTS,
     .about = "[[time, factor], ...]: factor on force and moment, linear between these times and constant outside."},
};
const cst_section cst_section_space_load = {"space_load", "A force and a moment that act on a point of a body.", KEYS(load_keys)};

/* -------------------------------------------------------------------------------------------------------------- generators */

enum {
    ROW = 1,
    GRID = 2,
    RANDOM = 4,
    RING = 8,
    CAP = 16,
    CARD_HOUSE = 32,
    HAIR = 64,
    STRANDS = 128,
    COPIES = ROW | GRID | RANDOM | RING | CAP | CARD_HOUSE /* all bodies have the same shape */
};

static const cst_scene_key template_keys[] = {
    {"fiber", CST_VALUE_OBJECT, .section = &cst_section_fiber, .group = "template", .group_required = true,
     .about = "A fiber without a name. Give either fiber or rigid_body."},
    {"rigid_body", CST_VALUE_OBJECT, .section = &cst_section_space_rigid, .group = "template",
     .about = "A rigid body without a name."},
};
const cst_section cst_section_space_template = {"space_template", "The body that a generator repeats.", KEYS(template_keys), .repeated = true};

static const cst_scene_key region_keys[] = {
    {"from", VECTOR, .unit = "m", REQUIRED, .about = "Smallest coordinates."},
    {"to", VECTOR, .unit = "m", REQUIRED, .about = "Largest coordinates."},
};
const cst_section cst_section_space_region = {"space_region", "A box, given by two corners.", KEYS(region_keys)};

static const cst_scene_key turns_keys[] = {
    {"axis", VECTOR, .otherwise = "[0, 0, 1]", .about = "Axis of the rotations."},
    {"from", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "Smallest angle."},
    {"to", CST_VALUE_ANGLE, .unit = "rad", REQUIRED, .about = "Largest angle."},
};
const cst_section cst_section_turns = {"turns", "Random rotations about an axis, by angles in a range.", KEYS(turns_keys)};

static const cst_scene_key tie_keys[] = {
    {"position", VECTOR, .unit = "m", .otherwise = "[-0.125, 0, 0.03]",
     .about = "Position of the centre of the tie, in the axes of the scalp."},
    {"direction", VECTOR, .otherwise = "[-1, 0, 0.3]",
     .about = "Direction in which the hair leaves the tie, in the axes of the scalp."},
    {"part", CST_VALUE_CHOICE, CHOICES("tail", "scalp"), .otherwise = "\"tail\"",
     .about = "tail: hairs begin in the tie, side by side, and hang from there. scalp: hairs grow on the scalp, are combed to "
              "the tie and end there; their length is that of this path, and at most the length of the repeated fiber."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, .otherwise = "0.02",
     .about = "Distance from the centre of the tie at which the hair of the scalp ends."},
};
const cst_section cst_section_tie = {"tie", "The tie that holds the hair of a ponytail together.", KEYS(tie_keys)};

static const cst_scene_key generator_keys[] = {
    {"name", CST_VALUE_NAME, .kinds = CST_NAMED_GENERATOR, REQUIRED,
     .about = "Name of the generator; its bodies are called NAME_1, NAME_2 and so on."},
    {"type", CST_VALUE_CHOICE, CHOICES("row", "grid", "random", "ring", "cap", "card_house", "hair", "strands"), REQUIRED,
     .about = "Arrangement of the bodies."},
    {"of", CST_VALUE_OBJECT, .section = &cst_section_space_template, REQUIRED,
     .about = "The body that is repeated; its position is relative to the place of each copy."},
    {"count", CST_VALUE_INTEGER, BETWEEN(1, 1e5), NEEDED(ROW | RANDOM | RING | CAP | HAIR | STRANDS),
     .about = "Number of bodies. For strands: number of strands that are read from the start of the file."},
    {"columns", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Columns of the grid, along x."},
    {"rows", CST_VALUE_INTEGER, BETWEEN(1, 1000), NEEDED(GRID), .about = "Rows of the grid, along y."},
    {"layers", CST_VALUE_INTEGER, BETWEEN(1, 1000), ONLY(GRID), .otherwise = "1", .about = "Layers of the grid, along z."},
    {"spacing", VECTOR, .unit = "m", NEEDED(ROW | GRID),
     .about = "Offset from one body to the next; for a grid, the distances along x, y and z."},
    {"region", CST_VALUE_OBJECT, .section = &cst_section_space_region, NEEDED(RANDOM),
     .about = "Box in which the bodies are placed at random."},
    {"separation", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(RANDOM), .otherwise = "0",
     .about = "Smallest initial distance between the centrelines of two fibers, or between the positions of two rigid bodies, "
              "before jitter is added."},
    {"center", VECTOR, .unit = "m", ONLY(RING | CAP | HAIR | STRANDS), ZERO,
     .about = "Centre of the ring or the sphere. For strands: position of the origin of the file. For hair: the point from "
              "which axis and opening are measured, in the axes of the scalp."},
    {"axis", VECTOR, ONLY(RING | CAP | HAIR), .otherwise = "[0, 0, 1]",
     .about = "Axis of the ring, or direction from the centre to the top of the cap or of the area that grows hair."},
    {"step", CST_VALUE_ANGLE, .unit = "rad", ONLY(RING), .otherwise = " a full turn / count",
     .about = "Rotation about the axis from one body to the next."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(CAP), .about = "Radius of the sphere."},
    {"opening", CST_VALUE_ANGLE, .unit = "rad", ONLY(CAP | HAIR),
     .otherwise = " a quarter turn: half a sphere; hair: a head has its own hairline, all of a mesh",
     .about = "Angle from the axis to the rim of the cap. Bodies are spread evenly, and the z axis of each repeated body "
              "points outward."},
    {"scalp", CST_VALUE_REFERENCE, .kinds = CST_NAMED_OBSTACLE, .variants = HAIR | STRANDS, .required = HAIR,
     .about = "Name of a head or a closed mesh on which the hair grows and with which it moves. Hair starts outside of all "
              "obstacles. Clamped strands of a file move with the scalp too, but start at the positions of the file."},
    {"file", CST_VALUE_TEXT, NEEDED(STRANDS), .about = "Strand file (.hair, .usda, .obj or .csv), relative to this scene."},
    {"scale", CST_VALUE_REAL, POSITIVE, ONLY(STRANDS), .otherwise = "1",
     .about = "Length of a file unit in metres, for example 0.01 for centimetres."},
    {"up", CST_VALUE_CHOICE, CHOICES("z", "y"), ONLY(STRANDS), .otherwise = "\"z\"",
     .about = "Axis of the file that points up. With y, the file's -z becomes y of the scene."},
    {"widths", CST_VALUE_BOOL, ONLY(STRANDS), .otherwise = "false",
     .about = "Use half the mean width of the strand in the file as contact radius."},
    {"length_variation", CST_VALUE_REAL, UP_TO(0.9), ONLY(HAIR), .otherwise = "0",
     .about = "Relative variation of the lengths: lengths are between 1 - length_variation and 1 + length_variation times the "
              "length of the repeated fiber."},
    {"parting", CST_VALUE_REAL, .unit = "m", ONLY(HAIR), .otherwise = " none: combed away from the whorl",
     .about = "Position y of the parting, in the axes of the scalp, from which hair is combed to both sides."},
    {"whorl", VECTOR, .unit = "m", ONLY(HAIR), .otherwise = "[-0.05, 0, 0.1]",
     .about = "Point from which hair is combed away if there is no parting, in the axes of the scalp."},
    {"side", CST_VALUE_REAL, BETWEEN(-10, 10), ONLY(HAIR), .otherwise = "1",
     .about = "Weight of combing away from the parting or the whorl near it; 1: as much as downwards."},
    {"back", CST_VALUE_REAL, BETWEEN(-10, 10), ONLY(HAIR), .otherwise = "0.4",
     .about = "Weight of combing towards the back of the head."},
    {"growth", VECTOR, ONLY(HAIR), .otherwise = " the combed direction",
     .about = "Direction of the roots along the scalp, in the axes of the scalp. Hair combed in another direction is bent near "
              "its root, and its bending stiffness turns it back to the direction of growth."},
    {"tie", CST_VALUE_OBJECT, .section = &cst_section_tie, ONLY(HAIR),
     .about = "Tie of a ponytail. A ponytail needs two generators, one for the tail and one for the hair of the scalp; both "
              "move with the scalp."},
    {"bundle", CST_VALUE_INTEGER, BETWEEN(1, 37), ONLY(HAIR), .otherwise = "1",
     .about = "Number of hairs that are placed together, side by side in a tube, and then move independently. Bundles of 7, "
              "19 and 37 fill their tube best; bundles of 7 take a seventh of the time to place."},
    {"wisps", CST_VALUE_INTEGER, UP_TO(1e5), ONLY(HAIR), .otherwise = "0", .about = "Number of wisps; 0: none."},
    {"tightness", CST_VALUE_REAL, UP_TO(1), ONLY(HAIR), .otherwise = "0.6",
     .about = "How close the hairs of a wisp come to each other at their ends; 1: as close as possible."},
    {"gap", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(HAIR), .otherwise = " 0.1 of the radius",
     .about = "Smallest initial gap between two hairs, and between hair and obstacles."},
    {"levels", CST_VALUE_INTEGER, BETWEEN(1, 200), NEEDED(CARD_HOUSE),
     .about = "Number of levels of a house of cards in the x-z plane that stands on z = 0. The repeated body is a box whose "
              "edges are the thickness, width and length of a card."},
    {"lean", CST_VALUE_ANGLE, .unit = "rad", ONLY(CARD_HOUSE), .otherwise = " 22deg",
     .about = "Angle of the leaning cards from the vertical."},
    {"clearance", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(CARD_HOUSE), .otherwise = " 0.4 of the thickness",
     .about = "Gap between the ends of horizontal cards."},
    {"jitter", CST_VALUE_REAL, .unit = "m", NOT_NEGATIVE, ONLY(COPIES), .otherwise = "0",
     .about = "Largest random change of each coordinate."},
    {"turned", CST_VALUE_CHOICE | CST_VALUE_OBJECT, CHOICES("any"), .section = &cst_section_turns, ONLY(COPIES),
     .about = "Random rotation of each body about its place: any rotation, or a rotation about an axis."},
    {"seed", CST_VALUE_INTEGER, UP_TO(9e15), .otherwise = "1", .about = "Seed of the random numbers."},
};
const cst_section cst_section_space_generator = {"space_generator", "A generator that makes many similar bodies.", KEYS(generator_keys), .by = "type"};

/* ------------------------------------------------------------------------------------------------------------------ looking */

static const cst_scene_key probe_keys[] = {
    PROBE_KEYS(CST_NAMED_SPACE_BODY | CST_NAMED_SHEET, "fiber", VECTOR, " handle_force: force of a handle on its sheet.",
               "; for a sheet: the index of a node, from 0", , "handle_force"),
    {"handle", CST_VALUE_INTEGER, UP_TO(1e6), ONLY(HANDLE_FORCE), .otherwise = "0",
     .about = "Index of the sheet's handle, from 0."},
};
const cst_section cst_section_space_probe = {"space_probe", "A quantity that a run records over time in a CSV file.", KEYS(probe_keys),
                                             .by = "type"};

static const cst_scene_key camera_keys[] = {
    {"center", VECTOR, .unit = "m", REQUIRED, .about = "Center of the view."},
    {"height", CST_VALUE_REAL, .unit = "m", POSITIVE, REQUIRED, .about = "Height of the view, at its centre."},
    {"azimuth", CST_VALUE_ANGLE, .unit = "rad", .otherwise = " seen from the front right",
     .about = "Direction of the viewer: 0 towards x, 90deg towards y."},
    {"elevation", CST_VALUE_ANGLE, .unit = "rad", .otherwise = " a little from above",
     .about = "Elevation of the viewer above the x-y plane."},
};
const cst_section cst_section_space_camera = {"space_camera", "The view of pictures and pages. Without a camera, "
                                                              "pictures show the whole scene.", KEYS(camera_keys)};

static const cst_scene_key wind_keys[] = {
    {"velocity", VECTOR, .unit = "m/s", REQUIRED, .about = "Mean velocity of the air."},
    {"gust", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0",
     .about = "Relative change of the velocity: with 0.5 it varies between 0.5 and 1.5 times the mean. Gusts travel with the "
              "wind."},
    {"period", CST_VALUE_REAL, .unit = "s", POSITIVE, .otherwise = "1", .about = "Approximate period of the gusts."},
    {"seed", CST_VALUE_INTEGER, UP_TO(9e15), .otherwise = "1", .about = "Seed of the random phases of the gusts."},
};
const cst_section cst_section_wind = {"wind", "Wind on fibers. The force of the air per length of a fiber is the fiber's "
                                              "coefficient `drag` times the velocity of the air relative to the fiber.",
                                      KEYS(wind_keys)};

static const cst_scene_key scene_keys[] = {
    SCENE_HEAD,
    {"dim", CST_VALUE_INTEGER, BETWEEN(3, 3), REQUIRED, .about = "Number of dimensions."},
    {"gravity", VECTOR, .unit = "m/s2", .otherwise = "[0, 0, -9.81]", .about = "Gravitational acceleration."},
    {"wind", CST_VALUE_OBJECT, .section = &cst_section_wind, .about = "Wind on fibers that have drag."},
    SCENE_STEP,
    {"fibers", CST_VALUE_LIST, .section = &cst_section_fiber, .about = "Slender elastic bodies."},
    {"sheets", CST_VALUE_LIST, .section = &cst_section_sheet, .about = "Cloth, paper, thin plates."},
    {"fabrics", CST_VALUE_LIST, .section = &cst_section_fabric, .about = "Materials of sheets."},
    SCENE_LISTS(cst_section_space_rigid, cst_section_space_obstacle, cst_section_space_constraint, cst_section_space_load,
                cst_section_space_generator),
    SCENE_LOOK(cst_section_space_probe, cst_section_space_camera),
};
const cst_section cst_space_section = {"space_scene", "Keys of a scene file in 3D.", KEYS(scene_keys)};

/* clang-format on */
