import { mcpPath } from 'signalbox/browser/service-paths';

/** Connects Claude Code to the service that this page comes from. */
export const mcpCommand = (): string => `claude mcp add --transport http signalbox ${location.origin}${mcpPath}`;
