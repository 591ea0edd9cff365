import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { type Answer, caller, type Started, type StartOptions, start } from './start.ts';

export const operatorToken = 'the-token-of-the-operator';
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;
export type TokenHolder = { token: string; call: Call; console: Call };
export type Closed = Started & {
  operator: TokenHolder;
  /** Creates a named token and returns a caller that uses it. */
  named(name: string, scopes: readonly string[], more?: object): Promise<TokenHolder>;
  holding(token: string): TokenHolder;
};

/** The service with an operator's token, so that everybody needs one. */
export async function startClosed({ settings, ...options }: StartOptions = {}): Promise<Closed> {
  const service = await start({ ...options, settings: { Token: operatorToken, ...settings } });
  const holding = (token: string): TokenHolder => ({
    token,
    call: (method, path, body) => caller(service.url)(method, path, body, bearer(token)),
    console: (method, path, body) => caller(service.consoleUrl)(method, path, body, bearer(token)),
  });
  const operator = holding(operatorToken);
  const named: Closed['named'] = async (name, scopes, more = {}) => {
    const made = await operator.call('POST', '/api/tokens', { name, scopes, ...more });
    expect(made.status, made.text).toBe(201);
    return holding(made.body.token);
  };
  return Object.assign(service, { operator, named, holding });
}

export async function mcpWith(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: bearer(token) };
  await client.connect(new StreamableHTTPClientTransport(new URL('/api/mcp', url), { requestInit }));
  return client;
}
