import { z } from 'zod'
import type { ReplyOf } from '../kit/call.ts'
import { confirmation } from '../kit/confirmation.ts'
import type { Content } from '../kit/content.ts'
import { version } from '../kit/fields.ts'
import { hiddenField } from '../kit/form.ts'
import { action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { refusedTerms } from './refused-terms.ts'

/**
 * The two ways to end a discount: it can end now, which can be undone by setting a later end, or it can be archived
 * permanently.
 */

const permission = 'discounts:write'
const fields = z.strictObject({ version })

const endText = 'No further order can use the code from now on. Orders that used it keep the reduced price.'
const archiveText =
  'The discount ends for good, and another discount can then use its code. Orders that used it keep the reduced price. This cannot be undone.'

/**
 * Reports whether a discount has started and not yet ended, so that it can be ended now. Otherwise, it can only be
 * archived.
 */
export function isEndable(visit: Visit, { startsAt, endsAt, status }: ReplyOf<'getDiscount'>): boolean {
  return status !== 'archived' && startsAt < visit.now && (endsAt === null || endsAt > visit.now)
}

const endPath = '/discounts/{id}/end'

export const endDiscountPage = page({ path: endPath, permission, show: (visit, { id }) => endForm(visit, id) })

export const endDiscountAction = action({
  path: endPath,
  permission,
  done: 'The discount has ended.',
  question: () => ({ text: endText, submit: 'End now' }),
  fields,
  form: (visit, { id }) => endForm(visit, id),
  run: async (visit, { id }, { version: expected }) => {
    const body = { endsAt: visit.now }
    const called = await visit.call('updateDiscount', { params: { id }, version: expected, body })
    return called.is === 'answered' ? { is: 'done', to: `/discounts/${id}` } : refusedTerms(called.refusal)
  },
})

async function endForm(visit: Visit, id: string): Promise<Content> {
  const discount = await read(visit, 'getDiscount', { params: { id } })
  return confirmation(visit, `/discounts/${id}/end`, {
    ...{ title: `End ${discount.title} now?`, text: endText, submit: 'End now', isDangerous: true },
    ...{ fields: hiddenField('version', String(discount.version)), back: `/discounts/${id}` },
  })
}

const archivePath = '/discounts/{id}/archive'

export const archiveDiscountPage = page({
  path: archivePath,
  permission,
  show: (visit, { id }) => archiveForm(visit, id),
})

export const archiveDiscountAction = action({
  path: archivePath,
  permission,
  done: 'The discount was archived.',
  question: () => ({ text: archiveText, submit: 'Archive discount' }),
  fields,
  form: (visit, { id }) => archiveForm(visit, id),
  run: async (visit, { id }, { version: expected }) => {
    const called = await visit.call('archiveDiscount', { params: { id }, version: expected })
    return called.is === 'answered' ? { is: 'done', to: `/discounts/${id}` } : refusedTerms(called.refusal)
  },
})

async function archiveForm(visit: Visit, id: string): Promise<Content> {
  const discount = await read(visit, 'getDiscount', { params: { id } })
  return confirmation(visit, `/discounts/${id}/archive`, {
    ...{ title: `Archive ${discount.title}?`, text: archiveText, submit: 'Archive discount', isDangerous: true },
    ...{ fields: hiddenField('version', String(discount.version)), back: `/discounts/${id}` },
  })
}
