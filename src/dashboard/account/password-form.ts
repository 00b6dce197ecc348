import { html, type Markup } from '../../markup/markup.ts'
import type { Draft } from '../kit/draft.ts'
import { form, textField } from '../kit/form.ts'
import type { Visit } from '../kit/visit.ts'
import { newPasswordField } from '../sign-in/new-password.ts'
import { accountPath } from './paths.ts'

export const passwordPath = `${accountPath}/password` as const

export function passwordForm(visit: Visit, draft: Draft, isSecondary: boolean): Markup {
  const current = textField(draft, {
    ...{ name: 'currentPassword', label: 'Current password', type: 'password' },
    ...{ autocomplete: 'current-password', isRequired: true },
  })
  return html`<p>A new password signs out all your other browsers.</p>
${form(visit, passwordPath, html`${current}${newPasswordField(draft)}`, { submit: 'Change password', isSecondary })}`
}
