export type Finding = {
  about: string;
  state: 'ok' | 'warning' | 'wrong';
  found: string;
  /** What to do next; null if nothing needs to be done. */
  next: string | null;
};

export const ok = (about: string, found: string): Finding => ({ about, state: 'ok', found, next: null });
export const wrong = (about: string, found: string, next: string): Finding => ({ about, state: 'wrong', found, next });
export const warning = (about: string, found: string, next: string): Finding => ({
  about,
  state: 'warning',
  found,
  next,
});
