import {
  Bot,
  CheckCheck,
  ExternalLink,
  Hand,
  Link as LinkIcon,
  Lock,
  MessageSquareText,
  Pencil,
  RotateCcw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { resumeCommand } from 'signalbox/browser/needs';
import { call } from '../../live/call.ts';
import { useHostName } from '../../live/connection.ts';
import type { NodeView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { Button, ButtonLink, ExternalButton } from '../../ui/button.tsx';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import { usePageActions } from '../../ui/page-actions.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useBoard } from '../agents/agent-queries.ts';
import { useActingAs } from '../shared/acting-as.tsx';
import { useMay } from '../shared/me.ts';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { useAction } from '../shared/use-action.ts';
import { firstActionOf, isMine, openDependencies } from './first-action.ts';
import { useNodeDialog } from './node-dialogs.tsx';
import { refreshNode } from './refresh-node.ts';

/**
 * The actions of a person on a node; the first button is the action that its state calls for. Only one's own claim can
 * be changed.
 */
export function NodeActions({ node, titleOf }: { node: NodeView; titleOf: (ref: string) => string | undefined }) {
  const open = useNodeDialog();
  const me = useActingAs();
  const mayWork = useMay('work');
  const mayAuthor = useMay('author');
  const first = firstActionOf(node, me);
  const may = !mayWork.disabled && node.claim === null && node.status !== 'done';
  usePageActions([
    may && { label: `Claim ${node.title}`, icon: Hand, run: () => open('claim', node) },
    isMine(node, me) && { label: `Report on ${node.title}`, icon: MessageSquareText, run: () => open('report', node) },
    isMine(node, me) && { label: `Release ${node.title}`, icon: Undo2, run: () => open('release', node) },
    !mayAuthor.disabled && { label: `Bind ${node.title}`, icon: LinkIcon, run: () => open('bind', node) },
    !mayAuthor.disabled && { label: `Edit ${node.title}`, icon: Pencil, run: () => open('edit', node) },
    !mayAuthor.disabled && { label: `Remove ${node.title}`, icon: Trash2, run: () => open('remove', node) },
    !mayAuthor.disabled &&
      node.binding?.kind === 'signOff' && {
        label: `Sign off ${node.title}`,
        icon: CheckCheck,
        run: () => open('signOff', node),
      },
  ]);
  const canClaim = node.claim === null && node.status !== 'done' && first !== 'claim' && first !== 'bind';
  return (
    <div className="flex flex-wrap gap-2">
      <FirstAction node={node} first={first} titleOf={titleOf} />
      {isMine(node, me) && (
        <Button icon={Undo2} {...mayWork} onClick={() => open('release', node)}>
          Release
        </Button>
      )}
      {canClaim && (
        <Button icon={Hand} {...mayWork} onClick={() => open('claim', node)}>
          {node.ready ? 'Claim' : 'Claim early'}
        </Button>
      )}
      {first === 'bind' && node.claim === null && (
        <Button icon={Hand} {...mayWork} onClick={() => open('claim', node)}>
          Claim
        </Button>
      )}
      {node.binding?.kind === 'signOff' && (
        <Button icon={CheckCheck} {...mayAuthor} onClick={() => open('signOff', node)}>
          {node.evidence?.state === 'signed' ? 'Revoke sign-off' : 'Sign off'}
        </Button>
      )}
      {(node.attempts.failed > 0 || node.notBefore !== null) && <ResetButton node={node} />}
      <Button icon={Pencil} {...mayAuthor} onClick={() => open('edit', node)}>
        Edit
      </Button>
    </div>
  );
}

/** Forgets failed attempts, so that the node is handed out again. */
function ResetButton({ node }: { node: NodeView }) {
  const me = useActingAs();
  const mayAuthor = useMay('author');
  const { act, busy, problem } = useAction();
  const reset = () =>
    act(async () => {
      await call('reset_node', { plan: node.plan, node: node.id, by: me || undefined });
      await refreshNode(node.plan);
      showToast(`${node.title} is handed out again`);
    });
  return (
    <>
      <Button icon={RotateCcw} {...mayAuthor} disabled={busy || mayAuthor.disabled} onClick={reset}>
        Reset attempts
      </Button>
      <RefusalNotice problem={problem} />
    </>
  );
}

type FirstProps = {
  node: NodeView;
  first: ReturnType<typeof firstActionOf>;
  titleOf: (ref: string) => string | undefined;
};

function FirstAction({ node, first, titleOf }: FirstProps) {
  const open = useNodeDialog();
  const mayWork = useMay('work');
  const mayAuthor = useMay('author');
  switch (first) {
    case 'claim':
      return (
        <Button kind="primary" icon={Hand} {...mayWork} onClick={() => open('claim', node)}>
          Claim
        </Button>
      );
    case 'report':
      return (
        <Button kind="primary" icon={MessageSquareText} {...mayWork} onClick={() => open('report', node)}>
          Report
        </Button>
      );
    case 'bind':
      return (
        <Button kind="primary" icon={LinkIcon} {...mayAuthor} onClick={() => open('bind', node)}>
          Bind
        </Button>
      );
    case 'run':
      return node.evidence?.runId ? (
        <ButtonLink kind="primary" href={paths.run(node.evidence.runId)}>
          {node.status === 'failed'
            ? 'Open failing run'
            : node.status === 'running'
              ? 'Open live run'
              : 'Open evidence'}
        </ButtonLink>
      ) : null;
    case 'evidence':
      return (
        <ExternalButton icon={ExternalLink} href={node.evidence?.url ?? ''}>
          Open evidence
        </ExternalButton>
      );
    case 'waits':
      return <WaitsFor node={node} titleOf={titleOf} />;
    case 'resume':
      return <Resume node={node} />;
    case 'session':
      return (
        <ButtonLink kind="primary" icon={Bot} href={paths.session(node.claim?.sessionId ?? '')}>
          {node.claim?.correlation === 'inferred' ? "Possibly the holder's session" : "Open the holder's session"}
        </ButtonLink>
      );
    case 'none':
      return null;
  }
}

/** The first dependency that blocks a node, as a link. */
function WaitsFor({ node, titleOf }: Omit<FirstProps, 'first'>) {
  const [ref, ...more] = openDependencies(node);
  if (ref === undefined) return null;
  return (
    <ButtonLink kind="primary" icon={Lock} href={paths.nodeRef(ref)}>
      Waits for {titleOf(ref) ?? ref}
      {more.length > 0 && ` and ${more.length} more`}
    </ButtonLink>
  );
}

/** The command that continues the session of an orphaned claim, by its tool. */
function Resume({ node }: { node: NodeView }) {
  const sessionId = node.claim?.sessionId ?? '';
  const session = useBoard().data?.sessions.find((one) => one.sessionId === sessionId);
  const here = useHostName();
  const command = session && (here === null || session.host === here) ? resumeCommand(session) : null;
  if (command === null)
    return (
      <ButtonLink kind="primary" icon={Bot} href={paths.session(sessionId)}>
        Open the ended session
      </ButtonLink>
    );
  return (
    <CopyTextButton text={command} primary>
      Copy resume command
    </CopyTextButton>
  );
}
