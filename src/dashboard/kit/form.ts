import { html, type Markup, nothing } from '../../markup/markup.ts'
import { type Draft, fieldValue, problemsOf } from './draft.ts'
import { root } from './root.ts'
import type { Visit } from './visit.ts'

/**
 * The HTML parts of forms. Every form works without JavaScript: the server validates the form and, if there are
 * problems, shows the form again with the problems.
 */

interface FormOptions {
  readonly submit: string
  /** Whether the action cannot be undone. The button then has a warning colour. */
  readonly isDangerous?: boolean
  /**
   * Whether the main action of the page is the button of another form. The button of this form then has no fill colour.
   */
  readonly isSecondary?: boolean
  /** Whether the form is on a confirmation page. The submission of the form then confirms the action. */
  readonly isConfirmation?: boolean
  readonly hasFile?: boolean
  /** A second button of the form, such as a preview. The field `intent` tells the action which button was used. */
  readonly other?: { readonly label: string; readonly intent: string }
}

/** The session or visitor for which a form is rendered. It supplies the values of the form's hidden fields. */
export type FormOwner = Pick<Visit, 'hiddenFields'>

export function ownFields(owner: FormOwner): Markup {
  const { csrf, formId, tenantId } = owner.hiddenFields()
  return html`${hiddenField('csrf', csrf)}${hiddenField('form', formId)}${tenantId === null ? nothing : hiddenField('tenant', tenantId)}`
}

export function form(owner: FormOwner, path: string, fields: Markup, options: FormOptions): Markup {
  const { submit, isDangerous, isSecondary, isConfirmation = false, hasFile = false, other } = options
  return html`<form method="post" action="${root}${path}" class="form"${hasFile ? html` enctype="multipart/form-data"` : nothing}>
${ownFields(owner)}${isConfirmation ? hiddenField('confirmed', 'yes') : nothing}
${fields}
<div class="buttons">${other === undefined ? nothing : html`<button name="intent" value="${other.intent}">${other.label}</button>`}<button${buttonClass({ isMain: isSecondary !== true, isDangerous: isDangerous === true })}>${submit}</button></div>
</form>`
}

/** Only the button of the page's main action has a filled background. */
function buttonClass({ isMain, isDangerous }: { readonly isMain: boolean; readonly isDangerous: boolean }): Markup {
  const names = [...(isMain ? ['main'] : []), ...(isDangerous ? ['danger'] : [])]
  return names.length === 0 ? nothing : html` class="${names.join(' ')}"`
}

interface ButtonOptions {
  readonly hidden?: Readonly<Record<string, string>>
  readonly isDangerous?: boolean
  readonly isMain?: boolean
  /**
   * Name of the record in the same row of a list. Screen readers read the name with the button, so that users can
   * distinguish buttons with the same label.
   */
  readonly record?: string
}

/** Returns a form that has only a button and posts to an action. Hidden values may name the record and its version. */
export function button(
  owner: FormOwner,
  path: string,
  label: string,
  { hidden = {}, isDangerous = false, isMain = false, record }: ButtonOptions = {},
): Markup {
  return html`<form method="post" action="${root}${path}" class="inline">
${ownFields(owner)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button${buttonClass({ isMain, isDangerous })}${record === undefined ? nothing : html` aria-label="${label} ${record}"`}>${label}</button></form>`
}

interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly hint?: string
}

interface TextOptions extends FieldOptions {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'datetime-local' | 'search'
  readonly isRequired?: boolean
  readonly autocomplete?: string
  readonly inputMode?: 'numeric' | 'decimal'
  readonly placeholder?: string
  /** The id of the element `datalist` with values that the browser suggests. */
  readonly suggestions?: string
}

export function textField(draft: Draft, options: TextOptions): Markup {
  const { name, type = 'text', isRequired = false, autocomplete = 'off', inputMode, placeholder, suggestions } = options
  const value = type === 'password' ? '' : fieldValue(draft, name)
  const input = html`<input id="f-${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${inputMode === undefined ? nothing : html` inputmode="${inputMode}"`}${isRequired ? html` required` : nothing}${placeholder === undefined ? nothing : html` placeholder="${placeholder}"`}${suggestions === undefined ? nothing : html` list="${suggestions}"`}${described(draft, options)}>`
  return labelled(draft, options, input)
}

export function fileField(draft: Draft, options: FieldOptions & { readonly accept: string }): Markup {
  const { name, accept } = options
  const input = html`<input id="f-${name}" name="${name}" type="file" accept="${accept}" required${described(draft, options)}>`
  return labelled(draft, options, input)
}

export function textArea(draft: Draft, options: FieldOptions): Markup {
  const { name } = options
  // HTML drops a line break directly after the start tag of a `textarea`. The line break added here is dropped instead
  // of one at the start of the value.
  const area = html`<textarea id="f-${name}" name="${name}" rows="4"${described(draft, options)}>${'\n'}${fieldValue(draft, name)}</textarea>`
  return labelled(draft, options, area)
}

export type Choice = readonly [value: string, label: string]

/** `all` is the label of the first option, whose value is empty. */
export function optionsOf(values: readonly string[], all?: string): readonly (readonly [string, string])[] {
  const choices = values.map((value) => [value, value.replaceAll('_', ' ')] as const)
  return all === undefined ? choices : [['', all], ...choices]
}

export function select(draft: Draft, options: FieldOptions & { readonly choices: readonly Choice[] }): Markup {
  const { name, choices } = options
  const chosen = fieldValue(draft, name)
  const option = ([value, label]: Choice) =>
    html`<option value="${value}"${value === chosen ? html` selected` : nothing}>${label}</option>`
  const input = html`<select id="f-${name}" name="${name}"${described(draft, options)}>${choices.map(option)}</select>`
  return labelled(draft, options, input)
}

/**
 * Returns the select field of a list filter. If the URL filters by several values, such as `needs_attention,failed`,
 * the field gets an additional option for this combination. The combination then stays selected when the member submits
 * the form.
 */
export function filterSelect(draft: Draft, options: FieldOptions & { readonly choices: readonly Choice[] }): Markup {
  const { name, choices } = options
  const combined = fieldValue(draft, name)
  const parts = choices.filter(([value]) => value !== '' && combined.split(',').includes(value))
  if (parts.length < 2) return select(draft, options)
  const label = parts.map(([, part]) => part).join(' or ')
  return select(draft, { ...options, choices: [...choices, [combined, label]] })
}

export function checkBoxes(
  draft: Draft,
  {
    name,
    label,
    hint,
    choices,
  }: FieldOptions & { readonly choices: readonly (readonly [value: string, label: string, hint?: Markup | string])[] },
): Markup {
  const chosen = draft.values[name] ?? []
  const box = ([value, text, more]: readonly [string, string, (Markup | string)?]) =>
    html`<label class="box"><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) ? html` checked` : nothing}><span>${text}${more === undefined ? nothing : html`<small>${more}</small>`}</span></label>`
  return html`<fieldset class="field" id="f-${name}" tabindex="-1"><legend>${label}</legend>${hint === undefined ? nothing : html`<p class="hint">${hint}</p>`}${problemList(draft, name)}${choices.map(box)}</fieldset>`
}

export function hiddenField(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

function labelled(draft: Draft, { name, label, hint }: FieldOptions, input: Markup): Markup {
  return html`<div class="field"><label for="f-${name}">${label}</label>${hint === undefined ? nothing : html`<p class="hint" id="h-${name}">${hint}</p>`}${input}${problemList(draft, name)}</div>`
}

export function problemList(draft: Draft, name: string): Markup {
  const problems = problemsOf(draft, name)
  if (problems.length === 0) return nothing
  return html`<p class="problem" id="p-${name}" role="alert">${problems.join(' ')}</p>`
}

/** Connects a form field with its hint text and its problems, so that screen readers read them with the field. */
export function described(draft: Draft, { name, hint }: Omit<FieldOptions, 'label'>): Markup {
  const hasProblem = problemsOf(draft, name).length > 0
  const ids = [...(hint === undefined ? [] : [`h-${name}`]), ...(hasProblem ? [`p-${name}`] : [])]
  if (ids.length === 0) return nothing
  return html` aria-describedby="${ids.join(' ')}"${hasProblem ? html` aria-invalid="true"` : nothing}`
}

/**
 * Returns the filter form of a list, which puts its values into the URL. On a phone, the fields are folded, and their
 * summary shows how many filters are in use. If at least one filter is in use, the form has the link “Clear”.
 */
export function filterForm(path: string, draft: Draft, fields: Markup): Markup {
  return filterFormWith(path, draft, html`${fields}<button>Filter</button>`)
}

/**
 * Returns the filter form for a list page that offers no other action. The filter button is then the main action of the
 * page.
 */
export function mainFilterForm(path: string, draft: Draft, fields: Markup): Markup {
  return filterFormWith(path, draft, html`${fields}<button class="main">Filter</button>`)
}

function filterFormWith(path: string, { values, problems }: Draft, controls: Markup): Markup {
  const { cursor: _cursor, ...filters } = values
  const used = Object.keys(filters).length
  const summary = used === 0 ? 'Filter' : `Filter (${used})`
  return html`<form method="get" action="${root}${path}" class="filters" role="search" aria-label="Filter of the list"><details class="fold"${problems.length > 0 ? html` open` : nothing}><summary>${summary}</summary><div class="fields">${controls}${used === 0 ? nothing : html` <a href="${root}${path}">Clear</a>`}</div></details></form>`
}
