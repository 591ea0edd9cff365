import type { Prepared } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import type { Fault } from '../../kernel/outcome.ts';
import { readList } from '../../kernel/read-list.ts';
import type { Descriptor } from './contract.ts';
import { isPlain, longLists, markDuplicateNames, renameMembers } from './descriptor.ts';

type Lists = Pick<Descriptor, 'slices' | 'aggregates' | 'hotspots'>;

/** The same push with its long lists read while others go on. */
export async function withListsRead<Input extends { document: Descriptor }>(
  { waitForTurn }: Pick<DispatchContext, 'waitForTurn'>,
  raw: Readonly<Record<string, unknown>>,
): Promise<Prepared<Input>> {
  const document = renameMembers(raw.document);
  if (!isPlain(document) || !waitForTurn) return { raw };
  const read: Partial<Lists> = {};
  const slices = await readList(markDuplicateNames(document.slices), longLists.slices, waitForTurn);
  if (slices && 'faults' in slices) return { faults: slices.faults.map(inDocument) };
  if (slices) read.slices = slices.items;
  const aggregates = await readList(document.aggregates, longLists.aggregates, waitForTurn);
  if (aggregates && 'faults' in aggregates) return { faults: aggregates.faults.map(inDocument) };
  if (aggregates) read.aggregates = aggregates.items;
  const hotspots = await readList(document.hotspots, longLists.hotspots, waitForTurn);
  if (hotspots && 'faults' in hotspots) return { faults: hotspots.faults.map(inDocument) };
  if (hotspots) read.hotspots = hotspots.items;
  const left = Object.fromEntries(Object.keys(read).map((member) => [member, []]));
  return {
    raw: { ...raw, document: { ...document, ...left } },
    complete: (input) => ({ ...input, document: { ...input.document, ...read } }),
  };
}

const inDocument = ({ path, message }: Fault): Fault => ({ path: `document.${path}`, message });
