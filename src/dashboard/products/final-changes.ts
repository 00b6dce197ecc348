import { z } from 'zod'
import type { Refusal } from '../../operations/execute/refusal.ts'
import { version } from '../kit/fields.ts'
import { type Acted, action } from '../kit/route.ts'
import { staleBy } from '../kit/stale.ts'
import { findProductVariant } from './edit-variant.ts'
import { productContent } from './show.ts'

/** The buttons that change the status of a product, or delete a product or a variant. */

const permission = 'products:write'
const fields = z.object({ version })

export const activateAction = action({
  ...{ path: '/products/{id}/activate', permission, fields, question: null },
  done: 'The product is active and can be ordered.',
  form: (visit, { id }, draft) => productContent(visit, id, draft),
  run: async (visit, { id }, { version: shown }) => {
    const called = await visit.call('updateProduct', { params: { id }, version: shown, body: { status: 'active' } })
    return called.is === 'answered' ? { is: 'done', to: `/products/${id}` } : refused(called.refusal)
  },
})

export const archiveAction = action({
  ...{ path: '/products/{id}/archive', permission, fields },
  done: 'The product is archived.',
  question: () => ({
    text: 'The product can no longer be ordered, and other products can use its SKUs.',
    submit: 'Archive product',
  }),
  form: (visit, { id }, draft) => productContent(visit, id, draft),
  run: async (visit, { id }, { version: shown }) => {
    const called = await visit.call('updateProduct', { params: { id }, version: shown, body: { status: 'archived' } })
    return called.is === 'answered' ? { is: 'done', to: `/products/${id}` } : refused(called.refusal)
  },
})

export const deleteProductAction = action({
  ...{ path: '/products/{id}/delete', permission, fields },
  done: 'The product is deleted.',
  question: () => ({
    text: 'The product is deleted with its variants, which cannot be undone.',
    submit: 'Delete product',
  }),
  form: (visit, { id }, draft) => productContent(visit, id, draft),
  run: async (visit, { id }, { version: shown }) => {
    const called = await visit.call('deleteProduct', { params: { id }, version: shown })
    return called.is === 'answered' ? { is: 'done', to: '/products' } : refused(called.refusal)
  },
})

export const deleteVariantAction = action({
  ...{ path: '/products/{id}/variants/{variantId}/delete', permission, fields },
  done: 'The variant is deleted.',
  question: () => ({
    text: 'The variant is deleted, which cannot be undone. Its orders remain.',
    submit: 'Delete variant',
  }),
  form: async (visit, { id, variantId }, draft) => {
    await findProductVariant(visit, id, variantId)
    return productContent(visit, id, draft)
  },
  run: async (visit, { id, variantId }, { version: shown }) => {
    const called = await visit.call('deleteVariant', { params: { id, variantId }, version: shown })
    return called.is === 'answered' ? { is: 'done', to: `/products/${id}` } : refused(called.refusal)
  },
})

/** The message of the outcome is for members, so it contains names instead of ids. */
function refused(refusal: Refusal): Acted {
  switch (refusal.code) {
    case 'sku_in_use':
      return {
        is: 'refused',
        message: 'Another product has an SKU of this product now. Change the SKU of one of the two products first.',
      }
    case 'product_needs_variant':
      return { is: 'refused', message: 'An active product must have a variant. Add a variant or archive the product.' }
    case 'product_in_use':
      return {
        is: 'refused',
        message: 'The product was ordered or is not a draft, so it cannot be deleted. Archive it instead.',
      }
    default:
      return staleBy(refusal, 'product') ?? { is: 'refused', message: refusal.message }
  }
}
