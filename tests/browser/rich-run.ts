/** A supervised run of a large suite: lanes, retries, a stall, a crashed worker, recycles, failures of three kinds. */
export type RichRun = {
  runId: string;
  /** When it started, in milliseconds since the epoch. */
  start: number;
  scenarios?: number;
  lanes?: number;
  /** The steps of each scenario; three to six if omitted. */
  steps?: number;
  /** Only events up to this time after the start; if omitted, the run has finished. */
  until?: number;
  seed?: number;
  suite?: string;
  tag?: string;
  branch?: string;
};

type Timed = { t: number; event: object };
type Lane = { lane: number; t: number; uids: string[] };

const features: Record<string, readonly string[]> = {
  'Price parsing': ['a price in minor units is read', 'a comma is a decimal sign', 'an empty price is refused'],
  Totals: ['totals add up in minor units', 'a discount never goes below zero', 'rounding is that of a bank'],
  Basket: ['an item is added', 'an item is removed', 'the basket survives a reload', 'two tabs show one basket'],
  Payment: ['a card is charged once', 'a declined card says why', 'a payment is refunded', 'a timeout is retried'],
  Shipping: ['the cheapest carrier comes first', 'a label is printed', 'an address abroad adds customs'],
  Orders: ['an order is placed', 'an order is cancelled', 'a cancelled order frees its stock'],
  Stock: ['the last piece is sold once', 'a reservation expires', 'a delivery raises the level'],
  Accounts: ['a guest becomes a member', 'a password is reset', 'a deleted account is forgotten'],
  Search: ['a typo still finds the thing', 'filters narrow the list', 'nothing found says what to try'],
  Invoices: ['an invoice carries its tax number', 'a credit note cancels an invoice'],
};
const variants = [
  '',
  ' in euros',
  ' in yen',
  ' for a guest',
  ' for a member',
  ' on a phone',
  ' with a voucher',
  ' at night',
];
const steps: readonly (readonly [kind: string, text: string])[] = [
  ['Given', 'a shop with three products'],
  ['And', 'a customer with a basket'],
  ['When', 'the customer goes to the till'],
  ['And', 'the payment is confirmed'],
  ['Then', 'the order shows the total in minor units'],
  ['And', 'the stock is one less'],
];
const failures = [
  (n: number) =>
    `Expected total to be ${n * 7} but was ${n * 7 + 1}\n   at TotalsSpecs.total (src/totals.spec.ts:118:7)\n   at Runner.step (node_modules/runner/step.js:41:9)`,
  (n: number) => `connect ECONNREFUSED 127.0.0.1:${5400 + n}\n   at PaymentGateway.charge (src/payment.ts:64:11)`,
  (n: number) =>
    `Timed out after ${n * 100 + 5000} ms waiting for "order placed"\n   at Orders.place (src/orders.ts:31:5)`,
];
const types = ['Basket', 'OrderPlaced', 'PriceParser', 'PlaceOrder', 'Orders', 'StockReserved'];

export function richRun({ runId, start, scenarios = 430, lanes = 8, until, seed = 7, ...more }: RichRun): object[] {
  const { suite = 'checkout.specs', tag = 'checkout-2/totals', branch = 'main' } = more;
  const random = chance(seed);
  const out: Timed[] = [];
  const iso = (t: number) => new Date(start + Math.round(t)).toISOString();
  const tell = (t: number, event: object) => out.push({ t, event: { runId, ...event } });
  const all = names(scenarios);
  const board: Lane[] = Array.from({ length: lanes }, (_, lane) => ({ lane, t: 400 + lane * 60, uids: [] }));
  for (const [index, uid] of all.entries()) board[index % lanes]?.uids.push(uid);
  const mean = 4000 * Math.min(1, 430 / scenarios);

  tell(0, {
    type: 'run_started',
    suite,
    repository: '/home/ada/code/shop',
    branch,
    mode: 'supervised',
    startedAt: iso(0),
    totalScenarios: scenarios,
    tag,
  });
  for (const { lane, uids, t } of board) {
    tell(t - 300, { type: 'worker_started', lane, purpose: 'Lane', processId: 4100 + lane, at: iso(t - 300) });
    tell(t - 200, { type: 'lane_started', lane, uids, at: iso(t - 200) });
  }

  const counts = { passed: 0, failed: 0, passedOnRetry: 0 };
  const attempt = (lane: Lane, uid: string, number: number, ms: number, fails: string | null, again = false) => {
    const [feature = '', scenario = ''] = uid.split('/');
    const [from, end] = [lane.t, lane.t + ms];
    const many = more.steps ?? 3 + Math.floor(random() * 4);
    tell(from, { type: 'scenario_started', uid, feature, scenario, attempt: number, at: iso(from), totalSteps: many });
    let at = from;
    for (let step = 1; step <= many; step += 1) {
      const [kind, text] = steps[step - 1] ?? ['And', 'all is well'];
      const breaks = fails !== null && step === many - 1;
      const took = breaks ? end - at : ((end - at) / (many - step + 1)) * (0.3 + random() * 0.9);
      const key = { uid, stepId: `s${step}`, stepNumber: step, attempt: number };
      tell(at, { type: 'step_started', ...key, kind, text, totalSteps: many });
      at = Math.min(end, at + took);
      const status = breaks ? 'failed' : 'ok';
      tell(at, {
        type: 'step_finished',
        ...key,
        status,
        durationMs: Math.round(took),
        errorMessage: breaks ? fails : null,
      });
      if (breaks) break;
    }
    lane.t = end + 90 + random() * 160;
    if (again) {
      const reason = 'known to be shaky on a busy host';
      tell(end, { type: 'retry_scheduled', uid, nextAttempt: number + 1, disposition: 'RetryInProcess', reason });
      return;
    }
    const outcome = fails !== null ? 'Failed' : number > 1 ? 'PassOnRetry' : 'CleanPass';
    counts[outcome === 'Failed' ? 'failed' : outcome === 'PassOnRetry' ? 'passedOnRetry' : 'passed'] += 1;
    const touched = types
      .filter(() => random() < 0.4)
      .map((name) => ({ name, fullName: `Shop.${name}`, assemblyName: 'Shop' }));
    tell(end, {
      type: 'scenario_finished',
      uid,
      outcome,
      attempts: number,
      durationMs: Math.round(ms),
      errorMessage: fails,
      touchedTypes: touched,
      at: iso(end),
    });
  };

  for (const lane of board) {
    lane.uids.forEach((uid, index) => {
      const ms = usual(uid, mean) * (0.9 + random() * (random() < 0.04 ? 1.6 : 0.2));
      const luck = random();
      const share = index / lane.uids.length;
      const broken = (failures[Math.floor(random() * 3)] as (n: number) => string)(1 + Math.floor(random() * 40));
      const here = (at: number) => Math.floor(at * lane.uids.length) === index;
      if (lane.lane === 3 && here(0.62)) {
        const from = lane.t;
        attempt(lane, uid, 1, mean * 9.5, null);
        const at = from + mean * 7.5;
        const inFlightMs = Math.round(mean * 7.5);
        tell(at, {
          type: 'test_stalled',
          uid,
          displayName: uid.split('/')[1],
          inFlightMs,
          lane: 3,
          processId: 4103,
          at: iso(at),
        });
      } else if (lane.lane === 5 % lanes && here(0.55)) crash(lane, uid, ms);
      else if (luck < 0.012) attempt(lane, uid, 1, ms, broken);
      else if (luck < 0.02) {
        attempt(lane, uid, 1, ms, broken, true);
        attempt(lane, uid, 2, ms * 1.3, broken);
      } else if (luck < 0.05) {
        attempt(lane, uid, 1, ms, broken, true);
        attempt(lane, uid, 2, ms * 0.8, null);
      } else attempt(lane, uid, 1, ms * (share > 0 ? 1 : 1.6), null);
    });
  }

  function crash(lane: Lane, uid: string, ms: number): void {
    const [feature = '', scenario = ''] = uid.split('/');
    tell(lane.t, { type: 'scenario_started', uid, feature, scenario, attempt: 1, at: iso(lane.t), totalSteps: 4 });
    const at = lane.t + ms * 0.6;
    const standardError = 'free(): invalid pointer\nAborted (core dumped)';
    tell(at, { type: 'worker_faulted', lane: lane.lane, fault: 'exit 139', exitCode: 139, standardError, at: iso(at) });
    tell(at, { type: 'lane_finished', lane: lane.lane, outcomes: 20, crashed: true, at: iso(at) });
    tell(at, {
      type: 'retry_scheduled',
      uid,
      nextAttempt: 2,
      disposition: 'RetryInFreshProcess',
      reason: 'its worker died',
    });
    lane.t = at + mean * 0.5;
    tell(lane.t - 80, {
      type: 'worker_started',
      lane: lane.lane,
      purpose: 'Lane',
      processId: 4205,
      at: iso(lane.t - 80),
    });
    const rest = lane.uids.slice(lane.uids.indexOf(uid));
    tell(lane.t - 40, { type: 'lane_started', lane: lane.lane, uids: rest, at: iso(lane.t - 40) });
    attempt(lane, uid, 2, ms, null);
  }

  const end = Math.max(...board.map(({ t }) => t));
  for (const share of [0.34, 0.74])
    tell(end * share, { type: 'resource_recycled', resource: 'pg', at: iso(end * share) });
  for (const { lane, uids, t } of board)
    tell(t, { type: 'lane_finished', lane, outcomes: uids.length, crashed: false, at: iso(t) });
  const finish = {
    exitCode: counts.failed > 0 ? 1 : 0,
    ...counts,
    indeterminate: 0,
    skipped: 0,
    finishedAt: iso(end + 200),
  };
  tell(end + 200, { type: 'run_finished', ...finish });
  return out
    .filter(({ t }) => until === undefined || t <= until)
    .sort((a, b) => a.t - b.t)
    .map(({ event }) => event);
}

function names(count: number): string[] {
  const pairs = Object.entries(features).flatMap(([feature, scenarios]) => scenarios.map((one) => `${feature}/${one}`));
  return Array.from({ length: count }, (_, index) => {
    const pair = pairs[(index * 7) % pairs.length] ?? '';
    const round = Math.floor(index / pairs.length);
    const variant = variants[round % variants.length] ?? '';
    const again = Math.floor(round / variants.length);
    return `${pair}${variant}${again === 0 ? '' : `, case ${again + 1}`}`;
  });
}

/** The same scenario takes about as long in every run. */
function usual(uid: string, mean: number): number {
  const random = chance([...uid].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7));
  return Math.max(40, mean * (0.15 + random() * random() * 3.4));
}

/** Seeded, so that a picture made twice is the same picture. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
