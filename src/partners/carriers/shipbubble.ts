import { z } from 'zod'
import { parcelsWeightMaxGrams } from '../../../registry/values/limits.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import type { Capabilities, Carrier, CarrierAccount, CreateRequest, Outcome } from './carrier.ts'
import { markOf } from './classify-response.ts'
import { nothingShared, type SharedState } from './shared.ts'
import { openPlaceValidator } from './shipbubble-addresses.ts'
import { readShipbubbleCallback } from './shipbubble-callback.ts'
import { openShipbubbleCaller, readShipbubble } from './shipbubble-calls.ts'
import { Label, orderOfLabel, trackingOfLabel } from './shipbubble-labels.ts'
import { endsOf, openRateFinder, peopleDigest, type RateFinder, type RateToken, tokenIn } from './shipbubble-rates.ts'
import { openOrderSearch } from './shipbubble-search.ts'

/**
 * Shipbubble, by its public contract: one account with many couriers behind it, prices in naira, paid from a wallet.
 * A label is bought with the token of a rate. Whether one token buys twice is not said, and it keeps no reference of
 * ours, so a purchase is never repeated, and one whose answer was lost is looked for in the list of orders.
 */

const capabilities: Capabilities = {
  createDedup: 'none',
  lookup: 'list',
  serviceLevels: ['same_day', 'next_day', 'standard'],
  // Each courier chooses the vehicle itself.
  vehicles: ['bike', 'car', 'van'],
  callbacks: 'trusted',
  livePosition: false,
  // None of its words is of a rider who is found: the first after its yes is that the parcel was fetched.
  namesCouriers: false,
  proof: [],
  // It documents the call and no end to it; all its kind call off until the parcel is in somebody’s hands.
  cancelUntil: 'at_pickup',
  states: undefined,
  // Its couriers have limits of their own, by which it leaves them out of the rates.
  maxWeightGrams: parcelsWeightMaxGrams,
  insurance: false,
  quotesLive: true,
  onUnknown: 'proceed_guarded',
}

interface ShipbubbleOptions {
  readonly clock?: Clock
  readonly shared?: SharedState
}

export function openShipbubble(
  send: SafeFetch['fetch'],
  root: string,
  { clock = systemClock, shared = nothingShared }: ShipbubbleOptions = {},
): Carrier {
  const call = openShipbubbleCaller(send, root, shared.pace)
  const places = openPlaceValidator(call, clock, shared.addresses)
  const findRates = openRateFinder(call, places, clock)
  return {
    code: 'shipbubble',
    capabilities,
    quote: findRates,
    create: async (account, request, signal) => {
      const { pickup, dropoff } = request
      if ([pickup, dropoff].some(({ name, phone }) => name === null || phone === null)) {
        return { is: 'invalid', message: 'Shipbubble needs a name and a phone number at both ends.' }
      }
      const rate = await payableRate(findRates, { account, request }, signal)
      if (rate.is !== 'ok') return rate
      const { requestToken, serviceCode, courierId } = rate.value
      const body = { request_token: requestToken, service_code: serviceCode, courier_id: courierId }
      const heard = await call(account, { method: 'POST', path: '/shipping/labels', body, isOfCourier: true }, signal)
      return readShipbubble(heard, (data) => {
        const label = Label.safeParse(data).data
        return label && orderOfLabel(label)
      })
    },
    find: openOrderSearch(call, places, clock),
    get: async (account, { carrierReference }, signal) => {
      const path = `/shipping/labels/list/${encodeURIComponent(carrierReference)}`
      const outcome = readShipbubble(
        await call(account, { method: 'GET', path, isOfCourier: true, isBackground: true }, signal),
        listedIn,
      )
      if (outcome.is !== 'ok') return outcome
      const label = outcome.value.find(({ order_id }) => order_id === carrierReference)
      if (label !== undefined) return { is: 'ok', value: trackingOfLabel(label) }
      return { is: 'refused', code: 'not_found', message: `Shipbubble lists no order ${carrierReference}.` }
    },
    cancel: async (account, { carrierReference }, _reason, signal) => {
      const path = `/shipping/labels/cancel/${encodeURIComponent(carrierReference)}`
      const heard = await call(account, { method: 'POST', path, isOfCourier: true }, signal)
      // Nothing but the order’s name was sent: declining it is a word on the order, which a rider may have by now.
      if (heard.is === 'declined' && [200, 400, 409, 422].includes(heard.status)) {
        return { is: 'refused', code: 'not_cancellable', message: heard.message }
      }
      // A success says so in its envelope and documents no data: neither a fee nor what the wallet gets back.
      return readShipbubble(heard, () => ({ is: 'cancelled', feeKobo: undefined, refundKobo: undefined }))
    },
    readCallback: readShipbubbleCallback,
  }
}

const List = z.object({ results: z.array(z.unknown()) })

function listedIn(data: unknown): readonly Label[] | undefined {
  const list = List.safeParse(data).data
  return list?.results.flatMap((each) => Label.safeParse(each).data ?? [])
}

/**
 * The rate of the offer, if it was asked for the very people it goes between. If they were not known then, it is asked
 * for once more: a label’s people are those of its rate. It must not have become dearer.
 */
async function payableRate(
  findRates: RateFinder,
  { account, request }: { readonly account: CarrierAccount; readonly request: CreateRequest },
  signal: AbortSignal,
): Promise<Outcome<RateToken>> {
  const quoted = tokenIn(request.offer.token)
  const ends = endsOf(account, request)
  if (quoted === undefined || ends === undefined) return expired('The offer is not one of Shipbubble’s.')
  if (quoted.people === peopleDigest(ends)) return { is: 'ok', value: quoted }
  // The same courier may be a day later by now, which its offer’s level must not hide.
  const rates = await findRates(account, { ...request, serviceLevels: capabilities.serviceLevels }, signal)
  if (rates.is === 'unknown') {
    // Nothing has been bought yet, whatever became of the question.
    return { is: 'unavailable', message: rates.message, retryAfterSeconds: undefined, ...markOf(rates) }
  }
  if (rates.is !== 'ok') return rates
  for (const offer of rates.value) {
    const rate = tokenIn(offer.token)
    const isSame = rate?.courierId === quoted.courierId && rate.serviceCode === quoted.serviceCode
    if (rate !== undefined && isSame && offer.priceKobo <= request.offer.priceKobo) return { is: 'ok', value: rate }
  }
  return expired('The courier does not carry it at that price any more.')
}

function expired(message: string): Outcome<never> {
  return { is: 'refused', code: 'quote_expired', message }
}
