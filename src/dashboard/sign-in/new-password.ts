import { type PasswordProblem, passwordLength } from '../../access/members/password.ts'
import type { Markup } from '../../markup/markup.ts'
import type { Draft } from '../kit/draft.ts'
import { textField } from '../kit/form.ts'

const { min, max } = passwordLength

const problems: Readonly<Record<PasswordProblem, string>> = {
  too_short: `Use at least ${min} characters. A sentence of a few words is easy to remember.`,
  too_long: `Use at most ${max} characters.`,
  is_email: 'Use a password that is not your e-mail address.',
  too_common: 'This password is one of the most common passwords. Choose another password.',
}

export function weaknessOf(problem: PasswordProblem): string {
  return problems[problem]
}

export function newPasswordField(draft: Draft): Markup {
  return textField(draft, {
    ...{ name: 'newPassword', label: 'New password', hint: `At least ${min} characters.` },
    ...{ type: 'password', autocomplete: 'new-password', isRequired: true },
  })
}
