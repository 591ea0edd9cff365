import { useMemo } from 'react';
import type { NodeView } from '../../../live/wire.ts';
import { criticalPath } from './critical-path.ts';

/** Returns the same list object as long as the path is equal. */
export function useCriticalPath(nodes: readonly NodeView[]): readonly string[] {
  const text = useMemo(() => criticalPath(nodes).join(' '), [nodes]);
  return useMemo(() => (text === '' ? [] : text.split(' ')), [text]);
}
