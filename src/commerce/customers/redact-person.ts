import { randomBase62 } from '../../base/ids.ts'

/** What is left of a person who was erased. */

export const redactedName = 'Deleted customer'

/** Has the form of an account number, for whoever relies on it. */
export const redactedAccountNumber = '0000000000'

/** 119 bits: random, because a hash of the address could be found by trying addresses. */
const placeholderLength = 20

/** The top-level domain .invalid is reserved (RFC 2606), so no message can ever arrive. */
export function newRedactedEmail(): string {
  return `anon-${randomBase62(placeholderLength).toLowerCase()}@anonymised.invalid`
}

/** What of an address leads to a person. City and state stay, for whoever counts where orders go. */
export const redactedAddress = {
  recipientName: null,
  phone: null,
  line1: 'Removed',
  line2: null,
  landmark: null,
  area: null,
  postalCode: null,
  instructions: null,
  latitude: null,
  longitude: null,
} as const

/** The same of a place of a shipment. Its zone and state stay; its point is made coarse where it is kept. */
export const redactedPlace = {
  name: null,
  phone: null,
  email: null,
  line1: 'Removed',
  line2: null,
  area: null,
  landmark: null,
  plusCode: null,
  instructions: null,
  locationSource: 'lga',
  // A tenth of a degree: from the middle to the corner of such a square.
  precisionMeters: 8000,
} as const

/**
 * Rewrites JSON that was sent or kept: an event's body, an answer. Fields are known by their names, wherever they are
 * and whatever the kind; nothing is added or left out, so that the text keeps the shape it was promised.
 */
export function redactIn(text: string, email: string): string {
  const patches: Readonly<Record<string, object>> = {
    customer: { name: redactedName, email, phone: null },
    shippingAddress: redactedAddress,
    billingAddress: redactedAddress,
    // A carrier’s own words may repeat what it was told.
    statusReason: { message: 'Removed' },
  }
  const forget = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(forget)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, content]: [string, unknown]) => [key, forgetField(key, content)])
    return Object.fromEntries(entries)
  }
  const forgetField = (key: string, content: unknown): unknown => {
    // A product may have an option of any name.
    if (content === null || key === 'optionValues') return content
    if (Object.hasOwn(forgottenFields, key)) return forgottenFields[key]
    return Object.hasOwn(patches, key) ? overwrite(Object(content), Object(patches[key])) : forget(content)
  }
  return JSON.stringify(forget(JSON.parse(text)))
}

/** Free text and free data, in which anything may stand, and bank accounts. */
const forgottenFields: Readonly<Record<string, unknown>> = {
  note: null,
  customerNote: null,
  cancelNote: null,
  tags: [],
  metadata: {},
  accountNumber: redactedAccountNumber,
  accountName: redactedName,
  failureMessage: null,
  // A carrier’s page shows whoever opens it the door, and who stands in it.
  trackingUrl: null,
}

function overwrite(value: object, patch: object): object {
  const known = Object.entries(patch).filter(([key]) => Object.hasOwn(value, key))
  return { ...value, ...Object.fromEntries(known) }
}
