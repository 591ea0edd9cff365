import { expect, test } from 'vitest';
import { adviceOfPage } from './advice-of-page.ts';

test.each([
  [
    'not_found',
    'There is no delivery 7. GET /api/webhooks/deliveries lists them.',
    'There is no delivery 7. The page Webhooks lists them.',
  ],
  [
    'not_found',
    'There is no webhook ci. GET /api/webhooks lists them.',
    'There is no webhook ci. The page Webhooks lists them.',
  ],
  [
    'not_found',
    'No such tree is on the board. List the agents to see them.',
    'No such tree is on the board. Choose another one on the page Agents.',
  ],
  [
    'not_found',
    'Unknown address. GET /api/docs lists the routes.',
    'Unknown address. Reload the page: it may be older than the service.',
  ],
  [
    'no_history',
    'Unknown plan shop. List the plans to see their slugs.',
    'Unknown plan shop. Choose another plan on the page Plans.',
  ],
  [
    'note_not_found',
    'acme/shop has no note 4. get_repository lists its notes.',
    'acme/shop has no note 4. Choose another note on the page of the repository.',
  ],
  [
    'run_not_found',
    'Unknown run 12ab. GET /api/runs lists the runs.',
    'Unknown run 12ab. Choose another run on the page Runs.',
  ],
])('where a refusal (%s) advises a call, the page advises a step: %s', (code, detail, shown) => {
  expect(adviceOfPage(code, detail)).toBe(shown);
});

test.each([
  ['not_found', 'Git could not read this tree in 10 seconds, or not at all. Run git status in it to see why.'],
  ['no_history', 'The plan old was archived long ago. "signalbox plans show old --archived" shows it.'],
  ['unreachable', 'Signalbox does not answer.'],
])('advice that a person can follow is shown as it is (%s): %s', (code, detail) => {
  expect(adviceOfPage(code, detail)).toBe(detail);
});
