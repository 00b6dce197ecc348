import { z } from 'zod'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { FormValues } from '../kit/draft.ts'
import { headerRows } from '../webhooks/header-rows.ts'

/**
 * A form that was submitted without a valid session, or that needs a recent sign-in. The sign-in forms contain this
 * form in a hidden field, so that the member gets it back with the entered values. The form is not submitted again
 * automatically.
 */
export interface CarriedForm {
  /** The path of the action to which the restored form posts. */
  readonly path: string
  /** The merchant and the mode, live or test, for which the form was rendered. */
  readonly tenant: string | null
  readonly values: FormValues
}

const Carried = z.strictObject({
  path: z.string(),
  tenant: z.string().nullable(),
  values: z.record(z.string(), z.array(z.string())),
})

const name = 'carried'

export function carriedField(carried: CarriedForm | undefined): Markup {
  if (carried === undefined) return nothing
  return html`<input type="hidden" name="${name}" value="${JSON.stringify(carried)}">`
}

/** A damaged form is not restored, because the member can fill it in again. */
export function carriedOf(form: URLSearchParams): CarriedForm | undefined {
  const text = form.get(name)
  if (text === null) return undefined
  try {
    const parsed = Carried.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Form fields whose values must not be written into a page. The member enters these values again. */
const secretFields = new Set<string>([
  ...['password', 'currentPassword', 'newPassword', 'code', 'credential'],
  ...headerRows.map(([, valueField]) => valueField),
])

/** Empties the secret fields. An emptied field is not removed, so that its form can ask for the value again. */
export function withoutSecrets(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values).map(([field, list]) => [field, secretFields.has(field) ? [''] : list]),
  )
}
