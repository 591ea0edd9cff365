import { type DemoStep, demoSteps } from 'signalbox/browser/demo';
import { Problem } from '../../live/problem.ts';
import { queryClient } from '../../live/query-client.ts';
import { apiPath, request } from '../../live/request.ts';

const files = import.meta.glob<string>('../../../../../examples/plans/*.yaml', { query: '?raw', import: 'default' });

/** Sends the steps of the running example to the service, as `signalbox demo` does; refused steps are skipped. */
export async function loadDemo(): Promise<void> {
  const documents: Record<string, string> = {};
  for (const [path, read] of Object.entries(files)) documents[slugOf(path)] = await read();
  for (const step of demoSteps(documents)) {
    try {
      await runStep(step);
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 0 || error.status === 402) throw error;
    }
  }
  await queryClient.invalidateQueries();
}

const slugOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.yaml$/, '');

const pathEnds: Record<string, string> = { claim_node: 'claim', report_node: 'report', release_node: 'release' };

function runStep({ command, input }: DemoStep): Promise<unknown> {
  const { plan = '', node = '', by, mode, document, ...body } = input as Record<string, string>;
  if (command === 'import_plan')
    return request('PUT', apiPath`/api/plans/${plan}`, {
      body: document,
      type: 'application/yaml',
      query: { by, mode },
    });
  if (command === 'sign_off_node')
    return request('POST', apiPath`/api/plans/${plan}/nodes/${node}/sign-off`, { body, query: { by } });
  return request('POST', `${apiPath`/api/plans/${plan}/nodes/${node}/`}${pathEnds[command] ?? ''}`, { body });
}
