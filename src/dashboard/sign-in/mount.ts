import type { Hono } from 'hono'
import { redirect } from '../kit/respond.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import type { DashboardEnv, Visitor } from '../kit/visitor.ts'
import { codePage, submitCode } from './code-page.ts'
import { confirmPasskeyOptions, submitConfirm, submitConfirmPasskey } from './confirm-page.ts'
import { invitationPage, submitInvitation } from './invitation-page.ts'
import { linkPage, submitLink } from './link-page.ts'
import { passkeyOptions, submitPasskey } from './passkey.ts'
import { noMerchantPage, submitMerchant, submitSignOut } from './session-forms.ts'
import { setupPage, submitSetup } from './setup-page.ts'
import { signIn, signInPage } from './sign-in-page.ts'

type Handler = (site: Site, visitor: Visitor, token: string) => Promise<Response>

/**
 * The dashboard routes that do not require a complete sign-in. `:token` is the secret of a sign-in link or an
 * invitation.
 */
const handlers: readonly (readonly [method: 'GET' | 'POST', path: string, handler: Handler])[] = [
  ['GET', '/sign-in', signInPage],
  ['POST', '/sign-in', signIn],
  ['GET', '/sign-in/code', codePage],
  ['POST', '/sign-in/code', submitCode],
  ['POST', '/sign-in/passkey', submitPasskey],
  ['POST', '/sign-in/passkey/options', passkeyOptions],
  ['POST', '/sign-in/confirm', submitConfirm],
  ['POST', '/sign-in/confirm/passkey', submitConfirmPasskey],
  ['POST', '/sign-in/confirm/passkey/options', confirmPasskeyOptions],
  ['GET', '/sign-in/setup', setupPage],
  ['POST', '/sign-in/setup', submitSetup],
  ['GET', '/sign-in/link/:token', linkPage],
  ['POST', '/sign-in/link/:token', submitLink],
  ['GET', '/sign-in/no-merchant', noMerchantPage],
  ['GET', '/invitations/:token', invitationPage],
  ['POST', '/invitations/:token', submitInvitation],
  ['POST', '/sign-out', submitSignOut],
  ['POST', '/select-merchant', submitMerchant],
]

export const signInPages: readonly string[] = handlers.flatMap(([method, path]) => (method === 'GET' ? [path] : []))

export function mountSignIn(app: Hono<DashboardEnv>, site: Site): void {
  for (const [method, path, handler] of handlers) {
    app.on(method, path, (c) => handler(site, c.get('visitor'), c.req.param('token') ?? ''))
    // Some paths of the sign-in only accept the POST request of a form, and respond with a page. When a member returns
    // to this page with Back or Forward, the script of the dashboard requests the path with GET. The request is
    // redirected to the start page.
    if (!signInPages.includes(path)) app.get(path, (c) => redirect(root, c.get('visitor').requestId))
  }
}
