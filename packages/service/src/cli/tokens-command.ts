import type { Command } from 'commander';
import type { RestApi } from '../browser/api.ts';
import type { TokenView } from '../coordination/access/contract.ts';
import { type Scope, scopes } from '../kernel/access.ts';
import { CallFailed, createClient, exitCodes, type RestClient, urlOption } from './client.ts';
import { parseRef } from './node-ref.ts';
import { printAnswer, table, visible } from './table.ts';

type Shared = { url?: string; json?: boolean };
const jsonOption = ['--json', 'print JSON'] as const;

/** `signalbox tokens`: named tokens, over REST to a running service. Takes the operator's token or one of an admin. */
export function addTokens(program: Command): void {
  const tokens = program.command('tokens').description('list, create and revoke named tokens');
  addCreate(tokens);
  tokens
    .command('list', { isDefault: true })
    .description('every token with its scopes, creator and expiry')
    .option(...jsonOption)
    .option(...urlOption)
    .action(async ({ url, json }: Shared) => {
      const all = await createClient(url).call('list_tokens', {});
      printAnswer(json, all, () => tokensText(all));
    });
  tokens
    .command('revoke')
    .description('revoke a token and end its logins, or end every login')
    .argument('[name]', 'the token')
    .option('--all-sessions', 'end every login on the page; tokens stay valid')
    .option('--release', 'also release the nodes that it holds; their notes stay')
    .option(...urlOption)
    .action(async (name: string | undefined, { url, allSessions, release }: RevokeOptions) => {
      if ((name === undefined) === (allSessions === undefined))
        throw new CallFailed('Name a token, or use --all-sessions.', exitCodes.usage);
      const client = createClient(url);
      if (name === undefined) {
        await client.call('end_logins', {});
        return void process.stdout.write('Every web login was ended.\n');
      }
      const { claims = [] } = await client.call('revoke_token', { name });
      process.stdout.write(`The token ${name} and its logins were revoked.\n`);
      if (release) await releaseAll(client, claims);
      else process.stdout.write(claimsLeft(claims));
    });
}

type RevokeOptions = Shared & { allSessions?: boolean; release?: boolean };
type LeftClaims = NonNullable<RestApi['revoke_token']['output']['claims']>;

/** The claims that the token still holds, and how to release them. */
const claimsLeft = (claims: LeftClaims): string => {
  if (claims.length === 0) return '';
  const lines = claims.map(({ ref, agent, expiresAt }) =>
    visible(`  ${ref} until ${expiresAt}: signalbox release ${ref} --as ${agent}`),
  );
  return [`It still holds ${claims.length === 1 ? 'a node' : `${claims.length} nodes`}:`, ...lines, ''].join('\n');
};

async function releaseAll(client: RestClient, claims: LeftClaims): Promise<void> {
  for (const { ref, agent } of claims) {
    await client.call('release_node', { ...parseRef(ref), agent });
    process.stdout.write(visible(`${ref} was released for ${agent}.`).concat('\n'));
  }
}

type CreateOptions = Shared & { scope: string; expires?: string };

function addCreate(tokens: Command): void {
  tokens
    .command('create')
    .alias('add')
    .description('create a token; it is printed only once')
    .argument('<name>', 'lower case letters, digits, dots, dashes and underscores')
    .requiredOption('--scope <scopes>', `what it may do, comma separated: ${scopes.join(', ')}`)
    .option('--expires <time>', 'when it expires: 90d, 36h, 4w or an instant (default: never)')
    .option(...jsonOption)
    .option(...urlOption)
    .action(async (name: string, { url, json, scope, expires }: CreateOptions) => {
      const client = createClient(url);
      const made = await client.call('create_token', { name, scopes: readScopes(scope), expires });
      const { tokenAsked } = await client.call('me', {});
      const until = made.expiresAt === null ? '' : `, until ${made.expiresAt}`;
      const asked = tokenAsked ? '' : 'This service does not require tokens yet: set Service__Token and restart it.\n';
      printAnswer(
        json,
        made,
        () => `${made.token}\n${name}: ${made.scopes.join(', ')}${until}. It is not shown again.\n${asked}`,
      );
    });
}

const isScope = (word: string): word is Scope => scopes.some((scope) => scope === word);

function readScopes(text: string): Scope[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.every(isScope)) return words;
  throw new CallFailed(
    `Unknown scope ${words.find((word) => !isScope(word))}. Use ${scopes.join(', ')}.`,
    exitCodes.usage,
  );
}

export function tokensText(all: readonly TokenView[]): string {
  if (all.length === 0) return 'No named tokens yet. Create one with: signalbox tokens create NAME --scope work\n';
  return table(
    ['NAME', 'SCOPES', 'MADE', 'BY', 'EXPIRES'],
    all.map(({ name, scopes: given, createdAt, createdBy, expiresAt, expired }) => [
      name,
      given.join(', '),
      createdAt.slice(0, 10),
      createdBy,
      expiresAt === null ? 'never' : `${expiresAt.slice(0, 10)}${expired ? ' (over)' : ''}`,
    ]),
  );
}
