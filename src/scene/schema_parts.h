/* Macros and sections used by both tables of keys: for 2D scenes (schema.c) and for 3D scenes (schema_space.c). */
#ifndef CST_SCENE_SCHEMA_PARTS_H
#define CST_SCENE_SCHEMA_PARTS_H

#include <math.h>

#include "scene/schema.h"

/* clang-format off */

#define KEYS(list) .key = (list), .keys = (int)(sizeof(list) / sizeof((list)[0]))
#define POSITIVE .above = true, .high = INFINITY
#define NOT_NEGATIVE .high = INFINITY
#define UP_TO(most) .high = (most)
#define BETWEEN(least, most) .low = (least), .high = (most)
#define CHOICES(...) .choices = (const char *const[]){__VA_ARGS__, NULL}
#define REQUIRED .required = CST_ALWAYS
#define NAMED(kind) {"name", CST_VALUE_NAME, .kinds = (kind), REQUIRED, .about = "Letters, digits, _ and -."}
#define ONLY(which) .variants = (which)
#define NEEDED(which) .variants = (which), .required = (which)

/* A restitution given by a body or obstacle takes precedence over the restitution of its material. */
#define SURFACE                                                                                                                  \
    {"material", CST_VALUE_REFERENCE, .kinds = CST_NAMED_MATERIAL, .about = "Name of a material."},                              \
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = " of the material", .about = "Newton's coefficient of restitution."}

#define PLACE_FORMS(vector) CST_VALUE_CHOICE | CST_VALUE_REAL | (vector)
#define BODY(kinds_here, called)                                                                                                 \
    {"body", CST_VALUE_REFERENCE, .kinds = (kinds_here), REQUIRED, .about = "Name of a " called " or a rigid body."}
#define AT(vector, called)                                                                                                       \
    {"at", PLACE_FORMS(vector), .unit = "m", CHOICES("start", "end"),                                                            \
     .otherwise = " the start of a " called ", the centre of a rigid body",                                                      \
     .about = "A " called ": \"start\", \"end\" or the arc length from the start. A rigid body: a point in its frame."}

enum { SLIDING = 4, GUIDED = 8 };

#define CONSTRAINT_KEYS(kinds_here, called, vector, place_there, motion_there)                                                   \
    NAMED(CST_NAMED_CONSTRAINT),                                                                                                 \
    {"type", CST_VALUE_CHOICE, CHOICES("pinned", "clamped", "sliding", "guided"), REQUIRED,                                      \
     .about = "pinned: position held; clamped: position and direction held; sliding: free along a direction; "                   \
              "guided: free along a direction without rotation."},                                                               \
    BODY(kinds_here, called),                                                                                                    \
    AT(vector, called),                                                                                                          \
    {"to", CST_VALUE_CHOICE | CST_VALUE_OBJECT, CHOICES("world"), .section = &(place_there), .otherwise = "\"world\"",           \
     .about = "What the point is held to: the world at its initial position, or a point of another body."},                      \
    {"direction", (vector), NEEDED(SLIDING | GUIDED), .about = "Free direction, of any length."},                                \
    {"motion", CST_VALUE_OBJECT, .section = &(motion_there),                                                                     \
     .about = "Prescribed motion of the point in the world to which the body is held."},                                         \
    {"release_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = " never",                                           \
     .about = "Time at which the constraint is released."}

#define MOTION_KEYS(key_there)                                                                                                   \
    {"keys", CST_VALUE_LIST, .section = &(key_there), .group = "course", .group_required = true,                                 \
     .about = "Positions at increasing times; the object is at rest before the first key and after the last."},                  \
    {"smooth", CST_VALUE_BOOL, .otherwise = "false",                                                                             \
     .about = "true: cubic interpolation with zero velocity at every key; false: linear interpolation."},                        \
    {"period", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0",                                                      \
     .about = "Above 0: the motion repeats with this period. The first key must be at 0 and the last key at the period."}

enum { POSITION = 1, OBSTACLE_FORCE = 2, CONSTRAINT_FORCE = 4, ROOT_FORCE = 16, HANDLE_FORCE = 32 };

/* Keys of a probe. Two arguments are help texts of 3D scenes: `as_well` is appended to the help of the key "type", and
 * `as_well_at` to the help of the key "at". The variable arguments `...` of PROBE_KEYS are the names of the probe types that only
 * 3D scenes have, each with a comma before it. */
#define PROBE_KEYS(kinds_here, called, vector, as_well, as_well_at, ...)                                                         \
    NAMED(CST_NAMED_PROBE),                                                                                                      \
    {"type", CST_VALUE_CHOICE, CHOICES("position", "obstacle_force", "constraint_force", "energy", "root_force" __VA_ARGS__), REQUIRED,\
     .about = "position: position, angle (in 3D: rotation vector) and velocity of a point. obstacle_force: force of all "        \
              "contacts on an obstacle. constraint_force: force and moment of a constraint. energy: energies and works. "        \
              "root_force: force and moment of the clamp on the root of a clamped " called "." as_well},                         \
    {"body", CST_VALUE_REFERENCE, .kinds = (kinds_here), NEEDED(POSITION | ROOT_FORCE | HANDLE_FORCE),                           \
     .about = "Name of the body."},                                                                                              \
    {"at", PLACE_FORMS(vector), .unit = "m", CHOICES("start", "end"), ONLY(POSITION),                                            \
     .otherwise = " the start of a " called ", the centre of a rigid body", .about = "As in a constraint" as_well_at "."},       \
    {"obstacle", CST_VALUE_REFERENCE, .kinds = CST_NAMED_OBSTACLE, NEEDED(OBSTACLE_FORCE), .about = "Name of the obstacle."},    \
    {"constraint", CST_VALUE_REFERENCE, .kinds = CST_NAMED_CONSTRAINT, NEEDED(CONSTRAINT_FORCE),                                 \
     .about = "Name of the constraint."}

/* Keys of the whole file. */
#define SCENE_HEAD                                                                                                               \
    {"capstan", CST_VALUE_INTEGER, BETWEEN(1, 1), REQUIRED, .about = "Version of the scene language."},                          \
    {"$schema", CST_VALUE_TEXT, .about = "Path of scene.schema.json, for editors; Capstan ignores this key."},                   \
    {"title", CST_VALUE_TEXT, .otherwise = "\"\"", .about = "One line that says what the scene shows."},                         \
    {"extends", CST_VALUE_TEXT, .about = "Scene file, relative to this one, over which this scene is merged."}
#define SCENE_STEP                                                                                                               \
    {"duration", CST_VALUE_REAL, .unit = "s", POSITIVE, REQUIRED, .about = "Simulated time, rounded up to whole steps."},        \
    {"time_step", CST_VALUE_REAL | CST_VALUE_OBJECT, .unit = "s", POSITIVE, .section = &cst_section_time_step,                   \
     .stands_for = "dt", .about = "dt alone, or an object with all settings of the time step."},                                 \
    {"solver", CST_VALUE_OBJECT, .section = &cst_section_solver, .about = "Choice of the friction solver."},                     \
    {"contact", CST_VALUE_OBJECT, .section = &cst_section_contact,                                                               \
     .about = "How contacts are detected and how penetration is removed."},                                                      \
    {"friction", CST_VALUE_REAL | CST_VALUE_OBJECT, NOT_NEGATIVE, .section = &cst_section_friction, .stands_for = "default",     \
     .about = "The default friction coefficient alone, or an object with all settings."},                                        \
    {"materials", CST_VALUE_LIST, .section = &cst_section_material,                                                              \
     .about = "Sets of friction and restitution that several bodies and obstacles can share."}
#define SCENE_LISTS(rigid_there, obstacle_there, constraint_there, load_there, generator_there)                                  \
    {"rigid_bodies", CST_VALUE_LIST, .section = &(rigid_there), .about = "Rigid bodies."},                                       \
    {"obstacles", CST_VALUE_LIST, .section = &(obstacle_there),                                                                  \
     .about = "An obstacle: bodies touch it, and contact forces do not move it."},                                               \
    {"constraints", CST_VALUE_LIST, .section = &(constraint_there), .about = "Constraints on bodies."},                          \
    {"loads", CST_VALUE_LIST, .section = &(load_there), .about = "Forces and moments on bodies."},                               \
    {"generators", CST_VALUE_LIST, .section = &(generator_there), .about = "A generator that makes many similar bodies."},       \
    {"output", CST_VALUE_OBJECT, .section = &cst_section_output, .about = "Data that a run saves."},                             \
    {"until_rest", CST_VALUE_REAL, .unit = "m/s", NOT_NEGATIVE, .otherwise = "0",                                                \
     .about = "Stop the run at a frame if no body has moved faster than this speed since the last frame. 0: never stop early."}, \
    {"equilibrium_first", CST_VALUE_BOOL, .otherwise = "false",                                                                  \
     .about = "Start in equilibrium under gravity and loads. If all rods and fibers have clamped roots and no "                  \
              "constraints, each finds its own equilibrium without contacts; otherwise all bodies together, with "               \
              "constraints, contacts and friction."}
#define SCENE_LOOK(probe_there, camera_there)                                                                                    \
    {"probes", CST_VALUE_LIST, .section = &(probe_there), .about = "Quantities that the run records over time."},                \
    {"camera", CST_VALUE_OBJECT, .section = &(camera_there), .about = "The view of pictures and pages."}

/* clang-format on */

extern const cst_section cst_section_time_step, cst_section_solver, cst_section_contact, cst_section_friction,
    cst_section_material, cst_section_output;

/* Sections of 3D scenes (schema_space.c, schema_sheet.c). */
extern const cst_section cst_section_fiber, cst_section_curl, cst_section_shape, cst_section_space_rigid,
    cst_section_space_obstacle, cst_section_mesh_frames, cst_section_turn, cst_section_space_constraint, cst_section_space_place,
    cst_section_space_motion, cst_section_space_motion_key, cst_section_space_load, cst_section_space_generator,
    cst_section_space_template, cst_section_tie, cst_section_wind, cst_section_space_region, cst_section_turns,
    cst_section_space_probe, cst_section_space_camera, cst_section_sheet, cst_section_fabric, cst_section_handle,
    cst_section_sheet_wind, cst_section_rest_mesh;

#define CST_SPACE_SECTIONS                                                                                                      \
    &cst_space_section, &cst_section_fiber, &cst_section_curl, &cst_section_shape, &cst_section_space_rigid,                    \
        &cst_section_space_obstacle, &cst_section_mesh_frames, &cst_section_turn, &cst_section_space_constraint,                \
        &cst_section_space_place, &cst_section_space_motion, &cst_section_space_motion_key, &cst_section_space_load,            \
        &cst_section_space_generator, &cst_section_space_template, &cst_section_tie, &cst_section_wind,                         \
        &cst_section_space_region, &cst_section_turns, &cst_section_space_probe, &cst_section_space_camera, &cst_section_sheet, \
        &cst_section_fabric, &cst_section_handle, &cst_section_sheet_wind, &cst_section_rest_mesh

#endif
