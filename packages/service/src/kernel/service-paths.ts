/** Paths that are served beside the calls. */
export const mcpPath = '/api/mcp';
export const docsPath = '/api/docs';
export const socketPath = '/api/socket';
