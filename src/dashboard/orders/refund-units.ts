import { openItemsOf } from '../../commerce/orders/open-items.ts'
import { type ListedOrderToShip, listOrdersToShip } from '../../store/orders/order-parcels.ts'
import type { ReplyOf } from '../kit/call.ts'
import { namedUnits, unitsText } from '../kit/units.ts'
import type { Visit } from '../kit/visit.ts'

type Order = ReplyOf<'getOrder'>
type Refund = ReplyOf<'createRefund'>
type Units = Refund['items'][number]

/** States which units of the order are restocked, which can no longer be shipped, and which do not change. */
export async function refundedUnitsText(
  { context, tenant }: Visit,
  order: Pick<Order, 'id' | 'items' | 'totalKobo' | 'paidKobo' | 'refundedKobo' | 'refundPendingKobo'>,
  refund: Refund,
): Promise<string> {
  const [before] = await listOrdersToShip(context.database, tenant.merchantId, [order.id])
  const left = order.paidKobo - order.refundedKobo - order.refundPendingKobo - refund.amountKobo
  const isFullyRefunded = order.totalKobo > 0 && order.paidKobo >= order.totalKobo && left <= 0
  const unsent = before === undefined ? [] : unsentUnits(before, refund.items, isFullyRefunded)
  const unsentOf = (itemId: string) => unsent.find((item) => item.itemId === itemId)?.quantity ?? 0
  const restocked = refund.items.filter(({ restock }) => restock)
  const others = refund.items.filter(({ restock }) => !restock)
  const unchanged = others.map(({ itemId, quantity }) => ({ itemId, quantity: quantity - unsentOf(itemId) }))
  const dropped = unsent.filter(({ itemId }) => !restocked.some((item) => item.itemId === itemId))
  const named = (units: readonly Pick<Units, 'itemId' | 'quantity'>[]) =>
    unitsText(
      namedUnits(
        order.items,
        units.filter(({ quantity }) => quantity > 0),
      ),
    )
  const [back, gone, same] = [named(restocked), named(dropped), named(unchanged)]
  const texts = [
    ...(back === '' ? [] : [`Restocked: ${back}.`]),
    ...(gone === '' ? [] : [`Not shipped any more, and not restocked: ${gone}. ${droppedHint}`]),
    ...(same === '' ? [] : [`The refund does not change the stock of ${same}.`]),
  ]
  return texts.length === 0 ? 'The refund contains no units, so all units are shipped as before.' : texts.join(' ')
}

const droppedHint =
  'These units stay reserved, and are written off when the other units of the order have left the shop. If you cancel the order before that, these units are restocked.'

/** Returns the units that can no longer be shipped because of the refund. */
function unsentUnits(order: ListedOrderToShip, items: readonly Units[], isFullyRefunded: boolean) {
  const lines = order.lines.map((line) => {
    const refunded = items.find(({ itemId }) => itemId === line.itemId)?.quantity ?? 0
    return { ...line, refundedQuantity: line.refundedQuantity + refunded }
  })
  const after = openItemsOf({ ...order, lines, isFullyRefunded: order.isFullyRefunded || isFullyRefunded })
  return openItemsOf(order).map(({ itemId, quantity }) => {
    const left = after.find((item) => item.itemId === itemId)?.quantity ?? 0
    return { itemId, quantity: quantity - left }
  })
}
