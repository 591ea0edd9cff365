// Mocha before 12 requires its reporters. On a Node version that cannot require an ES module, the tests still run.
const { createRequire } = require('node:module') as typeof import('node:module');

function printingOnly(): unknown {
  process.stderr.write(
    'signalbox-publisher/mocha needs Node 20.19, 22.12 or later with this version of Mocha; nothing is published.\n',
  );
  return createRequire(`${process.cwd()}/package.json`)('mocha').reporters.spec;
}

function reporter(): unknown {
  try {
    return (require('./mocha.js') as { default: unknown }).default;
  } catch (fault) {
    if ((fault as { code?: string }).code !== 'ERR_REQUIRE_ESM') throw fault;
    return printingOnly();
  }
}

module.exports = reporter();
