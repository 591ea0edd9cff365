import { type TestContext, test } from 'vitest';
import { recordExercised } from './exercised.ts';
import { doorsIn } from './requirements/doors.ts';
import { type RequirementId, requirements } from './requirements.ts';

type Ids = RequirementId | readonly [RequirementId, ...RequirementId[]];
type Body<Point extends readonly unknown[]> = (...args: [...Point, TestContext]) => void | Promise<void>;
type Axes = readonly (readonly string[])[];
type PointOf<A extends Axes> = { readonly [K in keyof A]: A[K][number] };

export const transports = ['rest', 'mcp'] as const;
export const stores = ['sqlite', 'postgres'] as const;

/**
 * A test that proves requirements. `requirement-coverage.test.ts` reads the ids from the source, so they are written as
 * literals. There is no skipping form, because a test that does not run proves nothing. It fails if it reached none of
 * the routes, commands, settings or CLI words that the sentence of a requirement names.
 */
export function verifies(ids: Ids, title: string, body: Body<[]>, timeout?: number): void {
  test(title, { ...(timeout && { timeout }) }, async (context) => {
    const exercised = await recordExercised(() => body(context));
    for (const id of [ids].flat()) {
      const doors = doorsIn(sentences.get(id) ?? '');
      if (doors.length === 0 || doors.some(({ isReached }) => isReached(exercised))) continue;
      const names = doors.map(({ name }) => name).join(', ');
      throw new Error(`This test cites ${id} and reached none of what it names: ${names}.`);
    }
  });
}

const sentences = new Map<string, string>(requirements.map(({ id, says }) => [id, says]));

/** One case per combination: `verifies.each(doors, stores)(ids, title, (door, store) => ...)`. */
verifies.each =
  <const A extends Axes>(...axes: A) =>
  (_ids: Ids, title: string, body: Body<PointOf<A>>, timeout?: number): void => {
    for (const point of pointsOf(axes)) {
      verifies(_ids, `${title} (${point.join(', ')})`, (context) => body(...(point as PointOf<A>), context), timeout);
    }
  };

const pointsOf = (axes: Axes): string[][] =>
  axes.reduce<string[][]>((points, axis) => points.flatMap((point) => axis.map((value) => [...point, value])), [[]]);
