import { z } from 'zod'
import { OrderId } from '../../registry/values/vocabulary.ts'
import { reconciledDays, reconcilePayments } from '../payments/reconcile-payments.ts'
import { recordVerifiedPayment } from '../payments/verify-payment.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure, UsageError } from './failure.ts'
import { operator } from './operator.ts'
import { merchantOptions, numberOption, textOption } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'
import { withPayments } from './with-payments.ts'

export const paymentsVerify = command({
  name: 'payments verify',
  summary: 'Record a payment whose callback was lost, if Paystack confirms it. A payment is recorded once.',
  options: z.strictObject({
    ...merchantOptions,
    reference: textOption('Paystack’s reference of the payment.'),
    order: textOption('The order it is for; the one that the payment names when left out.').optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const order = values.order === undefined ? undefined : OrderId.safeParse(values.order)
      if (order?.success === false) throw new UsageError(`${values.order} is no order id.`)
      const { reference } = values
      const wanted = { tenant, actor: operator, reference, orderId: order?.data }
      const outcome = await withPayments(context, (payments) => recordVerifiedPayment(payments, wanted))
      switch (outcome.is) {
        case 'recorded': {
          const { id, amountKobo, orderId } = outcome.payment
          return { json: outcome.payment, text: `Payment ${id} of ${amountKobo} kobo was recorded for ${orderId}.` }
        }
        case 'reference_in_use':
          return { json: { id: outcome.existingId }, text: `It is recorded already, as ${outcome.existingId}.` }
        case 'order_unknown':
          throw new CommandFailure('There is no such order of this merchant.')
        case 'too_large':
          throw new CommandFailure('The order cannot hold that much.')
        case 'not_connected':
          throw new CommandFailure('The merchant has no Paystack account connected: see payments paystack.')
        case 'unavailable':
          throw new CommandFailure(`Paystack could not be asked: ${outcome.reason}.`)
        case 'not_verified':
          throw new CommandFailure(
            `Paystack does not confirm it (${outcome.reason}, ${outcome.report?.providerStatus ?? 'unknown'}).`,
          )
      }
    }),
})

/** Paystack’s list is read to its end, at most this far back. */
const daysMax = 90

export const paymentsReconcile = command({
  name: 'payments reconcile',
  summary: 'Compare Paystack’s payments and refunds of the last days with the books. Nothing is changed.',
  options: z.strictObject({
    ...merchantOptions,
    days: numberOption('How many days back.', { min: 1, max: daysMax }).optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const { merchantId, mode } = await tenantOf(context.database, values)
      if (mode === 'test') throw new CommandFailure('Test mode has no payments at Paystack.')
      const outcome = await withPayments(context, (payments) =>
        reconcilePayments(payments, merchantId, values.days ?? reconciledDays),
      )
      if (outcome.is === 'not_connected') {
        throw new CommandFailure('The merchant has no Paystack account connected: see payments paystack.')
      }
      if (outcome.is === 'unavailable') throw new CommandFailure(`Paystack could not be asked: ${outcome.reason}.`)
      const rows = outcome.differences.map((difference) => ({ ...difference }))
      const columns = ['kind', 'reference', 'id', 'amountKobo', 'providerAmountKobo']
      const text = rows.length === 0 ? `Nothing differs since ${outcome.since}.` : table(rows, columns)
      return { json: outcome, text }
    }),
})
