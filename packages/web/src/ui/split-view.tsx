import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { focusHeadingOf, giveFocusBack, panelFocus } from './place.ts';
import { rememberChoice, remembered } from './settings.ts';
import { useKeys } from './use-keys.ts';

const none = {};
const narrowest = 300;
const widest = 1100;
const step = 24;

const bounded = (width: number): number => Math.round(Math.max(narrowest, Math.min(widest, width)));

/** A list and a panel for the chosen row. In a narrow window the panel covers the list until it is closed. */
export function SplitView({
  children,
  aside,
  label,
  wide = false,
  onClose,
}: {
  children: ReactNode;
  aside: ReactNode;
  label: string;
  wide?: boolean;
  /** If omitted, the panel cannot be closed, and in a narrow window it is shown below the list. */
  onClose?: (() => void) | undefined;
}) {
  useKeys(aside && onClose ? { Escape: onClose } : none);
  const panel = usePanelFocus(Boolean(aside));
  const below = !onClose;
  const usual = wide ? 480 : 348;
  const name = wide ? 'panel.wide' : 'panel';
  const [width, setWidth] = useState(() => bounded(Number(remembered(name)) || usual));
  const resize = (to: number) => {
    setWidth(bounded(to));
    rememberChoice(name, String(bounded(to)));
  };
  const narrow = below ? 'max-md:max-h-[30%] max-md:border-t' : 'max-md:absolute max-md:inset-0 max-md:z-20';
  return (
    <div className={`relative flex min-h-0 flex-1 max-md:h-[75dvh] max-md:flex-none ${below ? 'max-md:flex-col' : ''}`}>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      {aside && <Handle width={width} onResize={resize} />}
      {aside && (
        <aside
          ref={panel}
          aria-label={label}
          tabIndex={0}
          style={{ '--panel': `${width}px` } as React.CSSProperties}
          className={`w-(--panel) max-w-[75%] shrink-0 overflow-y-auto border-line border-l bg-surface focus-visible:outline-offset-[-2px] max-md:w-full max-md:max-w-none max-md:border-l-0 md:max-lg:max-w-[50%] ${narrow}`}
        >
          {aside}
        </aside>
      )}
    </div>
  );
}

/** The panel takes the focus on request, and returns it when it closes. */
function usePanelFocus(isOpen: boolean): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element>(null);
  const asked = useStore(panelFocus, (state) => state.asked);
  const answered = useRef(asked);
  // Runs before the observer of lost focus, which does not know the opener.
  useLayoutEffect(() => {
    if (isOpen) opener.current = document.activeElement;
    else if (opener.current && document.activeElement === document.body) giveFocusBack(opener.current);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen || !panel.current || answered.current === asked) return;
    answered.current = asked;
    focusHeadingOf(panel.current);
  });
  return panel;
}

/** The edge of the panel: drag it, or move it with the arrow keys. */
function Handle({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const edge = event.currentTarget;
    const from = event.clientX;
    edge.setPointerCapture(event.pointerId);
    const move = ({ clientX }: globalThis.PointerEvent) => onResize(width + from - clientX);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', () => edge.removeEventListener('pointermove', move), { once: true });
    event.preventDefault();
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: step, ArrowRight: -step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onResize(width + by);
  };
  return (
    <div
      role="separator"
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
      className="-mr-1 z-10 w-1.5 shrink-0 cursor-col-resize touch-none hover:bg-accent-soft max-md:hidden"
    />
  );
}
