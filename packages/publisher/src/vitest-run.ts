import { availableParallelism } from 'node:os';
import { relativeTo } from './failure.ts';
import { Identities, type Test } from './identity.ts';
import { Lanes } from './lanes.ts';
import type { Output } from './output.ts';
import { createPublisher, type PublisherOptions } from './publisher.ts';
import type { TestModule, Vitest } from './vitest-api.ts';

/** A running file and its announced tests. */
type Module = { module: TestModule; tests: Test[]; lane: number; done: boolean; crashed: boolean };

/** One run. Watch mode has many in a process, each with a new object. */
export function createRun({ root: folder, maxWorkers }: Vitest['config'], options: PublisherOptions) {
  const publisher = createPublisher({ tool: 'vitest', mode: 'supervised', folder, ...options });
  return {
    publisher,
    folder,
    names: new Identities(),
    tests: new Map<string, Test>(),
    modules: new Map<string, Module>(),
    printed: new Map<string, Output>(),
    lanes: new Lanes(),
    /** The lane of the compiler that checks types, beside those of the workers. */
    typesLane: maxWorkers ?? availableParallelism(),
    workers: new Map<number, number>(),
  };
}
export type Run = ReturnType<typeof createRun>;

export const fileOf = ({ publisher }: Run, module: TestModule) => relativeTo(publisher.root, module.moduleId);
