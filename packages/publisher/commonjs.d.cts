/** What `require('signalbox-publisher')` returns. */
declare const publisher: Pick<
  typeof import('./dist/index.js', { with: { 'resolution-mode': 'import' }}),
  'touched' | 'createPublisher' | 'failureOf' | 'identityOf'
>;
export = publisher;
