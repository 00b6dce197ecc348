import type { PaymentLink, PaymentLinkInput } from '../../registry/orders/payment-links.ts'
import type { AuditAction } from '../../registry/values/audit-actions.ts'
import type { PaymentProviderName } from '../../registry/values/payment-providers.ts'
import type { MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import {
  type FinishPaymentLinkOutcome,
  finishPaymentLink,
  type PageOfLink,
  type RequestPaymentLinkOutcome,
  requestPaymentLink,
} from '../commerce/orders/payment-link.ts'
import { type Mutation, mutate } from '../store/core/mutation.ts'
import { findOrder } from '../store/orders/orders.ts'
import { type OpenedKey, openProviderKey, type PaymentContext } from './open-key.ts'

export interface PaymentLinkCall extends Pick<Mutation<unknown>, 'tenant' | 'actor'> {
  readonly isDryRun: boolean
  /**
   * Runs a function in the write queue of the order, so that concurrent writes of this process to the order run one
   * after another.
   */
  inWriteQueue<Result>(run: () => Promise<Result>): Promise<Result>
}

export type CreatePaymentLinkOutcome =
  | { readonly is: 'created'; readonly link: PaymentLink }
  | Exclude<RequestPaymentLinkOutcome, { is: 'requested' }>
  | { readonly is: 'not_connected'; readonly provider: PaymentProviderName | undefined }
  | { readonly is: 'rejected'; readonly code: string; readonly message: string }
  /** The order changed while the provider created the payment page, so the payment link of this page cannot be used. */
  | { readonly is: 'outdated' }
  | { readonly is: 'unavailable'; readonly reason: string }

/**
 * The payment link is stored before the provider is called. If the outcome of the call is unknown, the link is
 * withdrawn, and a repeated request uses a new reference. The provider may have created the page of the withdrawn link,
 * but no buyer has the URL of that page.
 */
export async function createPaymentLink(
  context: PaymentContext,
  call: PaymentLinkCall,
  { orderId, provider: wanted, expiresInMinutes, callbackUrl }: PaymentLinkInput & { readonly orderId: OrderId },
): Promise<CreatePaymentLinkOutcome> {
  const [key, ...others] = await openKeys(context, call.tenant.merchantId, wanted)
  if (key === undefined) {
    const order = await findOrder(context.database, call.tenant.merchantId, orderId)
    return order === undefined ? { is: 'order_unknown' } : { is: 'not_connected', provider: wanted }
  }
  const { provider, secretKey, mode, updatedAt: keyUpdatedAt } = key
  const providers = [provider.name, ...others.map((each) => each.provider.name)] as const
  const request = { providers, isTest: mode === 'test', keyUpdatedAt, expiresInMinutes }
  const requested = await call.inWriteQueue(() =>
    mutate<RequestPaymentLinkOutcome>(
      context,
      {
        ...mutationOf(call, 'payment_link.create'),
        resourceId: (outcome) => ('link' in outcome ? outcome.link.id : undefined),
      },
      async (work) => {
        const outcome = await requestPaymentLink(work, orderId, request)
        return 'link' in outcome ? outcome : work.abort(outcome)
      },
    ),
  )
  if (requested.is !== 'requested') return requested
  const { link, email } = requested
  if (call.isDryRun) return { is: 'created', link }
  const { reference, amountKobo } = link
  const page = await provider.createCheckout(secretKey, { reference, amountKobo, orderId, email, callbackUrl })
  const url = page.is === 'created' ? page.url : undefined
  const finished = await call.inWriteQueue(() => finish(context, call, { link, url }))
  switch (page.is) {
    case 'created':
      return finished.is === 'opened' ? { is: 'created', link: finished.link } : { is: 'outdated' }
    case 'refused':
      return { is: 'rejected', code: page.code, message: page.message }
    case 'not_submitted':
    case 'unknown':
      return { is: 'unavailable', reason: page.reason }
  }
}

function finish(context: PaymentContext, call: PaymentLinkCall, page: PageOfLink): Promise<FinishPaymentLinkOutcome> {
  const action = page.url === undefined ? 'payment_link.withdraw' : 'payment_link.open'
  const mutation = { ...mutationOf(call, action), resourceId: () => page.link.id }
  return mutate<FinishPaymentLinkOutcome>(context, mutation, (work) => finishPaymentLink(work, page))
}

function mutationOf({ tenant, actor, isDryRun }: PaymentLinkCall, action: AuditAction) {
  return { tenant, actor, isDryRun, action, resourceType: 'payment_link' }
}

/** If no provider is requested, returns the keys of all providers that the merchant has connected. */
async function openKeys(
  context: PaymentContext,
  merchantId: MerchantId,
  wanted: PaymentProviderName | undefined,
): Promise<readonly OpenedKey[]> {
  const simulated = context.testPayments === undefined ? [] : [context.testPayments.provider.name]
  const names = wanted === undefined ? [...new Set([...context.providers.keys(), ...simulated])] : [wanted]
  const opened = await Promise.all(names.map((name) => openProviderKey(context, merchantId, name)))
  return opened.filter((each) => each !== undefined)
}
