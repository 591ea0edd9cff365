import { createStore } from 'zustand/vanilla';

type Theme = 'dark' | 'light';

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
    // Without storage the choice lasts only as long as the page.
  }
};

const oneOf = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value => {
  const found = read(name);
  return values.find((value) => value === found) ?? values[0];
};

/** The languages available for number formats; the first is that of the page's texts. */
export const numberLanguages = ['en', 'browser', 'de', 'fr', 'de-CH', 'en-IN'] as const;

/** The choices of this person in this browser. */
export type Settings = {
  /** Follows the system until one is chosen. */
  theme: Theme;
  themeChoice: 'system' | Theme;
  /** The name under which this person acts; it is not a credential. */
  me: string;
  /** The editor that opens source locations; empty until it is chosen. */
  editor: string;
  /** Single-letter shortcuts interfere with speech input, so they can be turned off. */
  shortcuts: boolean;
  clock: '24' | '12';
  numbers: (typeof numberLanguages)[number];
  density: 'usual' | 'dense';
  motion: 'system' | 'less';
  /** The kinds of needs that raise a desktop notification. */
  notify: readonly string[];
};

const shownTheme = (): Theme => (document.documentElement.dataset.theme === 'light' ? 'light' : 'dark');

export const settings = createStore<Settings>(() => ({
  theme: shownTheme(),
  themeChoice: oneOf('theme', ['system', 'dark', 'light']),
  me: read('me') ?? '',
  editor: read('editor') ?? '',
  shortcuts: read('shortcuts') !== 'off',
  clock: oneOf('clock', ['24', '12']),
  numbers: oneOf('numbers', numberLanguages),
  density: oneOf('density', ['usual', 'dense']),
  motion: oneOf('motion', ['system', 'less']),
  notify: (read('notify') ?? 'agent_waiting').split(','),
}));

/** Sets settings, and stores them in this browser. */
export function choose(choice: Partial<Omit<Settings, 'theme' | 'themeChoice'>>): void {
  settings.setState(choice);
  for (const [name, value] of Object.entries(choice))
    write(name, typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
}

const systemIsLight = matchMedia('(prefers-color-scheme: light)');

export function chooseTheme(themeChoice: Settings['themeChoice']): void {
  const theme = themeChoice === 'system' ? (systemIsLight.matches ? 'light' : 'dark') : themeChoice;
  document.documentElement.dataset.theme = theme;
  settings.setState({ theme, themeChoice });
  write('theme', themeChoice);
}

export const toggleTheme = (): void => chooseTheme(settings.getState().theme === 'dark' ? 'light' : 'dark');

/** Without a chosen theme the page follows the system, also when the system switches. */
export function followSystemTheme(): void {
  systemIsLight.addEventListener('change', () => {
    if (settings.getState().themeChoice === 'system') chooseTheme('system');
  });
}

/** A stored size or position that a person chose for something. */
export const remembered = read;
export const rememberChoice = write;
