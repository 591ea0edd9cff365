import { verifies } from '../verifies.ts';
import { raceOverHttp } from './race-over-http.ts';

verifies(
  'claim:exactly-one-wins',
  '64 clients race for each of 40 nodes: one wins each, and the others are told who',
  () => raceOverHttp(40),
);
