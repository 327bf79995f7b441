/* Scenes in which the contact runs along a curved rod: what others touch of it, arcs or their chords, decides how it moves.
 *
 *   roll   a soft ring rolls on the ground: of a circle the ground carries the weight, over the corners of a polygon it stumbles
 *   rock   an open shell, let go tilted, rocks on the ground
 *   draw   a curved spring, clamped, is pressed on a post and drawn over it */
#ifndef CST_VALIDATE_PHYSICS_HIGH_ORDER_SCENES_H
#define CST_VALIDATE_PHYSICS_HIGH_ORDER_SCENES_H

#include "capstan/capstan.h"

enum { CST_HIGH_ORDER_SCENES = 3 };

typedef struct cst_high_order_scene {
    const char *name, *about;
    double duration;   /* s */
    double weight;     /* N: force errors are relative to it */
    double size;       /* m: errors of place are relative to it */
    cst_place watched; /* of the rod; the body is filled in */
} cst_high_order_scene;

cst_high_order_scene cst_high_order_scene_of(int scene);

/* The world, its rod (cst_body_id 1) of n elements and its one obstacle (1). NULL with a message. */
cst_world *cst_high_order_world(int scene, int elements, cst_rod_contour contour, double dt, char *message, size_t message_size);

#endif
