import type { SurgeBook } from '../../../registry/logistics/surge.ts'
import type { Sightings } from '../../store/logistics/surge/surge-signals.ts'
import { withinShares } from './merchant-shares.ts'
import { nothingObserved, type Observed } from './surge-formula.ts'

/** What was seen, put together by place. A place is a zone or a whole city, in one of the books. */

/** How a zone, or a city, of a book is named in maps. */
export const zoneKey = (book: SurgeBook, zoneId: string) => `${book}/zone/${zoneId}`
export const cityKey = (book: SurgeBook, city: string) => `${book}/city/${city}`

/** Prices by carrier and service, weighed: they are only comparable with the same carrier’s service. */
export type Prices = ReadonlyMap<string, { readonly weight: number; readonly log: number }>

export interface Place {
  readonly observed: Omit<Observed, 'priceWeight' | 'priceLog'>
  readonly prices: Prices
  readonly convertedWeight: number
}

export type Places = ReadonlyMap<string, Place>

const emptyPlace: Place = { observed: nothingObserved, prices: new Map(), convertedWeight: 0 }

export function placeIn(places: Places, key: string): Place {
  return places.get(key) ?? emptyPlace
}

interface Zoned {
  readonly book: SurgeBook
  readonly zoneId: string
  readonly city: string
}

/**
 * Each sighting counts for its zone and for the city the zone is in, in both within its merchant's share. The minutes are
 * those the sightings span.
 */
export function placesOf(sightings: readonly Sightings[], zones: readonly Zoned[], minutes: number): Places {
  const cities = new Map(zones.map((zone) => [zoneKey(zone.book, zone.zoneId), cityKey(zone.book, zone.city)]))
  const zoneOf = ({ book, zoneId }: Sightings) => zoneKey(book, zoneId)
  const byZone = Map.groupBy(sightings, zoneOf)
  const byCity = Map.groupBy(sightings, (seen) => cities.get(zoneOf(seen)))
  const places = new Map<string, Place>()
  for (const [key, seen] of [...byZone, ...byCity]) {
    if (key !== undefined) places.set(key, withinShares(seen, minutes).reduce(withSightings, emptyPlace))
  }
  return places
}

function withSightings(place: Place, seen: Sightings): Place {
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

/** Prices set beside what the same carriers’ services usually ask; those of which nothing usual is known are left out. */
export function observedIn(place: Place, usualPrices: Readonly<Record<string, number>>): Observed {
  let priceWeight = 0
  let priceLog = 0
  for (const [priced, { weight, log }] of place.prices) {
    const usual = usualPrices[priced]
    if (usual === undefined) continue
    priceWeight += weight
    priceLog += log - usual * weight
  }
  return { ...place.observed, priceWeight, priceLog }
}
