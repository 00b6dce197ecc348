import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { KoboAmount, NairaAmount, nairaOf } from '../../../src/partners/carriers/amounts.ts'
import { chowdeckCategory, chowdeckStatus } from '../../../src/partners/carriers/chowdeck-texts.ts'
import { levelOfEta, minutesOfEta, readEta } from '../../../src/partners/carriers/estimate-text.ts'
import { fezStatus } from '../../../src/partners/carriers/fez-texts.ts'
import { lagosDay, lagosMoment } from '../../../src/partners/carriers/moments.ts'
import { shipbubbleStatus } from '../../../src/partners/carriers/shipbubble-texts.ts'

/** All documented statuses of the carriers, each with the shipment status that it means. */

const chowdeckRecord = {
  received: 'awaiting_courier',
  preparing: 'awaiting_courier',
  awaiting_pickup: 'awaiting_courier',
  in_transit: 'in_transit',
  success: 'delivered',
  rejected: 'cancelled',
  cancelled: 'cancelled',
  accepted: 'awaiting_courier',
  picked: 'picked_up',
  arrived: 'at_dropoff',
  completed: 'delivered',
}

const chowdeck = {
  ORDER_CREATED: 'awaiting_courier',
  ORDER_ASSIGNED: 'courier_assigned',
  ORDER_AWAITING_PICKUP: 'at_pickup',
  ORDER_PICKED_UP: 'picked_up',
  ORDER_ARRIVED_AT_CUSTOMER_LOCATION: 'at_dropoff',
  ORDER_COMPLETE: 'delivered',
  cancelled: 'cancelled',
}

const fez = {
  'Pending Pick-Up': 'awaiting_courier',
  'Pending Payment': 'awaiting_courier',
  'Assigned To A Rider': 'courier_assigned',
  'Failed Pick-Up': 'awaiting_courier',
  'Enroute To First Mile Hub': 'in_transit',
  'Picked-Up': 'picked_up',
  Dispatched: 'in_transit',
  'Enroute To Last Mile Hub': 'in_transit',
  'Accepted At Inventory Facility': 'in_transit',
  'Accepted At Last Mile Hub': 'in_transit',
  'Pending Recipient Pick-Up': 'in_transit',
  Exported: 'in_transit',
  Delivered: 'delivered',
  'Rejected At Inventory': 'delivery_failed',
  'Rejected At Last Mile Hub': 'delivery_failed',
  'In Return To First Mile Hub': 'returning',
  'In Return To Last Mile Hub': 'returning',
  'In Return To Customer': 'returning',
  'Returned To First Mile Hub': 'returning',
  'Returned To Last Mile Hub': 'returning',
  Returned: 'returned',
}

const shipbubble = {
  pending: 'awaiting_courier',
  confirmed: 'awaiting_courier',
  picked_up: 'picked_up',
  in_transit: 'in_transit',
  completed: 'delivered',
  cancelled: 'cancelled',
}

describe.each([
  ['chowdeck, a callback', chowdeckCategory, chowdeck],
  ['chowdeck, a category in a record', chowdeckStatus, chowdeck],
  ['chowdeck, a record', chowdeckStatus, chowdeckRecord],
  ['fez', fezStatus, fez],
  ['shipbubble', shipbubbleStatus, shipbubble],
] as const)('texts of the carrier %s', (_, statusOf: (word: string) => string | undefined, documented) => {
  test.each(
    Object.entries(documented),
  )('a carrier adapter maps the carrier status %j to %s regardless of case and spaces', (word, status) => {
    for (const written of [word, word.toLowerCase(), word.toUpperCase(), ` ${word} `, word.replaceAll(' ', '  ')]) {
      expect(statusOf(written)).toBe(status)
    }
  })

  test.each([
    '',
    'lost in space',
    'constructor',
    '__proto__',
    'toString',
    'returned to',
  ])('a carrier adapter maps the carrier text %j to no status', (word) => {
    expect(statusOf(word)).toBeUndefined()
  })
})

test('the Chowdeck adapter maps a delivery that has a driver to the status courier_assigned', () => {
  expect(['received', 'awaiting_pickup', 'in_transit'].map((word) => chowdeckStatus(word, true))).toEqual([
    'courier_assigned',
    'courier_assigned',
    'in_transit',
  ])
})

test('the Fez adapter maps a rider who is assigned after the pickup to the status in_transit', () => {
  expect(fezStatus('Assigned To A Rider', ['Pending Pick-Up', 'Assigned To A Rider'])).toBe('courier_assigned')
  expect(fezStatus('Assigned To A Rider', ['Pending Pick-Up', 'Picked-Up', 'Assigned To A Rider'])).toBe('in_transit')
  expect(fezStatus('Assigned To A Rider', ['Accepted At Last Mile Hub'])).toBe('in_transit')
})

test.each([
  ['Same day delivery', 'same_day', 24],
  ['Next day delivery', 'next_day', 24],
  ['Within a day', 'next_day', 24],
  ['1 day(s)', 'next_day', 24],
  ['2 - 5 day(s)', 'standard', 120],
  ['Between 12 - 48 hours', 'standard', 48],
  ['Between 2 - 5 working days', 'standard', 168],
  ['Between 5 - 7 business days', 'standard', 264],
  ['Within 3 days', 'standard', 72],
  ['1 - 2 weeks', 'standard', 336],
] as const)('a carrier adapter maps the delivery estimate %j to the service level %s and to a delivery within %i hours', (text, level, hours) => {
  expect(levelOfEta(readEta(text))).toBe(level)
  expect(minutesOfEta(readEta(text), 0)?.p90).toBe(hours * 60)
})

test.each(['Shap Lite', '', null, undefined, 'soon'])('%j is not a valid delivery estimate of a carrier', (text) => {
  expect(readEta(text)).toBeUndefined()
  expect(levelOfEta(undefined)).toBe('standard')
})

describe('naira amounts', () => {
  test('naira amounts are read exactly to the kobo, as numbers and as strings', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (amountKobo) => {
        const text = `${Math.floor(amountKobo / 100)}.${String(amountKobo % 100).padStart(2, '0')}`
        expect(NairaAmount.parse(text)).toBe(amountKobo)
        expect(NairaAmount.parse(Number(text))).toBe(amountKobo)
        expect(NairaAmount.parse(nairaOf(amountKobo))).toBe(amountKobo)
        expect(JSON.stringify(nairaOf(amountKobo))).toMatch(/^\d+(\.\d{1,2})?$/)
        const grouped = Number(text.slice(0, -3)).toLocaleString('en')
        expect(NairaAmount.parse(`${grouped}${text.slice(-3)}`)).toBe(amountKobo)
      }),
    )
  })

  test('naira amounts are rounded to the nearest kobo when the carrier’s value has floating-point errors', () => {
    expect(NairaAmount.parse(0.1 + 0.2)).toBe(30)
    expect(NairaAmount.parse('2687.4999999')).toBe(268_750)
  })

  test.each([
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e12,
    '',
    ' ',
    '-1',
    '1e3',
    '1,00',
    'free',
    null,
    undefined,
    {},
  ])('%j is not a valid naira amount', (value) => {
    expect(NairaAmount.safeParse(value).success).toBe(false)
  })
})

test.each([0.5, -1, '12.5', '', 'x', 1e12, null])('%j is not a valid kobo amount', (value) => {
  expect(KoboAmount.safeParse(value).success).toBe(false)
  expect(z.object({ amount: KoboAmount.optional().catch(undefined) }).parse({ amount: value })).toEqual({
    amount: undefined,
  })
})

test('a carrier adapter reads an amount in kobo from a number as well as from a string', () => {
  expect([KoboAmount.parse(200_050), KoboAmount.parse('200050')]).toEqual([200_050, 200_050])
})

test.each([
  ['2026-11-21 00:30:00', '2026-11-20T23:30:00.000Z'],
  ['2026-11-21T09:15:00', '2026-11-21T08:15:00.000Z'],
  ['2026-11-21 09:15', '2026-11-21T08:15:00.000Z'],
  ['2026-11-21 09:15:00.123456', '2026-11-21T08:15:00.123Z'],
  ['2026-11-21T09:15:00Z', '2026-11-21T09:15:00.000Z'],
  ['2026-11-21T09:15:00.5+01:00', '2026-11-21T08:15:00.500Z'],
])('a carrier adapter reads the carrier’s timestamp %s as %s', (text, moment) => {
  expect(lagosMoment(text)).toBe(moment)
})

test.each([
  '',
  'soon',
  '2026-11-21',
  '2026-13-41 09:00:00',
  '21/11/2026 09:00',
  '0000-01-01 00:00:00',
  null,
  undefined,
])('%j is not a valid carrier timestamp', (text) => {
  expect(lagosMoment(text)).toBeUndefined()
})

test('a day in Lagos starts one hour before the UTC day', () => {
  expect(lagosDay(Date.parse('2026-11-20T22:59:59Z'))).toBe('2026-11-20')
  expect(lagosDay(Date.parse('2026-11-20T23:00:00Z'))).toBe('2026-11-21')
})
