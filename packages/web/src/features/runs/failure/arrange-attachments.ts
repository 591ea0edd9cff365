import type { ScenarioView } from '../../../live/wire.ts';

export type Attachment = ScenarioView['attachments'][number];
/** A visual comparison: what was expected, what was drawn, and where they differ. */
export type Comparison = { name: string; expected: Attachment; actual: Attachment; difference: Attachment | null };

const picture = /^image\/(png|jpeg|webp|gif)$/;
const film = /^video\/webm$/;

export const isTrace = ({ name, mediaType }: Attachment): boolean =>
  mediaType === 'application/zip' && /trace/.test(name);

/** `home-expected.png`, `home-actual.png` and `home-diff.png` belong together. */
export function arrangeAttachments(all: readonly Attachment[]) {
  const stored = all.filter(({ stored: isStored }) => isStored);
  const pictures = stored.filter(({ mediaType }) => picture.test(mediaType));
  const comparisons = comparisonsIn(pictures);
  const used = new Set(comparisons.flatMap(({ expected, actual, difference }) => [expected, actual, difference]));
  const rest = all.filter((one) => !pictures.includes(one) && !(one.stored && film.test(one.mediaType)));
  return {
    comparisons,
    pictures: pictures.filter((one) => !used.has(one)),
    films: stored.filter(({ mediaType }) => film.test(mediaType)),
    texts: rest.filter((one) => one.stored && one.mediaType.startsWith('text/plain')),
    files: rest.filter((one) => !(one.stored && one.mediaType.startsWith('text/plain'))),
  };
}

function comparisonsIn(pictures: readonly Attachment[]): Comparison[] {
  const roles = new Map<string, Map<string, Attachment>>();
  for (const one of pictures) {
    const [, name = '', role = ''] = /^(.+?)[-_ ](expected|actual|diff)(?:\.\w+)?$/.exec(one.name) ?? [];
    if (name === '') continue;
    const known = roles.get(name) ?? new Map();
    roles.set(name, known.set(role, one));
  }
  return [...roles].flatMap(([name, of]) => {
    const [expected, actual] = [of.get('expected'), of.get('actual')];
    return expected && actual ? [{ name, expected, actual, difference: of.get('diff') ?? null }] : [];
  });
}
