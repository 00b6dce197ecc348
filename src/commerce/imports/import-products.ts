import { createProduct as operation } from '../../../registry/products/products.ts'
import { importProblemsMax, importRecordMaxBytes } from '../../../registry/values/limits.ts'
import { counted } from '../../base/counted.ts'
import type { Actor } from '../../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../../store/core/mutation.ts'
import { type CreateProductOutcome, createProduct } from '../products/create-product.ts'
import { BrokenCsv } from './broken-csv.ts'
import { type Checked, checkBatch, newSeen } from './check-batch.ts'
import { cellsOf, type Draft, problemAt } from './draft.ts'
import { exportedColumns } from './exported-columns.ts'
import type { Import, ImportFormat } from './format.ts'
import type { ImportProblem } from './problem.ts'
import { type CsvFile, readCsv } from './read-csv.ts'
import { type ImportReport, openReport, type ProductResult } from './report.ts'
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
  /**
   * Whether the import only checks the products and creates none. The rules are those of a real import, but no
   * transaction is needed.
   */
  readonly isDryRun: boolean
  /**
   * Maximum number of problems, notes and existing products that the report lists. The default is importProblemsMax.
   */
  readonly listedMax?: number
  /** Called after each batch of products. The import ends early if it returns `stop`. */
  readonly onProgress?: (report: ImportReport) => Promise<'continue' | 'stop'>
}

export type ImportOutcome =
  | { readonly is: 'complete' | 'stopped'; readonly report: ImportReport }
  /** The file is not a valid CSV file, or its columns match no supported format. No product was imported. */
  | { readonly is: 'unreadable'; readonly line: number | null; readonly message: string }

const formats: readonly ImportFormat[] = [exportedColumns, shopifyColumns, woocommerceColumns]

export async function importProducts(context: Context, request: ImportRequest): Promise<ImportOutcome> {
  try {
    const file = await readCsv(request.bytes)
    const format = formatOf(file)
    await requireIntact(file)
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

/**
 * Reads the whole file once before any product is imported. Throws BrokenCsv if a line is malformed or the file has too
 * many records.
 */
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
  const ignored = file.columns.flatMap((name, index) => {
    if (format.columns.has(name.toLowerCase())) return []
    return name === '' ? `column ${index + 1} without a name` : name
  })
  const report = openReport(
    { format: format.name, encoding: file.encoding, delimiter: file.delimiter, ignored },
    request.listedMax ?? importProblemsMax,
  )
  const seen = newSeen()
  for await (const { drafts, lines } of batchesOf(source, { nowMs: context.clock.nowMs() })) {
    const checked = await checkBatch(context.database, request.tenant.merchantId, { drafts, seen })
    const { results, failure } = request.isDryRun
      ? { results: checked.map(resultOf) }
      : await createAll(context, request, checked)
    report.add(results, lines)
    if (failure !== undefined) throw new ImportInterrupted(report.current(), failure.error)
    if ((await request.onProgress?.(report.current())) === 'stop') return { is: 'stopped', report: report.current() }
  }
  return { is: 'complete', report: report.current() }
}

/**
 * Error for an import that stopped early, for example because the database was unreachable. The products in the report
 * of this import were created and remain stored.
 */
export class ImportInterrupted extends Error {
  readonly report: ImportReport
  constructor(report: ImportReport, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const progress = `The import was interrupted after ${counted(report.created, 'product')}: ${reason}.`
    super(`${progress} Run it again to create the others.`, { cause })
    this.report = report
  }
}

/** Maximum number of products that are checked together, with one search for their SKUs. */
const batchSize = 100

/**
 * Maximum size of the text of a batch, which limits the memory that an import uses. A batch with a single product may
 * be larger.
 */
const batchTextMax = importRecordMaxBytes

interface DraftBatch {
  readonly drafts: readonly Draft[]
  /** The number of lines of the file that have been read so far, including the header. */
  readonly lines: number
}

async function* batchesOf({ file, format }: Source, settings: Import): AsyncGenerator<DraftBatch, void, undefined> {
  const reader = format.open(settings)
  const read = cellsOf(file)
  const width = file.columns.length
  let drafts: Draft[] = []
  let size = 0
  let lines = file.headerLine
  for await (const row of file.rows()) {
    lines = row.lastLine
    const { current, complete } = reader.read(read(row))
    if (row.cells.length !== width) {
      const message = `The line has ${counted(row.cells.length, 'cell')}, but the header has ${width}.`
      current.problems.push({ line: row.line, column: null, message })
    }
    drafts = [...drafts, ...complete]
    size += row.cells.reduce((sum, cell) => sum + cell.length, 0)
    if (drafts.length === 0 || (drafts.length < batchSize && size < batchTextMax)) continue
    yield { drafts, lines }
    drafts = []
    size = 0
  }
  drafts = [...drafts, ...reader.end()]
  for (let start = 0; start === 0 || start < drafts.length; start += batchSize) {
    yield { drafts: drafts.slice(start, start + batchSize), lines }
  }
}

function resultOf(checked: Checked): ProductResult {
  const { draft } = checked
  switch (checked.is) {
    case 'ready': {
      const { body } = checked
      const product = { line: draft.line, title: body.title, variants: body.variants?.length ?? 0 }
      return { is: 'created', product, notes: draft.notes }
    }
    case 'existing':
      return { is: 'existing', product: { line: draft.line, id: checked.id } }
    case 'failed':
      return { is: 'failed', problems: draft.problems }
  }
}

/**
 * Number of products that an import creates concurrently, so that one product can be processed while another waits for
 * the database.
 */
const createdAtOnce = 4

interface CreatedBatch {
  readonly results: readonly ProductResult[]
  /** The error that stopped the import before all products of the batch were created. */
  readonly failure?: { readonly error: unknown } | undefined
}

/**
 * Creates the products of a batch concurrently. After an error, the products that are already being created are
 * completed, and no further product is started.
 */
async function createAll(context: Context, request: ImportRequest, checked: readonly Checked[]): Promise<CreatedBatch> {
  const results: ProductResult[] = []
  let failure: CreatedBatch['failure']
  const rest = checked.entries()
  const createNext = async () => {
    for (const [index, each] of rest) {
      if (failure !== undefined) return
      try {
        results[index] = await createOne(context, request, each)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: createdAtOnce }, createNext))
  return { results: results.filter((result) => result !== undefined), failure }
}

const { audits } = operation

/**
 * Creates a product that passed the checks. The creation can still fail, because another request may have used its slug
 * or a SKU since then.
 */
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
  if (outcome.is === 'created') return resultOf(checked)
  // The product is checked again, because another import of the same file may have created it in the meantime. It is
  // then reported as existing.
  const [again] = await checkBatch(context.database, tenant.merchantId, { drafts: [draft], seen: newSeen() })
  if (again !== undefined && again.is !== 'ready') return resultOf(again)
  return { is: 'failed', problems: [conflictOf(checked, outcome)] }
}

function conflictOf(
  { draft, body }: Extract<Checked, { is: 'ready' }>,
  outcome: Exclude<CreateProductOutcome, { is: 'created' }>,
): ImportProblem {
  if (outcome.is === 'slug_in_use')
    return problemAt(draft, ['slug'], `The product ${outcome.existingId} has this slug.`)
  const { id, sku } = outcome.owner
  const index = body.variants?.findIndex((variant) => variant.sku?.toLowerCase() === sku.toLowerCase()) ?? 0
  return problemAt(draft, ['variants', index, 'sku'], `The variant ${id} has this SKU.`)
}
