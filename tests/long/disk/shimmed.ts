import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Shimmed = { code: number | null; lines: string[]; err: string };
export type Shim = Disposable & {
  /** Runs a script of this folder; the shim intercepts all its calls below `root`. */
  run(script: string, root: string, args: readonly string[], env?: Record<string, string>): Promise<Shimmed>;
  folder: string;
};

/** Undefined without a C compiler or on another system than Linux; the caller reports that. */
export function buildShim(): Shim | undefined {
  if (process.platform !== 'linux') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-shim-'));
  const library = join(folder, 'shim.so');
  const source = join(import.meta.dirname, 'shim.c');
  const built = spawnSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread']);
  if (built.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  let runs = 0;
  return {
    folder,
    run(script, root, args, env = {}) {
      const name = join(folder, `run-${runs++}`);
      mkdirSync(join(name, 'side'), { recursive: true });
      writeFileSync(join(name, 'control'), new Uint8Array(4096));
      const child = spawn(process.execPath, [join(import.meta.dirname, script), root, ...args], {
        env: {
          PATH: process.env.PATH,
          HOME: root,
          LD_PRELOAD: library,
          FAULT_ROOT: root,
          FAULT_SIDE: join(name, 'side'),
          FAULT_CONTROL: join(name, 'control'),
          ...env,
        },
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (text) => (out += text));
      child.stderr.on('data', (text) => (err += text));
      return new Promise((resolve) =>
        child.on('close', (code) => {
          rmSync(name, { recursive: true, force: true });
          resolve({ code, lines: out.split('\n').filter(Boolean), err });
        }),
      );
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const noShim = 'not run: this machine has no C compiler for the shim under the disk\n';
