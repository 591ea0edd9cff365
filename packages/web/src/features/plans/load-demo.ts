import { type DemoStep, demoSteps } from 'signalbox/demo';
import { ask, at } from '../../live/ask.ts';
import { client } from '../../live/client.ts';
import { Problem } from '../../live/problem.ts';

const files = import.meta.glob<string>('../../../../../examples/plans/*.yaml', { query: '?raw', import: 'default' });

/** Plays the running example into the service, as `signalbox demo` does; what is so already is left as it is. */
export async function loadDemo(): Promise<void> {
  const documents: Record<string, string> = {};
  for (const [path, read] of Object.entries(files)) documents[slugOf(path)] = await read();
  for (const step of demoSteps(documents)) {
    try {
      await play(step);
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 0 || error.status === 402) throw error;
    }
  }
  await client.invalidateQueries();
}

const slugOf = (path: string): string => /([^/]+)\.yaml$/.exec(path)?.[1] ?? path;

const words: Record<string, string> = { claim_node: 'claim', report_node: 'report', release_node: 'release' };

function play({ command, input }: DemoStep): Promise<unknown> {
  const { plan = '', node = '', by, mode, document, ...body } = input as Record<string, string>;
  if (command === 'import_plan')
    return ask('PUT', at`/api/plans/${plan}`, { body: document, type: 'application/yaml', query: { by, mode } });
  if (command === 'sign_off_node')
    return ask('POST', at`/api/plans/${plan}/nodes/${node}/sign-off`, { body, query: { by } });
  return ask('POST', `${at`/api/plans/${plan}/nodes/${node}/`}${words[command] ?? ''}`, { body });
}
