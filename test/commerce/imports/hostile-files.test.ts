import { expect, test } from 'vitest'
import { importProducts } from '../../../src/commerce/imports/import-products.ts'
import { readCsv } from '../../../src/commerce/imports/read-csv.ts'
import { useApi } from '../../support/api.ts'
import { openShop, operator } from '../../support/shop.ts'

const started = useApi()

async function dryRun(content: Buffer | string) {
  const api = started()
  const { tenant } = await openShop(api.context)
  return importProducts(api.context, { tenant, actor: operator, bytes: Buffer.from(content), isDryRun: true })
}

const header = 'Handle,Title,Variant SKU,Variant Price\n'

/** Returns a text in UTF-8 and a letter in Windows-1252 after it. */
function invalidUtf8(text: string): Buffer {
  return Buffer.concat([Buffer.from(text), Buffer.from('é,C,1\n', 'latin1')])
}

test.for<[string, Buffer | string, number | null, string]>([
  ['an empty file', '', null, 'empty'],
  ['a zip archive', Buffer.from('PK\u0003\u0004rest'), null, 'workbook or an archive'],
  ['a NUL character', `${header}a,A,B,1\r\n\rb,\u0000,C,1\n`, 4, 'NUL'],
  ['a file in UTF-16', Buffer.from(header, 'utf16le'), 1, 'NUL'],
  [
    'a quotation mark that is never closed',
    `${header}a,A,B,1\nb,"B,C,1\n${'c,C,D,1\n'.repeat(1000)}`,
    3,
    'never closed',
  ],
  ['a quotation mark inside a cell', `${header}a,"A"x,B,1\n`, 2, 'inside a cell'],
  ['a line of 10 MB', `${header}a,${'x'.repeat(10_000_000)},B,1\n`, 2, 'more than 1048576 bytes'],
  [
    '1,000 columns',
    `${header.trim()},${Array.from({ length: 996 }, (_, index) => `c${index}`).join(',')}\n`,
    1,
    'more than 500 cells',
  ],
  ['a column that occurs twice', `Handle,Title,title,Variant Price\n`, 1, 'occurs twice'],
  ['unknown columns', 'name,price\nA,1\n', 1, 'not those of a known export'],
  ['100,001 records', header + 'a,A,B,1\n'.repeat(100_001), 100_002, 'more than 100000 records'],
  ['a header of 16 MB of commas', ','.repeat(16_000_000), 1, 'more than 500 cells'],
  ['a line of 16 MB of commas', `${header}a,A,B,1\n"b\n",${','.repeat(16_000_000)}`, 3, 'more than 500 cells'],
  ['a file in UTF-8 with an invalid byte', invalidUtf8(`${header}a,Ẹ,B,1\nb,`), 3, 'The byte 0xe9 in this line'],
  ['a file with a byte order mark and an invalid byte', invalidUtf8(`\ufeff${header}b,`), 2, 'The byte 0xe9'],
])('the import rejects %s as a whole, and the problem names the line', async ([, content, line, message]) => {
  const outcome = await dryRun(content)
  expect(outcome).toMatchObject({ is: 'unreadable', line })
  expect(outcome.is === 'unreadable' ? outcome.message : '').toContain(message)
})

test('the import of a file with a malformed line creates no products, not even those of earlier lines', async () => {
  const api = started()
  const { tenant, token } = await openShop(api.context)
  const bytes = Buffer.from(`${header}a,A,B,1\nb,"B,C,1\n`)
  const outcome = await importProducts(api.context, { tenant, actor: operator, bytes, isDryRun: false })
  expect(outcome).toMatchObject({ is: 'unreadable', line: 3 })
  expect((await api.send('GET', '/api/v1/products', { token })).body.data).toEqual([])
})

test('a dry run rejects a file with too many records before it checks any product', async () => {
  const api = started()
  const { tenant } = await openShop(api.context)
  const reports: unknown[] = []
  const lines = Array.from({ length: 100_001 }, (_, index) => `a${index},A,B${index},1\n`)
  const outcome = await importProducts(api.context, {
    ...{ tenant, actor: operator, bytes: Buffer.from(header + lines.join('')), isDryRun: true },
    onProgress: async (report) => {
      reports.push(report)
      return 'continue'
    },
  })
  expect(outcome.is).toBe('unreadable')
  expect(reports).toEqual([])
})

test('the import reports that a line with 60,000 images exceeds the limit of 20 images', async () => {
  const images = Array.from({ length: 60_000 }, (_, index) => `https://a/${index}`)
  const outcome = await dryRun(`Type,SKU,Name,Regular price,Images\nsimple,A,A,1,"${images.join()}"\n`)
  expect(outcome).toMatchObject({
    report: { failed: 1, problems: [{ line: 2, column: 'Images', message: 'Must have at most 20 images.' }] },
  })
})

test('the import reports the limit and the actual number if a line of the file has too many variants or images', async () => {
  const cells = [{ url: 'https://a/1' }, { priceKobo: 1 }].map(
    (item) => `"${JSON.stringify(Array.from({ length: 30_000 }, () => item)).replaceAll('"', '""')}"`,
  )
  const [images = '', variants = ''] = cells
  const columns = 'title,slug,images,variants'
  expect(await dryRun(`${columns}\nA,a,${images},\nB,b,,${variants}`)).toMatchObject({
    report: {
      problems: [
        { line: 2, column: 'images', message: 'Must have at most 20 items, not 30000.' },
        { line: 3, column: 'variants', message: 'Must have at most 100 items, not 30000.' },
      ],
    },
  })
})

test('the import ends a batch of products once the text of the batch reaches 1 MiB', async () => {
  const api = started()
  const { tenant } = await openShop(api.context)
  const line = (name: string) => `${name},${name},${name},1,${'x'.repeat(600_000)}\n`
  const lines: number[] = []
  await importProducts(api.context, {
    ...{ tenant, actor: operator, isDryRun: true },
    bytes: Buffer.from(`${header.trim()},Other\n${['a', 'b', 'c', 'd', 'e'].map(line).join('')}`),
    onProgress: async (report) => {
      lines.push(report.lines)
      return 'continue'
    },
  })
  // The first product is complete only when line 3 starts the next product.
  expect(lines).toEqual([3, 5, 6])
})

test('while the service reads a large import file, other work of the process runs between the chunks of the file', async () => {
  let runs = 0
  let isRead = false
  const count = () => {
    runs += 1
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  const file = await readCsv(Buffer.from(header + 'a,A,B,1\n'.repeat(100_000)))
  let last = 0
  for await (const row of file.rows()) last = row.lastLine
  isRead = true
  expect(last).toBe(100_001)
  expect(runs).toBeGreaterThan(10)
})

test('the import counts line breaks inside the cells of the header and of the last line as lines of the file', async () => {
  const outcome = await dryRun('Handle,Title,Variant SKU,Variant Price,"Other\ncolumn"\na,A,B,1,"one\ntwo"\n')
  expect(outcome).toMatchObject({ report: { lines: 4, created: 1 } })
})

test('the import of a file with only a header creates no products and reports no failure', async () => {
  expect(await dryRun(header)).toMatchObject({ is: 'complete', report: { lines: 1, created: 0, failed: 0 } })
})

test('the import treats 99,999 lines with one handle as one product, which fails because it has too many variants', async () => {
  const lines = Array.from({ length: 99_998 }, (_, index) => `a,${index === 0 ? 'A' : ''},S${index},1`)
  const outcome = await dryRun(header + lines.join('\n'))
  expect(outcome).toMatchObject({ report: { lines: 99_999, failed: 1, created: 0 } })
})

test('for a product of 90,000 lines, the import reports too many images at the line of the 21st image, and too many variants at the line of the 101st variant', async () => {
  const lines = Array.from({ length: 90_000 }, (_, index) => {
    return `a,${index === 0 ? 'A,Size' : ','},v${index},S${index},1,https://cdn.example.com/${index}.jpg`
  })
  const columns = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src'
  const outcome = await dryRun([columns, ...lines].join('\n'))
  expect(outcome).toMatchObject({ report: { lines: 90_001, failed: 1, created: 0, problemCount: 3 } })
  expect(outcome).toMatchObject({
    report: { problems: [{ line: 22, column: 'Image Src' }, { line: 102 }, { line: 2, column: null }] },
  })
})

test('if one line of an exported file has too many variants and too many option values, the import reports each problem in its column', async () => {
  const values = Array.from({ length: 80_000 }, (_, index) => `v${index}`)
  const variants = Array.from({ length: 40_000 }, () => ({ optionValues: {} }))
  const cells = [[{ name: 'Size', values }], variants].map((each) => `"${JSON.stringify(each).replaceAll('"', '""')}"`)
  const outcome = await dryRun(`title,slug,options,variants\nA,a,${cells.join()}\n`)
  expect(outcome).toMatchObject({ is: 'unreadable', line: 2 })
  const fewer = [[{ name: 'Size', values: values.slice(0, 20_000) }], variants.slice(0, 10_000)]
  const text = fewer.map((each) => `"${JSON.stringify(each).replaceAll('"', '""')}"`).join()
  expect(await dryRun(`title,slug,options,variants\nA,a,${text}\n`)).toMatchObject({
    report: {
      problems: [
        { line: 2, column: 'variants' },
        { line: 2, column: 'options' },
      ],
    },
  })
})

test.for([
  '\n',
  '\r\n',
  '\r',
])('the import reports the correct line number in a file whose lines end with %j', async (end) => {
  const outcome = await dryRun(`${header.trim()}${end}a,A,B,x${end}`)
  expect(outcome).toMatchObject({ report: { problems: [{ line: 2, column: 'Variant Price' }] } })
})
