/* Energies of the bodies, and works done on the bodies. The work of an impulse is the impulse times the mean velocity of its
 * point in the step. In the theta scheme, the kinetic energy of a body changes in a step by exactly this amount (`|.|_M`: norm
 * with the mass matrix M):
 *
 *     `W-(theta-1/2) |v+ - v|_M^2`.
 *
 *     `W`: sum of all works on the body (J).
 *     `theta`: parameter of the theta scheme; the mean velocity in a step that begins with the velocity v and ends with the
 *         velocity v+ is theta v+ + (1 - theta) v.
 *     `v`, `v+`: velocities at the start and at the end of the step.
 *     `M`: constant mass matrix.
 *
 * The part of the energy change with the factor theta - 1/2 (theta: parameter of the theta scheme) is a numerical loss. The
 * energy change minus all works and losses (`unexplained`) is the error made by linearising the geometry. The work of a contact
 * is computed with the velocity of the body, so a contact with a moving obstacle can add energy. */
#include "world/energy.h"

#include "base/threads.h"
#include "world/world_state.h"

enum { PARALLEL_BODIES = 64 };

void cst_budget_add(const cst_dynamics *dynamics, const cst_step_frame *frame, const cst_velocities *velocities,
                    const cst_contact_work *contacts, const cst_constraint *constraint, int constraints, cst_energies *work)
{
    double *v_theta = velocities->scratch;
    work->normal += contacts->normal;
    work->friction += contacts->friction;
    for (int k = 0; k < dynamics->loads; k++) {
        const cst_load *load = dynamics->load + k;
        const cst_body_model *model = dynamics->objects.model + load->body;
        cst_velocities_theta(velocities, frame->theta, dynamics->layout.start_of[load->body],
                             model->class->dynamics->dofs(model->self), v_theta);
        work->loads += cst_load_work(load, frame, v_theta);
    }
    for (int k = 0; k < (dynamics->user.force ? dynamics->objects.bodies : 0); k++) {
        const cst_body_model *model = dynamics->objects.model + k;
        const int start = dynamics->layout.start_of[k], dofs = model->class->dynamics->dofs(model->self);
        cst_velocities_theta(velocities, frame->theta, start, dofs, v_theta);
        work->loads += cst_user_force_work(&dynamics->user, frame, k, start, dofs, v_theta);
    }
    for (int k = 0; k < constraints; k++)
        work->constraints += constraint[k].work;
}

void cst_budget_add_bodies(const cst_objects *objects, cst_energies *work)
{
    for (int k = 0; k < objects->bodies; k++) {
        cst_body_work own;
        objects->model[k].class->dynamics->work(objects->model[k].self, &own);
        work->loads += own.loads;
        work->constraints += own.constraint;
        work->viscosity += own.viscosity;
        work->drag += own.drag;
        work->scheme += own.scheme;
        work->forgotten += own.forgotten;
    }
}

/* Adds up the energies of the bodies in the order of their numbers, so that the sum does not depend on the number of threads.
 * `each`: buffer (bodies) for the energies computed by several threads; NULL: one thread computes all energies. */
static void add_energies(const cst_world *world, int threads, cst_body_energy *each, cst_energies *out)
{
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads) if (each != NULL)
    for (int k = 0; k < (each ? world->bodies : 0); k++)
        world->model[k].class->dynamics->energy(world->model[k].self, world->def.gravity, each + k);
    for (int k = 0; k < world->bodies; k++) {
        cst_body_energy energy;
        if (each)
            energy = each[k];
        else
            world->model[k].class->dynamics->energy(world->model[k].self, world->def.gravity, &energy);
        out->kinetic += energy.kinetic;
        out->elastic += energy.elastic;
        out->gravity += energy.gravity;
    }
}

static void find_energies(const cst_world *world, int threads, cst_body_energy *each, cst_energies *out)
{
    *out = world->budget.work;
    out->kinetic = out->elastic = out->gravity = 0.0;
    add_energies(world, threads, each, out);
    const double works =
        out->loads + out->constraints + out->normal + out->friction + out->viscosity + out->drag + out->scheme + out->forgotten;
    out->moved = cst_ledger_moved(&world->budget.ledger);
    out->unexplained = (out->kinetic + out->elastic + out->gravity) - world->budget.energy_at_start - works;
}

void cst_world_energies(const cst_world *world, cst_energies *out)
{
    find_energies(world, 1, NULL, out);
}

void cst_world_energies_in_step(cst_world *world, cst_energies *out)
{
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    const int threads = cst_threads_for(world->def.friction.threads, world->bodies, PARALLEL_BODIES);
    cst_body_energy *each = threads > 1 ? CST_TAKE_RAW(&world->step, cst_body_energy, world->bodies) : NULL;
    find_energies(world, threads, each, out);
    cst_arena_release(&world->step, mark);
    /* lack of memory for the buffer `each` is not an error: one thread has then computed all energies */
    world->step.failed = false;
}
