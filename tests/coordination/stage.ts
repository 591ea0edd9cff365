import { type StartOptions, start } from '../start.ts';
import { enter } from './enter.ts';

/** A service of its own with one of its doors open. */
export async function stage(door: 'rest' | 'mcp', options: StartOptions = {}) {
  const service = await start(options);
  const call = await enter(service, door);
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
