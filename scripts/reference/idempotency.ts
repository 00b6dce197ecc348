import type { EndpointId, Endpoints } from '../../registry/index.ts'
import { idempotencyWindowHours } from '../../registry/values/limits.ts'

/** The effect of a repeated request. A client that got no response must know this effect to decide whether to retry. */
export interface Idempotency {
  /** Label about idempotency that is shown under the title of the operation. */
  readonly badge: 'Idempotent' | 'Idempotent with reference' | 'Not idempotent'
  readonly text: string
}

type WriteId = { [Id in EndpointId]: Endpoints[Id]['kind'] extends 'write' ? Id : never }[EndpointId]

const readOperation: Idempotency = {
  badge: 'Idempotent',
  text: 'Reading changes nothing. Retry at any time.',
}

export function idempotencyOf(id: EndpointId): Idempotency {
  return isWrite(id) ? writes[id] : readOperation
}

function isWrite(id: EndpointId): id is WriteId {
  return Object.hasOwn(writes, id)
}

const settingValues: Idempotency = {
  badge: 'Idempotent',
  text: 'The request sets the fields it names, so a repeated request leaves the same values.',
}

function deleting(code: string): Idempotency {
  return {
    badge: 'Idempotent',
    text: `A repeated request returns \`${code}\`, because the record is already deleted.`,
  }
}

function duplicateError(field: string, code: string): string {
  return `a repeated request with the same \`${field}\` is rejected with \`${code}\`, and \`details.existingId\` names the first record.`
}

function naturalKey(field: string, code: string): Idempotency {
  return {
    badge: 'Idempotent with reference',
    text: `Send \`${field}\`: ${duplicateError(field, code)} Without it, a repeated request creates a second record.`,
  }
}

/** Returns the text on idempotency for an operation whose requests must have a unique reference. */
function requiredKey(field: string, code: string): Idempotency {
  return {
    badge: 'Idempotent with reference',
    text: `The \`${field}\` identifies the request: ${duplicateError(field, code)}`,
  }
}

/** The text on idempotency of every write operation. The type makes the compiler reject a missing operation. */
const writes: Readonly<Record<WriteId, Idempotency>> = {
  createOrder: naturalKey('externalReference', 'external_reference_in_use'),
  updateOrder: settingValues,
  transitionOrder: {
    badge: 'Idempotent',
    text: 'Sending the current status changes nothing and returns 200.',
  },
  cancelOrder: { badge: 'Idempotent', text: 'Cancelling a cancelled order changes nothing and returns 200.' },
  runTrigger: {
    badge: 'Not idempotent',
    text: 'A repeated request creates further records in test mode.',
  },
  createOrderComment: {
    badge: 'Not idempotent',
    text: 'A repeated request adds a second comment. If the response is lost, list the comments on the order before you repeat the request.',
  },
  voidPayment: {
    badge: 'Idempotent',
    text: 'A payment is voided once: a repeated request is rejected with `payment_not_voidable`, and `details.reason` is `voided`.',
  },
  recordRemittance: requiredKey('reference', 'remittance_reference_in_use'),
  voidRemittance: {
    badge: 'Idempotent',
    text: 'A remittance is voided once: a repeated request is rejected with `remittance_already_voided`.',
  },
  recordPayment: requiredKey('reference', 'payment_reference_in_use'),
  createProduct: naturalKey('slug', 'slug_in_use'),
  updateProduct: settingValues,
  deleteProduct: deleting('product_not_found'),
  createVariant: {
    badge: 'Idempotent',
    text: 'A product has one variant for each combination of option values, so a repeated request is rejected with `option_values_in_use` or `sku_in_use`, and `details.existingId` names the first variant.',
  },
  updateVariant: settingValues,
  deleteVariant: deleting('variant_not_found'),
  updatePrices: settingValues,
  adjustInventory: {
    badge: 'Not idempotent',
    text:
      'A count with `set` can be repeated. A repeated change with `delta` is applied again, unless ' +
      '`expectedOnHand` has the quantity before the change: the repeated request is then rejected with ' +
      '`inventory_changed`.',
  },
  adjustInventories: {
    badge: 'Not idempotent',
    text: 'The rules of `adjustInventory` apply to each entry: an entry with `set` can be repeated, and an entry with `delta` can be repeated safely only with `expectedOnHand`.',
  },
  createCustomer: {
    badge: 'Idempotent with reference',
    text: 'Send an `email` or an `externalReference`: a repeated request is rejected with `customer_exists` or `external_reference_in_use`, and `details.existingId` names the first customer.',
  },
  updateCustomer: settingValues,
  deleteCustomer: deleting('customer_not_found'),
  anonymiseCustomer: {
    badge: 'Idempotent',
    text: 'A repeated request changes nothing and returns the same response.',
  },
  createAddress: {
    badge: 'Not idempotent',
    text: 'Send `If-Match`: a repeated request is rejected with `version_conflict`, because the first request changed the customer. Without `If-Match`, a repeated request adds a second address.',
  },
  updateAddress: settingValues,
  deleteAddress: deleting('address_not_found'),
  createPaymentLink: {
    badge: 'Idempotent',
    text: 'An order has one open link: a repeated request returns it with 200, and no second page is created.',
  },
  createRefund: {
    badge: 'Idempotent with reference',
    text: `Send one \`Idempotency-Key\` for each intended refund. For ${idempotencyWindowHours} hours the same key with the same body returns the first response with \`Idempotent-Replayed: true\`, and no second refund is made. With another body the request is rejected with \`idempotency_conflict\`. Without a key, a repeated request makes a second refund.`,
  },
  setRefundBankDetails: {
    badge: 'Not idempotent',
    text: 'If the response is lost, read the refund: `account` shows whether the bank details were stored. Bank details are accepted only while the refund has the status `needs_attention`.',
  },
  cancelRefund: {
    badge: 'Not idempotent',
    text: 'If the response is lost, read the refund: `status` shows whether it is `cancelled`. No money moves in either case.',
  },
  createReturn: {
    badge: 'Not idempotent',
    text: 'If the response is lost, list the returns of the order before you repeat the request. Units that the first request named are not returnable a second time.',
  },
  transitionReturn: { badge: 'Idempotent', text: 'Sending the current status changes nothing and returns 200.' },
  receiveReturn: {
    badge: 'Idempotent',
    text: 'A return is received once: a repeated request is rejected with `invalid_transition`, and `details.from` is `received`.',
  },
  createDiscount: requiredKey('code', 'code_in_use'),
  updateDiscount: settingValues,
  archiveDiscount: { badge: 'Idempotent', text: 'Archiving an archived discount changes nothing and returns 200.' },
  createQuote: {
    badge: 'Not idempotent',
    text: 'Each request creates a new quote with new offers. A quote costs nothing and commits to nothing.',
  },
  createPredictiveSchedule: {
    badge: 'Idempotent with reference',
    text: 'The `reference` identifies the request: a repeated request returns the same schedule with 200. Another request with the same reference is rejected with `reference_conflict`.',
  },
  dispatchShipment: {
    badge: 'Idempotent with reference',
    text: 'The `reference` identifies the request: a repeated request returns the same shipment with 200, and no second rider is requested. Another request with the same reference is rejected with `reference_conflict`.',
  },
  advanceTestClock: {
    badge: 'Not idempotent',
    text:
      'A repeated request advances the clock again once the first advance has ended. Without a response, read the test ' +
      'clock: it shows the advance that is under way.',
  },
  cancelShipment: { badge: 'Idempotent', text: 'Cancelling a cancelled shipment changes nothing and returns 200.' },
}
