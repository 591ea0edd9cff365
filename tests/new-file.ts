import { forgetOutside } from './exercised.ts';

// Test files share a process: what the previous file reached proves nothing about this one.
forgetOutside();
