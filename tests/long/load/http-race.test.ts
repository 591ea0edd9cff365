import { test } from 'vitest';
import { rounds } from '../../rounds.ts';
import { raceOverHttp } from '../../scenarios/race-over-http.ts';

const nodes = rounds(200, 1_000);

test(`64 clients race for each of ${nodes} nodes: one wins each, and the others are told who`, () =>
  raceOverHttp(nodes));
