import { createProduct as operation } from '../../../registry/products/products.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../../store/core/mutation.ts'
import { type CreateProductOutcome, createProduct } from '../products/create-product.ts'
import { type Checked, checkBatch, newSeen } from './check-batch.ts'
import { cellsOf, type Draft, problemAt } from './draft.ts'
import { exportedColumns } from './exported-columns.ts'
import type { ImportFormat } from './format.ts'
import { BrokenCsv, type CsvFile, readCsv } from './read-csv.ts'
import { addResult, type ImportReport, newReport, type ProductResult } from './report.ts'
import { shopifyColumns } from './shopify-columns.ts'
import { woocommerceColumns } from './woocommerce-columns.ts'

/**
 * Imports the products of a CSV file. Each product is created with all its variants and its opening stock in one
 * transaction, or not at all. A product that exists already is left out, so an import that was interrupted is resumed by
 * running it again.
 */

export interface ImportRequest {
  readonly tenant: Tenant
  readonly actor: Actor
  readonly bytes: Buffer
  /** Whether the products are only checked, by the same rules and without a transaction. */
  readonly isDryRun: boolean
  /** Called after each batch of products. The import ends early if it returns `stop`. */
  readonly onProgress?: (report: ImportReport) => Promise<'continue' | 'stop'>
}

export type ImportOutcome =
  | { readonly is: 'complete' | 'stopped'; readonly report: ImportReport }
  /** The file is not CSV, or its columns are not those of a known format. Nothing is imported. */
  | { readonly is: 'unreadable'; readonly line: number | null; readonly message: string }

const formats: readonly ImportFormat[] = [exportedColumns, shopifyColumns, woocommerceColumns]

export async function importProducts(context: Context, request: ImportRequest): Promise<ImportOutcome> {
  try {
    const file = await readCsv(request.bytes)
    const format = formatOf(file)
    if (!request.isDryRun) await requireIntact(file)
    return await importRows(context, request, { file, format })
  } catch (error) {
    if (error instanceof BrokenCsv) return { is: 'unreadable', line: error.line, message: error.message }
    throw error
  }
}

function formatOf({ columns }: CsvFile): ImportFormat {
  const names = columns.map((name) => name.toLowerCase())
  const format = formats.find(({ signature }) => signature.every((column) => names.includes(column.toLowerCase())))
  if (format === undefined) {
    const known = formats.map(({ name, signature }) => `${name}: ${signature.join(', ')}`).join('; ')
    throw new BrokenCsv(1, `The columns are not those of a known export. Required columns: ${known}.`)
  }
  const repeated = names.find((name, index) => format.columns.has(name) && names.indexOf(name) !== index)
  if (repeated !== undefined) throw new BrokenCsv(1, `The column ${repeated} occurs twice.`)
  return format
}

/** Rejects a file with a broken line before anything is imported, because the lines around it may be misread. */
async function requireIntact(file: CsvFile): Promise<void> {
  const rows = file.rows()
  for (let row = await rows.next(); row.done !== true; row = await rows.next());
}

interface Source {
  readonly file: CsvFile
  readonly format: ImportFormat
}

async function importRows(context: Context, request: ImportRequest, source: Source): Promise<ImportOutcome> {
  const { file, format } = source
  const ignored = file.columns.filter((name) => name !== '' && !format.columns.has(name.toLowerCase()))
  let report = newReport({ format: format.name, encoding: file.encoding, delimiter: file.delimiter, ignored })
  const seen = newSeen()
  for await (const { drafts, lines } of batchesOf(source)) {
    const checked = await checkBatch(context.database, request.tenant.merchantId, { drafts, seen })
    const results = request.isDryRun ? checked.map(resultOf) : await createAll(context, request, checked)
    report = { ...results.reduce(addResult, report), lines }
    if ((await request.onProgress?.(report)) === 'stop') return { is: 'stopped', report }
  }
  return { is: 'complete', report }
}

/** Products that are checked together, with one search for their SKUs. */
const batchSize = 100

interface DraftBatch {
  readonly drafts: readonly Draft[]
  /** The number of lines that are read so far, with the header. */
  readonly lines: number
}

async function* batchesOf({ file, format }: Source): AsyncGenerator<DraftBatch, void, undefined> {
  const reader = format.open()
  const read = cellsOf(file)
  const width = file.columns.length
  let drafts: Draft[] = []
  let lines = 1
  for await (const row of file.rows()) {
    lines = row.line
    const { current, complete } = reader.read(read(row))
    if (row.cells.length !== width) {
      const message = `The line has ${row.cells.length} cells, but the header has ${width}.`
      current.problems.push({ line: row.line, column: null, message })
    }
    drafts = [...drafts, ...complete]
    if (drafts.length < batchSize) continue
    yield { drafts, lines }
    drafts = []
  }
  drafts = [...drafts, ...reader.end()]
  for (let start = 0; start === 0 || start < drafts.length; start += batchSize) {
    yield { drafts: drafts.slice(start, start + batchSize), lines }
  }
}

function resultOf(checked: Checked): ProductResult {
  switch (checked.is) {
    case 'ready': {
      const { draft, body } = checked
      const product = { line: draft.line, title: body.title, variants: body.variants?.length ?? 0 }
      return { is: 'created', product }
    }
    case 'existing':
      return { is: 'existing' }
    case 'failed':
      return { is: 'failed', problems: checked.draft.problems }
  }
}

/** Number of products that an import creates at the same time: enough to use the waits for the database. */
const createdAtOnce = 4

async function createAll(
  context: Context,
  request: ImportRequest,
  checked: readonly Checked[],
): Promise<ProductResult[]> {
  const results: ProductResult[] = []
  const rest = checked.entries()
  const createNext = async () => {
    for (const [index, each] of rest) results[index] = await createOne(context, request, each)
  }
  await Promise.all(Array.from({ length: createdAtOnce }, createNext))
  return results
}

const { audits } = operation

/** Creates a product that is ready. Another request may have used its slug or a SKU since the check. */
async function createOne(context: Context, { tenant, actor }: ImportRequest, checked: Checked): Promise<ProductResult> {
  if (checked.is !== 'ready') return resultOf(checked)
  const { draft, body } = checked
  const outcome = await mutate<CreateProductOutcome>(
    context,
    {
      tenant,
      actor,
      ...audits,
      resourceId: (created) => (created.is === 'created' ? created.product.id : undefined),
    },
    async (work) => {
      const created = await createProduct(work, body)
      return created.is === 'created' ? created : work.abort(created)
    },
  )
  switch (outcome.is) {
    case 'created':
      return resultOf(checked)
    case 'slug_in_use': {
      const message = `The product ${outcome.existingId} has this slug.`
      return { is: 'failed', problems: [problemAt(draft, ['slug'], message)] }
    }
    case 'sku_in_use': {
      const { id, sku } = outcome.owner
      const index = body.variants?.findIndex((variant) => variant.sku?.toLowerCase() === sku.toLowerCase()) ?? 0
      return {
        is: 'failed',
        problems: [problemAt(draft, ['variants', index, 'sku'], `The variant ${id} has this SKU.`)],
      }
    }
  }
}
