import { apiRoot } from '../../registry/kit/endpoint.ts'
import type { Merchant } from '../store/access/merchants.ts'

const commerce = 'npm run -s commerce --'

/** Returns next steps for a service that was started before. Tokens are shown only on the first start. */
export function nextSteps(merchants: readonly Merchant[], url: string): string {
  const live = merchants.filter(({ mode }) => mode === 'live')
  const merchant = live[0]
  if (merchant === undefined) {
    return [
      'There is no merchant yet. Create one, then a token for it:',
      '',
      `${commerce} merchant create --name 'My shop'`,
    ].join('\n')
  }
  const others = live.length === 1 ? '' : `, and ${live.length - 1} more: ${commerce} merchant list`
  return [
    `Merchant ${merchant.name}, ${merchant.id}${others}`,
    'Tokens are shown only once, at creation. List them, or create one for test mode and use it:',
    '',
    `${commerce} token list --merchant ${merchant.id} --mode test`,
    `export COMMERCE_TOKEN=$(${commerce} token create --merchant ${merchant.id} --mode test --name laptop --scopes all | tail -n 1)`,
    `curl -sS --fail-with-body '${url}${apiRoot}/orders?limit=3' -H "Authorization: Bearer $COMMERCE_TOKEN"`,
  ].join('\n')
}
