import { beforeAll, beforeEach } from 'vitest'
import { openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import type { Carrier, CarrierCode } from '../../../src/partners/carriers/carrier.ts'
import type { TestApi } from '../api.ts'

/**
 * Returns a function that replaces methods of a simulated carrier. The replacements end with the test, or when the
 * function is called without a carrier.
 */
export function useSimulatedCarriers(
  started: () => TestApi,
): (code?: CarrierCode, more?: (carrier: Carrier) => Partial<Carrier>) => void {
  const real = new Map<CarrierCode, Carrier>()
  const set = (carriers: ReadonlyMap<CarrierCode, Carrier>) =>
    Object.assign(started().logistics, { carriers, breakers: openBreakers(), reach: undefined })
  beforeAll(() => {
    for (const [code, carrier] of started().logistics.carriers) real.set(code, carrier)
  })
  beforeEach(() => void set(new Map(real)))
  return (code, more = () => ({})) => {
    if (code === undefined) return void set(new Map(real))
    const carrier = real.get(code)
    if (carrier === undefined) throw new Error(`${code} is not a carrier of test mode.`)
    set(new Map(real).set(code, { ...carrier, ...more(carrier) }))
  }
}
