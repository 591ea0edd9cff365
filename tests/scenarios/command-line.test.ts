import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cli, signalbox } from '../spawn.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

/** Runs to its end and returns what a person saw. */
async function said(args: readonly string[], env: Record<string, string> = {}, home?: string) {
  await using spawned = signalbox(args, env, home);
  const code = await spawned.ended;
  return { code, out: spawned.out(), err: spawned.err(), home: spawned.home };
}

test('the help lists every command, --version works, and a mistyped command gets a suggestion', async () => {
  const help = await said(['--help']);
  expect(help.code).toBe(0);
  for (const word of ['start', 'console', 'doctor', 'plans', 'licence', 'completion', 'claim_node'])
    expect.soft(help.out).toContain(word);
  expect((await said(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  const typo = await said(['docter']);
  expect([typo.code, typo.err]).toEqual([
    2,
    expect.stringContaining('Unknown command "docter". Did you mean "doctor"?'),
  ]);
});

test('plans are created, listed and shown over REST, as tables for people and as JSON for programs', async () => {
  await using service = await start();
  const env = { SIGNALBOX_SERVICE_URL: service.url };
  writeFileSync(
    join(service.home, 'plan.yaml'),
    'plan: checkout\ntitle: Checkout\nnodes:\n  - id: a\n  - { id: b, dependsOn: [a] }\n',
  );
  const created = await said(['plans', 'create', 'plan.yaml', '--by', 'ada'], env, service.home);
  expect([created.code, created.out]).toEqual([0, 'Created checkout with 2 nodes.\n']);
  const list = await said(['plans', 'list'], env);
  expect(list.out).toMatch(/^PLAN +DONE +READY +CLAIMED +FAILED +TITLE\ncheckout +0\/2 +1 +0 +0 +Checkout\n\nNext: /);
  expect(JSON.parse((await said(['plans', 'list', '--json'], env)).out)[0].slug).toBe('checkout');
  expect((await said(['plans', 'show', 'checkout'], env)).out).toMatch(
    /NODE +STATUS +TITLE +NEEDS +PROOF\na +ready +a +unbound\nb +blocked +b +a +unbound\n/,
  );
  const claimed = await said(
    ['claim_node', '--plan', 'checkout', '--node', 'a', '--agent', 'ada', '--lease-minutes', '5'],
    env,
  );
  expect(JSON.parse(claimed.out).claimed).toBe(true);
  const again = await said(['plans', 'create', 'plan.yaml'], env, service.home);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('plan_exists')]);
  const unreachable = await said(['plans', 'list'], { SIGNALBOX_SERVICE_URL: 'http://127.0.0.1:1' });
  expect([unreachable.code, unreachable.err]).toEqual([3, expect.stringContaining('signalbox start')]);
  expect((await said(['plans', 'show'], env)).code).toBe(2);
});

verifies(
  ['licence:keygen', 'licence:issue', 'licence:show'],
  'keys are made, a licence is issued with them, and the one in force is shown',
  async () => {
    await using made = signalbox(['licence', 'keygen', '--out', 'keys']);
    expect(await made.ended).toBe(0);
    const { home } = made;
    const again = await said(['licence', 'keygen', '--out', 'keys'], {}, home);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('not overwritten')]);
    const issued = await said(
      ['licence', 'issue', '--key', 'keys/private.jwk', '--sub', 'acme', '--edition', 'team', '--days', '30'],
      {},
      home,
    );
    const env = { Service__Licence: issued.out.trim(), Service__LicencePublicKey: 'keys/public.jwk' };
    const shown = await said(['licence', 'show'], env, home);
    expect([shown.code, shown.out]).toEqual([
      0,
      expect.stringMatching(/state +valid\nedition +team\nholder +acme\nexpires +\d{4}-/),
    ]);
    expect((await said(['licence', 'show'], { Service__Licence: 'nonsense' }, home)).code).toBe(1);
    expect((await said(['licence', 'show'])).out).toMatch(/edition +community/);
  },
);

test('doctor reports what works, and how to fix what does not', async () => {
  const taken = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const gitHub = { Service__GitHubUrl: `http://127.0.0.1:${port}` };
  await using well = signalbox(['doctor'], { PORT: '0,0', ...gitHub });
  mkdirSync(join(well.home, '.claude'));
  await well.ended;
  expect.soft(well.out()).not.toContain('WRONG');
  const busy = await said(['doctor'], { PORT: `${port},0`, ...gitHub });
  expect
    .soft([busy.code, busy.out])
    .toEqual([1, expect.stringMatching(/WRONG +coordination port[\s\S]*choose another port with PORT/)]);
  const file = join(well.home, 'file');
  writeFileSync(file, '');
  const unusable = { PORT: '0,0', Service__DataPath: join(file, 'data'), ...gitHub };
  const path = await said(['doctor'], unusable);
  expect.soft([path.code, path.out]).toEqual([1, expect.stringMatching(/WRONG +data path[\s\S]*Service:DataPath/)]);
  const refused = await said(['start'], unusable);
  expect
    .soft([refused.code, refused.err])
    .toEqual([1, expect.stringMatching(/cannot be used \(ENOTDIR\).*Service:DataPath\.\n$/)]);
  const database = await said(['doctor'], {
    PORT: '0,0',
    Service__Store: 'postgres://nobody@127.0.0.1:1/none',
    ...gitHub,
  });
  expect
    .soft([database.code, database.out])
    .toEqual([1, expect.stringMatching(/WRONG +store[\s\S]*Start the database/)]);
  const expired = await said(['doctor'], { PORT: '0,0', Service__Licence: 'x.y.z', ...gitHub });
  expect.soft([expired.code, expired.out]).toEqual([1, expect.stringMatching(/WRONG +licence[\s\S]*Service:Licence/)]);
  const settings = await said(['doctor'], { ...unusable, Service__ArchiveDays: '-1', Service__MaxRuns: '0' });
  expect.soft(settings.code).toBe(1);
  for (const fault of ['ArchiveDays must be a whole number from 0 to 36500; it is -1', 'MaxRuns must be'])
    expect.soft(settings.out).toMatch(new RegExp(`WRONG +settings +Service:${fault}`));
  expect.soft(well.out()).toMatch(/ok +settings +GitHubUrl \(the environment\)/);
  await new Promise((resolve) => taken.close(resolve));
});

test('completion scripts name the words of this very program', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await said(['completion', shell]);
    expect.soft([code, out], shell).toEqual([0, expect.stringContaining('claim_node')]);
  }
  expect((await said(['completion', 'tcsh'])).code).toBe(2);
});

test('completion offers the nodes and plans that the service knows', async () => {
  await using service = await start();
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'cart' }, { id: 'card' }] });
  const { out: script, home } = await said(['completion', 'bash']);
  const folder = join(service.home, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'signalbox'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: home, SIGNALBOX_SERVICE_URL: service.url };
  const offered = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const asked = `COMP_WORDS=(signalbox ${typed}); COMP_CWORD=${words.length}; _signalbox; echo "\${COMPREPLY[@]}"`;
    const child = promisify(execFile)('bash', ['-c', `${script}\n${asked}`], { env });
    return child.then(({ stdout }) => stdout.trim());
  };
  expect(await offered('claim', 'shop/c')).toBe('shop/cart shop/card');
  expect(await offered('plans', 'show', '')).toBe('shop');
  expect(await offered('ready', '--plan', 's')).toBe('shop');
  expect(await offered('ready', '--pl')).toBe('--plan');
});

test('every command that asks a service refuses what is not an address, before it does anything', async () => {
  const commands = [
    ['runs'],
    ['run', '--', 'node', '-e', 'console.log("was run")'],
    ['tests', 'flaky'],
    ['summary'],
    ['event-model', 'push', 'model.yaml', '--watch'],
    ['plans'],
    ['agents'],
    ['status'],
    ['watch'],
    ['top'],
    ['open'],
    ['login'],
    ['connect', '--yes'],
    ['service', 'install', '--yes'],
    ['list_needs'],
  ];
  const ends = await Promise.all(
    commands.map(async ([word = '', ...rest]) => {
      const typedWords = word === 'run' ? [word, '--url', 'nonsense', ...rest] : [word, ...rest, '--url', 'nonsense'];
      await using typed = signalbox(typedWords);
      return [word, await typed.ended, typed.out(), typed.err()];
    }),
  );
  for (const [word, code, out, err] of ends)
    expect([word, code, out, err]).toEqual([
      word,
      2,
      '',
      expect.stringMatching(/^"nonsense" is not an address\. Use one such as http:\/\/127\.0\.0\.1:552[56]\.\n$/),
    ]);
});
