import { Eye } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../live/call.ts';
import type { ImportReport } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { refreshNode } from '../nodes/refresh-node.ts';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';
import { ImportDiff } from './import-diff.tsx';

const example = `plan: checkout-2
title: Checkout 2.0
nodes:
  - id: lexer
    title: Rewrite the lexer
  - id: parser
    dependsOn: [lexer]
    binding: { kind: suite, suite: parser }
`;

/** The slug that a document names, in YAML or JSON. */
const slugIn = (text: string): string => /^[ \t{]*"?plan"?[ \t]*:[ \t]*"?'?([A-Za-z0-9._-]+)/m.exec(text)?.[1] ?? '';

type Props = { slug?: string; document?: string; onClose: () => void; onDone: (slug: string) => void };

/** Imports a document after showing what it would change. */
export function ImportDialog({ slug, document = '', onClose, onDone }: Props) {
  const me = useActingAs();
  const { act, busy, problem, setProblem } = useAction();
  const [text, setText] = useState(document);
  const [given, setGiven] = useState<string | null>(null);
  const [mode, setMode] = useState<'full' | 'seed'>('full');
  const [force, setForce] = useState(false);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [overtaken, setOvertaken] = useState(false);
  const show = (next: ImportReport | null, isOvertaken: boolean) => {
    setReport(next);
    setOvertaken(isOvertaken);
  };
  const target = slug ?? given ?? slugIn(text);
  const put = (dryRun: boolean, expectedVersion?: number) =>
    call('import_plan', {
      plan: target,
      document: text,
      by: me || undefined,
      mode,
      dryRun: dryRun || undefined,
      force: force || undefined,
      expectedVersion,
    });
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      // A confirmation for one document does not hold for another.
      setForce(false);
      set(value);
      show(null, false);
      setProblem(null);
    };
  const preview = () => act(async () => show(await put(true), false));
  const apply = () =>
    act(async () => {
      // Somebody else may have changed the plan since the preview; nothing may be removed that was not shown.
      const now = await put(true);
      if (JSON.stringify(now) !== JSON.stringify(report)) return show(now, true);
      const done = await put(false, now.version);
      await refreshNode(done.slug);
      showToast(done.created ? `${done.slug} is imported` : `${done.slug} is brought up to date`);
      onDone(done.slug);
    });
  return (
    <Dialog wide title={slug ? `Edit the document of ${slug}` : 'Import a plan'} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <TextArea
          label="Document"
          hint="YAML or JSON. You see what would change before anything is changed."
          rows={14}
          spellCheck={false}
          placeholder={example}
          className="font-mono text-note"
          value={text}
          onChange={(event) => change(setText)(event.target.value)}
        />
        <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
          {slug === undefined && (
            <TextField
              label="Plan"
              placeholder="from the document"
              value={target}
              onChange={(event) => change(setGiven)(event.target.value)}
            />
          )}
          <Select
            label="Nodes missing from this document"
            value={mode}
            onChange={(event) => change(setMode)(event.target.value === 'seed' ? 'seed' : 'full')}
          >
            <option value="full">Remove</option>
            <option value="seed">Keep</option>
          </Select>
          <ActingAsField />
        </div>
        <FilePick onText={change(setText)} />
        {(problem?.code === 'node_claimed' || force) && (
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={force} onChange={(event) => change(setForce)(event.target.checked)} />
            Remove claimed nodes too; their claims end
          </label>
        )}
        {overtaken && (
          <Notice tone="warn" role="alert" title="The plan was changed meanwhile.">
            Nothing was imported. The list below is what the document would change now.
          </Notice>
        )}
        {report && <ImportDiff report={report} />}
        <DialogFooter {...{ busy, problem, onClose }} label="Import" disabled={!report} onConfirm={apply}>
          <Button kind={report ? 'plain' : 'primary'} icon={Eye} disabled={busy || target === ''} onClick={preview}>
            Preview
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  );
}

function FilePick({ onText }: { onText: (text: string) => void }) {
  return (
    <label className="w-fit cursor-pointer rounded text-fg-3 text-sm underline decoration-dotted outline-focus hover:text-fg has-focus-visible:outline-2">
      Read a file
      <input
        type="file"
        accept=".yaml,.yml,.json"
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Reset, because the browser reports no change when the same file is chosen again.
          void file?.text().then(onText);
          target.value = '';
        }}
      />
    </label>
  );
}
