import { z } from 'zod'
import { html } from '../../markup/markup.ts'
import { badge, heading, money } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { line } from '../kit/fields.ts'
import { form, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { refundTone } from './tone.ts'

const path = '/refunds/{id}/bank-details'
const permission = 'refunds:write'

/** Maximum length of each of the three values of a bank account. The operation checks their exact form. */
const valueMaxLength = 120

export const bankDetailsPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id, newDraft()) })

export const setBankDetailsAction = action({
  path,
  permission,
  done: 'The bank account was stored. It is sent to the payment provider within seconds.',
  question: () => ({
    text: 'The provider sends the money to this account. The account cannot be changed afterwards.',
    submit: 'Send to this account',
  }),
  fields: z.strictObject({
    accountNumber: line(valueMaxLength),
    bankCode: line(valueMaxLength),
    accountName: line(valueMaxLength),
  }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, body) => {
    const called = await visit.call('setRefundBankDetails', { params: { id }, body })
    if (called.is === 'answered') return { is: 'done', to: `/refunds/${id}` }
    const own = { accountNumber: 'accountNumber', bankCode: 'bankCode', accountName: 'accountName' }
    return refusedBy(called.refusal, own)
  },
})

async function formPage(visit: Visit, id: string, draft: Draft): Promise<Content> {
  const { orderNumber, amountKobo, status, failureMessage } = await read(visit, 'getRefund', { params: { id } })
  const title = 'Bank details of the refund'
  const fields = html`${textField(draft, { name: 'accountNumber', label: 'Account number', hint: 'Ten digits.', inputMode: 'numeric', isRequired: true })}
${textField(draft, { name: 'bankCode', label: 'Bank code', hint: 'Such as 058.', inputMode: 'numeric', isRequired: true })}
${textField(draft, { name: 'accountName', label: 'Name of the account holder', isRequired: true })}`
  const main = html`${heading(title, badge(status, refundTone[status]))}
<p>The payment provider could not return ${money(amountKobo)} of ${orderNumber} to the original payment method. Ask the customer for a bank account.</p>
${failureMessage === null ? '' : html`<p>${failureMessage}</p>`}
${form(visit, `/refunds/${id}/bank-details`, fields, { submit: 'Store account' })}
<p>${link(`/refunds/${id}`, 'Back to the refund')}</p>`
  return { title, main }
}
