import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const observerFile = join(import.meta.dirname, '../../packages/service/dist/observer/signalbox-observe.mjs');

/** Namespaces need rights that are not available on every machine. */
export const hasNamespaces = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const script = `
cd /
mkdir -p "$HOME/.claude/sessions" "$HOME/.claude/projects/-workspace"
# Process ids of a new namespace begin at 1: as many are skipped as the test asks for.
i=0; while [ $i -lt "$SKIP" ]; do true & i=$((i+1)); done; wait
sleep 600 &
pid=$!
start=$(awk '{print $22}' /proc/$pid/stat)
now=$(date +%s)000
id=$SESSION
printf '{"pid":%s,"sessionId":"%s","cwd":"%s","procStart":"%s","entrypoint":"cli","status":"waiting","waitingFor":"permission prompt","startedAt":%s,"updatedAt":%s,"statusUpdatedAt":%s}' \\
  $pid $id "$WORK" $start $now $now $now > "$HOME/.claude/sessions/$pid.json"
printf '{"type":"assistant","sessionId":"%s","cwd":"%s","timestamp":"%s","message":{"stop_reason":"tool_use","content":[{"type":"tool_use","name":"Bash","input":{}}]}}\\n' \\
  $id "$WORK" "$(date -u +%FT%TZ)" > "$HOME/.claude/projects/-workspace/$id.jsonl"
echo "agent $pid"
while read -r word; do
  case $word in
    kill) kill -9 $pid; wait $pid 2>/dev/null; echo killed ;;
    observe) "$NODE" "$OBSERVER" --to "$TO" --name "$NAME" --enter "docker exec -it $NAME" & observer=$!; echo "observer $observer" ;;
    lose) kill -9 $observer; wait $observer 2>/dev/null; echo lost ;;
    leave) kill -TERM $observer; wait $observer 2>/dev/null; echo left ;;
  esac
done
`;

/** A process namespace with an agent that looks like Claude Code, and an observer if requested. */
export async function startContainer(to: string, token: string, name: string) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'container-')));
  const work = join(home, 'workspace');
  mkdirSync(join(work, '.git'), { recursive: true });
  writeFileSync(join(work, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(work, '.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
  const sessionId = '0000000c-0000-4000-8000-000000000000';
  const child = spawn('unshare', ['--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', script], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      WORK: work,
      SESSION: sessionId,
      SKIP: '20',
      NODE: process.execPath,
      OBSERVER: observerFile,
      TO: to,
      NAME: name,
      SIGNALBOX_TOKEN: token,
    },
  });
  const says = linesOf(child);
  await says(/^agent \d+/m);
  return {
    home,
    work,
    sessionId,
    says,
    async ask(word: 'kill' | 'observe' | 'lose' | 'leave') {
      child.stdin.write(`${word}\n`);
      await says({ kill: /^killed/m, observe: /^Observing as/m, lose: /^lost/m, leave: /^left/m }[word]);
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Waits until the output since the last match matches. */
function linesOf(child: ChildProcess): (pattern: RegExp) => Promise<void> {
  let text = '';
  let look: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece) => {
      text += piece;
      look();
    });
  return (pattern) =>
    new Promise((found, fail) => {
      child.once('exit', () => fail(new Error(`ended before it said ${pattern}: ${text}`)));
      look = () => {
        const match = pattern.exec(text);
        if (!match) return;
        text = text.slice(match.index + match[0].length);
        found();
      };
      look();
    });
}
