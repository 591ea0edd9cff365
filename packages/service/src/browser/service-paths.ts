/** Addresses for agents. */
export { mcpPath } from '../kernel/service-paths.ts';
