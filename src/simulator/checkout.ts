import { z } from 'zod'
import {
  type TestPaymentBehaviourName,
  testPaymentOf,
  testPaymentReference,
} from '../../registry/service/test-payments.ts'
import { toTimestamp } from '../base/clock.ts'
import { type SigningKey, signText, verifyText } from '../base/signed-text.ts'
import {
  findSimulatedPayment,
  insertSimulatedPayment,
  type SimulatedPayment,
} from '../store/simulator/simulated-payments.ts'
import { type Account, scheduleChargeCallback } from './payment-callbacks.ts'
import { schedulePaymentEvents } from './payment-refunds.ts'
import { sendPaymentCallbacks } from './send-payment-callbacks.ts'
import type { Simulation } from './simulation.ts'

/**
 * Checkout pages of the simulated payment provider. The URL of a page contains the content of the page in a signed
 * token. Every process can therefore show the page, and a forged page cannot pay an order.
 */

/** The path under which the pages are served, followed by the token of a page. */
export const checkoutRoot = '/checkout'

export interface CheckoutPage {
  readonly merchantId: string
  readonly orderId: string
  readonly reference: string
  readonly amountKobo: number
  /** The URL to which the buyer returns after the payment. Null if the payment link has none. */
  readonly callbackUrl: string | null
}

const Content = z.tuple([z.string(), z.string(), z.string(), z.int(), z.nullable(z.string())])

export function writeCheckoutToken(keys: readonly SigningKey[], page: CheckoutPage): string {
  const { merchantId, orderId, reference, amountKobo, callbackUrl } = page
  return signText(keys, JSON.stringify([merchantId, orderId, reference, amountKobo, callbackUrl]))
}

/** Maximum length of a token in characters: the maximum length of a page URL that the service accepts. */
const tokenMaxLength = 2_000

function readCheckoutToken(keys: readonly SigningKey[], token: string): CheckoutPage | undefined {
  const verified = token.length > tokenMaxLength ? undefined : verifyText(keys, token)
  if (verified?.is !== 'valid') return undefined
  const [merchantId, orderId, reference, amountKobo, callbackUrl] = Content.parse(JSON.parse(verified.text))
  return { merchantId, orderId, reference, amountKobo, callbackUrl }
}

export interface ShownCheckout {
  readonly page: CheckoutPage
  /** Undefined while the page is not paid. */
  readonly payment: SimulatedPayment | undefined
}

export interface Checkout {
  /** Undefined if this service did not issue the token. */
  read(token: string): Promise<ShownCheckout | undefined>
  /** Makes the payment of a checkout page, unless the page is already paid. Returns the payment of the page. */
  pay(page: CheckoutPage, charge: CheckoutCharge): Promise<SimulatedPayment>
  /**
   * Sends the callback of a payment again, as a provider does if the receiver has not acknowledged the first one in
   * time.
   */
  repeatCallback(page: CheckoutPage, payment: SimulatedPayment): Promise<void>
}

/**
 * The signing key of a merchant's account at the simulated payment provider, and the base URL to which the callbacks of
 * the account are sent.
 */
type Sender = Pick<Account, 'key' | 'callbackRoot'>

export function openCheckout(simulation: Simulation, senderOf: (merchantId: string) => Sender): Checkout {
  const accountOf = ({ merchantId }: CheckoutPage): Account => {
    return { simulation, nowMs: simulation.clock.nowMs(), merchantId, ...senderOf(merchantId) }
  }
  return {
    read: async (token) => {
      const page = readCheckoutToken(simulation.keys, token)
      if (page === undefined) return undefined
      const { merchantId, reference } = page
      return { page, payment: await findSimulatedPayment(simulation.database, { account: merchantId, reference }) }
    },
    pay: (page, charge) => payOnPage(accountOf(page), page, charge),
    repeatCallback: async (page, payment) => {
      const account = accountOf(page)
      await scheduleChargeCallback(account, payment, { orderId: page.orderId, delayMs: 0 })
      await sendPaymentCallbacks(simulation, account.nowMs)
    },
  }
}

/** The behaviour that a tester chooses for the payment on a simulated checkout page. */
export interface CheckoutCharge {
  readonly amountKobo: number
  readonly behaviour: TestPaymentBehaviourName
  /** Whether the buyer pays twice. The provider reports the second payment with a different reference. */
  readonly isPaidTwice: boolean
  /** Milliseconds from the payment until the callbacks that report it are sent. */
  readonly delayMs: number
}

/**
 * Makes the payment of a checkout page at most once: only one of several concurrent requests for a page makes a
 * payment. Sends the callbacks that are due at once, so that the service has received them when the page responds.
 */
async function payOnPage(account: Account, page: CheckoutPage, charge: CheckoutCharge): Promise<SimulatedPayment> {
  const { simulation, nowMs } = account
  const { amountKobo, behaviour, isPaidTwice, delayMs } = charge
  const paid = { account: page.merchantId, amountKobo, behaviour, now: toTimestamp(nowMs) }
  const first = await insertSimulatedPayment(simulation.database, { ...paid, reference: page.reference })
  if (first === undefined) return paymentOnPage(simulation, page)
  const second = isPaidTwice
    ? await insertSimulatedPayment(simulation.database, { ...paid, reference: secondReferenceOf(page) })
    : undefined
  for (const payment of [first, second]) {
    if (payment === undefined) continue
    await scheduleChargeCallback(account, payment, { orderId: page.orderId, delayMs })
    await schedulePaymentEvents(account, payment)
  }
  await sendPaymentCallbacks(simulation, nowMs)
  return first
}

async function paymentOnPage(
  { database }: Simulation,
  { merchantId, reference }: CheckoutPage,
): Promise<SimulatedPayment> {
  const payment = await findSimulatedPayment(database, { account: merchantId, reference })
  if (payment === undefined)
    throw new Error(`The payment ${reference} was deleted while a buyer paid on its checkout page.`)
  return payment
}

function secondReferenceOf({ reference }: CheckoutPage): string {
  const payment = testPaymentOf(reference)
  const suffix = reference.slice(reference.lastIndexOf('-') + 1)
  if (payment === undefined) throw new Error(`${reference} is not a reference of the simulated payment provider.`)
  return testPaymentReference(payment, `${suffix.slice(0, 35)}again`)
}
