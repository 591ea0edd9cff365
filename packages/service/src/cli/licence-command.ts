import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { JWK } from 'jose';
import { systemClock } from '../app/system-clock.ts';
import { errorCode } from '../kernel/error-code.ts';
import { CallFailed, exitCodes } from './client.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { userFile } from './user-folder.ts';

/** `signalbox licence keygen | issue | show`: all offline. */
export function addLicence(program: Command): void {
  const licence = program.command('licence').description('create keys, issue licences, show the current licence');
  licence
    .command('keygen')
    .description('write a key pair: the private key issues licences, the public key verifies them')
    .requiredOption('--out <folder>', 'where to write private.jwk and public.jwk')
    .action(({ out }: { out: string }) => keygen(userFile(out)));
  licence
    .command('issue')
    .description('print a licence')
    .requiredOption('--key <file>', 'the private key')
    .requiredOption('--sub <holder>', 'licence holder')
    .requiredOption('--edition <edition>', 'edition name')
    .option('--days <days>', 'validity in days (default: unlimited)', readDays)
    .action(issue);
  licence
    .command('show')
    .description('show the current licence')
    .allowUnknownOption()
    .action(() => printOutcome(show));
}

async function keygen(folder: string): Promise<void> {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  mkdirSync(folder, { recursive: true });
  const files = { private: join(folder, 'private.jwk'), public: join(folder, 'public.jwk') };
  try {
    writeKey(files.private, { ...(await exportJWK(privateKey)), alg: 'EdDSA' }, 0o600);
    writeKey(files.public, { ...(await exportJWK(publicKey)), alg: 'EdDSA' }, 0o644);
  } catch (fault) {
    if (errorCode(fault) !== 'EEXIST') throw fault;
    throw new CallFailed(
      `${folder} already contains a key, which is not overwritten. Choose another folder.`,
      exitCodes.refused,
    );
  }
  process.stdout.write(
    `${files.private}  keep this file secret\n${files.public}  set Service:LicencePublicKey to this file\n`,
  );
}

const writeKey = (file: string, key: JWK, mode: number) =>
  writeFileSync(file, `${JSON.stringify(key)}\n`, { mode, flag: 'wx' });

async function issue({
  key,
  sub,
  edition,
  days,
}: {
  key: string;
  sub: string;
  edition: string;
  days?: number;
}): Promise<void> {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub, edition, iat, ...(days === undefined ? {} : { exp: iat + Math.round(days * 86_400) }) };
  const { CompactSign, importJWK } = await import('jose');
  const signer = await importJWK(readKey(key), 'EdDSA');
  const text = new TextEncoder().encode(JSON.stringify(claims));
  process.stdout.write(`${await new CompactSign(text).setProtectedHeader({ alg: 'EdDSA' }).sign(signer)}\n`);
}

function readKey(file: string): JWK {
  try {
    const key: JWK = JSON.parse(readFileSync(userFile(file), 'utf8'));
    if (key.d !== undefined) return key;
  } catch {
    // Every error here means that the file is not a private key, which is reported below.
  }
  throw new CallFailed(
    `${file} is not a private key. Create one with "signalbox licence keygen --out DIR".`,
    exitCodes.refused,
  );
}

async function show(): Promise<string> {
  const { openLicence } = await import('../app/open-licence.ts');
  const config = localConfig();
  const { state, edition, holder, expiresAt } = (
    await openLicence(config.licence, config.licencePublicKey, systemClock)
  )();
  const lines = [
    `state    ${state}`,
    `edition  ${edition ?? '-'}`,
    `holder   ${holder ?? '-'}`,
    `expires  ${expiresAt ?? 'never'}`,
    `gate     ${config.licenceGate}`,
  ];
  process.exitCode = state === 'valid' ? exitCodes.done : exitCodes.refused;
  return `${lines.join('\n')}\n`;
}

function readDays(text: string): number {
  const days = Number(text);
  if (!(days > 0)) throw new InvalidArgumentError('It must be a positive number of days.');
  return days;
}
