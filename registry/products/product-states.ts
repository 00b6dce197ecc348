/** The words a product’s state is told in, and the moves between them. */

export const productStatuses = ['draft', 'active', 'archived'] as const
export type ProductStatus = (typeof productStatuses)[number]

/**
 * The moves a product can make (design, commerce 2.3). The table is the only statement of the rule: the code and the
 * document read it. What was once for sale never is a draft again, because orders may name it.
 */
export const productTransitions = {
  draft: ['active', 'archived'],
  active: ['archived'],
  archived: ['active'],
} as const satisfies Record<ProductStatus, readonly ProductStatus[]>
