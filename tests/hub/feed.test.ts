import { expect } from 'vitest';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { viaEvents, viaSignalr, viaSocket } from './clients.ts';

const announce = ({ running }: Started, type: string, data: object, subject?: string) =>
  running.coordination.ctx.announcements.announce({ type, data, ...(subject && { subject }) });

const agents = (service: Started, from: number, to: number) => {
  for (let n = from; n <= to; n += 1) announce(service, 'agents_changed', { sessions: [`s${n}`], trees: [] });
};

const sessions = (heard: readonly { data: { sessions?: string[] } }[]) => heard.map(({ data }) => data.sessions?.[0]);

verifies(
  ['hub:on-coordination', 'hub:sse', 'hub:websocket', 'hub:signalr', 'hub:signalr-starts-with-reset'],
  'an EventSource, a WebSocket and the stock SignalR client all hear',
  async () => {
    await using service = await start();
    await using events = await viaEvents(service);
    await using socket = await viaSocket(service);
    await using signalr = await viaSignalr(service);
    agents(service, 1, 3);
    const [reset, ...rest] = await signalr.until(4);
    expect(reset).toMatchObject({ type: 'reset', data: {} });
    expect(await events.until(3)).toEqual(rest);
    expect(await socket.until(3)).toEqual(rest);
    expect(sessions(rest)).toEqual(['s1', 's2', 's3']);
  },
);
