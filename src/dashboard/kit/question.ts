import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { FormValues } from './draft.ts'
import { form, hiddenField } from './form.ts'
import { memberPage } from './layout.ts'
import { link } from './parts.ts'
import { pageResponse } from './respond.ts'
import { root } from './root.ts'
import type { Action, Question } from './route.ts'
import type { Match } from './routing.ts'
import type { Site } from './site.ts'
import type { Visit } from './visit.ts'

interface Asked {
  /** The path to which the form of the confirmation question is posted, such as `/dashboard/orders/ord_…/cancel`. */
  readonly path: string
  readonly values: FormValues
  readonly question: Question
}

/** The form of the confirmation page contains the values that the member submitted for the action. */
export async function showQuestion(
  site: Site,
  visit: Visit,
  { route, params }: Match<Action>,
  { path, values, question }: Asked,
): Promise<Response> {
  // The form of the action is rendered first, because rendering it reads the record. A request for an unknown record
  // therefore gets 404 instead of a confirmation page.
  const { title: formTitle } = await route.form(visit, params, { values, problems: [] })
  const hidden = Object.entries(values).flatMap(([name, list]) => list.map((value) => hiddenField(name, value)))
  const own = path.slice(root.length)
  const [, list = ''] = own.split('/')
  const back = site.routes.findPage(path) === undefined ? `/${list}` : own
  // The confirmation form has the same id as the submitted form. Since each form id is accepted once, the action runs
  // only once, even if the first form is submitted several times.
  const owner = { hiddenFields: () => ({ ...visit.hiddenFields(), formId: visit.formId }) }
  const title = `Confirm: ${formTitle}`
  const main = html`${heading(title)}<p role="status" data-question>${question.text} Nothing has been changed yet.</p>
${form(owner, own, html`${hidden}`, { submit: question.submit, isDangerous: true, isConfirmation: true })}
<p>${link(back, 'Go back without a change')}</p>`
  return pageResponse(memberPage(site.assets, visit, { title, main }), visit.requestId)
}
