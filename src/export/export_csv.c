/* Writes text tables: positions.csv with a row for each vertex of the exported bodies and obstacles in each frame, and
 * contacts.csv with a row for each contact in each frame. The vertex positions are written as stored in the cache, with all
 * digits. */
#include "export/export_job.h"
#include "write/csv.h"

static const char POSITIONS[] = "positions.csv", CONTACTS[] = "contacts.csv";

static const char *const position_columns[] = {"frame", "time", "owner", "id", "name", "vertex", "x", "y", "z", "radius", NULL};
static const char *const contact_columns[] = {"frame", "time", "id",    "body_a", "body_b", "obstacle_b", "x",  "y",  "z",
                                              "nx",    "ny",   "nz",    "fx",     "fy",     "fz",         "vx", "vy", "vz",
                                              "gap",   "mu",   "error", "state",  "s_a",    "s_b",        NULL};

static void put_vector(cst_csv *csv, const double value[3])
{
    for (int axis = 0; axis < 3; axis++)
        cst_csv_real(csv, value[axis]);
}

static void put_when(cst_csv *csv, const cst_export_job *job)
{
    cst_csv_integer(csv, job->index[job->k]);
    cst_csv_real(csv, job->frame.time);
}

static void put_item(cst_csv *csv, const cst_export_job *job, const cst_cache_item *item)
{
    const bool obstacle = item->owner == CST_ITEM_OBSTACLE;
    const char *name = obstacle ? cst_cache_obstacle_name(job->cache, item->id) : cst_cache_body_name(job->cache, item->id);
    for (int k = 0; k < item->vertices; k++) {
        put_when(csv, job);
        cst_csv_text(csv, obstacle ? "obstacle" : "body");
        cst_csv_integer(csv, item->id);
        cst_csv_text(csv, name);
        cst_csv_integer(csv, k);
        put_vector(csv, item->vertex[k].position);
        cst_csv_real(csv, item->vertex[k].radius);
        cst_csv_row_end(csv);
    }
}

static void put_contact(cst_csv *csv, const cst_export_job *job, const cst_contact_view *contact)
{
    put_when(csv, job);
    cst_csv_integer(csv, (int64_t)contact->id);
    cst_csv_integer(csv, contact->a.body);
    cst_csv_integer(csv, contact->b.body);
    cst_csv_integer(csv, contact->b.obstacle);
    put_vector(csv, contact->position);
    put_vector(csv, contact->normal);
    put_vector(csv, contact->force);
    put_vector(csv, contact->velocity);
    cst_csv_real(csv, contact->gap);
    cst_csv_real(csv, contact->mu);
    cst_csv_real(csv, contact->error);
    cst_csv_integer(csv, (int64_t)contact->contact_case);
    cst_csv_real(csv, contact->s_a);
    cst_csv_real(csv, contact->s_b);
    cst_csv_row_end(csv);
}

static bool write_frame(cst_export_job *job)
{
    FILE *file = cst_export_open(job, POSITIONS);
    if (!file)
        return false;
    cst_csv csv = cst_csv_begin(file);
    if (job->k == 0)
        cst_csv_header(&csv, position_columns);
    for (int i = 0; i < job->frame.items; i++)
        if (job->shapes.item[i].object >= 0)
            put_item(&csv, job, &job->frame.item[i]);
    if (!cst_export_close(job, file, POSITIONS))
        return false;
    file = cst_export_open(job, CONTACTS);
    if (!file)
        return false;
    csv = cst_csv_begin(file);
    if (job->k == 0)
        cst_csv_header(&csv, contact_columns);
    for (int i = 0; i < job->frame.contacts; i++)
        put_contact(&csv, job, &job->frame.contact[i]);
    return cst_export_close(job, file, CONTACTS);
}

const cst_export_writer cst_export_writer_csv = {.frame = write_frame};
