/* The camera, and the projection of points onto the picture.
 *
 * A view maps points (m) to pixels: x to the right and y down from the upper left corner, with a depth (m) that increases away
 * from the eye. Planar scenes are viewed along -z without perspective, 3D scenes with perspective. The camera has the same
 * conventions as the web page (viewer/src/view/cameras.ts), so that pictures and page show the same view. */
#ifndef CST_RENDER_VIEW_H
#define CST_RENDER_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "cache/spread.h"

/* The part of the world that a picture shows. */
typedef struct cst_camera {
    double center[3];
    double height;             /* m: height of the visible region, at the depth of `center` */
    double azimuth, elevation; /* degrees: direction from `center` to the eye; unused in 2D */
} cst_camera;

/* Degrees: initial direction of the camera, and opening angle of 3D views. */
#define CST_CAMERA_AZIMUTH (-61.189206)
#define CST_CAMERA_ELEVATION 20.204154
#define CST_CAMERA_OPENING 32.0

/* `bodies` and `surroundings`: bounding boxes of the bodies and of the obstacles. Returns the bounding box of `bodies` and
 * `surroundings` or, if that box is at least three times as large as `bodies`, the box `bodies`. If both are empty, returns a
 * cube of 2 m around the origin. */
cst_bounds cst_bounds_to_show(const cst_bounds *bodies, const cst_bounds *surroundings);

/* Returns a camera that shows the box of cst_bounds_to_show; in 3D, from the given direction (degrees). `aspect`: width / height
 * of the picture. */
cst_camera cst_camera_fit(int dim, const cst_bounds *bodies, const cst_bounds *surroundings, double aspect, double azimuth,
                          double elevation);

/* Recognises the texts that ask for a camera fitted to the bodies: "fit" and, only in 3D, "front" (view along y), "side" (view
 * along -x), "top" (view along -z) and "fit,AZIMUTH,ELEVATION". If `text` asks for a fitted camera, sets the azimuth and the
 * elevation of the camera and returns true; otherwise, returns false. */
bool cst_camera_is_fit(int dim, const char *text, double *azimuth, double *elevation);

/* Increases the height of the region that the camera shows, so that bodies and obstacles are not cut off at the sides of a narrow
 * picture. Their extent is that of their bounding box along the horizontal axis of the picture. The function cst_camera_widen
 * assumes that camera.height was chosen for a picture that is CST_CAMERA_WIDE (16/9) times as wide as high. */
cst_camera cst_camera_widen(int dim, cst_camera camera, const cst_bounds *bodies, const cst_bounds *surroundings, double aspect);

/* If the width of a picture is at least CST_CAMERA_WIDE times its height, cst_camera_widen does not change the camera. */
#define CST_CAMERA_WIDE (16.0 / 9.0)

/* Reads a camera: "X,Y,HEIGHT" in 2D, "X,Y,Z,HEIGHT[,AZIMUTH,ELEVATION]" in 3D. If the text is not a valid camera, returns false
 * with a message. */
bool cst_camera_read(int dim, const char *text, cst_camera *out, char *message, size_t message_size);

typedef struct cst_view {
    double eye[3];
    double right[3], up[3], forward[3]; /* unit */
    bool perspective;
    double focal;         /* pixels per metre (with perspective: pixels per metre at depth 1 m) */
    double width, height; /* pixels */
    double nearest;       /* with perspective: smallest depth that is shown */
    double centre;        /* depth of the point at the centre of the view (m); the scale bar is exact at this depth */
} cst_view;

cst_view cst_view_make(int dim, const cst_camera *camera, int width, int height);

/* Converts a point from the world to the eye's frame: right, up, and depth. */
void cst_view_place(const cst_view *view, const double *point, double *out);
/* Computes at which pixel a point of the eye's frame is drawn; with perspective, the depth of the point must be above 0. */
void cst_view_pixel(const cst_view *view, const double *place, double *x, double *y);
/* Returns the length (m) in the world that one pixel covers at the given depth. */
double cst_view_metres(const cst_view *view, double depth);

#endif
