/** What needs a person, and the next command to type, by the same rules as in the service. */
export { isWaiting, waitingText } from '../coordination/needs/decide.ts';
export { needOrder } from '../coordination/needs/need.ts';
export {
  cleanupCommand,
  directoryCommand,
  paneCommand,
  resumeCommand,
  unsavedCommand,
} from '../coordination/needs/next-command.ts';
