import { exitCodes } from '../client.ts';
import { agreed } from '../connect/agreed.ts';
import { CannotConnect, diffOf, type FileChange } from '../connect/change.ts';
import { applyChanges, readText } from '../connect/project-files.ts';
import { type PlaceOfProject, type PublisherFile, planTestChanges, type TestPlan } from './plan-test-changes.ts';
import { readPublisher } from './publisher-file.ts';
import { findWorkspaces, type Workspaces } from './workspaces.ts';

/** `signalbox connect --tests`: every test run of the project is published, without a package to install. */
export async function connectTests(
  folder: string,
  { remove, yes }: { remove: boolean; yes: boolean },
): Promise<number> {
  const publisher = remove ? { code: '', types: '' } : readPublisher();
  const workspaces = findWorkspaces(folder);
  const plan = workspaces
    ? planWorkspaces(folder, workspaces, publisher, remove)
    : planTestChanges((path) => readText(folder, path), publisher, remove);
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

/** Connects the root and every package of a monorepo, each by its own configuration, and lists those it skips. */
function planWorkspaces(
  folder: string,
  { packages, others }: Workspaces,
  publisher: PublisherFile,
  remove: boolean,
): TestPlan {
  const all: TestPlan = { changes: [], connected: [], notes: others.map((other) => `not connected: ${other}`) };
  const add = (path: string, place: PlaceOfProject) => {
    const inside = (file: string) => (path === '' ? file : `${path}/${file}`);
    const plan = planTestChanges((file) => readText(folder, inside(file)), publisher, remove, place);
    all.changes.push(...plan.changes.map((change): FileChange => ({ ...change, path: inside(change.path) })));
    all.connected.push(...plan.connected.map((one) => ({ ...one, path: inside(one.path) })));
    all.notes.push(...plan.notes.map((note) => (path === '' ? note : `${path}: ${note}`)));
  };
  add('', { kind: 'root' });
  for (const path of packages) {
    try {
      add(path, {
        kind: 'package',
        up: path
          .split('/')
          .map(() => '..')
          .join('/'),
      });
    } catch (fault) {
      if (!(fault instanceof CannotConnect)) throw fault;
      all.notes.push(`${path} was not changed: ${fault.message.split('\n')[0]}`);
    }
  }
  if (!remove && all.connected.length === 0)
    throw new CannotConnect(
      `No package has a test framework that can be connected. Nothing was written.\n${all.notes.join('\n')}`,
    );
  return all;
}

const whatNext = ({ connected }: TestPlan): string =>
  `Connected: ${connected.map(({ name, path }) => `${name} (${path})`).join(', ')}.
Next: run the tests as usual. While a run console is running ("signalbox start"), the run appears at ${process.env.SIGNALBOX_URL?.trim() || 'http://localhost:5525'}.
      Commit these files so that colleagues and CI need no setup. "signalbox connect --tests --remove" removes them.
`;
