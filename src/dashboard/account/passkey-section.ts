import type { listPasskeys } from '../../access/members/register-passkey.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { empty, table, time } from '../../markup/parts.ts'
import { button } from '../kit/form.ts'
import { ago, link } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import type { Visit } from '../kit/visit.ts'
import { hasDomain, hostOf } from '../sign-in/passkey-domain.ts'
import { accountPath } from './paths.ts'

export const passkeysPath = `${accountPath}/passkeys` as const
export const passkeyStartPath = `${passkeysPath}/start` as const

type Passkeys = Awaited<ReturnType<typeof listPasskeys>>

export function passkeySection(visit: Visit, passkeys: Passkeys): Markup {
  const list = passkeys.length === 0 ? empty('You have no passkeys.') : passkeyTable(visit, passkeys)
  return html`<p>A passkey signs you in with the screen lock of your phone or computer. It replaces the password and the code.</p>${list}
${hasDomain(visit) ? button(visit, passkeyStartPath, 'Add a passkey') : domainHint(visit)}`
}

function passkeyTable({ nowMs }: Visit, passkeys: Passkeys): Markup {
  return table('Passkeys', passkeys, [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Created', cell: ({ createdAt }) => time(createdAt) },
    { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : ago(lastUsedAt, nowMs)) },
    { title: 'Action', cell: ({ credentialId }) => link(`${passkeysPath}/${credentialId}/remove`, 'Remove') },
  ])
}

/** Explains why the browser cannot add a passkey, and where a passkey can be added. */
export function domainHint({ origin }: Pick<Visit, 'origin'>): Markup {
  const host = hostOf(origin)
  const reason = html`Passkeys belong to a domain, and ${host} is an IP address.`
  if (host !== '::1' && !host.startsWith('127.')) {
    return html`<p class="hint">${reason} Open the dashboard at the domain of the service to add one.</p>`
  }
  const url = new URL(`${root}${accountPath}`, origin)
  url.hostname = 'localhost'
  return html`<p class="hint">${reason} Sign in at <a href="${url.href}">${url.host}</a> to add one.</p>`
}
