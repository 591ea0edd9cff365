import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createRefresher } from './refresh.ts';

test('a read that is under way during a change finishes, and is repeated', async () => {
  let version = 1;
  const answers: (() => void)[] = [];
  const client = new QueryClient();
  const read = () => {
    const versionRead = version;
    return new Promise<number>((resolve) => answers.push(() => resolve(versionRead)));
  };
  const observer = new QueryObserver(client, {
    queryKey: ['plan'],
    queryFn: read,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stop = observer.subscribe(() => undefined);
  await expect.poll(() => answers.length).toBe(1);

  version = 2;
  createRefresher(client)(['plan']);
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  await expect.poll(() => client.getQueryData(['plan'])).toBe(2);
  stop();
  client.clear();
});
