/* What is in a cache (cache.h5, docs/cache.md): tables of rows that only ever grow, one HDF5 dataset per column.
 *
 * A table is described once, here, by its columns: which field of which C struct, of what type, under what name and in what unit.
 * Writing, reading and the list in docs/cache.md all follow this description.
 *
 * Frames may differ in topology: a frame names a range of items (bodies and obstacles), an item names ranges of vertices and of
 * state values, and, drawn as a mesh, of triangles. An obstacle that stands where it stood at the start names the vertices of the
 * first frame, and a mesh whose triangles stay the same names the same ones in every frame. */
#ifndef CST_CACHE_CACHE_FORMAT_H
#define CST_CACHE_CACHE_FORMAT_H

#include "capstan/cache.h"

/* CST_CACHE_FORMAT_SUMMED: the first one with checksums of pages, without which such a file is taken as damaged, and /scene/files. */
enum { CST_CACHE_FORMAT_VERSION = 6, CST_CACHE_FORMAT_SUMMED = 4, CST_CACHE_FORMAT_DETAIL = 6 };

typedef enum cst_cache_table {
    CST_TABLE_FRAMES = 0, /* cst_frame_row */
    CST_TABLE_ITEMS,      /* cst_item_row */
    CST_TABLE_VERTICES,   /* cst_vertex_row */
    CST_TABLE_STATES,     /* cst_state_row */
    CST_TABLE_CONTACTS,   /* cst_contact_view */
    CST_TABLE_STEPS,      /* cst_step_report */
    CST_TABLE_TIMINGS,    /* cst_step_report: the wall clock, which no two runs share */
    CST_TABLE_TRIANGLES,  /* cst_triangle_row */
    CST_TABLES
} cst_cache_table;

/* Rows of another table. */
typedef struct cst_row_range {
    int64_t first, count;
} cst_row_range;

typedef struct cst_frame_row {
    double time;   /* s */
    int64_t step;  /* accepted steps so far */
    int64_t whole; /* largest steps (of dt) so far */
    cst_row_range items, contacts;
} cst_frame_row;

typedef struct cst_item_row {
    cst_item_owner owner;
    uint32_t id; /* of the body or obstacle */
    cst_drawn_as as;
    bool closed;
    cst_row_range vertices;
    cst_row_range states;    /* bodies: cst_world_body_state */
    cst_row_range triangles; /* of a mesh */
} cst_item_row;

typedef struct cst_state_row {
    double value;
} cst_state_row;

/* How a field is kept in memory. */
typedef enum cst_field_type {
    CST_FIELD_REAL = 0, /* double */
    CST_FIELD_INT32,    /* int, an enumeration, uint32_t */
    CST_FIELD_INT64,    /* int64_t */
    CST_FIELD_UINT64,   /* uint64_t */
    CST_FIELD_BOOL
} cst_field_type;

/* What a light cache makes of a column. */
typedef enum cst_light {
    CST_LIGHT_SAME = 0, /* as in a full one */
    CST_LIGHT_SINGLE,   /* 32-bit reals */
    CST_LIGHT_NONE      /* does not have it: it is read as zeros */
} cst_light;

typedef struct cst_cache_column {
    const char *name; /* of the dataset in the group of its table */
    const char *unit; /* "" if it has none */
    cst_field_type type;
    int width;     /* values per row: 3 for vectors */
    size_t offset; /* in the row */
    const char *about;
    int since; /* format that has it first; of an older file it is read as zeros. 0: all */
    cst_light light;
} cst_cache_column;

typedef struct cst_cache_table_format {
    const char *group; /* "/frames" */
    size_t row_size;   /* of the C struct */
    const cst_cache_column *column;
    int columns;
    int chunk; /* rows per chunk of the file */
} cst_cache_table_format;

const cst_cache_table_format *cst_cache_table_describe(cst_cache_table table);

/* Whether a file of this format and detail has the column. */
bool cst_cache_column_kept(const cst_cache_column *column, int format, cst_cache_detail detail);

size_t cst_field_bytes(cst_field_type type);

#endif
