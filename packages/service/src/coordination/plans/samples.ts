/** The starting state of the commands' examples. */
export const shop = {
  plan: 'checkout-2',
  title: 'Checkout 2.0',
  repository: 'acme/shop',
  nodes: [
    { id: 'lexer', title: 'Write the lexer', binding: { kind: 'issue', issue: 'acme/shop#11' } },
    { id: 'parser', title: 'Rewrite the price parser', estimateMinutes: 90, dependsOn: ['lexer'] },
  ],
};

export const given = [['create_plan', { document: shop }]] as const;
export const givenArchived = [...given, ['archive_plan', { plan: 'checkout-2' }]] as const;

/** Two nodes that wait for each other. */
export const twoWaiting = [
  { id: 'b', dependsOn: ['c'] },
  { id: 'c', dependsOn: ['b'] },
];
