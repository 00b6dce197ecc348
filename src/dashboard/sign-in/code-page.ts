import { verifyTotp } from '../../access/members/verify-totp.ts'
import { html } from '../../markup/markup.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, textField } from '../kit/form.ts'
import { plainPage } from '../kit/layout.ts'
import { membersContextOf } from '../kit/members-context.ts'
import { findOpenSession } from '../kit/open-session.ts'
import { ownPath, pageResponse, redirect } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import { readOwnForm, type Visitor, visitorForms } from '../kit/visitor.ts'
import { type After, afterFields, afterOf } from './after.ts'
import { delayOf } from './delay.ts'
import { finishSignIn } from './finish.ts'

/** The second page of a sign-in, which asks for the code of an authenticator app or a backup code. */

const path = '/sign-in/code'

export function codePage(site: Site, visitor: Visitor): Promise<Response> {
  return showCode(site, visitor, { next: ownPath(visitor.query.next), carried: undefined })
}

interface CodeView {
  readonly draft?: Draft
  readonly status?: number
}

export function showCode(site: Site, visitor: Visitor, after: After, view: CodeView = {}): Promise<Response> {
  const { draft = newDraft(), status = 200 } = view
  const code = textField(draft, {
    ...{
      name: 'code',
      label: 'Code',
      hint: 'The six digits that your authenticator app shows now, or a backup code.',
      isRequired: true,
    },
    autocomplete: 'one-time-code',
  })
  const main = html`<h1>Enter your code</h1>
${form(visitorForms(visitor), path, html`${afterFields(after)}${code}`, { submit: 'Sign in' })}`
  return pageResponse(
    plainPage(site.assets, { title: 'Enter your code', main, problems: draft.problems }),
    visitor.requestId,
    status,
  )
}

export async function submitCode(site: Site, visitor: Visitor): Promise<Response> {
  const sent = await readOwnForm(visitor, visitor.readCookie('visitor'))
  const after = afterOf(sent)
  const found = await findOpenSession(site.dashboard, visitor)
  if (found.is === 'none') return redirect(`${root}/sign-in`, visitor.requestId)
  const code = (sent.get('code') ?? '').replaceAll(/\s/g, '')
  const signedIn = { session: found.session, source: visitor.source }
  const attempt = { code, deviceToken: visitor.readCookie('device') ?? null }
  const outcome = await verifyTotp(membersContextOf(site.dashboard), signedIn, attempt)
  const refuse = (message: string, status: number) =>
    showCode(site, visitor, after, { draft: { values: {}, problems: [{ field: 'code', message }] }, status })
  switch (outcome.is) {
    case 'signed_in':
      return finishSignIn(site, visitor, outcome, after)
    case 'wrong_code':
      return refuse('The code is wrong, or was used before. Wait for the next code.', 422)
    case 'session_ended':
      return redirect(`${root}/sign-in`, visitor.requestId)
    case 'backed_off':
      return refuse(delayOf(outcome), 429)
  }
}
