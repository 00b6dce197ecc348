import type { PaymentProviderName } from '../../registry/values/payment-providers.ts'
import type { OrderId } from '../../registry/values/vocabulary.ts'
import type { disputeEvents } from '../commerce/orders/record-dispute.ts'
import type { PaymentEvents } from '../commerce/orders/record-payment.ts'
import type { ProviderRefundEvents } from '../commerce/refunds/record-provider-refund.ts'
import type { refundEvents } from '../commerce/refunds/update-refund.ts'
import type { Resolution } from '../store/callbacks/inbox.ts'
import { providerCallbacks } from '../store/callbacks/inboxes.ts'
import { type Context, type Mutation, mutate, type Work } from '../store/core/mutation.ts'
import { type CallbackOutcome, ignored } from './callback-outcome.ts'

/** A payment callback that is being applied, with the tenant and the actor of the change that it causes. */
export interface AppliedCallback extends Pick<Mutation<unknown>, 'tenant' | 'actor'> {
  readonly id: string
  readonly provider: PaymentProviderName
  /** Null if the callback names only a payment. */
  readonly orderId: OrderId | null
}

type CallbackEvents =
  | PaymentEvents
  | ProviderRefundEvents
  | (typeof refundEvents)[number]
  | (typeof disputeEvents)[number]

/** Makes the change that a callback causes, and marks the callback as applied in the same transaction. */
export function changeBy(
  context: Context,
  callback: AppliedCallback,
  change: Pick<Mutation<unknown>, 'action' | 'resourceType'> & { readonly emits: readonly CallbackEvents[] },
  run: (work: Work<CallbackEvents>) => Promise<CallbackOutcome>,
): Promise<CallbackOutcome> {
  const { tenant, actor } = callback
  const resourceId = (outcome: CallbackOutcome) => (outcome.is === 'applied' ? outcome.id : undefined)
  return mutate<CallbackOutcome, CallbackEvents>(context, { ...change, tenant, actor, resourceId }, async (work) => {
    const isOurs = await resolveCallback(work, callback, { outcome: 'applied', reason: null })
    if (!isOurs) return work.abort(ignored('processed_before'))
    const outcome = await run(work)
    return outcome.is === 'applied' ? outcome : work.abort(outcome)
  })
}

/** Returns false if the callback was already processed. In this case, the caller must change nothing. */
export function resolveCallback(
  { trx, now }: Pick<Work, 'trx' | 'now'>,
  { tenant: { merchantId }, id, orderId }: AppliedCallback,
  resolution: Resolution,
): Promise<boolean> {
  return providerCallbacks.resolve(trx, { ...resolution, merchantId, id, orderId, now })
}
