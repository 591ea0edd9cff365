import { z } from 'zod';
import { scopes } from '../../kernel/access.ts';

export const tokenName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be 1 to 64 lower case letters, digits, dots, dashes or underscores');

export const scope = z.enum(scopes);

/** The public view of a named token, without its secret. */
export const tokenView = z
  .object({
    name: z.string(),
    scopes: z.array(scope),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    expiresAt: z.iso.datetime().nullable(),
    expired: z.boolean(),
  })
  .meta({ id: 'Token' });
export type TokenView = z.output<typeof tokenView>;

export const createdToken = z.object({
  name: z.string(),
  scopes: z.array(scope),
  expiresAt: z.iso.datetime().nullable(),
  token: z.string().describe('The secret, shown only once'),
});

export const auditEntry = z
  .object({
    at: z.iso.datetime(),
    name: z.string().describe('The name of the token; operator, local or anonymous without a named token'),
    address: z.string(),
    door: z.enum(['rest', 'mcp', 'socket', 'ingest', 'hub', 'login']),
    command: z.string(),
    ref: z.string().nullable().describe('The node, plan, run, repository or token concerned'),
    outcome: z.string().describe('done, the code of a refusal, or internal'),
    count: z.int().optional().describe('Denials like this one within a minute, if more than one'),
    host: z.string().optional().describe('With all: the host that was called'),
  })
  .meta({ id: 'AuditEntry' });

export const auditPage = z.object({
  items: z.array(auditEntry),
  next: z
    .string()
    .nullable()
    .describe('The cursor of the next (older) page, or null; with `all`, the value to pass as `before`'),
  hosts: z
    .array(z.string())
    .optional()
    .describe('Hosts that this audit covers; without all, only the host that answers'),
  missing: z
    .array(z.object({ host: z.string(), why: z.string() }))
    .optional()
    .describe('With all: hosts that did not answer'),
});

const heldClaim = z.object({ ref: z.string(), agent: z.string(), expiresAt: z.string() });
export type HeldClaim = z.output<typeof heldClaim>;

export const revokedToken = z.object({
  claims: z.array(heldClaim).optional().describe('Claims that stay until their leases end, or until they are released'),
});
export type RevokedToken = z.output<typeof revokedToken>;
