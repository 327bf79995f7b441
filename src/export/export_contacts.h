/* Computes the contact force and the contact state at each point of the bodies, for colouring pictures. The contacts
 * themselves are exported separately. */
#ifndef CST_EXPORT_EXPORT_CONTACTS_H
#define CST_EXPORT_EXPORT_CONTACTS_H

#include "export/export_shapes.h"

/* Each contact is assigned to the nearest point of each of its bodies (a contact of a body with itself only once). The magnitudes
 * of the forces of all contacts assigned to a point are added. The contact state of a point is the largest state code
 * (cst_local_case) of the contacts assigned to it. */
void cst_export_contacts(cst_export_shapes *shapes, const cst_cache_frame *frame);

#endif
