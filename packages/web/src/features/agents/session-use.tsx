import type { Session } from '../../live/wire.ts';
import { Fact, Section } from '../../ui/facts.tsx';
import { tokenText } from './token-text.ts';

/** The usage that the tool reports about itself: numbers only. */
export function SessionUse({ session }: { session: Session }) {
  const { model, turns, tokens, contextPercent } = session;
  if (model === null && turns === null && tokens === null && contextPercent === null) return null;
  return (
    <Section level={2} title="Usage">
      {model !== null && <Fact name="Model">{model}</Fact>}
      {turns !== null && <Fact name="Turns">{turns}</Fact>}
      {tokens !== null && <Fact name="Tokens">{tokenText(tokens)}</Fact>}
      {contextPercent !== null && (
        <Fact name="Context">
          <ContextBar percent={contextPercent} />
        </Fact>
      )}
    </Section>
  );
}

function ContextBar({ percent }: { percent: number }) {
  const tone = percent >= 75 ? 'warn' : 'active';
  return (
    <span className={`tone-${tone} inline-flex items-center gap-2`}>
      <span
        role="meter"
        aria-label="Context used"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="block h-1.5 w-24 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full bg-tone-text" style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span className="tabular-nums">{Math.round(percent)} %</span>
    </span>
  );
}
