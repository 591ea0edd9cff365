import type { FastifyInstance, FastifyReply } from 'fastify';
import { docsPath } from '../kernel/service-paths.ts';
import { htmlOf, plain, titleOf } from './markdown.ts';
import type { OpenApi } from './openapi.ts';
import { refusalStatus } from './problem.ts';

type Parameter = { name: string; in: string; required: boolean; schema: object };

type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: ReadonlyArray<Parameter | { $ref: string }>;
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: unknown }> }>;
};

/** A machine-readable description other than OpenAPI. */
export type MachineDocument = { path: string; title: string; mediaType?: string; describe: () => object };

/** The reference for programs, and as a page for people; built at the first request, not at every start. */
export function addDocs(app: FastifyInstance, describe: () => OpenApi, others: readonly MachineDocument[]): void {
  const openApi = once(describe);
  const page = once(() => pageOf(openApi(), others));
  const documents = [{ path: '/api/openapi.json', mediaType: 'application/json', describe: openApi }, ...others];
  for (const { path, mediaType = 'application/json', describe: made } of documents) {
    const text = once(() => JSON.stringify(made()));
    app.get(path, (_, reply) => reply.type(mediaType).send(text()));
  }
  app.get('/api/docs.css', (_, reply) => reply.type('text/css; charset=utf-8').send(style));
  app.get(docsPath, (_, reply) => sendDocument(reply, page()));
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export const sendDocument = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .header('content-security-policy', "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .send(page);

const headOf = (title: string): string => `<head><meta charset="utf-8"><title>${plain(title)}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/api/docs.css"></head>`;

/** One of our documents as a page. */
export const documentPage = (markdown: string): string =>
  `<!doctype html><html lang="en">${headOf(titleOf(markdown))}<body class="document"><main>${htmlOf(markdown)}</main></body></html>`;

function pageOf({ info, paths, components }: OpenApi, others: readonly MachineDocument[]): string {
  const links = [{ path: '/api/openapi.json', title: 'OpenAPI' }, ...others].map(
    ({ path, title }) => `<a href="${path}">${plain(title)}</a>`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as Operation,
    })),
  );
  const index = operations.map(
    ({ method, path, operation }) => `<li><a href="#${operation.operationId}"><b>${method}</b> ${plain(path)}</a></li>`,
  );
  const codes = Object.entries(refusalStatus).map(
    ([code, [status, title]]) =>
      `<tr id="${code}"><td>${status}</td><td><code>${code}</code></td><td>${plain(title)}</td></tr>`,
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => block(name, schema, `schema-${name}`));
  return `<!doctype html><html lang="en">${headOf(String(info.title))}<body>
<nav><h1>${plain(String(info.title))}</h1><p>Version ${plain(String(info.version))} · ${links.join(' · ')}</p><ul>${index.join('')}</ul></nav>
<main>${operations.map(sectionOf).join('')}
<section><h2>Refusals</h2><p>Every error is a problem object; switch on its <code>code</code>.</p><table>${codes.join('')}</table></section>
<section><h2>Shapes</h2>${schemas.join('')}</section></main></body></html>`;
}

function sectionOf({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const own = (operation.parameters ?? []).flatMap((one) => ('$ref' in one ? [] : [one]));
  const rows = own.map(
    ({ name, in: location, required, schema }) =>
      `<tr><td><code>${plain(name)}</code></td><td>${location}${required ? '' : ', optional'}</td><td><code>${plain(JSON.stringify(schema))}</code></td></tr>`,
  );
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const done = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = Object.values(done?.content ?? {})[0]?.schema;
  const refusals = Object.entries(operation.responses)
    .filter(([status]) => /^[45]\d\d$/.test(status))
    .flatMap(([status, { description }]) => (description === undefined ? [] : [{ status, description }]))
    .map(({ status, description }) => `<li>${status} <code>${plain(description)}</code></li>`);
  return `<section id="${operation.operationId}"><h2><b>${method}</b> ${plain(path)}</h2><p>${plain(operation.description ?? operation.summary ?? '')}</p>
${rows.length > 0 ? `<table>${rows.join('')}</table>` : ''}${body ? block('Body', body) : ''}${answer ? block('Answer', answer) : ''}
${refusals.length > 0 ? `<ul>${refusals.join('')}</ul>` : ''}</section>`;
}

const block = (title: string, schema: unknown, id?: string): string =>
  `<details${id ? ` id="${id}"` : ''}><summary>${plain(title)}</summary><pre>${plain(JSON.stringify(schema, null, 2))}</pre></details>`;

const style = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{margin:0;display:grid;grid-template-columns:22rem 1fr}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;box-sizing:border-box;border-right:1px solid #8884}
nav h1{font-size:1.2rem;margin:0}nav ul{list-style:none;padding:0}nav a{color:inherit;text-decoration:none;overflow-wrap:anywhere}nav a:hover{text-decoration:underline}
main{padding:1rem 2rem;min-width:0}section{border-bottom:1px solid #8884;padding-bottom:1rem}h2{font-size:1rem;overflow-wrap:anywhere}h2 b,nav b{font-family:ui-monospace,monospace;color:#3b82f6}
table{border-collapse:collapse}td{padding:.15rem .8rem .15rem 0;vertical-align:top}code,pre{font:12px/1.5 ui-monospace,monospace}pre{overflow:auto;padding:.5rem;background:#8881;border-radius:8px}
.document{display:block;max-width:50rem;margin:0 auto;font-size:15px}.document h2{font-size:1.15rem;margin-top:2rem}.document a{color:#3b82f6}
th{text-align:left;padding:.15rem .8rem .15rem 0}.document :is(td,th){border-bottom:1px solid #8884;padding-block:.35rem}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto}}`;
