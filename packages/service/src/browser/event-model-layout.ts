/** The drawing of an event model as the browser uses it: the same coordinates and colours as the exported file. */
export { type Layout, layOut } from '../../../event-model/src/diagram/layout.ts';
export { paints, startWord } from '../../../event-model/src/diagram/paint.ts';
