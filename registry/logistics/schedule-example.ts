import type { z } from 'zod'
import type { Schedule } from './schedule.ts'

export const scheduleExample = {
  id: 'sch_01jd3f8q6hf5n8v1zr4c7e2m9k',
  reference: 'ORD-7K2M9QX4-2',
  shipmentId: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: null,
  returnId: null,
  items: [],
  optimizeFor: 'balanced',
  dispatchAt: '2026-11-21T08:49:00.000Z',
  scheduledPickupAt: '2026-11-21T09:07:00.000Z',
  pickupWindow: { from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T09:19:00.000Z' },
  readyAt: { p50: '2026-11-21T09:15:00.000Z', p90: '2026-11-21T09:50:00.000Z' },
  riderArrival: { p50: '2026-11-21T09:07:00.000Z', p90: '2026-11-21T09:19:00.000Z' },
  dropoff: { p50: '2026-11-21T09:43:00.000Z', p90: '2026-11-21T10:24:00.000Z' },
  expectedRiderWaitSeconds: 913,
  expectedParcelWaitSeconds: 250,
  lateProbability: null,
  criticalRatio: 0.333,
  confidence: { level: 'medium', sampleSize: 34, basis: 'merchant', coverage90: 0.88 },
  quote: {
    carrier: 'simulator-swift',
    service: 'Bike express',
    serviceLevel: 'on_demand',
    dropoffEta: { p50: '2026-11-21T09:34:00.000Z', p90: '2026-11-21T09:59:00.000Z' },
    priceKobo: 250000,
    surge: { zoneId: 'lag-island', multiplier: 1, surgeKobo: 0, snapshotId: null },
  },
  replanAt: '2026-11-21T08:34:00.000Z',
  alternatives: [
    {
      optimizeFor: null,
      dispatchAt: '2026-11-21T08:30:00.000Z',
      expectedRiderWaitSeconds: 1790,
      expectedParcelWaitSeconds: 60,
    },
    {
      optimizeFor: 'speed',
      dispatchAt: '2026-11-21T08:43:00.000Z',
      expectedRiderWaitSeconds: 1120,
      expectedParcelWaitSeconds: 150,
    },
    {
      optimizeFor: 'rider_wait',
      dispatchAt: '2026-11-21T09:01:00.000Z',
      expectedRiderWaitSeconds: 520,
      expectedParcelWaitSeconds: 590,
    },
  ],
  warnings: [],
  createdAt: '2026-11-21T08:30:00.000Z',
} as const satisfies z.input<typeof Schedule>
