import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One step forward: `0001-events.sql` brings a database to version 1. */
export type Migration = { version: number; sql: string };

export function migrationsIn(folder: string): Migration[] {
  const files = readdirSync(folder).filter((file) => /^\d{4}-.+\.sql$/.test(file));
  return files
    .sort()
    .map((file) => ({ version: Number(file.slice(0, 4)), sql: readFileSync(join(folder, file), 'utf8') }));
}

/** Thrown if a newer program wrote the store; the message is for the operator. */
export class NewerStore extends Error {}

/** The steps that a database of version `found` lacks. A database written by a newer program is refused. */
export function pendingMigrations(migrations: readonly Migration[], found: number): readonly Migration[] {
  const known = migrations.at(-1)?.version ?? 0;
  if (found > known) {
    throw new NewerStore(
      `The database has version ${found}, but this Signalbox supports versions up to ${known}. ` +
        'Start the newer Signalbox that wrote it, or choose another store.',
    );
  }
  return migrations.filter(({ version }) => version > found);
}
