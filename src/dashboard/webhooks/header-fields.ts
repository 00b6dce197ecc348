import { z } from 'zod'
import { webhookHeaderNameMaxLength, webhookHeadersMax } from '../../../registry/values/limits.ts'
import { type HeaderChange, type HeadersRefused, hasHeader } from '../../access/change-headers.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { Draft } from '../kit/draft.ts'
import { chosenIds } from '../kit/fields.ts'
import { checkBoxes, hiddenField, textField } from '../kit/form.ts'
import { type HeaderRow, headerRows } from './header-rows.ts'

/**
 * The custom headers in the form of a webhook endpoint. No page contains a value: a stored header has an empty field for
 * a new value, and a check box that removes the header.
 */

const name = z.string().trim().optional()
const value = z.string().trim().optional()

export const headerFields = {
  ...{ headerName1: name, headerName2: name, headerName3: name, headerName4: name, headerName5: name },
  ...{ headerValue1: value, headerValue2: value, headerValue3: value, headerValue4: value, headerValue5: value },
  removedHeaders: chosenIds,
}

type HeaderValues = z.output<z.ZodObject<typeof headerFields>>

export type HeadersInForm =
  | { readonly is: 'complete'; readonly headers: HeaderChange }
  | { readonly is: 'refused'; readonly field: string; readonly message: string }

/**
 * Returns the change of the custom headers that a submitted form describes. `stored` contains the names of the headers
 * that the endpoint has now.
 */
export function headersIn(fields: HeaderValues, stored: readonly string[]): HeadersInForm {
  const set: HeaderChange['set'][number][] = []
  for (const [index, [nameField, valueField]] of headerRows.entries()) {
    const [header, text] = [fields[nameField], fields[valueField]]
    if (header === undefined && text === undefined) continue
    if (header === undefined)
      return { is: 'refused', field: nameField, message: `Enter the name of header ${index + 1}.` }
    if (fields.removedHeaders.includes(header)) continue
    // A stored header without a new value stays as it is. Any other header without a value is refused.
    if (text !== undefined || !hasHeader(stored, header)) set.push({ name: header, value: text ?? '' })
  }
  return { is: 'complete', headers: { set, remove: fields.removedHeaders } }
}

/** Returns the problems of rejected headers, each at the form field with the name or the value of the header. */
export function headerProblem(fields: HeaderValues, { name, names = [], part, reason }: HeadersRefused) {
  const refused = name === undefined ? names : [name]
  const rows = refused
    .map((each) => headerRows.findLast(([nameField]) => fields[nameField] === each))
    .filter((row) => row !== undefined)
  const message = name === undefined ? reason : `${name.slice(0, webhookHeaderNameMaxLength)}: ${reason}`
  const problems = rows.map((row) => ({ field: row[part === 'value' ? 1 : 0], message }))
  return { is: 'invalid', problems: problems.length === 0 ? [{ field: undefined, message }] : problems } as const
}

export function headerInputs(draft: Draft, stored: readonly string[]): Markup {
  const isOpen = stored.length > 0 || headerRows.flat().some((field) => draft.values[field] !== undefined)
  const removal = checkBoxes(draft, {
    ...{ name: 'removedHeaders', label: 'Remove headers' },
    choices: stored.map((each) => [each, each] as const),
  })
  return html`<details class="field"${isOpen ? html` open` : nothing}><summary>Custom headers</summary>
<p class="hint">Each delivery has these headers, for example with the key of an API gateway. The maximum number of headers is ${webhookHeadersMax}. The values are never shown again.</p>
${headerRows.map((row, index) => headerInput(draft, { row, number: index + 1, stored: stored[index] }))}
${stored.length === 0 ? nothing : removal}</details>`
}

const keptHint = 'Leave empty to use the stored value, unless the URL gets another scheme, host or port.'

interface HeaderInput {
  readonly row: HeaderRow
  readonly number: number
  /** Undefined for a new header. */
  readonly stored: string | undefined
}

function headerInput(draft: Draft, { row: [nameField, valueField], number, stored }: HeaderInput): Markup {
  // When a rejected form is shown again, it does not contain the header value that the member entered, because the
  // value may be a secret.
  const isEnteredAgain = draft.values[valueField] !== undefined
  const hint = isEnteredAgain ? 'Enter the value again.' : stored && keptHint
  const input = textField(draft, {
    ...{ name: valueField, type: 'password', autocomplete: 'new-password', isRequired: isEnteredAgain },
    label: stored === undefined ? `Value of header ${number}` : `New value of ${stored}`,
    ...(hint === undefined ? {} : { hint }),
  })
  if (stored !== undefined) return html`${hiddenField(nameField, stored)}${input}`
  return html`${textField(draft, { name: nameField, label: `Name of header ${number}` })}${input}`
}
