import { apiRoot } from '../../registry/kit/endpoint.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { listMembers } from '../store/access/members.ts'
import { listMerchants } from '../store/access/merchants.ts'
import type { Database } from '../store/core/database.ts'

const commerce = 'npm run -s commerce --'

/**
 * Returns the next steps that the command line shows after a later start of the service. Tokens and links are shown
 * only on the first start. If the service uses the operator's own database server, the commands need the same
 * environment variables as the service, because they would otherwise use an embedded database.
 */
export async function nextSteps(database: Database, url: string, hasOwnServer = false): Promise<string> {
  const steps = await stepsOf(database, url)
  return hasOwnServer ? `${steps}\n\n${ownServerNote}` : steps
}

const ownServerNote =
  'Run these commands with the DATABASE_URL and the ENCRYPTION_KEY of this process. The guide Deployment shows how.'

async function stepsOf(database: Database, url: string): Promise<string> {
  const live = (await listMerchants(database, {})).filter(({ mode }) => mode === 'live')
  const merchant = live[0]
  if (merchant === undefined) {
    return [
      'There is no merchant yet. Create a merchant, then an API token for it:',
      '',
      `${commerce} merchant create --name 'My shop'`,
    ].join('\n')
  }
  const others = live.length === 1 ? '' : `, and ${live.length - 1} more: ${commerce} merchant list`
  return [
    `Merchant ${merchant.name}, ${merchant.id}${others}`,
    ...(await dashboardSteps(database, merchant.id, url)),
    'API tokens are shown only once, when they are created. List the tokens, or create one for test mode:',
    '',
    `${commerce} token list --merchant ${merchant.id} --mode test`,
    `export COMMERCE_TOKEN=$(${commerce} token create --merchant ${merchant.id} --mode test --name laptop --scopes all | tail -n 1)`,
    `curl -sS --fail-with-body '${url}${apiRoot}/orders?limit=3' -H "Authorization: Bearer $COMMERCE_TOKEN"`,
  ].join('\n')
}

async function dashboardSteps(database: Database, merchantId: MerchantId, url: string): Promise<readonly string[]> {
  const owner = (await listMembers(database, merchantId)).find(({ role }) => role === 'owner')
  if (owner === undefined) {
    return [
      'The merchant has no member who can sign in to the dashboard. Create an invitation link for its owner:',
      '',
      `${commerce} member invite --merchant ${merchantId} --role owner --email you@example.com`,
      '',
    ]
  }
  return [
    `Sign in to the dashboard at ${url}/dashboard. If the owner of the merchant cannot sign in, create a link that sets a new password:`,
    '',
    `${commerce} member recover --merchant ${merchantId} --member ${owner.email}`,
    '',
  ]
}
