/* Keys of sheets and fabrics in 3D scenes. */
#include "capstan/capstan.h"
#include "cloth/sheet_shapes.h"
#include "scene/schema_parts.h"

/* clang-format off */

#define VECTOR CST_VALUE_VECTOR3
#define ZERO .otherwise = "[0, 0, 0]"

enum { RECTANGLE = 1, DISK = 2, TUBE = 4, MESH = 8 };

static const cst_scene_key fabric_keys[] = {
    NAMED(CST_NAMED_FABRIC),
    {"source", CST_VALUE_TEXT, .otherwise = "\"\"", .about = "Who measured it."},
    {"density", CST_VALUE_REAL, .unit = "kg/m2", POSITIVE, REQUIRED, .about = "Mass per area. A shirt has 0.1 to 0.2, paper 0.08."},
    {"thickness", CST_VALUE_REAL, .unit = "m", POSITIVE, .otherwise = "0.001", .about = "Thickness of contact, and of the plate that `young` describes."},
    {"membrane", CST_VALUE_CHOICE, .choice_name = cst_membrane_name, .choice_count = CST_MEMBRANE_COUNT, .otherwise = "\"kirchhoff\"",
     .about = "One set of stiffnesses for all strains, or a table of measurements."},
    {"stretching", CST_VALUE_REALS, .unit = "N/m", .group = "stretching", .group_required = true,
     .about = "[c11, c12, c22, c33] at small strains: energy per area 1/2 (c11 Euu^2 + 2 c12 Euu Evv + c22 Evv^2) + c33 Euv^2. Or: young."},
    {"stretching_large", CST_VALUE_REALS, .unit = "N/m",
     .about = "The same at a stretch of 1/6 along 0, 22.5, 45, 67.5 and 90 degrees from u: 20 numbers. Of a measured membrane."},
    {"young", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "stretching",
     .about = "Young's modulus of a plate of `thickness`, alike in all directions: stretching and bend follow."},
    {"poisson_ratio", CST_VALUE_REAL, BETWEEN(-0.99, 0.5), .otherwise = "0.3", .about = "Beside young."},
    {"bending", CST_VALUE_CHOICE, .choice_name = cst_bending_name, .choice_count = CST_BENDING_COUNT, .otherwise = "\"quadratic\"",
     .about = "Angles between triangles, or second derivatives over a triangle and its neighbours."},
    {"bend", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "N m", NOT_NEGATIVE, .group = "bend", .otherwise = " by young, or 0",
     .about = "Moment per length and curvature: one number, or 3 x 5: about axes at 0, 45, 90 degrees from u, at curvatures of 0, 10, 20, 30, 40 1/m."},
    {"bend_measured", CST_VALUE_REALS, .unit = "N m", NOT_NEGATIVE, .group = "bend",
     .about = "3 x 5 numbers as Wang et al. 2011 publish them: coefficients of Bridson's hinge, four times those of bend."},
    {"stretching_factor", CST_VALUE_REAL, POSITIVE, .otherwise = "1", .about = "Times all stretching stiffnesses."},
    {"bending_factor", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "1", .about = "Times all bending stiffnesses."},
    {"damping_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0", .about = "Force = damping_time x stiffness x velocity."},
};
const cst_section cst_section_fabric = {"fabric", "What a sheet is made of: docs/cloth.md has the energies.", KEYS(fabric_keys)};

static const cst_scene_key handle_keys[] = {
    {"nodes", CST_VALUE_REALS, NOT_NEGATIVE, .group = "which", .group_required = true, .about = "Their numbers, from 0. Or: from and to."},
    {"from", VECTOR, .unit = "m", .group = "which", .about = "Corner of a box: all nodes that are in it at first."},
    {"to", VECTOR, .unit = "m", .about = "The opposite corner."},
    {"motion", CST_VALUE_OBJECT, .section = &cst_section_space_motion, .about = "About the middle of its nodes; without: they are held in place."},
    {"release_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = " never", .about = "When it lets go."},
};
const cst_section cst_section_handle = {"handle", "Nodes of a sheet that are held, or moved, exactly.", KEYS(handle_keys)};

static const cst_scene_key wind_keys[] = {
    {"velocity", VECTOR, .unit = "m/s", REQUIRED, .about = "Velocity of the air."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", NOT_NEGATIVE, .otherwise = "1.2", .about = "Density of the air."},
    {"normal", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "1", .about = "Drag coefficient across a triangle."},
    {"tangential", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0.01", .about = "Drag coefficient along it."},
    {"gust", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0", .about = "Share of the velocity that comes and goes as a sine of time."},
    {"period", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "1", .about = "Period of gusts."},
};
const cst_section cst_section_sheet_wind = {"sheet_wind", "Air that moves past a sheet; at rest, it slows the sheet down.", KEYS(wind_keys)};

static const cst_scene_key sheet_keys[] = {
    NAMED(CST_NAMED_SHEET),
    {"shape", CST_VALUE_CHOICE, CHOICES("rectangle", "disk", "tube", "mesh"), REQUIRED,
     .about = "At first, in its own axes: a rectangle from the origin along x and y, a disk about the origin, a tube around z from z = 0 (a belt "
              "is a low one), or a file."},
    {"width", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(RECTANGLE), .about = "Along x, which is u of the material."},
    {"height", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(RECTANGLE | TUBE), .about = "Along y, or of the tube along z: v."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(DISK | TUBE), .about = "Radius of the disk or the tube."},
    {"edge", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(RECTANGLE | DISK | TUBE), .about = "About how long the edges of its triangles are."},
    {"cut", CST_VALUE_CHOICE, .choice_name = cst_sheet_cut_name, .choice_count = CST_CUT_COUNT, ONLY(RECTANGLE), .otherwise = "\"staggered\"",
     .about = "Into triangles: squares with one diagonal, rows shifted by half an edge, squares whose diagonals alternate."},
    {"file", CST_VALUE_TEXT, NEEDED(MESH),
     .about = "OBJ, relative to this scene. Texture coordinates, times scale, are the shape at rest; without, the file itself, laid flat along x and y."},
    {"scale", CST_VALUE_REAL, POSITIVE, ONLY(MESH), .otherwise = "1", .about = "Times the coordinates in the file."},
    {"rest", CST_VALUE_OBJECT, .section = &cst_section_rest_mesh, ONLY(MESH), .about = "The shape at rest as a second mesh."},
    {"rest_scale", CST_VALUE_REAL, POSITIVE, .otherwise = "1", .about = "Times the shape at rest: below 1 the sheet begins stretched."},
    {"bent_at_rest", CST_VALUE_BOOL, .otherwise = "false", .about = "Angles between triangles at rest are those at first; otherwise it is flat."},
    {"fabric", CST_VALUE_REFERENCE, .kinds = CST_NAMED_FABRIC, REQUIRED, .about = "Name of a fabric."},
    {"position", VECTOR, .unit = "m", ZERO, .about = "Position of the origin of its axes."},
    {"rotation", VECTOR | CST_VALUE_OBJECT, .unit = "rad", .section = &cst_section_turn, ZERO, .about = "Rotation of its axes: a rotation vector, or an axis and an angle."},
    {"velocity", VECTOR, .unit = "m/s", ZERO, .about = "Velocity of all nodes at first."},
    {"handles", CST_VALUE_LIST, .section = &cst_section_handle, .about = "What holds it."},
    {"wind", CST_VALUE_OBJECT, .section = &cst_section_sheet_wind, .about = "Air around it."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Coefficient mu."},
    SURFACE,
};
const cst_section cst_section_sheet = {"sheet", "Cloth, paper, a thin plate: triangles with a shape at rest.", KEYS(sheet_keys), .by = "shape"};

static const cst_scene_key rest_keys[] = {
    {"file", CST_VALUE_TEXT, REQUIRED, .about = "OBJ with the same faces in the same order: x and y of its vertices are u and v."},
};
const cst_section cst_section_rest_mesh = {"rest_mesh", "The shape of a sheet at rest.", KEYS(rest_keys)};

/* clang-format on */
