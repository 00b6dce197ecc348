import { z } from 'zod'
import { parcelsWeightMaxGrams } from '../../../registry/values/limits.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import type { Capabilities, Carrier, CarrierAccount, CreateRequest, Outcome } from './carrier.ts'
import { neutralMarkOf } from './classify-response.ts'
import { nothingShared, type SharedState } from './shared.ts'
import { openPlaceValidator } from './shipbubble-addresses.ts'
import { readShipbubbleCallback } from './shipbubble-callback.ts'
import { openShipbubbleCaller, readShipbubble } from './shipbubble-calls.ts'
import { Label, orderOfLabel, trackingOfLabel } from './shipbubble-labels.ts'
import { endsOf, openRateFinder, peopleDigest, type RateFinder, type RateToken, tokenIn } from './shipbubble-rates.ts'
import { openOrderSearch } from './shipbubble-search.ts'

/**
 * Adapter for Shipbubble, written from its public API documentation. One Shipbubble account gives access to many
 * courier companies. Prices are in naira and are paid from a wallet. A label is booked with a rate's token. Shipbubble
 * does not document whether a token can book twice, and stores no reference of ours. A booking is therefore never
 * repeated; if its response was lost, the order is searched for in the list of orders.
 */

const capabilities: Capabilities = {
  createDedup: 'none',
  lookup: 'list',
  serviceLevels: ['same_day', 'next_day', 'standard'],
  // All vehicles are listed as supported, because each courier company chooses the vehicle.
  vehicles: ['bike', 'car', 'van'],
  callbacks: 'trusted',
  livePosition: false,
  // No Shipbubble status reports that a rider was assigned: the next status after the confirmation reports that the
  // parcel was collected.
  namesCouriers: false,
  proof: [],
  // Shipbubble documents cancellation without a deadline; couriers usually allow it until the parcel is collected.
  cancelUntil: 'at_pickup',
  states: undefined,
  // Each courier company has its own weight limit, by which Shipbubble filters the rates.
  maxWeightGrams: parcelsWeightMaxGrams,
  insurance: false,
  // Cash on delivery is not supported: Shipbubble documents the flag `is_cod_label` of a label, but no field for the
  // amount and no report of the collected cash.
  cashMaxKobo: undefined,
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
        return { is: 'invalid', message: 'Shipbubble needs a name and a phone number for the pickup and the dropoff.' }
      }
      const rate = await bookableRate(findRates, { account, request }, signal)
      if (rate.is !== 'ok') return rate
      const { requestToken, serviceCode, courierId } = rate.value
      const body = { request_token: requestToken, service_code: serviceCode, courier_id: courierId }
      const response = await call(
        account,
        { method: 'POST', path: '/shipping/labels', body, isOfCourier: true },
        signal,
      )
      return readShipbubble(response, (data) => {
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
      return { is: 'refused', code: 'not_found', message: `Shipbubble has no order ${carrierReference}.` }
    },
    cancel: async (account, { carrierReference }, _reason, signal) => {
      const path = `/shipping/labels/cancel/${encodeURIComponent(carrierReference)}`
      const response = await call(account, { method: 'POST', path, isOfCourier: true }, signal)
      // The cancellation request contains only the order's id. If Shipbubble rejects the request, the cause is
      // therefore the order, which cannot be cancelled, for example because a rider was assigned.
      if (response.is === 'declined' && [200, 400, 409, 422].includes(response.status)) {
        return { is: 'refused', code: 'not_cancellable', message: response.message }
      }
      // Shipbubble's response to a cancellation has a status and no documented data: neither a fee nor a refund.
      return readShipbubble(response, () => ({ is: 'cancelled', feeKobo: undefined, refundKobo: undefined }))
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
 * Returns the stored rate of the offer if this rate was requested for the contacts of the shipment. Otherwise requests
 * the rate again, because a label uses the contacts for which its rate was requested. The price of the new rate must
 * not be higher than the price of the offer.
 */
async function bookableRate(
  findRates: RateFinder,
  { account, request }: { readonly account: CarrierAccount; readonly request: CreateRequest },
  signal: AbortSignal,
): Promise<Outcome<RateToken>> {
  const quoted = tokenIn(request.offer.token)
  const ends = endsOf(account, request)
  if (quoted === undefined || ends === undefined) return expired('The offer is not from Shipbubble.')
  if (quoted.people === peopleDigest(ends)) return { is: 'ok', value: quoted }
  // Rates of all service levels are requested, because the courier company of the quoted rate may now deliver a day
  // later, at another service level.
  const rates = await findRates(account, { ...request, serviceLevels: capabilities.serviceLevels }, signal)
  if (rates.is === 'unknown') {
    // A request for a rate creates no booking. If the result of the request is unknown, the carrier can therefore
    // safely be treated as unavailable.
    return { is: 'unavailable', message: rates.message, retryAfterSeconds: undefined, ...neutralMarkOf(rates) }
  }
  if (rates.is !== 'ok') return rates
  for (const offer of rates.value) {
    const rate = tokenIn(offer.token)
    const isSame = rate?.courierId === quoted.courierId && rate.serviceCode === quoted.serviceCode
    if (rate !== undefined && isSame && offer.priceKobo <= request.offer.priceKobo) return { is: 'ok', value: rate }
  }
  return expired('The courier no longer offers the shipment at the price of the offer.')
}

function expired(message: string): Outcome<never> {
  return { is: 'refused', code: 'quote_expired', message }
}
