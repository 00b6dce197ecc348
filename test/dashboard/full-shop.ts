import { Secret, TOTP } from 'otpauth'
import { type MerchantId, UserId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { disableWebhookEndpoint } from '../../src/access/disable-webhook-endpoint.ts'
import { inviteMember } from '../../src/access/members/invite-member.ts'
import { replaySince } from '../../src/access/replay-since.ts'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { runImport } from '../../src/commerce/imports/run-import.ts'
import { uploadFile } from '../../src/commerce/imports/upload-file.ts'
import { seedSamples } from '../../src/demo/seed-samples.ts'
import { openSafeFetch } from '../../src/outbound/safe-fetch.ts'
import { insertPasskey } from '../../src/store/access/passkeys.ts'
import { bookkeep } from '../../src/store/core/bookkeeping.ts'
import { insertRequests } from '../../src/store/requests/request-log.ts'
import { openSecretCache } from '../../src/webhooks/open-secrets.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { type TestApi, vault } from '../support/api.ts'
import { fileOf } from '../support/commerce/import-files.ts'
import { moveOrderTo } from '../support/commerce/order-transitions.ts'
import { setPickup } from '../support/commerce/return-to-ship.ts'
import { formOf, openBrowser, type SignedInMember, signedIn } from '../support/dashboard.ts'
import { select } from '../support/database-contents.ts'
import { storeShipment } from '../support/logistics/shipment.ts'
import { notify } from '../support/notify.ts'
import { mintToken, operator, placeOrder, type Shop } from '../support/shop.ts'
import { deliver } from '../webhooks/shop.ts'

export interface FullShop {
  /** The merchant in test mode, with its records. */
  readonly shop: Shop
  /** The merchant in live mode, which has the members. */
  readonly liveId: MerchantId
  /** The owner of the merchant, signed in to test mode. */
  readonly owner: SignedInMember
}

/**
 * Opens a merchant with test mode records of every kind that the dashboard shows. The records are in all states that
 * affect the links and forms of a page.
 */
export async function openFullShop(api: TestApi): Promise<FullShop> {
  const { context } = api
  const { id: liveId, testId: merchantId } = await createMerchant(context, operator, 'Adire & Sons')
  const tenant = { merchantId, mode: 'test' } as const
  const { token, id: tokenId } = await mintToken(context, tenant, { name: 'Website' })
  const shop = { tenant, merchantId, testMerchantId: merchantId, token, tokenId }
  await setPickup(api, shop)
  await addSending(api, shop)
  await addOrders(api, shop)
  await addImport(api, shop)
  await addDraft(api, shop)
  await logRequests(api, shop)
  await notify(context, merchantId)
  const invitation = { email: 'oluwatobiloba.adebayo@example.com', name: 'Tobi Ade', role: 'viewer' } as const
  await inviteMember(context, operator, { ...invitation, merchantId: liveId })
  const owner = await signedIn(api, liveId, 'owner', 'Ngozi Balogun')
  await signedIn(api, liveId, 'viewer', 'Bisi Adeyemi')
  await selectTestMode(owner)
  await addSignIns(api, owner)
  await sealAudit({ database: api.database, signer: vault.signer })
  return { shop, liveId, owner }
}

export async function selectTestMode(member: SignedInMember): Promise<void> {
  const { status } = await member.submit('/dashboard', '/dashboard/select-merchant')
  if (status !== 303) throw new Error(`The mode was not switched: ${status}.`)
}

/** The port of this URL refuses connections, so every delivery to it fails at once. */
const closedUrl = 'http://127.0.0.1:9/hook'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Adds a webhook endpoint with failed deliveries, a bulk replay of these deliveries, a disabled endpoint, and the
 * sample records of the demo data.
 */
async function addSending(api: TestApi, { tenant }: Shop): Promise<void> {
  const { database, clock, context, logistics } = api
  const endpoint = async (description: string) => {
    const request = { url: closedUrl, kinds: ['order.created', 'order.refunded'], description } as const
    const outcome = await createWebhookEndpoint(
      { ...context, policy: { allowsLoopback: true }, vault },
      operator,
      tenant,
      request,
    )
    if (outcome.is !== 'created') throw new Error(`No endpoint: ${outcome.is}.`)
    return outcome.id
  }
  const endpointId = await endpoint('Stock system')
  await disableWebhookEndpoint(context, operator, tenant, await endpoint('Old stock system'))
  await seedSamples(logistics, operator, tenant)
  // Only a discount that has started can be ended.
  clock.advance(1)
  const outbound = openSafeFetch({ allowsLoopback: true })
  const pump = {
    ...{ database, clock, log: silentLog, fetch: outbound.fetch, openSecrets: openSecretCache(vault) },
    ...{ rules: standardRules, workerId: newId('wrk', clock.nowMs()) },
  }
  await deliver(pump, { merchantId: tenant.merchantId, endpointId })
  await outbound.close()
  const since = toTimestamp(clock.nowMs() - dayMs)
  const replay = await replaySince(context, operator, tenant, { endpointId, since })
  if (replay.is !== 'started') throw new Error(`No replay: ${replay.is}.`)
}

/** Adds an import of products whose file is checked. */
async function addImport({ context }: TestApi, { tenant }: Shop): Promise<void> {
  const product = { title: 'Fila', slug: 'fila', variants: JSON.stringify([{ sku: 'FILA-1', priceKobo: 500_000 }]) }
  const file = { name: 'products.csv', bytes: fileOf(['title', 'slug', 'variants'], [product]) }
  const { is } = await uploadFile(context, { tenant, actor: operator }, file)
  if (is !== 'stored') throw new Error(`No import: ${is}.`)
  await runImport(context, tenant.merchantId)
}

/** Adds a product that is not active yet, which can be activated and deleted. */
async function addDraft(api: TestApi, { token }: Shop): Promise<void> {
  const body = { title: 'Gele', variants: [{ sku: 'GELE-1', priceKobo: 800_000 }] }
  const { status } = await api.send('POST', '/api/v1/products', { token, body })
  if (status !== 201) throw new Error(`The product was not created: ${status}.`)
}

/** Adds a delivered order, a shipment with an open exception, and a shipment that is dispatched later. */
async function addOrders(api: TestApi, shop: Shop): Promise<void> {
  const customer = { name: 'Funmi Bello', email: 'funmi.bello@example.com', phone: '+2348031234599' }
  const { id } = await placeOrder(api, shop, { body: { customer } })
  await moveOrderTo(api, shop, id, 'delivered')
  const at = toTimestamp(api.clock.nowMs())
  await storeShipment(api, shop, { exceptions: [{ code: 'order_not_moved', at }] })
  await storeShipment(api, shop, { status: 'scheduled' })
}

/**
 * Adds to the request log the API requests to which audit rows refer. The API itself logs a request only after its
 * response.
 */
export async function logRequests(api: TestApi, { merchantId, tokenId }: Shop): Promise<void> {
  const named = await select(
    api,
    `select distinct request_id as id from audit_log where merchant_id = $1 and actor_type = 'token'`,
    [merchantId],
  )
  const request = {
    operation: 'createOrder',
    status: 201,
    errorCode: null,
    durationMs: 12,
    sourceIp: '127.0.0.1',
    problems: null,
  }
  const rows = named.map(({ id }) => ({ merchantId, id, tokenId, ...request }))
  await insertRequests(api.database, rows, true)
}

const account = '/dashboard/settings/account'

/** Adds a passkey, an authenticator app and a session in another browser to the owner's account. */
async function addSignIns(api: TestApi, owner: SignedInMember): Promise<void> {
  const { email, password } = owner
  await openBrowser(api).submit('/dashboard/sign-in', '/dashboard/sign-in', { email, password })
  const [{ user_id }] = await select(api, 'select user_id from members where id = $1', [owner.memberId])
  const passkey = { credentialId: 'c29mdHdhcmU', publicKey: Buffer.alloc(8), counter: 0, transports: [], name: 'Phone' }
  const now = toTimestamp(api.clock.nowMs())
  await bookkeep(api.database, (trx) => insertPasskey(trx, { ...passkey, userId: UserId.parse(user_id), now }))
  const { text } = await owner.submit(account, `${account}/totp/start`)
  const secret = Secret.fromBase32(/<code data-copy>([A-Z2-7]+)<\/code>/.exec(text)?.[1] ?? '')
  const code = new TOTP({ secret }).generate({ timestamp: api.clock.nowMs() })
  const { status } = await owner.post(`${account}/totp/confirm`, { ...formOf(text, `${account}/totp/confirm`), code })
  if (status !== 200) throw new Error(`The authenticator app was not set up: ${status}.`)
}
