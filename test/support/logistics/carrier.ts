import type {
  Capabilities,
  Carrier,
  CarrierCode,
  CarrierEvent,
  Carriers,
  Outcome,
  Tracking,
} from '../../../src/partners/carriers/carrier.ts'

/**
 * A fake carrier for tests. It signs its callbacks with a fixed header and returns the tracking that the test has set.
 */

export const signedHeaders = { 'Content-Type': 'application/json', 'x-test-signature': 'right' }

export interface TestCarrier extends Carrier {
  /** The outcome that the fake carrier's method `get` returns. */
  answer: Outcome<Tracking>
  /** References of the orders whose tracking the service requested from the fake carrier. */
  readonly asked: string[]
}

const capabilities: Capabilities = {
  createDedup: 'reference',
  lookup: 'reference',
  serviceLevels: ['on_demand'],
  vehicles: ['bike'],
  callbacks: 'trusted',
  livePosition: true,
  namesCouriers: true,
  proof: ['photo'],
  cancelUntil: 'at_pickup',
  states: undefined,
  maxWeightGrams: 20_000,
  insurance: false,
  cashMaxKobo: undefined,
  quotesLive: true,
  onUnknown: 'proceed_guarded',
}

const unavailable = {
  is: 'unavailable',
  message: 'Not simulated by this carrier.',
  retryAfterSeconds: undefined,
} as const

export function testCarrier(code: CarrierCode, more: Partial<Capabilities> = {}): TestCarrier {
  const carrier: TestCarrier = {
    code,
    capabilities: { ...capabilities, ...more },
    answer: unavailable,
    asked: [],
    quote: async () => unavailable,
    create: async () => unavailable,
    cancel: async () => unavailable,
    get: async (_account, { carrierReference }) => {
      carrier.asked.push(carrierReference)
      return carrier.answer
    },
    readCallback: (_account, { body, headers }) => {
      const parsed: { events?: CarrierEvent[]; hints?: { reference?: string }[] } = JSON.parse(
        Buffer.from(body).toString(),
      )
      if (parsed.hints !== undefined) return { is: 'hint', orders: parsed.hints }
      if (headers['x-test-signature'] !== 'right') return { is: 'rejected' }
      return { is: 'trusted', events: parsed.events ?? [] }
    },
  }
  return carrier
}

export function carriersOf(...carriers: readonly Carrier[]): Carriers {
  return new Map(carriers.map((carrier) => [carrier.code, carrier]))
}

export function tracking(more: Partial<Tracking> = {}): Tracking {
  return {
    status: undefined,
    carrierStatus: more.status ?? 'word',
    at: undefined,
    position: undefined,
    courier: undefined,
    dropoffAt: undefined,
    proof: [],
    ...more,
  }
}
