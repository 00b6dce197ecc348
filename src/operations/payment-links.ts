import { providerDisplayName } from '../../registry/values/payment-providers.ts'
import { createPaymentLink as create } from '../payments/create-payment-link.ts'
import { findOrder } from '../store/orders/orders.ts'
import { findPaymentLink, showPaymentLink } from '../store/orders/payment-links.ts'
import { implement } from './execute/implement.ts'

export const getPaymentLink = implement('getPaymentLink', async ({ db, caller, params, now, refuse }) => {
  const { merchantId } = caller
  const found = await findPaymentLink(db, { merchantId, orderId: params.id })
  if (found !== undefined) return showPaymentLink(found, now)
  const order = await findOrder(db, merchantId, params.id)
  return order === undefined
    ? refuse('order_not_found', `No order has the id ${params.id}.`)
    : refuse('payment_link_not_found', `Order ${order.number} has no payment link.`)
})

export const createPaymentLink = implement('createPaymentLink', async ({ call, params, body, refuse }) => {
  if (call.payments === undefined) {
    return refuse('payment_provider_unavailable', 'This server is not configured to call payment providers.')
  }
  const outcome = await create(call.payments, call, { ...body, orderId: params.id })
  switch (outcome.is) {
    case 'created':
      return { status: 201, reply: outcome.link }
    case 'existing':
      return { status: 200, reply: outcome.link }
    case 'in_progress':
      return { status: 202, reply: outcome.link }
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${params.id}.`)
    case 'not_payable': {
      const { reason } = outcome
      return refuse('order_not_payable', `Order ${params.id} ${notPayable[reason]}.`, { reason })
    }
    case 'customer_anonymised':
      return refuse(
        'customer_anonymised',
        `The customer of order ${params.id} is anonymised, so the buyer has no e-mail address.`,
      )
    case 'rejected':
      return refuse('payment_link_rejected', `The payment provider rejected the page: ${outcome.message}`, {
        providerCode: outcome.code,
      })
    case 'outdated':
      return refuse(
        'payment_link_outdated',
        `Order ${params.id} changed while the page was created. Repeat the request.`,
      )
    case 'provider_required': {
      const providers = [...outcome.providers]
      return refuse('payment_provider_required', `Send one of ${providers.join(', ')} as provider.`, { providers })
    }
    case 'not_connected': {
      const account =
        outcome.provider === undefined ? 'payment provider' : `${providerDisplayName(outcome.provider)} account`
      return refuse('payment_provider_not_connected', `The merchant has not connected a ${account}.`)
    }
    case 'unavailable':
      return refuse('payment_provider_unavailable', `The request to the payment provider failed: ${outcome.reason}.`)
  }
})

const notPayable = {
  cancelled: 'is cancelled',
  returned: 'is returned, so nothing is due through a payment provider',
  expired: 'has expired',
  paid: 'has no amount due',
} as const
