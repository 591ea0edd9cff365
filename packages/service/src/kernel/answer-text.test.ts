import { expect, test } from 'vitest';
import { runNow } from '../event-loop/task.ts';
import { answerText, keepLongAnswerText, keptAnswerText } from './answer-text.ts';

test('an answer is written once, and given again as it was written', () => {
  const answer = { n: 1 };
  expect(keptAnswerText(answer)).toBe('{"n":1}');
  answer.n = 2;
  expect(answerText(answer)).toBe('{"n":1}');
  expect(answerText({ n: 2 })).toBe('{"n":2}');
});

test.each([
  [{ name: '"items":[]', items: [{ a: 'ü"\\' }, { a: [null, 1] }], more: { items: [] }, none: undefined }],
  [{ items: [undefined, null], others: [[1], 'a'] }],
  [{ items: [] }],
  [{ other: 1 }],
])('an answer with long lists reads as if it was written at once', (answer) => {
  runNow(keepLongAnswerText(answer));
  const text = JSON.stringify(answer);
  Object.assign(answer, { changed: true });
  expect(answerText(answer)).toBe(text);
});
