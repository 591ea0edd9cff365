type Told = {
  name: string;
  chapter: string;
  pattern: 'Command' | 'View' | 'Automation' | 'Translation';
  human?: string;
  http?: [method: string, route: string];
  command?: string;
  aggregate?: string;
  events?: string[];
  consumes?: string[];
  views?: string[];
  reads?: string[];
  trigger?: string;
  sends?: string[];
  from?: string;
  to?: string;
  hotspot?: string;
  specs?: string[];
};

const told: readonly Told[] = [
  {
    name: 'Search products',
    chapter: 'Browsing',
    pattern: 'View',
    human: 'Search box',
    consumes: ['PriceChanged', 'StockReserved'],
    views: ['ProductList'],
    specs: ['Search/a typo still finds the thing', 'Search/filters narrow the list'],
  },
  {
    name: 'Change a price',
    chapter: 'Browsing',
    pattern: 'Command',
    http: ['PUT', '/prices/{sku}'],
    command: 'ChangePrice',
    aggregate: 'Product',
    events: ['PriceChanged'],
    specs: ['Price parsing/a price in minor units is read', 'Price parsing/a comma is a decimal sign'],
  },
  {
    name: 'Add an item',
    chapter: 'Basket',
    pattern: 'Command',
    human: 'Product page',
    command: 'AddItem',
    aggregate: 'Basket',
    events: ['ItemAdded'],
    specs: ['Basket/an item is added'],
  },
  {
    name: 'Remove an item',
    chapter: 'Basket',
    pattern: 'Command',
    human: 'Basket page',
    command: 'RemoveItem',
    aggregate: 'Basket',
    events: ['ItemRemoved'],
    specs: ['Basket/an item is removed'],
  },
  {
    name: 'Show the basket',
    chapter: 'Basket',
    pattern: 'View',
    human: 'Basket page',
    consumes: ['ItemAdded', 'ItemRemoved', 'PriceChanged'],
    views: ['BasketTotals'],
    specs: ['Totals/totals add up in minor units', 'Totals/rounding is that of a bank'],
  },
  {
    name: 'Place an order',
    chapter: 'Paying',
    pattern: 'Command',
    http: ['POST', '/orders'],
    command: 'PlaceOrder',
    aggregate: 'Order',
    events: ['OrderPlaced'],
    reads: ['BasketTotals'],
    specs: ['Orders/an order is placed'],
  },
  {
    name: 'Charge the card',
    chapter: 'Paying',
    pattern: 'Automation',
    trigger: 'OrderPlaced',
    command: 'ChargeCard',
    aggregate: 'Payment',
    events: ['CardCharged', 'CardDeclined'],
    to: 'Card network',
    hotspot: 'What if the network answers twice?',
    specs: [
      'Payment/a card is charged once',
      'Payment/a timeout is retried',
      'Payment/a timeout is retried in yen',
      'Payment/a declined card says why',
    ],
  },
  {
    name: 'Cancel an order',
    chapter: 'Paying',
    pattern: 'Command',
    human: 'Order page',
    command: 'CancelOrder',
    aggregate: 'Order',
    events: ['OrderCancelled'],
    specs: ['Orders/an order is cancelled', 'Orders/an order is cancelled in yen'],
  },
  {
    name: 'Reserve stock',
    chapter: 'Fulfilment',
    pattern: 'Automation',
    trigger: 'OrderPlaced',
    command: 'ReserveStock',
    aggregate: 'Stock',
    events: ['StockReserved', 'StockRanOut'],
    specs: ['Stock/the last piece is sold once'],
  },
  {
    name: 'Free stock',
    chapter: 'Fulfilment',
    pattern: 'Automation',
    trigger: 'OrderCancelled',
    command: 'FreeStock',
    aggregate: 'Stock',
    events: ['StockFreed'],
    specs: ['Orders/a cancelled order frees its stock'],
  },
  {
    name: 'Take carrier news',
    chapter: 'Fulfilment',
    pattern: 'Translation',
    from: 'Carrier',
    command: 'NoteDelivery',
    events: ['ParcelDelivered'],
  },
  {
    name: 'Show my orders',
    chapter: 'Fulfilment',
    pattern: 'View',
    human: 'Account page',
    consumes: ['OrderPlaced', 'CardCharged', 'ParcelDelivered', 'OrderCancelled'],
    views: ['Orders'],
    specs: ['Invoices/an invoice carries its tax number'],
  },
  {
    name: 'Send the invoice',
    chapter: 'Fulfilment',
    pattern: 'Automation',
    trigger: 'CardCharged',
    command: 'SendInvoice',
    reads: ['Orders'],
    sends: ['InvoiceMail'],
    to: 'Mail',
    specs: ['Invoices/a credit note cancels an invoice'],
  },
];

const type = (name: string) => ({ name, fullName: `Shop.${name}`, assemblyName: 'Shop' });
const types = (names: readonly string[] = []) => names.map(type);

/** A shop as an event model whose specifications are scenarios of `richRun`. */
export const richModel = {
  name: 'Shop',
  aggregates: ['Basket', 'Order', 'Payment', 'Stock'].map((name) => ({
    type: type(name),
    kind: 'WriteAggregate',
    appliedEvents: [],
  })),
  slices: told.map((slice) => ({
    name: slice.name,
    chapter: slice.chapter,
    domain: 'Shop',
    pattern: slice.pattern,
    triggerKind: slice.human ? 'Human' : slice.http ? 'Http' : slice.trigger ? 'MessageHandler' : 'External',
    triggerLabel: slice.human ?? null,
    triggerType: slice.trigger ? type(slice.trigger) : null,
    triggerOrigin: slice.http
      ? { httpMethod: slice.http[0], httpRoute: slice.http[1], label: slice.http.join(' ') }
      : null,
    commandType: slice.command ? type(slice.command) : null,
    aggregateTypes: types(slice.aggregate ? [slice.aggregate] : []),
    emittedEvents: types(slice.events),
    consumedEvents: types(slice.consumes),
    readModelTypes: types(slice.views),
    readsFrom: types(slice.reads),
    publishedMessages: types(slice.sends),
    externalSystems: [
      ...(slice.from ? [{ name: slice.from, direction: 'Inbound' }] : []),
      ...(slice.to ? [{ name: slice.to, direction: 'Outbound' }] : []),
    ],
    hotspots: slice.hotspot ? [{ origin: 'Prose', text: slice.hotspot }] : [],
    specifications: (slice.specs ?? []).map((identity) => ({ identity, resolvedTypes: [] })),
    provenance: slice.pattern === 'Automation' ? 'Observed' : 'Declared',
  })),
};
