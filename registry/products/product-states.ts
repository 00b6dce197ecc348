export const productStatuses = ['draft', 'active', 'archived'] as const
export type ProductStatus = (typeof productStatuses)[number]

/**
 * Allowed status transitions of a product. The code and the OpenAPI document both read this table. An active product
 * never becomes a draft again, because orders may refer to it.
 */
export const productTransitions = {
  draft: ['active', 'archived'],
  active: ['archived'],
  archived: ['active'],
} as const satisfies Record<ProductStatus, readonly ProductStatus[]>
