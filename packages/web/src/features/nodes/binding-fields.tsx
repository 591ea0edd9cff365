import { faultAt, type Problem } from '../../live/problem.ts';
import { Select, TextField } from '../../ui/field.tsx';
import { type BindingDraft, kinds, members } from './binding-draft.ts';

/** The proof that a node needs to be done. */
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
