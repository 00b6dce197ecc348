import { createHash } from 'node:crypto'
import { toTimestamp } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { CallbackReading, RawCallback } from '../../partners/carriers/carrier.ts'
import { addMerchantJobs } from '../../store/core/jobs.ts'
import { storeCarrierCallback } from '../../store/logistics/carriers/carrier-callbacks.ts'
import { isCarrierCode } from '../carriers/carrier-names.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { findAccountByCallbackKey } from './callback-account.ts'

/** A carrier’s callback as it arrived: nothing of it is believed yet. */
export interface ReceivedCarrierCallback extends RawCallback {
  readonly body: Buffer
  readonly carrier: string
  readonly key: string
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
}

export type ReceiveCarrierOutcome =
  | { readonly is: 'kept' }
  | { readonly is: 'kept_before' }
  /** Not from a carrier of any merchant’s; nor is it told whether there is such an account. */
  | { readonly is: 'not_signed' }

/** Verifies what a carrier tells, and keeps it as it came before anything is made of it: a job applies it. */
export async function receiveCarrierCallback(
  context: LogisticsContext,
  received: ReceivedCarrierCallback,
): Promise<ReceiveCarrierOutcome> {
  const { database, clock, carriers, log } = context
  const code = isCarrierCode(received.carrier) ? received.carrier : undefined
  const carrier = code && carriers.get(code)
  const found = code && (await findAccountByCallbackKey(context, code, received.key))
  if (carrier === undefined || found === undefined) return { is: 'not_signed' }
  const reading = carrier.readCallback(found.account, received)
  if (reading.is === 'rejected') return { is: 'not_signed' }
  const { merchantId } = found.tenant
  const nowMs = clock.nowMs()
  const isNew = await storeCarrierCallback(database, {
    merchantId,
    id: newId('ccb', nowMs),
    carrier: carrier.code,
    dedupeHash: dedupeHashOf(reading, received.body),
    body: received.body,
    parsedBody: JSON.stringify(reading.is === 'trusted' ? reading.events : reading.orders),
    isTrusted: reading.is === 'trusted',
    sourceIp: received.sourceIp,
    requestId: received.requestId,
    userAgent: received.userAgent,
    now: toTimestamp(nowMs),
  })
  if (!isNew) return { is: 'kept_before' }
  // The pulse would come by within seconds; a job is there at once, and its loss costs no more than that.
  await addMerchantJobs(database, 'apply_carrier_callbacks', [merchantId]).catch((error) => {
    log.warn({ err: error, merchantId }, 'A carrier’s callback waits for the pulse.')
  })
  return { is: 'kept' }
}

/** By the names the carrier gives its news, which it repeats in other bytes; by the bytes where it gives none. */
function dedupeHashOf(reading: Exclude<CallbackReading, { is: 'rejected' }>, body: Buffer): Buffer {
  const keys = reading.is === 'trusted' ? reading.events.map(({ dedupeKey }) => dedupeKey) : []
  const named = keys.length === 0 ? body : JSON.stringify(keys)
  return createHash('sha256')
    .update(keys.length === 0 ? 'body ' : 'news ')
    .update(named)
    .digest()
}
