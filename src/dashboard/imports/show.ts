import { ImportId } from '../../../registry/values/vocabulary.ts'
import { counted } from '../../base/counted.ts'
import type { ImportOutcome } from '../../commerce/imports/import-products.ts'
import type { ImportProblem } from '../../commerce/imports/problem.ts'
import type { ImportReport } from '../../commerce/imports/report.ts'
import { storedOutcome } from '../../commerce/imports/run-import.ts'
import { summaryOf } from '../../commerce/imports/summary.ts'
import { startImport } from '../../commerce/imports/upload-file.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code, count, dateTime, heading, section, table } from '../../markup/parts.ts'
import { findImport, type ProductImport } from '../../store/products/product-imports.ts'
import type { Content } from '../kit/content.ts'
import { newDraft } from '../kit/draft.ts'
import { noFields } from '../kit/fields.ts'
import { button } from '../kit/form.ts'
import { PageError } from '../kit/page-error.ts'
import { link, mainLink, withQuery } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { retention, uploadForm } from './list.ts'
import { importBadge, isRunning } from './status.ts'

const path = '/imports/{id}'
const permission = 'products:write'

export const importPage = page({ path, permission, show: (visit, { id }) => importContent(visit, id) })

export const startAction = action({
  path: `${path}/start`,
  permission,
  done: 'The import was started. This page shows its progress and its result.',
  question: null,
  fields: noFields,
  form: (visit, { id }) => importContent(visit, id),
  run: async ({ context, tenant, actor }, { id }) => {
    const { is } = await startImport(context, { tenant, actor }, importIdOf(id))
    switch (is) {
      case 'started':
        return { is: 'done', to: `/imports/${id}` }
      case 'import_running':
        return { is: 'refused', message: 'Another import is running. Wait until it has ended.' }
      case 'not_checked':
        return { is: 'refused', message: 'This import was already started, or its file could not be read.' }
      case 'import_unknown':
        throw unknown()
    }
  },
})

function unknown(): PageError {
  return new PageError(404, `This import does not exist. ${retention}`)
}

function importIdOf(id: string): ImportId {
  const parsed = ImportId.safeParse(id)
  if (!parsed.success) throw unknown()
  return parsed.data
}

async function importContent(visit: Visit, id: string): Promise<Content> {
  const { merchantId } = visit.tenant
  const found = await findImport(visit.context.database, { merchantId, id: importIdOf(id) })
  if (found === undefined) throw unknown()
  const { fileName, memberName, status, report, createdAt } = found
  const title = 'Product import'
  const main = html`${heading(title, importBadge(status))}
<p>${fileName}, by ${memberName}, uploaded ${dateTime(createdAt)}. ${link('/imports', 'All imports')}</p>
${status === 'failed' && (report === null || storedOutcome(report).is !== 'unreadable') ? problem(failure) : nothing}
${report === null ? waiting(status) : resultOf(found, storedOutcome(report), nextStep(visit, found))}
${report === null ? nextStep(visit, found) : nothing}`
  return { title, main, isLive: isRunning(status) }
}

const failure = 'The import ended because of an error of this service. Products that were created remain.'

function problem(message: string): Markup {
  return html`<div class="problem" role="alert"><p>${message}</p></div>`
}

function waiting(status: ProductImport['status']): Markup {
  if (!isRunning(status)) return nothing
  return html`<p role="status">${status === 'checking' ? 'The file is being checked.' : 'The import is about to begin.'}</p>`
}

function resultOf({ status }: ProductImport, outcome: ImportOutcome, next: Markup): Markup {
  if (outcome.is === 'unreadable') {
    const place = outcome.line === null ? '' : `Line ${outcome.line}: `
    return html`${problem(`${place}${outcome.message}`)}${next}`
  }
  const { report } = outcome
  const isDryRun = status === 'checking' || status === 'checked'
  const { file, ignored, products, more, moreNotes } = summaryOf(report, isDryRun)
  return html`<p role="status">${isRunning(status) ? 'So far: ' : nothing}${products}</p>
<p>${file}</p>${ignored === undefined ? nothing : html`<p>${ignored}</p>`}${next}
${places('Problems', report.problems, more)}
${places('Notes', report.notes, moreNotes)}
${report.products.length === 0 ? nothing : productSection(report, isDryRun)}
${existingProducts(report)}`
}

/** Shows the first problems or notes, and how many more there are. */
function places(title: string, rows: readonly ImportProblem[], more: string | undefined): Markup {
  if (rows.length === 0) return nothing
  const list = table(title, rows, [
    { title: 'Line', cell: ({ line }) => count(line), isNumber: true },
    { title: 'Column', cell: ({ column }) => column ?? '' },
    { title: 'Message', cell: ({ message }) => message },
  ])
  return section(title, html`${list}${more === undefined ? nothing : html`<p>${more}</p>`}`)
}

/**
 * Shows the first products of the import. After the import, each title links to a search of the product list for this
 * title.
 */
function productSection({ products, created }: ImportReport, isDryRun: boolean): Markup {
  const title = firstOf('Products', products, created)
  const list = table(title, products, [
    { title: 'Line', cell: ({ line }) => count(line), isNumber: true },
    { title: 'Product', cell: ({ title }) => (isDryRun ? title : link(withQuery('/products', { q: title }), title)) },
    { title: 'Variants', cell: ({ variants }) => count(variants), isNumber: true },
  ])
  return section(title, list)
}

function existingProducts({ existingProducts, existing }: ImportReport): Markup {
  if (existingProducts.length === 0) return nothing
  const title = firstOf('Existing products', existingProducts, existing)
  const list = table(title, existingProducts, [
    { title: 'Line', cell: ({ line }) => count(line), isNumber: true },
    { title: 'Id', cell: ({ id }) => link(`/products/${id}`, code(id)) },
  ])
  return section(title, list)
}

function firstOf(title: string, rows: readonly object[], total: number): string {
  return rows.length < total ? `${title}: the first ${count(rows.length)}` : title
}

function nextStep(visit: Visit, { id, status, report }: ProductImport): Markup {
  if (isRunning(status)) return nothing
  const outcome = report === null ? undefined : storedOutcome(report)
  if (outcome === undefined || outcome.is === 'unreadable') return uploadForm(visit, newDraft(), correctedLabel)
  const { created, failed } = outcome.report
  if (status === 'done') return html`<p>${mainLink('/products', 'Open the products')}</p>`
  if (status === 'failed' || created === 0) return uploadForm(visit, newDraft(), correctedLabel)
  const left =
    failed === 0
      ? nothing
      : html`<p>Products with problems are left out. To import them too, correct the file and ${link('/imports', 'upload it again')}.</p>`
  const label = `Import ${counted(created, 'product')}`
  return html`${left}${button(visit, `/imports/${id}/start`, label, { isMain: true })}`
}

const correctedLabel = 'Upload the corrected file'
