import { type Command, InvalidArgumentError } from 'commander';
import { type Simulation, type SimulationOptions, simulate } from '../coordination/work/simulate.ts';
import { sceneOfDocument } from '../coordination/work/simulation-scene.ts';
import { runNow } from '../event-loop/task.ts';
import { createClient, urlOption } from './client.ts';
import { readNamedPlan } from './plan-file-commands.ts';
import { simulationText } from './simulation-text.ts';
import { printAnswer } from './table.ts';

type Options = SimulationOptions & { url?: string; json?: boolean };

/** `signalbox simulate PLAN`: simulates the open nodes of a plan over REST, or a plan file from its start without a service. */
export function addSimulate(program: Command): void {
  program
    .command('simulate <plan>')
    .description(
      'simulate a plan (slug, or .yaml or .json file) with a number of agents: when it ends, what to split first',
    )
    .option('--agents <number>', 'how many agents work at once (default: 4)', readNumber)
    .option('--minutes <number>', 'estimate for nodes that have none (default: 60)', readNumber)
    .option('--failing <share>', 'fraction of attempts that fail, such as 0.1 or 10% (default: none)', readShare)
    .option('--proof-minutes <number>', 'minutes from submission to proof (default: 0)', readNumber)
    .option('--seed <number>', 'seed for random failures; the same seed gives the same result', readNumber)
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async (plan: string, { url, json, ...options }: Options) => {
      const result = /\.(ya?ml|json)$/i.test(plan)
        ? simulateFile(plan, options)
        : await createClient(url).call('simulate_plan', { plan, ...options });
      printAnswer(json, result, () => simulationText(result));
    });
}

const simulateFile = (file: string, options: SimulationOptions): Simulation =>
  runNow(simulate(sceneOfDocument(readNamedPlan(file), new Date().toISOString()), options));

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number, 0 or greater.');
  return value;
}

function readShare(text: string): number {
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 0.95))
    throw new InvalidArgumentError('It must be a fraction from 0 to 0.95, such as 0.1 or 10%.');
  return value;
}
