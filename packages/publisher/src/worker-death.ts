import type { Test } from './identity.ts';

/** What is known of a worker's end. */
export type Death = { file: string; victims: readonly Test[]; lost: number; cause: string };

/** The sentence that a person reads about it. */
export function deathOf({ file, victims, lost, cause }: Death): string {
  const victim =
    victims.length > 0
      ? `It was running ${victims.map((test) => `"${test.scenario}"`).join(', ')}.`
      : 'Its victim is unknown.';
  const missing = lost === 1 ? '1 test has no verdict' : `${lost} tests have no verdict`;
  return `The worker of ${file} is gone: ${cause.replace(/\.$/, '')}. ${victim} ${missing}.`;
}
