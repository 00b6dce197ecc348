import { describe, test } from 'vitest'
import type { WriteTrx } from '../../src/store/core/database.ts'
import { inserting, insertingRows, type RowOf, updatingRows } from '../../src/store/core/rows.ts'

/**
 * Type tests of functions that write rows. Nothing in this file is executed; each line after @ts-expect-error must be
 * a compile error.
 */

const stock = insertingRows('inventory')
const insertStock = inserting('inventory')
const flags = updatingRows('inventory', ['merchantId', 'variantId'], ['isLow'])

describe('the row of an insert', () => {
  const insert = (trx: WriteTrx, row: RowOf<typeof stock>) => {
    const { isLow, lowStockThreshold, ...rest } = row
    const { merchantId, ...incomplete } = row
    test('a row may omit a column that has a default or may be null', () => stock.insert(trx, [rest]))

    test('a row that lacks a column without a default does not compile', () => {
      // @ts-expect-error merchantId is missing.
      stock.insert(trx, [incomplete])
    })

    test('a row with a generated or unknown column does not compile', () => {
      // @ts-expect-error PostgreSQL computes `available`.
      stock.insert(trx, [{ ...rest, available: 3 }])
      // @ts-expect-error the table has no column `colour`.
      stock.insert(trx, [{ merchantId, variantId: row.variantId, updatedAt: row.updatedAt, colour: 'red' }])
    })

    test('a row that is made by spreading an object does not compile if it has an unknown column', () => {
      const coloured = [rest].map((each) => ({ ...each, colour: 'red' }))
      // @ts-expect-error the table has no column `colour`.
      stock.insert(trx, coloured)
      // @ts-expect-error the table has no column `colour`.
      for (const each of coloured) insertStock(trx, each)
    })
  }
  insert satisfies unknown
})

test('a row passed to an update must contain the key columns and every updated column', () => {
  const update = (trx: WriteTrx, { merchantId, variantId }: RowOf<typeof stock>) => {
    flags.update(trx, [{ merchantId, variantId, isLow: true }])
    // @ts-expect-error isLow is missing.
    flags.update(trx, [{ merchantId, variantId }])
  }
  update satisfies unknown
})
