import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { UnsavedWork } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { countWithNoun, formatBytes } from '../../ui/format-count.ts';

const shownAtFirst = 8;

/**
 * The work that removing a worktree would lose or leave behind: files that are not committed or ignored, commits that
 * are not pushed.
 */
export function UnsavedWorkList({ work }: { work: UnsavedWork }) {
  const { uncommitted, uncommittedCount, unpushed, unpushedCount, branch, hasRemotes } = work;
  return (
    <div className="tone-warn flex flex-col gap-2">
      {uncommittedCount === 0 && unpushedCount === 0 && (
        <p className="tone-done flex gap-2">
          <CircleCheck size={15} className="mt-0.5 shrink-0 text-tone-text" aria-hidden />
          {hasRemotes
            ? 'Everything is committed and pushed.'
            : 'Everything is committed, and another branch has the commits.'}
        </p>
      )}
      <Items
        title={`${countWithNoun(uncommittedCount, 'file')} not committed`}
        total={uncommittedCount}
        items={uncommitted.map(({ change, path }) => ({ key: change, text: path }))}
      />
      <Items
        title={`${countWithNoun(unpushedCount, 'commit')} ${hasRemotes ? 'not pushed' : 'that no other branch has'}`}
        total={unpushedCount}
        items={unpushed.map(({ commit, subject }) => ({ key: commit, text: subject }))}
      />
      {unpushedCount > 0 && (
        <p className="text-fg-2">
          {branch === null
            ? 'HEAD is detached: without a branch these commits are lost with the worktree.'
            : `The branch ${branch} keeps these commits when the worktree is removed.`}
        </p>
      )}
      <Ignored work={work} />
    </div>
  );
}

/** Git asks before it removes uncommitted files, but not before it removes ignored files. */
function Ignored({ work: { ignored, ignoredFiles, ignoredBytes, ignoredCounted } }: { work: UnsavedWork }) {
  if (ignored.length === 0) return null;
  const many = ignoredCounted ? '' : 'more than ';
  const size = (files: number, bytes: number) => `${countWithNoun(files, 'file')}, ${formatBytes(bytes)}`;
  return (
    <>
      <Items
        title={`${many}${countWithNoun(ignoredFiles, 'file')} ignored by git, ${many}${formatBytes(ignoredBytes)}`}
        total={ignored.length}
        items={ignored.map(({ path, files, bytes }) => ({
          key: '!!',
          text: path.endsWith('/') ? `${path} (${size(files, bytes)})` : path,
        }))}
      />
      <p className="text-fg-2">
        Git removes ignored files with the worktree and does not ask. Copy what you need first.
      </p>
    </>
  );
}

type Item = { key: string; text: string };

function Items({ title, total, items }: { title: string; total: number; items: readonly Item[] }) {
  const [all, setAll] = useState(false);
  if (total === 0) return null;
  const shown = all ? items : items.slice(0, shownAtFirst);
  const left = total - shown.length;
  return (
    <div>
      <p className="flex gap-2 font-semibold text-tone-text">
        <TriangleAlert size={15} className="mt-0.5 shrink-0" aria-hidden />
        {title}
      </p>
      <ul aria-label={title} className="mt-1 ml-6 font-mono text-code text-fg-2">
        {shown.map(({ key, text }) => (
          <li key={`${key} ${text}`} className="flex gap-2">
            <span className="min-w-[2ch] shrink-0 text-fg-3">{key}</span>
            <span className="min-w-0 break-all">{text}</span>
          </li>
        ))}
      </ul>
      {left > 0 &&
        (all ? (
          <p className="mt-1 ml-6 text-fg-3">and {left} more</p>
        ) : (
          <Button kind="ghost" className="mt-1 ml-4" onClick={() => setAll(true)}>
            Show {Math.min(items.length - shown.length, left)} more
          </Button>
        ))}
    </div>
  );
}
