/** `2 of 8`: in how many of its runs. */
export const shareOfRuns = (rate: number, runs: number): string => `${Math.round(rate * runs)} of ${runs}`;

/** `1 of 7`: how often a verdict differed from that of the previous run. */
export const shareOfChanges = (flipRate: number, runs: number): string => shareOfRuns(flipRate, Math.max(1, runs - 1));
