import { createHmac, type KeyObject } from 'node:crypto'
import type { MerchantId, Timestamp } from '../../registry/values/vocabulary.ts'
import type { Config } from '../base/config.ts'
import { type LogisticsContext, openLogistics, type Patience } from '../logistics/carriers/context.ts'
import type { AddressPolicy } from '../outbound/address-policy.ts'
import { withoutBrackets } from '../outbound/check-url.ts'
import { openSafeFetch, type SafeFetch } from '../outbound/safe-fetch.ts'
import type { CarrierAccount, CarrierCode, Carriers } from '../partners/carriers/carrier.ts'
import { openCarriers } from '../partners/carriers/carriers.ts'
import { openSimulatorCarriers } from '../partners/carriers/simulator.ts'
import { openPaystack } from '../partners/payments/paystack.ts'
import type { TestPayments } from '../payments/open-key.ts'
import type { VerifyContext } from '../payments/verify-payment.ts'
import { openSimulator, type Simulator, type SimulatorOptions } from '../simulator/simulator.ts'
import { serviceKeys } from '../store/core/keys.ts'
import { shareCarrierState } from './share-carrier-state.ts'

export interface OpenedCarriers {
  readonly logistics: LogisticsContext
  readonly simulator: Simulator
  readonly payments: VerifyContext
  close(): Promise<void>
}

export interface CarriersOptions extends Omit<Parameters<typeof openLogistics>[0], 'carriers'> {
  /** For the real companies; those of test mode are on this machine. */
  readonly policy: AddressPolicy
  readonly roots: Config['carrierRoots']
  readonly paystackUrl: string
  readonly now: Timestamp
  /** Where this process is reached by the companies of test mode, once it is; undefined where nobody serves. */
  readonly urlOf: () => string | undefined
  readonly simulation?: Pick<SimulatorOptions, 'faults' | 'seed' | 'stepSeconds'>
  readonly patience?: Patience
}

/** Every carrier this service speaks to: the real companies, and those of test mode, which are started here. */
export async function openAllCarriers(options: CarriersOptions): Promise<OpenedCarriers> {
  const { database, clock, policy, roots, urlOf } = options
  const outward = openSafeFetch(policy)
  // It speaks to the simulator and to this service only, so no network that the operator refuses applies to it.
  const inward = openSafeFetch({ allowsLoopback: true, isOwnAddress: (address) => address === hostOf(urlOf()) })
  const simulator = await openSimulator({ database, clock, send: inward.fetch, ...options.simulation })
  const [key] = await serviceKeys(database, 'simulator', options.now)
  const carriers: Carriers = new Map([
    ...openCarriers(outward.fetch, roots, shareCarrierState(options)),
    ...Object.values(openSimulatorCarriers(inward.fetch, simulator.url)).map(
      (carrier) => [carrier.code, carrier] as const,
    ),
  ])
  const testAccountOf = (merchantId: MerchantId, code: CarrierCode) =>
    testAccount(urlOf(), key?.secret, merchantId, code)
  return {
    logistics: openLogistics({ ...options, carriers, testAccountOf }),
    simulator,
    payments: {
      ...options,
      provider: openPaystack(outward.fetch, options.paystackUrl),
      testPayments: simulatedPayments(inward.fetch, { simulator, urlOf, secret: key?.secret }),
    },
    close: async () => {
      await simulator.close()
      await Promise.all([outward.close(), inward.close()])
    },
  }
}

interface SimulatedPaymentsAt {
  readonly simulator: Pick<Simulator, 'url' | 'stepMs'>
  readonly urlOf: () => string | undefined
  readonly secret: KeyObject | undefined
}

/** Test mode's provider speaks Paystack's language, so its adapter is Paystack's. */
function simulatedPayments(
  send: SafeFetch['fetch'],
  { simulator: { url, stepMs }, urlOf, secret }: SimulatedPaymentsAt,
): TestPayments | undefined {
  if (secret === undefined) return undefined
  const calledBack: SafeFetch['fetch'] = (request) => {
    const root = urlOf()
    const more = root === undefined ? {} : { 'simulator-callback-root': root }
    return send({ ...request, headers: { ...request.headers, ...more } })
  }
  const keyOf = (merchantId: MerchantId) =>
    `sk_test_${merchantId}_${createHmac('sha256', secret).update(`payments ${merchantId}`).digest('hex')}`
  return { provider: openPaystack(calledBack, `${url}/paystack`), keyOf, stepMs }
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : withoutBrackets(new URL(url).hostname)
}

/** Without an address to call back at, where parcels are is asked for. */
function testAccount(
  url: string | undefined,
  secret: KeyObject | undefined,
  merchantId: MerchantId,
  code: CarrierCode,
): CarrierAccount {
  if (url === undefined || secret === undefined) return { credentials: {} }
  const callbackUrl = `${url}/callbacks/carriers/${code}/${merchantId}`
  return { credentials: { callbackUrl, callbackSecret: secret.export().toString('hex') } }
}
