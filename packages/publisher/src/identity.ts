/** The identity of a test for the console. `uid` stays the same from run to run. */
export type Test = {
  uid: string;
  /** The file of the test, or the feature it belongs to. */
  feature: string;
  /** The test's own name, with the names of the suites around it. */
  scenario: string;
  /** Its location; relative to the repository. */
  file: string | null;
  line: number | null;
  column?: number | null;
  /** The runner's project, if it has several. */
  project?: string | null;
  /** The names of the suites and of the test, as written. */
  path?: readonly string[];
  /** Its position among the tests of its file. */
  order?: number;
  tags?: readonly string[];
};

/** Joins the names of suites and test. */
export const joinTitles = (titles: readonly string[]): string => titles.filter((title) => title !== '').join(' > ');

/**
 * The identity under which a test reports, for `identity` in an Event Model's specification:
 * `identityOf('tests/cart.test.ts', 'cart', 'adds an item')`. The file is relative to the repository.
 */
export const identityOf = (feature: string, ...titles: readonly string[]): string => `${feature}/${joinTitles(titles)}`;

/** The facts a runner has about a test. */
export type TestSource = {
  file: string;
  titles: readonly string[];
  /** The feature, if the feature is not the file. */
  feature?: string;
  project?: string | null;
  line?: number | null;
  column?: number | null;
  tags?: readonly string[];
};

/** Creates the identities of the tests of a run, in source order: tests with equal names are numbered from the second on. */
export class Identities {
  readonly #seen = new Map<string, number>();
  readonly #orders = new Map<string, number>();

  make({ file, titles, feature = file, project = null, line = null, column = null, tags = [] }: TestSource): Test {
    const named = project ? [`[${project}]`, ...titles] : titles;
    const plain = identityOf(feature, ...named);
    const more = numbered(this.#seen, plain);
    const order = (this.#orders.get(`${project}\n${file}`) ?? 0) + 1;
    this.#orders.set(`${project}\n${file}`, order);
    const path = titles.filter((title) => title !== '');
    return {
      uid: `${plain}${more}`,
      feature,
      scenario: `${joinTitles(titles)}${more}`,
      file,
      line,
      column,
      project,
      path,
      order,
      tags,
    };
  }
}

function numbered(seen: Map<string, number>, name: string): string {
  const times = (seen.get(name) ?? 0) + 1;
  seen.set(name, times);
  return times > 1 ? ` #${times}` : '';
}
