import { z } from 'zod'
import { providerDisplayName } from '../../../registry/values/payment-providers.ts'
import { disputeEvents, type ResolveDisputeOutcome, resolveDispute } from '../../commerce/orders/record-dispute.ts'
import { mutate } from '../../store/core/mutation.ts'
import { listUnmatchedDisputes } from '../../store/payments/unmatched-disputes.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import { merchantOptions, option, providerOption, textOption } from '../kit/option.ts'
import { tenantOf } from '../kit/tenant.ts'

export const paymentsDispute = command({
  name: 'payments dispute',
  summary:
    'Record how the payment provider resolved the disputes of a payment when the callback was lost or unclear. A lost dispute is final and covers the whole payment.',
  options: z.strictObject({
    ...merchantOptions,
    provider: providerOption,
    reference: textOption('The provider’s reference of the payment; also accepted as a positional argument.'),
    outcome: option(z.enum(['won', 'lost']), {
      value: 'won|lost',
      meaning:
        'won: the merchant keeps the payment, which becomes refundable again. lost: the payment goes back to the customer.',
      must: 'must be won or lost',
    }),
  }),
  positional: 'reference',
  run: ({ provider, reference, outcome, ...values }) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const mutation = {
        ...{ tenant, actor: operator, action: 'payment.update' as const, resourceType: 'payment' },
        resourceId: (resolved: ResolveDisputeOutcome) => (resolved.is === 'resolved' ? resolved.paymentId : undefined),
        emits: disputeEvents,
      } as const
      const resolved = await mutate<ResolveDisputeOutcome, (typeof disputeEvents)[number]>(
        context,
        mutation,
        async (work) => {
          const result = await resolveDispute(work, { provider, reference, outcome })
          return result.is === 'resolved' ? result : work.abort(result)
        },
      )
      switch (resolved.is) {
        case 'resolved': {
          const { paymentId, disputeIds } = resolved
          return {
            json: { id: paymentId, outcome, disputeIds },
            text: `Payment ${paymentId}: disputes ${disputeIds.join(', ')} are resolved as ${outcome}.`,
          }
        }
        case 'resolved_before':
          return {
            json: { id: resolved.paymentId, outcome, disputeIds: [] },
            text: `Payment ${resolved.paymentId}: all disputes are already resolved as ${outcome}.`,
          }
        case 'lost_before':
          throw new CommandFailure(
            'The dispute is recorded as lost, which is final: the payment went back to the customer.',
          )
        case 'no_dispute':
          throw new CommandFailure(`No stored dispute of the payment ${reference} can be recorded as won.`)
        case 'payment_unknown': {
          const waiting = await listUnmatchedDisputes(context.database, {
            ...{ merchantId: tenant.merchantId, provider, reference },
          })
          const more =
            waiting.length === 0
              ? ''
              : ' The dispute is stored, and is applied when the payment is recorded. To record the payment, run payments verify.'
          throw new CommandFailure(
            `No ${providerDisplayName(provider)} payment with the reference ${reference} is recorded.${more}`,
          )
        }
      }
    }),
})
