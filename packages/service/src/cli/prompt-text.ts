import type { Needs } from '../coordination/needs/contract.ts';
import { durationText } from './time-text.ts';

/** Such as `checkout/lexer 12 min left, 2 need you`; empty without claims and needs. */
export function promptText({ needs, claims = [] }: Needs, now: number): string {
  const [first] = claims;
  const held =
    first && `${first.ref} ${leftText(first.expiresAt, now)}${claims.length > 1 ? ` +${claims.length - 1}` : ''}`;
  const asked = needs.length > 0 && `${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you`;
  return [held, asked].filter(Boolean).join(', ');
}

function leftText(until: string, now: number): string {
  const minutes = Math.floor((Date.parse(until) - now) / 60_000);
  return minutes < 1 ? 'ends now' : `${durationText(minutes)} left`;
}
