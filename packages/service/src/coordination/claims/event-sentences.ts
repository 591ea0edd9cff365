import type { StoredEvent } from '../stored-event.ts';
import type { SubmissionEnd } from './submission.ts';

const ends: Readonly<Record<SubmissionEnd, string>> = {
  proven: 'is proven',
  contradicted: 'was contradicted by its evidence',
  taken_up: 'was taken up again',
  withdrawn: 'was withdrawn',
  overdue: 'was not proven in time',
};

/** Notes and errors are often sentences themselves. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** One sentence for a person; undefined for an event of a newer version. */
export function claimSentence({ type, data, by }: StoredEvent<'claim'>): string | undefined {
  switch (type) {
    case 'node_claimed':
      return `${data.agent} ${data.renewed ? 'renewed the claim of' : 'claimed'} ${data.id} until ${data.expiresAt}.`;
    case 'claim_reported':
      return sentence(`${data.agent} reported on ${data.id}${data.note === null ? '' : `: ${data.note}`}`);
    case 'claim_released':
      return data.outcome === 'failed'
        ? sentence(`${data.agent} gave up ${data.id}${data.error === undefined ? '' : `: ${data.error}`}`)
        : `${data.agent} released ${data.id}.`;
    case 'claim_expired':
      return `The claim of ${data.agent} on ${data.id} ran out.`;
    case 'node_submitted':
      return sentence(`${data.agent} submitted ${data.id}${data.note === null ? '' : `: ${data.note}`}`);
    case 'submission_ended':
      return `${data.id}, submitted by ${data.agent}, ${ends[data.how]}.`;
    case 'attempts_reset':
      return `${by} reset the attempts of ${data.id}.`;
    default:
      return undefined;
  }
}
