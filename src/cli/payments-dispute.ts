import { z } from 'zod'
import { type SettleDisputeOutcome, settleDispute } from '../commerce/orders/record-dispute.ts'
import { mutate } from '../store/core/mutation.ts'
import { listUnmatchedDisputes } from '../store/payments/unmatched-disputes.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure } from './failure.ts'
import { operator } from './operator.ts'
import { merchantOptions, option, textOption } from './option.ts'
import { tenantOf } from './tenant.ts'

export const paymentsDispute = command({
  name: 'payments dispute',
  summary:
    'Settle the disputes of a payment as Paystack decided them, where a callback was lost or is unclear. A loss is of the whole payment and final.',
  options: z.strictObject({
    ...merchantOptions,
    reference: textOption('Paystack’s reference of the payment; it may also stand alone.'),
    outcome: option(z.enum(['won', 'lost']), {
      value: 'won|lost',
      meaning: 'Won leaves the money with the merchant and frees it for refunds; lost locks it for good.',
      must: 'must be won or lost',
    }),
  }),
  positional: 'reference',
  run: ({ reference, outcome, ...values }) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const mutation = {
        ...{ tenant, actor: operator, action: 'payment.update', resourceType: 'payment' },
        resourceId: (settled: SettleDisputeOutcome) => (settled.is === 'settled' ? settled.paymentId : undefined),
      }
      const settled = await mutate<SettleDisputeOutcome>(context, mutation, async (work) => {
        const result = await settleDispute(work, { reference, outcome })
        return result.is === 'settled' ? result : work.abort(result)
      })
      switch (settled.is) {
        case 'settled': {
          const { paymentId, disputeIds } = settled
          return {
            json: { id: paymentId, outcome, disputeIds },
            text: `Payment ${paymentId}: ${disputeIds.join(', ')} was settled as ${outcome}.`,
          }
        }
        case 'settled_before':
          return {
            json: { id: settled.paymentId, outcome, disputeIds: [] },
            text: `Payment ${settled.paymentId}: every dispute is settled already, as ${outcome}.`,
          }
        case 'lost_before':
          throw new CommandFailure(
            'The dispute is recorded as lost, which is final: its money has gone back to the payer.',
          )
        case 'no_dispute':
          throw new CommandFailure(`No dispute of payment ${reference} is known, so there is none to win.`)
        case 'payment_unknown': {
          const waiting = await listUnmatchedDisputes(context.database, { merchantId: tenant.merchantId, reference })
          const more =
            waiting.length === 0 ? '' : ' Its dispute is stored and applies once it is: record it with payments verify.'
          throw new CommandFailure(`No Paystack payment with the reference ${reference} is recorded.${more}`)
        }
      }
    }),
})
