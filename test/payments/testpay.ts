import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import type { PaymentProviderName } from '../../registry/values/payment-providers.ts'
import { OrderId, RefundId } from '../../registry/values/vocabulary.ts'
import type { CallbackReport, PaymentAdapter, RefundReport } from '../../src/partners/payments/provider.ts'
import { addressOf } from '../support/api.ts'

/** A payment provider of the tests, with an adapter and a server of its own. No code of the service names it. */

/**
 * The type allows only the providers in the registry. JSON.parse() returns the type any, so the compiler accepts this
 * name.
 */
const name: PaymentProviderName = JSON.parse('"testpay"')

/** The migration that a new payment provider needs. */
export const testpayMigration = `
  alter domain payment_provider drop constraint payment_provider_is_known;
  alter domain payment_provider
    add constraint payment_provider_is_known check (value in ('manual', 'paystack', 'flutterwave', 'testpay')) not valid;
  alter domain payment_provider validate constraint payment_provider_is_known`

const Refund = z.object({ id: z.string(), note: z.string(), kobo: z.int(), state: z.enum(['sent', 'paid', 'bounced']) })

type TestpayRefund = z.output<typeof Refund>

const states = { sent: 'processing', paid: 'succeeded', bounced: 'failed' } as const

function reportOf({ id, kobo, state }: TestpayRefund): RefundReport {
  return { reference: id, status: states[state], amountKobo: kobo, expectedAt: null, reason: null }
}

const Callback = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('charge.paid'), reference: z.string(), kobo: z.int(), order: OrderId }),
  z.object({ kind: z.literal('refund.updated'), payment: z.string(), refund: Refund }),
])

function callbackReportOf(callback: z.output<typeof Callback>): CallbackReport {
  if (callback.kind === 'charge.paid') {
    const { reference, kobo: amountKobo, order: orderId } = callback
    return { is: 'charged', orderId, reference, providerId: null, amountKobo, method: 'card', paidAt: undefined }
  }
  const { reference, status, amountKobo } = reportOf(callback.refund)
  const refundId = RefundId.safeParse(callback.refund.note).data
  const isForeign = refundId === undefined
  return { is: 'refund_moved', status, reference, refundId, isForeign, transaction: callback.payment, amountKobo }
}

function signatureOf(body: Uint8Array | string, secretKey: string): Buffer {
  return createHmac('sha256', secretKey).update(body).digest()
}

/** Opens Testpay's server. Returns its adapter, and the refunds and pages that it received. */
export async function openTestpay() {
  const refunds: TestpayRefund[] = []
  const pages: { reference: string; kobo: number; email: string }[] = []
  const keys: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization)
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (request.url === '/pages') {
      pages.push(JSON.parse(body))
      response.end(JSON.stringify({ url: `https://testpay.example/${pages.length}` }))
      return
    }
    if (request.method === 'POST') refunds.push({ id: `tp-${refunds.length + 1}`, state: 'sent', ...JSON.parse(body) })
    response.end(JSON.stringify(refunds))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const adapter: PaymentAdapter = {
    name,
    keyPrefixes: { any: 'tp_', live: 'tp_live_' },
    keyModeOf: (secretKey) => (secretKey.startsWith('tp_live_') ? 'live' : undefined),
    isBodySigned: true,
    listsOrderIds: true,
    isSigned: ({ body, headers }, secretKey) => {
      const given = Buffer.from(headers['testpay-signature'] ?? '', 'hex')
      const expected = signatureOf(body, secretKey)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
    readCallback: (body) => {
      const callback = Callback.parse(JSON.parse(Buffer.from(body).toString('utf8')))
      const paymentReference = callback.kind === 'charge.paid' ? callback.reference : callback.payment
      return { kind: callback.kind, report: callbackReportOf(callback), paymentReference }
    },
    open: (send, root) => {
      const limits = { deadlineMs: 10_000, responseMaxBytes: 100_000 }
      const ask = async (secretKey: string, refund?: object) => {
        const outcome = await send({
          url: `${root}/refunds`,
          method: refund === undefined ? 'GET' : 'POST',
          headers: { authorization: secretKey },
          ...(refund === undefined ? {} : { body: JSON.stringify(refund) }),
          ...limits,
        })
        if (outcome.is === 'failed') throw new Error(outcome.errorCode)
        return z.array(Refund).parse(JSON.parse(outcome.body))
      }
      const find = async (secretKey: string, isSought: (refund: TestpayRefund) => boolean) => {
        const found = (await ask(secretKey)).find(isSought)
        return found === undefined ? ({ is: 'missing' } as const) : ({ is: 'found', report: reportOf(found) } as const)
      }
      const unsupported = { is: 'unavailable', reason: 'unsupported' } as const
      return {
        refund: async (secretKey, { amountKobo, note }) => {
          const created = (await ask(secretKey, { note, kobo: amountKobo })).at(-1)
          if (created === undefined) return { is: 'unknown', reason: 'unreadable' }
          return { is: 'accepted', report: reportOf(created) }
        },
        findRefund: (secretKey, reference) => find(secretKey, ({ id }) => id === reference),
        searchRefund: (secretKey, search) => find(secretKey, ({ note }) => note === search.note),
        setBankDetails: async () => ({ is: 'not_submitted', reason: 'unsupported' }),
        createCheckout: async (secretKey, { reference, amountKobo: kobo, email }) => {
          const page = { method: 'POST', body: JSON.stringify({ reference, kobo, email }) } as const
          const outcome = await send({
            url: `${root}/pages`,
            headers: { authorization: secretKey },
            ...page,
            ...limits,
          })
          if (outcome.is === 'failed') return { is: 'unknown', reason: outcome.errorCode }
          return { is: 'created', url: z.object({ url: z.string() }).parse(JSON.parse(outcome.body)).url }
        },
        findPayment: async () => unsupported,
        listPayments: async () => unsupported,
        listReversedPayments: async () => unsupported,
        listRefunds: async () => unsupported,
      }
    },
  }
  const url = `http://127.0.0.1:${addressOf(server.address()).port}`
  return { adapter, url, refunds, pages, keys, close: () => server.close() }
}

export function testpayCallback(secretKey: string, callback: z.input<typeof Callback>) {
  const body = JSON.stringify(callback)
  return { body, headers: { 'testpay-signature': signatureOf(body, secretKey).toString('hex') } }
}
