import { useEffect, useRef } from 'react';
import { createStore } from 'zustand/vanilla';

const rowSelector = 'li, tr, [role="row"]';
const focusableSelector =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]';
const headingSelector = 'h1, h2, h3';

/** The content that can be reached now: an open dialog makes everything else inert. */
const reachable = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ??
  document.getElementById('main') ??
  document.body;

const isLost = (): boolean => document.activeElement === document.body || document.activeElement === null;

/** Headings and regions can hold the focus without being in the Tab order. */
function focusOn(element: HTMLElement): void {
  if (!element.matches(focusableSelector)) element.tabIndex = -1;
  element.focus();
}

/** The heading of a part of the page, or the part itself. */
export const focusHeadingOf = (part: HTMLElement): void =>
  focusOn(part.querySelector<HTMLElement>(headingSelector) ?? part);

/** Moves the focus to the heading of the page. */
export const focusPage = (): void => focusHeadingOf(reachable());

/** Returns the focus to where it was, or to the heading of the page if that element is gone. */
export function giveFocusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
  if (isLost() || document.activeElement?.closest('dialog:not([open])')) focusHeadingOf(reachable());
}

/** Counts the requests that a panel take the focus. Choosing a row with arrow keys shows its panel without leaving the list. */
export const panelFocus = createStore<{ asked: number }>(() => ({ asked: 0 }));
export const focusPanel = (): void => panelFocus.setState(({ asked }) => ({ asked: asked + 1 }));

/** Identifies a row, so that it can be found again: by its name or its address. */
function placeOf(element: Element): string | undefined {
  const named = element.closest<HTMLElement>('[data-place]')?.dataset.place;
  if (named !== undefined) return `[data-place="${CSS.escape(named)}"]`;
  const href = element.closest('a[href]')?.getAttribute('href');
  return href ? `a[href="${CSS.escape(href)}"]` : undefined;
}

/** The row that had the focus last, by the path of its page. */
const placesLeft = new Map<string, string>();
let isBack = false;

type Focused = { element: HTMLElement; parts: HTMLElement[]; nextRow: Element | null; previousRow: Element | null };
let focused: Focused | undefined;
let focusedInMain: HTMLElement | undefined;

function remember(element: HTMLElement): void {
  const parts: HTMLElement[] = [];
  for (let part = element.parentElement; part; part = part.parentElement) parts.push(part);
  const row = element.closest(rowSelector);
  focused = {
    element,
    parts,
    nextRow: row?.nextElementSibling ?? null,
    previousRow: row?.previousElementSibling ?? null,
  };
  if (!element.closest('#main')) return;
  focusedInMain = element;
  const place = placeOf(element);
  if (place) placesLeft.set(location.pathname, place);
}

/** A focused element was removed: the neighbouring row takes the focus, or the heading of the surrounding part. */
function findPlaceAgain(): void {
  if (!focused || focused.element.isConnected || !isLost()) return;
  const { parts, nextRow, previousRow } = focused;
  const root = reachable();
  const row = [nextRow, previousRow].find((one) => one?.isConnected && root.contains(one));
  const inRow = row?.querySelector<HTMLElement>(`[data-row], ${focusableSelector}`);
  const part = parts.find((one) => one.isConnected && root.contains(one) && one.querySelector(headingSelector));
  if (inRow) inRow.focus();
  else if (part) focusHeadingOf(part);
  else giveFocusBack(focusedInMain ?? null);
}

/** Tracks the focus, so that it is never lost. */
export function keepFocus(): void {
  addEventListener('popstate', () => (isBack = true), { capture: true });
  document.addEventListener('focusin', ({ target }) => target instanceof HTMLElement && remember(target));
  new MutationObserver(findPlaceAgain).observe(document.body, { childList: true, subtree: true });
}

/** After a change of page the focus moves to its heading; after Back, to the row that was left. */
export function useRouteFocus(path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    const place = isBack ? placesLeft.get(path) : undefined;
    isBack = false;
    return arrive(place);
  }, [path]);
}

/** Also used after a login, when there was no page before. */
export function arrive(place?: string): () => void {
  const ended = new AbortController();
  const stop = () => ended.abort();
  let heading: HTMLElement | null = null;
  const settle = () => {
    const main = document.getElementById('main');
    if (!main || document.querySelector('dialog[open]')) return;
    const at = document.activeElement;
    if (!isLost() && at !== main && at !== heading && main.contains(at)) return stop();
    const row = place ? main.querySelector<HTMLElement>(place) : null;
    heading = main.querySelector('h1');
    if (row) row.focus();
    else if (heading && at !== heading) focusOn(heading);
    else if (!heading && at !== main) main.focus();
    if (row || (heading && !place)) stop();
  };
  const watching = new MutationObserver(settle);
  watching.observe(document.body, { childList: true, subtree: true });
  ended.signal.addEventListener('abort', () => watching.disconnect());
  // If the person has moved on, the focus is not moved when the page arrives.
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, stop, { capture: true, signal: ended.signal });
  document.getElementById('main')?.focus();
  settle();
  return stop;
}
