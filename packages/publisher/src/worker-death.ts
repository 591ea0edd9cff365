import type { Test } from './identity.ts';

/** The known facts about a worker's end. */
export type Death = { file: string; victims: readonly Test[]; lost: number; cause: string };

/** The sentence about it for people. */
export function deathOf({ file, victims, lost, cause }: Death): string {
  const victim =
    victims.length > 0
      ? `It was running ${victims.map((test) => `"${test.scenario}"`).join(', ')}.`
      : 'The test it was running is unknown.';
  const missing = lost === 1 ? '1 test has no verdict' : `${lost} tests have no verdict`;
  return `The worker of ${file} is gone: ${cause.replace(/\.$/, '')}. ${victim} ${missing}.`;
}
