/** A node's status from its proof, its claim and what it waits for, by the same rule as the service's. */
export { nodeStatus } from '../coordination/work/node-status.ts';
