import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { staticFiles } from './admission.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type StaticFile = { body: Buffer; type: string; etag: string; immutable: boolean };

/** The web, read once into memory. Unknown pages get the shell, so that a deep link opens. */
export function addSpa(app: FastifyInstance, folder: string, port: 'coordination' | 'console'): void {
  const files = new Map(readWeb(folder));
  const index = files.get(shellPath);
  const shell = index && staticFile(shellPath, withPort(index.body, port));
  if (shell) files.set(shellPath, shell);
  app.get(staticFiles, (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    // Names of plans, repositories and runs may contain dots, so the request headers decide between a page and a missing file.
    const isPage = extname(path) === '' || /text\/html/.test(request.headers.accept ?? '');
    const file = notOfThePage.test(path) ? undefined : (files.get(path) ?? (isPage ? shell : undefined));
    if (!file) return reply.callNotFound();
    reply
      .header('content-security-policy', policy)
      .header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('etag', file.etag);
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    return reply.type(file.type).send(file.body);
  });
}

/** Programs use these addresses; a page instead of an answer would confuse them. */
const notOfThePage = /^\/(?:api|\.well-known)\//;

const shellPath = '/index.html';
let lastRead: { folder: string; changedAt: number; files: ReadonlyMap<string, StaticFile> } | undefined;

/** Both ports serve the same files from memory, and read them again after a new build. */
function readWeb(folder: string): ReadonlyMap<string, StaticFile> {
  const changedAt = statSync(join(folder, shellPath), { throwIfNoEntry: false })?.mtimeMs;
  if (changedAt === undefined) return new Map();
  if (lastRead?.folder !== folder || lastRead.changedAt !== changedAt)
    lastRead = { folder, changedAt, files: new Map(filesIn(folder)) };
  return lastRead.files;
}

function* filesIn(folder: string): Iterable<[string, StaticFile]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const url = path.slice(folder.length).replaceAll('\\', '/');
    yield [url, staticFile(url, readFileSync(path))];
  }
}

function staticFile(url: string, body: Buffer): StaticFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;
  return { body, type: types[extname(url)] ?? 'application/octet-stream', etag, immutable: url.startsWith('/assets/') };
}

/** The page learns its port from its shell, and requests nothing that only the other port answers. */
const withPort = (shell: Buffer, port: string): Buffer =>
  Buffer.from(shell.toString('utf8').replace('<html ', `<html data-port="${port}" `));
