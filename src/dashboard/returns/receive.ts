import { z } from 'zod'
import { counted } from '../../base/counted.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { type Acted, type Asked, action, page } from '../kit/route.ts'
import { namedUnits, unitsText } from '../kit/units.ts'
import { read, type Visit } from '../kit/visit.ts'
import { exceededUnits } from './exceeded-units.ts'
import { itemTitleOf } from './show.ts'

const path = '/returns/{id}/receive'
const permission = 'orders:write'

export const receiveReturnPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id) })

export const receiveReturnAction = action({
  path,
  permission,
  done: 'The units of the return were received.',
  question: async (fields, visit, { id }): Promise<Asked> => {
    const found = await read(visit, 'getReturn', { params: { id } })
    const items = receivedItems(found, fields)
    if (items.length === 0) return noUnits
    const called = await visit.call('receiveReturn', { params: { id }, body: { items }, isDryRun: true })
    if (called.is === 'refused') return refused(called.refusal, items)
    const order = await read(visit, 'getOrder', { params: { id: found.orderId } })
    const named = (name: 'restockQuantity' | 'writeOffQuantity') => {
      const units = items.filter((item) => item[name] > 0).map((item) => ({ ...item, quantity: item[name] }))
      return unitsText(namedUnits(order.items, units))
    }
    const [restocked, writtenOff] = [named('restockQuantity'), named('writeOffQuantity')]
    const effects = [
      ...(restocked === '' ? [] : [`Restock ${restocked}.`]),
      ...(writtenOff === '' ? [] : [`Write off ${writtenOff}.`]),
    ]
    return { text: `${effects.join(' ')} The units count as returned, which cannot be undone.`, submit: 'Receive' }
  },
  // The quantities of each item have form fields of their own, which are named after the item. An empty field is zero.
  fields: z.object({}).catchall(z.string().regex(/^\d{0,6}$/, { error: 'Enter a whole number.' })),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, fields): Promise<Acted> => {
    const items = receivedItems(await read(visit, 'getReturn', { params: { id } }), fields)
    if (items.length === 0) return noUnits
    const called = await visit.call('receiveReturn', { params: { id }, body: { items } })
    return called.is === 'answered' ? { is: 'done', to: `/returns/${id}` } : refused(called.refusal, items)
  },
})

const noUnits = { is: 'refused', message: 'Enter the quantity of at least one item.' } as const

type Fields = Readonly<Record<string, string>>

function receivedItems({ items }: ReplyOf<'getReturn'>, fields: Fields) {
  return items
    .map(({ itemId }) => ({
      itemId,
      restockQuantity: Number(fields[restockField(itemId)] ?? 0),
      writeOffQuantity: Number(fields[writeOffField(itemId)] ?? 0),
    }))
    .filter(({ restockQuantity, writeOffQuantity }) => restockQuantity + writeOffQuantity > 0)
}

const restockField = (itemId: string) => `restock-${itemId}`
const writeOffField = (itemId: string) => `write-off-${itemId}`

interface ReceivedItem {
  readonly itemId: string
  readonly restockQuantity: number
}

type Refused = Extract<Acted, { is: 'refused' | 'invalid' }>

/**
 * If an entered quantity exceeds the quantity of the return, the problem is shown at the form field of this quantity.
 */
function refused(refusal: Refusal, received: readonly ReceivedItem[]): Refused {
  const exceeded = exceededUnits(refusal)
  if (exceeded === undefined) return refusedBy(refusal)
  const problems = exceeded.map(({ itemId, returnableQuantity }) => {
    const isRestocked = received.some((item) => item.itemId === itemId && item.restockQuantity > 0)
    const field = isRestocked ? restockField(itemId) : writeOffField(itemId)
    return { field, message: `At most ${counted(returnableQuantity, 'unit')} of this item can be received.` }
  })
  return { is: 'invalid', problems }
}

/** Initially, all units of the return are entered as units to restock. */
async function formPage(visit: Visit, id: string, given?: Draft): Promise<Content> {
  const { orderId, orderNumber, items } = await read(visit, 'getReturn', { params: { id } })
  const order = await read(visit, 'getOrder', { params: { id: orderId } })
  const draft =
    given ?? newDraft(Object.fromEntries(items.map((item) => [restockField(item.itemId), String(item.quantity)])))
  const title = `Receive the return of ${orderNumber}`
  const fields = items.map(({ itemId, quantity }) => {
    const of = { title: itemTitleOf(order, itemId), hint: `Requested: ${counted(quantity, 'unit')}.` }
    return html`${unitsField(draft, { name: restockField(itemId), label: `Units of ${of.title} to restock`, hint: of.hint })}
${unitsField(draft, { name: writeOffField(itemId), label: `Units of ${of.title} to write off`, hint: 'Units that cannot be sold again.' })}`
  })
  const main = html`${heading(title)}<p>All requested units are filled in. Correct the numbers to the units that arrived.</p>
${form(visit, `/returns/${id}/receive`, html`${fields}`, { submit: 'Receive' })}
<p>${link(`/returns/${id}`, 'Back to the return')}</p>`
  return { title, main }
}

function unitsField(
  draft: Draft,
  field: { readonly name: string; readonly label: string; readonly hint: string },
): Markup {
  return textField(draft, { ...field, inputMode: 'numeric' })
}
