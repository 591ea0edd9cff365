/** Failures grouped by what they have in common, as agents and the browser are told them. */
export { failingTestsOf, isTroubled } from './coordination/runs/failing.ts';
