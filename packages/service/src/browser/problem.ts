/** A refusal as a client receives it. */
export { problemIn, type ReceivedProblem, readProblem } from '../kernel/read-problem.ts';
