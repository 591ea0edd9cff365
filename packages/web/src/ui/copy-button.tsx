import { Check, Copy, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { showToast } from './toasts.tsx';
import { useKeys } from './use-keys.ts';

/** Also works without a secure context or clipboard permission. Returns whether the text was copied. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const area = document.createElement('textarea');
    area.value = text;
    // Outside an open modal dialog nothing can be selected.
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    // Keyboard users continue at the same element.
    if (before instanceof HTMLElement) before.focus();
    return isCopied;
  }
}

/** Y copies the page's main command, the one to run next. */
export function useCopyKey(text: string | null): void {
  const copy = () => {
    if (text === null) return false;
    void copyToClipboard(text).then((isCopied) => showToast(isCopied ? `Copied: ${text}` : copyStates.refused.label));
  };
  useKeys({ y: copy });
}

const copyStates = {
  ready: { icon: Copy, label: 'Copy' },
  copied: { icon: Check, label: 'Copied' },
  refused: { icon: TriangleAlert, label: 'The browser refused to copy: select the text' },
};

/** Copies the text, and shows for a moment whether that worked. */
function useCopy(text: string, onCopied?: () => void) {
  const [state, setState] = useState<keyof typeof copyStates>('ready');
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = () => {
    void copyToClipboard(text).then((isCopied) => {
      setState(isCopied ? 'copied' : 'refused');
      if (isCopied) onCopied?.();
    });
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setState('ready'), 1600);
  };
  return { state, copy };
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  const { state, copy } = useCopy(text);
  const { icon, label } = copyStates[state];
  return (
    <IconButton
      icon={icon}
      label={state === 'ready' ? `${label} ${what}` : label}
      onClick={(event) => {
        event.stopPropagation();
        copy();
      }}
    />
  );
}

const isLine = (text: string): boolean => text.length < 200 && !text.includes('\n');

/** A copy button with its purpose as its label; once clicked, it shows the copied text. */
export function CopyTextButton({
  text,
  title = text,
  children,
  primary = false,
}: {
  text: string;
  title?: string;
  children: ReactNode;
  primary?: boolean;
}) {
  const { state, copy } = useCopy(text, () => isLine(text) && showToast(`Copied: ${text}`));
  const { icon, label } = copyStates[state];
  return (
    <Button icon={icon} title={title} kind={primary ? 'primary' : 'plain'} onClick={copy}>
      {state === 'ready' ? children : label}
    </Button>
  );
}

/** A command to type elsewhere. */
export function Command({ text, what = 'command' }: { text: string; what?: string }) {
  return (
    <div className="flex items-center gap-2 rounded-md border border-line bg-bg py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 whitespace-pre-wrap py-1 text-left font-mono text-code text-fg-2 [overflow-wrap:anywhere]">
        {text.split(/(\s+)/).map((word, index) =>
          // A command breaks only between words, never after the hyphens of an option.
          index % 2 === 0 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place
            <span key={index} className="inline-block max-w-full">
              {word}
            </span>
          ) : (
            word
          ),
        )}
      </code>
      <CopyButton text={text} what={what} />
    </div>
  );
}
