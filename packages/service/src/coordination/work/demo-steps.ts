/** One call of the story: a command of the registry by its name. */
export type DemoStep = { command: string; input: Readonly<Record<string, unknown>> };

const at = (ref: string) => {
  const [plan = '', node = ''] = ref.split('/');
  return { plan, node };
};

const claim = (ref: string, agent: string, leaseMinutes = 120): DemoStep => ({
  command: 'claim_node',
  input: { ...at(ref), agent, leaseMinutes },
});
const report = (ref: string, agent: string, note: string): DemoStep => ({
  command: 'report_node',
  input: { ...at(ref), agent, note },
});
const release = (ref: string, agent: string): DemoStep => ({ command: 'release_node', input: { ...at(ref), agent } });
const signOff = (ref: string, by: string, note: string): DemoStep => ({
  command: 'sign_off_node',
  input: { ...at(ref), by, note },
});

/** Work in progress on the example plans: some of it done and signed, some held, some handed on with a note. */
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
 * The running example: the plan documents as YAML text by slug, then the work on them. Every step may be played again;
 * plans are imported in seed shape and what is done already is refused without harm.
 */
export const demoSteps = (documents: Readonly<Record<string, string>>): readonly DemoStep[] => [
  ...Object.entries(documents).map(([plan, document]) => ({
    command: 'import_plan',
    input: { plan, document, mode: 'seed', by: 'demo' },
  })),
  ...work,
];
