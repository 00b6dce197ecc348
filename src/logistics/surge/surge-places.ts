import type { SurgeBook } from '../../../registry/logistics/surge.ts'
import type { SurgeObservations } from '../../store/logistics/surge/surge-signals.ts'
import { capMerchantShares } from './merchant-shares.ts'
import { noObservations, type ObservedTotals } from './surge-formula.ts'

/** Sums the surge observations by place. A place is a zone or a whole city, each in live or in test mode. */

/** Returns the key of a zone for a `Map` that contains the places of live mode and of test mode. */
export const zoneKey = (book: SurgeBook, zoneId: string) => `${book}/zone/${zoneId}`
/** Returns the key of a city for a `Map` that contains the places of live mode and of test mode. */
export const cityKey = (book: SurgeBook, city: string) => `${book}/city/${city}`

/** Weighted sums of observed prices, by `carrier/service`. Prices of different services are not comparable. */
export type Prices = ReadonlyMap<string, { readonly weight: number; readonly log: number }>

export interface Place {
  readonly observed: Omit<ObservedTotals, 'priceWeight' | 'priceLog'>
  readonly prices: Prices
  readonly convertedWeight: number
}

export type Places = ReadonlyMap<string, Place>

const emptyPlace: Place = { observed: noObservations, prices: new Map(), convertedWeight: 0 }

/** Each sum is 0 without observations. */
export function placeIn(places: Places, key: string): Place {
  return places.get(key) ?? emptyPlace
}

interface Zoned {
  readonly book: SurgeBook
  readonly zoneId: string
  readonly city: string
}

/**
 * Sums observations by zone and by city. Each observation counts in its zone and in its city, and the share of a
 * merchant is limited in both. `minutes` is the length of the observation window. If the weights of the observations
 * decay with time, `minutes` must be the time-decayed length.
 */
export function placesOf(observations: readonly SurgeObservations[], zones: readonly Zoned[], minutes: number): Places {
  const cities = new Map(zones.map((zone) => [zoneKey(zone.book, zone.zoneId), cityKey(zone.book, zone.city)]))
  const zoneOf = ({ book, zoneId }: SurgeObservations) => zoneKey(book, zoneId)
  const byZone = Map.groupBy(observations, zoneOf)
  const byCity = Map.groupBy(observations, (seen) => cities.get(zoneOf(seen)))
  const places = new Map<string, Place>()
  for (const [key, seen] of [...byZone, ...byCity]) {
    if (key !== undefined) places.set(key, capMerchantShares(seen, minutes).reduce(addObservations, emptyPlace))
  }
  return places
}

function addObservations(place: Place, seen: SurgeObservations): Place {
  const { observed, prices } = place
  switch (seen.kind) {
    case 'assigned':
      return {
        ...place,
        observed: {
          ...observed,
          assignedWeight: observed.assignedWeight + seen.weight,
          assignedSeconds: observed.assignedSeconds + seen.total,
          count: observed.count + seen.count,
        },
      }
    case 'open':
      return {
        ...place,
        observed: {
          ...observed,
          openCount: observed.openCount + seen.count,
          openWeight: observed.openWeight + seen.weight,
          openSeconds: observed.openSeconds + seen.total,
        },
      }
    case 'no_courier': {
      const noCourierWeight = observed.noCourierWeight + seen.weight
      return { ...place, observed: { ...observed, noCourierWeight, count: observed.count + seen.count } }
    }
    case 'accepted': {
      const acceptedWeight = observed.acceptedWeight + seen.weight
      return { ...place, observed: { ...observed, acceptedWeight, count: observed.count + seen.count } }
    }
    case 'dispatched':
      return { ...place, observed: { ...observed, dispatchedWeight: observed.dispatchedWeight + seen.weight } }
    case 'unconverted':
      return { ...place, observed: { ...observed, unconvertedWeight: observed.unconvertedWeight + seen.weight } }
    case 'converted':
      return { ...place, convertedWeight: place.convertedWeight + seen.weight }
    case 'price': {
      const before = prices.get(seen.priced ?? '') ?? { weight: 0, log: 0 }
      const after = { weight: before.weight + seen.weight, log: before.log + seen.total }
      return { ...place, prices: new Map(prices).set(seen.priced ?? '', after) }
    }
  }
}

/**
 * Returns the totals of the surge observations of a zone or city, with prices relative to the baseline of the same
 * service. Prices without a baseline are left out.
 */
export function observedIn(place: Place, baselinePrices: Readonly<Record<string, number>>): ObservedTotals {
  let priceWeight = 0
  let priceLog = 0
  for (const [priced, { weight, log }] of place.prices) {
    const baselineLog = baselinePrices[priced]
    if (baselineLog === undefined) continue
    priceWeight += weight
    priceLog += log - baselineLog * weight
  }
  return { ...place.observed, priceWeight, priceLog }
}
