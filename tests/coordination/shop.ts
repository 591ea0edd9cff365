const signOff = { kind: 'signOff' };

/** Two plans that wait for each other's nodes: most authoring tests use the first. */
export const shop = {
  plan: 'Shop',
  title: 'Checkout 2.0',
  repository: 'acme/shop',
  nodes: [
    { id: 'lexer', title: 'Write the lexer', binding: signOff },
    { id: 'parser', dependsOn: ['shop/LEXER', 'platform/sdk'], estimateMinutes: 90, labels: ['backend'] },
  ],
};
export const platform = { plan: 'platform', nodes: [{ id: 'sdk', binding: signOff, dependsOn: ['shop/lexer'] }] };
export const parser = { plan: 'shop', node: 'parser' };
export const lexer = { plan: 'shop', node: 'lexer' };
