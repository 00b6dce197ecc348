import { describe, expect, test } from 'vitest'
import { type ShipmentStatus, shipmentStatuses } from '../../../registry/logistics/shipment-states.ts'
import { cancellabilityOf } from '../../../src/logistics/shipments/cancellability.ts'

const refused = { allowed: false, estimatedFeeKobo: null }

/** Returns a shipment with the given status, which a carrier has accepted. */
const held = (status: ShipmentStatus) => ({ shipment: { status }, attempts: [{ state: 'accepted' }] as const })

function of(status: ShipmentStatus, cancelUntil: ShipmentStatus) {
  return cancellabilityOf(held(status), { cancelUntil })
}

describe('a shipment', () => {
  test.for([
    'scheduled',
    'dispatching',
  ] as const)('a shipment in status %s can be cancelled without a fee, regardless of its carrier', (status) => {
    expect(cancellabilityOf(held(status), undefined)).toEqual({ allowed: true, estimatedFeeKobo: 0 })
  })

  test.for(
    shipmentStatuses.filter((status) => shipmentStatuses.indexOf(status) > shipmentStatuses.indexOf('at_pickup')),
  )('a shipment in status %s cannot be cancelled at any carrier', (status) => {
    expect(of(status, 'delivered')).toEqual(refused)
  })

  test('before the pickup, a shipment can be cancelled only in the statuses in which its carrier allows a cancellation', () => {
    const allowed = (cancelUntil: ShipmentStatus | undefined) =>
      (['awaiting_courier', 'courier_assigned', 'at_pickup'] as const).filter(
        (status) => cancellabilityOf(held(status), { cancelUntil }).allowed,
      )
    expect(allowed(undefined)).toEqual([])
    expect(allowed('dispatching')).toEqual([])
    expect(allowed('awaiting_courier')).toEqual(['awaiting_courier'])
    expect(allowed('courier_assigned')).toEqual(['awaiting_courier', 'courier_assigned'])
    expect(allowed('in_transit')).toEqual(['awaiting_courier', 'courier_assigned', 'at_pickup'])
  })

  test('a shipment with a carrier unknown to the service cannot be cancelled', () => {
    expect(cancellabilityOf(held('at_pickup'), undefined)).toEqual(refused)
  })
})

test('a shipment whose carrier has already cancelled the order can be cancelled without a fee', () => {
  for (const status of ['awaiting_courier', 'courier_assigned', 'at_pickup'] as const) {
    const givenBack = { shipment: { status }, attempts: [{ state: 'refused' }, { state: 'cancelled' }] as const }
    expect(cancellabilityOf(givenBack, undefined)).toEqual({ allowed: true, estimatedFeeKobo: 0 })
  }
})

test('the estimated cancellation fee is the carrier’s fee for the shipment’s status, or 0 if the carrier has none for that status', () => {
  const fees = { cancelUntil: 'at_pickup', cancellationFeesKobo: { courier_assigned: 50_000 } } as const
  const feeIn = (status: ShipmentStatus) => cancellabilityOf(held(status), fees).estimatedFeeKobo
  expect(feeIn('awaiting_courier')).toBe(0)
  expect(feeIn('courier_assigned')).toBe(50_000)
  expect(feeIn('at_pickup')).toBe(0)
})
