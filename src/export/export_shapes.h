/* A frame as objects that every program knows: curves with a radius, and faces.
 *
 * Rods, fibers and chains are curves as the cache has them, meshes are faces as the cache has them. Disks, balls, outlines and
 * half-planes are drawn here: a disk as a regular polygon, a ball as triangles between parallels and meridians that
 * turn with it, a hollow disk as a closed curve, a half-plane as a line or a square about the bodies of the first frame. In space all faces
 * are triangles. */
#ifndef CST_EXPORT_EXPORT_SHAPES_H
#define CST_EXPORT_EXPORT_SHAPES_H

#include "base/complaint.h"
#include "cache/cache_read.h"

enum {
    CST_EXPORT_CURVES_APART = 100, /* more bodies drawn as curves than this become one object */
    CST_EXPORT_CIRCLE = 64,        /* points of a circle */
    CST_EXPORT_PARALLELS = 15      /* of a ball, besides its poles */
};

typedef struct cst_export_object {
    char *name; /* letters, digits, _; no two are equal */
    cst_item_owner owner;
    uint32_t id;                                                       /* 0: many fibers */
    bool faces;                                                        /* else curves */
    bool closed;                                                       /* of curves */
    bool deforms;                                                      /* a body that is not rigid: a rod, a fiber, cloth */
    bool directed;                                                     /* curves whose points have directors */
    int items, first_item;                                             /* places in `item` of the shapes */
    int first_point, points, first_part, parts, first_corner, corners; /* of this frame */
} cst_export_object;

/* How an item of the first frame was: others must be alike. */
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
    cst_export_item *item; /* (items) in the order of the frame */
    int *order;            /* (items) sorted by objects */
    int *body_item;        /* (bodies + 1) item of a body id, -1: left out */
    int bodies;
    double center[3], reach; /* m: where half-planes are drawn, and half their size */

    int points, parts, corners;
    int room_points, room_parts, room_corners;
    double *point, *radius, *director; /* (points x 3), (points), (points x 3) m */
    double *force;                     /* (points) N: of the contacts nearest to each point, summed */
    int32_t *state;                    /* (points) 0 no contact, else the largest cst_local_case of these */
    int32_t *part;                     /* (parts) points of each curve, corners of each face */
    int32_t *corner;                   /* (corners) points of the object, from 0 */
} cst_export_shapes;

/* Which objects there are, from the first frame. False with a complaint. */
bool cst_export_shapes_begin(cst_export_shapes *shapes, const cst_cache *cache, const cst_cache_frame *first, int every_fiber,
                             const cst_complaint *to);
/* Fills the arrays. False with a complaint: a number that is not finite, other items than in the first frame, no memory. */
bool cst_export_shapes_fill(cst_export_shapes *shapes, const cst_cache_frame *frame, const cst_complaint *to);
void cst_export_shapes_free(cst_export_shapes *shapes);

/* Box of an object, with the radii of curves: least and largest. False: it has no points. */
bool cst_export_object_box(const cst_export_shapes *shapes, const cst_export_object *object, double low[3], double high[3]);

/* Do all points of an object have one radius? */
bool cst_export_object_even(const cst_export_shapes *shapes, const cst_export_object *object);

#endif
