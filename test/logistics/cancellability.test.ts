import { describe, expect, test } from 'vitest'
import { type ShipmentStatus, shipmentStatuses } from '../../registry/shipment-states.ts'
import { toKobo } from '../../src/commerce/money.ts'
import { cancellabilityOf } from '../../src/logistics/cancellability.ts'

const refused = { allowed: false, estimatedFeeKobo: null }

function of(
  status: ShipmentStatus,
  carrier = 'simulator-steady',
  cancelUntil: ShipmentStatus | undefined = 'at_pickup',
) {
  return cancellabilityOf({ status, carrier, priceKobo: toKobo(100_001) }, { cancelUntil })
}

describe('a shipment', () => {
  test.for(['scheduled', 'dispatching'] as const)('%s is called off for nothing, whatever the carrier', (status) => {
    const none = { status, carrier: null, priceKobo: null }
    expect(cancellabilityOf(none, undefined)).toEqual({ allowed: true, estimatedFeeKobo: 0 })
  })

  test.for(
    shipmentStatuses.filter((status) => shipmentStatuses.indexOf(status) > shipmentStatuses.indexOf('at_pickup')),
  )('%s is not called off, however late its carrier would', (status) => {
    expect(of(status, 'simulator-steady', 'delivered')).toEqual(refused)
  })

  test('before the pickup it is as its carrier says', () => {
    const allowed = (cancelUntil: ShipmentStatus | undefined) =>
      (['awaiting_courier', 'courier_assigned', 'at_pickup'] as const).filter(
        (status) => cancellabilityOf({ status, carrier: 'fez', priceKobo: null }, { cancelUntil }).allowed,
      )
    expect(allowed(undefined)).toEqual([])
    expect(allowed('dispatching')).toEqual([])
    expect(allowed('awaiting_courier')).toEqual(['awaiting_courier'])
    expect(allowed('courier_assigned')).toEqual(['awaiting_courier', 'courier_assigned'])
    expect(allowed('in_transit')).toEqual(['awaiting_courier', 'courier_assigned', 'at_pickup'])
  })

  test('with a carrier that is not known here is not called off', () => {
    expect(cancellabilityOf({ status: 'at_pickup', carrier: 'gone', priceKobo: null }, undefined)).toEqual(refused)
  })
})

describe('the fee', () => {
  test('of Simulator Swift is thirty per cent once its rider is on the way, in whole kobo', () => {
    expect(of('awaiting_courier', 'simulator-swift').estimatedFeeKobo).toBe(0)
    expect(of('courier_assigned', 'simulator-swift').estimatedFeeKobo).toBe(30_000)
    expect(of('at_pickup', 'simulator-swift').estimatedFeeKobo).toBe(30_000)
  })

  test('of the others is nothing', () => {
    expect(of('at_pickup').estimatedFeeKobo).toBe(0)
  })
})
