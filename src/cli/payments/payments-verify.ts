import { z } from 'zod'
import { type PaymentProviderName, providerDisplayName } from '../../../registry/values/payment-providers.ts'
import { OrderId } from '../../../registry/values/vocabulary.ts'
import { reconciledDays, reconcilePayments } from '../../payments/reconcile-payments.ts'
import { recordVerifiedPayment } from '../../payments/verify-payment.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure, UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { merchantOptions, numberOption, providerOption, textOption } from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'
import { withPayments } from './with-payments.ts'

export const paymentsVerify = command({
  name: 'payments verify',
  summary: 'Record a payment whose callback was lost, if its provider confirms the payment. The command is idempotent.',
  options: z.strictObject({
    ...merchantOptions,
    provider: providerOption,
    reference: textOption('The provider’s reference of the payment.'),
    order: textOption('The order that was paid. Default: the order that the payment names.').optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const order = values.order === undefined ? undefined : OrderId.safeParse(values.order)
      if (order?.success === false) throw new UsageError(`${values.order} is not an order id.`)
      const { provider, reference } = values
      const name = providerDisplayName(provider)
      const wanted = { tenant, actor: operator, provider, reference, orderId: order?.data }
      const outcome = await withPayments(context, (payments) => recordVerifiedPayment(payments, wanted))
      switch (outcome.is) {
        case 'recorded': {
          const { id, amountKobo, orderId } = outcome.payment
          return { json: outcome.payment, text: `Recorded payment ${id} of ${amountKobo} kobo for ${orderId}.` }
        }
        case 'reference_in_use':
          return {
            json: { id: outcome.existingId },
            text: `The payment is already recorded, as ${outcome.existingId}.`,
          }
        case 'order_unknown':
          throw new CommandFailure('The merchant has no order with this id.')
        case 'too_large':
          throw new CommandFailure('The payment exceeds the maximum amount of an order.')
        case 'not_connected':
          throw new CommandFailure(notConnected(provider))
        case 'unavailable':
          throw new CommandFailure(`The request to ${name} failed: ${outcome.reason}.`)
        case 'not_verified':
          throw new CommandFailure(
            `${name} does not confirm the payment (${outcome.reason}, ${outcome.report?.providerStatus ?? 'unknown'}).`,
          )
      }
    }),
})

/**
 * Maximum period, in days, for which payments are compared with those of the provider. The comparison reads all pages
 * of the provider’s lists, and this limit bounds their number.
 */
const daysMax = 90

export const paymentsReconcile = command({
  name: 'payments reconcile',
  summary:
    'Compare the recent payments and refunds at a payment provider with the recorded ones. The command changes nothing.',
  options: z.strictObject({
    ...merchantOptions,
    provider: providerOption,
    days: numberOption(`How many days to compare; default ${reconciledDays}.`, { min: 1, max: daysMax }).optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const { merchantId, mode } = await tenantOf(context.database, values)
      const { provider } = values
      const name = providerDisplayName(provider)
      if (mode === 'test') throw new CommandFailure(`Test mode has no payments at ${name}.`)
      const outcome = await withPayments(context, (payments) =>
        reconcilePayments(payments, { merchantId, provider }, values.days ?? reconciledDays),
      )
      if (outcome.is === 'not_connected') {
        throw new CommandFailure(notConnected(provider))
      }
      if (outcome.is === 'unavailable') throw new CommandFailure(`The request to ${name} failed: ${outcome.reason}.`)
      const rows = outcome.differences.map((difference) => ({ ...difference }))
      const columns = ['kind', 'reference', 'id', 'amountKobo', 'providerAmountKobo']
      const text =
        rows.length === 0
          ? `The payments and refunds at ${name} since ${outcome.since} do not differ from the recorded ones.`
          : table(rows, columns)
      const missing = outcome.refundsUnlisted
      const note = missing === null ? '' : `\nRefunds were not compared: the request to ${name} failed: ${missing}.`
      return { json: outcome, text: `${text}${note}` }
    }),
})

function notConnected(provider: PaymentProviderName): string {
  const name = providerDisplayName(provider)
  return `The merchant has not connected a ${name} account. Connect one with commerce payments ${provider}.`
}
