import { simulate } from './simulate.ts';

// Run as: node tests/simulation/run.ts <first seed> <seeds>. Exit code 1, with the seed, at the first story that disagrees.
const [first = '1', seeds = '1000'] = process.argv.slice(2);
for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += 1) await simulate(seed);
process.stdout.write(`${seeds} stories agree\n`);
