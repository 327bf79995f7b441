/* The contents of a cache (cache.h5, docs/cache.md): tables to which rows are only appended, with one HDF5 dataset per column.
 *
 * Each table is described by a list of its columns: the field of a C struct, its type, its name and its unit. The functions that
 * write and read a cache use the lists of columns, and docs/cache.md documents the same columns.
 *
 * Frames may differ in topology. A saved frame refers to a range of rows in the table of items, which are bodies and obstacles.
 * An item (a body or an obstacle) refers to a range of rows in the table of vertices, and to a range of rows in the table of
 * state values. An item that is drawn as a mesh also refers to a range of rows in the table of triangles. An obstacle that has
 * not moved since the start refers to the vertices of the first frame. A mesh whose triangles do not change refers to the same
 * triangles in every frame. The file format allows triangles that change, but in this version no body changes its triangles
 * (cst_world_body_triangles). */
#ifndef CST_CACHE_CACHE_FORMAT_H
#define CST_CACHE_CACHE_FORMAT_H

#include "capstan/cache.h"

/* CST_CACHE_FORMAT_SUMMED is the version of the first file format with checksums of pages and with the dataset /scene/files. A
 * file of version CST_CACHE_FORMAT_SUMMED or later is treated as damaged if it has no checksums. */
enum { CST_CACHE_FORMAT_VERSION = 6, CST_CACHE_FORMAT_SUMMED = 4, CST_CACHE_FORMAT_DETAIL = 6 };

typedef enum cst_cache_table {
    CST_TABLE_FRAMES = 0, /* cst_frame_row */
    CST_TABLE_ITEMS,      /* cst_item_row */
    CST_TABLE_VERTICES,   /* cst_vertex_row */
    CST_TABLE_STATES,     /* cst_state_row */
    CST_TABLE_CONTACTS,   /* cst_contact_view */
    CST_TABLE_STEPS,      /* cst_step_report */
    CST_TABLE_TIMINGS,    /* the fields of cst_step_report that are wall clock times, which differ between runs */
    CST_TABLE_TRIANGLES,  /* cst_triangle_row */
    CST_TABLES
} cst_cache_table;

/* A range of rows of a table. */
typedef struct cst_row_range {
    int64_t first, count;
} cst_row_range;

typedef struct cst_frame_row {
    double time;   /* s */
    int64_t step;  /* accepted steps so far */
    int64_t whole; /* full steps of dt so far */
    cst_row_range items, contacts;
} cst_frame_row;

typedef struct cst_item_row {
    cst_item_owner owner;
    uint32_t id; /* id of the body or obstacle */
    cst_drawn_as as;
    bool closed;
    cst_row_range vertices;
    cst_row_range states;    /* bodies: cst_world_body_state */
    cst_row_range triangles; /* of a mesh */
} cst_item_row;

typedef struct cst_state_row {
    double value;
} cst_state_row;

/* Type of a field in memory. */
typedef enum cst_field_type {
    CST_FIELD_REAL = 0, /* double */
    CST_FIELD_INT32,    /* int, an enumeration, uint32_t */
    CST_FIELD_INT64,    /* int64_t */
    CST_FIELD_UINT64,   /* uint64_t */
    CST_FIELD_BOOL
} cst_field_type;

/* How a column is stored in a cache with the level of detail "light", which takes less space than a full cache. */
typedef enum cst_light {
    CST_LIGHT_SAME = 0, /* as in a full cache */
    CST_LIGHT_SINGLE,   /* 32-bit reals */
    CST_LIGHT_NONE      /* not stored; read as zeros */
} cst_light;

typedef struct cst_cache_column {
    const char *name; /* name of the HDF5 dataset */
    const char *unit; /* "" if it has none */
    cst_field_type type;
    int width;     /* values per row: 3 for vectors */
    size_t offset; /* in the row */
    const char *about;
    /* version of the first file format that has this column; in older files, the column counts as zeros; 0: all formats have
     * it */
    int since;
    cst_light light;
} cst_cache_column;

typedef struct cst_cache_table_format {
    const char *group; /* "/frames" */
    size_t row_size;   /* size of the C struct */
    const cst_cache_column *column;
    int columns;
    int chunk; /* rows per chunk of the file */
} cst_cache_table_format;

const cst_cache_table_format *cst_cache_table_describe(cst_cache_table table);

/* Returns true if a file with this format version and level of detail has the column. */
bool cst_cache_column_kept(const cst_cache_column *column, int format, cst_cache_detail detail);

size_t cst_field_bytes(cst_field_type type);

#endif
