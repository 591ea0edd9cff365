import { type StartOptions, start } from '../start.ts';
import { callThrough, type Door } from './call-through.ts';

/** A separate service with one of its transports open. */
export async function startWithTransport(door: Door, options: StartOptions = {}) {
  const service = await start(options);
  const call = await callThrough(service, door);
  return {
    service,
    call,
    clock: service.clock,
    async [Symbol.asyncDispose]() {
      await call[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}
