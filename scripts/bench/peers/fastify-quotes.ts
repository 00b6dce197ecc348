import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Agent, request as send } from 'undici'
import { serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { testCarrierCodes } from '../../../registry/service/test-carriers.ts'
import { quoteLifetimeMinutes } from '../../../registry/values/limits.ts'
import { distanceKm } from '../../../src/simulator/geometry.ts'
import { integer, number, text } from './json-types.ts'
import type { NamedStatement } from './statements.ts'

/**
 * Creates quotes in the Fastify service: it requests offers from all carriers at once, and stores them with the quote
 * in a transaction.
 */

interface Place {
  readonly name: string
  readonly phone: string
  readonly line1: string
  readonly area: string
  readonly state: string
  readonly location: { readonly lat: number; readonly lng: number }
}

interface QuoteRequest {
  readonly pickup: Place
  readonly dropoff: Place
  readonly parcels: readonly {
    readonly description: string
    readonly weightGrams: number
    readonly valueKobo: number
  }[]
}

const place = {
  type: 'object',
  required: ['name', 'phone', 'line1', 'area', 'state', 'location'],
  properties: {
    name: text,
    phone: { type: 'string', pattern: '^\\+[1-9][0-9]{7,14}$' },
    line1: text,
    area: text,
    state: text,
    location: { type: 'object', required: ['lat', 'lng'], properties: { lat: number, lng: number } },
  },
  additionalProperties: false,
} as const

const quoteBody = {
  type: 'object',
  required: ['pickup', 'dropoff', 'parcels'],
  properties: {
    pickup: place,
    dropoff: place,
    parcels: {
      type: 'array',
      items: {
        type: 'object',
        required: ['description', 'weightGrams', 'valueKobo'],
        properties: {
          description: text,
          weightGrams: { type: 'integer', minimum: 1 },
          valueKobo: { type: 'integer', minimum: 0 },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const

const quoteReply = {
  type: 'object',
  properties: {
    id: text,
    status: text,
    distanceMeters: integer,
    offers: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          carrier: text,
          service: text,
          serviceLevel: text,
          vehicle: text,
          priceKobo: integer,
          expiresAt: text,
        },
      },
    },
    expiresAt: text,
  },
} as const

interface CarrierOffer {
  readonly service: string
  readonly serviceLevel: string
  readonly vehicle: string
  readonly priceKobo: number
  readonly breakdown: readonly object[]
  readonly pickupMinutes: object | null
  readonly dropoffMinutes: object | null
  readonly token: string
}

interface Offer extends CarrierOffer {
  readonly id: string
  readonly carrier: string
  readonly expiresAt: Date
}

const insertQuote: NamedStatement = {
  name: 'insert_quote',
  text: `
    insert into quotes (
      merchant_id, id, status, pickup, dropoff, parcels, vehicle, service_levels, distance_meters, carriers, created_at, expires_at
    )
    values ($1, $2, $3, $4, $5, $6, 'bike', '{}', $7, $8, $9, $10)`,
}

const insertOffers: NamedStatement = {
  name: 'insert_offers',
  text: `
    insert into quote_offers (
      merchant_id, quote_id, id, rank, carrier, service, service_level, vehicle, price_kobo, carrier_price_kobo, breakdown,
      pickup_minutes, dropoff_minutes, reliability, price_lock, token, expires_at
    )
    select
      $1, $2, offer.id, offer.rank, offer.carrier, offer.service, offer."serviceLevel", offer.vehicle, offer."priceKobo",
      offer."priceKobo", offer.breakdown, offer."pickupMinutes", offer."dropoffMinutes", 0.9, 'none', offer.token,
      offer."expiresAt"
    from jsonb_to_recordset($3::jsonb) as offer (
      id text, rank integer, carrier text, service text, "serviceLevel" text, vehicle text, "priceKobo" bigint, breakdown jsonb,
      "pickupMinutes" jsonb, "dropoffMinutes" jsonb, token text, "expiresAt" timestamptz
    )`,
}

const lifetimeMs = quoteLifetimeMinutes * 60_000

export function addQuotes(app: FastifyInstance, pool: pg.Pool, carriersUrl: string): void {
  const agent = new Agent({ connections: 64, bodyTimeout: 4_000, headersTimeout: 4_000 })

  const offersOf = async (carrier: string, body: string, expiresAt: Date): Promise<readonly Offer[]> => {
    const response = await send(`${carriersUrl}/${carrier}/quotes`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json' },
      body,
    })
    const reply = (await response.body.json()) as { readonly offers?: readonly CarrierOffer[] }
    if (response.statusCode !== 200) throw new Error(`The carrier ${carrier} returned ${response.statusCode}.`)
    return (reply.offers ?? []).map((offer) => ({ ...offer, id: `off_${randomUUID()}`, carrier, expiresAt }))
  }

  app.post<{ Body: QuoteRequest }>(
    '/logistics/quote',
    { schema: { body: quoteBody, response: { 200: quoteReply } }, config: { scope: 'logistics:quote' } },
    async ({ merchantId, body: { pickup, dropoff, parcels } }) => {
      const now = new Date()
      const expiresAt = new Date(now.getTime() + lifetimeMs)
      const stopOf = ({ location, state, phone }: Place) => ({ location, state, phone })
      const carrierBody = JSON.stringify({
        pickup: stopOf(pickup),
        dropoff: stopOf(dropoff),
        weightGrams: parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0),
        vehicle: 'bike',
        serviceLevels,
      })
      const answers = await Promise.allSettled(testCarrierCodes.map((code) => offersOf(code, carrierBody, expiresAt)))
      const offers = answers
        .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
        .sort((one, other) => one.priceKobo - other.priceKobo)
        .map((offer, index) => ({ ...offer, rank: index + 1 }))
      const status = answers.every((answer) => answer.status === 'fulfilled') ? 'complete' : 'partial'
      const carriers = answers.map((answer, index) => ({ carrier: testCarrierCodes[index], status: answer.status }))
      const id = `qte_${randomUUID()}`
      const distanceMeters = Math.round(distanceKm(pickup.location, dropoff.location) * 1000)
      const documents = [pickup, dropoff, parcels].map((document) => JSON.stringify(document))
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query({
          ...insertQuote,
          values: [merchantId, id, status, ...documents, distanceMeters, JSON.stringify(carriers), now, expiresAt],
        })
        await client.query({ ...insertOffers, values: [merchantId, id, JSON.stringify(offers)] })
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
      return { id, status, distanceMeters, offers, expiresAt: expiresAt.toISOString() }
    },
  )
}
