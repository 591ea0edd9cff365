import { showToast } from '../../../ui/toasts.tsx';
import { useAddEdge } from '../../nodes/edge.ts';
import { useMay } from '../../shared/me.ts';
import type { LinkNodes } from './use-link-drawing.ts';

/** Adds a drawn dependency; the toast offers undo. Undefined if this browser may not change plans. */
export function useLinkNodes(): LinkNodes | undefined {
  const add = useAddEdge();
  const isForbidden = useMay('author').disabled === true;
  if (isForbidden) return undefined;
  return (needed, waiting) => {
    const sentence = `${waiting.title} waits for ${needed.title}`;
    // An undo would remove a dependency that existed before.
    if (waiting.dependsOn.some(({ ref }) => ref.toLowerCase() === needed.ref.toLowerCase()))
      return showToast(`${sentence} already`);
    add({ waiting: waiting.ref, needed: needed.ref }, sentence);
  };
}
