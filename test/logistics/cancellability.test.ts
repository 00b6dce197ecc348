import { describe, expect, test } from 'vitest'
import { type ShipmentStatus, shipmentStatuses } from '../../registry/shipment-states.ts'
import { cancellabilityOf } from '../../src/logistics/shipment/cancellability.ts'

const refused = { allowed: false, estimatedFeeKobo: null }

function of(status: ShipmentStatus, cancelUntil: ShipmentStatus) {
  return cancellabilityOf({ status }, { cancelUntil })
}

describe('a shipment', () => {
  test.for(['scheduled', 'dispatching'] as const)('%s is called off for nothing, whatever the carrier', (status) => {
    expect(cancellabilityOf({ status }, undefined)).toEqual({ allowed: true, estimatedFeeKobo: 0 })
  })

  test.for(
    shipmentStatuses.filter((status) => shipmentStatuses.indexOf(status) > shipmentStatuses.indexOf('at_pickup')),
  )('%s is not called off, however late its carrier would', (status) => {
    expect(of(status, 'delivered')).toEqual(refused)
  })

  test('before the pickup it is as its carrier says', () => {
    const allowed = (cancelUntil: ShipmentStatus | undefined) =>
      (['awaiting_courier', 'courier_assigned', 'at_pickup'] as const).filter(
        (status) => cancellabilityOf({ status }, { cancelUntil }).allowed,
      )
    expect(allowed(undefined)).toEqual([])
    expect(allowed('dispatching')).toEqual([])
    expect(allowed('awaiting_courier')).toEqual(['awaiting_courier'])
    expect(allowed('courier_assigned')).toEqual(['awaiting_courier', 'courier_assigned'])
    expect(allowed('in_transit')).toEqual(['awaiting_courier', 'courier_assigned', 'at_pickup'])
  })

  test('with a carrier that is not known here is not called off', () => {
    expect(cancellabilityOf({ status: 'at_pickup' }, undefined)).toEqual(refused)
  })
})

test('the fee is what the carrier charges in that state, and nothing where it says nothing', () => {
  const fees = { cancelUntil: 'at_pickup', cancellationFeesKobo: { courier_assigned: 50_000 } } as const
  const feeIn = (status: ShipmentStatus) => cancellabilityOf({ status }, fees).estimatedFeeKobo
  expect(feeIn('awaiting_courier')).toBe(0)
  expect(feeIn('courier_assigned')).toBe(50_000)
  expect(feeIn('at_pickup')).toBe(0)
})
