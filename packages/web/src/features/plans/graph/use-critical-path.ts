import { useMemo } from 'react';
import type { NodeView } from '../../../live/wire.ts';
import { criticalPath } from './critical.ts';

/** The same list as long as the way is the same. */
export function useCriticalPath(nodes: readonly NodeView[]): readonly string[] {
  const text = useMemo(() => criticalPath(nodes).join(' '), [nodes]);
  return useMemo(() => (text === '' ? [] : text.split(' ')), [text]);
}
