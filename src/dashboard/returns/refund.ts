import { z } from 'zod'
import type { ReturnStatus } from '../../../registry/returns/return-states.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import { html } from '../../markup/markup.ts'
import { empty, heading } from '../../markup/parts.ts'
import { listListedReturns } from '../../store/returns/listed-returns.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { wholeNumber } from '../kit/fields.ts'
import { hiddenField } from '../kit/form.ts'
import { PageError } from '../kit/page-error.ts'
import { link } from '../kit/parts.ts'
import { type Acted, type Asked, action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { refundQuestion } from '../orders/refund-question.ts'

/**
 * Refunds the units of a return that are not refunded yet. The page shows the refund before it is created, so no
 * further confirmation is needed.
 */

const path = '/returns/{id}/refund'
const permission = 'refunds:write'

/** Statuses of a return whose units are still with the customer or with a rider. */
const unreceived: readonly ReturnStatus[] = ['requested', 'approved', 'in_transit']

/**
 * Advice for a refund before the shop has received the units of the return. The refund then contains all requested
 * units. After the receipt, it contains only the units that arrived.
 */
const unreceivedAdvice =
  'Wait until they are received: the refund then contains only the units that arrived. Refund now only if you will not wait for the units, for example because the customer sent proof of the shipping.'

export const refundReturnPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id) })

export const refundReturnAction = action({
  path,
  permission,
  done: 'The refund was created.',
  question: async ({ refundable }, visit, { id }): Promise<Asked> => {
    const tried = await tryRefund(visit, id, refundable)
    if (tried.is !== 'tried') return tried
    return refundQuestion(tried, tried.refund)
  },
  fields: z.object({
    /**
     * The refundable amount of the order that the form showed. If another refund has changed this amount since, the
     * form is rejected.
     */
    refundable: wholeNumber({ min: 0, max: amountMaxKobo }),
  }),
  form: (visit, { id }) => formPage(visit, id),
  run: async (visit, { id }, { refundable }): Promise<Acted> => {
    const tried = await tryRefund(visit, id, refundable)
    if (tried.is !== 'tried') return tried
    const called = await visit.call('createRefund', { body: tried.body, idempotencyKey: visit.formId })
    if (called.is === 'answered') return { is: 'done', to: `/refunds/${called.reply.id}` }
    return { is: 'refused', message: called.refusal.message }
  },
})

/**
 * Requests the refund of the return in a dry run. Returns the refund, or the reason why it would be refused.
 * `refundable` is the refundable amount of the order in kobo that the form showed to the member.
 */
async function tryRefund({ call, context, tenant }: Visit, id: string, refundable?: number) {
  const found = (await listListedReturns(context.database, tenant.merchantId, [id])).get(id)
  if (found === undefined) throw new PageError(404, 'This return does not exist.')
  const { orderId, reason, status, orderNumber: number, customerName, items } = found
  const expected = refundable === undefined ? {} : { expectedRefundableKobo: refundable }
  const body = { orderId, returnId: found.id, reason, ...expected }
  const called = await call('createRefund', { body, isDryRun: true })
  if (called.is === 'refused') return { is: 'refused', message: called.refusal.message, number } as const
  return { is: 'tried', refund: called.reply, body, number, customerName, items, status } as const
}

async function formPage(visit: Visit, id: string): Promise<Content> {
  const tried = await tryRefund(visit, id)
  const title = `Refund the return of ${tried.number}`
  const back = `/returns/${id}`
  const backText = `Back to the return of ${tried.number}`
  if (tried.is === 'refused') {
    const main = html`${heading(title)}${empty(tried.message)}<p>${link(back, backText)}</p>`
    return { title, main }
  }
  const { refund } = tried
  const { text, submit } = refundQuestion(tried, refund)
  const warning = unreceived.includes(tried.status)
    ? html`<p><strong>The units of this return have not been received yet.</strong> ${unreceivedAdvice}</p>`
    : undefined
  const fields = hiddenField('refundable', String(refund.order.refundableKobo + refund.amountKobo))
  return confirmation(visit, `/returns/${id}/refund`, {
    ...{ title, warning, text, submit, fields, isDangerous: true, back, backText },
  })
}
