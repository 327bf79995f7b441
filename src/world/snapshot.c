/* A checkpoint stores the state of a world, without the definitions of its objects, as a sequence of 64-bit words in this order:
 *
 *     * Magic number and version.
 *     * Properties that must be the same in the world into which the checkpoint is loaded: dimension, time step, number of
 *       halvings of an adaptive step, and numbers of bodies, obstacles, constraints and loads.
 *     * Time, state of the time-step control, and energy budget of the world.
 *     * State of each body: number of values, then the values.
 *     * Constraints, then contacts.
 *     * Checksum of all words of the checkpoint before the checksum.
 *
 * Words have the byte order of the machine; the magic number reveals a different byte order. All checks of the checkpoint are
 * made before any part of it is loaded. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "world/view.h"
#include "world/world_state.h"

static const uint64_t MAGIC = 0x43535457534E4150u, VERSION = 8;

/* ---------------------------------------------------------------------------------------------------------------- words */

/* Writes the words of a checkpoint to `to`, reads them from `from`, or only counts them if both pointers are NULL. The same
 * functions list the saved fields for writing, reading and counting, so that these three tasks cannot differ. */
typedef struct tape {
    unsigned char *to;
    const unsigned char *from;
    size_t words;    /* number of words passed so far */
    size_t capacity; /* used only for reading: number of words in the checkpoint */
    bool torn;       /* used only for reading: true if the data ended too early */
} tape;

static void word(tape *t, void *value)
{
    if (t->from && t->words >= t->capacity)
        t->torn = true;
    else if (t->from)
        memcpy(value, t->from + 8 * t->words, 8);
    else if (t->to)
        memcpy(t->to + 8 * t->words, value, 8);
    t->words++;
}

static void real(tape *t, double *value)
{
    word(t, value);
}

static void reals(tape *t, double *value, int count)
{
    for (int k = 0; k < count; k++)
        real(t, value + k);
}

static void whole(tape *t, int32_t *value)
{
    int64_t wide = *value;
    word(t, &wide);
    if (t->from)
        *value = (int32_t)wide;
}

static void flag(tape *t, bool *value)
{
    int32_t wide = *value;
    whole(t, &wide);
    if (t->from)
        *value = wide != 0;
}

/* --------------------------------------------------------------------------------------------------------------- fields */

/* Properties that must be the same in the saved world and in the world into which the checkpoint is loaded. */
typedef struct likeness {
    int32_t dim, bodies, obstacles, constraints, loads, adaptive, halvings;
    double dt;
} likeness;

static likeness likeness_of(const cst_world *world)
{
    const cst_time_step *step = &world->def.time_step;
    return (likeness){.dim = world->def.dim,
                      .bodies = world->bodies,
                      .obstacles = world->obstacles,
                      .constraints = world->constraints,
                      .loads = world->loads,
                      .adaptive = step->adaptive,
                      .halvings = step->adaptive ? step->halvings : 0,
                      .dt = step->dt};
}

static void put_likeness(tape *t, likeness *like)
{
    whole(t, &like->dim);
    whole(t, &like->bodies);
    whole(t, &like->obstacles);
    whole(t, &like->constraints);
    whole(t, &like->loads);
    whole(t, &like->adaptive);
    whole(t, &like->halvings);
    real(t, &like->dt);
}

static void put_stepping(tape *t, cst_stepping *stepping)
{
    word(t, &stepping->ticks);
    word(t, &stepping->steps);
    whole(t, &stepping->level);
    whole(t, &stepping->calm);
    whole(t, &stepping->linearisations);
}

static void put_budget(tape *t, cst_budget *budget)
{
    cst_energies *work = &budget->work;
    real(t, &budget->energy_at_start);
    real(t, &work->loads);
    real(t, &work->constraints);
    real(t, &work->normal);
    real(t, &work->friction);
    real(t, &work->viscosity);
    real(t, &work->drag);
    real(t, &work->scheme);
    real(t, &work->forgotten);
    flag(t, &budget->ledger.open);
    real(t, &budget->ledger.energy);
    real(t, &budget->ledger.start);
    real(t, &budget->ledger.lowest);
    real(t, &budget->ledger.given);
    real(t, &budget->ledger.rise);
    real(t, &budget->ledger.gravity);
    real(t, &budget->largest_force);
}

static void put_constraint(tape *t, cst_constraint *held)
{
    reals(t, held->impulse, CST_CONSTRAINT_ROWS_MAX);
    reals(t, held->force, 3);
    reals(t, held->moment, 3);
    real(t, &held->work);
    flag(t, &held->frames_held);
}

static void put_end(tape *t, cst_contact_end *end)
{
    int32_t kind = (int32_t)end->kind;
    whole(t, &end->owner);
    whole(t, &kind);
    whole(t, &end->feature);
    reals(t, end->c, 2);
    reals(t, end->at, 3);
    end->kind = (cst_feature_kind)kind;
    real(t, &end->s);
    real(t, &end->along);
    real(t, &end->period);
    real(t, &end->reach);
    real(t, &end->radius);
    real(t, &end->length);
    real(t, &end->material);
}

static void put_contact(tape *t, cst_contact *contact)
{
    int32_t branch = (int32_t)contact->branch, contact_case = (int32_t)contact->contact_case;
    word(t, &contact->id);
    put_end(t, &contact->a);
    put_end(t, &contact->b);
    whole(t, &contact->shape[0]);
    whole(t, &contact->shape[1]);
    whole(t, &branch);
    flag(t, &contact->fresh);
    flag(t, &contact->turned);
    flag(t, &contact->jammed);
    reals(t, contact->before, 3);
    reals(t, contact->normal, 3);
    reals(t, contact->frame, 9);
    reals(t, contact->center, 3);
    reals(t, contact->position, 3);
    real(t, &contact->gap);
    real(t, &contact->thickness);
    real(t, &contact->mu);
    real(t, &contact->restitution);
    reals(t, contact->impulse, 3);
    reals(t, contact->r, 3);
    reals(t, contact->u, 3);
    reals(t, contact->velocity, 3);
    real(t, &contact->error);
    whole(t, &contact_case);
    contact->branch = (uint32_t)branch;
    contact->contact_case = (cst_local_case)contact_case;
}

/* --------------------------------------------------------------------------------------------------------------- saving */

static int state_size(const cst_world *world, int body)
{
    return world->model[body].class->state->size(world->model[body].self);
}

/* Writes or counts the words of a checkpoint. Writing a checkpoint does not change the world: `write_all` passes copies of the
 * world's fields to the functions that write or read a field. */
static void write_all(const cst_world *world, tape *t)
{
    uint64_t magic = MAGIC, version = VERSION, next_id = world->next_contact_id;
    likeness like = likeness_of(world);
    cst_stepping stepping = world->stepping;
    cst_budget budget = world->budget;
    double contact_dt = world->contact_dt;
    int32_t contacts = world->contacts;
    word(t, &magic);
    word(t, &version);
    put_likeness(t, &like);
    put_stepping(t, &stepping);
    put_budget(t, &budget);
    for (int k = 0; k < world->bodies; k++) {
        int32_t size = state_size(world, k);
        whole(t, &size);
        if (t->to) /* words are aligned like doubles */
            world->model[k].class->state->save(world->model[k].self, (double *)(void *)(t->to + 8 * t->words));
        t->words += (size_t)size;
    }
    for (int k = 0; k < world->constraints; k++) {
        cst_constraint held = world->constraint[k];
        put_constraint(t, &held);
    }
    real(t, &contact_dt);
    word(t, &next_id);
    whole(t, &contacts);
    for (int i = 0; i < contacts; i++) {
        cst_contact contact = world->contact[i];
        put_contact(t, &contact);
    }
}

size_t cst_world_save(const cst_world *world, void *out, size_t capacity)
{
    tape counted = {0};
    write_all(world, &counted);
    const size_t bytes = 8 * (counted.words + 1);
    if (!out || capacity < bytes)
        return bytes;
    tape written = {.to = out};
    write_all(world, &written);
    const uint64_t checksum = cst_checksum(0, out, 8 * written.words);
    memcpy((unsigned char *)out + 8 * written.words, &checksum, sizeof checksum);
    return bytes;
}

/* -------------------------------------------------------------------------------------------------------------- loading */

__attribute__((format(printf, 3, 4))) static bool refuse(char *message, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, size, format, arguments);
    va_end(arguments);
    return false;
}

static bool check_likeness(const likeness *saved, const likeness *here, char *message, size_t size)
{
    const struct {
        const char *what;
        int32_t saved, here;
    } count[] = {{"dimensions", saved->dim, here->dim},
                 {"bodies", saved->bodies, here->bodies},
                 {"obstacles", saved->obstacles, here->obstacles},
                 {"constraints", saved->constraints, here->constraints},
                 {"loads", saved->loads, here->loads},
                 {"halvings of an adaptive step", saved->adaptive ? saved->halvings : -1, here->adaptive ? here->halvings : -1}};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        if (count[k].saved != count[k].here)
            return refuse(message, size, "the checkpoint is of another world: %d %s, here %d", count[k].saved, count[k].what,
                          count[k].here);
    if (saved->dt != here->dt)
        return refuse(message, size, "the checkpoint is of another world: dt is %g, here %g", saved->dt, here->dt);
    return true;
}

static bool owner_exists(const cst_world *world, int32_t owner)
{
    return owner >= 0 && cst_owner_index(owner) < (cst_owner_is_body(owner) ? world->bodies : world->obstacles);
}

/* Returns the number of contact shapes: arcs in 2D, and centreline elements and solids in 3D; an obstacle without arcs counts as
 * one shape. */
static int64_t shapes_of(const cst_world *world)
{
    int64_t count = 0;
    for (int k = 0; k < world->bodies; k++) {
        const cst_body_surface *surface = world->model[k].class->surface;
        const void *self = world->model[k].self;
        count += surface->arcs ? surface->arcs(self) : 0;
        count += surface->pieces ? surface->pieces(self) : 0;
        count += surface->solids ? surface->solids(self) : 0;
    }
    for (int k = 0; k < world->obstacles; k++)
        count += world->obstacle[k].arcs > 0 ? world->obstacle[k].arcs : 1;
    return count;
}

static bool feature_of_mesh(const cst_feature_mesh *mesh, const cst_contact_end *end)
{
    return end->feature < (end->kind == CST_FEATURE_VERTEX ? mesh->vertices
                           : end->kind == CST_FEATURE_EDGE ? mesh->edges
                                                           : mesh->faces);
}

static bool is_mesh_feature(cst_feature_kind kind)
{
    return kind == CST_FEATURE_VERTEX || kind == CST_FEATURE_EDGE || kind == CST_FEATURE_FACE;
}

/* Returns true if a body has the feature that a contact names: an arc in 2D; in 3D a centreline element, or a vertex, an edge or
 * a face. */
static bool feature_of_body(const cst_body_model *model, int dim, const cst_contact_end *end)
{
    const cst_body_surface *surface = model->class->surface;
    if (dim == 2)
        return end->feature < surface->arcs(model->self);
    cst_feature_body body;
    if (is_mesh_feature(end->kind) && surface->features && surface->features(model->self, NULL, NULL, &body))
        return feature_of_mesh(body.mesh, end);
    if (surface->on_solid) /* only a sheet has the function on_solid; its contacts are all on vertices, edges or faces */
        return false;
    const int pieces = surface->pieces ? surface->pieces(model->self) : 0;
    const bool solid = surface->solids && surface->solids(model->self) > 0;
    const bool on_piece = end->kind == CST_FEATURE_CURVE || (end->kind == CST_FEATURE_BODY && !solid) || pieces > 0;
    return !on_piece || end->feature < pieces;
}

/* Returns true if an obstacle has the feature that a contact names: an arc in 2D; in 3D a vertex, an edge or a triangle of its
 * mesh. */
static bool feature_of_obstacle(const cst_obstacle *obstacle, int dim, const cst_contact_end *end)
{
    if (dim == 2)
        return end->feature < (obstacle->arcs > 0 ? obstacle->arcs : 1);
    if (is_mesh_feature(end->kind))
        return obstacle->features ? feature_of_mesh(obstacle->features, end) : end->kind == CST_FEATURE_FACE && end->feature == 0;
    return end->kind == CST_FEATURE_BODY && (!obstacle->mesh || end->feature < obstacle->def.mesh.triangles);
}

static bool feature_exists(const cst_world *world, const cst_contact_end *end)
{
    const int index = cst_owner_index(end->owner), dim = world->def.dim;
    if ((int)end->kind < CST_FEATURE_BODY || (int)end->kind > CST_FEATURE_FACE || end->feature < 0)
        return false;
    return cst_owner_is_body(end->owner) ? feature_of_body(world->model + index, dim, end)
                                         : feature_of_obstacle(world->obstacle + index, dim, end);
}

/* Checks all members of a loaded contact that a step uses as index, enumerated value or direction. The members of contacts are
 * checked even if the checksum is valid, because another program may have written the checkpoint. */
static bool contact_makes_sense(const cst_world *world, const cst_contact *contact, int64_t shapes)
{
    bool ok = owner_exists(world, contact->a.owner) && owner_exists(world, contact->b.owner) &&
              cst_owner_is_body(contact->a.owner) && feature_exists(world, &contact->a) && feature_exists(world, &contact->b) &&
              (int)contact->contact_case >= CST_CASE_TAKE_OFF && (int)contact->contact_case <= CST_CASE_BILATERAL &&
              isfinite(contact->gap) && contact->mu >= 0.0 && isfinite(contact->mu);
    for (int k = 0; k < 2; k++)
        ok = ok && contact->shape[k] >= 0 && contact->shape[k] < shapes;
    for (int k = 0; k < 3; k++)
        ok = ok && isfinite(contact->normal[k]) && isfinite(contact->r[k]) && isfinite(contact->impulse[k]);
    return ok;
}

/* Checks the time, the states of the bodies, the contacts and the length of a checkpoint, without changing the world. Energies
 * and constraints are not checked. Writes the number of contacts in the checkpoint to *count. */
static bool check_rest(const cst_world *world, tape t, int *count, char *message, size_t size)
{
    cst_stepping stepping = {0};
    cst_budget budget = {0};
    double contact_dt = 0.0;
    uint64_t next_id = 0;
    int32_t contacts = 0;
    put_stepping(&t, &stepping);
    if (t.torn || stepping.ticks < 0 || stepping.steps < 0 || stepping.level < 0 ||
        stepping.level > cst_stepping_finest(&world->def.time_step) || stepping.linearisations < 0)
        return refuse(message, size, "the checkpoint's time makes no sense");
    put_budget(&t, &budget);
    for (int k = 0; k < world->bodies; k++) {
        int32_t states = -1;
        whole(&t, &states);
        if (t.torn || states != state_size(world, k))
            return refuse(message, size, "the checkpoint is of another world: body %d has %d values of state, here %d", k + 1,
                          states, state_size(world, k));
        for (int i = 0; i < states; i++) {
            double value = NAN;
            real(&t, &value);
            if (!isfinite(value))
                return refuse(message, size, "the checkpoint's state of body %d is not finite", k + 1);
        }
    }
    for (int k = 0; k < world->constraints; k++) {
        cst_constraint held = {0};
        put_constraint(&t, &held);
    }
    real(&t, &contact_dt);
    word(&t, &next_id);
    whole(&t, &contacts);
    if (t.torn || contacts < 0)
        return refuse(message, size, "the checkpoint's contacts make no sense");
    const int64_t shapes = shapes_of(world);
    for (int i = 0; i < contacts && !t.torn; i++) {
        cst_contact contact = {0};
        put_contact(&t, &contact);
        if (!t.torn && (!contact_makes_sense(world, &contact, shapes) || contact.id >= next_id))
            return refuse(message, size, "the checkpoint's contact %d is of nobody here", i);
    }
    if (t.torn || t.words + 1 != t.capacity)
        return refuse(message, size, "the checkpoint has another length than its contents");
    *count = contacts;
    return true;
}

static void read_rest(cst_world *world, tape t)
{
    put_stepping(&t, &world->stepping);
    put_budget(&t, &world->budget);
    for (int k = 0; k < world->bodies; k++) {
        int32_t size = 0;
        whole(&t, &size);
        world->model[k].class->state->load(world->model[k].self, (const double *)(const void *)(t.from + 8 * t.words));
        t.words += (size_t)size;
    }
    for (int k = 0; k < world->constraints; k++) {
        cst_constraint *constraint = world->constraint + k;
        const bool held = constraint->frames_held;
        put_constraint(&t, constraint);
        const bool was_held =
            /* cst_constraint_hold_frame returns a change of elastic energy; the saved energy budget already contains this change,
             * so it is not added. */
            constraint->frames_held;
        constraint->frames_held = held;
        cst_constraint_hold_frame(constraint, world->model, was_held);
    }
    real(&t, &world->contact_dt);
    word(&t, &world->next_contact_id);
    whole(&t, &world->contacts);
    for (int i = 0; i < world->contacts; i++) {
        world->contact[i] = (cst_contact){0};
        put_contact(&t, world->contact + i);
    }
}

/* `from` is aligned like doubles. */
static bool load_words(cst_world *world, const unsigned char *from, size_t words, char *message, size_t message_size)
{
    tape t = {.from = from, .capacity = words};
    uint64_t magic = 0, version = 0, checksum = 0;
    likeness saved = {0};
    int contacts = 0;
    const likeness here = likeness_of(world);
    word(&t, &magic);
    if (magic != MAGIC)
        return refuse(message, message_size, "this is not a checkpoint of a world (or one of another kind of machine)");
    word(&t, &version);
    if (version != VERSION)
        return refuse(message, message_size, "the checkpoint has version %llu, this program reads %llu",
                      (unsigned long long)version, (unsigned long long)VERSION);
    memcpy(&checksum, from + 8 * (words - 1), sizeof checksum);
    if (checksum != cst_checksum(0, from, 8 * (words - 1)))
        return refuse(message, message_size, "the checkpoint is damaged: its checksum does not fit");
    put_likeness(&t, &saved);
    if (!check_likeness(&saved, &here, message, message_size) || !check_rest(world, t, &contacts, message, message_size))
        return false;
    if (!cst_world_reserve_contacts(world, contacts))
        return refuse(message, message_size, "out of memory");
    read_rest(world, t);
    cst_world_place_bodies(world);
    cst_world_show_contacts(world);
    return true;
}

bool cst_world_load(cst_world *world, const void *from, size_t size, char *message, size_t message_size)
{
    enum { WORDS_MIN = 16 };
    if (!from || size % 8 != 0 || size / 8 < WORDS_MIN)
        return refuse(message, message_size, "a checkpoint of %zu bytes is none", size);
    const cst_arena_mark mark = cst_arena_mark_now(&world->step);
    unsigned char *aligned = cst_arena_take_raw(&world->step, size, 1);
    const bool loaded = aligned ? load_words(world, memcpy(aligned, from, size), size / 8, message, message_size)
                                : refuse(message, message_size, "out of memory");
    cst_arena_release(&world->step, mark);
    world->step.failed = false;
    return loaded;
}
