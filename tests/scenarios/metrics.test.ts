import { expect } from 'vitest';
import { connect } from '../../packages/service/src/client/index.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { viaEvents } from '../hub/clients.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

/** The value of one line of the Prometheus text; undefined if there is none. */
const valueIn = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

verifies(
  'open:docs-want-token',
  'both ports tell their measures in the Prometheus text format, behind the token, without a name in a label',
  async () => {
    await using service = await start({ settings: { Token: 'a-secret-of-this-test', LicenceGate: 'off' } });
    const token = { authorization: 'Bearer a-secret-of-this-test' };
    for (const ask of [service.call, service.console]) {
      expect((await ask('GET', '/metrics')).body.code).toBe('token_required');
    }
    await service.call('POST', '/api/plans', { plan: 'secret-plan', nodes: [{ id: 'a' }, { id: 'b' }] }, token);
    await service.call('POST', '/api/plans/secret-plan/nodes/a/claim', { agent: 'mallory' }, token);
    await service.call('GET', '/api/plans/nowhere', undefined, token);
    const events = [...wholeRun('r1', 'Cart/total', 'CleanPass'), { type: 'unheard', runId: 'r1' }, { nothing: true }];
    await service.console('POST', '/api/ingest', { events }, token);
    await using _ = await viaEvents(service, '?access_token=a-secret-of-this-test');
    using box = connect({ url: service.url, token: 'a-secret-of-this-test' });
    // Only a socket has this command.
    await box.call('await_node', { plan: 'secret-plan', node: 'b', until: 'unclaimed' });
    await box.call('get_plan', { plan: 'nowhere' }).catch(() => undefined);

    const { text, headers } = await service.call('GET', '/metrics', undefined, token);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const value = (series: string) => valueIn(text, series);
    expect(value('signalbox_plans')).toBe(1);
    expect(value('signalbox_ready_nodes')).toBe(2);
    expect(value('signalbox_claims')).toBe(1);
    expect(value('signalbox_log_events_total{type="node_claimed"}')).toBe(1);
    expect(value('signalbox_hub_clients')).toBe(1);
    expect(value('signalbox_sockets')).toBe(1);
    expect(value('signalbox_socket_calls_total{command="get_plan"}')).toBe(1);
    expect(value('signalbox_socket_refusals_total{code="plan_not_found"}')).toBe(1);
    expect(value('signalbox_http_requests_total{route="GET /api/plans/:plan",status="4xx"}')).toBe(1);
    expect(value('signalbox_http_request_duration_seconds_count{route="POST /api/plans"}')).toBe(1);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(text).not.toMatch(/secret|mallory|Cart/);

    const console = (await service.console('GET', '/metrics', undefined, token)).text;
    expect(valueIn(console, 'signalbox_ingest_events_total{result="accepted"}')).toBe(4);
    expect(valueIn(console, 'signalbox_ingest_events_total{result="ignored"}')).toBe(1);
    expect(valueIn(console, 'signalbox_ingest_events_total{result="rejected"}')).toBe(1);
    expect(valueIn(console, 'signalbox_runs{state="finished"}')).toBe(1);
    for (const line of `${text}${console}`.split('\n').filter((line) => line !== '')) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(\{([a-z]+="[^"]*",?)+\})? ([-+0-9.e]+|Nan))$/);
    }
  },
);
