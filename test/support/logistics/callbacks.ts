import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { silentLog } from '../../../src/base/log.ts'
import { applyCarrierCallbacks } from '../../../src/logistics/callbacks/apply-callbacks.ts'
import { sendRaw, type TestApi } from '../api.ts'
import { select } from '../database-contents.ts'
import { openShop, type Shop } from '../shop.ts'
import { signedHeaders, tracking } from './carrier.ts'
import { readShipment, type ShipmentOptions, storeShipment, testModeOf } from './shipment.ts'

interface Event {
  readonly status: ShipmentStatus | undefined
  readonly reference?: string | undefined
  readonly carrierReference?: string | undefined
  readonly at?: Timestamp
  readonly dedupeKey?: string
}

/** Creates a shipment at a carrier. Returns the shipment with functions that send this carrier's callbacks. */
export async function openCallbacks(api: TestApi, options: ShipmentOptions = {}) {
  const shop = testModeOf(await openShop(api.context))
  const key = await storeShipment(api, shop, options)
  const { attempts } = await readShipment(api, key)
  const [attempt] = attempts
  const { reference = '', carrierReference } = attempt ?? {}
  return {
    api,
    shop,
    key,
    reference,
    carrierReference: carrierReference ?? undefined,
    send: (
      events: readonly Event[],
      more: { carrier?: string; merchantId?: string; headers?: Record<string, string> } = {},
    ) => sendCallback(api, bodyOf(events), { merchantId: shop.merchantId, ...more }),
    hint: (orders: readonly object[]) =>
      sendCallback(api, JSON.stringify({ hints: orders }), { merchantId: shop.merchantId }),
    apply: () => applyCarrierCallbacks({ ...api.context, log: silentLog }, shop.merchantId),
    read: async () => (await readShipment(api, key)).shipment,
    rows: () => rowsOf(api, shop),
  }
}

export function bodyOf(events: readonly Event[]): string {
  return JSON.stringify({
    events: events.map(({ status, at, reference, carrierReference, dedupeKey = `${reference} ${status}` }) => ({
      order: { reference, carrierReference },
      tracking: tracking({ status, at }),
      dedupeKey,
    })),
  })
}

export function sendCallback(
  api: TestApi,
  body: string | Buffer,
  {
    carrier = 'simulator-swift',
    merchantId = '',
    headers = signedHeaders,
  }: { carrier?: string; merchantId?: string; headers?: Record<string, string> },
) {
  return sendRaw(api, { method: 'POST', path: `/callbacks/carriers/${carrier}/${merchantId}`, headers, body })
}

function rowsOf(api: TestApi, shop: Shop) {
  return select(
    api,
    'select body, outcome, reason, next_attempt_at as next, is_trusted as "isTrusted" from carrier_callbacks where merchant_id = $1 order by id',
    [shop.merchantId],
  )
}
