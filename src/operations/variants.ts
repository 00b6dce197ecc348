import { productVariantsMax } from '../../registry/values/limits.ts'
import type { VariantId } from '../../registry/values/vocabulary.ts'
import { nairaText } from '../base/naira.ts'
import { type CreateVariantOutcome, createVariant as createVariantVerb } from '../commerce/products/create-variant.ts'
import { deleteVariant as deleteVariantVerb } from '../commerce/products/delete-variant.ts'
import { type UpdateVariantOutcome, updateVariant as updateVariantVerb } from '../commerce/products/update-variant.ts'
import { implement } from './execute/implement.ts'
import type { Refuse } from './execute/refusal.ts'

export const createVariant = implement('createVariant', async ({ work, params, body, refuse }) => {
  const outcome = await createVariantVerb(work, params.id, body)
  switch (outcome.is) {
    case 'created':
      return outcome.product
    case 'limit_reached': {
      const limit = productVariantsMax
      return refuse('variant_limit_reached', `The product already has ${limit} variants, which is the maximum.`, {
        limit,
      })
    }
    case 'product_unknown':
      return refuse('product_not_found', `No product has the id ${params.id}.`)
    case 'image_unknown':
    case 'sku_in_use':
    case 'options_mismatch':
    case 'option_values_in_use':
      return refuseVariant(refuse, outcome)
  }
})

export const updateVariant = implement('updateVariant', async ({ work, params, body, refuse }) => {
  const outcome = await updateVariantVerb(work, params, body)
  switch (outcome.is) {
    case 'updated':
      return outcome.product
    case 'product_unknown':
      return refuse('product_not_found', `No product has the id ${params.id}.`)
    case 'variant_unknown':
    case 'price_too_high':
      return refusePrices(refuse, outcome, params.variantId)
    case 'image_unknown':
    case 'sku_in_use':
    case 'options_mismatch':
    case 'option_values_in_use':
      return refuseVariant(refuse, outcome)
  }
})

export function refusePrices(
  refuse: Refuse<'variant_not_found' | 'compare_at_price_too_low'>,
  outcome: Exclude<UpdateVariantOutcome, { is: 'updated' }>,
  variantId: VariantId,
): never {
  switch (outcome.is) {
    case 'product_unknown':
    case 'variant_unknown':
      return refuse('variant_not_found', `The product has no variant ${variantId}.`, { variantIds: [variantId] })
    case 'price_too_high': {
      const { priceKobo, compareAtPriceKobo } = outcome
      const message = `The compare-at price of ${nairaText(compareAtPriceKobo)} is not higher than the price of ${nairaText(priceKobo)}.`
      return refuse('compare_at_price_too_low', message, { priceKobo, compareAtPriceKobo })
    }
    case 'image_unknown':
    case 'sku_in_use':
    case 'options_mismatch':
    case 'option_values_in_use':
      throw new Error(`A change of prices cannot be refused with ${outcome.is}.`)
  }
}

export const deleteVariant = implement('deleteVariant', async ({ work, params, refuse }) => {
  const outcome = await deleteVariantVerb(work, params)
  switch (outcome.is) {
    case 'deleted':
      return outcome.product
    case 'product_unknown':
      return refuse('product_not_found', `No product has the id ${params.id}.`)
    case 'variant_unknown': {
      const { variantId } = params
      return refuse('variant_not_found', `The product has no variant ${variantId}.`, { variantIds: [variantId] })
    }
    case 'needs_variant':
      return refuse('product_needs_variant', 'The variant is the only variant of an active product.')
  }
})

type VariantCode = 'image_not_found' | 'sku_in_use' | 'options_mismatch' | 'option_values_in_use'

type VariantRefusal = Extract<
  CreateVariantOutcome,
  { is: 'image_unknown' | 'sku_in_use' | 'options_mismatch' | 'option_values_in_use' }
>

/** Throws the refusal for an outcome that can occur both when a variant is created and when it is updated. */
function refuseVariant(refuse: Refuse<VariantCode>, outcome: VariantRefusal): never {
  switch (outcome.is) {
    case 'image_unknown': {
      const { imageId } = outcome
      return refuse('image_not_found', `The product has no image ${imageId}.`, { imageIds: [imageId] })
    }
    case 'sku_in_use': {
      const { id, sku } = outcome.owner
      return refuse('sku_in_use', `Variant ${id} already has the SKU ${sku}.`, { existingId: id, sku })
    }
    case 'options_mismatch': {
      const options = [...outcome.options]
      return refuse('options_mismatch', `The variant must have one value of each option: ${namesOf(options)}.`, {
        options,
      })
    }
    case 'option_values_in_use': {
      const { existingId } = outcome
      return refuse('option_values_in_use', `Variant ${existingId} already has these option values.`, { existingId })
    }
  }
}

function namesOf(options: readonly { readonly name: string }[]): string {
  return options.map(({ name }) => name).join(', ') || 'none'
}
