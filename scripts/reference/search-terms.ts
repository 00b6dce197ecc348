/**
 * What people type who do not know what this reference calls a thing: the words of other APIs, by the page that was meant.
 * A path that is no page fails the generation.
 */
export const searchTerms: Readonly<Record<string, readonly string[]>> = {
  index: [
    'quickstart',
    'quick start',
    'getting started',
    'first request',
    'install',
    'tutorial',
    'hello world',
    'base url',
  ],
  'guides/authentication': [
    'api key',
    'access token',
    'bearer token',
    'secret key',
    'credentials',
    'login',
    'oauth',
    'rotate a key',
    'ip allowlist',
  ],
  'guides/errors': [
    'rate limit',
    'throttling',
    'too many requests 429',
    'retry after',
    'backoff',
    'error codes',
    'exception handling',
    'timeout',
  ],
  'guides/pagination': ['paging', 'next page', 'offset', 'iterate', 'list all records', 'infinite scroll'],
  'guides/idempotent-refunds': ['idempotency key', 'idempotency', 'duplicate request', 'double refund', 'safe retry'],
  'guides/receiving-webhooks': [
    'verify signature',
    'hmac',
    'signing secret',
    'webhook retries',
    'callback url',
    'notifications',
    'subscribe',
    'ngrok',
  ],
  'guides/test-mode': [
    'sandbox',
    'staging',
    'test environment',
    'test data',
    'simulator',
    'mock',
    'magic phone numbers',
  ],
  'test-mode': ['sandbox carriers', 'simulated carriers', 'simulated failures'],
  'guides/versioning': ['deprecation', 'breaking changes', 'sunset', 'compatibility', 'beta', 'upgrade'],
  'guides/client': ['sdk', 'client library', 'typescript', 'javascript', 'npm package', 'node'],
  'guides/optimistic-updates': [
    'optimistic concurrency',
    'optimistic locking',
    'concurrency control',
    'etag',
    'if match',
    'lost update',
    'conditional request',
    'version conflict',
  ],
  'guides/money': ['currency', 'naira', 'ngn', 'tax', 'vat', 'rounding', 'decimal', 'cents'],
  scopes: ['permissions', 'roles', 'access control'],
  changelog: ['release notes', 'what is new'],
  'api/orders/createOrder': ['checkout', 'cart', 'place an order', 'reservation', 'reserve stock'],
  'api/orders/previewOrder': ['price calculation', 'cart total', 'estimate total'],
  'api/orders/recordPayment': ['capture', 'charge', 'mark as paid', 'bank transfer', 'paystack'],
  'api/orders/transitionOrder': ['fulfil', 'fulfillment', 'mark as shipped', 'change status'],
  'api/products/createProduct': ['catalogue', 'item', 'listing'],
  'api/products/createVariant': ['size', 'colour', 'sku'],
  'api/products/adjustInventory': ['stock level', 'restock', 'warehouse', 'stocktake', 'inventory reservation'],
  'api/customers/anonymiseCustomer': ['gdpr', 'ndpr', 'privacy', 'erasure', 'right to be forgotten', 'personal data'],
  'api/refunds/createRefund': ['money back', 'return a payment', 'reverse a payment', 'reimburse'],
  'api/discounts/createDiscount': ['coupon', 'voucher', 'promo code', 'promotion', 'sale'],
  'api/logistics/createQuote': ['shipping rates', 'shipping cost', 'delivery fee', 'delivery price', 'courier rates'],
  'api/logistics/dispatchShipment': [
    'book a rider',
    'book a courier',
    'create a shipment',
    'ship an order',
    'ship',
    'send an order',
    'label',
  ],
  'api/logistics/trackShipment': ['tracking', 'live location', 'eta', 'where is my order'],
  'api/logistics/listZones': ['coverage', 'service area', 'delivery area'],
  'api/logistics/getSurge': ['dynamic pricing', 'peak price'],
  'api/logistics/createPredictiveSchedule': ['just in time', 'schedule a pickup'],
  'api/events/listEvents': ['event log', 'missed webhooks', 'poll events'],
  'api/description/getOpenApiDocument': [
    'openapi',
    'swagger',
    'postman',
    'json schema',
    'code generator',
    'specification',
  ],
}

/** The terms of a page. */
export function termsOf(path: string): readonly string[] {
  return Object.hasOwn(searchTerms, path) ? (searchTerms[path] ?? []) : []
}

/** The terms whose page is gone. */
export function lostTerms(paths: readonly string[]): string[] {
  return Object.keys(searchTerms).filter((path) => !paths.includes(path))
}
