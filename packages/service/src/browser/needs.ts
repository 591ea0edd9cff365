/** What needs a person, and what a person would type next, by the same rules as the service's. */
export { isWaiting, waitingText } from '../coordination/needs/decide.ts';
export { needOrder } from '../coordination/needs/need.ts';
export {
  cleanupCommand,
  directoryCommand,
  paneCommand,
  resumeCommand,
  unsavedCommand,
} from '../coordination/needs/next-command.ts';
