import { join } from 'node:path';

/** Half of a program's start is the compiling of the same sources: Node reads here what it compiled the last time. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
};
