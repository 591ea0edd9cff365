import { join } from 'node:path';
import { openSources, type Sources } from '../sources.ts';
import { createVerdictLedger, type VerdictLedger } from '../verdicts.ts';
import { sourceFiles } from './source-files.ts';
import { verdictFile } from './verdict-file.ts';

export type OpenedEventModel = {
  eventModel: Sources;
  /** Fold every `scenario_finished` into it: replayed at boot, and as it comes in. */
  verdicts: VerdictLedger;
  /** Before runs are ejected: after it their verdicts outlive them, a restart included. */
  keepVerdicts(): Promise<void>;
};

/** The event model as the data path holds it; `say` is told what could not be used, and what to do. */
export async function openEventModel(dataPath: string, say: (line: string) => void): Promise<OpenedEventModel> {
  const { sources, ignored } = await openSources(sourceFiles(join(dataPath, 'event-models'), say));
  for (const { source, descriptor } of ignored) {
    const serving = sources.current()?.model.name ?? '';
    say(
      `event-models: source ${source} is left out: it names the model ${descriptor.name}, this console serves ${serving}.`,
    );
  }
  const file = verdictFile(join(dataPath, 'verdicts.json'), say);
  const verdicts = createVerdictLedger(await file.load());
  return { eventModel: sources, verdicts, keepVerdicts: () => file.save(verdicts) };
}
