/** The status of a node from its proof, its claim and its dependencies, by the same rule as in the service. */
export { nodeStatus } from '../coordination/work/node-status.ts';
