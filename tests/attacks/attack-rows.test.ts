import { checkReportRows } from '../report-rows.ts';

const here = 'tests/attacks';

checkReportRows('A', 20, {
  A1: {
    says: 'A foreign, missing, empty or doubled Host on every route of both ports',
    tests: [
      `${here}/senders.test.ts > a foreign Host is refused on every route of both ports`,
      `${here}/senders.test.ts > no Host, an empty one or two of them are refused on every route of both ports`,
    ],
  },
  A2: {
    says: 'A foreign Origin on every route, the hub and MCP included',
    tests: [`${here}/senders.test.ts > a foreign Origin is refused on every route of both ports`],
  },
  A3: {
    says: 'A simple cross-site POST that carries JSON under another name',
    tests: [`${here}/senders.test.ts > a cross-site simple POST is a 415 on every route that takes a body`],
  },
  A4: {
    says: 'Sec-Fetch-Site of another site on every route; a WebSocket from a foreign page',
    tests: [
      `${here}/senders.test.ts > a page of another site may link here and do nothing else`,
      `${here}/hub.test.ts > a stranger is refused before the line changes its protocol`,
    ],
  },
  A5: {
    says: 'Bodies of 100 MB, declared, chunked and compressed',
    tests: [
      `${here}/bodies.test.ts > a body over its limit is a 413 at once on every route that takes one`,
      `${here}/bodies.test.ts > a compressed body is refused before it is opened`,
    ],
  },
  A6: {
    says: 'JSON that is deep, wide, broken, doubled or no UTF-8',
    tests: [
      `${here}/bodies.test.ts > JSON deeper than 64 levels is a 413 on every route, however deep`,
      `${here}/bodies.test.ts > strange JSON is refused or taken on every route, and never a fault of ours`,
      `${here}/bodies.test.ts > a text that is taken is stored exactly`,
    ],
  },
  A7: {
    says: 'Names of prototypes as slug, node, agent, label, run id and member',
    tests: [
      `${here}/names.test.ts > names of prototypes are plain names or a 400, and pollute nothing`,
      `${here}/names.test.ts > a member named __proto__ in the arguments of any tool`,
    ],
  },
  A8: {
    says: 'Names that lead out of the data path, or two names that share a file',
    tests: [
      `${here}/names.test.ts > a name that leads elsewhere, in any part of any path of both ports`,
      `${here}/names.test.ts > a run id or a source that leads elsewhere is refused in a body too`,
    ],
  },
  A9: {
    says: 'Links, pipes, devices and folders where session files should be',
    tests: [
      'tests/faults/session-files.test.ts > pipes, links, folders and strange names are no transcripts',
      'tests/faults/session-files.test.ts > endless devices, loops of links and second names of a file outside',
    ],
  },
  A10: {
    says: 'Requests that two parsers would cut differently',
    tests: [`${here}/wire.test.ts > what is no HTTP is answered with a problem and cut off`],
  },
  A11: {
    says: 'Sockets that send a byte now and then',
    tests: [
      `${here}/wire.test.ts > every listener has a limit on how long a request may take to arrive`,
      `${here}/wire.test.ts > sockets that send a byte now and then hold nobody up, and are cut off`,
    ],
  },
  A12: {
    says: 'Connects without end, and frames that no client has a reason to send',
    tests: [
      `${here}/hub.test.ts > frames that no client has a reason to send are closed by their code`,
      `${here}/hub.test.ts > connects as fast as they come disturb nobody`,
    ],
  },
  A13: {
    says: 'Names that are no XML in an export that is',
    tests: ['tests/scenarios/exports.test.ts > names of any characters, and a megabyte of text, stay legal'],
  },
  A14: {
    says: 'Escape sequences in the terminal and markup in the page',
    tests: [
      `${here}/texts.test.ts > an escape sequence in a name never reaches the terminal as one`,
      `${here}/texts.test.ts > links in names stay text`,
      'tests/browser/plans.test.ts > titles full of markup and control characters are text, nothing else',
    ],
  },
  A15: {
    says: 'Long texts against every pattern',
    tests: [
      `${here}/calls.test.ts > a text of 100 KB in any member of any command is answered`,
      'tests/long/loop/freezes.test.ts > a suite named by 60,000 dashes is exported without holding anybody up',
      'tests/long/fuzz/long-fuzz.test.ts > long texts in every member, file and header hold nobody up for 100 ms',
    ],
  },
  A16: {
    says: 'What is no proper MCP',
    tests: [`${here}/calls.test.ts > what is no proper MCP is answered as JSON-RPC tells`],
  },
  A17: {
    says: 'Leases of impossible lengths',
    tests: [
      `${here}/calls.test.ts > a lease of a length that nobody can mean is a 400`,
      `${here}/calls.test.ts > the shortest lease is a millisecond, and a claim`,
    ],
  },
  A18: {
    says: 'Names in forty scripts, with twins that only normalisation tells apart',
    tests: [`${here}/names.test.ts > names in forty scripts`],
  },
  A19: {
    says: 'Listening beyond loopback without a token',
    tests: ['tests/scenarios/ports.test.ts > beyond loopback without a token it refuses and says how to go on'],
  },
  A20: {
    says: 'A million requests of a grammar, mutated',
    tests: ['tests/long/fuzz/fuzz.test.ts > requests of a grammar, mutated, crash nothing and meet no fault inside'],
  },
});
