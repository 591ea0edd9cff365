import { behavesLikeAnEventLog } from '../behaves-like-an-event-log.ts';
import { createSettableClock } from '../settable-clock.ts';
import { createMemoryLog } from './memory-log.ts';

behavesLikeAnEventLog('memory', () => {
  const clock = createSettableClock();
  return { log: createMemoryLog(clock), pass: clock.advance };
});
