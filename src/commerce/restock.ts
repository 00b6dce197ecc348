import type { Refund } from '../../registry/refunds.ts'
import type { Work } from '../store/mutation.ts'
import type { LockedOrder } from '../store/order-writes.ts'
import type { OrderItemMoney } from '../store/refunds.ts'

export async function restock(_w: Work, _o: LockedOrder, _r: Refund, _l: readonly OrderItemMoney[]): Promise<void> {}
