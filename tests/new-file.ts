import { forgetOutside } from './exercised.ts';

// Test files share a process: what the one before reached proves nothing of the next.
forgetOutside();
