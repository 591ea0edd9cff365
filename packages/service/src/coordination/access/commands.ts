import { z } from 'zod';
import type { AuditFilter, AuditOfHost, AuditReader } from '../../kernel/audit.ts';
import { commandFor } from '../../kernel/command.ts';
import type { EventLog, NewEvent } from '../../kernel/event-log.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { isRefusal, type Refusal, refuseShape } from '../../kernel/outcome.ts';
import { streams } from '../../kernel/streams.ts';
import {
  auditPage,
  createdToken,
  type HeldClaim,
  type RevokedToken,
  revokedToken,
  scope,
  tokenName,
  tokenView,
} from './contract.ts';
import { createToken, revokeToken } from './decide.ts';
import type { TokenEvent } from './events.ts';
import type { TokenProjection } from './token-projection.ts';

export type AccessContext = {
  log: EventLog;
  tokens: TokenProjection;
  drawSecret: DrawSecret;
  auditReader: AuditReader;
  hostName: string;
  /** Asks every other host of the store for its audit; null if the store is not shared. */
  auditElsewhere: ((filter: AuditFilter & { limit: number }) => Promise<readonly AuditOfHost[]>) | null;
  /** Live claims that were made with that token. */
  liveClaimsWith: (token: string) => readonly HeldClaim[];
};

const command = commandFor<AccessContext>();

const admins = { scope: 'admin', gate: 'never', mcp: false } as const;
const by = z.string().min(1).max(200).optional();
const given = [['create_token', { name: 'ci', scopes: ['publish'] }]] as const;

const authored = (event: TokenEvent, { by: who = 'operator' }: { by?: string | undefined }): NewEvent => ({
  ...event,
  by: who,
});

const listTokens = command({
  name: 'list_tokens',
  description: 'The named tokens: what each may do, who made it and when it expires. Never their secrets.',
  effect: 'read',
  ...admins,
  input: z.strictObject({ ...paging }),
  output: listOf(tokenView),
  rest: { method: 'GET', path: '/api/tokens', query: ['limit', 'offset', 'cursor'] },
  examples: [
    { title: 'every token', given, input: {} },
    { title: 'none yet', input: {} },
  ],
  run: ({ tokens, log }, input) =>
    listPage(
      tokens.all(),
      input,
      ({ name, scopes, createdAt, createdBy, expiresAt }) => ({
        name,
        scopes: [...scopes],
        createdAt,
        createdBy,
        expiresAt,
        expired: expiresAt !== null && expiresAt <= log.now(),
      }),
      ({ name }) => name,
    ),
});

const create = command({
  name: 'create_token',
  description: 'Creates a named token. Its secret is returned only once, in this response.',
  effect: 'write',
  ...admins,
  input: z.strictObject({
    name: tokenName,
    scopes: z.array(scope).min(1),
    expires: z.string().nullish().describe('90d, 36h, 4w, or an instant; default: never'),
    by,
  }),
  output: createdToken,
  rest: { method: 'POST', path: '/api/tokens', query: ['by'], status: 201 },
  examples: [
    { title: 'a name already in use', given, input: { name: 'ci', scopes: ['read'] }, refused: 'token_exists' },
    { title: 'an unknown scope', input: { name: 'ada', scopes: ['write'] }, refused: 'invalid_request' },
    { title: 'no scope', input: { name: 'ada', scopes: [] }, refused: 'invalid_request' },
    { title: 'a name in capitals', input: { name: 'Ada', scopes: ['work'] }, refused: 'invalid_request' },
    {
      title: 'an expiry in the past',
      input: { name: 'ada', scopes: ['work'], expires: '2001-01-01' },
      refused: 'invalid_request',
    },
  ],
  run({ log, tokens, drawSecret }, input) {
    const { token, hash } = drawSecret();
    return log.commit((now) => {
      const event = createToken({ ...input, hash }, tokens.find(input.name), now);
      if (isRefusal(event)) return event;
      return {
        append: [{ stream: streams.token(input.name), events: [authored(event, input)] }],
        // Remembered answers are stored, and a secret must not be.
        remember: false,
        answer: () => {
          const { name, scopes, expiresAt } = tokens.find(input.name) ?? { ...input, expiresAt: null };
          return { name, scopes: [...scopes], expiresAt, token };
        },
      };
    });
  },
});

const revoke = command({
  name: 'revoke_token',
  description:
    'Revokes a named token and ends every login made with it, immediately. Lists the claims that it still holds; release them with release_node.',
  effect: 'write',
  destructive: true,
  ...admins,
  input: z.strictObject({ name: z.string(), by }),
  output: revokedToken,
  rest: {
    method: 'DELETE',
    path: '/api/tokens/{name}',
    query: ['by'],
    status: ({ claims }) => (claims ? 200 : 204),
    statuses: [200, 204],
  },
  examples: [
    { title: 'a token', given, input: { name: 'ci' } },
    { title: 'an unknown token', input: { name: 'nobody' }, refused: 'token_not_found' },
  ],
  recall: (): RevokedToken => ({}),
  run: ({ log, tokens, liveClaimsWith }, input) =>
    log.commit<RevokedToken>(() => {
      const event = revokeToken(input.name, tokens.find(input.name));
      if (isRefusal(event)) return event;
      return {
        append: [{ stream: streams.token(input.name), events: [authored(event, input)] }],
        answer: () => {
          const claims = liveClaimsWith(input.name);
          return claims.length === 0 ? {} : { claims: [...claims] };
        },
      };
    }),
});

const endLogins = command({
  name: 'end_logins',
  description: 'Ends every web login, on all hosts. Tokens stay valid.',
  effect: 'write',
  destructive: true,
  ...admins,
  input: z.strictObject({ by }),
  output: z.object({}),
  rest: { method: 'DELETE', path: '/api/logins', query: ['by'], status: 204 },
  examples: [{ title: 'everyone has to log in again', input: {} }],
  recall: () => ({}),
  run: ({ log }, input) =>
    log.commit<object>(() => ({
      append: [{ stream: streams.logins, events: [authored({ type: 'logins_ended', data: {} }, input)] }],
      answer: () => ({}),
    })),
});

const badCursor = (): Refusal =>
  refuseShape([{ path: 'cursor', message: 'is no longer valid; start again without it' }]);

const listAudit = command({
  name: 'list_audit',
  description: 'Every write and every denial, newest first: who, from where, through which interface, and the result.',
  effect: 'read',
  ...admins,
  input: z.strictObject({
    name: z.string().optional().describe('Only calls with this token'),
    command: z.string().optional(),
    denied: z.boolean().optional().describe('Only denied calls'),
    before: z.iso.datetime().optional().describe('Only entries up to this time'),
    all: z
      .boolean()
      .optional()
      .describe(
        'Entries of all hosts of the store; for the next page, set `before` to the returned `next` and omit `cursor`',
      ),
    limit: z.int().min(1).max(1000).default(100),
    cursor: z.string().max(200).optional(),
  }),
  output: auditPage,
  rest: { method: 'GET', path: '/api/audit', query: ['name', 'command', 'denied', 'before', 'all', 'limit', 'cursor'] },
  examples: [
    { title: 'of all hosts', input: { all: true } },
    { title: 'denied calls', input: { denied: true } },
    { title: 'an invalid cursor', input: { cursor: 'x' }, refused: 'invalid_request' },
  ],
  async run({ auditReader, auditElsewhere, hostName }, { all, ...filter }) {
    if (all && filter.cursor !== undefined) return badCursor();
    const [page, others] = await Promise.all([
      auditReader.read(filter),
      all && auditElsewhere ? auditElsewhere(filter) : [],
    ]);
    if (!page) return badCursor();
    if (all) return auditOfAll([{ host: hostName, page }, ...others], filter.limit);
    return auditElsewhere ? { ...page, hosts: [hostName] } : page;
  },
});

export const accessCommands = [listTokens, create, revoke, endLogins, listAudit] as const;

/** The newest entries of all hosts, and the hosts that did not answer. */
export function auditOfAll(answers: readonly AuditOfHost[], limit: number) {
  const items = answers.flatMap(({ host, page }) =>
    typeof page === 'string' ? [] : page.items.map((entry) => ({ ...entry, host })),
  );
  const newest = items.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1)).slice(0, limit);
  const isMore = items.length > limit || answers.some(({ page }) => typeof page !== 'string' && page.next !== null);
  return {
    items: newest,
    next: isMore ? (newest.at(-1)?.at ?? null) : null,
    hosts: answers.flatMap(({ host, page }) => (typeof page === 'string' ? [] : [host])),
    missing: answers.flatMap(({ host, page }) => (typeof page === 'string' ? [{ host, why: page }] : [])),
  };
}

/** Generates a random secret. */
export type DrawSecret = () => { token: string; hash: string };
