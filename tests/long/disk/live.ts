import { writeSync } from 'node:fs';
import { start } from '../../start.ts';
import { calls, everyCall, openControl } from './control.ts';
import { story } from './story.ts';

// Run under the shim as: node live.ts <home> <kind> <calls> <k>. Plays the story on a disk that fails at its k-th call.
// Prints each answered fact, each refusal, and finally the number of calls. A power failure ends it at once.
const [home = '', kind = 'cut', which = 'every', at = '1'] = process.argv.slice(2);
const control = openControl();
const service = await start({ home });
const mask = which in calls ? calls[which as keyof typeof calls] : everyCall;
control.arm({ kind: kind as 'cut', mask, at: Number(at), sticky: kind === 'ENOSPC' });
for (const { fact, ask, fine } of story) {
  const { status, body } = await ask(service);
  const line = status === fine ? { fact } : { refused: { ...fact, status, code: body?.code } };
  writeSync(1, `${JSON.stringify(line)}\n`);
}
const { seen, fired } = control.disarm();
writeSync(
  1,
  `${JSON.stringify({
    seen,
    fired,
    said: service
      .logged()
      .split('\n')
      .filter((line) => /disk|store|written|write/.test(line)).length,
  })}\n`,
);
await service.stop().catch(() => undefined);
process.exit(0);
