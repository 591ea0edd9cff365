import { useCommands } from './pasted-commands.ts';
import { TeachingCommand } from './teaching-command.tsx';

/** On every empty page: how to see it filled without having anything yet. */
export function DemoCommand() {
  return (
    <TeachingCommand
      title="Or watch a demo on a separate service; your data is not changed"
      text={useCommands().demo}
    />
  );
}
