import { exitCodes } from '../client.ts';
import { agreed } from '../connect/agreed.ts';
import { diffOf } from '../connect/change.ts';
import { applyChanges, readText } from '../connect/project-files.ts';
import { planTestChanges, type TestPlan } from './plan-test-changes.ts';
import { readPublisher } from './publisher-file.ts';

/** `signalbox connect --tests`: every test run of the project is published, without a package to install. */
export async function connectTests(
  folder: string,
  { remove, yes }: { remove: boolean; yes: boolean },
): Promise<number> {
  const publisher = remove ? { code: '', types: '' } : readPublisher();
  const plan = planTestChanges((path) => readText(folder, path), publisher, remove);
  const { changes } = plan;
  if (changes.length === 0) {
    process.stdout.write(
      remove ? 'Tests are not connected. Nothing to do.\n' : 'Tests are already connected. Nothing to do.\n',
    );
    return exitCodes.done;
  }
  process.stdout.write(`${changes.map(diffOf).join('\n')}\n`);
  process.stdout.write(plan.notes.map((note) => `note: ${note}\n`).join(''));
  if (!yes && !(await agreed(folder))) return exitCodes.refused;
  applyChanges(folder, changes);
  process.stdout.write(remove ? 'Tests disconnected. Every file is restored.\n' : whatNext(plan));
  return exitCodes.done;
}

const whatNext = ({ connected }: TestPlan): string =>
  `Connected: ${connected.map(({ name, path }) => `${name} (${path})`).join(', ')}.
Next: run the tests as usual. While a run console is running ("signalbox start"), the run appears at http://localhost:5525.
      Commit these files so that colleagues and CI need no setup. "signalbox connect --tests --remove" removes them.
`;
