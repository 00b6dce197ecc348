import { isDeepStrictEqual } from 'node:util'
import type { Customer, Marketing } from '../../../registry/customers/customer.ts'

type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** Free text and free data may hold a name, and a reference leads to one in another system. */
const personal = ['name', 'email', 'phone', 'addresses', 'tags', 'note', 'externalReference', 'metadata'] as const

/** What differs between two states of a customer, without a word about the person: the audit log never forgets. */
export function changesOf(before: Customer | undefined, after: Customer): Changes {
  const changes: Record<string, readonly [unknown, unknown]> = {}
  for (const field of personal) {
    if (!isSame(before?.[field], after[field])) changes[field] = [redacted(before?.[field]), redacted(after[field])]
  }
  for (const field of ['status', 'defaultAddressId'] as const) {
    if (!isSame(before?.[field], after[field])) changes[field] = [before?.[field] ?? null, after[field]]
  }
  if (!isSame(before?.marketing, after.marketing)) {
    changes.marketing = [before === undefined ? null : grantsOf(before.marketing), grantsOf(after.marketing)]
  }
  return changes
}

/** Nothing is nobody's, so it may be told. */
function redacted(value: unknown): unknown {
  return value === undefined || value === null ? null : '[redacted]'
}

function grantsOf({ email, sms, whatsapp }: Marketing) {
  return { email: email.granted, sms: sms.granted, whatsapp: whatsapp.granted }
}

/** Whatever the order of keys, which jsonb does not keep. */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null)
}
