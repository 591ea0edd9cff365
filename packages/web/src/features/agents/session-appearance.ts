import { isWaiting } from 'signalbox/browser/needs';
import type { Session } from '../../live/wire.ts';
import { type Appearance, appearances } from '../../ui/appearance.tsx';

const stateAppearances: Record<Session['state'], Appearance> = {
  running: appearances.running,
  idle: appearances.idle,
  gone: appearances.gone,
  unknown: appearances.unknown,
};

/** A session that waits for a person is not shown as running. */
export const sessionAppearance = (session: Session): Appearance =>
  isWaiting(session) ? appearances.waiting : stateAppearances[session.state];
