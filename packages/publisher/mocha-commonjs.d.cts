/** The reporter of Mocha, which requires it before version 12. */
declare const Reporter: typeof import('./dist/mocha.js', { with: { 'resolution-mode': 'import' }}).default;
export = Reporter;
