import { flutterwave } from '../../../src/partners/payments/flutterwave.ts'
import { vendorExample } from '../examples/example.ts'
import { type FlutterwaveRefund, openFlutterwaveServer } from './flutterwave-server.ts'
import { type BenchPayment, openClient, type ProviderBench } from './provider-bench.ts'

const words = { processing: 'processing', succeeded: 'completed-bank-transfer', failed: 'failed' } as const

const chargebackWords = { open: 'initiated', won: 'won', lost: 'lost' } as const

/**
 * Returns a transaction with the fields of Flutterwave's documented example of a verification. The amount is in naira.
 */
export function flutterwaveTransaction(payment: BenchPayment, more: object = {}) {
  const { reference, amountKobo, orderId, currency = 'NGN', isPaid = true, paidAt } = payment
  const { data } = vendorExample('flutterwave-transaction-verify').body
  const amount = amountKobo / 100
  const meta = orderId === undefined ? null : { orderId }
  const created = paidAt === undefined ? {} : { created_at: paidAt }
  const status = isPaid ? 'successful' : 'pending'
  return { ...data, tx_ref: reference, amount, charged_amount: amount, currency, status, meta, ...created, ...more }
}

/**
 * Returns the body of the callback about a charge. `data` has the fields of the transaction except `meta`, which is in
 * `meta_data`.
 */
export function chargeEvent({ meta, ...data }: ReturnType<typeof flutterwaveTransaction>) {
  return { event: 'charge.completed', data, meta_data: meta ?? {}, 'event.type': 'CARD_TRANSACTION' }
}

/** The number of opened servers. Each has a key of its own, so that it rejects the requests of other merchants. */
let keys = 0

export async function openFlutterwaveBench(): Promise<ProviderBench> {
  keys += 1
  const server = await openFlutterwaveServer(`FLWSECK-local${keys}-X`, `a-secret-hash-of-merchant-${keys}`)
  const refundOf = (reference: string): FlutterwaveRefund => {
    const refund = server.refunds.find(({ id }) => String(id) === reference)
    if (refund === undefined) throw new Error(`Flutterwave has no refund ${reference}.`)
    return refund
  }
  const idOf = (reference: string) => Number(server.transactions.find(({ tx_ref }) => tx_ref === reference)?.id)
  return {
    ...{ adapter: flutterwave, secretKey: server.secretKey, callbackSecret: server.secretHash },
    requests: server.requests,
    client: openClient(flutterwave, server),
    submissions: () => server.requests.filter(({ line }) => /^POST \/transactions\/\d+\/refund$/.test(line)).length,
    receive: (payment) => {
      server.transactions.push(flutterwaveTransaction(payment, { id: 9_000_000 + server.transactions.length }))
    },
    chargeCallback: (payment) => {
      const id = idOf(payment.reference)
      return server.callback(chargeEvent(flutterwaveTransaction(payment, Number.isNaN(id) ? {} : { id })))
    },
    refunds: () =>
      server.refunds.map(({ id, comment, amount }) => {
        return { reference: String(id), note: comment, amountKobo: Math.round(amount * 100) }
      }),
    moveRefund: (reference, status) => void Object.assign(refundOf(reference), { status: words[status] }),
    refundCallback: (reference) => {
      const { id, transactionId, amount, status } = refundOf(reference)
      return server.callback({ id, AmountRefunded: amount, status, FlwRef: 'URF', TransactionId: transactionId })
    },
    refundByHand: ({ reference }, amountKobo) => {
      const made = { id: 77, transactionId: idOf(reference), amount: amountKobo / 100, comment: 'by hand' }
      server.refunds.push({ ...made, createdAt: '2999', status: 'completed-offline' })
    },
    dispute: ({ reference, amountKobo }, status) => {
      const [example] = vendorExample('flutterwave-chargeback-list').body.data
      const named = { tx_ref: reference, transaction_id: idOf(reference), amount: amountKobo / 100 }
      const chargeback = { ...example, ...named, status: chargebackWords[status], created_at: '2999' }
      server.chargebacks.splice(0, 1, chargeback)
      return server.callback({ event: 'chargeback.updated', data: { id: chargeback.id, status: chargeback.status } })
    },
    failRefund: server.failRefund,
    failReads: server.failReads,
    failCheckouts: server.failCheckouts,
    onRequest: (run) => void Object.assign(server, { onRequest: run }),
    forge: ({ body, headers }) => ({ body, headers: { ...headers, 'verif-hash': 'another-secret-hash' } }),
  }
}
