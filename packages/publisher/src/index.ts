export type * from './events.ts';
export type { Failure } from './failure.ts';
export { failureOf } from './failure.ts';
export { identityOf, type Test } from './identity.ts';
export { createPublisher, type Publisher, type PublisherOptions } from './publisher.ts';
export type { Step, Verdict } from './record.ts';
export { type TypeName, touched } from './touched.ts';
