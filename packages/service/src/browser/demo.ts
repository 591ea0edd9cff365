import type { RestApi } from './api.ts';
import type { Call } from './call.ts';

/** One call of the running example. */
export type DemoStep = { title: string; play(call: Call<RestApi>): Promise<unknown> };

const step = <Name extends keyof RestApi>(name: Name, ref: string, input: RestApi[Name]['input']): DemoStep => ({
  title: `${name} ${ref}`,
  play: (call) => call(name, input),
});

const at = (ref: string) => {
  const [plan = '', node = ''] = ref.split('/');
  return { plan, node };
};

const claim = (ref: string, agent: string, leaseMinutes = 120): DemoStep =>
  step('claim_node', ref, { ...at(ref), agent, leaseMinutes });
const report = (ref: string, agent: string, note: string): DemoStep =>
  step('report_node', ref, { ...at(ref), agent, note });
const release = (ref: string, agent: string): DemoStep => step('release_node', ref, { ...at(ref), agent });
const signOff = (ref: string, by: string, note: string): DemoStep =>
  step('sign_off_node', ref, { ...at(ref), by, note });

/** Work on the example plans: some nodes are done and signed off, some claimed, some released with a note. */
const work: readonly DemoStep[] = [
  claim('platform-sdk/contract', 'ada'),
  report('platform-sdk/contract', 'ada', 'amountMinor is in, both forms validated against last week’s traffic'),
  release('platform-sdk/contract', 'ada'),
  signOff('platform-sdk/contract', 'ida', 'agreed with all four teams'),
  claim('checkout-2/lexer', 'bob'),
  report('checkout-2/lexer', 'bob', 'split; the old entry point stays until the parser is done'),
  release('checkout-2/lexer', 'bob'),
  signOff('checkout-2/lexer', 'ruth', 'reads well'),
  claim('platform-sdk/server', 'ada'),
  report('platform-sdk/server', 'ada', 'both forms served behind a flag, load test next'),
  claim('checkout-2/parser', 'bob'),
  report('checkout-2/parser', 'bob', 'grammar done, error messages left'),
  claim('platform-sdk/sdk-js', 'eve', 30),
  report('platform-sdk/sdk-js', 'eve', 'reader done; rounding in formatPrice is still wrong for JPY'),
  release('platform-sdk/sdk-js', 'eve'),
  claim('ledger-migration/expand', 'noor'),
];

/**
 * The running example, as the page and `signalbox demo` play it: the plan documents as YAML text by slug, then the work on
 * them. Every step may be repeated: plans are imported with `seed`, and work that is already done is refused.
 */
export const demoSteps = (documents: Readonly<Record<string, string>>): readonly DemoStep[] => [
  ...Object.entries(documents).map(([plan, document]) =>
    step('import_plan', plan, { plan, document, mode: 'seed', by: 'demo' }),
  ),
  ...work,
];
