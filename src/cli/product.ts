import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { importMaxBytes, importProblemsMax } from '../../registry/values/limits.ts'
import { importProducts } from '../commerce/imports/import-products.ts'
import type { ImportReport } from '../commerce/imports/report.ts'
import { summaryOf } from '../commerce/imports/summary.ts'
import { command } from './kit/command.ts'
import { connected } from './kit/connect.ts'
import { CommandFailure, UsageError } from './kit/failure.ts'
import { operator } from './kit/operator.ts'
import { flag, merchantOptions, option } from './kit/option.ts'
import { endProgress, json, showProgress, table, write } from './kit/output.ts'
import { tenantOf } from './kit/tenant.ts'

export const productImport = command({
  name: 'product import',
  summary:
    'Create the products of a CSV file: an export of this service, of Shopify or of WooCommerce. Products that exist already are left out, so an interrupted import can be run again.',
  positional: 'file',
  options: z.strictObject({
    ...merchantOptions,
    file: option(z.string().min(1), { value: 'PATH', meaning: 'The path of the CSV file.' }),
    'dry-run': flag('Only check the file, and report every problem by line and column.'),
  }),
  run: async (values, { wantsJson }) => {
    const bytes = await readImport(values.file)
    const isDryRun = values['dry-run'] ?? false
    return connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const outcome = await importProducts(context, {
        ...{ tenant, actor: operator, bytes, isDryRun, listedMax: Number.MAX_SAFE_INTEGER },
        onProgress: async ({ lines, created }) => {
          showProgress(`${lines} lines, ${created} products`)
          return 'continue'
        },
      })
      endProgress()
      if (outcome.is === 'unreadable') {
        const place = outcome.line === null ? values.file : `${values.file}:${outcome.line}`
        throw new CommandFailure(`${place}: ${outcome.message}`)
      }
      const { report } = outcome
      if (report.failed === 0) return { json: report, text: textOf(report, isDryRun) }
      write(wantsJson ? json(report) : textOf(report, isDryRun))
      const failed = report.failed === 1 ? '1 product has' : `${report.failed} products have`
      throw new CommandFailure(`${failed} problems. Correct the file and import it again.`)
    })
  },
})

async function readImport(path: string): Promise<Buffer> {
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  )
  if (size === undefined) throw new UsageError(`--file ${path} cannot be read.`)
  if (size > importMaxBytes) throw new UsageError(`--file must have at most ${importMaxBytes} bytes, not ${size}.`)
  return readFile(path)
}

/**
 * Returns an import report as text, with tables of its first problems, notes and existing products. The output of
 * --json lists all of them.
 */
function textOf(all: ImportReport, isDryRun: boolean): string {
  const report = {
    ...all,
    problems: all.problems.slice(0, importProblemsMax),
    notes: all.notes.slice(0, importProblemsMax),
    existingProducts: all.existingProducts.slice(0, importProblemsMax),
  }
  const { file, ignored, products, more, moreNotes } = summaryOf(report, isDryRun)
  return [
    file,
    ...(ignored === undefined ? [] : [ignored]),
    ...section('Problems:', report.problems, ['line', 'column', 'message']),
    ...(more === undefined ? [] : [more]),
    ...section('Notes:', report.notes, ['line', 'column', 'message']),
    ...(moreNotes === undefined ? [] : [moreNotes]),
    ...section('Products that exist already:', report.existingProducts, ['line', 'id']),
    '',
    products,
  ].join('\n')
}

function section(title: string, rows: readonly object[], columns: readonly string[]): string[] {
  if (rows.length === 0) return []
  return [
    '',
    title,
    table(
      rows.map((row) => ({ ...row })),
      columns,
    ),
  ]
}
