import { type ConnectableCarrier, connectableCarriers } from '../../../registry/values/carriers.ts'
import {
  callbackSecretNameOf,
  type PaymentProviderName,
  paymentProviders,
} from '../../../registry/values/payment-providers.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { badge, table, time } from '../../markup/parts.ts'
import { credentialFieldsOf } from '../../partners/carriers/credentials.ts'
import type { findCarrierAccounts } from '../../store/logistics/carriers/carrier-accounts.ts'
import type { ProviderKey } from '../../store/payments/provider-keys.ts'
import { command } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'

/**
 * The connections to carriers and payment providers. They can only be created on the command line, so that no page
 * of the dashboard receives a secret.
 */

export interface Connections {
  readonly accounts: Awaited<ReturnType<typeof findCarrierAccounts>>
  readonly keys: readonly ProviderKey[]
}

export function connectionSection({ tenant }: Visit, { accounts, keys }: Connections): Markup {
  if (tenant.mode === 'test')
    return html`<p>Test mode uses simulated carriers and a simulated payment provider. No account is needed.</p>`
  const rows = connectableCarriers.map((carrier) => ({
    name: carrier,
    account: accounts.find((account) => account.carrier === carrier),
  }))
  const carriers = table('Carriers', rows, [
    { title: 'Carrier', cell: ({ name }) => name },
    { title: 'State', cell: ({ account }) => connected(account?.hint) },
    { title: 'Changed', cell: ({ account }) => time(account?.updatedAt ?? null) },
  ])
  const providers = paymentProviders.map(
    ({ name, displayName }) =>
      html`<p>${displayName}: ${connected(keys.find(({ provider }) => provider === name)?.lastFour)}</p>`,
  )
  return html`${carriers}${providers}
<p>An account cannot be connected on this page. Ask the operator of the service to run one of these commands, which read the credentials from standard input:</p>
${command(connectableCarriers.map((carrier) => connectCommand(carrier, tenant.merchantId)).join('\n'))}
${command(paymentProviders.map(({ name }) => providerCommand(name, tenant.merchantId)).join('\n'))}`
}

function connected(hint: string | undefined): Markup {
  if (hint === undefined) return badge('not connected', 'waiting')
  return html`${badge('connected', 'good')} ends in ${hint}`
}

function providerCommand(name: PaymentProviderName, merchantId: string): string {
  const lines = ['secret key', callbackSecretNameOf(name) ?? []].flat()
  return `npm run -s commerce -- payments ${name} --merchant ${merchantId}  # ${lines.join(', then on a second line: ')}`
}

function connectCommand(carrier: ConnectableCarrier, merchantId: string): string {
  const names = credentialFieldsOf(carrier).map(({ name }) => `${name}=…`)
  return `npm run -s commerce -- carrier connect --merchant ${merchantId} --carrier ${carrier}  # ${names.join(', ')}`
}
