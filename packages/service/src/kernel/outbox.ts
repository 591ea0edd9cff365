/** The last event of the log that was processed. Its id shows when the log has another history, for example after a restore. */
export type LogMark = { sequence: number; id: string };

/** Something for one receiver. `id` is the same however often it is derived; items with one `subject` stay in order. */
export type OutboxItem = {
  receiver: string;
  id: string;
  type: string;
  subject: string;
  at: string;
  /** The JSON from which the request is made. */
  content: string;
};

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

export type Delivery = OutboxItem & {
  /** The order in which they were queued. */
  number: number;
  state: DeliveryState;
  queuedAt: string;
  attempts: number;
  /** Null once it is delivered or given up. */
  nextAt: string | null;
  lastAt: string | null;
  /** The status of the last answer; null without one. */
  lastStatus: number | null;
  lastError: string | null;
};

export type Attempt = {
  at: string;
  state: DeliveryState;
  nextAt: string | null;
  status: number | null;
  error: string | null;
};

export type DeliveryFilter = {
  receiver?: string | undefined;
  state?: DeliveryState | undefined;
  limit: number;
  /** Only those queued before this one. */
  before?: number | undefined;
};

export type DeliveryCounts = { receiver: string; state: DeliveryState; count: number };

/**
 * The items to be sent to others, on disk, each one once. Hosts that share a store share the outbox: each item is in it
 * once, and the host that is responsible for a receiver sends to it.
 */
export type Outbox = {
  /** How far the log had been processed at the last `put`; null for a new outbox. */
  mark(): Promise<LogMark | null>;
  /** Adds the items it does not have yet and advances the mark, atomically. */
  put(items: readonly OutboxItem[], mark: LogMark | null, now: string): Promise<void>;
  /**
   * Starts at a mark of another history, or the first one; waiting deliveries are marked as failed. With `queuedBefore`
   * only those: later ones are of the history that begins, which another host has noticed first.
   */
  begin(mark: LogMark, now: string, queuedBefore?: string): Promise<void>;
  /** The first waiting delivery of each subject, if it is due. */
  due(receiver: string, now: string): Promise<readonly Delivery[]>;
  settle(delivery: Pick<Delivery, 'receiver' | 'id'>, attempt: Attempt): Promise<void>;
  /** Makes every waiting delivery of a receiver due now. */
  hurry(receiver: string, now: string): Promise<void>;
  /** Queues it again with its id; false if it is not known. */
  again(delivery: Pick<Delivery, 'receiver' | 'id'>, now: string): Promise<boolean>;
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** The delivery that was tried last. */
  lastTried(receiver: string): Promise<Delivery | undefined>;
  counts(): Promise<readonly DeliveryCounts[]>;
  /** Removes what was settled before then. */
  forget(before: string): Promise<void>;
  /** Reserves the receiver for this host until then; false if another host has it. */
  takeDuty(receiver: string, host: string, now: string, until: string): Promise<boolean>;
  close(): Promise<void>;
};
