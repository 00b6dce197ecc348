import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { csvWriterOf } from '../../registry/kit/csv.ts'
import { impersonalText } from '../../registry/values/privacy.ts'
import { koboOf } from '../../src/commerce/imports/amounts.ts'
import { readCsv } from '../../src/commerce/imports/read-csv.ts'
import { csvOf } from '../support/commerce/import-files.ts'

/** Groups the digits of a whole number by commas, such as 1,234,567. */
const grouped = (whole: number) => String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',')

test('a price in naira is converted to the exact amount in kobo, with or without currency sign, thousands separators and trailing zeros', () => {
  const forms = fc.record({
    whole: fc.nat({ max: 1_000_000_000 }),
    cents: fc.nat({ max: 99 }),
    isGrouped: fc.boolean(),
    sign: fc.constantFrom('', '₦', '₦ ', 'NGN ', 'ngn'),
    zeros: fc.constantFrom('', '00', '000'),
  })
  fc.assert(
    fc.property(forms, ({ whole, cents, isGrouped, sign, zeros }) => {
      const digits = isGrouped ? grouped(whole) : String(whole)
      const text = `${sign}${digits}.${String(cents).padStart(2, '0')}${zeros}`
      expect(koboOf(text)).toEqual({ is: 'value', value: whole * 100 + cents })
    }),
  )
})

test('the import rejects a price with wrongly grouped thousands, with exactly three decimals, or with a decimal other than 0 after the second', () => {
  const written = fc.string({ unit: fc.constantFrom('1', '0', ',', '.', '-', ' ', 'e', '₦'), maxLength: 8 })
  fc.assert(
    fc.property(written, (text) => {
      const isAmbiguous = /\.\d{3}$/.test(text)
      const isPrice = !isAmbiguous && /^₦? ?(\d+|\d{1,3}(,\d\d\d)+)(\.\d{1,2}0*)?$/.test(text)
      expect(koboOf(text).is).toBe(isPrice ? 'value' : 'wrong')
    }),
    { examples: [['10.000'], ['1,000'], ['1.0000']] },
  )
})

const cell = fc.string({
  unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', "'", '=', '+', '-', '@', ' ', 'ọ́'),
  maxLength: 12,
})

async function rowsOf(bytes: Buffer): Promise<string[][]> {
  const { rows } = await readCsv(bytes)
  const read: string[][] = []
  for await (const row of rows()) read.push([...row.cells])
  return read
}

test('every text of an exported CSV file is imported unchanged, even a text that looks like a formula', async () => {
  const schema = z.object({ first: impersonalText(), second: impersonalText() })
  const { header, line } = csvWriterOf(schema)
  const records = fc.array(fc.record({ first: cell, second: cell }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(records, async (written) => {
      const stored = written.filter(({ first, second }) => first !== '' || second !== '')
      const read = await rowsOf(Buffer.from(header + stored.map(line).join('')))
      expect(read).toEqual(stored.map(({ first, second }) => [first, second]))
    }),
  )
})

test('a CSV file with any supported delimiter can be read, and each row has the number of the line at which it starts', async () => {
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(',', ';', '\t'), async (written, delimiter) => {
      const marked = written.map(([one, two]) => [`x${one}`, two])
      const file = await readCsv(Buffer.from(csvOf([['first', 'second'], ...marked], delimiter)))
      let expected = 2
      let index = 0
      for await (const { line } of file.rows()) {
        expect(line).toBe(expected)
        expected += csvOf([marked[index] ?? []], delimiter).split(/\r\n|\r|\n/).length
        index += 1
      }
      expect([index, file.delimiter]).toEqual([marked.length, delimiter])
    }),
  )
})
