import type { ResourceTemplateType } from '@modelcontextprotocol/server';

const mimeType = 'application/json';

/** What a person can name in a client, and the tool that reads it. */
export const resourceTemplates: readonly ResourceTemplateType[] = [
  { uriTemplate: 'signalbox://plan/{slug}', name: 'plan', title: 'Plan status', mimeType },
  { uriTemplate: 'signalbox://run/{runId}', name: 'run', title: 'Test run', mimeType },
];

export const planUri = (slug: string): string => `signalbox://plan/${encodeURIComponent(slug)}`;
export const runUri = (runId: string): string => `signalbox://run/${encodeURIComponent(runId)}`;

export type ResourceCall = { tool: string; input: Record<string, unknown> };

/** The tool call behind an address; undefined where the address names nothing. */
export function resourceCall(uri: string): ResourceCall | undefined {
  const [, kind, encoded = ''] = /^signalbox:\/\/(plan|run)\/([^/?#]{1,600})$/.exec(uri) ?? [];
  const name = decoded(encoded);
  if (kind === undefined || name === undefined) return undefined;
  return kind === 'plan'
    ? { tool: 'plan_status', input: { plan: name } }
    : { tool: 'run_status', input: { runId: name } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
