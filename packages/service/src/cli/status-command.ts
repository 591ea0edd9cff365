import type { Command } from 'commander';
import { typed } from '../app/cli-command.ts';
import { restRequest } from '../browser/rest-request.ts';
import { routes } from '../browser/routes.ts';
import type { Need, Needs } from '../coordination/needs/contract.ts';
import type { Condition } from '../kernel/conditions.ts';
import { isObject } from '../kernel/is-object.ts';
import { CallFailed, createClient, exitCodes, type RestClient, urlOption } from './client.ts';
import { jsonText, paint, visible } from './table.ts';

type Options = { url?: string; json?: boolean; ready?: boolean };

/** `signalbox status`, or `signalbox` alone: the current state and the next command. */
export function addStatus(program: Command): void {
  program
    .command('status')
    .description('show the current state in ten lines, and the next command (same as "signalbox" without a command)')
    .option('--json', 'print JSON')
    .option(
      '--ready',
      'only check whether the service on this machine is ready, using its own settings; exit code 1 if not',
    )
    .option(...urlOption)
    .allowUnknownOption()
    .action(async ({ url, json, ready }: Options) => {
      if (ready) return printReadiness(json ?? false);
      const client = createClient(url, process.env, true);
      const needs = await client.call('list_needs', {});
      const conditions = await conditionsAt(client);
      const text = json ? jsonText({ ...needs, conditions }) : statusText(needs, client.url, conditions);
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

/** Less than the 5 s that the container's health check has. */
const healthCheckMs = 4_000;

/** For health checks: finds the port and TLS in the settings, and needs no token and no certificate authority. */
async function printReadiness(json: boolean): Promise<void> {
  const { askOwn } = await import('../app/ask-own.ts');
  const { localConfig } = await import('./local-command.ts');
  const config = localConfig();
  const answer = await askOwn(config, config.port, routes.readiness.path, healthCheckMs);
  if (!answer) throw new CallFailed(`Nothing answers on port ${config.port} of this machine.`, exitCodes.unreachable);
  const lines = conditionLines(conditionsIn(answer.body));
  process.stdout.write(
    json
      ? `${JSON.stringify(answer.body)}\n`
      : [answer.status === 200 ? 'ready' : 'not ready', ...lines, ''].join('\n'),
  );
  if (answer.status !== 200) process.exitCode = exitCodes.refused;
}

/** Further needs are only counted, so that `signalbox` alone fits on a small screen. */
const mostNeeds = 5;

/** The current state in ten lines: what needs a person, then counts, then the next command. */
function statusText({ needs, counts }: Needs, url: string, conditions: readonly Condition[] = []): string {
  const shown = needs.slice(0, mostNeeds);
  const lines = [
    ...conditionLines(conditions),
    needs.length === 0 && conditions.length === 0
      ? `${paint('green', 'Nothing needs you.')} ${url}`
      : `${paint('yellow', thingsNeedYou(needs.length + conditions.length))} ${url}`,
    ...shown.map((need) => `  ${needText(need)}`),
    ...(needs.length > shown.length ? [`  and ${needs.length - shown.length} more: ${typed('open')}`] : []),
    `sessions ${counts.sessions}${counts.waiting > 0 ? ` (${counts.waiting} waiting)` : ''}   claimed ${counts.claimed}${counts.troubledClaims > 0 ? ` (${counts.troubledClaims} stalled or orphaned)` : ''}   ready ${counts.ready}   live runs ${counts.liveRuns}`,
    `Next: ${nextOf(needs[0], counts)}`,
  ];
  return `${lines.join('\n')}\n`;
}

const thingsNeedYou = (count: number): string => `${count} ${count === 1 ? 'thing needs' : 'things need'} you.`;

/** Problems of the service itself, with their fixes. */
const conditionLines = (conditions: readonly Condition[]): string[] =>
  conditions.map(({ severity, detail, next }) => {
    const isDown = severity === 'down';
    return `${paint(isDown ? 'red' : 'yellow', isDown ? 'NOT READY' : 'warning')} ${visible(`${detail} ${next}`)}`;
  });

const needText = ({ title, detail }: Need): string => visible(`${title}: ${detail}`);

function nextOf(first: Need | undefined, counts: Needs['counts']): string {
  if (first?.command) return visible(first.command);
  if (first?.ref) return typed(`why ${visible(first.ref)}`);
  if (first?.runId) return typed(`summary ${visible(first.runId)}`);
  if (first) return typed('agents');
  if (counts.ready > 0) return `${typed('ready')}, or ${typed('next')} to claim the first`;
  if (counts.liveRuns > 0) return typed('runs --follow');
  if (counts.sessions + counts.claimed === 0)
    return `${typed('demo')} plays an example; ${typed('connect')} connects the agents of a project, ${typed('connect --tests')} its tests`;
  return `${typed('agents')}, ${typed('runs')}, ${typed('--help')}`;
}
