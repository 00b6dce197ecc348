import { z } from 'zod'
import type { Refusal } from '../../operations/execute/refusal.ts'

const ExceededItems = z.object({ items: z.array(z.object({ itemId: z.string(), returnableQuantity: z.int() })) })

/**
 * Returns the items with more requested units than can be returned. Undefined if the request was rejected for another
 * reason.
 */
export function exceededUnits({ code, details }: Refusal) {
  return code === 'return_quantity_exceeds' ? ExceededItems.parse(details).items : undefined
}
