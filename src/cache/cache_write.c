#include "cache/cache_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache_transaction.h"
#include "cache/cache_types.h"
#include "exchange/hdf5_dataset.h"

enum {
    COLUMNS_MAX = 48,
    /* The rows of a table are collected until they fill BUFFER_BYTES bytes, and then passed to HDF5, because one call of HDF5
     * takes longer than a time step of a small scene. */
    BUFFER_BYTES = 1 << 16,
    DEFLATE_LEVEL = 3,
    /* HDF5 lists the chunks of a dataset in a B-tree, whose nodes have at most 2*CHUNK_TREE_HALF entries. With
     * CHUNK_TREE_HALF = 32, the default of HDF5, every dataset would need at least one node of 2 kB. */
    CHUNK_TREE_HALF = 16
};

typedef struct table_writer {
    hid_t dataset[COLUMNS_MAX];
    int64_t written; /* rows given to HDF5 */
    int64_t waiting; /* rows in the buffer */
    int64_t room;
    uint8_t *buffer;
} table_writer;

struct cst_cache_writer {
    cst_transaction *transaction;
    hid_t file;
    table_writer table[CST_TABLES];
    uint8_t *column; /* one column of a buffer */
    char *path;
    cst_cache_detail detail;
    bool failed; /* true after HDF5 failed (out of memory, or a damaged page); every later commit then fails */
};

/* ------------------------------------------------------------------------------------------------------------ creating */

static hid_t text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes > 0 ? bytes : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static bool put_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    ok = attribute >= 0 && H5Aclose(attribute) >= 0 && ok;
    H5Sclose(space);
    return ok;
}

static bool put_text_attribute(hid_t object, const char *name, const char *text)
{
    hid_t type = text_type(strlen(text));
    bool ok = put_attribute(object, name, type, text);
    H5Tclose(type);
    return ok;
}

static bool put_text(hid_t file, const char *path, const char *text)
{
    hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(properties, false);
    hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    bool ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    ok = dataset >= 0 && H5Dclose(dataset) >= 0 && ok; /* HDF5 writes small data here */
    H5Pclose(properties);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

/* Writes `count` names to one dataset, each padded to the length of the longest name. */
static bool put_names(hid_t file, const char *path, const char *const *name, int count)
{
    size_t longest = 1;
    for (int i = 0; i < count; i++)
        longest = strlen(name[i]) > longest ? strlen(name[i]) : longest;
    char *all = calloc((size_t)count + 1, longest);
    if (!all)
        return false;
    for (int i = 0; i < count; i++)
        memcpy(all + (size_t)i * longest, name[i], strlen(name[i]));
    hsize_t extent = (hsize_t)count;
    hid_t type = text_type(longest), space = H5Screate_simple(1, &extent, NULL);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(properties, false);
    hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    bool ok = dataset >= 0 && (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    ok = dataset >= 0 && H5Dclose(dataset) >= 0 && ok; /* HDF5 writes small data here */
    H5Pclose(properties);
    H5Sclose(space);
    H5Tclose(type);
    free(all);
    return ok;
}

static void column_path(char *path, size_t size, const cst_cache_table_format *format, int column)
{
    snprintf(path, size, "%s/%s", format->group, format->column[column].name);
}

/* HDF5 needs to keep only few chunks of a dataset in memory, because new rows are only appended to its last chunk. */
static hid_t dataset_access(const cst_cache_table_format *format, const cst_cache_column *column)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    size_t chunk = (size_t)format->chunk * (size_t)column->width * cst_field_bytes(column->type);
    H5Pset_chunk_cache(access, 101, 2 * chunk, 1.0);
    return access;
}

static hid_t create_column(hid_t file, const cst_cache_table_format *format, int index, cst_cache_detail detail)
{
    const cst_cache_column *column = &format->column[index];
    char path[128];
    column_path(path, sizeof path, format, index);
    int rank = column->width > 1 ? 2 : 1;
    hsize_t extent[2] = {0, (hsize_t)column->width}, most[2] = {H5S_UNLIMITED, (hsize_t)column->width};
    hsize_t chunk[2] = {(hsize_t)format->chunk, (hsize_t)column->width};
    hid_t space = H5Screate_simple(rank, extent, most), properties = H5Pcreate(H5P_DATASET_CREATE);
    hid_t access = dataset_access(format, column);
    H5Pset_obj_track_times(properties, false);
    H5Pset_chunk(properties, rank, chunk);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, DEFLATE_LEVEL);
    hid_t dataset = H5Dcreate2(file, path, cst_field_in_file(column, detail), space, H5P_DEFAULT, properties, access);
    H5Pclose(access);
    H5Pclose(properties);
    H5Sclose(space);
    if (dataset >= 0 && column->unit[0] && !put_text_attribute(dataset, "unit", column->unit)) {
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

static bool create_group(hid_t file, const char *name)
{
    hid_t properties = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(properties, false);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Pclose(properties);
    return group >= 0 && H5Gclose(group) >= 0;
}

static bool has_column(const cst_cache_writer *writer, const cst_cache_column *column)
{
    return cst_cache_column_kept(column, CST_CACHE_FORMAT_VERSION, writer->detail);
}

static bool create_tables(cst_cache_writer *writer)
{
    for (int t = 0; t < CST_TABLES; t++) {
        const cst_cache_table_format *format = cst_cache_table_describe((cst_cache_table)t);
        if (!create_group(writer->file, format->group))
            return false;
        for (int c = 0; c < format->columns; c++) {
            if (!has_column(writer, &format->column[c]))
                continue;
            writer->table[t].dataset[c] = create_column(writer->file, format, c, writer->detail);
            if (writer->table[t].dataset[c] < 0)
                return false;
        }
    }
    return true;
}

static bool create_head(hid_t file, const cst_cache_head *head)
{
    const int format_version = CST_CACHE_FORMAT_VERSION;
    hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
    bool ok = root >= 0 && put_text_attribute(root, "format", "capstan cache") &&
              put_attribute(root, "format_version", H5T_NATIVE_INT, &format_version) &&
              put_text_attribute(root, "detail", head->detail == CST_DETAIL_LIGHT ? "light" : "full") &&
              put_text_attribute(root, "version", CAPSTAN_VERSION) && put_text_attribute(root, "title", head->title) &&
              put_attribute(root, "dim", H5T_NATIVE_INT, &head->dim) && put_attribute(root, "dt", H5T_NATIVE_DOUBLE, &head->dt) &&
              put_attribute(root, "frame_interval", H5T_NATIVE_DOUBLE, &head->frame_interval) &&
              put_attribute(root, "tolerance", H5T_NATIVE_DOUBLE, &head->tolerance);
    ok = root >= 0 && H5Gclose(root) >= 0 && ok;
    return ok && create_group(file, "/scene") && put_text(file, "/scene/effective", head->scene) &&
           put_text(file, "/scene/source", head->source) && put_text(file, "/scene/files", head->files ? head->files : "") &&
           create_group(file, "/names") && put_names(file, "/names/bodies", head->body_name, head->bodies) &&
           put_names(file, "/names/obstacles", head->obstacle_name, head->obstacles) &&
           put_names(file, "/names/constraints", head->constraint_name, head->constraints);
}

/* ------------------------------------------------------------------------------------------------------------- opening */

static cst_cache_writer *or_nothing(cst_cache_writer *writer, bool ok)
{
    if (ok)
        return writer;
    cst_cache_writer_free(writer);
    return NULL;
}

static cst_cache_writer *writer_new(const char *path, cst_transaction_mode mode, char *message, size_t message_size)
{
    cst_cache_writer *writer = calloc(1, sizeof *writer);
    bool ok = writer != NULL;
    if (writer) {
        writer->file = -1;
        for (int t = 0; t < CST_TABLES; t++) {
            const cst_cache_table_format *format = cst_cache_table_describe((cst_cache_table)t);
            table_writer *table = &writer->table[t];
            for (int c = 0; c < COLUMNS_MAX; c++)
                table->dataset[c] = -1;
            table->room = BUFFER_BYTES / (int64_t)format->row_size;
            table->buffer = malloc(BUFFER_BYTES);
            ok = ok && table->buffer;
        }
        writer->column = malloc(BUFFER_BYTES);
        writer->path = strdup(path);
        ok = ok && writer->column && writer->path;
    }
    if (!ok)
        snprintf(message, message_size, "%s: not enough memory", path);
    else
        writer->transaction = cst_transaction_open(path, mode, message, message_size);
    return or_nothing(writer, ok && writer->transaction);
}

static hid_t file_access(cst_cache_writer *writer)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* The file has the format of HDF5 1.8, which is compact. Later HDF5 formats mark a file that is being written, which would
     * prevent other programs from reading it during the run. */
    bool ok = access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
              cst_transaction_access(writer->transaction, access);
    if (!ok && access >= 0) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

static bool create_all(cst_cache_writer *writer, const cst_cache_head *head)
{
    hid_t properties = H5Pcreate(H5P_FILE_CREATE), access = file_access(writer);
    H5Pset_istore_k(properties, CHUNK_TREE_HALF);
    H5Pset_obj_track_times(properties, false);
    writer->file = access >= 0 ? H5Fcreate(writer->path, H5F_ACC_TRUNC, properties, access) : -1;
    cst_h5_close(access);
    H5Pclose(properties);
    return writer->file >= 0 && create_head(writer->file, head) && create_tables(writer);
}

cst_cache_writer *cst_cache_create(const char *path, const cst_cache_head *head, char *message, size_t message_size)
{
    cst_cache_writer *writer = writer_new(path, CST_TRANSACTION_CREATE, message, message_size);
    if (!writer)
        return NULL;
    writer->detail = head->detail;
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = create_all(writer, head) && !cst_h5_starved();
    cst_h5_restore(quiet);
    writer->failed = !ok;
    return or_nothing(writer, cst_cache_commit(writer, message, message_size));
}

/* Opens a column of a table in the file and, for writing (H5F_ACC_RDWR), truncates it to the number of rows `rows`. Returns false
 * if the column is missing, damaged or has fewer than `rows` rows. */
static bool open_column(cst_cache_writer *writer, unsigned access_mode, int t, int c, int64_t rows)
{
    const cst_cache_table_format *format = cst_cache_table_describe((cst_cache_table)t);
    char path[128];
    column_path(path, sizeof path, format, c);
    hid_t access = dataset_access(format, &format->column[c]);
    hid_t dataset = H5Dopen2(writer->file, path, access);
    H5Pclose(access);
    writer->table[t].dataset[c] = dataset;
    hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    hsize_t extent[2] = {0, 0};
    int rank = format->column[c].width > 1 ? 2 : 1;
    bool ok = space >= 0 && H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, extent, NULL) == rank;
    cst_h5_close(space);
    if (!ok || (int64_t)extent[0] < rows)
        return false;
    extent[0] = (hsize_t)rows;
    return access_mode == H5F_ACC_RDONLY || H5Dset_extent(dataset, extent) >= 0;
}

static bool open_all(cst_cache_writer *writer, unsigned access_mode, const int64_t *rows, char *message, size_t message_size)
{
    hid_t access = file_access(writer);
    writer->file = access >= 0 ? H5Fopen(writer->path, access_mode, access) : -1;
    cst_h5_close(access);
    if (writer->file < 0) {
        /* the file is not damaged, because all its pages match their checksums */
        snprintf(message, message_size, "%s: HDF5 cannot open it: not enough memory, or it is no cache", writer->path);
        return false;
    }
    writer->detail = cst_cache_detail_read(writer->file);
    for (int t = 0; t < CST_TABLES; t++) {
        const cst_cache_table_format *format = cst_cache_table_describe((cst_cache_table)t);
        for (int c = 0; c < format->columns; c++) {
            if (!has_column(writer, &format->column[c]))
                continue;
            if (!open_column(writer, access_mode, t, c, rows[t])) {
                snprintf(message, message_size, "%s: %s/%s is missing, or has fewer rows than the checkpoint counts (%lld)",
                         writer->path, format->group, format->column[c].name, (long long)rows[t]);
                return false;
            }
        }
        writer->table[t].written = rows[t];
    }
    return true;
}

cst_cache_writer *cst_cache_continue(const char *path, const int64_t *rows, char *message, size_t message_size)
{
    cst_cache_writer *writer = writer_new(path, CST_TRANSACTION_CONTINUE, message, message_size);
    if (!writer)
        return NULL;
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = open_all(writer, H5F_ACC_RDWR, rows, message, message_size);
    if (ok && cst_h5_starved()) {
        snprintf(message, message_size, "%s: not enough memory", path);
        ok = false;
    }
    cst_h5_restore(quiet);
    return or_nothing(writer, ok);
}

void cst_cache_writer_free(cst_cache_writer *writer)
{
    if (!writer)
        return;
    cst_h5_quiet quiet = cst_h5_silence();
    for (int t = 0; t < CST_TABLES; t++) {
        for (int c = 0; c < COLUMNS_MAX; c++)
            cst_h5_close(writer->table[t].dataset[c]);
        free(writer->table[t].buffer);
    }
    if (writer->file >= 0)
        H5Fclose(writer->file);
    cst_h5_restore(quiet);
    cst_transaction_close(writer->transaction);
    free(writer->column);
    free(writer->path);
    free(writer);
}

/* ----------------------------------------------------------------------------------------------------------- appending */

static bool append_column(hid_t dataset, const cst_cache_column *column, int64_t first, int64_t count, const void *values)
{
    hsize_t width = (hsize_t)column->width;
    hsize_t extent[2] = {(hsize_t)(first + count), width}, start[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, width};
    int rank = width > 1 ? 2 : 1;
    if (H5Dset_extent(dataset, extent) < 0)
        return false;
    hid_t in_file = H5Dget_space(dataset), in_memory = H5Screate_simple(rank, size, NULL);
    bool ok = in_file >= 0 && in_memory >= 0 && H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
              H5Dwrite(dataset, cst_field_in_memory(column->type), in_memory, in_file, H5P_DEFAULT, values) >= 0;
    cst_h5_close(in_memory);
    cst_h5_close(in_file);
    return ok;
}

static bool flush_table(cst_cache_writer *writer, cst_cache_table t)
{
    const cst_cache_table_format *format = cst_cache_table_describe(t);
    table_writer *table = &writer->table[t];
    if (table->waiting == 0 || writer->failed)
        return !writer->failed;
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = true;
    for (int c = 0; c < format->columns && ok; c++) {
        const cst_cache_column *column = &format->column[c];
        size_t bytes = cst_field_bytes(column->type) * (size_t)column->width;
        if (!has_column(writer, column))
            continue;
        for (int64_t k = 0; k < table->waiting; k++)
            memcpy(writer->column + (size_t)k * bytes, table->buffer + (size_t)k * format->row_size + column->offset, bytes);
        ok = append_column(table->dataset[c], column, table->written, table->waiting, writer->column);
    }
    cst_h5_restore(quiet);
    ok = ok && !cst_h5_starved();
    if (ok) {
        table->written += table->waiting;
        table->waiting = 0;
    }
    writer->failed = !ok;
    return ok;
}

bool cst_cache_append(cst_cache_writer *writer, cst_cache_table table, const void *rows, int64_t count)
{
    table_writer *to = &writer->table[table];
    size_t size = cst_cache_table_describe(table)->row_size;
    const uint8_t *from = rows;
    while (count > 0) {
        if (to->waiting == to->room && !flush_table(writer, table))
            return false;
        int64_t piece = to->room - to->waiting < count ? to->room - to->waiting : count;
        memcpy(to->buffer + (size_t)to->waiting * size, from, (size_t)piece * size);
        to->waiting += piece;
        from += (size_t)piece * size;
        count -= piece;
    }
    return true;
}

int64_t cst_cache_rows(const cst_cache_writer *writer, cst_cache_table table)
{
    return writer->table[table].written + writer->table[table].waiting;
}

cst_cache_detail cst_cache_detail_of(const cst_cache_writer *writer)
{
    return writer->detail;
}

size_t cst_cache_uncommitted(const cst_cache_writer *writer)
{
    return cst_transaction_bytes(writer->transaction);
}

bool cst_cache_commit(cst_cache_writer *writer, char *message, size_t message_size)
{
    bool ok = !writer->failed;
    for (int t = 0; t < CST_TABLES && ok; t++)
        ok = flush_table(writer, (cst_cache_table)t);
    cst_h5_quiet quiet = cst_h5_silence();
    ok = ok && H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0 && !cst_h5_starved();
    cst_h5_restore(quiet);
    if (ok)
        return cst_transaction_commit(writer->transaction, message, message_size);
    writer->failed = true;
    uint64_t at;
    /* cst_transaction_commit fails if a page of the file is damaged; its message says which page */
    if (cst_transaction_damage(writer->transaction, &at))
        return cst_transaction_commit(writer->transaction, message, message_size);
    snprintf(message, message_size, "%s: not enough memory", writer->path);
    return false;
}

bool cst_cache_verify(const char *path, const int64_t *rows, char *message, size_t message_size)
{
    cst_cache_writer *writer = writer_new(path, CST_TRANSACTION_READ, message, message_size);
    if (!writer)
        return false;
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = cst_transaction_verify(writer->transaction, message, message_size) &&
              open_all(writer, H5F_ACC_RDONLY, rows, message, message_size);
    cst_h5_restore(quiet);
    cst_cache_writer_free(writer);
    return ok;
}
