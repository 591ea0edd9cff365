import { FileCode2 } from 'lucide-react';
import { useState } from 'react';
import type { SourcePlace } from 'signalbox/browser/failure';
import { useStore } from 'zustand';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { MiddleCut } from '../../../ui/middle-cut.tsx';
import { choose, settings } from '../../../ui/settings.ts';
import { editorAddress, editors, isEditor } from './editor.ts';

/** A place without a line if only the file is known. */
type Place = Omit<SourcePlace, 'line'> & { line: number | null };
type Props = { root: string; place: Place; icon?: boolean };

/** A place in the sources: opens in the chosen editor, and can always be copied. */
export function PlaceLink({ root, place, icon = false }: Props) {
  const chosen = useStore(settings, ({ editor }) => editor);
  const [choosing, setChoosing] = useState(false);
  const text = place.line === null ? place.file : `${place.file}:${place.line}`;
  const look =
    'flex min-h-6 min-w-0 items-center gap-1.5 rounded font-mono text-code text-fg-2 underline decoration-dotted underline-offset-2 hover:text-fg';
  const label = (
    <>
      {icon && <FileCode2 size={13} aria-hidden className="shrink-0" />}
      <MiddleCut text={text} />
    </>
  );
  return (
    <span className="flex min-w-0 max-w-full items-center gap-1">
      {isEditor(chosen) ? (
        <a
          aria-label={text}
          href={editorAddress(chosen, root, { ...place, line: place.line ?? 1 })}
          title={`Open ${text} in ${editors[chosen]}`}
          className={look}
        >
          {label}
        </a>
      ) : (
        <button
          type="button"
          aria-label={text}
          title={`Open ${text} in an editor`}
          onClick={() => setChoosing(true)}
          className={look}
        >
          {label}
        </button>
      )}
      <CopyButton text={text} what="place" />
      {choosing && <ChooseEditor root={root} place={place} onClose={() => setChoosing(false)} />}
    </span>
  );
}

function ChooseEditor({ root, place, onClose }: { root: string; place: Place; onClose: () => void }) {
  return (
    <Dialog title="Open in which editor?" onClose={onClose}>
      <div className="flex flex-col gap-1.5">
        <p className="pb-1 text-fg-2">Chosen once for this browser. Change it below any failure.</p>
        {Object.keys(editors)
          .filter(isEditor)
          .map((editor) => (
            <a
              key={editor}
              href={editorAddress(editor, root, { ...place, line: place.line ?? 1 })}
              onClick={() => {
                choose({ editor });
                onClose();
              }}
              className="flex h-9 items-center rounded-md border border-line-strong px-3 hover:bg-hover"
            >
              {editors[editor]}
            </a>
          ))}
      </div>
    </Dialog>
  );
}

/** Chooses the editor in which places open. */
export function EditorChoice() {
  const chosen = useStore(settings, ({ editor }) => editor);
  return (
    <label className="flex items-center gap-2 text-fg-3 text-xs">
      Open places in
      <select
        value={chosen}
        onChange={(event) => choose({ editor: event.target.value })}
        className="h-6 rounded border border-edge bg-surface px-1 text-fg-2"
      >
        <option value="">ask</option>
        {Object.keys(editors)
          .filter(isEditor)
          .map((editor) => (
            <option key={editor} value={editor}>
              {editors[editor]}
            </option>
          ))}
      </select>
    </label>
  );
}
