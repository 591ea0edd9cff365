// Loaded with --import: the whole process believes that it is two hours later than it is.
const Real = Date;
const aheadMs = 2 * 60 * 60_000;

globalThis.Date = class extends Real {
  constructor(...given: ConstructorParameters<DateConstructor> | []) {
    if (given.length === 0) super(Real.now() + aheadMs);
    else super(...given);
  }

  static override now(): number {
    return Real.now() + aheadMs;
  }
} as DateConstructor;
