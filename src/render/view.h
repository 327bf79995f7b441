/* Where one looks from, and where a place is seen.
 *
 * A view turns places (m) into pixels: x to the right and y down from the upper left corner, with a depth (m) that grows away from
 * the eye. The plane is seen along -z without perspective, space with it: the conventions of the page (viewer/src/view/cameras.ts),
 * so that both show the same picture. */
#ifndef CST_RENDER_VIEW_H
#define CST_RENDER_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "cache/spread.h"

/* What is to be seen. */
typedef struct cst_camera {
    double center[3];
    double height;             /* m of the view at the centre */
    double azimuth, elevation; /* degrees, of the eye as seen from the centre; of no meaning in the plane */
} cst_camera;

/* Angles at first, and the opening angle of the view in space, degrees. */
#define CST_CAMERA_AZIMUTH (-61.189206)
#define CST_CAMERA_ELEVATION 20.204154
#define CST_CAMERA_OPENING 32.0

/* All that moves, with what is around it unless that is too far away. */
cst_bounds cst_bounds_to_show(const cst_bounds *bodies, const cst_bounds *surroundings);

/* The same in the picture, in space seen from a direction (degrees). aspect: width / height of the picture. */
cst_camera cst_camera_fit(int dim, const cst_bounds *bodies, const cst_bounds *surroundings, double aspect, double azimuth,
                          double elevation);

/* "fit", and in space "fit,AZIMUTH,ELEVATION", "front" (along y), "side" (along -x), "top" (along -z): the angles. False: none of
 * these. */
bool cst_camera_is_fit(int dim, const char *text, double *azimuth, double *elevation);

/* A scene's camera says how high the picture is and was meant for a wide one: a narrower one shows more height rather than that
 * something of the boxes is cut off at the sides. */
cst_camera cst_camera_widen(cst_camera camera, const cst_bounds *bodies, const cst_bounds *surroundings, double aspect);

/* From this on cst_camera_widen has nothing to do. */
#define CST_CAMERA_WIDE (16.0 / 9.0)

/* "X,Y,HEIGHT" in the plane, "X,Y,Z,HEIGHT[,AZIMUTH,ELEVATION]" in space. False with a message. */
bool cst_camera_read(int dim, const char *text, cst_camera *out, char *message, size_t message_size);

typedef struct cst_view {
    double eye[3];
    double right[3], up[3], forward[3]; /* unit */
    bool perspective;
    double focal;         /* pixels per metre; in perspective, times the depth */
    double width, height; /* pixels */
    double nearest;       /* depth in front of which nothing is shown; in perspective */
    double centre;        /* depth of the centre of the camera: where lengths are those of a scale */
} cst_view;

cst_view cst_view_make(int dim, const cst_camera *camera, int width, int height);

/* In the frame of the eye: to the right, up, and depth. */
void cst_view_place(const cst_view *view, const double *point, double *out);
/* Pixel of a place in the frame of the eye; its depth must be above 0 in perspective. */
void cst_view_pixel(const cst_view *view, const double *place, double *x, double *y);
/* Metres that a pixel covers at a depth. */
double cst_view_metres(const cst_view *view, double depth);

#endif
