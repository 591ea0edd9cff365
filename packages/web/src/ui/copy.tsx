import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';

/** Also works where the page is not a secure context and the clipboard interface is missing. */
async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? 'Copied' : `Copy ${what}`}
      onClick={(event) => {
        event.stopPropagation();
        void toClipboard(text).then(() => setCopied(true));
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => setCopied(false), 1600);
      }}
    />
  );
}

/** A command to type elsewhere. */
export function Command({ text, what = 'command' }: { text: string; what?: string }) {
  return (
    <div className="flex items-center gap-2 rounded-md border border-line bg-bg py-1 pr-1 pl-3">
      <code
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto whitespace-pre py-1 text-left font-mono text-[11.5px] text-fg-2"
      >
        {text}
      </code>
      <CopyButton text={text} what={what} />
    </div>
  );
}
