/** The last processed event of the log. Its id shows if the log has a different history, for example after a restore. */
export type LogMark = { sequence: number; id: string };

/** An item for one receiver. `id` is the same each time it is derived; items with the same `subject` stay in order. */
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
  /** Returns only deliveries queued before this one. */
  before?: number | undefined;
};

export type DeliveryCounts = { receiver: string; state: DeliveryState; count: number };

/** The start of a history that the outbox does not know yet. */
export type Beginning = {
  mark: LogMark;
  /**
   * Starts the history only if the outbox still has this mark: otherwise another host started it first, and has queued
   * deliveries since.
   */
  after?: LogMark | null;
  /**
   * Limits this to deliveries queued before: later ones belong to the new history, which another host noticed first.
   */
  queuedBefore?: string;
};

/**
 * Items to send to others, stored on disk, each once. Hosts that share a store share the outbox; the host that is
 * responsible for a receiver sends its items.
 */
export type Outbox = {
  /** How far the log had been processed at the last `put`; null for a new outbox. */
  mark(): Promise<LogMark | null>;
  /** Adds the items that it does not contain yet and advances the mark, atomically. */
  put(items: readonly OutboxItem[], mark: LogMark | null, now: string): Promise<void>;
  /** Starts at the first mark, or at a mark of another history; waiting deliveries are then marked as failed. */
  begin(beginning: Beginning, now: string): Promise<void>;
  /** The first waiting delivery of each subject, if it is due. */
  due(receiver: string, now: string): Promise<readonly Delivery[]>;
  settle(delivery: Pick<Delivery, 'receiver' | 'id'>, attempt: Attempt): Promise<void>;
  /** Makes every waiting delivery of a receiver due now. */
  hurry(receiver: string, now: string): Promise<void>;
  /** Queues a delivery again with its id; false if it is unknown. */
  again(delivery: Pick<Delivery, 'receiver' | 'id'>, now: string): Promise<boolean>;
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** The delivery that was attempted last. */
  lastTried(receiver: string): Promise<Delivery | undefined>;
  counts(): Promise<readonly DeliveryCounts[]>;
  /** Removes deliveries that were settled before that time. */
  forget(before: string): Promise<void>;
  /** Makes this host responsible for the receiver until then; false if another host is. */
  takeDuty(receiver: string, host: string, now: string, until: string): Promise<boolean>;
  close(): Promise<void>;
};
