import { z } from 'zod'
import type { Refusal } from '../../operations/execute/refusal.ts'

const ExceededItems = z.object({ items: z.array(z.object({ itemId: z.string(), returnableQuantity: z.int() })) })

/** Returns the items of which a rejected request names too many units. Undefined for other rejections. */
export function exceededUnits({ code, details }: Refusal) {
  return code === 'return_quantity_exceeds' ? ExceededItems.parse(details).items : undefined
}
