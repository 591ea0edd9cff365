import { typed } from '../app/cli-command.ts';
import type { NodeView } from '../coordination/plans/node-view.ts';
import type { Claimed, ClaimNextAnswer } from '../coordination/work/contract.ts';
import { untilText } from './figures.ts';
import { paint, table, visible } from './table.ts';

type Listed = Pick<NodeView, 'ref' | 'title' | 'repository' | 'priority' | 'leverage'> & {
  claimedBy?: string | null | undefined;
};

export function readyText(nodes: readonly Listed[], all: boolean): string {
  const isAnyFree = nodes.some(({ claimedBy }) => !claimedBy);
  if (nodes.length === 0)
    return `Nothing is ready. "${typed('plans show PLAN')}" lists nodes, "${typed('why PLAN/NODE')}" what one waits for.\n`;
  const hasPriorities = nodes.some(({ priority }) => priority !== 'normal');
  const rows = nodes.map(({ ref, title, repository, priority, leverage, claimedBy }) => [
    ref,
    title,
    repository,
    ...(hasPriorities ? [priority] : []),
    leverage,
    ...(all ? [!claimedBy ? 'ready' : `claimed by ${claimedBy}`] : []),
  ]);
  const next = isAnyFree
    ? `\nNext: "${typed('next')}" claims the first of them, "${typed('claim PLAN/NODE')}" the one you choose.\n`
    : `\nAll of them are claimed. "${typed('agents')}" shows by whom.\n`;
  const head = ['NODE', 'TITLE', 'REPOSITORY', ...(hasPriorities ? ['PRIORITY'] : []), 'UNBLOCKS'];
  return table([...head, ...(all ? ['STATE'] : [])], rows) + next;
}

export function claimText(answer: ClaimNextAnswer, ref: string | null, agent: string, now: number): string {
  if (answer.claimed) return claimedText(answer, agent, now);
  if ('reason' in answer) {
    const passedBy = answer.why === undefined ? '' : ` ${visible(answer.why)}`;
    return `Nothing is ready to claim.${passedBy} "${typed('ready --all')}" shows what others hold.\n`;
  }
  return `${visible(answer.heldBy)} holds ${ref ?? 'it'} until ${untilText(answer.heldUntil, now)}. Choose another node: "${typed('ready')}".\n`;
}

function claimedText({ node, expiresAt, inputs, readyWarning }: Claimed, agent: string, now: number): string {
  const name = visible(node.ref);
  const lines = [
    `${paint('green', 'Claimed')} ${name} as ${visible(agent)} until ${untilText(expiresAt, now)}.`,
    `  ${visible(node.title)}`,
    ...(node.description ? node.description.split('\n').map((line) => `  ${visible(line)}`) : []),
    ...(node.repository ? [`  repository  ${visible(node.repository)}`] : []),
    `  proof       ${proofText(node)}`,
    ...(node.lastClaim?.note
      ? [`  last note   ${visible(node.lastClaim.agent)}: ${visible(node.lastClaim.note)}`]
      : []),
    ...inputs.flatMap(({ ref, note }) => (note ? [`  from        ${visible(ref)}: ${visible(note)}`] : [])),
    ...(readyWarning ? [paint('yellow', `  ${visible(readyWarning.message)}`)] : []),
    '',
    `Next: "${typed(`report ${name} 'what you did'`)}" renews the lease, "${typed(`submit ${name}`)}" submits it, "${typed(`release ${name}`)}" releases it.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The proof that a node needs to be done. */
export function proofText({ binding, ref }: Pick<NodeView, 'binding' | 'ref'>): string {
  if (!binding) return `none yet: set it with "${typed('bind_node')}"`;
  if (binding.kind === 'suite') return `a green suite: ${typed(`run --node ${visible(ref)} -- <test command>`)}`;
  const named = Object.entries(binding).flatMap(([key, value]) => (key === 'kind' ? [] : [String(value)]));
  return visible([binding.kind, ...named].join(' '));
}

/** The reason for a node's status, its dependencies, holder and evidence. */
export function whyText(node: NodeView, now: number): string {
  const { claim, evidence, lastClaim } = node;
  const lines = [
    `${visible(node.ref)}  ${paint('bold', node.status)}  ${visible(node.title)}`,
    `  ${visible(node.why)}`,
    ...(claim
      ? [`  holder      ${visible(claim.agent)}, ${claim.health}, until ${untilText(claim.expiresAt, now)}`]
      : []),
    ...(claim?.note ? [`  note        ${visible(claim.note)}`] : []),
    `  proof       ${proofText(node)}`,
    ...(evidence ? [`  observed    ${evidence.state}: ${visible(evidence.detail)}`] : []),
    ...(node.submission?.note ? [`  note        ${visible(node.submission.note)}`] : []),
    ...node.attempts.last.map(
      ({ agent, how, note }) => `  ${how.padEnd(11)} ${visible(agent)}${note === null ? '' : `: ${visible(note)}`}`,
    ),
    ...(lastClaim && !claim ? [`  last claim  ${visible(lastClaim.agent)}, ${lastClaim.how}`] : []),
    ...node.dependsOn.map(
      ({ ref, status, missing }) => `  needs       ${visible(ref)} (${missing ? 'missing' : status})`,
    ),
    ...(node.dependents.length > 0 ? [`  unblocks    ${visible(node.dependents.join(', '))}`] : []),
    '',
    `Next: ${nextFor(node)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function nextFor({ ref, status, claim, binding, dependsOn, parked }: NodeView): string {
  const name = visible(ref);
  const open = dependsOn.find(({ done }) => !done);
  if (status === 'done') return `"${typed(`open ${name}`)}" shows what proves it.`;
  if (claim) return `"${typed(`open ${name}`)}" shows its holder; "${typed('ready')}" lists other work.`;
  if (status === 'blocked' && open) return `"${typed(`why ${visible(open.ref)}`)}".`;
  if (parked === 'attempts') return `"${typed(`reset ${name}`)}" makes it available again.`;
  if (binding?.kind === 'signOff')
    return `"${typed(`done ${name}`)}" signs it off, "${typed(`claim ${name}`)}" claims it.`;
  return `"${typed(`claim ${name}`)}" claims it.`;
}
