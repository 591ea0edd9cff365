import { createStore } from 'zustand/vanilla';

type Theme = 'dark' | 'light';
export type Settings = { theme: Theme; me: string; editor: string; shortcuts: boolean };

const read = (name: string): string | null => {
  try {
    return localStorage.getItem(`signalbox.${name}`);
  } catch {
    return null;
  }
};
const write = (name: string, value: string): void => {
  try {
    localStorage.setItem(`signalbox.${name}`, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
};

/**
 * What this person chose in this browser. `me` is the label they act under; it is not a credential. `editor` opens places in
 * sources; empty until it is chosen.
 */
export const settings = createStore<Settings>(() => ({
  theme: document.documentElement.dataset.theme === 'light' ? 'light' : 'dark',
  me: read('me') ?? '',
  editor: read('editor') ?? '',
  shortcuts: read('shortcuts') !== 'off',
}));

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  settings.setState({ theme });
}

export function chooseTheme(theme: Theme): void {
  show(theme);
  write('theme', theme);
}

/** Without a chosen theme the page follows the system, also when the system switches. */
export function followSystemTheme(): void {
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', ({ matches }) => {
    if (read('theme') === null) show(matches ? 'light' : 'dark');
  });
}

export function actAs(me: string): void {
  settings.setState({ me });
  write('me', me);
}

export function chooseEditor(editor: string): void {
  settings.setState({ editor });
  write('editor', editor);
}

/** A size or a place that a person gave something. */
export const remembered = read;
export const rememberChoice = write;

/** Shortcuts of one letter get in the way of speech input, so that they can be turned off. */
export function allowShortcuts(shortcuts: boolean): void {
  settings.setState({ shortcuts });
  write('shortcuts', shortcuts ? 'on' : 'off');
}
