import { z } from 'zod'
import { counted } from '../../base/counted.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { itemTitleOf } from './show.ts'

const path = '/returns/{id}/receive'
const permission = 'orders:write'

export const receiveReturnPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

export const receiveReturnAction = action({
  path,
  permission,
  done: 'The units of the return were received.',
  question: (fields) => {
    const restocked = counted(sumOf(fields, restockPrefix), 'unit')
    const writtenOff = counted(sumOf(fields, writeOffPrefix), 'unit')
    const text = `Restock ${restocked}, and write off ${writtenOff}. They count as returned, which cannot be undone.`
    return { text, submit: 'Receive' }
  },
  // The quantities of each item have form fields of their own, which are named after the item. An empty field is zero.
  fields: z.object({}).catchall(z.string().regex(/^\d{0,6}$/, { error: 'Enter a whole number.' })),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, fields): Promise<Acted> => {
    const { items: requested } = await read(visit, 'getReturn', { params: { id } })
    const items = requested
      .map(({ itemId }) => ({
        itemId,
        restockQuantity: Number(fields[restockField(itemId)] ?? 0),
        writeOffQuantity: Number(fields[writeOffField(itemId)] ?? 0),
      }))
      .filter(({ restockQuantity, writeOffQuantity }) => restockQuantity + writeOffQuantity > 0)
    if (items.length === 0) return { is: 'refused', message: 'Enter the quantity of at least one item.' }
    const called = await visit.call('receiveReturn', { params: { id }, body: { items } })
    if (called.is === 'answered') return { is: 'done', to: `/returns/${id}` }
    return tooManyUnits(called.refusal, items) ?? refusedBy(called.refusal, {})
  },
})

const [restockPrefix, writeOffPrefix] = ['restock-', 'write-off-']
const restockField = (itemId: string) => `${restockPrefix}${itemId}`
const writeOffField = (itemId: string) => `${writeOffPrefix}${itemId}`

/** Returns the sum of the quantities in the form fields whose names have a prefix. */
function sumOf(fields: Readonly<Record<string, string>>, prefix: string): number {
  return Object.entries(fields).reduce((sum, [name, text]) => sum + (name.startsWith(prefix) ? Number(text) : 0), 0)
}

interface ReceivedItem {
  readonly itemId: string
  readonly restockQuantity: number
}

const ExceededItems = z.object({ items: z.array(z.object({ itemId: z.string(), returnableQuantity: z.int() })) })

/** Returns the rejection of quantities above the requested ones as the problems of their fields. */
function tooManyUnits({ code, details }: Refusal, received: readonly ReceivedItem[]): Acted | undefined {
  if (code !== 'return_quantity_exceeds') return undefined
  const problems = ExceededItems.parse(details).items.map(({ itemId, returnableQuantity }) => {
    const isRestocked = received.some((item) => item.itemId === itemId && item.restockQuantity > 0)
    const field = isRestocked ? restockField(itemId) : writeOffField(itemId)
    return { field, message: `At most ${counted(returnableQuantity, 'unit')} of this item can be received.` }
  })
  return { is: 'invalid', problems }
}

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const { orderId, orderNumber, items } = await read(visit, 'getReturn', { params: { id } })
  const order = await read(visit, 'getOrder', { params: { id: orderId } })
  const title = `Receive the return of ${orderNumber}`
  const fields = items.map(({ itemId, quantity }) => {
    const of = { title: itemTitleOf(order, itemId), hint: `Requested: ${counted(quantity, 'unit')}.` }
    return html`${unitsField(draft, { name: restockField(itemId), label: `Units of ${of.title} to restock`, hint: of.hint })}
${unitsField(draft, { name: writeOffField(itemId), label: `Units of ${of.title} to write off`, hint: 'Units that cannot be sold again.' })}`
  })
  const main = html`${heading(title)}<p>Enter the units that arrived.</p>
${form(visit, `/returns/${id}/receive`, html`${fields}`, { submit: 'Receive', isDangerous: true })}
<p>${link(`/returns/${id}`, 'Back to the return')}</p>`
  return { title, main }
}

function unitsField(
  draft: Draft,
  field: { readonly name: string; readonly label: string; readonly hint: string },
): Markup {
  return textField(draft, { ...field, inputMode: 'numeric' })
}
