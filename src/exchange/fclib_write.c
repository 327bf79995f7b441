/* HDF5's core driver builds files in memory, and this module writes the finished files to disk. HDF5 itself does not write the
 * files, because it handles a full disk badly: it can neither finish nor abandon the file. A reader must never see an incomplete
 * file. */
#include "exchange/fclib.h"

#include "exchange/hdf5_dataset.h"
#include "exchange/problem_parts.h"
#include "files/whole_file.h"

#include <assert.h>
#include <string.h>

typedef struct writing {
    hid_t file;     /* in memory */
    hid_t group;    /* being filled */
    hid_t creation; /* creation properties of datasets: no time stamps, so that equal contents give equal bytes */
    cst_arena *scratch;
    cst_fault *fault;
} writing;

/* ----------------------------------------------------------------------------------------------------------- datasets */

static bool write_array(const writing *out, const char *name, hid_t file_type, hid_t memory_type, int64_t count, const void *data)
{
    hsize_t extent = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t set = space < 0 ? -1 : H5Dcreate2(out->group, name, file_type, space, H5P_DEFAULT, out->creation, H5P_DEFAULT);
    bool ok = set >= 0 && (count == 0 || H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    cst_h5_close(set);
    cst_h5_close(space);
    return ok || cst_fault_set(out->fault, "dataset %s: HDF5 cannot store it in memory", name);
}

static bool write_integers(const writing *out, const char *name, int64_t count, const int32_t *value)
{
    return write_array(out, name, H5T_STD_I32LE, H5T_NATIVE_INT32, count, value);
}

static bool write_integer(const writing *out, const char *name, int64_t value)
{
    int32_t narrow = (int32_t)value;
    return write_integers(out, name, 1, &narrow);
}

static bool write_doubles(const writing *out, const char *name, int64_t count, const double *value)
{
    char where[64] = "dataset ";
    strncat(where, name, sizeof where - strlen(where) - 1);
    return cst_check_finite(value, count, where, out->fault) &&
           write_array(out, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, value);
}

static bool write_string(const writing *out, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), set = -1;
    bool ok = type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0;
    if (ok)
        set = H5Dcreate2(out->group, name, type, space, H5P_DEFAULT, out->creation, H5P_DEFAULT);
    ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    cst_h5_close(set);
    cst_h5_close(space);
    cst_h5_close(type);
    return ok || cst_fault_set(out->fault, "dataset %s: HDF5 cannot store it in memory", name);
}

static bool open_group(writing *out, const char *path)
{
    cst_h5_close(out->group);
    out->group = H5Gcreate2(out->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return out->group >= 0 || cst_fault_set(out->fault, "group %s: HDF5 cannot create it in memory", path);
}

/* ------------------------------------------------------------------------------------------------------------ matrices */

static bool write_matrix(writing *out, const char *path, const cst_csr *matrix, cst_fclib_storage storage)
{
    int64_t entries = matrix->row_start[matrix->rows];
    if (entries > INT32_MAX)
        return cst_fault_set(out->fault, "group %s: %lld entries, more than the 32 bits of FCLIB can count", path,
                             (long long)entries);
    cst_csr transpose;
    const cst_csr *lines = matrix;
    if (storage == CST_FCLIB_CSC) {
        if (!cst_csr_transpose(out->scratch, matrix, &transpose))
            return cst_fault_memory(out->fault);
        lines = &transpose;
    }
    int64_t pointers = storage == CST_FCLIB_COO ? entries : (int64_t)lines->rows + 1;
    int32_t *row = storage == CST_FCLIB_COO ? cst_csr_entry_rows(out->scratch, matrix) : NULL;
    int32_t *pointer = CST_TAKE(out->scratch, int32_t, pointers);
    if (out->scratch->failed)
        return cst_fault_memory(out->fault);
    for (int64_t k = 0; k < pointers; k++)
        pointer[k] = storage == CST_FCLIB_COO ? matrix->column[k] : (int32_t)lines->row_start[k];
    static const int64_t kind[] = {[CST_FCLIB_CSR] = -2, [CST_FCLIB_CSC] = -1};
    return open_group(out, path) && write_integer(out, "nzmax", entries) && write_integer(out, "m", matrix->rows) &&
           write_integer(out, "n", matrix->columns) &&
           write_integer(out, "nz", storage == CST_FCLIB_COO ? entries : kind[storage]) &&
           write_integers(out, "p", pointers, pointer) && write_integers(out, "i", entries, row ? row : lines->column) &&
           write_doubles(out, "x", entries, lines->value);
}

/* Converts the matrix from dim x dim blocks to scalar rows; zeros inside a block are stored as entries, as other programs that
 * write FCLIB files do. */
static bool scalar_rows(cst_arena *scratch, const cst_friction_problem *problem, cst_csr *out)
{
    int dim = problem->dim;
    int64_t blocks = problem->row_start[problem->contacts];
    int64_t *row_start = CST_TAKE(scratch, int64_t, (int64_t)problem->contacts * dim + 1);
    int32_t *column = CST_TAKE(scratch, int32_t, blocks * dim * dim);
    double *value = CST_TAKE(scratch, double, blocks *dim *dim);
    if (scratch->failed)
        return false;
    int64_t filled = 0;
    for (int i = 0; i < problem->contacts; i++)
        for (int a = 0; a < dim; a++) {
            for (int64_t k = problem->row_start[i]; k < problem->row_start[i + 1]; k++)
                for (int b = 0; b < dim; b++) {
                    column[filled] = problem->column[k] * dim + b;
                    value[filled++] = problem->block[(k * dim + a) * dim + b];
                }
            row_start[i * dim + a + 1] = filled;
        }
    *out = (cst_csr){problem->contacts * dim, problem->contacts * dim, row_start, column, value};
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ problems */

#define WITH_LAW " with the Coulomb law, normal component first"

static bool write_info(writing *out, const char *path, const char *title, const char *description)
{
    return open_group(out, path) && write_string(out, "title", title ? title : "") &&
           write_string(out, "description", description) && write_string(out, "math_info", "");
}

static bool write_guess(writing *out, int64_t count, const double *guess)
{
    return !guess || (open_group(out, "/guesses") && write_integer(out, "number_of_guesses", 1) &&
                      open_group(out, "/guesses/1") && write_doubles(out, "r", count, guess));
}

static bool check_law(const writing *out, const uint8_t *law, int contacts)
{
    for (int i = 0; law && i < contacts; i++)
        if (law[i] != CST_LAW_COULOMB)
            return cst_fault_set(out->fault, "contact %d is bilateral: only Coulomb contacts can be written", i);
    return true;
}

static bool fill_local(writing *out, const cst_friction_problem *problem, cst_fclib_storage storage, const double *guess,
                       const char *title)
{
    int64_t unknowns = (int64_t)problem->dim * problem->contacts;
    if (!check_law(out, problem->law, problem->contacts))
        return false;
    if (unknowns > INT32_MAX - 8)
        return cst_fault_set(out->fault, "%d contacts: more than the 32 bits of FCLIB can number", problem->contacts);
    cst_csr w;
    if (!scalar_rows(out->scratch, problem, &w))
        return cst_fault_memory(out->fault);
    return open_group(out, "/fclib_local") && write_integer(out, "spacedim", problem->dim) &&
           write_matrix(out, "/fclib_local/W", &w, storage) && open_group(out, "/fclib_local/vectors") &&
           write_doubles(out, "q", unknowns, problem->free_velocity) &&
           write_doubles(out, "mu", problem->contacts, problem->mu) &&
           write_info(out, "/fclib_local/info", title, "one-step friction problem: u = W r + q" WITH_LAW) &&
           write_guess(out, unknowns, guess);
}

static bool fill_global(writing *out, const cst_global_problem *problem, cst_fclib_storage storage, const double *guess,
                        const char *title)
{
    int64_t unknowns = (int64_t)problem->dim * problem->contacts;
    if (!check_law(out, problem->law, problem->contacts))
        return false;
    return open_group(out, "/fclib_global") && write_integer(out, "spacedim", problem->dim) &&
           write_matrix(out, "/fclib_global/M", &problem->mass, storage) &&
           write_matrix(out, "/fclib_global/H", &problem->jacobian, storage) && open_group(out, "/fclib_global/vectors") &&
           write_doubles(out, "f", problem->dofs, problem->force) &&
           write_doubles(out, "w", unknowns, problem->velocity_offset) &&
           write_doubles(out, "mu", problem->contacts, problem->mu) &&
           write_info(out, "/fclib_global/info", title, "one-step friction problem: M v = H r + f, u = H^T v + w" WITH_LAW) &&
           write_guess(out, unknowns, guess);
}

static bool fill_solution(writing *out, const cst_fclib_solution *solution)
{
    int64_t unknowns = (int64_t)solution->dim * solution->contacts;
    return open_group(out, "/solution") && write_doubles(out, "r", unknowns, solution->r) &&
           write_doubles(out, "u", unknowns, solution->u) &&
           (!solution->v || write_doubles(out, "v", solution->dofs, solution->v)) &&
           (!solution->l || write_doubles(out, "l", solution->equalities, solution->l));
}

/* --------------------------------------------------------------------------------------------------- memory, then disk */

static bool begin_writing(writing *out)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* the HDF5 file is only in memory, so its name is never used */
    if (access >= 0 && H5Pset_fapl_core(access, (size_t)1 << 20, false) >= 0)
        out->file = H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    cst_h5_close(access);
    out->creation = H5Pcreate(H5P_DATASET_CREATE);
    bool ok = out->file >= 0 && out->creation >= 0 && H5Pset_obj_track_times(out->creation, false) >= 0;
    return ok || cst_fault_set(out->fault, "HDF5 cannot create a file in memory");
}

static bool save(const writing *out)
{
    ssize_t bytes = H5Fflush(out->file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(out->file, NULL, 0) : -1;
    if (bytes <= 0)
        return cst_fault_set(out->fault, "HDF5 cannot give the file it has in memory");
    void *image = cst_arena_take(out->scratch, (size_t)bytes, 1);
    if (!image)
        return cst_fault_memory(out->fault);
    if (H5Fget_file_image(out->file, image, (size_t)bytes) != bytes)
        return cst_fault_set(out->fault, "HDF5 cannot give the file it has in memory");
    return cst_whole_file_write(image, (size_t)bytes, out->scratch, out->fault);
}

/* The contents of the file to be written; exactly one of the pointers `solution`, `local` and `global` is not NULL. */
typedef struct contents {
    const cst_fclib_solution *solution;
    const cst_friction_problem *local;
    const cst_global_problem *global;
    cst_fclib_storage storage;
    const double *guess;
    const char *title;
} contents;

static bool fill(writing *out, const contents *what)
{
    if (what->solution)
        return fill_solution(out, what->solution);
    if (what->local)
        return fill_local(out, what->local, what->storage, what->guess, what->title);
    assert(what->global);
    return fill_global(out, what->global, what->storage, what->guess, what->title);
}

static bool write_file(const char *path, const contents *what, const cst_allocator *allocator, char *message, size_t message_size)
{
    cst_fault fault = cst_fault_begin(path, message, message_size);
    cst_arena scratch;
    cst_arena_begin(&scratch, allocator);
    cst_h5_quiet quiet = cst_h5_silence();
    writing out = {.file = -1, .group = -1, .creation = -1, .scratch = &scratch, .fault = &fault};
    bool ok = begin_writing(&out) && fill(&out, what);
    cst_h5_close(out.group);
    cst_h5_close(out.creation);
    ok = ok && save(&out);
    if (out.file >= 0)
        H5Fclose(out.file);
    cst_h5_restore(quiet);
    cst_arena_end(&scratch);
    return ok;
}

bool cst_fclib_write_solution(const char *path, const cst_fclib_solution *solution, const cst_allocator *allocator, char *message,
                              size_t message_size)
{
    return write_file(path, &(contents){.solution = solution}, allocator, message, message_size);
}

bool cst_fclib_write_local(const char *path, const cst_friction_problem *problem, cst_fclib_storage storage, const double *guess,
                           const char *title, const cst_allocator *allocator, char *message, size_t message_size)
{
    contents what = {.local = problem, .storage = storage, .guess = guess, .title = title};
    return write_file(path, &what, allocator, message, message_size);
}

bool cst_fclib_write_global(const char *path, const cst_global_problem *problem, cst_fclib_storage storage, const double *guess,
                            const char *title, const cst_allocator *allocator, char *message, size_t message_size)
{
    contents what = {.global = problem, .storage = storage, .guess = guess, .title = title};
    return write_file(path, &what, allocator, message, message_size);
}
