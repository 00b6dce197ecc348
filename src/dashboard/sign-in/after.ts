import { html, type Markup } from '../../markup/markup.ts'
import { hiddenField } from '../kit/form.ts'
import { ownPath } from '../kit/respond.ts'
import { type CarriedForm, carriedField, carriedOf } from './carried.ts'

/** The page to open after sign-in, and the form to restore. The sign-in forms contain both in hidden fields. */
export interface After {
  readonly next: string
  readonly carried: CarriedForm | undefined
}

export function afterOf(form: URLSearchParams): After {
  return { next: ownPath(form.get('next')), carried: carriedOf(form) }
}

export function afterFields({ next, carried }: After): Markup {
  return html`${hiddenField('next', next)}${carriedField(carried)}`
}
