// The exports for CommonJS test files. Jest cannot require an ES module, so this file has its own copy of `touched`.
const { appendFileSync } = require('node:fs') as typeof import('node:fs');

type Line = { test: string; type: { name: string; fullName: string; assemblyName: string } };
type State = { currentTestName?: string; testPath?: string };
type Globals = { expect?: { getState?(): State } } & Record<symbol, unknown>;

function touched(type: string | { name: string; module?: string }, context?: object): void {
  try {
    const globals = globalThis as Globals;
    const spool = process.env.SIGNALBOX_TOUCHED;
    const state = context ? undefined : globals.expect?.getState?.();
    if (!state?.currentTestName) {
      whole().touched(type, context);
      return;
    }
    const { name, module: from = '' }: { name: string; module?: string } =
      typeof type === 'string' ? { name: type } : type;
    const fullName = from === '' ? name : `${from}.${name}`;
    const line: Line = {
      test: `${state.testPath ?? ''}\n${state.currentTestName}`,
      type: { name: name.slice(name.lastIndexOf('.') + 1), fullName, assemblyName: from },
    };
    if (spool) appendFileSync(spool, `${JSON.stringify(line)}\n`);
  } catch {
    // Recording evidence must never make a test fail.
  }
}

/** For everything else, the package itself, which Node can require and Jest cannot. */
const whole = (): typeof import('./index.ts', { with: { 'resolution-mode': 'import' }}) => require('./index.js');

module.exports = {
  touched,
  get createPublisher() {
    return whole().createPublisher;
  },
  get failureOf() {
    return whole().failureOf;
  },
  get identityOf() {
    return whole().identityOf;
  },
};
