/** Draws a secret that nobody can guess. */
export type DrawSecret = () => { token: string; hash: string };
