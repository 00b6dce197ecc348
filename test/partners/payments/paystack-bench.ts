import { paystack } from '../../../src/partners/payments/paystack.ts'
import { vendorExample } from '../examples/example.ts'
import { openPaystackServer, type PaystackRefund, signed } from './paystack-server.ts'
import { type BenchPayment, openClient, type ProviderBench } from './provider-bench.ts'

const words = { processing: 'processing', succeeded: 'processed', failed: 'failed' } as const

/** The id of the dispute in Paystack's published example. */
const disputeId = 358950

function transactionOf(payment: BenchPayment) {
  const { reference, amountKobo, orderId, currency = 'NGN', isPaid = true, paidAt } = payment
  const { data } = vendorExample('paystack-transaction-verify').body
  const metadata = orderId === undefined ? '' : { orderId }
  return {
    ...data,
    ...(isPaid ? {} : { status: 'abandoned' }),
    reference,
    amount: amountKobo,
    currency,
    metadata,
    ...(paidAt === undefined ? {} : { paid_at: paidAt }),
  }
}

/** The number of opened servers. Each has a key of its own, so that it rejects the requests of other merchants. */
let keys = 0

export async function openPaystackBench(): Promise<ProviderBench> {
  keys += 1
  const server = await openPaystackServer(`sk_live_local${keys}`)
  const refundOf = (reference: string): PaystackRefund => {
    const refund = server.refunds.find(({ id }) => String(id) === reference)
    if (refund === undefined) throw new Error(`Paystack has no refund ${reference}.`)
    return refund
  }
  return {
    ...{ adapter: paystack, secretKey: server.secretKey, callbackSecret: undefined, requests: server.requests },
    client: openClient(paystack, server),
    submissions: () => server.requests.filter(({ line }) => line === 'POST /refund').length,
    receive: (payment) => void server.transactions.push(transactionOf(payment)),
    chargeCallback: (payment) => server.callback('charge.success', transactionOf(payment)),
    refunds: () =>
      server.refunds.map(({ id, merchantNote, amount }) => {
        return { reference: String(id), note: merchantNote, amountKobo: amount }
      }),
    moveRefund: (reference, status) => void Object.assign(refundOf(reference), { status: words[status] }),
    refundCallback: (reference) => server.refundCallback(refundOf(reference)),
    refundByHand: ({ reference }, amountKobo) => {
      const made = { id: 77, transactionReference: reference, amount: amountKobo, merchantNote: 'by hand' }
      server.refunds.push({ ...made, createdAt: '', status: 'processed', reason: null, account: undefined })
    },
    dispute: ({ reference }, status) => {
      const named = { id: disputeId, transaction: { reference } }
      if (status === 'open') return server.callback('charge.dispute.create', named)
      const resolution = status === 'won' ? 'declined' : 'merchant-accepted'
      return server.callback('charge.dispute.resolve', { ...named, resolution })
    },
    failRefund: (note, ...faults) => server.failRefund(note, 'create', ...faults),
    failReads: server.failReads,
    failCheckouts: server.failCheckouts,
    onRequest: (run) => void Object.assign(server, { onRequest: run }),
    forge: ({ body }) => signed('sk_live_other', JSON.parse(body)),
  }
}
