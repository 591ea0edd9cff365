/** Failures grouped by what they have in common, as agents and the browser get them. */
export { failingTestsOf, isFailing } from '../coordination/runs/failing-tests.ts';
