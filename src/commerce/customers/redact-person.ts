import { randomBase62 } from '../../base/ids.ts'

/** Placeholder values for the data of an anonymised person. */

export const redactedName = 'Deleted customer'

/** Placeholder for a text that must not be null. */
export const redactedText = 'Removed'

/** Placeholder in the format of an account number, for clients that validate account numbers. */
export const redactedAccountNumber = '0000000000'

/**
 * Number of random characters in the placeholder for an e-mail address: about 102 random bits in lower case. The
 * characters are random, because a hash of the address could be reversed by hashing likely addresses.
 */
const placeholderLength = 20

/**
 * The placeholder e-mail address uses the reserved top-level domain .invalid (RFC 2606), so no message can ever be
 * delivered to it.
 */
export function newRedactedEmail(): string {
  return `anon-${randomBase62(placeholderLength).toLowerCase()}${redactedDomain}`
}

const redactedDomain = '@anonymised.invalid'

export function isRedactedEmail(email: string): boolean {
  return email.endsWith(redactedDomain)
}

/**
 * Replaces the personal fields of an address. The city and the state are not replaced, because statistics need them.
 */
export const redactedAddress = {
  recipientName: null,
  phone: null,
  line1: redactedText,
  line2: null,
  landmark: null,
  area: null,
  postalCode: null,
  instructions: null,
  latitude: null,
  longitude: null,
} as const

/**
 * Replaces the personal fields of the pickup or dropoff of a shipment. The zone and the state are not replaced. The
 * coordinates are rounded elsewhere, by an SQL statement.
 */
export const redactedPlace = {
  name: null,
  phone: null,
  email: null,
  line1: redactedText,
  line2: null,
  area: null,
  landmark: null,
  plusCode: null,
  instructions: null,
  locationSource: 'lga',
  // Precision, in metres, of the coordinates of a redacted place. The coordinates are rounded to a tenth of a degree.
  // The distance to the true place is therefore at most half the diagonal of a square whose sides are a tenth of a
  // degree.
  precisionMeters: 8000,
} as const

/**
 * Redacts personal data in stored JSON such as an event's body or a response. Fields are matched by name at any depth;
 * no field is added or removed, so the JSON still matches its schema.
 */
export function redactIn(text: string, email: string): string {
  const patches: Readonly<Record<string, object>> = {
    customer: { name: redactedName, email, phone: null },
    shippingAddress: redactedAddress,
    billingAddress: redactedAddress,
    // The message of a carrier may repeat personal data of the shipment, so the message is removed.
    statusReason: { message: redactedText },
  }
  const redactValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(redactValue)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, content]: [string, unknown]) => [key, redactField(key, content)])
    return Object.fromEntries(entries)
  }
  const redactField = (key: string, content: unknown): unknown => {
    // `optionValues` is skipped: its keys are the names of product options, and an option may have the same name as a
    // field with personal data.
    if (content === null || key === 'optionValues') return content
    if (Object.hasOwn(redactedFields, key)) return redactedFields[key]
    return Object.hasOwn(patches, key) ? overwrite(Object(content), Object(patches[key])) : redactValue(content)
  }
  return JSON.stringify(redactValue(JSON.parse(text)))
}

/** Fields that may contain personal data: free text, metadata and bank accounts. */
const redactedFields: Readonly<Record<string, unknown>> = {
  note: null,
  customerNote: null,
  cancelNote: null,
  tags: [],
  metadata: {},
  accountNumber: redactedAccountNumber,
  accountName: redactedName,
  failureMessage: null,
  // The tracking URL is redacted: the page may show the delivery address and a photo of the recipient.
  trackingUrl: null,
}

function overwrite(value: object, patch: object): object {
  const known = Object.entries(patch).filter(([key]) => Object.hasOwn(value, key))
  return { ...value, ...Object.fromEntries(known) }
}
