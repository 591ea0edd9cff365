import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { RestApi } from 'signalbox/browser/api';
import { call } from '../../live/call.ts';
import { queryClient } from '../../live/query-client.ts';
import type { Token } from '../../live/wire.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { Notice } from '../../ui/notice.tsx';
import { Chip, EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { usePageActions } from '../../ui/page-actions.ts';
import { formatDateTime } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { DemoCommand } from '../shared/demo-command.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useMay, useMe } from '../shared/me.ts';
import { useCommands } from '../shared/pasted-commands.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { TeachingCommand } from '../shared/teaching-command.tsx';
import { useAction } from '../shared/use-action.ts';
import { useTokens } from './access-queries.ts';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { FactsTable } from './facts-table.tsx';

export function TokensPage() {
  useBreadcrumbs({ label: 'Tokens' });
  const tokens = useTokens();
  const me = useMe();
  const may = useMay('admin');
  const [creating, setCreating] = useState(false);
  usePageActions([!may.disabled && { label: 'New token', icon: Plus, run: () => setCreating(true) }]);
  return (
    <>
      <PageHeader
        title="Tokens"
        description="Who may do what. Every action with a named token carries its name."
        actions={
          <Button kind="primary" icon={Plus} {...may} onClick={() => setCreating(true)}>
            New token
          </Button>
        }
      />
      <PageBody>
        {me?.tokenAsked === false && (
          <div className="mb-3">
            <Notice tone="warn" title="No token is required.">
              Everybody who can reach this service may do everything. Set Service:Token and restart.
            </Notice>
          </div>
        )}
        <QueryResult query={tokens}>{(list) => (list.length === 0 ? <None /> : <List list={list} />)}</QueryResult>
      </PageBody>
      {creating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function List({ list }: { list: readonly Token[] }) {
  const [revoking, setRevoking] = useState<string | null>(null);
  const may = useMay('admin');
  return (
    <div className="flex flex-col gap-4">
      <FactsTable
        label="Tokens"
        headings={['Name', 'Scopes', 'Created', 'By', 'Expires', 'Action']}
        rows={list.map((token) => ({
          key: token.name,
          cells: [
            <b key="name">{token.name}</b>,
            token.scopes.join(', '),
            formatDateTime(token.createdAt),
            token.createdBy,
            token.expiresAt === null ? 'never' : <Expiry key="end" token={token} />,
            <Button key="revoke" kind="danger" {...may} onClick={() => setRevoking(token.name)}>
              Revoke
            </Button>,
          ],
        }))}
      />
      {revoking !== null && <RevokeDialog name={revoking} onClose={() => setRevoking(null)} />}
    </div>
  );
}

const Expiry = ({ token }: { token: Token }) => (
  <span className="flex items-center gap-2">
    {token.expiresAt && formatDateTime(token.expiresAt)}
    {token.expired && <Chip>expired</Chip>}
  </span>
);

function RevokeDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { act, busy, problem } = useAction();
  const [left, setLeft] = useState<RestApi['revoke_token']['output']['claims']>();
  const revoke = () =>
    act(async () => {
      const { claims } = await call('revoke_token', { name });
      await queryClient.invalidateQueries({ queryKey: queryKeys.tokens });
      showToast(`Token ${name} revoked`);
      if (claims) setLeft(claims);
      else onClose();
    });
  const release = () =>
    act(async () => {
      for (const { ref, agent } of left ?? []) {
        const [plan = '', node = ''] = ref.split('/', 2);
        await call('release_node', { plan, node, agent });
      }
      await queryClient.invalidateQueries();
      showToast(`${countWithNoun(left?.length ?? 0, 'node')} released`);
      onClose();
    });
  if (left) {
    return (
      <Dialog title={`${name} still holds ${countWithNoun(left.length, 'node')}`} onClose={onClose}>
        <ul className="flex flex-col gap-1 font-mono text-code">
          {left.map(({ ref, expiresAt }) => (
            <li key={ref}>
              {ref} <span className="text-fg-3">until {formatDateTime(expiresAt)}</span>
            </li>
          ))}
        </ul>
        <p className="text-fg-2">They stay claimed until then, unless you release them. Their notes are kept.</p>
        <DialogFooter {...{ busy, problem, onClose }} label="Release them" onConfirm={() => void release()} />
      </Dialog>
    );
  }
  return (
    <Dialog title={`Revoke ${name}`} onClose={onClose}>
      <form
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          void revoke();
        }}
      >
        <p className="text-fg-2">
          Its requests are refused at once and its logins end. Its past actions stay in the history and in the audit.
        </p>
        <DialogFooter {...{ busy, problem, onClose }} label="Revoke" />
      </form>
    </Dialog>
  );
}

function None() {
  return (
    <EmptyState icon={KeyRound} title="No named tokens yet">
      <p>
        Give each person, agent and CI a token of its own: their claims, sign-offs and runs then carry its name as a
        fact.
      </p>
      <TeachingCommand title="On the command line" text={useCommands().createToken} />
      <DemoCommand />
    </EmptyState>
  );
}
