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
    {"source", CST_VALUE_TEXT, .otherwise = "\"\"", .about = "Source of the measurements."},
    {"density", CST_VALUE_REAL, .unit = "kg/m2", POSITIVE, REQUIRED, .about = "Mass per area. A shirt has 0.1 to 0.2, paper 0.08."},
    {"thickness", CST_VALUE_REAL, .unit = "m", POSITIVE, .otherwise = "0.001",
     .about = "Thickness in contacts, and of the plate that `young` describes."},
    {"membrane", CST_VALUE_CHOICE, .choice_name = cst_membrane_name, .choice_count = CST_MEMBRANE_COUNT, .otherwise = "\"kirchhoff\"",
     .about = "Membrane model: one set of stiffnesses for all strains, or a table of measurements."},
    {"stretching", CST_VALUE_REALS, .unit = "N/m", .group = "stretching", .group_required = true,
     .about = "[c11, c12, c22, c33] at small strains; the energy per area is 1/2 (c11 Euu^2 + 2 c12 Euu Evv + c22 Evv^2) + "
              "c33 Euv^2. Give either stretching or young."},
    {"stretching_large", CST_VALUE_REALS, .unit = "N/m",
     .about = "For a measured membrane: the same four stiffnesses at a stretch of 1/6 along 0, 22.5, 45, 67.5 and 90 degrees "
              "from u (20 numbers)."},
    {"young", CST_VALUE_REAL, .unit = "Pa", POSITIVE, .group = "stretching",
     .about = "Young's modulus of an isotropic plate of `thickness`, which determines stretching and bend."},
    {"poisson_ratio", CST_VALUE_REAL, BETWEEN(-0.99, 0.5), .otherwise = "0.3",
     .about = "Poisson's ratio of the plate that `young` describes."},
    {"bending", CST_VALUE_CHOICE, .choice_name = cst_bending_name, .choice_count = CST_BENDING_COUNT, .otherwise = "\"quadratic\"",
     .about = "Bending model: hinge uses angles between triangles, quadratic uses second derivatives over a triangle and its "
              "neighbours."},
    {"bend", CST_VALUE_REAL | CST_VALUE_REALS, .unit = "N m", NOT_NEGATIVE, .group = "bend", .otherwise = " by young, or 0",
     .about = "Bending moment per length and curvature: one number, or 3 x 5 numbers, about axes at 0, 45, 90 degrees from u "
              "and at curvatures of 0, 10, 20, 30, 40 1/m."},
    {"bend_measured", CST_VALUE_REALS, .unit = "N m", NOT_NEGATIVE, .group = "bend",
     .about = "3 x 5 numbers as published by Wang et al. 2011: coefficients of Bridson's hinge, which are four times those of "
              "bend."},
    {"stretching_factor", CST_VALUE_REAL, POSITIVE, .otherwise = "1", .about = "Factor on all stretching stiffnesses."},
    {"bending_factor", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "1", .about = "Factor on all bending stiffnesses."},
    {"damping_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "0",
     .about = "Force = damping_time x stiffness x velocity."},
};
const cst_section cst_section_fabric = {"fabric", "The material of a sheet; docs/cloth.md has its energies.", KEYS(fabric_keys)};

static const cst_scene_key handle_keys[] = {
    {"nodes", CST_VALUE_REALS, NOT_NEGATIVE, .group = "which", .group_required = true,
     .about = "Indices of the nodes, from 0. Give either nodes, or from and to."},
    {"from", VECTOR, .unit = "m", .group = "which",
     .about = "Corner of a box; the handle holds all nodes that are in the box at the start."},
    {"to", VECTOR, .unit = "m", .about = "Opposite corner of the box."},
    {"motion", CST_VALUE_OBJECT, .section = &cst_section_space_motion,
     .about = "Prescribed motion; rotations are about the middle of the nodes. Without motion the nodes are held in place."},
    {"release_time", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = " never",
     .about = "Time at which the handle is released."},
};
const cst_section cst_section_handle = {"handle", "A set of nodes of a sheet that is held in place or moved as prescribed.", KEYS(handle_keys)};

static const cst_scene_key wind_keys[] = {
    {"velocity", VECTOR, .unit = "m/s", REQUIRED, .about = "Velocity of the air."},
    {"density", CST_VALUE_REAL, .unit = "kg/m3", NOT_NEGATIVE, .otherwise = "1.2", .about = "Density of the air."},
    {"normal", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "1", .about = "Drag coefficient normal to a triangle."},
    {"tangential", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0.01", .about = "Drag coefficient tangential to a triangle."},
    {"gust", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = "0", .about = "Fraction of the velocity that varies as a sine of time."},
    {"period", CST_VALUE_REAL, .unit = "s", NOT_NEGATIVE, .otherwise = "1", .about = "Period of gusts."},
};
const cst_section cst_section_sheet_wind = {"sheet_wind", "The air around a sheet: moving air pushes the sheet, and air "
                                                          "at rest slows the sheet down.", KEYS(wind_keys)};

static const cst_scene_key sheet_keys[] = {
    NAMED(CST_NAMED_SHEET),
    {"shape", CST_VALUE_CHOICE, CHOICES("rectangle", "disk", "tube", "mesh"), REQUIRED,
     .about = "Initial shape in its own axes: a rectangle from the origin along x and y, a disk about the origin, a tube "
              "around z from z = 0 (a belt is a short tube), or a mesh from a file."},
    {"width", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(RECTANGLE),
     .about = "Length along x, the direction u of the material."},
    {"height", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(RECTANGLE | TUBE),
     .about = "Length along y, or of the tube along z; the direction v of the material."},
    {"radius", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(DISK | TUBE), .about = "Radius of the disk or the tube."},
    {"edge", CST_VALUE_REAL, .unit = "m", POSITIVE, NEEDED(RECTANGLE | DISK | TUBE),
     .about = "Approximate length of the edges of the triangles."},
    {"cut", CST_VALUE_CHOICE, .choice_name = cst_sheet_cut_name, .choice_count = CST_CUT_COUNT, ONLY(RECTANGLE), .otherwise = "\"staggered\"",
     .about = "Triangulation: diagonal (squares with one diagonal), staggered (rows shifted by half an edge), crossed "
              "(squares with alternating diagonals)."},
    {"file", CST_VALUE_TEXT, NEEDED(MESH),
     .about = "OBJ file, relative to this scene. Its texture coordinates, times scale, are the rest shape; without texture "
              "coordinates the rest shape is x and y of the vertices."},
    {"scale", CST_VALUE_REAL, POSITIVE, ONLY(MESH), .otherwise = "1", .about = "Factor on the coordinates in the file."},
    {"rest", CST_VALUE_OBJECT, .section = &cst_section_rest_mesh, ONLY(MESH), .about = "Rest shape as a second mesh."},
    {"rest_scale", CST_VALUE_REAL, POSITIVE, .otherwise = "1",
     .about = "Factor on the rest shape; below 1 the sheet starts stretched."},
    {"bent_at_rest", CST_VALUE_BOOL, .otherwise = "false",
     .about = "true: the rest angles between triangles are the initial angles; false: the rest shape is flat."},
    {"fabric", CST_VALUE_REFERENCE, .kinds = CST_NAMED_FABRIC, REQUIRED, .about = "Name of a fabric."},
    {"position", VECTOR, .unit = "m", ZERO, .about = "Position of the origin of the sheet's axes."},
    {"rotation", VECTOR | CST_VALUE_OBJECT, .unit = "rad", .section = &cst_section_turn, ZERO,
     .about = "Rotation of the object: a rotation vector, or an axis and an angle."},
    {"velocity", VECTOR, .unit = "m/s", ZERO, .about = "Initial velocity of all nodes."},
    {"handles", CST_VALUE_LIST, .section = &cst_section_handle, .about = "Sets of nodes that are held or moved."},
    {"wind", CST_VALUE_OBJECT, .section = &cst_section_sheet_wind, .about = "The air around the sheet."},
    {"friction", CST_VALUE_REAL, NOT_NEGATIVE, .otherwise = " of the material", .about = "Friction coefficient mu."},
    SURFACE,
};
const cst_section cst_section_sheet = {"sheet", "Cloth, paper or a thin plate, made of triangles with a rest shape.", KEYS(sheet_keys), .by = "shape"};

static const cst_scene_key rest_keys[] = {
    {"file", CST_VALUE_TEXT, REQUIRED,
     .about = "OBJ file with the same faces in the same order; x and y of its vertices are u and v."},
};
const cst_section cst_section_rest_mesh = {"rest_mesh", "The rest shape of a sheet.", KEYS(rest_keys)};

/* clang-format on */
