/** What needs a person, and what a person would type next, by the same rules as the service's. */
export { isWaiting, needOrder, waitingText } from '../coordination/needs/decide.ts';
export {
  cleanupCommand,
  directoryCommand,
  paneCommand,
  resumeCommand,
  unsavedCommand,
} from '../coordination/needs/next-command.ts';
