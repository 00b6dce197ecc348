import { html, type Markup } from '../../markup/markup.ts'
import { count, time } from '../../markup/parts.ts'
import type { ChainHead } from '../../store/audit/chain.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { textField } from '../kit/form.ts'
import { command } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import type { Visit } from '../kit/visit.ts'
import { auditPath } from './filter.ts'

export function chainSection({ tenant }: Pick<Visit, 'tenant'>, head: ChainHead | undefined): Markup {
  if (head === undefined)
    return html`<p>No row is linked yet. The worker links new rows into the hash chain every minute.</p>`
  const signature = head.signature === null ? 'linked without a signature, so the link proves nothing,' : 'signed'
  return html`<p>${count(head.number)} ${head.number === 1 ? 'row is' : 'rows are'} linked. The newest head was ${signature} at ${time(head.sealedAt)}.</p>
${verifyForm(newDraft({}))}
<p>To verify the log at the command line:</p>${verifyCommand(tenant.merchantId)}`
}

export function verifyForm(draft: Draft): Markup {
  return html`<form method="get" action="${root}${auditPath}/verify" class="filters">${textField(draft, { name: 'head', label: 'Head', hint: 'Optional. Chain head from an earlier verification or an e-mail' })}<button>Verify</button></form>`
}

/**
 * Shows the command that verifies the audit log. If `head` is given, it is the chain head of an earlier verification,
 * and the command also checks that the log contains it.
 */
export function verifyCommand(merchantId: string, head?: string): Markup {
  const known = head === undefined ? '' : ` --head ${head}`
  return command(`npm run -s commerce -- audit verify --merchant ${merchantId}${known}`)
}
