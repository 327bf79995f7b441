/* Motion of a sheet (sheet.h). */
#include <math.h>
#include <string.h>

#include "cloth/sheet_parts.h"
#include "math/vector3.h"

void cst_sheet_mean(const cst_sheet *sheet, const cst_step_frame *frame, const double *v, double *z)
{
    const double theta = frame->theta, old = cst_sheet_old_share(frame);
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        for (int k = 0; k < 3; ++k) {
            const size_t dof = 3 * (size_t)i + (size_t)k;
            z[dof] = sheet->is_held[i] ? sheet->imposed[dof] : theta * v[dof] + old * sheet->v[dof];
        }
}

/* ------------------------------------------------------------------------------------------------------------------ works */

/* Computes the force of each handle (a group of nodes with prescribed motion) from the momentum balance of its nodes. Returns
 * the work of all handles in the step. */
static double handle_works(cst_sheet *sheet, const cst_step_frame *frame)
{
    const double *z = sheet->z, dt = frame->dt, old = frame->quasi_static ? 0.0 : 1.0;
    double sum = 0.0;
    for (int k = 0; k < sheet->handles; ++k)
        memset(sheet->handle[k].force, 0, sizeof sheet->handle[k].force);
    cst_sheet_air_force(sheet, z, sheet->air_force);
    for (int h = 0; h < sheet->holds; ++h) {
        const int32_t node = sheet->held[h].node;
        double *force = sheet->handle[sheet->held[h].handle].force;
        for (int k = 0; k < 3; ++k) {
            const size_t dof = 3 * (size_t)node + (size_t)k;
            const double elastic = sheet->f0[dof] - (frame->theta * dt + sheet->fabric.damping) * sheet->h_z[dof];
            const double momentum = sheet->mass[node] * (sheet->imposed[dof] - old * sheet->v[dof]);
            const double impulse =
                momentum - dt * (sheet->mass[node] * frame->gravity[k] + elastic + sheet->air_force[dof]) - sheet->pushed[dof];
            force[k] += impulse / dt;
            sum += impulse * z[dof];
        }
    }
    return sum;
}

/* Returns the change of kinetic energy that the numerical dissipation of the theta scheme causes in the step: negative, or 0. A
 * node with prescribed motion has its prescribed velocity during the whole step. */
static double lost_in_motion(const cst_sheet *sheet, const cst_step_frame *frame, const double *v)
{
    const double old = frame->quasi_static ? 0.0 : 1.0;
    double sum = 0.0;
    for (int i = 0; i < sheet->mesh.nodes; ++i) {
        double change[3];
        for (int k = 0; k < 3; ++k) {
            const size_t dof = 3 * (size_t)i + (size_t)k;
            change[k] = (sheet->is_held[i] ? sheet->imposed[dof] : v[dof]) - old * sheet->v[dof];
        }
        sum -= (sheet->is_held[i] ? 0.5 : frame->theta - 0.5) * sheet->mass[i] * cst_dot3(change, change);
    }
    return sum;
}

static double kinetic_energy(const cst_sheet *sheet)
{
    double sum = 0.0;
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        sum += 0.5 * sheet->mass[i] * cst_dot3(sheet->v + 3 * (size_t)i, sheet->v + 3 * (size_t)i);
    return sum;
}

static void find_works(cst_sheet *sheet, const cst_step_frame *frame, const double *v)
{
    const double dt = frame->dt, *z = sheet->z;
    double worked = 0.0, viscous = 0.0, wind = 0.0, drag = 0.0;
    double *still = sheet->air_force + 3 * (size_t)sheet->mesh.nodes; /* forces of the air on the nodes of a sheet at rest */
    cst_sheet_stiffness(sheet, frame->theta * dt, z, sheet->h_z);
    const double constraint = handle_works(sheet, frame);
    cst_sheet_air_force(sheet, NULL, still);
    for (int i = 0; i < 3 * sheet->mesh.nodes; ++i) {
        worked += dt * z[i] * (sheet->f0[i] - frame->theta * dt * sheet->h_z[i]);
        viscous -= dt * sheet->fabric.damping * z[i] * sheet->h_z[i];
        wind += dt * z[i] * still[i];
        drag += dt * z[i] * (sheet->air_force[i] - still[i]);
    }
    sheet->work_done = (cst_body_work){.loads = wind,
                                       .constraint = constraint,
                                       .viscosity = viscous,
                                       .drag = drag,
                                       .scheme = worked + lost_in_motion(sheet, frame, v),
                                       .forgotten = frame->quasi_static ? -kinetic_energy(sheet) : 0.0};
}

/* ----------------------------------------------------------------------------------------------------------------- finish */

static void finish(void *self, const cst_step_frame *frame, const double *v)
{
    cst_sheet *sheet = self;
    double before = 0.0, after = 0.0;
    cst_sheet_mean(sheet, frame, v, sheet->z);
    find_works(sheet, frame, v);
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        for (int k = 0; k < 3; ++k) {
            const size_t dof = 3 * (size_t)i + (size_t)k;
            sheet->x[dof] += frame->dt * sheet->z[dof];
            sheet->v[dof] = sheet->is_held[i] ? sheet->imposed[dof] : v[dof];
        }
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        before += sheet->elastic[p];
    cst_sheet_energies(sheet, sheet->x, sheet->elastic);
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        after += sheet->elastic[p];
    sheet->work_done.scheme += after - before;
    sheet->placed = sheet->x;
}

static int dofs(const void *self)
{
    return 3 * ((const cst_sheet *)self)->mesh.nodes;
}

static bool place(void *self, const cst_step_frame *frame, const double *v)
{
    cst_sheet *sheet = self;
    const int count = dofs(self);
    double sum = 0.0; /* sum of 0 times each coordinate: 0 if all coordinates are finite, otherwise NaN */
    if (!v) {
        sheet->placed = sheet->x;
    } else {
        cst_sheet_impose(sheet, frame);
        cst_sheet_mean(sheet, frame, v, sheet->z);
        for (int i = 0; i < count; ++i)
            sheet->ahead[i] = sheet->x[i] + frame->dt * sheet->z[i];
        sheet->placed = sheet->ahead;
    }
    for (int i = 0; i < count; ++i)
        sum += 0.0 * sheet->placed[i];
    return sum == 0.0 && (v || cst_feature_mesh_move(sheet->features, sheet->x));
}

static double *rhs(void *self)
{
    return ((cst_sheet *)self)->rhs;
}

static bool solve(void *self, double *x)
{
    cst_sheet_solve(self, x);
    return true;
}

static void describe(void *self, cst_body *out)
{
    const cst_sheet *sheet = self;
    *out = (cst_body){.kind = CST_BODY_NODAL,
                      .size = dofs(self),
                      .matrix = sheet->block,
                      .row_start = sheet->row_start,
                      .column = sheet->column,
                      .nodal_factor = sheet->late.used ? &sheet->late.factor : &sheet->factor,
                      .nodal_schur = sheet->late.used ? &sheet->late.schur : NULL,
                      .rhs = sheet->rhs};
}

static void velocities(const void *self, double *v)
{
    memcpy(v, ((const cst_sheet *)self)->v, sizeof(double) * (size_t)dofs(self));
}

static double motion(const void *self, const cst_step_frame *frame, const double *v)
{
    const cst_sheet *sheet = self;
    double most = 0.0;
    for (int i = 0; i < sheet->mesh.nodes; ++i) {
        double way[3];
        for (int k = 0; k < 3; ++k) {
            const size_t dof = 3 * (size_t)i + (size_t)k;
            way[k] = sheet->is_held[i] ? sheet->imposed[dof] : frame->theta * v[dof] + cst_sheet_old_share(frame) * sheet->v[dof];
        }
        most = fmax(most, cst_dot3(way, way));
    }
    return frame->dt * sqrt(most);
}

static void energy(const void *self, const double *gravity, cst_body_energy *out)
{
    const cst_sheet *sheet = self;
    *out = (cst_body_energy){.kinetic = kinetic_energy(sheet)};
    for (int p = 0; p < CST_SHEET_PARTS; ++p)
        out->elastic += sheet->elastic[p];
    for (int i = 0; i < sheet->mesh.nodes; ++i)
        out->gravity -= sheet->mass[i] * cst_dot3(gravity, sheet->x + 3 * (size_t)i);
}

static void work(const void *self, cst_body_work *out)
{
    *out = ((const cst_sheet *)self)->work_done;
}

/* ------------------------------------------------------------------------------------------------------------------ state */

static int state_size(const void *self)
{
    return 2 * dofs(self);
}

static void save(const void *self, double *to)
{
    memcpy(to, ((const cst_sheet *)self)->state, sizeof(double) * (size_t)state_size(self));
}

static void load(void *self, const double *from)
{
    cst_sheet *sheet = self;
    memcpy(sheet->state, from, sizeof(double) * (size_t)state_size(self));
    sheet->placed = sheet->x;
    cst_sheet_energies(sheet, sheet->x, sheet->elastic);
}

const cst_body_dynamics cst_sheet_dynamics = {.dofs = dofs,
                                              .place = place,
                                              .assemble = cst_sheet_assemble,
                                              .rhs = rhs,
                                              .solve = solve,
                                              .describe = describe,
                                              .velocities = velocities,
                                              .motion = motion,
                                              .push = cst_sheet_push,
                                              .expect = cst_sheet_expect,
                                              .finish = finish,
                                              .energy = energy,
                                              .work = work};
const cst_body_state cst_sheet_state = {.size = state_size, .save = save, .load = load};
