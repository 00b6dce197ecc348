import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dropoffExample, pickupExample } from '../../registry/logistics/place.ts'
import { testCarrierCodes, testCarriers } from '../../registry/service/test-carriers.ts'
import { dispatchFaults } from '../../registry/service/test-phones.ts'
import { fractionOf } from '../../src/simulator/chance.ts'
import { offerOf, servicesFor } from '../../src/simulator/offers.ts'
import { randomFaultOf } from '../../src/simulator/random-fault.ts'

const names = dispatchFaults.map(({ name }) => name)

test('a random fault of the simulator depends only on the simulator’s seed and the order’s reference', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      fc.array(fc.double({ min: 0, max: 0.1, noNaN: true })),
      (seed, reference, rates) => {
        const faults = { seed, rates: Object.fromEntries(names.map((name, index) => [name, rates[index] ?? 0])) }
        const drawn = randomFaultOf(faults, reference)
        expect(randomFaultOf(structuredClone(faults), reference)).toBe(drawn)
        expect(drawn === 'none' || faults.rates[drawn] !== 0).toBe(true)
      },
    ),
  )
})

test('a random fault of the simulator with a rate of one always applies, and a random fault with a rate of zero never applies', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom(...names), (seed, reference, name) => {
      expect(randomFaultOf({ seed, rates: { [name]: 1 } }, reference)).toBe(name)
      expect(randomFaultOf({ seed, rates: { [name]: 0 } }, reference)).toBe('none')
    }),
  )
})

test('among ten thousand simulated orders, each random fault occurs about as often as its configured rate', () => {
  const rates = { couriers_busy: 0.03, timeout_after_acceptance: 0.02, late_acceptance: 0.005 } as const
  const drawn = Array.from({ length: 10_000 }, (_, index) => randomFaultOf({ seed: 'run', rates }, `shp_${index}-1`))
  for (const [name, rate] of Object.entries(rates)) {
    const share = drawn.filter((fault) => fault === name).length / drawn.length
    expect(Math.abs(share - rate)).toBeLessThan(4 * Math.sqrt((rate * (1 - rate)) / drawn.length))
  }
})

test('the simulator’s random number for the keys a and b differs from that for the joined key ab', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
      const drawn = fractionOf(a, b)
      expect(drawn >= 0 && drawn < 1).toBe(true)
      expect(fractionOf(a + b)).not.toBe(drawn)
    }),
  )
})

test('a simulated price depends only on the seed, the route, the weight and the hour, and never falls when the weight rises', () => {
  const journey = fc.record({
    weightGrams: fc.integer({ min: 1, max: 25_000 }),
    vehicle: fc.constantFrom('bike' as const, 'car' as const),
    lat: fc.double({ min: 6.4, max: 6.7, noNaN: true }),
    lng: fc.double({ min: 3.2, max: 3.6, noNaN: true }),
  })
  fc.assert(
    fc.property(
      fc.string(),
      journey,
      fc.constantFrom(...testCarrierCodes),
      fc.nat(),
      (seed, { lat, lng, ...load }, company, ms) => {
        const way = { ...load, pickup: pickupExample, dropoff: { ...dropoffExample, location: { lat, lng } } }
        const context = { company, seed, stepMs: 30_000 }
        for (const service of servicesFor(company, way)) {
          const asked = { service, atMs: 1_795_000_000_000 + ms }
          const offer = offerOf(context, way, asked)
          expect(offerOf({ ...context }, structuredClone(way), asked)).toEqual(offer)
          expect(offer.priceKobo % 5_000).toBe(0)
          expect(offer.priceKobo).toBeGreaterThanOrEqual(testCarriers[company].tariff.baseKobo * 0.75)
          const heavier = { ...way, weightGrams: way.weightGrams + 1_000 }
          expect(offerOf(context, heavier, asked).priceKobo).toBeGreaterThanOrEqual(offer.priceKobo)
        }
      },
    ),
  )
})
