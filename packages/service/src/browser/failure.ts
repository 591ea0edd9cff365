/** A failure as the page shows it and as people and agents get it: one implementation for all. */
export { agentPrompt } from '../console/runs/failure/agent-prompt.ts';
export { type Failing, type FailureView, failuresOf } from '../console/runs/failure/failures.ts';
export { type RerunCommands, rerunCommands } from '../console/runs/failure/rerun-commands.ts';
export type { SourcePlace, StackLine } from '../run-contract/stack-frames.ts';
export { ratesOf } from '../run-contract/test-rates.ts';
