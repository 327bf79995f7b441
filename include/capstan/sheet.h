/* Sheets: cloth, paper, thin plates (docs/cloth.md). A sheet is a triangle mesh whose node positions are the unknowns. Part of
 * capstan.h; SI units.
 *
 * A sheet has nodes in 3D, and a flat rest shape with the material coordinates u (along the warp) and v. A node that has several
 * positions in the rest shape is on a seam. The membrane energy, per area of the rest shape, depends on the Green strain E = (F^T
 * F - 1) / 2 of the deformation gradient F. The bending energy depends, according to the chosen model (cst_bending), on the
 * angles between neighbouring triangles or on second derivatives of the node positions.
 *
 * A handle fixes some nodes of a sheet, or prescribes their motion. */
#ifndef CAPSTAN_SHEET_H
#define CAPSTAN_SHEET_H

typedef enum cst_membrane {
    CST_MEMBRANE_KIRCHHOFF = 0, /* orthotropic Saint Venant-Kirchhoff membrane with the stiffnesses in row 0 of `stretching` */
    /* membrane model with measured stiffnesses, which depend on the strain and its direction (rows 0 to 5 of `stretching`) */
    CST_MEMBRANE_MEASURED,
    CST_MEMBRANE_COUNT
} cst_membrane;

typedef enum cst_bending {
    /* bending energy of the angles between neighbouring triangles; the stiffness depends on direction and curvature, and rest
     * angles need not be 0 */
    CST_BENDING_HINGE = 0,
    /* bending energy that is quadratic in the node positions; curvatures are second derivatives computed from each triangle and
     * its three neighbours, and the rest shape is flat */
    CST_BENDING_QUADRATIC,
    CST_BENDING_COUNT
} cst_bending;

const char *cst_membrane_name(int membrane); /* NULL: no such model */
const char *cst_bending_name(int bending);

enum { CST_STRETCH_ROWS = 6, CST_BEND_ROWS = 3, CST_BEND_COLUMNS = 5 };

/* Material of a sheet. */
typedef struct cst_fabric {
    double density;   /* kg/m2 */
    double thickness; /* for contact (m) */
    cst_membrane membrane;
    /* stiffnesses of the membrane (N/m); each row of `stretching` contains four coefficients c11, c12, c22, c33. With the
     * components Euu, Evv and Euv of the Green strain, the energy per area is 1/2 (c11 Euu^2 + 2 c12 Euu Evv + c22 Evv^2) + c33
     * Euv^2. Row 0 of `stretching` contains the stiffnesses for small strains. Rows 1 to 5 of `stretching` contain the
     * stiffnesses measured on strips that are elongated by 1/6 of their length and cut at 0, 22.5, 45, 67.5 and 90 degrees from
     * the warp direction u. Only the membrane model with measured stiffnesses uses rows 1 to 5 of `stretching`; no model uses the
     * rows for 22.5 and 67.5 degrees. */
    double stretching[CST_STRETCH_ROWS][4];
    cst_bending bending;
    /* bending stiffness (N m): bending moment per length of the bending axis, divided by the curvature. The three rows of `bend`
     * are for bending about axes at 0, 45 and 90 degrees from the warp direction u. The five columns of `bend` are for curvatures
     * of 0, 10, 20, 30 and 40 1/m; the quadratic bending model uses the first column only. */
    double bend[CST_BEND_ROWS][CST_BEND_COLUMNS];
    /* damping time (s); the damping forces on the nodes are minus the product of damping time, stiffness matrix and node
     * velocities */
    double damping;
} cst_fabric;

/* Sets `stretching` and `bend` for an isotropic plate with Young's modulus E (Pa), Poisson's ratio nu and thickness h (m). The
 * stretching stiffness of the plate is E h / (1 - nu^2), and its bending stiffness is E h^3 / (12 (1 - nu^2)). */
void cst_fabric_isotropic(cst_fabric *fabric, double youngs_modulus, double poissons_ratio, double thickness);

typedef struct cst_handle {
    const int32_t *node; /* (nodes) */
    int nodes;
    cst_motion motion;   /* rotation about `centre` */
    double centre[3];    /* m */
    double release_time; /* release time (s); negative: never */
} cst_handle;

/* Moving air. Air of density rho exerts a force on each triangle of a sheet. Each triangle of the sheet has the area a, the unit
 * normal n and the velocity w relative to the air; w_t is the part of w in the plane of the triangle. The force of the air on the
 * triangle is:
 *
 *     `-rho a/2 (F_n+F_t)`.
 *     `F_n = normal |w.n| (w.n) n`.
 *     `F_t = tangential |w_t| w_t`. */
typedef struct cst_wind {
    double velocity[3]; /* m/s */
    double density;     /* density of the air (kg/m3); 0: the air exerts no force */
    double normal, tangential;
    double gust;   /* amplitude of a sinusoidal gust, as a share of the wind velocity; 0: steady wind */
    double period; /* period of the gust (s) */
} cst_wind;

typedef struct cst_sheet_def {
    uint32_t cookie;
    const char *name;       /* or NULL */
    int nodes;              /* nodes in 3D */
    const double *position; /* array (nodes x 3): initial positions of the nodes (m) */
    int corners;            /* number of corners (vertices of the flat rest shape); 0: one corner for each node */
    const double *rest;     /* array (corners x 2): material coordinates u and v of each corner in the flat rest shape (m) */
    /* array (corners): node that each corner of the rest shape belongs to, or NULL if corner i is node i. If two corners of
     * the rest shape belong to the same node, they are on a seam. */
    const int32_t *node_of;
    int triangles;
    /* array (triangles x 3): numbers of the corners of each triangle, counter-clockwise in the coordinates (u, v) */
    const int32_t *triangle;
    /* hinge bending model only: true if the rest angles are those of the initial shape, false if they are 0 */
    bool bent_at_rest;
    cst_fabric fabric;
    double velocity[3]; /* initial velocity of all nodes (m/s) */
    const cst_handle *handle;
    int handles;
    cst_wind wind;
    cst_surface surface;
} cst_sheet_def;

cst_sheet_def cst_sheet_def_default(void);
cst_body_id cst_world_add_sheet(cst_world *world, const cst_sheet_def *def, char *message, size_t message_size); /* 0: message */

/* Computes the force (N) of a handle (a group of nodes with prescribed motion) on its sheet in the last step. `handle` counts
 * from 0. Returns false and sets the force to zero if the body is not a sheet, or if the sheet has no handle with this number. */
bool cst_world_handle_force(const cst_world *world, cst_body_id body, int handle, double *force);

#endif
