import { type TestContext, test } from 'vitest';
import type { SentenceNumber } from './sentences.ts';

type Numbers = readonly [SentenceNumber, ...SentenceNumber[]];

/** A test of sentences of the interface document, named by literal numbers: the page and the count read them from the sources. */
export function promises(_numbers: Numbers, title: string, body: (context: TestContext) => Promise<void> | void): void {
  test(title, body);
}
