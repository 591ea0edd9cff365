/** A test as the console knows it. `uid` stays the same from run to run. */
export type Test = {
  uid: string;
  /** The file of the test, or the feature it belongs to. */
  feature: string;
  /** The test's own name, with the names of the suites around it. */
  scenario: string;
  file: string | null;
  line: number | null;
};

/** Joins the names of suites and test. */
export const joinTitles = (titles: readonly string[]): string => titles.filter((title) => title !== '').join(' > ');

/**
 * The identity under which a test reports, for `identity` in an Event Model's specification:
 * `identityOf('tests/cart.test.ts', 'cart', 'adds an item')`. The file is relative to the project's folder.
 */
export const identityOf = (feature: string, ...titles: readonly string[]): string => `${feature}/${joinTitles(titles)}`;

/** Makes the test of a file; repeated names are told apart by number, as they are by no framework. */
export class Identities {
  readonly #seen = new Map<string, number>();

  make(file: string, titles: readonly string[], line: number | null): Test {
    const plain = identityOf(file, ...titles);
    const times = (this.#seen.get(plain) ?? 0) + 1;
    this.#seen.set(plain, times);
    const more = times > 1 ? ` (${times})` : '';
    return { uid: `${plain}${more}`, feature: file, scenario: `${joinTitles(titles)}${more}`, file, line };
  }
}
