import { checkReportRows } from '../report-rows.ts';

const here = 'tests/attacks';

checkReportRows('A', 42, {
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
      `${here}/wire.test.ts > sockets that send a byte now and then delay nobody, and are closed`,
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
      `${here}/texts.test.ts > an escape sequence in a name never reaches the terminal unescaped, in any log line`,
      `${here}/texts.test.ts > links in names stay text`,
      'tests/browser/plans.test.ts > titles full of markup and control characters are text, nothing else',
    ],
  },
  A15: {
    says: 'Long texts against every pattern',
    tests: [
      `${here}/calls.test.ts > a text of 100 KB in any member of any command is answered`,
      'tests/long/loop/freezes.test.ts > a suite named by 60,000 dashes is exported without holding anybody up',
      'tests/console/runs-in-memory.test.ts > archives of many runs that are asked for at once are read four at a time',
      'tests/console/run-store.test.ts > batches whose archives are flushed are deleted a thousand at a time, so that other work goes on in between',
      'packages/service/src/console/runs/replay.test.ts > archives whose lines arrive in one turn of the event loop wait for a turn with time left before a line is read',
      'tests/long/fuzz/long-fuzz.test.ts > long texts in every member, file and header hold nobody up for 100 ms',
    ],
  },
  A16: {
    says: 'Invalid MCP',
    tests: [
      `${here}/calls.test.ts > invalid MCP gets a JSON-RPC error, or an HTTP refusal, and never crashes anything`,
    ],
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
  A21: {
    says: 'A repository whose configuration starts programs',
    tests: [
      `${here}/git-programs.test.ts > a crafted repository starts no program under any route that starts git, and is read all the same`,
      `${here}/git-programs.test.ts > a list of filters over any length starts none of them`,
      `${here}/git-programs.test.ts > a working tree that is linked, and one whose git folder is elsewhere, start no program either`,
      `${here}/git-programs.test.ts > variables of git that the service was started with start no program`,
    ],
  },
  A22: {
    says: 'A text of others in every answer of every tool',
    tests: [
      `${here}/untrusted-texts.test.ts > every member of a tool's answer that may contain untrusted text is marked`,
      `${here}/untrusted-texts.test.ts > planted through every door that takes texts, no tool hands one of them to an agent unmarked`,
    ],
  },
  A23: {
    says: 'A text that closes what it is copied in',
    tests: [
      `packages/service/src/console/runs/failure/failures.test.ts > nothing from a test run is outside the boundary of a prompt for an agent, and nothing can close it`,
    ],
  },
  A24: {
    says: 'A signalbox.json that came with a repository',
    tests: [
      `tests/scenarios/config.test.ts > what decides over trust is taken from the user, never from the working directory`,
      `tests/scenarios/config.test.ts > a configuration file is a plain file of at most 64 KiB: a device, a pipe or a link is not waited for`,
    ],
  },
  A25: {
    says: 'Frames with very many requests',
    tests: [
      `tests/socket/socket-calls.test.ts > a frame of more than 256 requests of any kind is one error and nothing of it is done; one of 256 is taken`,
      `tests/socket/socket-calls.test.ts > frames that come together are taken in several turns of the event loop, in their order`,
    ],
  },
  A26: {
    says: 'Searches that look at everything',
    tests: [
      `packages/service/src/coordination/repositories/note-index.test.ts > a search looks at so many words and places and no more, and finds the words as written all the same`,
    ],
  },
  A27: {
    says: 'A publisher that fills the disk',
    tests: [
      `${here}/quotas.test.ts > a run has so many megabytes, and a publisher so many an hour, whatever its events are; ends of runs are always taken`,
    ],
  },
  A28: {
    says: 'A sender that uses up what others have',
    tests: [
      `${here}/quotas.test.ts > a token uses up its own quota and not that of its address, and streams do not use up requests`,
      `${here}/quotas.test.ts > an address that holds 2,000 streams open gets a 429 for more of them, and its calls are answered, in a heap of 256 MB`,
    ],
  },
  A29: {
    says: 'A revoked token that goes on listening',
    tests: [
      `tests/socket/socket-calls.test.ts > a revoked token loses its streams, sockets and calls under way within half a second, and nobody else does`,
      `tests/hosts/tokens.test.ts > a token made or revoked through one host counts on the other by itself`,
    ],
  },
  A30: {
    says: 'An audit that is pushed out or changed',
    tests: [
      `tests/scenarios/audit.test.ts > repeated denials are one entry with a count, readable at once, and a ref is short and has no control characters`,
      `tests/scenarios/audit.test.ts > every line has a hash over the one before, what was changed or removed is found, and what had to be dropped is written down`,
    ],
  },
  A31: {
    says: 'Secrets of a command line and of its environment',
    tests: [
      `packages/service/src/cli/run/without-secrets.test.ts > scripts and headers are searched for secrets too`,
      `tests/publishers/run.test.ts > the tests get a token for their run alone, and that of the caller is not among their variables`,
    ],
  },
  A32: {
    says: 'Names that reach other paths, and addresses with passwords',
    tests: [
      `${here}/untried-parts.test.ts > a binding names one issue, pull request or repository, and no other path of the API`,
      `${here}/untried-parts.test.ts > neither doctor nor the log shows the password of an address`,
      `${here}/untried-parts.test.ts > a registry in the .npmrc of the working directory does not decide what proves a package`,
    ],
  },
  A33: {
    says: 'A lock of the database that somebody else holds',
    tests: [
      `${here}/untried-parts.test.ts > who holds the lock of a database is named while a start waits for it, and it is not asked for without need`,
    ],
  },
  A34: {
    says: 'Hostile session folders, badges, ids to resume after, certificates',
    tests: [
      `${here}/untried-parts.test.ts > the session folder of %s with devices, pipes, sparse files, folders and loops for files is read to its end`,
      `${here}/untried-parts.test.ts > a badge is well-formed and contains no markup from a suite's name`,
      `${here}/untried-parts.test.ts > resuming after an unknown id is refused or starts over, on streams and sockets`,
      `${here}/untried-parts.test.ts > a certificate that is a pipe or a device ends the start instead of waiting for it`,
    ],
  },
  A35: {
    says: 'Forged answers of GitHub and of a registry',
    tests: [
      `${here}/forged-answers.test.ts > a server that answers as GitHub with %s proves nothing`,
      `${here}/forged-answers.test.ts > an address that runs a script is not kept as evidence`,
      `${here}/forged-answers.test.ts > a redirect takes the token nowhere else`,
      `${here}/forged-answers.test.ts > a registry that answers %s proves no package`,
    ],
  },
  A36: {
    says: 'What upgrade, doctor and migrate-store print of others',
    tests: [
      `${here}/forged-answers.test.ts > upgrade --check shows no escape sequence of another program, and tolerates any owner.json`,
      `${here}/forged-answers.test.ts > migrate-store never prints the password of an address, nor an escape sequence in it`,
    ],
  },
  A37: {
    says: 'Sign-ins and access tokens that are forged, replayed or for somebody else',
    tests: [
      'tests/oidc/forged-sign-ins.test.ts > an answer of the provider counts once, in the browser that asked for it, with its state',
      'tests/oidc/forged-sign-ins.test.ts > an answer of the provider %s is refused',
      'tests/oidc/forged-sign-ins.test.ts > a sign-in that took too long is refused, and so is one that names another issuer',
      "tests/oidc/forged-sign-ins.test.ts > after a sign-in the browser stays at this service, regardless of the URL's parameters",
      'tests/oidc/forged-sign-ins.test.ts > with a cookie nothing can be written from another site, nor a line be opened',
      'tests/oidc/forged-sign-ins.test.ts > a token that is forged, old, for another service or from another issuer is refused through every door',
    ],
  },
  A38: {
    says: 'The one-file publisher against a hostile console',
    tests: [
      `tests/publishers/hostile-console.test.ts > a console that answers %s changes nothing about the suite`,
      `tests/publishers/hostile-console.test.ts > a port that answers %s changes nothing about the suite`,
    ],
  },
  A39: {
    says: 'TLS settings that cannot be used',
    tests: [`${here}/tls-settings.test.ts > %s for TLS ends the start with its cause, and nothing listens without TLS`],
  },
  A40: {
    says: 'Answers without end, and forged commits',
    tests: [
      `${here}/forged-answers.test.ts > an answer of GitHub or of a registry without end is cut off, and proves nothing`,
      `${here}/forged-answers.test.ts > a console at Service:PublisherUrl that answers without end is cut off, and named`,
      `${here}/forged-answers.test.ts > a console that answers with nothing but brackets does not fill the memory`,
      `${here}/forged-answers.test.ts > a host of the team that answers without end is cut off, and named`,
      `${here}/forged-answers.test.ts > a commit that only looks like one of the branch proves nothing`,
    ],
  },
  A41: {
    says: "A stolen observer's token",
    tests: [
      `${here}/stolen-observer.test.ts > a stolen observer's token reads no plan and no run, claims nothing and hears nothing, through any door`,
    ],
  },
  A42: {
    says: 'Anything in place of the files of a data path',
    tests: [
      `${here}/hostile-files.test.ts > every command that opens the data path ends with a %s in place of any of its files, and names it where it needs the file`,
      `${here}/hostile-data-path.test.ts > a start does not wait for %s in place of our small files, and none counts as a moved store`,
    ],
  },
});
