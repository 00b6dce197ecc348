import type { z } from 'zod'
import { dropoffExample, type PlaceInput, pickupExample } from './place.ts'
import type { Quote, QuoteOffer } from './quote.ts'

export const pickupInputExample = {
  name: 'Ankara House',
  phone: '+2348031234567',
  line1: '7 Adeola Odeku Street',
  area: 'Victoria Island',
} as const satisfies z.input<typeof PlaceInput>

export const dropoffInputExample = {
  name: 'Adaeze Okafor',
  phone: '+2348029876543',
  line1: '12 Admiralty Way',
  area: 'Lekki Phase 1',
  landmark: 'Opposite Ebeano Supermarket',
} as const satisfies z.input<typeof PlaceInput>

export const offerExample = {
  id: 'off_01jd3f8q6hf5n8v1zr4c7e2m9k',
  carrier: 'simulator-swift',
  carrierName: 'Simulator Swift',
  service: 'Bike express',
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  priceKobo: 250000,
  breakdown: [{ code: 'delivery', label: 'Delivery', amountKobo: 250000 }],
  currency: 'NGN',
  pickupEta: { p50: '2026-11-21T08:48:00.000Z', p90: '2026-11-21T09:02:00.000Z' },
  dropoffEta: { p50: '2026-11-21T09:15:00.000Z', p90: '2026-11-21T09:40:00.000Z' },
  reliability: 0.94,
  expiresAt: '2026-11-21T08:40:00.000Z',
  priceLock: 'carrier',
  capabilities: ['cancel', 'live_position', 'photo'],
  tags: ['best_value', 'cheapest', 'fastest'],
} as const satisfies z.input<typeof QuoteOffer>

export const quoteExample = {
  id: 'qte_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: null,
  returnId: null,
  items: [],
  status: 'complete',
  pickup: pickupExample,
  dropoff: dropoffExample,
  codAmountKobo: null,
  vehicle: 'bike',
  distanceMeters: 9400,
  surge: { zoneId: 'lag-island', multiplier: 1, surgeKobo: 0, snapshotId: null },
  offers: [offerExample],
  carriers: [{ carrier: 'simulator-swift', status: 'ok', message: null, latencyMs: 412 }],
  warnings: [],
  createdAt: '2026-11-21T08:30:00.000Z',
  expiresAt: '2026-11-21T08:40:00.000Z',
} as const satisfies z.input<typeof Quote>
