import { METHOD_NAME_ALL } from 'hono/router'
import { z } from 'zod'
import { amountMaxKobo } from '../../registry/values/limits.ts'
import { withinBounds } from '../base/deadline.ts'
import { callbackDelays, checkoutBehaviours, checkoutPage, paidPage } from '../buyer/checkout.ts'
import { formPolicy } from '../buyer/layout.ts'
import { detachedBounds } from '../operations/execute/request-limits.ts'
import { type Checkout, type CheckoutPage, checkoutRoot, type ShownCheckout } from '../simulator/checkout.ts'
import { type BuyerPageParts, failed, notFound, pageAnswer, refusingMethods } from './buyer-pages.ts'
import { readForm } from './pipeline/body.ts'
import type { Answer, Exchange, PageRoute, Route } from './pipeline/exchange.ts'
import { checkHead } from './pipeline/request-head.ts'
import { sourceIpOf } from './pipeline/sender.ts'

/** Routes of the checkout pages of the simulated payment provider. The path contains a signed token. */

/** Maximum size of a submitted form: several times the size of its five short fields. */
const formMaxBytes = 4_096

const minuteMs = 60_000

/**
 * The fields of the form on the checkout page, in which a tester selects the outcome of a payment. All fields except
 * `outcome` have defaults, so that a program can send `outcome` alone.
 */
const Form = z.discriminatedUnion(
  'outcome',
  [
    z.object({
      outcome: z.literal('paid'),
      amountKobo: z.coerce
        .number({ error: 'The amount must be a whole number of kobo, such as 1500000.' })
        .int({ error: 'The amount must be a whole number of kobo, such as 1500000.' })
        .min(1, { error: 'The amount must be at least 1 kobo.' })
        .max(amountMaxKobo, { error: `The amount must be at most ${amountMaxKobo} kobo.` })
        .optional(),
      payments: z.enum(['1', '2'], { error: 'The number of payments must be 1 or 2.' }).default('1'),
      callbackDelayMinutes: z
        .enum(
          callbackDelays.map(({ minutes }) => String(minutes)),
          {
            error: `The delay of the callback must be one of ${callbackDelays.map(({ minutes }) => minutes).join(', ')} minutes.`,
          },
        )
        .default('0'),
      behaviour: z
        .enum(
          checkoutBehaviours.map(({ name }) => name),
          { error: `The behaviour must be one of ${checkoutBehaviours.map(({ name }) => name).join(', ')}.` },
        )
        .default('success'),
    }),
    z.object({ outcome: z.literal('declined') }),
    z.object({ outcome: z.literal('repeated') }),
  ],
  { error: 'The outcome must be paid, declined or repeated.' },
)

export function checkoutRoutes(parts: BuyerPageParts, checkout: Checkout): readonly PageRoute[] {
  const withPage = (exchange: Exchange, answerPage: (shown: ShownCheckout) => Promise<Answer>): Promise<Answer> =>
    parts.places.run(sourceIpOf(exchange.message, parts.trustedProxies), () =>
      withinBounds(detachedBounds(parts.requestLimits), async () => {
        const found = await checkout.read(exchange.params.token ?? '')
        return found === undefined ? notFound : answerPage(found)
      }),
    )
  const submit = async (fields: URLSearchParams, { page, payment: earlier }: ShownCheckout): Promise<Answer> => {
    const form = Form.safeParse(Object.fromEntries(fields))
    if (!form.success) return invalid(page, messagesOf(form.error))
    if (form.data.outcome === 'repeated') {
      if (earlier === undefined)
        return invalid(page, ['No payment was made on this page, so there is no callback to repeat.'])
      await checkout.repeatCallback(page, earlier)
      return pageAnswer(200, paidPage(page, earlier), formPolicy)
    }
    if (earlier !== undefined) return pageAnswer(200, paidPage(page, earlier), formPolicy)
    if (form.data.outcome === 'declined') return pageAnswer(200, checkoutPage(page, { is: 'declined' }), formPolicy)
    const { amountKobo = page.amountKobo, payments, callbackDelayMinutes, behaviour } = form.data
    const payment = await checkout.pay(page, {
      ...{ amountKobo, behaviour, isPaidTwice: payments === '2' },
      delayMs: Number(callbackDelayMinutes) * minuteMs,
    })
    return pageAnswer(200, paidPage(page, payment), formPolicy)
  }
  const show: Route['answer'] = async (exchange) => {
    checkHead(exchange.message)
    return withPage(exchange, async ({ page, payment }) =>
      pageAnswer(200, payment === undefined ? checkoutPage(page, { is: 'open' }) : paidPage(page, payment), formPolicy),
    )
  }
  const receive: Route['answer'] = async (exchange) => {
    checkHead(exchange.message)
    // The form is read before the request is counted as in progress, because its client may send it slowly. A form that
    // cannot be read is rejected only after the link was checked.
    const [read] = await Promise.allSettled([readForm(exchange, formMaxBytes, parts.clientWaits)])
    return withPage(exchange, async (shown) => {
      if (read.status === 'rejected') throw read.reason
      return submit(read.value, shown)
    })
  }
  const refuse = refusingMethods('GET, HEAD, POST')
  const route = { operation: 'checkout page', failed }
  const path = `${checkoutRoot}/:token`
  return [
    { method: 'GET', path, route: { ...route, answer: show } },
    { method: 'POST', path, route: { ...route, answer: receive } },
    { method: METHOD_NAME_ALL, path, route: { ...route, answer: refuse } },
  ]
}

function invalid(page: CheckoutPage, problems: readonly string[]): Answer {
  return pageAnswer(422, checkoutPage(page, { is: 'invalid', problems }), formPolicy)
}

function messagesOf({ issues }: z.ZodError): string[] {
  return issues.map(({ message }) => message)
}
