/** Failures grouped by what they have in common, as agents and the browser are told them. */
export { failingTestsOf, isFailing } from '../coordination/runs/failing-tests.ts';
