import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const written = (ms: number): string => new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');

/** A self-signed certificate for that name, valid on those days; its file is also its authority. */
export function makeCertificate(
  folder: string,
  name: string,
  from: number,
  until: number,
): { cert: string; key: string } {
  mkdirSync(join(folder, 'issued'), { recursive: true });
  const [cert, key, request, config] = ['tls.crt', 'tls.key', 'tls.csr', 'ca.cnf'].map((file) =>
    join(folder, file),
  ) as [string, string, string, string];
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(join(folder, 'serial'), '01\n');
  writeFileSync(
    config,
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${folder}/index.txt\nserial=${folder}/serial\nnew_certs_dir=${folder}/issued\ndefault_md=sha256\npolicy=any\nx509_extensions=ext\n[any]\ncommonName=supplied\n[ext]\nsubjectAltName=DNS:${name}\nbasicConstraints=CA:TRUE\n`,
  );
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  openssl(
    'req',
    '-new',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    key,
    '-out',
    request,
  );
  openssl(
    'ca',
    '-batch',
    '-selfsign',
    '-config',
    config,
    '-keyfile',
    key,
    '-in',
    request,
    '-out',
    cert,
    '-notext',
    '-startdate',
    written(from),
    '-enddate',
    written(until),
  );
  return { cert, key };
}
