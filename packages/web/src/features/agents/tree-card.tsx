import { FolderGit2, GitCompareArrows, Server, Trash2, TriangleAlert, Unplug } from 'lucide-react';
import { Link } from 'wouter';
import { paths } from '../../paths.ts';
import { countWithNoun, formatCount } from '../../ui/format-count.ts';
import { Chip } from '../../ui/page.tsx';
import { reasonText } from '../nodes/node-text.ts';
import { type TreeView, treeName } from './board-groups.ts';
import { CleanUp } from './clean-up.tsx';
import { SessionTable } from './session-table.tsx';

/** One working tree: its repository, its sessions and its problems. */
export function TreeCard({
  view,
  host,
  alone,
}: {
  view: TreeView;
  /** The host of the tree, when there are several hosts. */
  host: string | null;
  /** Whether no other tree is shown. */
  alone: boolean;
}) {
  const { tree, sessions, gone } = view;
  const tone = tree.contested ? 'tone-warn tint' : tree.needsCleanup ? 'tone-orphan border-dashed' : '';
  return (
    <section
      aria-label={[treeName(tree), tree.root, host].filter(Boolean).join(', ')}
      className={`panel overflow-hidden ${tone}`}
    >
      <div className="flex items-center gap-2.5 px-3 py-2.5 max-md:flex-wrap">
        <FolderGit2 size={15} className="shrink-0 text-fg-3" aria-hidden />
        <h2 className="min-w-[30%] break-words font-semibold max-md:max-w-[calc(100%-26px)] md:min-w-fit md:truncate">
          {treeName(tree)}
        </h2>
        <span
          className="min-w-0 truncate font-mono text-code text-fg-3 max-md:order-1 max-md:basis-full max-md:whitespace-normal max-md:break-all"
          title={tree.root}
        >
          {tree.root}
        </span>
        {host && (
          <span className="max-w-[30%] shrink-0">
            <Chip icon={Server} title="Host">
              {host}
            </Chip>
          </span>
        )}
        {tree.branch && (
          <span className="max-w-[30%] shrink-0">
            <Chip>{tree.branch === 'HEAD' ? 'detached' : tree.branch}</Chip>
          </span>
        )}
        <span className="ml-auto flex shrink-0 gap-1.5">
          {tree.live.length > 0 && (tree.changes ?? 0) > 0 && <Changed tree={tree} />}
          {tree.contested && <Flag tone="tone-warn" icon={TriangleAlert} text="contested" />}
          {tree.needsCleanup && <Flag tone="tone-orphan" icon={Trash2} text="needs cleanup" />}
        </span>
      </div>
      <Problems view={view} alone={alone} />
      {sessions.length > 0 && (
        <div className="bg-surface">
          <SessionTable sessions={sessions} label={`Sessions in ${treeName(tree)}`} />
        </div>
      )}
      {gone > 0 && !tree.needsCleanup && (
        <p className="border-line border-t px-3 py-1.5 text-fg-3 text-xs">
          and {countWithNoun(gone, 'session')} gone without a claim
        </p>
      )}
    </section>
  );
}

/** How many files the tree changes, and how many of those others change too. */
function Changed({ tree: { changes, changesTruncated, overlaps, repository } }: Pick<TreeView, 'tree'>) {
  const files = `${formatCount(changes ?? 0)}${changesTruncated ? '+' : ''} changed`;
  return (
    <Link
      href={paths.changes(repository ?? undefined)}
      className={`inline-flex h-[22px] items-center gap-1.5 rounded-full border px-2 text-xs ${overlaps > 0 ? 'tone-warn tint font-semibold text-tone-text' : 'border-line-strong text-fg-2 hover:text-fg'}`}
    >
      <GitCompareArrows size={12} aria-hidden />
      {overlaps > 0 ? `${countWithNoun(overlaps, 'overlap')}, ${files}` : files}
    </Link>
  );
}

function Flag({ tone, icon: Icon, text }: { tone: string; icon: typeof Trash2; text: string }) {
  return (
    <span
      className={`${tone} tint inline-flex h-[22px] items-center gap-1.5 rounded-full border px-2 font-semibold text-tone-text text-xs`}
    >
      <Icon size={12} aria-hidden />
      {text}
    </span>
  );
}

function Problems({ view: { tree, sessions, gone }, alone }: { view: TreeView; alone: boolean }) {
  const orphaned = sessions.filter(({ claims }) => claims.some(({ health }) => health === 'orphaned'));
  return (
    <div className="flex flex-col">
      {tree.contested && (
        <p className="tone-warn flex gap-2 px-3 pb-2.5 text-tone-text">
          <TriangleAlert size={15} className="mt-0.5 shrink-0" aria-hidden />
          <span>
            {tree.live.length} live sessions share this git root, so a claim that names no session may stay unlinked
            here. Give each its own worktree.
          </span>
        </p>
      )}
      {orphaned.map((session) => (
        <p key={session.sessionId} className="tone-orphan flex gap-2 px-3 pb-2.5">
          <Unplug size={15} className="mt-0.5 shrink-0 text-tone-text" aria-hidden />
          <span>
            <b className="font-semibold">Orphaned claim.</b> Stop cause: {reasonText(session.reason)}. It ends when its
            lease ends; only its holder can release it.
          </span>
        </p>
      ))}
      {tree.needsCleanup && <CleanUp tree={tree} gone={gone} alone={alone} />}
    </div>
  );
}
