import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt, faultUnder } from '../../live/problem.ts';
import type { NodeView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { useAction } from '../shared/use-action.ts';
import { type BindingDraft, BindingFields, bindingOf, draftOf } from './binding-fields.tsx';
import { refreshNode } from './refresh-node.ts';

type Draft = {
  id: string;
  title: string;
  description: string;
  repository: string;
  labels: string;
  estimateMinutes: string;
  dependsOn: string;
  binding: BindingDraft;
};

const empty: Draft = {
  id: '',
  title: '',
  description: '',
  repository: '',
  labels: '',
  estimateMinutes: '',
  dependsOn: '',
  binding: { kind: 'none' },
};

const draftFrom = (node: NodeView): Draft => ({
  id: node.id,
  title: node.title,
  description: node.description ?? '',
  repository: node.repository ?? '',
  labels: node.labels.join(', '),
  estimateMinutes: node.estimateMinutes === null ? '' : String(node.estimateMinutes),
  dependsOn: node.dependsOn.map(({ ref }) => shortened(ref, node.plan)).join(', '),
  binding: draftOf(node.binding),
});

const shortened = (ref: string, plan: string): string =>
  ref.toLowerCase().startsWith(`${plan.toLowerCase()}/`) ? ref.slice(plan.length + 1) : ref;

const words = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

const bodyOf = (draft: Draft) => ({
  title: draft.title || null,
  description: draft.description || null,
  repository: draft.repository || null,
  labels: words(draft.labels),
  estimateMinutes: draft.estimateMinutes ? Number(draft.estimateMinutes) : null,
  dependsOn: words(draft.dependsOn),
  binding: bindingOf(draft.binding),
});

/** Only what a person changed is sent, so that two who edit at once do not undo each other. */
function changesOf(draft: Draft, before: Draft): Partial<ReturnType<typeof bodyOf>> {
  const [now, then] = [Object.entries(bodyOf(draft)), bodyOf(before) as Record<string, unknown>];
  return Object.fromEntries(now.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name])));
}

type Props = { node: NodeView; onClose: () => void } | { plan: string; onClose: () => void };

/** Adds a node to a plan, or changes one. */
export function EditDialog(props: Props) {
  const node = 'node' in props ? props.node : undefined;
  const plan = 'node' in props ? props.node.plan : props.plan;
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [before] = useState<Draft>(node ? draftFrom(node) : empty);
  const [draft, setDraft] = useState(before);
  const put = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      if (node) await call('update_node', { plan, node: node.id, by: me || undefined, ...changesOf(draft, before) });
      else await call('add_node', { plan, id: draft.id, by: me || undefined, ...bodyOf(draft) });
      await refreshNode(plan);
      showToast(node ? `${draft.title} is changed` : `${draft.title || draft.id} is added`);
      props.onClose();
    });
  };
  return (
    <Dialog title={node ? `Edit ${node.title}` : 'Add a node'} onClose={props.onClose} wide>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <div className="grid grid-cols-[1fr_2fr] gap-3 max-sm:grid-cols-1">
          <TextField
            label="Id"
            autoFocus={!node}
            required
            disabled={node !== undefined}
            value={draft.id}
            fault={faultAt(problem, 'id')}
            onChange={(event) => put({ id: event.target.value })}
          />
          <TextField
            label="Title"
            autoFocus={node !== undefined}
            value={draft.title}
            fault={faultAt(problem, 'title')}
            onChange={(event) => put({ title: event.target.value })}
          />
        </div>
        <TextArea
          label="Description"
          rows={3}
          value={draft.description}
          fault={faultAt(problem, 'description')}
          onChange={(event) => put({ description: event.target.value })}
        />
        <TextField
          label="Waits for"
          hint="Ids of this plan, or plan/node of another, separated by commas."
          value={draft.dependsOn}
          fault={faultUnder(problem, 'dependsOn')}
          onChange={(event) => put({ dependsOn: event.target.value })}
        />
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
        </div>
        <BindingFields draft={draft.binding} onChange={(binding) => put({ binding })} problem={problem} />
        <ActingAsField />
        <DialogFooter
          {...{ busy, problem }}
          onClose={props.onClose}
          label={node ? 'Save' : 'Add node'}
          extraAction={node && <Remove node={node} onDone={props.onClose} />}
        />
      </form>
    </Dialog>
  );
}

/** The first try does not force; only a refusal that names the consequences offers to force. */
function Remove({ node, onDone }: { node: NodeView; onDone: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [asked, setAsked] = useState(false);
  const [, choose] = useSearchParam('node');
  const force = problem?.code === 'node_has_dependents' || problem?.code === 'node_claimed';
  const remove = () =>
    act(async () => {
      await call('remove_node', { plan: node.plan, node: node.id, by: me || undefined, force: force || undefined });
      choose(null);
      await refreshNode(node.plan);
      showToast(`${node.title} is removed`);
      onDone();
    });
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Button
        kind="danger"
        icon={Trash2}
        disabled={busy}
        onClick={asked ? remove : () => setAsked(true)}
        className="w-fit"
      >
        {force ? 'Remove anyway' : asked ? 'Really remove' : 'Remove'}
      </Button>
      <RefusalNotice problem={problem} />
    </div>
  );
}
