import { demoSteps } from 'signalbox/browser/demo';
import { call } from '../../live/call.ts';
import { Problem } from '../../live/problem.ts';
import { queryClient } from '../../live/query-client.ts';

const files = import.meta.glob<string>('../../../../../examples/plans/*.yaml', { query: '?raw', import: 'default' });

/** Sends the steps of the example to the service, as `signalbox demo` does; refused steps are skipped. */
export async function loadDemo(): Promise<void> {
  const documents: Record<string, string> = {};
  for (const [path, read] of Object.entries(files)) documents[slugOf(path)] = await read();
  for (const { play } of demoSteps(documents)) {
    try {
      await play(call);
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 0 || error.status === 402) throw error;
    }
  }
  await queryClient.invalidateQueries();
}

const slugOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.yaml$/, '');
