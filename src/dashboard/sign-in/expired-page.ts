import { html } from '../../markup/markup.ts'
import { formValuesOf } from '../kit/draft.ts'
import { root } from '../kit/root.ts'
import type { Site } from '../kit/site.ts'
import type { Visitor } from '../kit/visitor.ts'
import { withoutSecrets } from './carried.ts'
import { showSignIn } from './sign-in-page.ts'

/**
 * Maximum size in bytes of a form that is restored after sign-in. The sign-in page contains the input of the expired
 * form in a hidden field. The input must therefore fit into the size limit of the sign-in forms too.
 */
const carriedMaxBytes = 32 * 1024

/**
 * Responds to a form that was submitted after its session had expired. The response is the sign-in page, which contains
 * the input in a hidden field.
 */
export async function expiredPage(site: Site, visitor: Visitor, path: string): Promise<Response> {
  const form = await visitor.browser.readForm(carriedMaxBytes)
  const values = withoutSecrets(formValuesOf(form))
  const intro = html`<p>Your sign-in has expired. Sign in first: the form that you submitted then opens again with your input.</p>`
  return showSignIn(
    site,
    visitor,
    { next: root, carried: { path, tenant: form.get('tenant'), values } },
    { intro, status: 401 },
  )
}

interface LargeForm {
  readonly path: string
  /** The step that the member must repeat, in the words that follow “Sign in, and” in the sentence. */
  readonly lost: 'choose the file' | 'fill in the form'
}

/**
 * Responds to a form with a file or a long text that was submitted after the session had expired. The response is the
 * sign-in page, as for other forms. The submitted values are neither read nor restored after the sign-in, because the
 * sign-in forms cannot contain a file or a long text.
 */
export function expiredLargePage(site: Site, visitor: Visitor, { path, lost }: LargeForm): Promise<Response> {
  const intro = html`<p>Your sign-in has expired. Sign in, and ${lost} again.</p>`
  return showSignIn(site, visitor, { next: path, carried: undefined }, { intro, status: 401 })
}
