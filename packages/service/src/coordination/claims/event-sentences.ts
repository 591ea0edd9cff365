import type { StoredEvent } from '../stored-event.ts';

/** One sentence for a person; undefined for an event of a newer version. */
export function claimSentence({ type, data }: StoredEvent<'claim'>): string | undefined {
  switch (type) {
    case 'node_claimed':
      return `${data.agent} ${data.renewed ? 'renewed the claim of' : 'claimed'} ${data.id} until ${data.expiresAt}.`;
    case 'claim_reported':
      return `${data.agent} reported on ${data.id}${data.note === null ? '' : `: ${data.note}`}.`;
    case 'claim_released':
      return `${data.agent} released ${data.id}.`;
    case 'claim_expired':
      return `The claim of ${data.agent} on ${data.id} ran out.`;
    default:
      return undefined;
  }
}
