/** The types of what the hub sends, for the browser. */
export { messageTypes } from '../kernel/hub-words.ts';
