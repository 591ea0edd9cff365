import { useState } from 'react';
import { call } from '../../live/call.ts';
import { asProblem } from '../../live/problem.ts';
import { showFailure, showToast } from '../../ui/toasts.tsx';
import { useActingAs } from '../shared/acting-as.tsx';
import { refreshNode } from './refresh-node.ts';

/** A dependency: the references of the waiting node and of the node that it needs. */
export type Edge = { waiting: string; needed: string };

async function change(name: 'add_dependency' | 'remove_dependency', { waiting, needed }: Edge, by: string | undefined) {
  const [plan = '', node = ''] = waiting.split('/');
  await call(name, { plan, node, dependsOn: needed, by });
  await refreshNode(plan);
  const [neededPlan = ''] = needed.split('/');
  if (neededPlan !== plan) await refreshNode(neededPlan);
}

const reportFailure = (work: Promise<void>) => work.catch((error: unknown) => showFailure(asProblem(error).message));

/** Adds a dependency; the toast offers undo. */
export function useAddEdge(): (edge: Edge, done: string) => void {
  const by = useActingAs() || undefined;
  const add = async (edge: Edge, done: string) => {
    await change('add_dependency', edge, by);
    showToast(done, () => change('remove_dependency', edge, by));
  };
  return (edge, done) => void reportFailure(add(edge, done));
}

/** Removes a dependency; the toast offers undo. */
export function useRemoveEdge(edge: Edge, done: string): { remove: () => void; busy: boolean } {
  const by = useActingAs() || undefined;
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    await change('remove_dependency', edge, by);
    showToast(done, () => change('add_dependency', edge, by));
  };
  return { remove: () => void reportFailure(remove().finally(() => setBusy(false))), busy };
}
