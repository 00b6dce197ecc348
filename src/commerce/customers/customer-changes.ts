import { isDeepStrictEqual } from 'node:util'
import type { Customer, Marketing } from '../../../registry/customers/customer.ts'
import type { Work } from '../../store/core/mutation.ts'

type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/**
 * Customer fields whose values are redacted in the audit log. Free text and metadata may contain a name, and an
 * external reference identifies the person in another system.
 */
const personal = ['name', 'email', 'phone', 'addresses', 'tags', 'note', 'externalReference', 'metadata'] as const

/** Personal data is redacted, because the audit log is never erased. */
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

/** Adds the changes of a customer to the audit row, and emits the event customer.updated with the names of the changed fields. */
export function noteChanges(work: Work<'customer.updated'>, customer: Customer, changes: Changes): void {
  work.note(changes)
  emitUpdate(work, customer, Object.keys(changes))
}

/** The event contains only the names of the changed fields, because the values may be personal data. */
export function emitUpdate(
  { emit, now }: Work<'customer.updated'>,
  { id, version }: Pick<Customer, 'id' | 'version'>,
  changes: string[],
): void {
  emit('customer.updated', id, { customerId: id, changes, version, occurredAt: now })
}

/** A null value contains no personal data, so the audit log stores it without redaction. */
function redacted(value: unknown): unknown {
  return value === undefined || value === null ? null : '[redacted]'
}

function grantsOf({ email, sms, whatsapp }: Marketing) {
  return { email: email.granted, sms: sms.granted, whatsapp: whatsapp.granted }
}

/** Compares two values independently of the order of object keys, which jsonb does not preserve. */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null)
}
