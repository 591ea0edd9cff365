/** What needs a person, and the next command to type, by the same rules as in the service. */
export { isWaiting, needOrder, waitingText } from '../coordination/needs/decide.ts';
export {
  cleanupCommand,
  directoryCommand,
  paneCommand,
  resumeCommand,
  unsavedCommand,
} from '../coordination/needs/next-command.ts';
