import type { EndpointId, Endpoints } from '../../registry/index.ts'
import { idempotencyWindowHours } from '../../registry/values/limits.ts'

/** What a caller who got no answer must know: what the same request does when it is sent again. */
export interface Repeating {
  /** For the line under the title. */
  readonly badge: 'safe to repeat' | 'safe to repeat with a key' | 'read before you repeat'
  readonly words: string
}

type WriteId = { [Id in EndpointId]: Endpoints[Id]['kind'] extends 'write' ? Id : never }[EndpointId]

const reading: Repeating = {
  badge: 'safe to repeat',
  words: 'It changes nothing, so it can be sent again at any time.',
}

export function repeatingOf(id: EndpointId): Repeating {
  return isWrite(id) ? writes[id] : reading
}

function isWrite(id: EndpointId): id is WriteId {
  return Object.hasOwn(writes, id)
}

const settingValues: Repeating = {
  badge: 'safe to repeat',
  words: 'It sets what it names, so the same request once more leaves the same values.',
}

function deleting(code: string): Repeating {
  return {
    badge: 'safe to repeat',
    words: `Once more is answered with \`${code}\`: it is gone already, and nothing else happens.`,
  }
}

function refusedAgain(field: string, code: string): string {
  return `a second request with the same \`${field}\` is refused with \`${code}\`, whose \`details.existingId\` names the first record.`
}

function naturalKey(field: string, code: string): Repeating {
  return {
    badge: 'safe to repeat with a key',
    words: `Send \`${field}\`: ${refusedAgain(field, code)} Without it, a second request makes a second record.`,
  }
}

/** Of a field that no request may leave out. */
function requiredKey(field: string, code: string): Repeating {
  return {
    badge: 'safe to repeat',
    words: `The \`${field}\` is the key: ${refusedAgain(field, code)}`,
  }
}

/** Every write, so that none is published without a word on it. */
const writes: Readonly<Record<WriteId, Repeating>> = {
  createOrder: naturalKey('externalReference', 'external_reference_in_use'),
  updateOrder: settingValues,
  transitionOrder: {
    badge: 'safe to repeat',
    words: 'Asking for the status the order has changes nothing and is no error.',
  },
  cancelOrder: { badge: 'safe to repeat', words: 'Cancelling a cancelled order changes nothing and is no error.' },
  recordPayment: requiredKey('reference', 'payment_reference_in_use'),
  createProduct: naturalKey('slug', 'slug_in_use'),
  updateProduct: settingValues,
  deleteProduct: deleting('product_not_found'),
  createVariant: {
    badge: 'safe to repeat',
    words:
      'A product has one variant for each combination of option values, so a second request is refused with `option_values_in_use` or `sku_in_use`, whose `details.existingId` names the first.',
  },
  updateVariant: settingValues,
  deleteVariant: deleting('variant_not_found'),
  adjustInventory: {
    badge: 'safe to repeat with a key',
    words:
      'A count by `set` can be sent again. A change by `delta` counts twice unless `expectedOnHand` says from how many it starts: the second request is then refused with `inventory_changed`.',
  },
  createCustomer: {
    badge: 'safe to repeat with a key',
    words:
      'Send an `email` or an `externalReference`: a second request is refused with `customer_exists` or `external_reference_in_use`, whose `details.existingId` names the first customer.',
  },
  updateCustomer: settingValues,
  deleteCustomer: deleting('customer_not_found'),
  anonymiseCustomer: { badge: 'safe to repeat', words: 'Once more changes nothing and answers the same.' },
  createAddress: {
    badge: 'safe to repeat with a key',
    words:
      'Send `If-Match`: a second request is refused with `version_conflict`, because the first changed the customer. Without it, a second request adds a second address.',
  },
  updateAddress: settingValues,
  deleteAddress: deleting('address_not_found'),
  createRefund: {
    badge: 'safe to repeat with a key',
    words: `Send an \`Idempotency-Key\`, one for each refund you intend. The same key with the same body gives the first answer again for ${idempotencyWindowHours} hours, with \`Idempotent-Replayed: true\`, and no second refund is made; with another body it is refused with \`idempotency_conflict\`. Without a key, a second request makes a second refund.`,
  },
  setRefundBankDetails: {
    badge: 'read before you repeat',
    words:
      'Without an answer, read the refund: its `account` says whether the details arrived. It is taken only while it is awaited.',
  },
  cancelRefund: {
    badge: 'read before you repeat',
    words:
      'Without an answer, read the refund: its `status` says whether it is `cancelled`. No money moves either way.',
  },
  createDiscount: requiredKey('code', 'code_in_use'),
  updateDiscount: settingValues,
  archiveDiscount: { badge: 'safe to repeat', words: 'Archiving again changes nothing and answers the same.' },
  createQuote: {
    badge: 'safe to repeat',
    words: 'Each request makes a new quote and asks the carriers again. A quote costs nothing and binds nobody.',
  },
  createPredictiveSchedule: {
    badge: 'safe to repeat',
    words:
      'The `reference` is the key: the same request answers 200 with the same schedule. Another request with it is refused with `reference_conflict`.',
  },
  dispatchShipment: {
    badge: 'safe to repeat',
    words:
      'The `reference` is the key: the same request answers 200 with the same shipment, and no second rider is called. Another request with it is refused with `reference_conflict`.',
  },
  cancelShipment: { badge: 'safe to repeat', words: 'Cancelling what is cancelled answers the same again.' },
}
