import type { Prepared } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import { readList } from '../../kernel/read-list.ts';
import { inMember } from '../../kernel/shape.ts';
import type { Descriptor } from './contract.ts';
import { isPlain, longLists, markDuplicateNames, renameMembers } from './descriptor.ts';

/** The same push with its long lists read while others go on. */
export async function withListsRead<Input extends { document: Descriptor }>(
  { waitForTurn }: Pick<DispatchContext, 'waitForTurn'>,
  raw: Readonly<Record<string, unknown>>,
): Promise<Prepared<Input>> {
  const document = renameMembers(raw.document);
  if (!isPlain(document) || !waitForTurn) return { raw };
  const given: Record<string, unknown> = { ...document, slices: markDuplicateNames(document.slices) };
  const read: Record<string, unknown[]> = {};
  for (const list of longLists) {
    const result = await readList<unknown>(given[list.member], list, waitForTurn);
    if (result && 'faults' in result) return { faults: result.faults.map(inMember('document')) };
    if (result) read[list.member] = result.items;
  }
  const left = Object.fromEntries(Object.keys(read).map((member) => [member, []]));
  return {
    raw: { ...raw, document: { ...document, ...left } },
    complete: (input) => ({ ...input, document: { ...input.document, ...read } }),
  };
}
