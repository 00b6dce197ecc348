import { z } from 'zod'
import { importCheckedMax, importHours, importMaxBytes } from '../../../registry/values/limits.ts'
import { mebibytes } from '../../base/mebibytes.ts'
import { uploadFile } from '../../commerce/imports/upload-file.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { dateTime, empty, heading, section, table } from '../../markup/parts.ts'
import { listImports, type ProductImport } from '../../store/products/product-imports.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { fileField, form } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { importBadge } from './status.ts'

const path = '/imports'
const permission = 'products:write'
const title = 'Import products'

export const importListPage = page({ path, permission, show: (visit) => formPage(visit, newDraft()) })

export const retention = `An import is deleted ${importHours} hours after its last progress; its products remain. Of the files that were checked and not imported, only the newest ${importCheckedMax} are stored.`

/** Longer file names are shortened to this length. */
const nameMax = 200

export const uploadAction = action({
  path,
  permission,
  done: 'The file was uploaded. This page shows the result of its check.',
  question: null,
  fileMaxBytes: importMaxBytes,
  fields: z.object({}),
  form: (visit, _params, draft) => formPage(visit, draft),
  run: async (visit) => {
    const { context, tenant, actor, file } = visit
    if (file === undefined) return { is: 'refused', field: 'file', message: 'Choose a file.' }
    if (file.bytes.length === 0) return { is: 'refused', field: 'file', message: 'The file is empty.' }
    const outcome = await uploadFile(context, { tenant, actor }, { name: storedName(file.name), bytes: file.bytes })
    if (outcome.is === 'stored') return { is: 'done', to: `${path}/${outcome.id}` }
    return { is: 'refused', message: 'Another import is running. Wait until it has ended.' }
  },
})

/**
 * Returns the name of an uploaded file without control characters and lone surrogates. PostgreSQL cannot store some of
 * these characters, and a page cannot show the others.
 */
function storedName(name: string): string {
  return name
    .slice(0, nameMax)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
}

async function formPage(visit: Visit, draft: Draft): Promise<Content> {
  const imports = await listImports(visit.context.database, { merchantId: visit.tenant.merchantId })
  const main = html`${heading(title, link('/products', 'Products'))}
<p>The file is checked first. Nothing is created until you have seen the result and choose “Import”.</p>
${uploadForm(visit, draft, 'Upload and check')}
${section('Imports', imports.length === 0 ? empty(`No files were uploaded in the last ${importHours} hours.`) : rows(imports))}`
  return { title, main }
}

export function uploadForm(visit: Visit, draft: Draft, submit: string): Markup {
  const field = fileField(draft, {
    ...{ name: 'file', label: 'CSV file', accept: '.csv,.tsv,.txt,text/csv' },
    hint: `An export of this service, of Shopify or of WooCommerce, of at most ${mebibytes(importMaxBytes)}.`,
  })
  return form(visit, path, field, { submit, hasFile: true })
}

function rows(imports: readonly ProductImport[]): Markup {
  const list = table('Imports', imports, [
    {
      title: 'File',
      phone: 'title',
      cell: ({ id, fileName }) => link(`${path}/${id}`, fileName === '' ? 'File' : fileName),
    },
    { title: 'Status', phone: 'state', cell: ({ status }) => importBadge(status) },
    { title: 'Member', phone: 'detail', cell: ({ memberName }) => memberName },
    { title: 'Uploaded', phone: 'detail', cell: ({ createdAt }) => dateTime(createdAt) },
  ])
  return html`${list}<p class="hint">${retention}</p>`
}
