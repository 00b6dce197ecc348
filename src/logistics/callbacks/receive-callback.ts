import { createHash } from 'node:crypto'
import { toTimestamp } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { CallbackReading, RawCallback } from '../../partners/carriers/carrier.ts'
import { addMerchantJobs } from '../../store/core/jobs.ts'
import { storeCarrierCallback } from '../../store/logistics/carriers/carrier-callbacks.ts'
import { isCarrierCode } from '../carriers/carrier-names.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { findAccountByCallbackKey } from './callback-account.ts'

/** A carrier callback as received, before its signature is verified. */
export interface ReceivedCarrierCallback extends RawCallback {
  readonly body: Buffer
  readonly carrier: string
  readonly key: string
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
}

export type ReceiveCarrierOutcome =
  | { readonly is: 'stored' }
  | { readonly is: 'existing' }
  /** Not from a carrier of a merchant. The response does not reveal whether the account exists. */
  | { readonly is: 'not_signed' }

/** Verifies a carrier callback and stores it as received. A job later applies it to the shipment. */
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
  if (!isNew) return { is: 'existing' }
  // The job that applies the callback starts at once. If the job is lost, the periodic sweep finds the stored callback
  // within seconds.
  await addMerchantJobs(database, 'apply_carrier_callbacks', [merchantId]).catch((error) => {
    log.warn({ err: error, merchantId }, 'A carrier callback could not be queued and waits for the next sweep.')
  })
  return { is: 'stored' }
}

/**
 * Returns the hash by which repeated callbacks are recognised: of the event ids, which stay the same when a carrier
 * repeats an event in other bytes, or of the bytes if there are no ids.
 */
function dedupeHashOf(reading: Exclude<CallbackReading, { is: 'rejected' }>, body: Buffer): Buffer {
  const keys = reading.is === 'trusted' ? reading.events.map(({ dedupeKey }) => dedupeKey) : []
  const named = keys.length === 0 ? body : JSON.stringify(keys)
  return createHash('sha256')
    .update(keys.length === 0 ? 'body ' : 'events ')
    .update(named)
    .digest()
}
