import { expect, test } from 'vitest'
import { type RefundStatus, refundStatuses, refundTransitions } from '../../registry/refunds/refund-states.ts'
import { useApi } from '../support/api.ts'
import { paidByPaystack } from '../support/commerce/paystack.ts'
import { openShopWith } from '../support/commerce/shop-settings.ts'
import { select } from '../support/database-contents.ts'

const started = useApi()

const pairs = refundStatuses.flatMap((from) =>
  refundStatuses.filter((to) => to !== from).map((to) => [from, to] as const),
)

/**
 * Creates a refund and changes it to the given status. All statuses can be reached from `pending`, the first status of
 * a refund through a payment provider.
 */
async function refundIn(status: RefundStatus) {
  const { api, shop } = await openShopWith(started(), {})
  const { refund } = await paidByPaystack(api, shop, { priceKobo: 1000 })
  const { id } = (await refund(1000)).body
  const set = `status = $2::text, next_check_at = null, succeeded_at = now(),
    failed_at = case when $2::text = 'failed' then now() end`
  const move = (to: RefundStatus) => select(api, `update refunds set ${set} where id = $1`, [id, to])
  await move(status)
  return move
}

test.for(
  pairs,
)('the database moves a refund from %s to %s only if the published state machine allows that transition', async ([
  from,
  to,
]) => {
  const move = await refundIn(from)
  const isPublished = refundTransitions[from].some((next) => next === to)
  if (isPublished) await move(to)
  else await expect(move(to)).rejects.toThrow(`a refund does not move from ${from} to ${to}`)
})
