import { Command } from '../../ui/copy-button.tsx';

/** On an empty page: what a command adds to the page, and the command to copy. */
export function TeachingCommand({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex w-full flex-col gap-1.5 text-left">
      <h3 className="eyebrow">{title}</h3>
      <Command text={text} />
    </div>
  );
}
