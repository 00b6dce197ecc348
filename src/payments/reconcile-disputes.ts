import {
  type DisputeReport,
  disputeEvents,
  type RecordDisputeOutcome,
  recordDispute,
} from '../commerce/orders/record-dispute.ts'
import type { ReportedDispute } from '../partners/payments/provider.ts'
import { getTenant } from '../store/access/merchants.ts'
import { systemActor } from '../store/core/audit.ts'
import { mutate, type Tenant, type Work } from '../store/core/mutation.ts'
import type { Connection } from '../store/payments/provider-keys.ts'
import { storeUnmatched } from './apply-dispute.ts'
import { disputableSince } from './disputable-since.ts'
import { openProviderKey, type PaymentContext } from './open-key.ts'

/**
 * Records the disputes from the list of a provider, because the callbacks of disputes may be lost or are not
 * documented.
 */

const worker = systemActor('reconcile_payments')

/** If the current state of a dispute is already stored, nothing is changed. */
export async function reconcileDisputes(context: PaymentContext, connection: Connection): Promise<void> {
  const { merchantId, provider } = connection
  const key = await openProviderKey(context, merchantId, provider)
  if (key?.provider.listDisputes === undefined) return
  const listed = await key.provider.listDisputes(key.secretKey, disputableSince(context))
  if (listed.is === 'unavailable') {
    context.log.warn({ ...connection, reason: listed.reason }, 'Disputes could not be listed.')
    return
  }
  const tenant = await getTenant(context.database, merchantId)
  for (const report of listed.items) await recordListed(context, { tenant, provider }, report)
}

async function recordListed(
  context: PaymentContext,
  named: Pick<DisputeReport, 'provider'> & { readonly tenant: Tenant },
  report: ReportedDispute,
): Promise<void> {
  const { is } = await record(context, named, report)
  if (is !== 'payment_unknown') return
  // `storeUnmatched` returns false if the payment was recorded after `record` had searched for it. In this case, the
  // second call of `record` records the dispute for this payment.
  if (!(await storeUnmatched(context, named, report))) await record(context, named, report)
}

function record(
  context: PaymentContext,
  { tenant, provider }: Pick<DisputeReport, 'provider'> & { readonly tenant: Tenant },
  report: ReportedDispute,
): Promise<RecordDisputeOutcome> {
  const mutation = {
    ...{ tenant, actor: worker, action: 'payment.update' as const, resourceType: 'payment', emits: disputeEvents },
    resourceId: (outcome: RecordDisputeOutcome) => (outcome.is === 'recorded' ? outcome.paymentId : undefined),
  } as const
  return mutate(
    context,
    mutation,
    async (work: Work<(typeof disputeEvents)[number]>): Promise<RecordDisputeOutcome> => {
      const outcome = await recordDispute(work, { ...report, provider })
      return outcome.is === 'recorded' ? outcome : work.abort(outcome)
    },
  )
}
