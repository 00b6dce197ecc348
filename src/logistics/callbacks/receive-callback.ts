import { createHash } from 'node:crypto'
import { storableValue } from '../../base/storable-text.ts'
import { type ReceivedCallback, type ReceiveOutcome, storeVerified } from '../../callbacks/receive-callback.ts'
import type { CallbackReading } from '../../partners/carriers/carrier.ts'
import { carrierCallbacks } from '../../store/callbacks/inboxes.ts'
import { isCarrierCode } from '../carriers/carrier-names.ts'
import type { LogisticsContext } from '../carriers/context.ts'
import { findAccountByCallbackKey } from './callback-account.ts'

/** Verifies a carrier callback, and stores it with the status `received`. */
export async function receiveCarrierCallback(
  context: LogisticsContext,
  address: { readonly carrier: string; readonly key: string },
  received: ReceivedCallback,
): Promise<ReceiveOutcome> {
  const code = isCarrierCode(address.carrier) ? address.carrier : undefined
  const carrier = code && context.carriers.get(code)
  const found = code && (await findAccountByCallbackKey(context, code, address.key))
  if (carrier === undefined || found === undefined) return { is: 'not_signed' }
  const reading = carrier.readCallback(found.account, received)
  if (reading.is === 'rejected') return { is: 'not_signed' }
  const verified = {
    merchantId: found.tenant.merchantId,
    sender: carrier.code,
    hash: hashOf(reading, received.body),
    content: {
      // A text that cannot be stored must not make the service reject each repetition of the callback.
      parsedBody: JSON.stringify(reading.is === 'trusted' ? reading.events : reading.orders, storableValue),
      isTrusted: reading.is === 'trusted',
    },
  }
  return storeVerified(context, carrierCallbacks, verified, received)
}

/**
 * A carrier may repeat an event in different bytes, so the hash of a callback is computed from its event ids. Without
 * event ids, it is computed from the bytes.
 */
function hashOf(reading: Exclude<CallbackReading, { is: 'rejected' }>, body: Buffer): Buffer {
  const keys = reading.is === 'trusted' ? reading.events.map(({ dedupeKey }) => dedupeKey) : []
  const named = keys.length === 0 ? body : JSON.stringify(keys)
  return createHash('sha256')
    .update(keys.length === 0 ? 'body ' : 'events ')
    .update(named)
    .digest()
}
