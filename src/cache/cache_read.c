#include "cache/cache_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache/cache_thin.h"
#include "cache/cache_transaction.h"
#include "cache/cache_types.h"
#include "exchange/hdf5_dataset.h"

enum { PATH_BYTES = 128, TEXT_MAX = 1 << 28, NAMES_MAX = 1 << 24 };

/* A list of `count` names, stored in the file as texts of `width` bytes each, padded with zero bytes. In memory, each name is
 * followed by an additional zero byte, which ends the name. */
typedef struct name_list {
    int count;
    size_t width;
    char *text;
} name_list;

/* A growing array of rows. */
typedef struct row_buffer {
    void *rows;
    size_t bytes;
} row_buffer;

struct cst_cache {
    cst_transaction *transaction;
    hid_t file;
    char *path;
    cst_cache_info info;
    name_list body, obstacle, constraint;
    int format;
    int every_fiber;
    int64_t frame; /* the frame being read, -1: none */
    row_buffer item, shown, vertex, state, triangle, contact, value, column, left_out;
    char message[512];
};

/* --------------------------------------------------------------------------------------------------------------- rows */

/* Writes a message that the data named `what` could not be read. If a page does not match its checksum, the message gives the
 * position in the file of the first such page. */
static bool damaged(cst_cache *cache, const char *what)
{
    char where[48] = "";
    uint64_t at;
    if (cache->frame >= 0)
        snprintf(where, sizeof where, " of frame %lld", (long long)cache->frame);
    if (cst_transaction_damage(cache->transaction, &at))
        snprintf(cache->message, sizeof cache->message, "%s: %s%s is damaged: the page at byte %llu does not match its checksum",
                 cache->path, what, where, (unsigned long long)at);
    else
        snprintf(cache->message, sizeof cache->message, "%s: %s%s is missing or damaged%s", cache->path, what, where,
                 cst_transaction_summed(cache->transaction) ? ", or there is not enough memory to read it" : "");
    return false;
}

/* Opens a dataset of the cache, if its data are in the cache file itself. Datasets whose data are in another file are refused,
 * because a malicious cache could otherwise show the contents of any file of the user in a picture. If the dataset cannot be
 * opened, returns -1 and writes a message. */
static hid_t open_own(cst_cache *cache, const char *path)
{
    cst_fault fault = cst_fault_begin(cache->path, cache->message, sizeof cache->message);
    const cst_h5_file file = {.id = cache->file, .fault = &fault};
    int exists = cst_h5_exists(&file, path);
    hid_t dataset = exists > 0 ? H5Dopen2(cache->file, path, H5P_DEFAULT) : -1;
    hid_t properties = dataset >= 0 ? H5Dget_create_plist(dataset) : -1;
    if (properties < 0) {
        uint64_t at;
        if (exists >= 0 || cst_transaction_damage(cache->transaction, &at))
            damaged(cache, path);
    } else {
        H5D_layout_t layout = H5Pget_layout(properties);
        if (H5Pget_external_count(properties) != 0 ||
            (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT))
            cst_fault_record(&fault, "dataset %s: its data are in another file, which is not followed", path);
        H5Pclose(properties);
    }
    if (dataset >= 0 && (properties < 0 || fault.set)) {
        H5Dclose(dataset);
        dataset = -1;
    }
    return dataset;
}

static bool room_for(cst_cache *cache, row_buffer *buffer, size_t count, size_t size)
{
    size_t bytes = (count + 1) * size;
    if (bytes <= buffer->bytes)
        return true;
    void *rows = realloc(buffer->rows, bytes);
    if (!rows) {
        snprintf(cache->message, sizeof cache->message, "%s: not enough memory", cache->path);
        return false;
    }
    buffer->rows = rows;
    buffer->bytes = bytes;
    return true;
}

static int64_t rows_of(hid_t dataset)
{
    hid_t space = H5Dget_space(dataset);
    hsize_t extent[2] = {0, 0};
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (rank == 1 || rank == 2)
        rank = H5Sget_simple_extent_dims(space, extent, NULL);
    cst_h5_close(space);
    return rank == 1 || rank == 2 ? (int64_t)extent[0] : -1;
}

static bool kept(const cst_cache *cache, const cst_cache_column *column)
{
    return cst_cache_column_kept(column, cache->format, cache->info.detail);
}

/* Returns the number of rows of a table: 0 if the file format does not have the table, and -1 if the columns have different
 * numbers of rows or a column is missing. */
static int64_t table_rows(cst_cache *cache, cst_cache_table table)
{
    const cst_cache_table_format *format = cst_cache_table_describe(table);
    int64_t rows = -1;
    if (!kept(cache, &format->column[0]))
        return 0;
    for (int c = 0; c < format->columns; c++) {
        if (!kept(cache, &format->column[c]))
            continue;
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", format->group, format->column[c].name);
        hid_t dataset = open_own(cache, path);
        if (dataset < 0)
            return -1;
        int64_t own = rows_of(dataset);
        H5Dclose(dataset);
        if (own < 0 || (c > 0 && own != rows)) {
            damaged(cache, path);
            return -1;
        }
        rows = own;
    }
    return rows;
}

/* Reads `count` rows of a column from row `first` on, converted to the HDF5 memory type `type`. */
static bool read_column(cst_cache *cache, const cst_cache_table_format *format, const cst_cache_column *column, hid_t type,
                        int64_t first, int64_t count, void *out)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", format->group, column->name);
    hid_t dataset = H5Dopen2(cache->file, path, H5P_DEFAULT);
    int64_t rows = dataset >= 0 ? rows_of(dataset) : -1;
    hsize_t start[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)column->width};
    int rank = column->width > 1 ? 2 : 1;
    bool ok = first >= 0 && count >= 0 && first <= rows && count <= rows - first;
    if (ok && count > 0) {
        hid_t in_file = H5Dget_space(dataset), in_memory = H5Screate_simple(rank, size, NULL);
        ok = in_file >= 0 && H5Sget_simple_extent_ndims(in_file) == rank &&
             H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
             H5Dread(dataset, type, in_memory, in_file, H5P_DEFAULT, out) >= 0;
        cst_h5_close(in_file);
        H5Sclose(in_memory);
    }
    cst_h5_close(dataset);
    return ok || damaged(cache, path);
}

/* A bool is set by comparison with 0, because a byte other than 0 and 1 is not a valid bool. */
static void put_field(const cst_cache_column *column, void *row, const uint8_t *value)
{
    uint8_t *to = (uint8_t *)row + column->offset;
    if (column->type == CST_FIELD_BOOL)
        *(bool *)to = *value != 0;
    else
        memcpy(to, value, cst_field_bytes(column->type) * (size_t)column->width);
}

/* Reads columns of a table from the file into rows in memory; fields that the file does not have become zero. */
static bool read_rows(cst_cache *cache, cst_cache_table table, int64_t first, int64_t count, row_buffer *into)
{
    const cst_cache_table_format *format = cst_cache_table_describe(table);
    if (count < 0 || count > INT32_MAX)
        return damaged(cache, format->group);
    if (!room_for(cache, into, (size_t)count, format->row_size))
        return false;
    memset(into->rows, 0, (size_t)count * format->row_size);
    for (int c = 0; c < format->columns; c++) {
        const cst_cache_column *column = &format->column[c];
        size_t bytes = cst_field_bytes(column->type) * (size_t)column->width;
        if (!kept(cache, column))
            continue;
        if (!room_for(cache, &cache->column, (size_t)count, bytes) ||
            !read_column(cache, format, column, cst_field_in_memory(column->type), first, count, cache->column.rows))
            return false;
        for (int64_t k = 0; k < count; k++)
            put_field(column, (uint8_t *)into->rows + (size_t)k * format->row_size,
                      (const uint8_t *)cache->column.rows + (size_t)k * bytes);
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------------------- texts */

static bool read_number(cst_cache *cache, const char *name, hid_t type, void *out)
{
    hid_t attribute = H5Aopen_by_name(cache->file, "/", name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, out) >= 0;
    cst_h5_close(space);
    cst_h5_close(attribute);
    return ok || damaged(cache, name);
}

static bool sane_text(hid_t type, size_t *width)
{
    *width = type >= 0 ? H5Tget_size(type) : 0;
    return *width > 0 && *width < TEXT_MAX && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
}

static char *read_text_attribute(cst_cache *cache, const char *name)
{
    hid_t attribute = H5Aopen_by_name(cache->file, "/", name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1, space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    size_t width;
    char *text = sane_text(type, &width) && H5Sget_simple_extent_npoints(space) == 1 ? calloc(width + 1, 1) : NULL;
    if (text && H5Aread(attribute, type, text) < 0) {
        free(text);
        text = NULL;
    }
    cst_h5_close(space);
    cst_h5_close(type);
    cst_h5_close(attribute);
    if (!text)
        damaged(cache, name);
    return text;
}

/* Reads one text, or a list of texts of equal length. */
static bool read_names(cst_cache *cache, const char *path, name_list *out)
{
    hid_t dataset = open_own(cache, path);
    if (dataset < 0)
        return false;
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool ok = sane_text(type, &out->width) && count >= 0 && count < NAMES_MAX && out->width * (size_t)count < TEXT_MAX;
    out->text = ok ? calloc((size_t)count * out->width + 1, 1) : NULL;
    ok = out->text && (count == 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out->text) >= 0);
    out->count = ok ? (int)count : 0;
    /* copies the names, so that each name ends with its own zero byte */
    char *apart = ok ? calloc((size_t)count + 1, out->width + 1) : NULL;
    for (int i = 0; apart && i < out->count; i++)
        memcpy(apart + (size_t)i * (out->width + 1), out->text + (size_t)i * out->width, out->width);
    free(out->text);
    out->text = apart;
    cst_h5_close(space);
    cst_h5_close(type);
    H5Dclose(dataset);
    return apart || damaged(cache, path);
}

static char *read_text(cst_cache *cache, const char *path)
{
    name_list list = {0};
    bool read = read_names(cache, path, &list);
    if (read && list.count == 1)
        return list.text;
    free(list.text);
    if (read)
        damaged(cache, path);
    return NULL;
}

static const char *name_in(const name_list *list, uint32_t id)
{
    return id >= 1 && id <= (uint32_t)list->count ? list->text + (size_t)(id - 1) * (list->width + 1) : "";
}

const char *cst_cache_body_name(const cst_cache *cache, uint32_t body)
{
    return name_in(&cache->body, body);
}

const char *cst_cache_obstacle_name(const cst_cache *cache, uint32_t obstacle)
{
    return name_in(&cache->obstacle, obstacle);
}

const char *cst_cache_constraint_name(const cst_cache *cache, uint32_t constraint)
{
    return name_in(&cache->constraint, constraint);
}

/* ------------------------------------------------------------------------------------------------------------- opening */

static bool read_head(cst_cache *cache)
{
    cst_cache_info *info = &cache->info;
    char *format = read_text_attribute(cache, "format");
    uint64_t at;
    if (!format && cst_transaction_damage(cache->transaction, &at))
        return false; /* the message is already set */
    bool ours = format && strcmp(format, "capstan cache") == 0;
    free(format);
    if (!ours) {
        snprintf(cache->message, sizeof cache->message, "%s: is not a cache of a run, or its beginning is damaged", cache->path);
        return false;
    }
    if (!read_number(cache, "format_version", H5T_NATIVE_INT, &cache->format))
        return false;
    if (cache->format < 1 || cache->format > CST_CACHE_FORMAT_VERSION) {
        snprintf(cache->message, sizeof cache->message, "%s: has format %d; this version reads formats 1 to %d", cache->path,
                 cache->format, CST_CACHE_FORMAT_VERSION);
        return false;
    }
    if (cache->format >= CST_CACHE_FORMAT_SUMMED && !cst_transaction_summed(cache->transaction))
        return cst_transaction_verify(cache->transaction, cache->message, sizeof cache->message);
    info->detail = cst_cache_detail_read(cache->file);
    bool ok = read_number(cache, "dim", H5T_NATIVE_INT, &info->dim) && read_number(cache, "dt", H5T_NATIVE_DOUBLE, &info->dt) &&
              read_number(cache, "frame_interval", H5T_NATIVE_DOUBLE, &info->frame_interval) &&
              read_number(cache, "tolerance", H5T_NATIVE_DOUBLE, &info->tolerance) &&
              (info->title = read_text_attribute(cache, "title")) && (info->version = read_text_attribute(cache, "version")) &&
              (info->scene = read_text(cache, "/scene/effective")) && (info->source = read_text(cache, "/scene/source")) &&
              (cache->format < CST_CACHE_FORMAT_SUMMED || (info->files = read_text(cache, "/scene/files"))) &&
              read_names(cache, "/names/bodies", &cache->body) && read_names(cache, "/names/obstacles", &cache->obstacle) &&
              read_names(cache, "/names/constraints", &cache->constraint);
    if (!ok)
        return false;
    info->bodies = cache->body.count;
    info->obstacles = cache->obstacle.count;
    info->constraints = cache->constraint.count;
    int64_t rows[CST_TABLES];
    for (int t = 0; t < CST_TABLES; t++) {
        rows[t] = table_rows(cache, (cst_cache_table)t);
        if (rows[t] < 0)
            return false;
    }
    info->frames = rows[CST_TABLE_FRAMES];
    info->contacts = rows[CST_TABLE_CONTACTS];
    info->steps = rows[CST_TABLE_STEPS];
    return rows[CST_TABLE_TIMINGS] == info->steps || damaged(cache, "/timings");
}

static bool open_file(cst_cache *cache)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool ok = access >= 0 && cst_transaction_access(cache->transaction, access);
    cache->file = ok ? H5Fopen(cache->path, H5F_ACC_RDONLY, access) : -1;
    cst_h5_close(access);
    uint64_t at;
    if (cache->file < 0 && cst_transaction_damage(cache->transaction, &at))
        return damaged(cache, "what HDF5 keeps at its start");
    if (cache->file < 0) {
        snprintf(cache->message, sizeof cache->message, "%s: is no HDF5 file, or damaged", cache->path);
        return false;
    }
    return read_head(cache);
}

/* Returns the path of the cache file, which is PATH/cache.h5 if PATH is a directory, and otherwise PATH itself. */
static char *cache_path(const char *path)
{
    struct stat about;
    bool directory = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    size_t size = strlen(path) + sizeof "/cache.h5";
    char *own = malloc(size);
    if (own)
        snprintf(own, size, "%s%s", path, directory ? "/cache.h5" : "");
    return own;
}

cst_cache *cst_cache_open(const char *path, char *message, size_t message_size)
{
    cst_cache *cache = calloc(1, sizeof *cache);
    if (cache) {
        cache->file = -1;
        cache->frame = -1;
        cache->every_fiber = 1;
        cache->path = cache_path(path);
    }
    if (!cache || !cache->path) {
        snprintf(message, message_size, "%s: not enough memory", path);
        cst_cache_close(cache);
        return NULL;
    }
    cache->transaction = cst_transaction_open(cache->path, CST_TRANSACTION_READ, cache->message, sizeof cache->message);
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = cache->transaction && open_file(cache);
    cst_h5_restore(quiet);
    if (!ok) {
        snprintf(message, message_size, "%s", cache->message);
        cst_cache_close(cache);
        return NULL;
    }
    return cache;
}

void cst_cache_close(cst_cache *cache)
{
    if (!cache)
        return;
    cst_h5_quiet quiet = cst_h5_silence();
    if (cache->file >= 0)
        H5Fclose(cache->file);
    cst_h5_restore(quiet);
    cst_transaction_close(cache->transaction);
    free((char *)cache->info.title);
    free((char *)cache->info.version);
    free((char *)cache->info.scene);
    free((char *)cache->info.source);
    free((char *)cache->info.files);
    free(cache->body.text);
    free(cache->obstacle.text);
    free(cache->constraint.text);
    row_buffer *buffers[] = {&cache->item,    &cache->shown, &cache->vertex, &cache->state,   &cache->triangle,
                             &cache->contact, &cache->value, &cache->column, &cache->left_out};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++)
        free(buffers[k]->rows);
    free(cache->path);
    free(cache);
}

const cst_cache_info *cst_cache_about(const cst_cache *cache)
{
    return &cache->info;
}

const char *cst_cache_message(const cst_cache *cache)
{
    return cache->message;
}

/* -------------------------------------------------------------------------------------------------------------- looking */

static bool read_reals(cst_cache *cache, cst_cache_table table, const cst_cache_column *column, int64_t rows, double *out)
{
    cst_h5_quiet quiet = cst_h5_silence();
    bool ok = read_column(cache, cst_cache_table_describe(table), column, H5T_NATIVE_DOUBLE, 0, rows, out);
    cst_h5_restore(quiet);
    return ok;
}

const char *cst_cache_step_column_name(int index, const char **unit)
{
    static const cst_cache_table tables[] = {CST_TABLE_STEPS, CST_TABLE_TIMINGS};
    for (int t = 0; t < 2 && index >= 0; t++) {
        const cst_cache_table_format *format = cst_cache_table_describe(tables[t]);
        if (index < format->columns) {
            if (unit)
                *unit = format->column[index].unit;
            return format->column[index].name;
        }
        index -= format->columns;
    }
    return NULL;
}

bool cst_cache_step_column(cst_cache *cache, const char *name, double *out)
{
    static const cst_cache_table tables[] = {CST_TABLE_STEPS, CST_TABLE_TIMINGS};
    for (int t = 0; t < 2; t++) {
        const cst_cache_table_format *format = cst_cache_table_describe(tables[t]);
        for (int c = 0; c < format->columns; c++)
            if (strcmp(format->column[c].name, name) == 0)
                return read_reals(cache, tables[t], &format->column[c], cache->info.steps, out);
    }
    snprintf(cache->message, sizeof cache->message, "%s: steps have no column \"%s\"", cache->path, name);
    return false;
}

bool cst_cache_frame_times(cst_cache *cache, double *out)
{
    const cst_cache_table_format *format = cst_cache_table_describe(CST_TABLE_FRAMES);
    return read_reals(cache, CST_TABLE_FRAMES, &format->column[0], cache->info.frames, out);
}

/* Reads the rows of a table for all items of a frame (its bodies and obstacles). Each item has one range of rows; the rows are
 * copied to the array `into`, item after item. `offset`: offset in bytes of the field of cst_item_row that contains the range of
 * rows in the table. If the rows of several items are adjacent in the file, as those of a frame's bodies are, one call reads them
 * all; the rows of fixed obstacles are not adjacent to them. */
static bool read_ranges(cst_cache *cache, cst_cache_table table, const cst_item_row *item, int64_t items, size_t offset,
                        row_buffer *into)
{
    size_t size = cst_cache_table_describe(table)->row_size, filled = 0;
    for (int64_t k = 0; k < items;) {
        cst_row_range together = {0, 0};
        int64_t next = k;
        for (; next < items; next++) {
            cst_row_range own;
            memcpy(&own, (const uint8_t *)&item[next] + offset, sizeof own);
            if (own.count < 0 || own.count > INT32_MAX)
                return damaged(cache, "/items");
            if (own.count == 0)
                continue;
            if (together.count > 0 && own.first != together.first + together.count)
                break;
            together = together.count > 0 ? (cst_row_range){together.first, together.count + own.count} : own;
        }
        if (together.count == 0)
            break; /* the rest is empty */
        if (!read_rows(cache, table, together.first, together.count, &cache->value) ||
            !room_for(cache, into, filled + (size_t)together.count, size))
            return false;
        memcpy((uint8_t *)into->rows + filled * size, cache->value.rows, (size_t)together.count * size);
        filled += (size_t)together.count;
        k = next;
    }
    return true;
}

/* Returns true if the corners of all triangles of a body or obstacle are valid vertex numbers. */
static bool whole_triangles(const cst_cache_item *item)
{
    for (int t = 0; t < item->triangles; t++)
        for (int k = 0; k < 3; k++)
            if (item->triangle[t].corner[k] < 0 || item->triangle[t].corner[k] >= item->vertices)
                return false;
    return true;
}

static bool read_frame(cst_cache *cache, int64_t index, cst_cache_frame *out)
{
    if (index < 0 || index >= cache->info.frames) {
        snprintf(cache->message, sizeof cache->message, "%s: has %lld frames, none is number %lld", cache->path,
                 (long long)cache->info.frames, (long long)index);
        return false;
    }
    if (!read_rows(cache, CST_TABLE_FRAMES, index, 1, &cache->value))
        return false;
    cst_frame_row frame = *(const cst_frame_row *)cache->value.rows;
    if (!read_rows(cache, CST_TABLE_ITEMS, frame.items.first, frame.items.count, &cache->item) ||
        !read_rows(cache, CST_TABLE_CONTACTS, frame.contacts.first, frame.contacts.count, &cache->contact))
        return false;
    const cst_item_row *row = cache->item.rows;
    if (!read_ranges(cache, CST_TABLE_VERTICES, row, frame.items.count, offsetof(cst_item_row, vertices), &cache->vertex) ||
        !read_ranges(cache, CST_TABLE_STATES, row, frame.items.count, offsetof(cst_item_row, states), &cache->state) ||
        !read_ranges(cache, CST_TABLE_TRIANGLES, row, frame.items.count, offsetof(cst_item_row, triangles), &cache->triangle) ||
        !room_for(cache, &cache->shown, (size_t)frame.items.count, sizeof(cst_cache_item)))
        return false;
    cst_cache_item *item = cache->shown.rows;
    size_t vertex = 0, state = 0, triangle = 0;
    for (int64_t k = 0; k < frame.items.count; k++) {
        item[k] = (cst_cache_item){.owner = row[k].owner,
                                   .id = row[k].id,
                                   .as = row[k].as,
                                   .closed = row[k].closed,
                                   .vertices = (int)row[k].vertices.count,
                                   .vertex = (const cst_vertex_row *)cache->vertex.rows + vertex,
                                   .states = (int)row[k].states.count,
                                   .state = (const double *)cache->state.rows + state,
                                   .triangles = (int)row[k].triangles.count,
                                   .triangle = (const cst_triangle_row *)cache->triangle.rows + triangle};
        if (!whole_triangles(&item[k]))
            return damaged(cache, "/triangles");
        vertex += (size_t)row[k].vertices.count;
        state += (size_t)row[k].states.count;
        triangle += (size_t)row[k].triangles.count;
    }
    *out = (cst_cache_frame){.time = frame.time,
                             .step = frame.step,
                             .items = (int)frame.items.count,
                             .item = item,
                             .contacts = (int)frame.contacts.count,
                             .contact = cache->contact.rows};
    if (cache->every_fiber == 1)
        return true;
    if (!room_for(cache, &cache->left_out, (size_t)cache->info.bodies, sizeof(bool)))
        return false;
    cst_cache_thin(out, item, cache->contact.rows, cache->every_fiber, cache->info.bodies, cache->left_out.rows);
    return true;
}

void cst_cache_every_fiber(cst_cache *cache, int every)
{
    cache->every_fiber = every > 1 ? every : 1;
}

bool cst_cache_frame_read(cst_cache *cache, int64_t index, cst_cache_frame *out)
{
    cst_h5_quiet quiet = cst_h5_silence();
    cache->frame = index;
    bool ok = read_frame(cache, index, out);
    cache->frame = -1;
    cst_h5_restore(quiet);
    return ok;
}
