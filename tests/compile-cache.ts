import { join } from 'node:path';

/** Compiling the same sources takes half of a program's start: here Node stores and reads the compiled code. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
};
