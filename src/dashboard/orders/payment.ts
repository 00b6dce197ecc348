import { z } from 'zod'
import type { ErrorCode } from '../../../registry/errors/index.ts'
import { paymentMethods } from '../../../registry/orders/order-states.ts'
import { paymentInputProviders } from '../../../registry/orders/payments.ts'
import { paymentProviders, testPaymentProvider } from '../../../registry/values/payment-providers.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { heading, money } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, type FieldProblem, newDraft } from '../kit/draft.ts'
import { checkBox, lagosTime, line, nairaAmount } from '../kit/fields.ts'
import { checkBoxes, form, optionsOf, select, textField } from '../kit/form.ts'
import { koboText, link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'

const path = '/orders/{id}/payment'
const permission = 'orders:write'

/** Maximum length of a payment reference, the same as in the API. */
const referenceMaxLength = 100

function providerSelect({ tenant }: Visit, draft: Draft): Markup {
  const available = paymentProviders.filter(({ name }) => tenant.mode === 'live' || name === testPaymentProvider)
  const hint = available.map(
    ({ displayName }) =>
      `With ${displayName}, the payment is recorded only if ${displayName} confirms the reference and the amount.`,
  )
  const names = [
    ['manual', 'None: cash or a bank transfer'],
    ...available.map(({ name, displayName }) => [name, displayName] as const),
  ] as const
  return select(draft, { name: 'provider', label: 'Provider', hint: hint.join(' '), choices: names })
}

export const paymentPage = page({ path, permission, show: (visit, { id }) => formPage(visit, id) })

export const recordPaymentAction = action({
  path,
  permission,
  done: 'The payment was recorded.',
  question: null,
  fields: z.strictObject({
    amount: nairaAmount,
    method: z.enum(paymentMethods, { error: 'Choose a method.' }),
    reference: line(referenceMaxLength),
    paidAt: lagosTime.optional(),
    provider: z.enum(paymentInputProviders).optional(),
    allowOverpayment: checkBox,
  }),
  form: (visit, { id }, draft) => formPage(visit, id, draft),
  run: async (visit, { id }, { amount, method, reference, paidAt, provider, allowOverpayment }) => {
    const more = { ...(paidAt === undefined ? {} : { paidAt }), ...(provider === undefined ? {} : { provider }) }
    const body = { amountKobo: amount, method, reference, allowOverpayment, ...more }
    const called = await visit.call('recordPayment', { params: { id }, body })
    if (called.is === 'answered') return { is: 'done', to: `/orders/${id}` }
    const problem = problems[called.refusal.code]
    if (problem !== undefined) return { is: 'invalid', problems: [problem] }
    return refusedBy(called.refusal, {
      amountKobo: 'amount',
      method: 'method',
      reference: 'reference',
      paidAt: 'paidAt',
    })
  },
})

/** For each error code: the form field at which the error is shown, and the message for the member. */
const problems: Partial<Record<ErrorCode, FieldProblem>> = {
  payment_exceeds_due: {
    field: 'amount',
    message: 'The amount is more than the amount due. If it was received, tick “Record more than the amount due”.',
  },
  payment_reference_in_use: { field: 'reference', message: 'Another payment with this reference is already recorded.' },
  paid_at_out_of_range: { field: 'paidAt', message: 'Enter a time between the creation of the order and now.' },
}

async function formPage(visit: Visit, id: string, given?: Draft): Promise<Content> {
  const { number, balanceKobo, paymentMethod } = await read(visit, 'getOrder', { params: { id } })
  const draft = given ?? newDraft({ amount: koboText(Math.max(0, balanceKobo)), method: paymentMethod })
  const title = `Record a payment for ${number}`
  const fields = html`${textField(draft, { name: 'amount', label: 'Amount in naira', inputMode: 'decimal', isRequired: true })}
${select(draft, { name: 'method', label: 'Method', choices: optionsOf(paymentMethods) })}
${textField(draft, { name: 'reference', label: 'Reference', hint: `The number of the payment at the bank, terminal or provider. For cash, enter a number of your own, such as ${number}-1, because two payments cannot have the same reference.`, isRequired: true })}
${textField(draft, { name: 'paidAt', label: 'Received (Lagos time)', hint: 'Leave the field empty for the current time.', type: 'datetime-local' })}
${providerSelect(visit, draft)}
${checkBoxes(draft, { name: 'allowOverpayment', label: 'Overpayment', choices: [['yes', 'Record more than the amount due', 'For example for a tip, or if the customer paid too much.']] })}`
  const main = html`${heading(title)}<p>${money(balanceKobo)} is due.</p>
${form(visit, `/orders/${id}/payment`, fields, { submit: 'Record payment' })}
<p>${link(`/orders/${id}`, 'Back to the order')}</p>`
  return { title, main }
}
