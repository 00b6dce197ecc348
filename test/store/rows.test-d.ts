import { describe, test } from 'vitest'
import type { WriteTrx } from '../../src/store/core/database.ts'
import { insertingRows, type RowOf } from '../../src/store/core/rows.ts'

/**
 * Type tests of functions that insert rows. Nothing in this file is executed; each line after @ts-expect-error must be
 * a compile error.
 */

const quantities = ['merchantId', 'variantId', 'onHand', 'reserved', 'tracked', 'allowBackorder'] as const
const columns = [...quantities, 'lowStockThreshold', 'isLow', 'updatedAt'] as const

describe('the columns of an insert', () => {
  test('an insert compiles if it lists every column of its table as inserted or as left to its default', () => {
    insertingRows('inventory', [...columns, 'productLowStockThreshold'])
    insertingRows('inventory', columns, { withDefaults: ['productLowStockThreshold'] })
  })

  test('an insert that lacks a column does not compile', () => {
    // @ts-expect-error product_low_stock_threshold is in neither list.
    insertingRows('inventory', columns)
    // @ts-expect-error low_stock_threshold, isLow and updated_at are in neither list.
    insertingRows('inventory', quantities, { withDefaults: ['productLowStockThreshold'] })
  })

  test('an insert with a column both inserted and left to its default does not compile', () => {
    // @ts-expect-error isLow is inserted, so it has no default.
    insertingRows('inventory', columns, { withDefaults: ['productLowStockThreshold', 'isLow'] })
  })

  test('an insert with a generated or unknown column does not compile', () => {
    // @ts-expect-error PostgreSQL computes `available`.
    insertingRows('inventory', [...columns, 'productLowStockThreshold', 'available'])
    // @ts-expect-error the table has no column `colour`.
    insertingRows('inventory', [...columns, 'productLowStockThreshold', 'colour'])
  })
})

test('a row of an insert must have exactly the inserted columns', () => {
  const stock = insertingRows('inventory', columns, { withDefaults: ['productLowStockThreshold'] })
  const insert = (trx: WriteTrx, row: RowOf<typeof stock>) => {
    const { isLow, ...incomplete } = row
    const wider = { ...row, productLowStockThreshold: 5 }
    stock.insert(trx, [row])
    // @ts-expect-error isLow is missing.
    stock.insert(trx, [incomplete])
    // @ts-expect-error the value of product_low_stock_threshold would be lost.
    stock.insert(trx, [wider])
  }
  insert satisfies unknown
})
