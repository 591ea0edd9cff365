import type { Command } from 'commander';

type Options = { to?: string; name?: string; enter?: string; tokenFile?: string };

/** `signalbox observe`: sends the sessions of this machine or container to a service elsewhere. */
export function addObserve(program: Command): void {
  program
    .command('observe')
    .description(
      'report the agent sessions of this machine to a service elsewhere: for containers, dev boxes, other machines',
    )
    .option('--to <url>', 'address of the service (default: as for other commands)')
    .option('--name <name>', 'name of this machine on the board (default: its host name)')
    .option(
      '--enter <command>',
      'the command that a person types to reach this machine, such as "docker exec -it NAME" or "ssh HOST"',
    )
    .option('--token-file <file>', 'a token with the observe scope (default: SIGNALBOX_TOKEN)')
    .action(async ({ to, ...options }: Options) => {
      const [{ runObserver }, { serviceAddress }, { version }] = await Promise.all([
        import('../observer/run-observer.ts'),
        import('./addresses.ts'),
        import('../app/version.ts'),
      ]);
      process.exitCode = await runObserver({ to: serviceAddress(to), ...options }, process.env, version);
    });
}
