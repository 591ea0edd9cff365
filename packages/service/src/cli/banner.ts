import { cliCommand } from '../app/cli-command.ts';
import type { RunningService } from '../app/service.ts';
import { version } from '../app/version.ts';
import { docsPath, mcpPath } from '../kernel/service-paths.ts';

/** The few lines printed at start-up. */
export function bannerOf({ coordination, console, config, licence }: RunningService): string {
  const { state, edition, expiresAt } = licence();
  const cli = cliCommand();
  const until = expiresAt === null ? '' : `, until ${expiresAt.slice(0, 10)}`;
  const store = config.store === 'sqlite' ? 'sqlite' : new URL(config.store).host;
  const header = config.token === undefined ? '' : ' --header "Authorization: Bearer $SIGNALBOX_TOKEN"';
  return [
    `Signalbox ${version}`,
    `  coordination  ${coordination.url}`,
    `  run console   ${console.url}`,
    `  data          ${config.dataPath} (${store})`,
    `  licence       ${state === 'valid' ? `${edition}${until}` : `${state}: see "${cli} licence show"`}`,
    `  agents        claude mcp add --transport http signalbox ${coordination.url}${mcpPath}${header}`,
    `  reference     ${coordination.url}${docsPath}`,
    ...(coordination.ctx.plans.size === 0
      ? [`  no data yet   "${cli} demo" plays a four-minute example; one click on the page loads an example here`]
      : []),
    '',
  ].join('\n');
}
