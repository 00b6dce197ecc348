import { createHmac, type KeyObject } from 'node:crypto'
import type { MerchantId, Timestamp } from '../../registry/values/vocabulary.ts'
import type { Config } from '../base/config.ts'
import { type CarrierTimeouts, type LogisticsContext, openLogistics } from '../logistics/carriers/context.ts'
import type { AddressPolicy } from '../outbound/address-policy.ts'
import { withoutBrackets } from '../outbound/check-url.ts'
import { openSafeFetch, type SafeFetch } from '../outbound/safe-fetch.ts'
import type { CarrierAccount, CarrierCode, Carriers } from '../partners/carriers/carrier.ts'
import { openCarriers } from '../partners/carriers/carriers.ts'
import { openSimulatorCarriers } from '../partners/carriers/simulator.ts'
import { openProviders, type ProviderSettings, simulatedAdapter } from '../partners/payments/providers.ts'
import type { PaymentContext, TestPayments } from '../payments/open-key.ts'
import type { Checkout } from '../simulator/checkout.ts'
import { openSimulator, type Simulator, type SimulatorOptions } from '../simulator/simulator.ts'
import { serviceKeys } from '../store/core/keys.ts'
import { shareCarrierState } from './share-carrier-state.ts'

export interface OpenedCarriers {
  readonly logistics: LogisticsContext
  readonly simulator: Simulator
  readonly payments: PaymentContext
  /** The checkout pages of test mode. Undefined if this process does not have the key of the simulator. */
  readonly checkout: Checkout | undefined
  close(): Promise<void>
}

export interface CarriersOptions extends Omit<Parameters<typeof openLogistics>[0], 'carriers'> {
  /**
   * Policy of the network addresses to which live carriers' clients may connect. It does not apply to simulated
   * carriers, which run on this machine.
   */
  readonly policy: AddressPolicy
  readonly roots: Config['carrierRoots']
  readonly paymentProviders: Omit<ProviderSettings, 'meters'>
  readonly now: Timestamp
  /** Returns the URL at which simulated carriers reach this process. Undefined while the process does not listen. */
  readonly urlOf: () => string | undefined
  /** The URL at which buyers reach this service. Defaults to the URL at which this process listens. */
  readonly publicUrl?: string | undefined
  readonly simulation?: Pick<SimulatorOptions, 'faults' | 'seed' | 'stepSeconds' | 'onUnanswered'>
  /** Opens the HTTP client of the simulated carriers. A test replaces it to control the deadlines of the requests. */
  readonly openSimulatorFetch?: typeof openSafeFetch
  readonly timeouts?: CarrierTimeouts
}

/** Opens the clients of the live carriers, and starts the simulated carriers of test mode. */
export async function openAllCarriers(options: CarriersOptions): Promise<OpenedCarriers> {
  const { database, clock, policy, roots, urlOf, publicUrl } = options
  // The key of the simulator is read before anything is opened: if reading fails, there is nothing to close.
  const keys = await serviceKeys(database, 'simulator', options.now)
  const [key] = keys
  const external = openSafeFetch(policy)
  // This HTTP client connects only to the simulator and to this service, so the operator's list of refused networks is
  // not applied to it.
  const openInternal = options.openSimulatorFetch ?? openSafeFetch
  const internal = openInternal({ allowsLoopback: true, isOwnAddress: (address) => address === hostOf(urlOf()) })
  const simulator = await openSimulator({ database, clock, send: internal.fetch, keys, ...options.simulation })
  const carriers: Carriers = new Map([
    ...openCarriers(external.fetch, roots, shareCarrierState(options)),
    ...Object.values(openSimulatorCarriers(internal.fetch, simulator.url)).map(
      (carrier) => [carrier.code, carrier] as const,
    ),
  ])
  const testAccountOf = (merchantId: MerchantId, code: CarrierCode) =>
    testAccount(urlOf(), key?.secret, merchantId, code)
  const testPayments = simulatedPayments(internal.fetch, { simulator, urlOf, publicUrl, secret: key?.secret })
  return {
    logistics: openLogistics({ ...options, carriers, testAccountOf }),
    simulator,
    payments: {
      ...options,
      providers: openProviders(external.fetch, { ...options.paymentProviders, meters: options.meters }),
      testPayments,
    },
    checkout:
      testPayments &&
      simulator.openCheckout((merchantId) => ({ key: testPayments.keyOf(merchantId), callbackRoot: urlOf() })),
    close: async () => {
      await simulator.close()
      await Promise.all([external.close(), internal.close()])
    },
  }
}

interface SimulatedPaymentsOptions {
  readonly simulator: Pick<Simulator, 'url' | 'stepMs'>
  readonly urlOf: () => string | undefined
  readonly publicUrl: string | undefined
  readonly secret: KeyObject | undefined
}

/**
 * Returns the simulated payment provider of test mode. The simulator implements the API of a real provider, so it is
 * called through the adapter of that provider.
 */
function simulatedPayments(
  send: SafeFetch['fetch'],
  { simulator: { url, stepMs }, urlOf, publicUrl, secret }: SimulatedPaymentsOptions,
): TestPayments | undefined {
  if (secret === undefined) return undefined
  const sendWithRoots: SafeFetch['fetch'] = (request) => {
    const root = urlOf()
    const pageRoot = publicUrl ?? root
    const extra = {
      ...(root === undefined ? {} : { 'simulator-callback-root': root }),
      ...(pageRoot === undefined ? {} : { 'simulator-page-root': pageRoot }),
    }
    return send({ ...request, headers: { ...request.headers, ...extra } })
  }
  const keyOf = (merchantId: string) =>
    `sk_test_${merchantId}_${createHmac('sha256', secret).update(`payments ${merchantId}`).digest('hex')}`
  const api = simulatedAdapter.open(sendWithRoots, `${url}/${simulatedAdapter.name}`)
  return { provider: { ...simulatedAdapter, ...api }, keyOf, stepMs }
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : withoutBrackets(new URL(url).hostname)
}

/**
 * Returns a merchant's account with a simulated carrier. The account has no callback URL if this process does not
 * listen; its shipments are then polled.
 */
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
