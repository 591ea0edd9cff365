/** Where agents are connected to. */
export { mcpPath } from '../kernel/service-paths.ts';
