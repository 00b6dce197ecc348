import { z } from 'zod'
import type { FormValues } from '../kit/draft.ts'
import { html, type Markup, nothing } from '../kit/markup.ts'

/**
 * A form that was submitted without a valid session, or that needs a recent sign-in. The sign-in forms carry it in a hidden
 * field, so that the member gets it back, filled in. It is never submitted without the member.
 */
export interface CarriedForm {
  /** The path of the action. */
  readonly path: string
  /** The merchant that the form was made for, live or test. */
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

/** Reads a carried form. A damaged one is dropped, because the member can fill in the form again. */
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

/** Fields whose values must not be written into a page. The member enters them again. */
const secretFields = new Set(['password', 'currentPassword', 'newPassword', 'code', 'credential'])

export function withoutSecrets(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !secretFields.has(field)))
}
