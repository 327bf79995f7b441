/* Macros for the tables of the plane (schema.c) and of 3D (schema_space.c), and the sections that both share. */
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

/* Keys of the surface in contact; if several levels of a scene give a value, the most specific level applies. */
#define SURFACE                                                                                                                  \
    {"material", CST_VALUE_REFERENCE, .kinds = CST_NAMED_MATERIAL, .about = "Name of a material."},                              \
    {"restitution", CST_VALUE_REAL, UP_TO(1), .otherwise = " of the material", .about = "Newton's coefficient of impacts."}

/* Places of bodies. */
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
     .about = "Place held; place and direction held; free along a direction; the same without turning."},                        \
    BODY(kinds_here, called),                                                                                                    \
    AT(vector, called),                                                                                                          \
    {"to", CST_VALUE_CHOICE | CST_VALUE_OBJECT, CHOICES("world"), .section = &(place_there), .otherwise = "\"world\"",           \
     .about = "What it is held to, as they are at the start: the world where it is, or a place of a body."},                     \
    {"direction", (vector), NEEDED(SLIDING | GUIDED), .about = "In which it is free, of any length."},                           \
    {"motion", CST_VALUE_OBJECT, .section = &(motion_there), .about = "Of the place it is held to; to the world only."},         \
    {"release_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = " never", .about = "When it lets go."}

#define MOTION_KEYS(key_there)                                                                                                   \
    {"keys", CST_VALUE_LIST, .section = &(key_there), .group = "course", .group_required = true,                           \
     .about = "At rest before the first and after the last."},                                                                   \
    {"smooth", CST_VALUE_BOOL, .otherwise = "false", .about = "Zero velocity at every key, cubic between; otherwise linear."},   \
    {"period", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0",                                                      \
     .about = "Above 0: repeats; the first key is at 0, the last at the period."}

enum { POSITION = 1, OBSTACLE_FORCE = 2, CONSTRAINT_FORCE = 4, ROOT_FORCE = 16, HANDLE_FORCE = 32 };

/* as_well, as_well_at: descriptions of additional probes in 3D; the following arguments are the types of these probes, each
 * preceded by a comma. */
#define PROBE_KEYS(kinds_here, called, vector, as_well, as_well_at, ...)                                                                                   \
    NAMED(CST_NAMED_PROBE),                                                                                                      \
    {"type", CST_VALUE_CHOICE, CHOICES("position", "obstacle_force", "constraint_force", "energy", "root_force" __VA_ARGS__), REQUIRED,      \
     .about = "Place, angle (in space: rotation vector) and velocity of a point; force of all contacts on an obstacle; force "   \
              "and moment of a constraint; energies and works; force and moment of the clamp on the root of a " called           \
              " that is clamped" as_well "."},                                                                                   \
    {"body", CST_VALUE_REFERENCE, .kinds = (kinds_here), NEEDED(POSITION | ROOT_FORCE | HANDLE_FORCE), .about = "Name of a body."},           \
    {"at", PLACE_FORMS(vector), .unit = "m", CHOICES("start", "end"), ONLY(POSITION),                                            \
     .otherwise = " the start of a " called ", the centre of a rigid body", .about = "As in a constraint" as_well_at "."},       \
    {"obstacle", CST_VALUE_REFERENCE, .kinds = CST_NAMED_OBSTACLE, NEEDED(OBSTACLE_FORCE), .about = "Name of an obstacle."},     \
    {"constraint", CST_VALUE_REFERENCE, .kinds = CST_NAMED_CONSTRAINT, NEEDED(CONSTRAINT_FORCE),                                 \
     .about = "Name of a constraint."}

/* The file as a whole. */
#define SCENE_HEAD                                                                                                               \
    {"capstan", CST_VALUE_INTEGER, BETWEEN(1, 1), REQUIRED, .about = "Version of the language."},                                \
    {"$schema", CST_VALUE_TEXT, .about = "For editors: where scene.schema.json is. Not looked at."},                             \
    {"title", CST_VALUE_TEXT, .otherwise = "\"\"", .about = "One line on what it shows."},                                       \
    {"extends", CST_VALUE_TEXT, .about = "A file, relative to this one, that this one adds to or changes."}
#define SCENE_STEP                                                                                                               \
    {"duration", CST_VALUE_REAL, .unit = "s", POSITIVE, REQUIRED, .about = "Simulated time, rounded up to whole steps."},        \
    {"time_step", CST_VALUE_REAL | CST_VALUE_OBJECT, .unit = "s", POSITIVE, .section = &cst_section_time_step,                   \
     .stands_for = "dt", .about = "Just dt, or how time advances in full."},                                                     \
    {"solver", CST_VALUE_OBJECT, .section = &cst_section_solver, .about = "Who solves the friction problem."},                   \
    {"contact", CST_VALUE_OBJECT, .section = &cst_section_contact, .about = "What counts as a contact."},                        \
    {"friction", CST_VALUE_REAL | CST_VALUE_OBJECT, NOT_NEGATIVE, .section = &cst_section_friction, .stands_for = "default",     \
     .about = "Just the default coefficient, or more."},                                                                         \
    {"materials", CST_VALUE_LIST, .section = &cst_section_material, .about = "Friction that several things share."}
#define SCENE_LISTS(rigid_there, obstacle_there, constraint_there, load_there, generator_there)                                  \
    {"rigid_bodies", CST_VALUE_LIST, .section = &(rigid_there), .about = "Bodies that do not bend."},                            \
    {"obstacles", CST_VALUE_LIST, .section = &(obstacle_there), .about = "What bodies touch and cannot move."},                  \
    {"constraints", CST_VALUE_LIST, .section = &(constraint_there), .about = "What holds bodies."},                              \
    {"loads", CST_VALUE_LIST, .section = &(load_there), .about = "Forces and moments."},                                         \
    {"generators", CST_VALUE_LIST, .section = &(generator_there), .about = "Many bodies alike."},                                \
    {"output", CST_VALUE_OBJECT, .section = &cst_section_output, .about = "What a run saves."},                                  \
    {"until_rest", CST_VALUE_REAL, .unit = "m/s", NOT_NEGATIVE, .otherwise = "0",                                                \
     .about = "Stop when nothing moves faster than this. 0: never before the end."},                                             \
    {"equilibrium_first", CST_VALUE_BOOL, .otherwise = "false",                                                                  \
     .about = "Rods begin in equilibrium under gravity and loads. All clamped by themselves: each for itself, contacts left out. Otherwise all together, with constraints, contacts and friction."}
#define SCENE_LOOK(probe_there, camera_there)                                                                                    \
    {"probes", CST_VALUE_LIST, .section = &(probe_there), .about = "Numbers over time."},                                        \
    {"camera", CST_VALUE_OBJECT, .section = &(camera_there), .about = "What pictures show."}

/* clang-format on */

extern const cst_section cst_section_time_step, cst_section_solver, cst_section_contact, cst_section_friction,
    cst_section_material, cst_section_output;

/* Sections of 3D scenes (schema_space.c). */
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
