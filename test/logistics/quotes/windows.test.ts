import { describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import {
  dispatchTime,
  etaStart,
  isTooLate,
  missedWindows,
  pickupTime,
  windowsEnd,
} from '../../../src/logistics/quotes/windows.ts'
import type { ShipmentWindows } from '../../../src/store/logistics/shipments/shipment-windows.ts'

const at = (time: string) => toTimestamp(Date.parse(`2026-11-21T${time}:00Z`))
const now = at('08:00')
const between = (from: string, to: string) => ({ from: at(from), to: at(to) })
const minutes = (p50: number) => ({ p50, p90: p50 + 10 })
const offer = (pickup: number | null, dropoff: number | null) => ({
  pickupMinutes: pickup === null ? null : minutes(pickup),
  dropoffMinutes: dropoff === null ? null : minutes(dropoff),
})
const pickup = (from: string, to: string): ShipmentWindows => ({ pickup: between(from, to), dropoff: null })
const dropoff = (from: string, to: string): ShipmentWindows => ({ pickup: null, dropoff: between(from, to) })
const noLead = 0
const leadMs = 18 * 60_000

describe('the time when a carrier is called', () => {
  test.for<[string, ShipmentWindows, ReturnType<typeof offer>, string]>([
    ['its rider’s lead time before the window', pickup('10:00', '12:00'), offer(20, 50), '09:40'],
    ['at once when the rider cannot come earlier', pickup('08:10', '12:00'), offer(20, 50), '08:00'],
    ['at once when the window has begun', pickup('07:00', '12:00'), offer(20, 50), '08:00'],
    ['by the usual lead time when the offer has none', pickup('10:00', '12:00'), offer(null, 50), '09:42'],
    [
      'to arrive in the middle of a dropoff window without a pickup window',
      dropoff('11:00', '12:00'),
      offer(20, 50),
      '10:40',
    ],
    ['at once when the arrival is unknown', dropoff('11:00', '12:00'), offer(20, null), '08:00'],
    ['at once without windows', { pickup: null, dropoff: null }, offer(20, 50), '08:00'],
    [
      'by the pickup window when both are given',
      { pickup: between('10:00', '12:00'), dropoff: between('15:00', '16:00') },
      offer(20, 50),
      '09:40',
    ],
  ])('a carrier is called at the time that the pickup and dropoff windows require: %s', ([
    ,
    windows,
    timed,
    expected,
  ]) => {
    expect(dispatchTime(windows, timed, now, leadMs)).toBe(at(expected))
  })
})

test('the service expects the rider at the start of the pickup window, or later if the rider cannot arrive by then', () => {
  const expected = (windows: ShipmentWindows, timed: ReturnType<typeof offer>) =>
    pickupTime(windows, timed, { now, dispatchAt: dispatchTime(windows, timed, now, leadMs), defaultLeadMs: leadMs })
  expect(expected(pickup('10:00', '12:00'), offer(20, 50))).toBe(at('10:00'))
  expect(expected(pickup('10:00', '12:00'), offer(null, null))).toBe(at('10:00'))
  expect(expected(pickup('08:10', '12:00'), offer(20, 50))).toBe(at('08:20'))
  expect(expected(pickup('07:00', '12:00'), offer(20, 50))).toBeNull()
  expect(expected(dropoff('11:00', '12:00'), offer(20, 50))).toBe(at('11:00'))
  expect(expected(dropoff('11:00', '12:00'), offer(null, 50))).toBeNull()
})

describe('a missed time window', () => {
  test.for<[string, ShipmentWindows, ReturnType<typeof offer>, readonly string[]]>([
    ['not by an offer in time', pickup('08:00', '08:30'), offer(30, 50), []],
    ['by a rider who comes after its end', pickup('08:00', '08:30'), offer(31, 50), ['pickup']],
    ['by an arrival after its end', dropoff('08:00', '08:45'), offer(20, 50), ['dropoff']],
    [
      'by both',
      { pickup: between('08:00', '08:15'), dropoff: between('08:00', '08:45') },
      offer(20, 50),
      ['pickup', 'dropoff'],
    ],
    [
      'by a later pickup and a delivery time that is too long from there',
      { pickup: between('10:00', '10:30'), dropoff: between('10:00', '10:40') },
      offer(20, 65),
      ['dropoff'],
    ],
    [
      'not by a delivery time that is short enough from there',
      { pickup: between('10:00', '10:30'), dropoff: between('10:00', '10:40') },
      offer(20, 55),
      [],
    ],
    [
      'not by an offer without estimates',
      { pickup: between('08:00', '08:15'), dropoff: between('08:00', '08:15') },
      offer(null, null),
      [],
    ],
    [
      'not by an offer without a call time',
      { pickup: between('10:00', '10:30'), dropoff: between('10:00', '10:40') },
      offer(null, 600),
      [],
    ],
  ])('the service lists the time windows that an offer misses: %s', ([, windows, timed, expected]) => {
    expect(missedWindows(windows, timed, now)).toEqual(expected)
  })
})

test('an offer that just meets its time window may be requested up to five minutes after its dispatch time', () => {
  const windows = { pickup: between('09:00', '10:00'), dropoff: between('09:30', '10:00') }
  const timed = offer(20, 80)
  const shipment = { createdAt: now, dispatchAt: at('08:40'), scheduledPickupAt: at('09:00') }
  const isLateAt = (time: string) => isTooLate({ shipment, windows }, { planned: timed }, toTimestamp(Date.parse(time)))
  expect(dispatchTime(windows, timed, now, noLead)).toBe(at('08:40'))
  expect(missedWindows(windows, timed, now)).toEqual([])
  expect(isLateAt('2026-11-21T08:40:01Z')).toBe(false)
  expect(isLateAt('2026-11-21T08:45:00Z')).toBe(false)
  expect(isLateAt('2026-11-21T08:45:01Z')).toBe(true)
})

test('an offer without estimates is too late only after the time window has ended', () => {
  const windows = pickup('09:00', '10:00')
  const shipment = { createdAt: now, dispatchAt: at('08:40'), scheduledPickupAt: at('09:00') }
  expect(isTooLate({ shipment, windows }, { planned: offer(null, null) }, at('09:59'))).toBe(false)
  expect(isTooLate({ shipment, windows }, { planned: offer(null, null) }, at('10:00'))).toBe(true)
})

test('an offer of a dispatch that started at once in its time window is too late after the window', () => {
  const windows = pickup('07:00', '09:00')
  const shipment = { createdAt: now, dispatchAt: null, scheduledPickupAt: null }
  expect(isTooLate({ shipment, windows }, { planned: offer(20, 50) }, at('08:40'))).toBe(false)
  expect(isTooLate({ shipment, windows }, { planned: offer(20, 50) }, at('08:46'))).toBe(true)
  expect(isTooLate({ shipment, windows }, { planned: offer(null, null) }, at('15:00'))).toBe(true)
})

test('an offer that missed its time window when it was chosen, or whose windows scheduleAt overrides, is never too late', () => {
  const windows = pickup('07:00', '08:10')
  const atOnce = { createdAt: now, dispatchAt: null, scheduledPickupAt: null }
  expect(isTooLate({ shipment: atOnce, windows }, { planned: offer(20, 50) }, at('15:00'))).toBe(false)
  const scheduled = { ...atOnce, dispatchAt: at('14:00') }
  expect(isTooLate({ shipment: scheduled, windows }, { planned: offer(5, 50) }, at('15:00'))).toBe(false)
})

test('a new offer that misses the time window is too late if the planned offer met the window', () => {
  const windows = pickup('07:00', '09:00')
  const shipment = { createdAt: now, dispatchAt: null, scheduledPickupAt: null }
  const isLate = (planned: ReturnType<typeof offer>, renewed: ReturnType<typeof offer>) =>
    isTooLate({ shipment, windows }, { planned, renewed }, at('08:10'))
  expect(isLate(offer(20, 50), offer(50, 80))).toBe(false)
  expect(isLate(offer(20, 50), offer(90, 120))).toBe(true)
  expect(isLate(offer(90, 120), offer(90, 120))).toBe(false)
})

test('the estimated minutes of an offer are counted from the carrier call, or from the start of the pickup window if the time of the call is unknown', () => {
  expect(etaStart(pickup('10:00', '12:00'), offer(20, 50), now)).toBe(at('09:40'))
  expect(etaStart(pickup('10:00', '12:00'), offer(null, 50), now)).toBe(at('10:00'))
  expect(dispatchTime(pickup('08:00', '12:00'), offer(20, 50), now, noLead)).toBe(now)
})

test('a shipment’s time windows end when the first of its pickup and dropoff windows ends', () => {
  expect(windowsEnd({ pickup: between('10:00', '12:00'), dropoff: between('10:00', '14:00') })).toBe(at('12:00'))
  expect(windowsEnd(dropoff('10:00', '14:00'))).toBe(at('14:00'))
  expect(windowsEnd({ pickup: null, dropoff: null })).toBeUndefined()
})
