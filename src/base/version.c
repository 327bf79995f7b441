/* The version of the library, and the sizes of its public structs for programs that were compiled separately. */
#include "capstan/version.h"

#include <string.h>

#include "capstan/cache.h"
#include "capstan/capstan.h"
#include "capstan/run.h"
#include "capstan/scene.h"

const char *cst_version(void)
{
    return CAPSTAN_VERSION;
}

#define SIZE_OF(type)       \
    {                       \
#type, sizeof(type) \
    }

size_t cst_struct_size(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } table[] = {
        SIZE_OF(cst_allocator),
        SIZE_OF(cst_friction_problem),
        SIZE_OF(cst_body),
        SIZE_OF(cst_contact_side),
        SIZE_OF(cst_body_problem),
        SIZE_OF(cst_residual),
        SIZE_OF(cst_friction_progress),
        SIZE_OF(cst_friction_options),
        SIZE_OF(cst_friction_report),
        SIZE_OF(cst_local_result),
        SIZE_OF(cst_time_step),
        SIZE_OF(cst_contact_rules),
        SIZE_OF(cst_world_def),
        SIZE_OF(cst_material_def),
        SIZE_OF(cst_party),
        SIZE_OF(cst_surface),
        SIZE_OF(cst_key),
        SIZE_OF(cst_motion),
        SIZE_OF(cst_rod_def),
        SIZE_OF(cst_mesh),
        SIZE_OF(cst_rigid_def),
        SIZE_OF(cst_obstacle_def),
        SIZE_OF(cst_energies),
        SIZE_OF(cst_step_seconds),
        SIZE_OF(cst_step_report),
        SIZE_OF(cst_contact_view),
        SIZE_OF(cst_drawing),
        SIZE_OF(cst_fiber_def),
        SIZE_OF(cst_fabric),
        SIZE_OF(cst_handle),
        SIZE_OF(cst_wind),
        SIZE_OF(cst_sheet_def),
        SIZE_OF(cst_place),
        SIZE_OF(cst_constraint_def),
        SIZE_OF(cst_load_def),
        SIZE_OF(cst_vertices),
        SIZE_OF(cst_scene_fault),
        SIZE_OF(cst_scene_run),
        SIZE_OF(cst_finding),
        SIZE_OF(cst_machine),
        SIZE_OF(cst_run_totals),
        SIZE_OF(cst_run_progress),
        SIZE_OF(cst_run_settings),
        SIZE_OF(cst_run_result),
        SIZE_OF(cst_cache_info),
        SIZE_OF(cst_vertex_row),
        SIZE_OF(cst_triangle_row),
        SIZE_OF(cst_cache_item),
        SIZE_OF(cst_cache_frame),
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].name, name) == 0)
            return table[k].size;
    return 0;
}
