import { behavesLikeAnEventLog } from '../../testing/behaves-like-an-event-log.ts';
import { createMemoryLog } from '../../testing/memory-log.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

behavesLikeAnEventLog('memory', () => {
  const clock = createSettableClock();
  return { log: createMemoryLog(clock), pass: clock.advance };
});
