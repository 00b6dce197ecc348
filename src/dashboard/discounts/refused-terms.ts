import type { ErrorCode } from '../../../registry/errors/index.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { Acted } from '../kit/route.ts'
import { refusedChange } from '../kit/stale.ts'
import { fieldsOfPaths } from './fields.ts'

/**
 * Maps API errors that the form itself cannot detect to messages for members. For example, a discount code may be in
 * use already. Each message is shown at the mapped form field.
 */
const messages: Partial<Readonly<Record<ErrorCode, { readonly field?: string; readonly message: string }>>> = {
  code_in_use: {
    field: 'code',
    message: 'Another discount has this code. Archive that discount, or choose another code.',
  },
  discount_window_empty: { field: 'endsAt', message: 'The end must be later than the start.' },
  product_not_found: {
    field: 'productSearch',
    message: 'A chosen product no longer exists. Check the chosen products.',
  },
  customer_not_found: {
    field: 'customerSearch',
    message: 'A chosen customer no longer exists. Check the chosen customers.',
  },
  discount_locked: {
    message:
      'An order has used the discount, or it was archived, after you opened this form. Open the page of the discount again to see what can change.',
  },
}

export function refusedTerms(refusal: Refusal): Acted {
  const known = messages[refusal.code]
  if (known !== undefined) return { is: 'refused', ...known }
  if (refusal.code === 'discount_limit_below_uses')
    return { is: 'refused', field: 'usageLimit', message: refusal.message }
  return refusedChange(refusal, 'discount', fieldsOfPaths)
}
