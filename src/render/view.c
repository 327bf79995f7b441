#include "render/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 1.16 /* 2D: size of a view that is fitted to a bounding box, divided by the size of the box */
#define MARGIN_SPACE 1.08
/* FAR_SIZE: the view is fitted to the bodies alone if the bounding box of bodies and obstacles is at least FAR_SIZE times as
 * large as that of the bodies */
#define FAR_SIZE 3.0
#define NEAREST 1e-3 /* nearest visible depth, divided by the distance between the eye and the point camera->center */

static double radians(double degrees)
{
    return degrees * acos(-1.0) / 180.0;
}

/* ---------------------------------------------------------------------------------------------------------------- cameras */

static double box_size(const cst_bounds *box)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, box->high[k] - box->low[k]);
    return size;
}

cst_bounds cst_bounds_to_show(const cst_bounds *bodies, const cst_bounds *surroundings)
{
    cst_bounds both = *bodies;
    cst_bounds_join(&both, surroundings);
    if (!both.any)
        return (cst_bounds){.any = true, .low = {-1, -1, -1}, .high = {1, 1, 1}};
    return !bodies->any || box_size(&both) < FAR_SIZE * box_size(bodies) ? both : *bodies;
}

/* Computes the eye's axes: right, up, and back towards the eye. */
static void axes_of(double azimuth, double elevation, double (*axis)[3])
{
    const double a = radians(azimuth), e = radians(elevation);
    const double right[3] = {-sin(a), cos(a), 0.0}, back[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
    memcpy(axis[0], right, sizeof right);
    memcpy(axis[2], back, sizeof back);
    for (int k = 0; k < 3; k++)
        axis[1][k] = back[(k + 1) % 3] * right[(k + 2) % 3] - back[(k + 2) % 3] * right[(k + 1) % 3];
}

/* Returns the smallest distance d (m) between the eye and the centre of a box of the given size at which every corner of the
 * box is in the picture. Seen from the distance d, a corner of the box with the coordinates (x, y, z) in the eye's axes is in
 * the picture under two conditions (h: half the opening angle of the view):
 *     `|y| <= tan(h)*(d-z)`.
 *     `|x| <= aspect*tan(h)*(d-z)`. */
static double distance_for(const double *size, double aspect, double azimuth, double elevation)
{
    double axis[3][3], distance = 0.0, tangent = tan(radians(0.5 * CST_CAMERA_OPENING));
    axes_of(azimuth, elevation, axis);
    for (int corner = 0; corner < 8; corner++) {
        double at[3] = {0};
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                at[c] += (corner >> k & 1 ? 0.5 : -0.5) * size[k] * axis[c][k];
        distance = fmax(distance, at[2] + fmax(fabs(at[1]), fabs(at[0]) / fmax(aspect, 0.1)) / tangent);
    }
    return distance;
}

cst_camera cst_camera_fit(int dim, const cst_bounds *bodies, const cst_bounds *surroundings, double aspect, double azimuth,
                          double elevation)
{
    const cst_bounds box = cst_bounds_to_show(bodies, surroundings);
    cst_camera camera = {.azimuth = azimuth, .elevation = elevation};
    double size[3];
    for (int k = 0; k < 3; k++) {
        camera.center[k] = 0.5 * (box.low[k] + box.high[k]);
        size[k] = box.high[k] - box.low[k];
    }
    if (dim == 2) {
        camera.height = MARGIN * fmax(fmax(size[1], size[0] / aspect), 1e-9);
    } else {
        double distance = fmax(MARGIN_SPACE * distance_for(size, aspect, azimuth, elevation), 1e-9);
        camera.height = 2.0 * tan(radians(0.5 * CST_CAMERA_OPENING)) * distance;
    }
    return camera;
}

bool cst_camera_is_fit(int dim, const char *text, double *azimuth, double *elevation)
{
    static const struct {
        const char *name;
        double azimuth, elevation;
    } known[] = {{"fit", CST_CAMERA_AZIMUTH, CST_CAMERA_ELEVATION}, {"front", -90, 0}, {"side", 0, 0}, {"top", -90, 90}};
    for (int i = 0; i < (dim == 3 ? 4 : 1); i++)
        if (strcmp(text, known[i].name) == 0) {
            *azimuth = known[i].azimuth;
            *elevation = known[i].elevation;
            return true;
        }
    char rest;
    return dim == 3 && sscanf(text, "fit,%lf,%lf%c", azimuth, elevation, &rest) == 2 && isfinite(*azimuth) &&
           fabs(*elevation) <= 90.0;
}

cst_camera cst_camera_widen(int dim, cst_camera camera, const cst_bounds *bodies, const cst_bounds *surroundings, double aspect)
{
    const cst_bounds box = cst_bounds_to_show(bodies, surroundings);
    double axis[3][3] = {{1.0, 0.0, 0.0}}, left = 0.0, right = 0.0;
    if (dim == 3)
        axes_of(camera.azimuth, camera.elevation, axis);
    for (int k = 0; k < 3; k++) {
        const double low = axis[0][k] * (box.low[k] - camera.center[k]), high = axis[0][k] * (box.high[k] - camera.center[k]);
        left -= fmin(low, high);
        right += fmax(low, high);
    }
    double width = fmin(CST_CAMERA_WIDE * camera.height, 2.1 * fmax(left, right));
    camera.height = fmax(camera.height, width / fmax(aspect, 0.1));
    return camera;
}

bool cst_camera_read(int dim, const char *text, cst_camera *out, char *message, size_t message_size)
{
    double number[6];
    int count = 0;
    const char *at = text;
    bool good = true;
    for (bool more = true; good && more;) {
        char *end;
        number[count] = strtod(at, &end);
        good = end != at && isfinite(number[count]);
        more = ++count < 6 && *end == ',';
        at = more ? end + 1 : end;
    }
    int least = dim == 2 ? 3 : 4;
    good = good && *at == '\0' && (count == least || (dim == 3 && count == 6)) && number[least - 1] > 0.0;
    if (!good) {
        snprintf(message, message_size, "--camera %s: give fit, scene, %s", text,
                 dim == 2 ? "or X,Y,HEIGHT in metres"
                          : "front, side, top, fit,AZIMUTH,ELEVATION or X,Y,Z,HEIGHT[,AZIMUTH,ELEVATION] in metres and degrees");
        return false;
    }
    *out = (cst_camera){.center = {number[0], number[1], dim == 3 ? number[2] : 0.0},
                        .height = number[least - 1],
                        .azimuth = count == 6 ? number[4] : CST_CAMERA_AZIMUTH,
                        .elevation = count == 6 ? number[5] : CST_CAMERA_ELEVATION};
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------- view */

cst_view cst_view_make(int dim, const cst_camera *camera, int width, int height)
{
    cst_view view = {.width = width, .height = height, .perspective = dim == 3};
    if (dim == 2) {
        view.focal = height / camera->height;
        view.right[0] = view.up[1] = 1.0;
        view.forward[2] = -1.0;
        memcpy(view.eye, camera->center, sizeof view.eye);
        view.eye[2] = 0.0; /* depth is then -z */
        return view;
    }
    double half_tangent = tan(radians(0.5 * CST_CAMERA_OPENING)), distance = 0.5 * camera->height / half_tangent;
    double axis[3][3];
    axes_of(camera->azimuth, camera->elevation, axis);
    view.focal = 0.5 * height / half_tangent;
    view.nearest = NEAREST * distance;
    view.centre = distance;
    for (int k = 0; k < 3; k++) {
        view.right[k] = axis[0][k];
        view.up[k] = axis[1][k];
        view.forward[k] = -axis[2][k];
        view.eye[k] = camera->center[k] + distance * axis[2][k];
    }
    return view;
}

static double along(const double *axis, const double *from, const double *to)
{
    return axis[0] * (to[0] - from[0]) + axis[1] * (to[1] - from[1]) + axis[2] * (to[2] - from[2]);
}

void cst_view_place(const cst_view *view, const double *point, double *out)
{
    double x = along(view->right, view->eye, point), y = along(view->up, view->eye, point);
    out[2] = along(view->forward, view->eye, point);
    out[0] = x;
    out[1] = y;
}

void cst_view_pixel(const cst_view *view, const double *place, double *x, double *y)
{
    double scale = view->perspective ? view->focal / place[2] : view->focal;
    *x = 0.5 * view->width + scale * place[0];
    *y = 0.5 * view->height - scale * place[1];
}

double cst_view_metres(const cst_view *view, double depth)
{
    return view->perspective ? fmax(depth, 0.0) / view->focal : 1.0 / view->focal;
}
