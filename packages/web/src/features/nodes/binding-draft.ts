import type { Binding } from '../../live/wire.ts';

export type BindingDraft = { kind: Binding['kind'] | 'none' } & Record<string, string>;

type Member = { name: string; label: string; hint?: string; needed?: boolean };
export const members: Record<BindingDraft['kind'], readonly Member[]> = {
  none: [],
  issue: [{ name: 'issue', label: 'Issue', hint: 'owner/name#12; done when it is closed', needed: true }],
  pullRequest: [
    { name: 'pullRequest', label: 'Pull request', hint: 'owner/name#12; done when merged' },
    {
      name: 'repository',
      label: 'Or a repository',
      hint: 'owner/name; its newest pull request from the branch counts, or the one with Plan-Node',
    },
    { name: 'branch', label: 'From branch', hint: 'Empty: the one with the line "Plan-Node: plan/node"' },
  ],
  suite: [
    { name: 'suite', label: 'Suite', hint: 'Its name, as the publisher sends it' },
    { name: 'tag', label: 'Tag', hint: 'Empty: plan/node' },
    { name: 'branch', label: 'Branch' },
  ],
  package: [
    { name: 'registry', label: 'Feed', hint: 'npm or nuget', needed: true },
    { name: 'name', label: 'Package', needed: true },
    { name: 'version', label: 'Version', hint: 'A range, such as ^2.0.0', needed: true },
  ],
  dependency: [
    { name: 'repository', label: 'Repository', hint: 'owner/name', needed: true },
    { name: 'name', label: 'Package', needed: true },
    { name: 'version', label: 'Version', needed: true },
  ],
  commit: [{ name: 'branch', label: 'Branch', hint: 'Empty: the default branch' }],
  signOff: [{ name: 'who', label: 'Who', hint: 'Empty: any person' }],
};

export const kinds: readonly [BindingDraft['kind'], string][] = [
  ['none', 'Nothing yet'],
  ['issue', 'An issue is closed'],
  ['pullRequest', 'A pull request is merged'],
  ['suite', 'A test suite passes'],
  ['package', 'A package is published'],
  ['dependency', 'A repository takes a version'],
  ['commit', 'A commit names the node'],
  ['signOff', 'A person signs off'],
];

/** The most likely proof of a new node: its suite if it has a repository, otherwise a person's sign-off. */
export const likelyBinding = ({ repository }: { repository: string | null }): BindingDraft =>
  (repository ? { kind: 'suite' } : { kind: 'signOff' }) as BindingDraft;

export function draftOf(binding: Binding | null): BindingDraft {
  if (!binding) return { kind: 'none' };
  return Object.fromEntries(
    Object.entries(binding).map(([name, value]) => [name, String(value ?? '')]),
  ) as BindingDraft;
}

/** The binding as typed; the service validates it. */
export function bindingOf(draft: BindingDraft): Binding | null {
  if (draft.kind === 'none') return null;
  const given = members[draft.kind].flatMap(({ name }) => (draft[name] ? [[name, draft[name]] as const] : []));
  return { kind: draft.kind, ...Object.fromEntries(given) } as Binding;
}
