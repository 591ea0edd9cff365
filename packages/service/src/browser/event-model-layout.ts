/** The drawing of an event model as the browser uses it: the same coordinates and colours as the exported file. */
export { type Layout, layOut } from '../console/event-model/diagram/layout.ts';
export { paints, startWord } from '../console/event-model/diagram/paint.ts';
