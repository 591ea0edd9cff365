/* Globs of `touches`: `*` and `?` within one name, `**` for any number of folders, everything else literally. A path that ends with a slash means everything below it. */

/** Why a text is not a valid glob; null if it is. */
export function globFault(text: string): string | null {
  if (text.startsWith('!')) return 'must not be negated; list the paths it touches';
  if (text.includes('{')) return 'cannot have alternatives in braces; write one entry for each';
  if (text.includes('\\')) return 'must separate folders with /';
  const names = text.split('/');
  const isBelowRoot = names.every(
    (name, at) => (name !== '' || at === names.length - 1) && name !== '.' && name !== '..',
  );
  return isBelowRoot ? null : 'must be relative to the root of the repository, such as src/price/**';
}

const anyFolders = '**';

const namesOf = (glob: string): string[] => (glob.endsWith('/') ? `${glob}**` : glob).split('/');

/** Whether some path matches both. The answer is exact, but ignores which files exist. */
export function globsMeet(a: string, b: string): boolean {
  return a === b || meet(namesOf(a), namesOf(b), anyFolders, namesMeet);
}

const namesMeet = (a: string, b: string): boolean =>
  a === b || meet([...a], [...b], '*', (one, other) => one === other || one === '?' || other === '?');

/**
 * Whether two sequences of parts can match, where `any` matches any number of parts. A row holds, for one start in `a`,
 * whether the rest from there can match the rest of `b` from each start.
 */
function meet(
  a: readonly string[],
  b: readonly string[],
  any: string,
  partsMeet: (one: string, other: string) => boolean,
): boolean {
  let below: boolean[] = [];
  for (let at = a.length; at >= 0; at--) {
    const row: boolean[] = [];
    for (let of = b.length; of >= 0; of--) {
      const [one, other] = [a[at], b[of]];
      if (one === undefined && other === undefined) row[of] = true;
      else if (one === any && other === any) row[of] = below[of] === true || row[of + 1] === true;
      else if (one === any) row[of] = below[of] === true || (other !== undefined && row[of + 1] === true);
      else if (other === any) row[of] = row[of + 1] === true || (one !== undefined && below[of] === true);
      else row[of] = one !== undefined && other !== undefined && below[of + 1] === true && partsMeet(one, other);
    }
    below = row;
  }
  return below[0] === true;
}

/** The first glob of one list that meets the other. */
export const meetingGlob = (touches: readonly string[], others: readonly string[]): string | undefined =>
  touches.find((glob) => others.some((other) => globsMeet(glob, other)));

const maxGlobs = 8;
const maxLength = 200;

/** A small number of globs that cover these paths: single files if there are few, otherwise the folders with the most files. */
export function globsOf(paths: readonly string[]): string[] {
  let globs = [...new Set(paths.map(asGlob).filter((glob) => glob.length <= maxLength))].sort();
  while (globs.length > maxGlobs) {
    const depth = Math.max(...globs.map(depthOf));
    globs = [...new Set(globs.map((glob) => (depthOf(glob) === depth ? folderOf(glob) : glob)))].sort();
  }
  return globs.filter((glob) => !globs.some((other) => other !== glob && isBelow(glob, other)));
}

/** Characters that a glob cannot express match any character. */
const asGlob = (path: string): string => path.replace(/^!|[{\\]/g, '?');

const withoutAny = (glob: string): string => glob.replace(/\/?\*\*$/, '');
const depthOf = (glob: string): number => (glob === anyFolders ? 0 : withoutAny(glob).split('/').length);
const isBelow = (glob: string, folder: string): boolean =>
  folder === anyFolders || (folder.endsWith('/**') && glob.startsWith(folder.slice(0, -2)));

function folderOf(glob: string): string {
  const path = withoutAny(glob);
  const end = path.lastIndexOf('/');
  return end < 0 ? anyFolders : `${path.slice(0, end)}/**`;
}
