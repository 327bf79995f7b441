#include "cache/cache_format.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define COLUMN(row, name, type, width, field, unit, about, since, light)   \
    {                                                                      \
        name, unit, type, width, offsetof(row, field), about, since, light \
    }
#define KEPT(row, name, type, width, field, unit, about, since) \
    COLUMN(row, name, type, width, field, unit, about, since, CST_LIGHT_SAME)

#define REAL(row, name, field, unit, about) KEPT(row, name, CST_FIELD_REAL, 1, field, unit, about, 0)
#define VECTOR(row, name, field, unit, about) KEPT(row, name, CST_FIELD_REAL, 3, field, unit, about, 0)
#define INT32(row, name, field, about) KEPT(row, name, CST_FIELD_INT32, 1, field, "", about, 0)
#define INT64(row, name, field, about) KEPT(row, name, CST_FIELD_INT64, 1, field, "", about, 0)
#define UINT64(row, name, field, about) KEPT(row, name, CST_FIELD_UINT64, 1, field, "", about, 0)
#define BOOL(row, name, field, about) KEPT(row, name, CST_FIELD_BOOL, 1, field, "", about, 0)

/* Macros for columns that older cache files do not have. The number at the end of a macro's name is the first version of the file
 * format that has these columns. */
#define INT64_2(row, name, field, about) KEPT(row, name, CST_FIELD_INT64, 1, field, "", about, 2)
#define CORNERS_2(row, name, field, about) KEPT(row, name, CST_FIELD_INT32, 3, field, "", about, 2)
#define REAL_3(row, name, field, unit, about) KEPT(row, name, CST_FIELD_REAL, 1, field, unit, about, 3)
#define INT32_3(row, name, field, about) KEPT(row, name, CST_FIELD_INT32, 1, field, "", about, 3)
#define REAL_5(row, name, field, unit, about) KEPT(row, name, CST_FIELD_REAL, 1, field, unit, about, 5)

/* Macros for columns that a cache with the level of detail "light" stores as 32-bit reals (SINGLE) or not at all (FULL_ONLY). */
#define SINGLE(row, name, width, field, unit, about) \
    COLUMN(row, name, CST_FIELD_REAL, width, field, unit, about, 0, CST_LIGHT_SINGLE)
#define FULL_ONLY(row, name, width, field, unit, about, since) \
    COLUMN(row, name, CST_FIELD_REAL, width, field, unit, about, since, CST_LIGHT_NONE)

_Static_assert(sizeof(cst_drawn_as) == 4 && sizeof(cst_status) == 4 && sizeof(cst_item_owner) == 4 && sizeof(cst_local_case) == 4,
               "enumerations are kept as 32-bit integers");

static const cst_cache_column frames[] = {
    REAL(cst_frame_row, "time", time, "s", "of the frame"),
    INT64(cst_frame_row, "step", step, "accepted steps so far"),
    INT64(cst_frame_row, "whole_step", whole, "largest steps (of dt) so far"),
    INT64(cst_frame_row, "first_item", items.first, "row of /items"),
    INT64(cst_frame_row, "items", items.count, "so many rows"),
    INT64(cst_frame_row, "first_contact", contacts.first, "row of /contacts"),
    INT64(cst_frame_row, "contacts", contacts.count, "so many rows"),
};

static const cst_cache_column items[] = {
    INT32(cst_item_row, "owner", owner, "0: a body, 1: an obstacle"),
    INT32(cst_item_row, "id", id, "its number, from 1: name in /names"),
    INT32(cst_item_row, "drawn_as", as, "0: curve, 1: disk, 2: outline, 3: half-plane, 4: hollow disk, 5: mesh"),
    BOOL(cst_item_row, "closed", closed, "1: the last vertex is joined to the first"),
    INT64(cst_item_row, "first_vertex", vertices.first, "row of /vertices"),
    INT64(cst_item_row, "vertices", vertices.count, "so many rows"),
    INT64(cst_item_row, "first_state", states.first, "row of /states"),
    INT64(cst_item_row, "states", states.count, "so many rows; 0 for obstacles"),
    INT64_2(cst_item_row, "first_triangle", triangles.first, "row of /triangles"),
    INT64_2(cst_item_row, "triangles", triangles.count, "so many rows; 0 for what is no mesh"),
};

static const cst_cache_column vertices[] = {
    SINGLE(cst_vertex_row, "position", 3, position, "m", "x, y, z; a half-plane has a point and point + normal"),
    SINGLE(cst_vertex_row, "radius", 1, radius, "m", "of contact"),
    SINGLE(cst_vertex_row, "curvature", 1, curvature, "1/m", "of the centreline; 0 for what is no rod"),
    FULL_ONLY(cst_vertex_row, "director", 3, director, "", "d1 of the section of a fiber in space; 0 for what is none", 2),
};

static const cst_cache_column states[] = {
    REAL(cst_state_row, "value", value, "", "generalised coordinates and velocities, all their bits"),
};

static const cst_cache_column triangles[] = {
    CORNERS_2(cst_triangle_row, "corner", corner, "vertices of the item, from 0, counter-clockwise seen from outside"),
};

static const cst_cache_column contacts[] = {
    UINT64(cst_contact_view, "id", id, "the same for as long as the contact lasts"),
    INT32(cst_contact_view, "body_a", a.body, "number of the body"),
    INT32(cst_contact_view, "body_b", b.body, "number of the other body, 0: an obstacle"),
    INT32(cst_contact_view, "obstacle_b", b.obstacle, "number of the obstacle, 0: a body"),
    SINGLE(cst_contact_view, "s_a", 1, s_a, "m", "arc length on a"),
    SINGLE(cst_contact_view, "s_b", 1, s_b, "m", "arc length on b"),
    SINGLE(cst_contact_view, "position", 3, position, "m", "where"),
    SINGLE(cst_contact_view, "normal", 3, normal, "", "from b to a"),
    SINGLE(cst_contact_view, "force", 3, force, "N", "of b on a: impulse / dt"),
    FULL_ONLY(cst_contact_view, "velocity", 3, velocity, "m/s", "of a relative to b, at the surface", 0),
    FULL_ONLY(cst_contact_view, "impulse", 3, r, "N s", "in the frame of the contact, normal first", 0),
    SINGLE(cst_contact_view, "relative_velocity", 3, u, "m/s", "in the frame of the contact, normal first"),
    SINGLE(cst_contact_view, "gap", 1, gap, "m", "at the start of the step"),
    SINGLE(cst_contact_view, "mu", 1, mu, "", "coefficient of friction"),
    SINGLE(cst_contact_view, "error", 1, error, "", "share of this contact in the residual"),
    INT32(cst_contact_view, "case", contact_case, "0: takes off, 1: sticks, 2: slides, 3: held both ways"),
};

static const cst_cache_column steps[] = {
    REAL(cst_step_report, "time", time, "s", "at the end of the step"),
    REAL(cst_step_report, "dt", dt, "s", "of this step"),
    INT64(cst_step_report, "step", step, "number, from 1"),
    INT32(cst_step_report, "status", status, "0: solved, 1: a tolerance missed, of the friction or of the iterated step"),
    INT32(cst_step_report, "retries", retries, "times it was begun again, with half the dt or less restitution"),
    INT32(cst_step_report, "contacts", contacts, "in the step"),
    INT32(cst_step_report, "new_contacts", new_contacts, "of these: not there in the step before"),
    REAL_5(cst_step_report, "nu", nu, "", "contact unknowns over velocities of all bodies"),
    INT32(cst_step_report, "sticking", sticking, "of these contacts"),
    INT32(cst_step_report, "sliding", sliding, "of these contacts"),
    INT32(cst_step_report, "islands", islands, "independent groups of contacts"),
    INT32(cst_step_report, "iterations", iterations, "of the friction solver, in the island that needed most"),
    INT32_3(cst_step_report, "iterations_total", iterations_total, "of the friction solver, in all islands"),
    INT32(cst_step_report, "newton_iterations", newton_iterations, "of the step: 1 if linearised"),
    INT32(cst_step_report, "solver", solver, "number of the solver that gave the answer"),
    INT32(cst_step_report, "form", form, "number of the form that was solved"),
    REAL(cst_step_report, "error", residual.error, "", "E: how far the Coulomb law is from being met"),
    REAL(cst_step_report, "error_fischer_burmeister", residual.fischer_burmeister, "", "the same by another function"),
    REAL(cst_step_report, "cone_violation", residual.cone_violation, "", "part of E's causes"),
    REAL(cst_step_report, "approach", residual.penetration, "", "normal velocity left towards the other side, scaled"),
    REAL(cst_step_report, "complementarity", residual.complementarity, "", "scaled"),
    REAL(cst_step_report, "momentum", residual.momentum, "", "balance of momentum, scaled"),
    REAL(cst_step_report, "velocity_scale", residual.velocity_scale, "m/s", "the scale"),
    INT32(cst_step_report, "worst_contact", residual.worst_contact, "index in the step, -1: none"),
    REAL(cst_step_report, "penetration", penetration, "m", "deepest"),
    REAL(cst_step_report, "constraint_error", constraint_error, "m", "largest"),
    REAL(cst_step_report, "motion", motion, "m", "largest in the step"),
    REAL(cst_step_report, "energy_kinetic", energy.kinetic, "J", "now"),
    REAL(cst_step_report, "energy_elastic", energy.elastic, "J", "now"),
    REAL(cst_step_report, "energy_gravity", energy.gravity, "J", "now, relative to the origin"),
    REAL(cst_step_report, "work_loads", energy.loads, "J", "given to the bodies since the start by loads"),
    REAL(cst_step_report, "work_constraints", energy.constraints, "J", "by prescribed motions"),
    REAL(cst_step_report, "work_normal", energy.normal, "J", "by normal impulses"),
    REAL(cst_step_report, "work_friction", energy.friction, "J", "by tangential impulses"),
    REAL(cst_step_report, "work_viscosity", energy.viscosity, "J", "by viscosity"),
    REAL(cst_step_report, "work_drag", energy.drag, "J", "by drag"),
    REAL(cst_step_report, "work_scheme", energy.scheme, "J", "by the damping of the time stepping"),
    REAL(cst_step_report, "work_forgotten", energy.forgotten, "J", "kinetic energy dropped by quasi-static steps"),
    REAL(cst_step_report, "energy_unexplained", energy.unexplained, "J", "what the budget does not account for"),
};

#define PHASE(name, about) REAL_3(cst_step_report, "seconds_" #name, seconds.name, "s", about)

static const cst_cache_column timings[] = {
    REAL(cst_step_report, "seconds_total", seconds_total, "s", "the whole step; the others sum up to it"),
    REAL(cst_step_report, "seconds_assemble", seconds.assemble, "s", "A and rhs of bodies, loads, constraints"),
    REAL(cst_step_report, "seconds_detect", seconds.detect, "s", "broad and narrow phase, for contacts"),
    PHASE(begin, "memory, groups, layout, list of shapes"),
    PHASE(place, "bodies placed"),
    PHASE(free_motion, "the motion without contacts"),
    PHASE(track, "contacts tracked and held"),
    PHASE(rows, "rows of contacts"),
    PHASE(friction_setup, "packing, colouring, factoring"),
    PHASE(friction_solve, "sweeps and Newton steps"),
    PHASE(friction_judge, "the residual"),
    PHASE(apply, "friction problem made, answer applied"),
    PHASE(detect_end, "broad and narrow phase, for the penetration at the end"),
    PHASE(end, "motions and errors at the end"),
    PHASE(finish, "the state moves on"),
    PHASE(energy, "bodies placed after the step, energies"),
    PHASE(other, "what is left"),
};

/* HDF5 compresses and writes a dataset chunk by chunk. Last number: rows per chunk. Chunks have 1 to 100 kB: larger chunks would
 * waste space in short runs, and smaller chunks would make the chunk index of long runs large. */
static const cst_cache_table_format formats[CST_TABLES] = {
    [CST_TABLE_FRAMES] = {"/frames", sizeof(cst_frame_row), frames, COUNT(frames), 512},
    [CST_TABLE_ITEMS] = {"/items", sizeof(cst_item_row), items, COUNT(items), 1024},
    [CST_TABLE_VERTICES] = {"/vertices", sizeof(cst_vertex_row), vertices, COUNT(vertices), 4096},
    [CST_TABLE_STATES] = {"/states", sizeof(cst_state_row), states, COUNT(states), 4096},
    [CST_TABLE_CONTACTS] = {"/contacts", sizeof(cst_contact_view), contacts, COUNT(contacts), 1024},
    [CST_TABLE_STEPS] = {"/steps", sizeof(cst_step_report), steps, COUNT(steps), 1024},
    [CST_TABLE_TIMINGS] = {"/timings", sizeof(cst_step_report), timings, COUNT(timings), 1024},
    [CST_TABLE_TRIANGLES] = {"/triangles", sizeof(cst_triangle_row), triangles, COUNT(triangles), 4096},
};

const cst_cache_table_format *cst_cache_table_describe(cst_cache_table table)
{
    return &formats[table];
}

bool cst_cache_column_kept(const cst_cache_column *column, int format, cst_cache_detail detail)
{
    return format >= column->since && !(detail == CST_DETAIL_LIGHT && column->light == CST_LIGHT_NONE);
}

size_t cst_field_bytes(cst_field_type type)
{
    switch (type) {
    case CST_FIELD_REAL:
    case CST_FIELD_INT64:
    case CST_FIELD_UINT64:
        return 8;
    case CST_FIELD_INT32:
        return 4;
    case CST_FIELD_BOOL:
        break;
    }
    return sizeof(bool);
}
