import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt, faultUnder, type Problem } from '../../live/problem.ts';
import type { NodeView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { usePlan, usePlanStatus } from '../plans/plan-queries.ts';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { freeSlugOf } from '../shared/slug-of.ts';
import { useAction } from '../shared/use-action.ts';
import { WorkFields } from '../shared/work-fields.tsx';
import { likelyBinding } from './binding-draft.ts';
import { BindingFields } from './binding-fields.tsx';
import { DependencyField } from './dependency-field.tsx';
import { bodyOf, changesOf, draftFrom, listIn, type NodeDraft, newDraft, type Written } from './node-draft.ts';
import { refreshNode } from './refresh-node.ts';
import { RemoveNode } from './remove-node.tsx';

type Props =
  | { node: NodeView; written?: Written | undefined; onClose: () => void }
  | { plan: string; repository: string | null; onClose: () => void };

/** Members with their own field. The field shows their errors, so these are not repeated below. */
const members = [
  'id',
  'title',
  'description',
  'dependsOn',
  'repository',
  'labels',
  'estimateMinutes',
  'priority',
  'maxAttempts',
  'budget',
  'touches',
  'uses',
  'binding',
];

/** Changes a node, once the author's version of it is loaded. */
export function ChangeDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const plan = usePlan(node.plan);
  if (plan.isPending) return null;
  const written = plan.data?.nodes.find(({ id }) => id === node.id);
  return <EditDialog node={node} written={written} onClose={onClose} />;
}

/** Adds a node to a plan, or changes one. */
export function EditDialog(props: Props) {
  const node = 'node' in props ? props.node : undefined;
  const form = useNodeForm(props);
  const { draft, put, typed, setTyped, problem, busy, plan, titleField } = form;
  return (
    <Dialog title={node ? `Edit ${node.title}` : 'Add a node'} onClose={props.onClose} wide>
      <form onSubmit={form.submit} className="flex flex-col gap-3.5">
        <div className="grid grid-cols-[2fr_1fr] gap-3 max-sm:grid-cols-1">
          <TextField
            label="Title"
            ref={titleField}
            autoFocus
            required={!node}
            value={draft.title}
            fault={faultAt(problem, 'title')}
            onChange={(event) => put({ title: event.target.value })}
          />
          <TextField
            label="Id"
            required
            disabled={node !== undefined}
            hint={node ? undefined : 'Made from the title.'}
            value={form.id}
            fault={faultAt(problem, 'id')}
            onChange={(event) => put({ id: event.target.value })}
          />
        </div>
        <DependencyField
          plan={plan}
          own={form.id}
          value={draft.dependsOn}
          typed={typed}
          fault={faultUnder(problem, 'dependsOn')}
          onChange={(dependsOn, text) => {
            put({ dependsOn });
            setTyped(text);
          }}
        />
        <BindingFields draft={draft.binding} onChange={(binding) => put({ binding })} problem={problem} />
        <TextArea
          label="Description"
          rows={3}
          value={draft.description}
          fault={faultAt(problem, 'description')}
          onChange={(event) => put({ description: event.target.value })}
        />
        <LesserFields draft={draft} put={put} problem={problem} />
        <ActingAsField />
        <DialogFooter
          {...{ busy, problem, members }}
          onClose={props.onClose}
          label={node ? 'Save' : 'Add node'}
          extraAction={
            node && (
              <RemoveNode node={node} written={'written' in props ? props.written : undefined} onDone={props.onClose} />
            )
          }
        >
          {!node && (
            <Button disabled={busy || form.id === ''} onClick={form.addAnother}>
              Add and write another
            </Button>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type Put = (change: Partial<NodeDraft>) => void;

function LesserFields({ draft, put, problem }: { draft: NodeDraft; put: Put; problem: Problem | null }) {
  return (
    <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
      <TextField
        label="Repository"
        placeholder="the plan's"
        value={draft.repository}
        fault={faultAt(problem, 'repository')}
        onChange={(event) => put({ repository: event.target.value })}
      />
      <TextField
        label="Labels"
        value={draft.labels}
        fault={faultUnder(problem, 'labels')}
        onChange={(event) => put({ labels: event.target.value })}
      />
      <TextField
        label="Estimate, minutes"
        type="number"
        min={1}
        value={draft.estimateMinutes}
        fault={faultAt(problem, 'estimateMinutes')}
        onChange={(event) => put({ estimateMinutes: event.target.value })}
      />
      <WorkFields draft={draft} put={put} problem={problem} of="the plan's" />
      <div className="col-span-2 max-sm:col-span-1">
        <TextField
          label="Touches"
          placeholder="src/price/**, package.json"
          value={draft.touches}
          fault={faultUnder(problem, 'touches')}
          onChange={(event) => put({ touches: event.target.value })}
        />
      </div>
      <TextField
        label="Uses"
        placeholder="port:3000, db:dev"
        value={draft.uses}
        fault={faultUnder(problem, 'uses')}
        onChange={(event) => put({ uses: event.target.value })}
      />
    </div>
  );
}

/** The typed values, and how they are sent. */
function useNodeForm(props: Props) {
  const node = 'node' in props ? props.node : undefined;
  const plan = 'node' in props ? props.node.plan : props.plan;
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [before] = useState('node' in props ? draftFrom(props.node, props.written) : newDraft(likelyBinding(props)));
  const [draft, setDraft] = useState(before);
  const [typed, setTyped] = useState('');
  const titleField = useRef<HTMLInputElement>(null);
  const taken = usePlanStatus(plan).data?.nodes ?? [];
  const isTaken = (id: string) => taken.some((other) => other.id.toLowerCase() === id);
  const id = node?.id ?? (draft.id || (draft.title === '' ? '' : freeSlugOf(draft.title, isTaken)));
  const whole = { ...draft, id, dependsOn: [...draft.dependsOn, ...listIn(typed)] };
  const by = me || undefined;
  const save = (then: () => void) =>
    act(async () => {
      if (node) await call('update_node', { plan, node: node.id, by, ...changesOf(whole, before) });
      else await call('add_node', { plan, id, by, ...bodyOf(whole) });
      await refreshNode(plan);
      if (node) showToast(`${draft.title} saved`);
      else showToast(`${draft.title || id} added`, () => takeBack(plan, id, by));
      then();
    });
  return {
    ...{ plan, id, draft, typed, setTyped, busy, problem, titleField },
    put: (change: Partial<NodeDraft>) => setDraft((now) => ({ ...now, ...change })),
    submit: (event: FormEvent) => {
      event.preventDefault();
      void save(props.onClose);
    },
    /** The next node is often similar, so repository, labels and binding stay. */
    addAnother: () =>
      void save(() => {
        setDraft({ ...draft, id: '', title: '', description: '', dependsOn: [], estimateMinutes: '' });
        setTyped('');
        titleField.current?.focus();
      }),
  };
}

async function takeBack(plan: string, node: string, by: string | undefined): Promise<void> {
  await call('remove_node', { plan, node, by });
  await refreshNode(plan);
}
