import { Send, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../live/call.ts';
import { queryClient } from '../../live/query-client.ts';
import type { Webhook, WebhookDelivery } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { usePageActions } from '../../ui/page-actions.ts';
import { formatDateTime, useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useMay } from '../shared/me.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { useAction } from '../shared/use-action.ts';
import { useDeliveries, useWebhooks } from './access-queries.ts';
import { FactsTable, wrapped } from './facts-table.tsx';

const readAgain = () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks });

export function WebhooksPage() {
  useBreadcrumbs({ label: 'Webhooks' });
  const webhooks = useWebhooks();
  const may = useMay('admin');
  const { act, busy } = useAction();
  const test = () =>
    act(async () => {
      const { results } = await call('test_webhooks', {});
      for (const { name, accepted, status, error } of results)
        showToast(accepted ? `${name} accepted a test (${status})` : `${name} did not accept a test: ${error}`);
      await readAgain();
    });
  const hasAny = (webhooks.data?.length ?? 0) > 0;
  usePageActions([hasAny && !may.disabled && { label: 'Test webhooks', icon: Send, run: () => void test() }]);
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Who is notified, and what was sent in the last 7 days."
        actions={
          hasAny && (
            <Button icon={Send} {...may} {...(busy && { disabled: true })} onClick={() => void test()}>
              Send a test
            </Button>
          )
        }
      />
      <PageBody>
        <QueryResult query={webhooks}>
          {(list) => (list.length === 0 ? <None /> : <Receivers list={list} />)}
        </QueryResult>
      </PageBody>
    </>
  );
}

function Receivers({ list }: { list: readonly Webhook[] }) {
  const [receiver, setReceiver] = useState<string | null>(null);
  const deliveries = useDeliveries(receiver);
  return (
    <div className="flex flex-col gap-5">
      <FactsTable
        label="Receivers"
        headings={['Name', 'Address', 'Format', 'Events', 'Signed', 'State', 'Waiting', 'Last try', 'Deliveries']}
        rows={list.map((webhook) => ({
          key: webhook.id,
          cells: [
            <b key="name">{webhook.name}</b>,
            <code key="url" className={`font-mono text-code ${wrapped}`}>
              {webhook.url}
            </code>,
            webhook.format,
            <span key="events" title={webhook.events?.join(', ')}>
              {webhook.events === null ? 'all' : webhook.events.length}
            </span>,
            webhook.signed ? 'yes' : 'no',
            <State key="state" state={webhook.state} error={webhook.lastError} />,
            webhook.waiting,
            <span key="last" className={wrapped}>
              {webhook.lastAt === null ? 'never' : formatDateTime(webhook.lastAt)}
            </span>,
            <Button
              key="show"
              kind={receiver === webhook.id ? 'on' : 'plain'}
              aria-pressed={receiver === webhook.id}
              onClick={() => setReceiver(receiver === webhook.id ? null : webhook.id)}
            >
              Only these
            </Button>,
          ],
        }))}
      />
      <QueryResult query={deliveries}>
        {(found) =>
          found.length === 0 ? (
            <p className="text-fg-3">Nothing was sent yet.</p>
          ) : (
            <FactsTable
              label="Deliveries"
              headings={['When', 'Event', 'About', 'Receiver', 'State', 'Tries', 'Next try', 'Action']}
              rows={found.map(rowOf)}
            />
          )
        }
      </QueryResult>
    </div>
  );
}

const tones = { ok: 'text-fg-2', delivered: 'text-fg-2', unused: 'text-fg-3', waiting: 'tone-warn text-tone-text' };

function State({ state, error }: { state: Webhook['state'] | WebhookDelivery['state']; error: string | null }) {
  const isBad = state === 'failing' || state === 'failed';
  return (
    <span className={`${isBad ? 'tone-fail text-tone-text' : tones[state]} ${error === null ? '' : wrapped}`}>
      {state}
      {error !== null && state !== 'delivered' && state !== 'ok' && `: ${error}`}
    </span>
  );
}

/** One line where there is room. */
const dated = `${wrapped} xl:whitespace-nowrap`;

const rowOf = (delivery: WebhookDelivery) => ({
  key: String(delivery.number),
  cells: [
    <span key="at" className={dated}>
      {formatDateTime(delivery.at)}
    </span>,
    <code key="type" className="font-mono text-code" title={delivery.text}>
      {delivery.type}
    </code>,
    <About key="about" delivery={delivery} />,
    delivery.name ?? 'not in the settings',
    <State key="state" state={delivery.state} error={delivery.lastError} />,
    delivery.attempts,
    <NextTry key="next" delivery={delivery} />,
    <Redeliver key="again" delivery={delivery} />,
  ],
});

/** A delivery is first tried once the earlier ones of its receiver were accepted, however long ago it was due. */
function NextTry({ delivery: { nextAt, attempts } }: { delivery: WebhookDelivery }) {
  const now = useNow();
  if (nextAt === null) return null;
  const isDue = Date.parse(nextAt) <= now;
  return (
    <span className={dated}>{isDue ? (attempts === 0 ? 'after earlier ones' : 'now') : formatDateTime(nextAt)}</span>
  );
}

function About({ delivery: { type, subject } }: { delivery: WebhookDelivery }) {
  const href =
    type.startsWith('node_') || type === 'claim_orphaned'
      ? paths.nodeRef(subject)
      : type === 'plan_done'
        ? paths.plan(subject)
        : type.startsWith('run_') || type === 'test_flaky'
          ? paths.run(subject)
          : type === 'session_waiting'
            ? paths.session(subject)
            : paths.tree(subject);
  return (
    <Link href={href} className={`rounded underline decoration-dotted ${wrapped}`}>
      {subject}
    </Link>
  );
}

function Redeliver({ delivery: { number, name, type } }: { delivery: WebhookDelivery }) {
  const { act, busy } = useAction();
  const may = useMay('admin');
  const again = () =>
    act(async () => {
      await call('redeliver_webhook', { delivery: String(number) });
      await readAgain();
      showToast(`${type} is sent again`);
    });
  return (
    <Button {...may} {...((busy || name === null) && { disabled: true })} onClick={() => void again()}>
      Redeliver
    </Button>
  );
}

function None() {
  return (
    <EmptyState icon={WebhookIcon} title="No webhooks">
      <p>
        Set <code className="font-mono">Service:Webhooks</code> and restart. Signalbox then notifies your CI, a chat or
        another system when a node is ready, claimed, done or failed, and when a run fails or recovers.
      </p>
    </EmptyState>
  );
}
