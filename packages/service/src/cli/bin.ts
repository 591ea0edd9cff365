#!/usr/bin/env node
import './quiet-sqlite.ts';

// Not a static import: Node would load SQLite, and warn of it, before a line of ours has run.
await import('./main.ts');
