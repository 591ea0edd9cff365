/** The drawing of an event model for the page, with the coordinates and colours of the exported file. */
export { type Layout, layOut } from '../../../event-model/src/diagram/layout.ts';
export { paints, startLabel } from '../../../event-model/src/diagram/paint.ts';
