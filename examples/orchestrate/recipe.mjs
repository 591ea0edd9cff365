// Shared by the recipes: a connection, and a green run that proves a node. Your own tests publish such runs.
import { randomUUID } from 'node:crypto';
import { connect, connectConsole } from 'signalbox-client';

const { SIGNALBOX_SERVICE_URL, SIGNALBOX_URL, SIGNALBOX_TOKEN: token } = process.env;
export const box = connect({ url: SIGNALBOX_SERVICE_URL, token });
const console = connectConsole({ url: SIGNALBOX_URL, token });

/** A suite proves a node by a run that is tagged with it. */
export const bySuite = { kind: 'suite' };

export async function publishGreenRun(ref) {
  const runId = randomUUID();
  const events = [
    { type: 'run_started', runId, suite: 'recipes', tag: ref, totalScenarios: 1 },
    { type: 'scenario_finished', runId, uid: 'it works', outcome: 'CleanPass', attempts: 1 },
    { type: 'run_finished', runId, exitCode: 0, passed: 1, failed: 0 },
  ];
  await console.call('ingest', { batch: { events } });
}

/** As in a pipeline: the run is published after the node was submitted with its result. */
export async function publishOnceSubmitted(ref) {
  const [slug, node] = ref.split('/');
  await box.call('await_node', { plan: slug, node, until: 'unclaimed' });
  await publishGreenRun(ref);
}

/** Replaces the plan by what the recipe needs. */
export const plan = (slug, nodes, members = {}) =>
  box.call('import_plan', { plan: slug, document: { plan: slug, ...members, nodes }, force: true });

export const statusOf = (ref) => {
  const [slug, node] = ref.split('/');
  return box.call('node_status', { plan: slug, node });
};
