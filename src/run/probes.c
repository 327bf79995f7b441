#include "run/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "files/whole_file.h"
#include "math/rotation.h"
#include "write/csv.h"
#include "write/directory.h"

typedef struct probe_file {
    const cst_probe *probe;
    char *path;
    int descriptor;
    cst_probe_mark committed; /* bytes on disk, with checksum */
    FILE *rows;               /* rows not yet written */
    char *text;
    size_t bytes;
} probe_file;

struct cst_probe_files {
    int count;
    char *directory;
    const char **name; /* file names without the directory */
    probe_file file[];
};

/* ---------------------------------------------------------------------------------------------------------------- rows */

static const char *const position_names[] = {"time [s]", "x [m]",    "y [m]",    "z [m]", "angle [rad]",
                                             "vx [m/s]", "vy [m/s]", "vz [m/s]", NULL};
static const char *const space_position_names[] = {"time [s]", "x [m]",    "y [m]",    "z [m]",    "rx [rad]", "ry [rad]",
                                                   "rz [rad]", "vx [m/s]", "vy [m/s]", "vz [m/s]", NULL};
static const char *const force_names[] = {"time [s]", "fx [N]", "fy [N]", "fz [N]", "dx [m]", "dy [m]", "dz [m]", NULL};
static const char *const moment_names[] = {"time [s]", "fx [N]", "fy [N]", "fz [N]", "mx [N m]", "my [N m]",
                                           "mz [N m]", "dx [m]", "dy [m]", "dz [m]", NULL};
static const char *const handle_names[] = {"time [s]", "fx [N]", "fy [N]", "fz [N]", NULL};
static const char *const root_names[] = {"time [s]", "fx [N]", "fy [N]", "fz [N]", "mx [N m]", "my [N m]",
                                         "mz [N m]", "x [m]",  "y [m]",  "z [m]",  NULL};
static const char *const energy_names[] = {
    "time [s]",     "kinetic [J]",   "elastic [J]", "gravity [J]", "loads [J]",     "constraints [J]", "normal [J]",
    "friction [J]", "viscosity [J]", "drag [J]",    "scheme [J]",  "forgotten [J]", "unexplained [J]", NULL};

static const char *const *names_of(cst_probe_kind kind, int dim)
{
    switch (kind) {
    case CST_PROBE_POSITION:
        return dim == 3 ? space_position_names : position_names;
    case CST_PROBE_HANDLE_FORCE:
        return handle_names;
    case CST_PROBE_OBSTACLE_FORCE:
        return force_names;
    case CST_PROBE_CONSTRAINT_FORCE:
        return moment_names;
    case CST_PROBE_ROOT_FORCE:
        return root_names;
    case CST_PROBE_ENERGY:
        break;
    }
    return energy_names;
}

static void put_reals(cst_csv *csv, const double *value, int count)
{
    for (int i = 0; i < count; i++)
        cst_csv_real(csv, value[i]);
}

static void put_energies(cst_csv *csv, const cst_energies *e)
{
    const double value[] = {e->kinetic,  e->elastic,   e->gravity, e->loads,  e->constraints, e->normal,
                            e->friction, e->viscosity, e->drag,    e->scheme, e->forgotten,   e->unexplained};
    put_reals(csv, value, (int)(sizeof value / sizeof value[0]));
}

/* Writes the position, the rotation and the velocity of a probe's point. The rotation is an angle in 2D and the rotation vector
 * of the body's frame in 3D (for a fiber the frame t, d1, d2). */
static void put_position(cst_csv *csv, const cst_world *world, const cst_place *place)
{
    double position[3] = {0}, velocity[3] = {0}, rotation[3] = {0}, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const bool space = cst_world_definition(world)->dim == 3;
    if (space)
        cst_world_place_space(world, place, position, frame, velocity, NULL);
    else
        cst_world_place(world, place, position, rotation, velocity);
    if (space)
        cst_rotation_log(frame, rotation);
    put_reals(csv, position, 3);
    put_reals(csv, rotation, space ? 3 : 1);
    put_reals(csv, velocity, 3);
}

static void put_root(cst_csv *csv, const cst_world *world, const cst_place *place)
{
    const cst_place root = {.body = place->body};
    double force[3], moment[3], at[3] = {0};
    cst_world_root_force(world, place->body, force, moment);
    if (cst_world_definition(world)->dim == 3)
        cst_world_place_space(world, &root, at, NULL, NULL, NULL);
    else
        cst_world_place(world, &root, at, NULL, NULL);
    put_reals(csv, force, 3);
    put_reals(csv, moment, 3);
    put_reals(csv, at, 3);
}

static void put_row(const probe_file *file, const cst_world *world)
{
    cst_csv csv = cst_csv_begin(file->rows);
    cst_csv_real(&csv, cst_world_time(world));
    double a[3] = {0}, b[3] = {0};
    cst_energies energies;
    switch (file->probe->kind) {
    case CST_PROBE_POSITION:
        put_position(&csv, world, &file->probe->place);
        break;
    case CST_PROBE_OBSTACLE_FORCE:
        cst_world_obstacle_force(world, file->probe->obstacle, a);
        cst_world_obstacle_displacement(world, file->probe->obstacle, b, NULL);
        put_reals(&csv, a, 3);
        put_reals(&csv, b, 3);
        break;
    case CST_PROBE_CONSTRAINT_FORCE:
        cst_world_constraint_force(world, file->probe->constraint, a, b);
        put_reals(&csv, a, 3);
        put_reals(&csv, b, 3);
        cst_world_constraint_displacement(world, file->probe->constraint, a, NULL);
        put_reals(&csv, a, 3);
        break;
    case CST_PROBE_HANDLE_FORCE:
        cst_world_handle_force(world, file->probe->place.body, file->probe->handle, a);
        put_reals(&csv, a, 3);
        break;
    case CST_PROBE_ROOT_FORCE:
        put_root(&csv, world, &file->probe->place);
        break;
    case CST_PROBE_ENERGY:
        cst_world_energies(world, &energies);
        put_energies(&csv, &energies);
        break;
    }
    cst_csv_row_end(&csv);
}

bool cst_probes_sample(cst_probe_files *files, const cst_world *world)
{
    bool ok = true;
    for (int i = 0; i < files->count; i++) {
        put_row(&files->file[i], world);
        ok = ok && !ferror(files->file[i].rows);
    }
    return ok;
}

/* --------------------------------------------------------------------------------------------------------------- files */

static bool file_fault(const probe_file *file, const char *what, char *message, size_t message_size)
{
    snprintf(message, message_size, "%s: %s: %s", file->path, what, strerror(errno));
    return false;
}

/* Shortens a probe file on disk to the length that the checkpoint gives for it. */
static bool cut_back(probe_file *file, const cst_probe_mark *mark, char *message, size_t message_size)
{
    if (ftruncate(file->descriptor, (off_t)mark->bytes) != 0)
        return file_fault(file, "cannot be cut back", message, message_size);
    file->committed = *mark;
    return true;
}

static bool open_probe(probe_file *file, const cst_run_directory *directory, const cst_probe *probe, int dim,
                       const cst_probe_mark *mark, char *message, size_t message_size)
{
    file->probe = probe;
    file->path = cst_path_join(directory->probes, probe->name, ".csv");
    file->rows = file->path ? open_memstream(&file->text, &file->bytes) : NULL;
    if (!file->rows) {
        snprintf(message, message_size, "%s: not enough memory", directory->probes);
        return false;
    }
    file->descriptor = open(file->path, O_RDWR | O_NONBLOCK | O_CLOEXEC | (mark ? 0 : O_CREAT | O_TRUNC), 0666);
    if (file->descriptor < 0)
        return file_fault(file, "cannot be opened", message, message_size);
    if (mark)
        return cst_probe_mark_check(file->path, file->descriptor, mark, message, message_size);
    cst_csv csv = cst_csv_begin(file->rows);
    cst_csv_header(&csv, names_of(probe->kind, dim));
    return true;
}

cst_probe_files *cst_probes_open(const cst_run_directory *directory, int dim, const cst_probe *probe, int probes,
                                 const cst_probe_mark *mark, char *message, size_t message_size)
{
    cst_probe_files *files = calloc(1, sizeof *files + (size_t)probes * sizeof(probe_file));
    if (files) {
        files->count = probes;
        for (int i = 0; i < probes; i++)
            files->file[i].descriptor = -1;
        files->directory = strdup(directory->probes);
        files->name = calloc((size_t)probes + 1, sizeof *files->name);
    }
    if (!files || !files->directory || !files->name) {
        snprintf(message, message_size, "%s: not enough memory", directory->probes);
        cst_probes_close(files);
        return NULL;
    }
    bool ok = probes == 0 || cst_directory_make(directory->probes, message, message_size);
    for (int i = 0; i < probes && ok; i++)
        ok = open_probe(&files->file[i], directory, &probe[i], dim, mark ? &mark[i] : NULL, message, message_size);
    /* only after all files were checked: a run that is not resumed keeps its files as they are */
    for (int i = 0; i < probes && ok && mark; i++)
        ok = cut_back(&files->file[i], &mark[i], message, message_size);
    for (int i = 0; i < probes && ok; i++)
        files->name[i] = strrchr(files->file[i].path, '/') + 1;
    if (!ok) {
        cst_probes_close(files);
        return NULL;
    }
    return files;
}

void cst_probes_close(cst_probe_files *files)
{
    if (!files)
        return;
    for (int i = 0; i < files->count; i++) {
        probe_file *file = &files->file[i];
        if (file->rows)
            fclose(file->rows);
        free(file->text);
        if (file->descriptor >= 0)
            close(file->descriptor);
        free(file->path);
    }
    free(files->name);
    free(files->directory);
    free(files);
}

bool cst_probes_verify(const cst_run_directory *directory, const cst_probe *probe, int probes, const cst_probe_mark *mark,
                       char *message, size_t message_size)
{
    bool ok = true;
    for (int i = 0; i < probes && ok; i++) {
        probe_file file = {.path = cst_path_join(directory->probes, probe[i].name, ".csv"), .descriptor = -1};
        if (!file.path) {
            snprintf(message, message_size, "%s: not enough memory", directory->probes);
            return false;
        }
        file.descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        ok = file.descriptor >= 0 ? cst_probe_mark_check(file.path, file.descriptor, &mark[i], message, message_size)
                                  : file_fault(&file, "cannot be opened", message, message_size);
        if (file.descriptor >= 0)
            close(file.descriptor);
        free(file.path);
    }
    return ok;
}

static bool append(const probe_file *file)
{
    return cst_write_at(file->descriptor, file->text, file->bytes, file->committed.bytes) && fsync(file->descriptor) == 0;
}

static bool commit_probe(probe_file *file, char *message, size_t message_size)
{
    if (ferror(file->rows) || fflush(file->rows) != 0) {
        snprintf(message, message_size, "%s: not enough memory", file->path);
        return false;
    }
    struct stat about;
    if (fstat(file->descriptor, &about) != 0 || about.st_nlink == 0 || about.st_size < file->committed.bytes) {
        snprintf(message, message_size, "%s: was removed or cut short while it was being written", file->path);
        return false;
    }
    if (!append(file)) {
        file_fault(file, "cannot be written", message, message_size);
        if (ftruncate(file->descriptor, (off_t)file->committed.bytes) != 0)
            /* If the probe file cannot be shortened after a failed write, the rows of this write stay in the file until the run
             * is resumed, which removes them. */
            return false;
        return false;
    }
    file->committed.sum = cst_checksum(file->committed.sum, file->text, file->bytes);
    file->committed.bytes += (int64_t)file->bytes;
    rewind(file->rows); /* rows are in the file */
    return true;
}

bool cst_probes_commit(cst_probe_files *files, cst_probe_mark *mark, char *message, size_t message_size)
{
    for (int i = 0; i < files->count; i++) {
        if (!commit_probe(&files->file[i], message, message_size))
            return false;
        mark[i] = files->file[i].committed;
    }
    return files->count == 0 || cst_probe_sums_write(files->directory, files->name, mark, files->count, message, message_size);
}
