import { normaliseInstant } from '../base/clock.ts'
import { createProduct as createProductVerb } from '../commerce/products/create-product.ts'
import { deleteProduct as deleteProductVerb } from '../commerce/products/delete-product.ts'
import { updateProduct as updateProductVerb } from '../commerce/products/update-product.ts'
import { listProducts as listProductRows } from '../store/products/product-list.ts'
import { findProduct } from '../store/products/products.ts'
import { implement } from './execute/implement.ts'
import { timeRangeOf } from './execute/time-range.ts'

export const listProducts = implement('listProducts', async ({ db, caller, filters, page }) => {
  const updatedFrom = filters.updatedFrom === undefined ? undefined : normaliseInstant(filters.updatedFrom)
  return listProductRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters), updatedFrom }, page)
})

export const getProduct = implement('getProduct', async ({ db, caller, params, refuse }) => {
  const product = await findProduct(db, caller.merchantId, params.id)
  return product ?? refuse('product_not_found', `No product has the id ${params.id}.`)
})

export const createProduct = implement('createProduct', async ({ work, body, refuse }) => {
  const outcome = await createProductVerb(work, body)
  switch (outcome.is) {
    case 'created':
      return outcome.product
    case 'slug_in_use': {
      const { existingId } = outcome
      return refuse('slug_in_use', `Product ${existingId} already has this slug.`, { existingId })
    }
    case 'sku_in_use': {
      const { id, sku } = outcome.owner
      return refuse('sku_in_use', `Variant ${id} already has the SKU ${sku}.`, { existingId: id, sku })
    }
  }
})

export const updateProduct = implement('updateProduct', async ({ work, params, body, refuse }) => {
  const outcome = await updateProductVerb(work, params.id, body)
  switch (outcome.is) {
    case 'updated':
      return outcome.product
    case 'product_unknown':
      return refuse('product_not_found', `No product has the id ${params.id}.`)
    case 'images_unknown': {
      const imageIds = [...outcome.imageIds]
      return refuse('image_not_found', `The product has no images with these ids: ${imageIds.join(', ')}.`, {
        imageIds,
      })
    }
    case 'transition_invalid': {
      const { from, to, allowed } = outcome
      const message = `The product is ${from} and cannot become ${to}.`
      return refuse('invalid_transition', message, { from, to, allowed: [...allowed] })
    }
    case 'needs_variant':
      return refuse(
        'product_needs_variant',
        'The product has no variant. Add a variant before you activate the product.',
      )
    case 'options_in_use': {
      const variantIds = [...outcome.variantIds]
      return refuse('options_in_use', `These variants use the option values: ${variantIds.join(', ')}.`, { variantIds })
    }
    case 'slug_in_use': {
      const { existingId } = outcome
      return refuse('slug_in_use', `Product ${existingId} already has this slug.`, { existingId })
    }
    case 'sku_in_use': {
      const { id, sku } = outcome.owner
      return refuse('sku_in_use', `Variant ${id} already has the SKU ${sku}.`, { existingId: id, sku })
    }
  }
})

export const deleteProduct = implement('deleteProduct', async ({ work, params, refuse }) => {
  const outcome = await deleteProductVerb(work, params.id)
  switch (outcome.is) {
    case 'deleted':
      return { id: outcome.product.id, deleted: true as const }
    case 'product_unknown':
      return refuse('product_not_found', `No product has the id ${params.id}.`)
    case 'in_use': {
      const { status } = outcome
      const what = status === 'draft' ? 'an order contains it' : `it is ${status}`
      return refuse('product_in_use', `The product cannot be deleted: ${what}.`, { status })
    }
  }
})
