import { faultAt, type Problem } from '../../live/problem.ts';
import type { Binding } from '../../live/wire.ts';
import { Select, TextField } from '../../ui/field.tsx';

export type BindingDraft = { kind: Binding['kind'] | 'none' } & Record<string, string>;

type Member = { name: string; label: string; hint?: string; needed?: boolean };
const members: Record<BindingDraft['kind'], readonly Member[]> = {
  none: [],
  issue: [{ name: 'issue', label: 'Issue', hint: 'owner/name#12; done when it is closed', needed: true }],
  pullRequest: [{ name: 'pullRequest', label: 'Pull request', hint: 'owner/name#12; done when merged', needed: true }],
  suite: [
    { name: 'suite', label: 'Suite', hint: 'Its name, as the publisher sends it' },
    { name: 'tag', label: 'Tag', hint: 'Left out: plan/node' },
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
  commit: [{ name: 'branch', label: 'Branch', hint: 'Left out: the default branch' }],
  signOff: [{ name: 'who', label: 'Who', hint: 'Left out: any person' }],
};

const kinds: readonly [BindingDraft['kind'], string][] = [
  ['none', 'Nothing yet'],
  ['issue', 'An issue is closed'],
  ['pullRequest', 'A pull request is merged'],
  ['suite', 'A test suite passes'],
  ['package', 'A package is published'],
  ['dependency', 'A repository takes a version'],
  ['commit', 'A commit names the node'],
  ['signOff', 'A person signs off'],
];

/** What most likely proves a new node: its suite where it has a repository to test, else a person's sign-off. */
export const likelyBinding = ({ repository }: { repository: string | null }): BindingDraft =>
  (repository ? { kind: 'suite' } : { kind: 'signOff' }) as BindingDraft;

export function draftOf(binding: Binding | null): BindingDraft {
  if (!binding) return { kind: 'none' };
  return Object.fromEntries(
    Object.entries(binding).map(([name, value]) => [name, String(value ?? '')]),
  ) as BindingDraft;
}

/** As typed: the service says what is wrong with it. */
export function bindingOf(draft: BindingDraft): Binding | null {
  if (draft.kind === 'none') return null;
  const given = members[draft.kind].flatMap(({ name }) => (draft[name] ? [[name, draft[name]] as const] : []));
  return { kind: draft.kind, ...Object.fromEntries(given) } as Binding;
}

/** What will prove the node done. */
export function BindingFields({
  draft,
  onChange,
  problem,
}: {
  draft: BindingDraft;
  onChange: (draft: BindingDraft) => void;
  problem: Problem | null;
}) {
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Proven done when"
        value={draft.kind}
        fault={faultAt(problem, 'binding')}
        onChange={(event) => onChange({ kind: event.target.value } as BindingDraft)}
      >
        {kinds.map(([kind, text]) => (
          <option key={kind} value={kind}>
            {text}
          </option>
        ))}
      </Select>
      {members[draft.kind].length > 0 && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(140px,1fr))] gap-3">
          {members[draft.kind].map(({ name, label, hint, needed = false }) => (
            <TextField
              key={name}
              label={label}
              hint={hint}
              required={needed}
              value={draft[name] ?? ''}
              fault={faultAt(problem, `binding.${name}`)}
              onChange={(event) => onChange({ ...draft, [name]: event.target.value } as BindingDraft)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
