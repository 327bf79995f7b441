/* Default values of all definition structs. Sizes and masses have no default: they are zero and must be given. */
#include "world/defaults.h"

#include "capstan/capstan.h"

#define IDENTITY 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0

static const cst_surface UNSAID = {.friction = CST_UNSET, .restitution = CST_UNSET};

cst_world_def cst_world_def_default(int dim)
{
    cst_world_def def = {
        .cookie = CST_WORLD_COOKIE,
        .dim = dim,
        .time_step = {.dt = 1e-3,
                      .theta = 1.0,
                      .iterations = 1,
                      .iteration_tolerance = 1e-10,
                      .halvings = 10,
                      .motion_limit = 0.5,
                      .penetration_limit = 0.01,
                      .calm_steps = 10},
        .contact = {.stabilisation = 0.2, .self_contact = true},
        .friction = cst_friction_options_default(),
        .friction_coefficient = 0.3,
    };
    def.gravity[dim == 3 ? 2 : 1] = -9.81;
    def.friction.tolerance = 1e-8;
    return def;
}

cst_material_def cst_material_def_default(void)
{
    return (cst_material_def){.cookie = CST_MATERIAL_COOKIE, .friction = CST_UNSET, .restitution = CST_UNSET};
}

cst_rod_def cst_rod_def_default(void)
{
    return (cst_rod_def){.cookie = CST_ROD_COOKIE, .surface = UNSAID};
}

cst_fiber_def cst_fiber_def_default(void)
{
    return (cst_fiber_def){.cookie = CST_FIBER_COOKIE, .frame = {IDENTITY}, .surface = UNSAID};
}

cst_sheet_def cst_sheet_def_default(void)
{
    return (cst_sheet_def){.cookie = CST_SHEET_COOKIE, .surface = UNSAID};
}

cst_rigid_def cst_rigid_def_default(void)
{
    return (cst_rigid_def){.cookie = CST_RIGID_COOKIE,
                           .inertia = CST_UNSET,
                           .frame = {IDENTITY},
                           .inertia_matrix = {CST_UNSET},
                           .collides = true,
                           .surface = UNSAID};
}

cst_obstacle_def cst_obstacle_def_default(void)
{
    return (cst_obstacle_def){.cookie = CST_OBSTACLE_COOKIE, .normal = {0.0, 1.0, 0.0}, .frame = {IDENTITY}, .surface = UNSAID};
}

cst_constraint_def cst_constraint_def_default(void)
{
    return (cst_constraint_def){
        .cookie = CST_CONSTRAINT_COOKIE, .b_follows_a = true, .direction = {1.0, 0.0, 0.0}, .release_time = -1.0};
}

cst_load_def cst_load_def_default(void)
{
    return (cst_load_def){.cookie = CST_LOAD_COOKIE};
}
