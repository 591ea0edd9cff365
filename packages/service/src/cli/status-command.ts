import type { Command } from 'commander';
import { restRequest } from '../browser/rest-request.ts';
import { routes } from '../browser/routes.ts';
import type { Condition } from '../kernel/conditions.ts';
import { isObject } from '../kernel/is-object.ts';
import { CallFailed, createClient, exitCodes, type RestClient, urlOption } from './client.ts';
import { conditionLines, statusText } from './status-text.ts';

type Options = { url?: string; json?: boolean; ready?: boolean };

/** `signalbox status`, or `signalbox` alone: the current state and the next command. */
export function addStatus(program: Command): void {
  program
    .command('status')
    .description('show the current state in ten lines, and the next command (same as "signalbox" without a command)')
    .option('--json', 'print JSON')
    .option(
      '--ready',
      'only check, by its own settings, whether the service on this machine is ready; exit code 1 if not',
    )
    .option(...urlOption)
    .allowUnknownOption()
    .action(async ({ url, json, ready }: Options) => {
      if (ready) return printReadiness(json ?? false);
      const client = createClient(url, process.env, true);
      const needs = await client.call('list_needs', {});
      const conditions = await conditionsAt(client);
      const text = json
        ? `${JSON.stringify({ ...needs, conditions }, null, 2)}\n`
        : statusText(needs, client.url, conditions);
      process.stdout.write(text);
    });
}

/** Empty if the service is too old to report them. */
async function conditionsAt(client: RestClient): Promise<readonly Condition[]> {
  const response = await client.send(restRequest(routes.readiness, {}));
  return response.status === 200 || response.status === 503 ? conditionsIn(JSON.parse(await response.text())) : [];
}

const conditionsIn = (body: unknown): readonly Condition[] =>
  isObject(body) && Array.isArray(body.conditions) ? body.conditions : [];

/** For health checks: finds the port and TLS in the settings, and needs no token and no certificate authority. */
async function printReadiness(json: boolean): Promise<void> {
  const { askOwn } = await import('../app/ask-own.ts');
  const { localConfig } = await import('./local-command.ts');
  const config = localConfig();
  const answer = await askOwn(config, config.port, routes.readiness.path);
  if (!answer) throw new CallFailed(`Nothing answers on port ${config.port} of this machine.`, exitCodes.unreachable);
  const lines = conditionLines(conditionsIn(answer.body));
  process.stdout.write(
    json
      ? `${JSON.stringify(answer.body)}\n`
      : [answer.status === 200 ? 'ready' : 'not ready', ...lines, ''].join('\n'),
  );
  if (answer.status !== 200) process.exitCode = exitCodes.refused;
}
