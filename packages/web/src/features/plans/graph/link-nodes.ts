import { call } from '../../../live/call.ts';
import { asProblem } from '../../../live/problem.ts';
import { showFailure, showToast } from '../../../ui/toasts.tsx';
import { refreshNode } from '../../nodes/refresh-node.ts';
import { useActingAs } from '../../shared/acting-as.tsx';
import { useMay } from '../../shared/me.ts';
import type { LinkNodes } from './use-link-drawing.ts';

/** Adds a dependency that was drawn, with a way back. Undefined where this browser may not change plans. */
export function useLinkNodes(): LinkNodes | undefined {
  const by = useActingAs() || undefined;
  const isForbidden = useMay('author').disabled === true;
  if (isForbidden) return undefined;
  return (needed, waiting) => {
    const sentence = `${waiting.title} waits for ${needed.title}`;
    // Undo would take away what was there before.
    if (waiting.dependsOn.some(({ ref }) => ref.toLowerCase() === needed.ref.toLowerCase()))
      return showToast(`${sentence} already`);
    const edge = { plan: waiting.plan, node: waiting.id, dependsOn: needed.ref, by };
    const takeBack = async () => {
      await call('remove_dependency', edge);
      await refreshNode(waiting.plan);
    };
    const add = async () => {
      await call('add_dependency', edge);
      await refreshNode(waiting.plan);
      showToast(sentence, takeBack);
    };
    void add().catch((error: unknown) => showFailure(asProblem(error).message));
  };
}
