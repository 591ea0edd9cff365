import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noteCommandLine } from '../exercised.ts';
import { addPrograms, commandOf, typeIn } from '../guide-commands.ts';

/** systemctl with the features used here: it starts the unit's command, and knows whether that still runs. */
const systemctl = `[ "$2" = show ] && name=$3 || for name; do :; done
unit="$HOME/.config/systemd/user/$name"
case "$2" in
  enable|restart)
    command=$(sed -n 's/^ExecStart=//p' "$unit")
    file=$(sed -n 's/^EnvironmentFile=//p' "$unit")
    set -a; . "$file"; set +a
    sh -c "exec $command" > "$HOME/$name.log" 2>&1 < /dev/null &
    echo $! > "$HOME/$name.pid" ;;
  disable) kill "$(cat "$HOME/$name.pid")" ;;
  show)
    [ -f "$unit" ] || { echo LoadState=not-found; exit 0; }
    printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\nMainPID=%s\\nResult=success\\n' "$(cat "$HOME/$name.pid")" ;;
esac`;

/** If systemd is installed, it also verifies the units; without a session it cannot. */
const verifies = spawnSync('systemd-analyze', ['--user', 'verify', '/usr/lib/systemd/user/basic.target']).status === 0;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test.runIf(process.platform === 'linux')(
  'the service is installed for the user, tells its state, and is uninstalled without a trace',
  async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-service-')));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    addPrograms(home, { systemctl, journalctl: 'echo "the log: $*"' });
    const port = await freePort();
    const env = {
      PORT: `${port},0`,
      CONSOLE_PORT: '0',
      Service__MinFreeMb: '1',
      SIGNALBOX_SERVICE_URL: `http://127.0.0.1:${port}`,
    };
    noteCommandLine(['service'], {});
    const type = async (command: string, ...answers: string[]) => {
      await using typed = typeIn(home, [commandOf('docs/operations.md', command), ...answers].join(' '), env);
      return { code: await typed.ended, out: typed.output() };
    };
    const unit = join(home, '.config/systemd/user/signalbox.service');
    const notifier = join(home, '.config/systemd/user/signalbox-notify.service');
    expect(await type('signalbox service status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('signalbox service install'),
    });
    const installed = await type('signalbox service install', '--yes', '--notify', '--Service:LicenceGate=off');
    expect(installed).toMatchObject({ code: 0, out: expect.stringContaining(`create ${unit}`) });
    expect(installed.out).toContain(`Running at http://127.0.0.1:${port}, now and after every login.`);
    expect(readFileSync(unit, 'utf8')).toMatch(/ExecStart=.* "start"\n[\s\S]*RestartPreventExitStatus=78/);
    expect(installed.out).toContain('Desktop notifications are on.');
    expect(readFileSync(notifier, 'utf8')).toContain(`"notify" "--url" "http://127.0.0.1:${port}"\n`);
    const shown = join(home, 'signalbox-notify.service.log');
    await expect.poll(() => existsSync(shown) && readFileSync(shown, 'utf8')).toContain('Showing what needs you');
    if (verifies) {
      const checked = spawnSync('systemd-analyze', ['--user', 'verify', unit, notifier], { encoding: 'utf8' });
      expect([checked.status, checked.stderr.split('\n').filter((line) => line.includes(home))]).toEqual([0, []]);
    }
    const settings = join(home, '.config/signalbox/service.env');
    expect(readFileSync(settings, 'utf8')).toContain('Service__LicenceGate="off"');
    for (const name of ['CONSOLE_PORT="0"', 'Service__MinFreeMb="1"'])
      expect(readFileSync(settings, 'utf8')).toContain(name);
    expect([settings, unit].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(await type('signalbox service status')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/systemd +running, process \d+/),
    });
    expect(await type('signalbox service logs --follow')).toEqual({
      code: 0,
      out: 'the log: --user -u signalbox.service -n 50 -f\n',
    });
    expect(await type('signalbox service uninstall', '--yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining('The data was not removed'),
    });
    expect([unit, notifier, settings].filter(existsSync)).toEqual([]);
  },
);
