import { previewOrder as previewOrderVerb } from '../commerce/orders/preview-order.ts'
import { implement } from './execute/implement.ts'
import { authorizePrices, refusePricing } from './order-pricing.ts'

export const previewOrder = implement('previewOrder', async ({ db, caller, now, body, refuse }) => {
  authorizePrices(caller, body)
  const outcome = await previewOrderVerb({ db, merchantId: caller.merchantId, now }, body)
  return outcome.is === 'previewed' ? outcome.preview : refusePricing(refuse, body, outcome)
})
