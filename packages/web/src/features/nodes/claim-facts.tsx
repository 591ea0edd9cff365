import { CircleHelp, Link2, Link2Off } from 'lucide-react';
import { Link } from 'wouter';
import type { Claim, LastClaim } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { Fact, Section } from '../../ui/facts.tsx';
import { Chip } from '../../ui/page.tsx';
import { formatClock, formatDateTime, TimeAgo } from '../../ui/time.tsx';
import { tokenText } from '../agents/token-text.ts';
import { LeaseMeter } from './lease-meter.tsx';
import { claimAppearance } from './node-appearance.ts';
import { linkSource, reasonText } from './node-text.ts';

export function ClaimFacts({ claim, previous }: { claim: Claim; previous: LastClaim | null }) {
  const session = claim.sessionId ?? claim.session;
  return (
    <Section title="Claim">
      <Fact name="Holder">{claim.agent}</Fact>
      <Fact name="Session">
        <span className="flex flex-wrap items-center gap-2">
          {session ? (
            claim.sessionId ? (
              <Link href={paths.session(claim.sessionId)} className="font-mono text-code underline decoration-dotted">
                {session.slice(0, 8)}
              </Link>
            ) : (
              <span className="font-mono text-code">{session.slice(0, 8)}</span>
            )
          ) : null}
          {claim.correlation && (
            <Chip icon={claim.correlation === 'inferred' ? CircleHelp : Link2} title={linkSource(claim.linkedBy)}>
              {claim.correlation === 'inferred' ? 'possibly: inferred link' : 'strong link'}
            </Chip>
          )}
          {claim.health === 'unlinked' && (
            <Chip icon={Link2Off} title={reasonText(claim.reason)}>
              unlinked
            </Chip>
          )}
        </span>
      </Fact>
      {claim.health === 'unlinked' && claim.reason && (
        <Fact name="">
          <span className="text-fg-3">A plain lease: {reasonText(claim.reason)}.</span>
        </Fact>
      )}
      <Fact name="Lease">
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <LeaseMeter from={claim.claimedAt} until={claim.expiresAt} tone={claimAppearance(claim.health).tone} />
          <time dateTime={claim.expiresAt} title={formatDateTime(claim.expiresAt)} className="text-fg-3">
            until {formatClock(Date.parse(claim.expiresAt), 'minutes')}
          </time>
        </span>
      </Fact>
      {claim.progress !== null && <Fact name="Progress">{Math.round(claim.progress * 100)} %</Fact>}
      {claim.note && (
        <Fact name="Note">
          <span className="whitespace-pre-wrap">{claim.note}</span>
        </Fact>
      )}
      <Fact name="Since">
        <TimeAgo at={claim.claimedAt} suffix=" ago" />
      </Fact>
      {previous && (
        <div className="mt-3">
          <PreviousClaim claim={previous} />
        </div>
      )}
    </Section>
  );
}

/** A past claim; the state of its session at that time is not stored. */
export function PastClaim({ claim }: { claim: Claim }) {
  return (
    <Section title="Claim">
      <Fact name="Holder">{claim.agent}</Fact>
      <Fact name="Since">{formatDateTime(claim.claimedAt)}</Fact>
      <Fact name="Until">{formatDateTime(claim.expiresAt)}</Fact>
      {claim.note && (
        <Fact name="Note">
          <span className="whitespace-pre-wrap">{claim.note}</span>
        </Fact>
      )}
    </Section>
  );
}

/** The previous claim, whose note is meant for the next holder. */
export function PreviousClaim({ claim }: { claim: LastClaim }) {
  return (
    <Section title="Previous claim">
      <p className="text-fg-2">
        {claim.agent}, {claim.how} <TimeAgo at={claim.endedAt} suffix=" ago" />
        {claim.health === 'orphaned' || claim.health === 'stalled' ? `, ${claim.health}` : ''}
        {claim.reason ? ` (${reasonText(claim.reason)})` : ''}
      </p>
      {claim.tokens && <p className="text-fg-3">It used {tokenText(claim.tokens)}.</p>}
      {claim.note && <p className="whitespace-pre-wrap text-fg-3">“{claim.note}”</p>}
    </Section>
  );
}
