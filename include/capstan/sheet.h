/* Sheets: cloth, paper, thin plates; triangles whose corners are the unknowns (docs/cloth.md). Part of capstan.h; SI units.
 *
 * A sheet has nodes in space and a rest shape in the plane of its material, with coordinates (u, v): u along the warp. A node that is in several
 * places of the rest shape is on a seam. Energies are per area of the rest shape:
 *
 *     membrane: of Green's strain E = (F^T F - 1) / 2        bending: of how far the angles between triangles are from those at rest
 *
 * A handle holds nodes in place or moves them; they are no unknowns while it does. */
#ifndef CAPSTAN_SHEET_H
#define CAPSTAN_SHEET_H

typedef enum cst_membrane {
    CST_MEMBRANE_KIRCHHOFF = 0, /* orthotropic St. Venant-Kirchhoff: stiffnesses of row 0 alone */
    CST_MEMBRANE_MEASURED,      /* stiffnesses that depend on the strain and its direction, from a table of measurements */
    CST_MEMBRANE_COUNT
} cst_membrane;

typedef enum cst_bending {
    CST_BENDING_HINGE = 0, /* angles between triangles: orthotropic, stiffness by curvature, angles at rest */
    CST_BENDING_QUADRATIC, /* second derivatives over each triangle and its three neighbours: a constant matrix, flat at rest */
    CST_BENDING_COUNT
} cst_bending;

const char *cst_membrane_name(int membrane); /* NULL: there is none */
const char *cst_bending_name(int bending);

enum { CST_STRETCH_ROWS = 6, CST_BEND_ROWS = 3, CST_BEND_COLUMNS = 5 };

/* What a sheet is made of. */
typedef struct cst_fabric {
    double density;   /* kg/m2 */
    double thickness; /* m: of contact */
    cst_membrane membrane;
    /* N/m: c11, c12, c22, c33 of  1/2 (c11 Euu^2 + 2 c12 Euu Evv + c22 Evv^2) + c33 Euv^2.  Row 0: small strains. MEASURED, rows 1 to 5: at a
     * stretch of 1/6 along 0, 22.5, 45, 67.5, 90 degrees from u. */
    double stretching[CST_STRETCH_ROWS][4];
    cst_bending bending;
    /* N m: moment per length and curvature. Rows: about an axis at 0, 45, 90 degrees from u. Columns: at curvatures of 0, 10, 20, 30, 40 1/m;
     * QUADRATIC has the first column alone. */
    double bend[CST_BEND_ROWS][CST_BEND_COLUMNS];
    double damping; /* s: forces = damping x stiffness x velocity */
} cst_fabric;

/* Alike in all directions: of a plate of Young's modulus E (Pa), Poisson's ratio nu and `thickness`, E h / (1 - nu^2) and E h^3 / 12 (1 - nu^2).
 * Sets stretching and bend. */
void cst_fabric_isotropic(cst_fabric *fabric, double youngs_modulus, double poissons_ratio, double thickness);

typedef struct cst_handle {
    const int32_t *node; /* (nodes) */
    int nodes;
    cst_motion motion;   /* about `centre` */
    double centre[3];    /* m */
    double release_time; /* s: lets go at this time; negative: never */
} cst_handle;

/* Air that moves: on a triangle of area a and unit normal n that moves at w relative to it, per half its density,
 *     - a (normal |w.n| (w.n) n + tangential |w_t| w_t). */
typedef struct cst_wind {
    double velocity[3]; /* m/s */
    double density;     /* kg/m3: of the air. 0: none */
    double normal, tangential;
    double gust;   /* share of the velocity that comes and goes as a sine. 0: steady */
    double period; /* s: of it */
} cst_wind;

typedef struct cst_sheet_def {
    uint32_t cookie;
    const char *name;       /* or NULL */
    int nodes;              /* in space */
    const double *position; /* (nodes x 3) m, at first */
    int corners;            /* places of the rest shape; 0: one for each node */
    const double *rest;     /* (corners x 2) m: u, v */
    const int32_t *node_of; /* (corners) or NULL: corner i is node i. Two corners of one node: a seam */
    int triangles;
    const int32_t *triangle; /* (triangles x 3) corners, all in the same sense of the material */
    bool bent_at_rest;       /* HINGE: angles at rest are those of the first shape; otherwise 0 */
    cst_fabric fabric;
    double velocity[3]; /* m/s: of all nodes at first */
    const cst_handle *handle;
    int handles;
    cst_wind wind;
    cst_surface surface;
} cst_sheet_def;

cst_sheet_def cst_sheet_def_default(void);
cst_body_id cst_world_add_sheet(cst_world *world, const cst_sheet_def *def, char *message, size_t message_size); /* 0: message */

/* N: of a handle (from 0) on the sheet in the last step; false: there is none, and it is zero. */
bool cst_world_handle_force(const cst_world *world, cst_body_id body, int handle, double *force);

#endif
