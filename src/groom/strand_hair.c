/* Reads Yuksel's .hair format. All numbers are little-endian. Fields of the 128-byte header of a .hair file, each with its byte
 * offset:
 *
 *     (0) Text "HAIR".
 *     (4) Number of strands.
 *     (8) Number of points.
 *     (12) Bit 0: array of segments.
 *     (12) Bit 1: array of points.
 *     (12) Bit 2: array of thicknesses.
 *     (16) Default number of segments.
 *     (20) Default thickness.
 *
 * The header is followed by arrays: number of segments of each strand (16 bits), point coordinates (three floats each), thickness
 * at each point (a float). Further arrays are skipped. */
#include <math.h>
#include <string.h>

#include "files/little_endian.h"
#include "groom/strand_file.h"

enum { HEADER = 128, HAS_SEGMENTS = 1, HAS_POINTS = 2, HAS_THICKNESS = 4 };

typedef struct header {
    uint32_t strands, points, arrays, segments;
    double radius;
    size_t segments_at, points_at, thickness_at; /* byte offsets of the arrays */
} header;

static bool read_header(const unsigned char *at, size_t bytes, header *h, cst_fault *fault)
{
    if (bytes < HEADER)
        return cst_fault_set(fault, "byte %zu: the file ends within its header of 128 bytes", bytes);
    if (memcmp(at, "HAIR", 4) != 0)
        return cst_fault_set(fault, "byte 0: expected \"HAIR\"");
    *h = (header){.strands = cst_little_unsigned(at + 4),
                  .points = cst_little_unsigned(at + 8),
                  .arrays = cst_little_unsigned(at + 12),
                  .segments = cst_little_unsigned(at + 16),
                  .radius = 0.5 * (double)cst_little_float(at + 20)};
    if (!(h->arrays & HAS_POINTS))
        return cst_fault_set(fault, "byte 12: it has no points (bit 1 is not set)");
    if (!(h->arrays & HAS_SEGMENTS) && h->segments == 0)
        return cst_fault_set(fault, "byte 16: strands of 0 segments: expected 1 or more, or an array of segments");
    if (!(h->arrays & HAS_THICKNESS) && !(h->radius >= 0.0 && isfinite(h->radius)))
        return cst_fault_set(fault, "byte 20: the thickness is not a number >= 0");
    h->segments_at = HEADER;
    h->points_at = h->segments_at + (h->arrays & HAS_SEGMENTS ? 2 * (size_t)h->strands : 0);
    h->thickness_at = h->points_at + 12 * (size_t)h->points;
    const size_t end = h->thickness_at + (h->arrays & HAS_THICKNESS ? 4 * (size_t)h->points : 0);
    if (end > bytes)
        return cst_fault_set(fault, "byte %zu: the file ends; its %u strands and %u points take %zu bytes", bytes, h->strands,
                             h->points, end);
    return true;
}

static bool read_point(const unsigned char *image, const header *h, size_t i, cst_strand_file *out, cst_fault *fault)
{
    const size_t at = h->points_at + 12 * i, thick = h->thickness_at + 4 * i;
    double x[3], radius = h->radius;
    for (size_t k = 0; k < 3; k++) {
        x[k] = (double)cst_little_float(image + at + 4 * k);
        if (!isfinite(x[k]))
            return cst_fault_set(fault, "byte %zu: coordinate %zu of point %zu is not finite", at + 4 * k, k + 1, i + 1);
    }
    if (h->arrays & HAS_THICKNESS) {
        radius = 0.5 * (double)cst_little_float(image + thick);
        if (!(radius >= 0.0 && isfinite(radius)))
            return cst_fault_set(fault, "byte %zu: the thickness at point %zu is not a number >= 0", thick, i + 1);
    }
    return cst_strands_add(out, x, radius, fault);
}

bool cst_strands_read_hair(const char *image, size_t bytes, cst_strand_file *out, cst_fault *fault)
{
    const unsigned char *at = (const unsigned char *)image;
    header h;
    size_t done = 0;
    if (!read_header(at, bytes, &h, fault))
        return false;
    for (uint32_t i = 0; i < h.strands; i++) {
        const unsigned char *own = at + h.segments_at + 2 * (size_t)i;
        const size_t points = 1 + (h.arrays & HAS_SEGMENTS ? (size_t)own[0] | (size_t)own[1] << 8 : (size_t)h.segments);
        if (points > h.points - done)
            return cst_fault_set(fault, "byte %zu: strand %u has %zu points, %zu are left",
                                 h.arrays & HAS_SEGMENTS ? h.segments_at + 2 * (size_t)i : 16, i + 1, points, h.points - done);
        for (size_t k = 0; k < points; k++)
            if (!read_point(at, &h, done + k, out, fault))
                return false;
        done += points;
        if (!cst_strands_close(out, fault))
            return false;
    }
    return done == h.points || cst_fault_set(fault, "byte 8: %u points, of which its strands have %zu", h.points, done);
}
