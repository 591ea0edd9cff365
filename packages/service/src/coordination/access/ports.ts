/** Generates a random secret. */
export type DrawSecret = () => { token: string; hash: string };
