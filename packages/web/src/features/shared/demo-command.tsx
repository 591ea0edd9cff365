import { useCommands } from './pasted-commands.ts';
import { TeachingCommand } from './teaching-command.tsx';

/** Shown on every empty page: how to see it filled with example data. */
export function DemoCommand() {
  return (
    <TeachingCommand
      title="Or watch a demo on a separate service; your data is not changed"
      text={useCommands().demo}
    />
  );
}
