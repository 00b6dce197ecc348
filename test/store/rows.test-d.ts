import { describe, test } from 'vitest'
import type { WriteTrx } from '../../src/store/core/database.ts'
import { insertingRows, type RowOf } from '../../src/store/core/rows.ts'

/**
 * Type tests of functions that insert rows. Nothing in this file is executed; each line after @ts-expect-error must be
 * a compile error.
 */

const quantities = ['merchant_id', 'variant_id', 'on_hand', 'reserved', 'tracked', 'allow_backorder'] as const
const columns = [...quantities, 'low_stock_threshold', 'is_low', 'updated_at'] as const

describe('the columns of an insert', () => {
  test('an insert compiles if it lists every column of its table as inserted or as left to its default', () => {
    insertingRows('inventory', [...columns, 'product_low_stock_threshold'])
    insertingRows('inventory', columns, { withDefaults: ['product_low_stock_threshold'] })
  })

  test('an insert that lacks a column does not compile', () => {
    // @ts-expect-error product_low_stock_threshold is in neither list.
    insertingRows('inventory', columns)
    // @ts-expect-error low_stock_threshold, is_low and updated_at are in neither list.
    insertingRows('inventory', quantities, { withDefaults: ['product_low_stock_threshold'] })
  })

  test('an insert with a column both inserted and left to its default does not compile', () => {
    // @ts-expect-error is_low is inserted, so it has no default.
    insertingRows('inventory', columns, { withDefaults: ['product_low_stock_threshold', 'is_low'] })
  })

  test('an insert with a generated or unknown column does not compile', () => {
    // @ts-expect-error PostgreSQL computes `available`.
    insertingRows('inventory', [...columns, 'product_low_stock_threshold', 'available'])
    // @ts-expect-error the table has no column `colour`.
    insertingRows('inventory', [...columns, 'product_low_stock_threshold', 'colour'])
  })
})

test('a row of an insert must have exactly the inserted columns', () => {
  const stock = insertingRows('inventory', columns, { withDefaults: ['product_low_stock_threshold'] })
  const insert = (trx: WriteTrx, row: RowOf<typeof stock>) => {
    const { is_low, ...incomplete } = row
    const wider = { ...row, product_low_stock_threshold: 5 }
    stock.insert(trx, [row])
    // @ts-expect-error is_low is missing.
    stock.insert(trx, [incomplete])
    // @ts-expect-error the value of product_low_stock_threshold would be lost.
    stock.insert(trx, [wider])
  }
  insert satisfies unknown
})
