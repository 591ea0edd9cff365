/** The long forms run by `npm run test:attacks` and `npm run test:faults`; `npm test` runs the short ones. */
export const isLong = process.env.SIGNALBOX_LONG === '1';

/** So many rounds here, so many there. */
export const rounds = (short: number, whole: number): number => (isLong ? whole : short);
