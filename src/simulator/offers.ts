import {
  priceStepKobo,
  stepsToDropoff,
  stepsToPickup,
  type TestCarrierCode,
  type TestService,
  testCarriers,
  vehiclePricePercent,
} from '../../registry/service/test-carriers.ts'
import { toTimestamp } from '../base/clock.ts'
import { fractionOf } from './chance.ts'
import type { QuoteBody } from './contract.ts'
import { distanceKm } from './geometry.ts'

/** Offers of a simulated carrier. Equal requests within an hour get equal offers from every process. */

export interface OffersContext {
  readonly company: TestCarrierCode
  readonly seed: string
  readonly stepMs: number
}

export interface Journey extends Pick<QuoteBody, 'vehicle' | 'weightGrams'> {
  readonly pickup: Pick<QuoteBody['pickup'], 'location' | 'state'>
  readonly dropoff: Pick<QuoteBody['dropoff'], 'location' | 'state'>
}

const minuteMs = 60_000
const hourMs = 3_600_000

/**
 * Returns the delivery services that the simulated carrier offers for a journey. Returns none if the vehicle is
 * unavailable, or if the parcel is too heavy.
 */
export function servicesFor(company: TestCarrierCode, journey: Journey): readonly TestService[] {
  const { services, vehicles, maxWeightGrams } = testCarriers[company]
  if (journey.weightGrams > maxWeightGrams || !vehicles.includes(journey.vehicle)) return []
  const km = distanceKm(journey.pickup.location, journey.dropoff.location)
  return services.filter(({ maxKm }) => km <= maxKm)
}

export function isOutOfArea(company: TestCarrierCode, { pickup, dropoff }: Journey): boolean {
  const { services, states } = testCarriers[company]
  const km = distanceKm(pickup.location, dropoff.location)
  const isFar = services.every(({ maxKm }) => km > maxKm)
  return isFar || (states !== undefined && !(states.includes(pickup.state) && states.includes(dropoff.state)))
}

export function offerOf(context: OffersContext, journey: Journey, asked: { service: TestService; atMs: number }) {
  const { service, atMs } = asked
  const { quoteMinutes } = testCarriers[context.company]
  const breakdown = priceOf(context, journey, asked)
  const stepMinutes = (context.stepMs * service.pace) / minuteMs
  return {
    token: tokenOf({ service: service.name, atMs }),
    service: service.name,
    serviceLevel: service.level,
    vehicle: journey.vehicle,
    priceKobo: breakdown.reduce((sum, { amountKobo }) => sum + amountKobo, 0),
    breakdown,
    pickupMinutes: spanOf(stepsToPickup * stepMinutes),
    dropoffMinutes: spanOf(stepsToDropoff * stepMinutes),
    expiresAt: quoteMinutes === undefined ? null : toTimestamp(atMs + quoteMinutes * minuteMs),
  }
}

/**
 * Returns the estimate of a duration: the median and the 90th percentile, in minutes. The median is rounded up to whole
 * minutes. The 90th percentile is one minute longer, to allow for the rounding and for the time that the request takes.
 */
function spanOf(minutes: number): { readonly p50: number; readonly p90: number } {
  const whole = Math.ceil(minutes)
  return { p50: whole, p90: whole + 1 }
}

interface Line {
  readonly code: string
  readonly label: string
  readonly amountKobo: number
}

function priceOf(
  { company, seed }: OffersContext,
  journey: Journey,
  { service, atMs }: { service: TestService; atMs: number },
): readonly Line[] {
  const { tariff, rushMaxPercent } = testCarriers[company]
  const factor = (service.pricePercent / 100) * (vehiclePricePercent[journey.vehicle] / 100)
  const km = distanceKm(journey.pickup.location, journey.dropoff.location)
  const lines: readonly Line[] = [
    { code: 'base', label: 'Base price', amountKobo: rounded(tariff.baseKobo * factor) },
    { code: 'distance', label: 'Distance', amountKobo: rounded(km * tariff.perKmKobo * factor) },
    {
      code: 'weight',
      label: 'Weight',
      amountKobo: rounded((journey.weightGrams / 1_000) * tariff.perKgKobo * factor),
    },
  ]
  const sum = lines.reduce((total, { amountKobo }) => total + amountKobo, 0)
  const rush = (fractionOf(seed, company, 'rush', Math.floor(atMs / hourMs)) * rushMaxPercent) / 100
  return [...lines, { code: 'rush', label: 'Traffic at this hour', amountKobo: rounded(sum * rush) }]
}

function rounded(kobo: number): number {
  return Math.round(kobo / priceStepKobo) * priceStepKobo
}

interface OfferTime {
  readonly service: string
  readonly atMs: number
}

/** Only the service and the time of the quote determine the price, so the token contains nothing else. */
function tokenOf({ service, atMs }: OfferTime): string {
  return `${service}.${atMs}`
}

/** A Unix time in milliseconds has thirteen digits until the year 2286. */
const tokenPattern = /^([a-z]+)\.(\d{13})$/

export function readToken(token: string): OfferTime | undefined {
  const [, service, ms] = tokenPattern.exec(token) ?? []
  return service === undefined ? undefined : { service, atMs: Number(ms) }
}
