/* The geometry of one frame for the export to other programs: curves with a radius, and faces.
 *
 * The points of rods, fibers, chains, outlines and meshes are copied from the cache file. For disks, balls and half-planes, the
 * points are computed. A disk becomes a regular polygon, and a hollow disk a closed curve. A ball becomes triangles between
 * circles of latitude and longitude, which rotate with the ball. A half-plane becomes a line (in 2D) or a square (in 3D), placed
 * near the middle of the bodies and bounded obstacles in the first frame. In 3D all faces are triangles. */
#ifndef CST_EXPORT_EXPORT_SHAPES_H
#define CST_EXPORT_EXPORT_SHAPES_H

#include "base/complaint.h"
#include "cache/cache_read.h"

enum {
    /* if more curves (rods, fibers) than this number are exported, all open curves become one object, and all closed curves
     * another */
    CST_EXPORT_CURVES_APART = 100,
    CST_EXPORT_CIRCLE = 64,   /* points of a circle */
    CST_EXPORT_PARALLELS = 15 /* circles of latitude on a ball */
};

typedef struct cst_export_object {
    char *name; /* letters, digits, _; all names differ */
    cst_item_owner owner;
    uint32_t id;           /* 0: many fibers */
    bool faces;            /* else curves */
    bool closed;           /* of curves */
    bool deforms;          /* true for cloth, and for a rod or fiber of more than two vertices */
    bool directed;         /* curves whose points have directors */
    int items, first_item; /* number of items, and position of the first in `order` */
    int first_point, points, first_part, parts, first_corner, corners; /* of this frame */
} cst_export_object;

/* A body or obstacle (item) of the first frame; later frames must have the same items. */
typedef struct cst_export_item {
    cst_item_owner owner;
    uint32_t id;
    cst_drawn_as as;
    bool closed;
    int object;              /* -1: left out */
    int first_point, points; /* of this frame */
} cst_export_item;

typedef struct cst_export_shapes {
    int dim;
    int objects, items;
    cst_export_object *object;
    cst_export_item *item; /* array (items): in frame order */
    int *order;            /* array (items): sorted by objects */
    int *body_item;        /* by body id, or -1 */
    int bodies;
    /* centre (m) of all bodies and bounded obstacles in the first frame; half the side length (m) of the square (3D) or line (2D)
     * that represents a half-plane */
    double center[3], reach;

    int points, parts, corners;
    int room_points, room_parts, room_corners;
    /* arrays with an entry for each point: position (3 numbers, m), radius (m) and director (3 numbers, dimensionless) */
    double *point, *radius, *director;
    double *force; /* array (points): sum of the magnitudes of the contact forces assigned to each point (N)*/
    /* array (points): contact state of each point: the largest cst_local_case (0 open, 1 stick, 2 slide, 3 bilateral) of the
     * contacts assigned to it, or 0 without contacts */
    int32_t *state;
    int32_t *part;   /* array (parts): number of points of each curve, or number of corners of each face */
    int32_t *corner; /* array (corners): indices of the object's points, from 0 */
} cst_export_shapes;

/* Determines the exported objects from the first frame; on failure, returns false with an error message. */
bool cst_export_shapes_begin(cst_export_shapes *shapes, const cst_cache *cache, const cst_cache_frame *first, int every_fiber,
                             const cst_complaint *to);
/* Fills the arrays of the exported shapes from a frame. Returns false with an error message if a position is not finite, the
 * bodies and obstacles differ from the first frame, there are too many points, or memory ran out. */
bool cst_export_shapes_fill(cst_export_shapes *shapes, const cst_cache_frame *frame, const cst_complaint *to);
void cst_export_shapes_free(cst_export_shapes *shapes);

/* Computes the bounding box of an object, including the radii of curves; returns false if the object has no points. */
bool cst_export_object_box(const cst_export_shapes *shapes, const cst_export_object *object, double low[3], double high[3]);

/* Returns true if all points of an object have the same radius. */
bool cst_export_object_even(const cst_export_shapes *shapes, const cst_export_object *object);

#endif
