import type { Delivery, Outbox } from '../../kernel/outbox.ts';
import type { Receiver } from '../../receivers/receivers.ts';

/** `status` is null where nothing answered; `error` is null where it was taken. */
export type Sent = { status: number | null; error: string | null };

/** What commands ask of the webhooks of this host. */
export type Webhooks = {
  receivers: readonly Receiver[];
  outbox: Pick<Outbox, 'list' | 'counts' | 'lastTried'> & {
    again(delivery: Pick<Delivery, 'receiver' | 'id'>): Promise<boolean>;
  };
  /** Sends a test, once. */
  test(receiver: Receiver): Promise<Sent>;
  /** Tries its queued deliveries now. */
  wake(receiver: string): void;
  sendsHere(receiver: Receiver): boolean;
};
