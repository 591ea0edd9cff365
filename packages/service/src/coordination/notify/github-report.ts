import { isObject } from '../../kernel/is-object.ts';
import type { RunSummary } from '../../kernel/run-summary.ts';
import type { Occurrence } from '../../receivers/occurrence.ts';

/** The status or comment that is written to GitHub for an occurrence; nothing else is ever written there. */
export type GitHubReport =
  | {
      kind: 'status';
      path: string;
      body: { state: 'success' | 'failure' | 'error'; context: string; description: string };
    }
  | { kind: 'comment'; repository: string; number: number; marker: string; text: string };

const repositoryPattern = /^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/;
const commitPattern = /^[0-9a-f]{40}$/;

/**
 * Whether a run may report on a commit: it names the commit of its repository, its tracked files were unchanged, and
 * its publisher can prove a node.
 */
export const speaksForCommit = (run: RunSummary): boolean =>
  run.trust !== 'open' &&
  run.dirty !== true &&
  gitHubRepositoryOf(run) !== null &&
  commitPattern.test(run.commit ?? '');

/** `owner/name`, found in the clone of this machine, or in the remote that a publisher elsewhere names. */
export function gitHubRepositoryOf({ repositoryName, repositoryId }: RunSummary): string | null {
  const name =
    repositoryName ?? /^github\.com\/([^/#]+\/[^/#]+)(?:#.*)?$/.exec((repositoryId ?? '').slice(0, 300))?.[1] ?? '';
  return repositoryPattern.test(name) ? name : null;
}

export function gitHubReportOf({ type, data, text, subject }: Occurrence): GitHubReport | null {
  if (type === 'run_ended') return statusOf(data, text);
  const [, repository = '', number = ''] = /^([^#]+)#(\d{1,9})$/.exec(String(data.pullRequest ?? '')) ?? [];
  if (!repositoryPattern.test(repository)) return null;
  return {
    kind: 'comment',
    repository,
    number: Number(number),
    marker: markerOf(subject),
    text: commentOf(type, data, subject),
  };
}

function statusOf(data: Occurrence['data'], text: string): GitHubReport {
  const state = data.green === true ? 'success' : data.state === 'orphaned' ? 'error' : 'failure';
  const context = `signalbox/${String(data.suite)}`.slice(0, 100);
  return {
    kind: 'status',
    path: `/repos/${String(data.repository)}/statuses/${String(data.commit)}`,
    body: { state, context, description: text.slice(0, 140) },
  };
}

const markerOf = (ref: string): string => `<!-- signalbox ${ref.toLowerCase()} -->`;

const words: Readonly<Record<string, string>> = {
  node_done: 'is done',
  node_failed: 'failed',
  node_submitted: 'was submitted and awaits its proof',
  node_ready: 'is not proven and can be claimed',
};

/** Texts that others wrote are shown as code, so that they mention nobody and link nothing. */
const quoted = (text: unknown): string =>
  `\`${String(text ?? '')
    .replace(/[`\r\n]+/g, ' ')
    .slice(0, 300)}\``;

function commentOf(type: Occurrence['type'], data: Occurrence['data'], ref: string): string {
  const evidence = isObject(data.evidence) ? data.evidence : {};
  const detail = evidence.detail ? `\n\n${quoted(evidence.detail)}` : '';
  return `${markerOf(ref)}\n**${ref}** ${words[type] ?? 'changed'}: ${quoted(data.title)}${detail}\n\n_Signalbox_`;
}
