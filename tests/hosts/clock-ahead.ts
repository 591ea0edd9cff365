// Loaded with --import: shifts the time of the whole process by CLOCK_AHEAD_MS, forward or back.
const Real = Date;
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);

globalThis.Date = class extends Real {
  constructor(...given: ConstructorParameters<DateConstructor> | []) {
    if (given.length === 0) super(Real.now() + aheadMs);
    else super(...given);
  }

  static override now(): number {
    return Real.now() + aheadMs;
  }
} as DateConstructor;
