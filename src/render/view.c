#include "render/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 1.16  /* room around what is fitted in the plane */
#define FAR_SIZE 3.0 /* surroundings that make the box larger than this many times are left out */
#define NEAREST 1e-3 /* of the distance of the centre */

static double radians(double degrees)
{
    return degrees * acos(-1.0) / 180.0;
}

/* ---------------------------------------------------------------------------------------------------------------- cameras */

static double box_size(const cst_box *box)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, box->high[k] - box->low[k]);
    return size;
}

cst_box cst_box_to_show(const cst_box *bodies, const cst_box *surroundings)
{
    cst_box both = *bodies;
    cst_box_join(&both, surroundings);
    if (!both.any)
        return (cst_box){.any = true, .low = {-1, -1, -1}, .high = {1, 1, 1}};
    return !bodies->any || box_size(&both) < FAR_SIZE * box_size(bodies) ? both : *bodies;
}

cst_camera cst_camera_fit(int dim, const cst_box *bodies, const cst_box *surroundings, double aspect)
{
    const cst_box box = cst_box_to_show(bodies, surroundings);
    cst_camera camera = {.azimuth = CST_CAMERA_AZIMUTH, .elevation = CST_CAMERA_ELEVATION};
    double size[3];
    for (int k = 0; k < 3; k++) {
        camera.center[k] = 0.5 * (box.low[k] + box.high[k]);
        size[k] = box.high[k] - box.low[k];
    }
    if (dim == 2) {
        camera.height = MARGIN * fmax(fmax(size[1], size[0] / aspect), 1e-9);
    } else {
        double half = radians(0.5 * CST_CAMERA_OPENING), reach = 0.5 * fmax(hypot(hypot(size[0], size[1]), size[2]), 1e-9);
        double distance = 1.02 * reach / sin(half) / fmin(fmax(aspect, 0.1), 1.0);
        camera.height = 2.0 * tan(half) * distance;
    }
    return camera;
}

cst_camera cst_camera_widen(cst_camera camera, const cst_box *bodies, const cst_box *surroundings, double aspect)
{
    const cst_box box = cst_box_to_show(bodies, surroundings);
    double aside = fmax(box.high[0] - camera.center[0], camera.center[0] - box.low[0]);
    double width = fmin(CST_CAMERA_WIDE * camera.height, 2.1 * aside);
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
        snprintf(message, message_size, "--camera %s: give fit, scene, or %s", text,
                 dim == 2 ? "X,Y,HEIGHT in metres" : "X,Y,Z,HEIGHT[,AZIMUTH,ELEVATION] in metres and degrees");
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
    double azimuth = radians(camera->azimuth), elevation = radians(camera->elevation);
    const double back[3] = {cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation)};
    view.focal = 0.5 * height / half_tangent;
    view.nearest = NEAREST * distance;
    view.right[0] = -sin(azimuth);
    view.right[1] = cos(azimuth);
    for (int k = 0; k < 3; k++) {
        view.forward[k] = -back[k];
        view.eye[k] = camera->center[k] + distance * back[k];
    }
    view.up[0] = back[1] * view.right[2] - back[2] * view.right[1];
    view.up[1] = back[2] * view.right[0] - back[0] * view.right[2];
    view.up[2] = back[0] * view.right[1] - back[1] * view.right[0];
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
