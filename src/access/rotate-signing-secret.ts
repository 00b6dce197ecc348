import { webhookSecretGraceHours } from '../../registry/values/limits.ts'
import type { EndpointId, Timestamp } from '../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Vault } from '../base/vault.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/webhooks/endpoint-states.ts'
import { deleteSecrets, expireSecret, insertSecret, listSecrets } from '../store/webhooks/signing-secrets.ts'
import { endpointRowOf, endpointStateOf } from '../webhooks/endpoint-row.ts'
import { changeCredentials } from '../webhooks/reduce.ts'
import { newSigningSecret } from '../webhooks/signing-secret.ts'
import { tryOpenSigningSecret } from './show-signing-secret.ts'

export interface RotationRequest {
  readonly endpointId: EndpointId
  /** Hours for which the old secret stays valid beside the new one; 0 expires all older secrets at once. */
  readonly graceHours?: number | undefined
  /**
   * Whether to expire the old secret of an earlier rotation now. Otherwise, this rotation is rejected while that secret
   * is still valid.
   */
  readonly endsPrevious?: boolean | undefined
}

export type RotationOutcome =
  | { readonly is: 'rotated'; readonly secret: string; readonly previousExpiresAt: Timestamp | null }
  | { readonly is: 'endpoint_unknown' }
  | { readonly is: 'grace_refused' }
  | { readonly is: 'rotation_under_way'; readonly previousExpiresAt: Timestamp }

const hourMs = 60 * 60_000

/**
 * Rotates the signing secret of an endpoint. During the grace period, deliveries are signed with the new secret and
 * then with the old one, so that receivers can switch one after another.
 *
 * At most two secrets are valid at the same time. A second rotation within the grace period would expire the secret
 * that receivers still use, so it is rejected unless `endsPrevious` is set or the grace period is 0.
 *
 * A secret whose encryption key is lost signs nothing, and while it is valid, no delivery is sent. A rotation therefore
 * deletes it at once.
 */
export async function rotateSigningSecret(
  context: Context & { readonly vault: Vault },
  actor: Actor,
  tenant: Tenant,
  request: RotationRequest,
): Promise<RotationOutcome> {
  const graceHours = request.graceHours ?? webhookSecretGraceHours.default
  if (!Number.isInteger(graceHours) || graceHours < 0 || graceHours > webhookSecretGraceHours.max) {
    return { is: 'grace_refused' }
  }
  const { endpointId } = request
  const mayEndPrevious = request.endsPrevious === true || graceHours === 0
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.rotate_secret' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  return mutate<RotationOutcome>(context, mutation, async ({ trx, merchantId, nowMs, now, note, abort }) => {
    const key = { merchantId, endpointId }
    const [[endpoint], secrets] = await Promise.all([lockEndpointStates(trx, [key]), listSecrets(trx, key)])
    if (endpoint === undefined || endpoint.deletedAt !== null) return abort({ is: 'endpoint_unknown' })
    const current = secrets.find(({ expiresAt }) => expiresAt === null)
    if (current === undefined) throw new Error(`Endpoint ${endpointId} has no current signing secret.`)
    const readable = secrets.filter((secret) => tryOpenSigningSecret(context.vault, key, secret) !== undefined)
    const previous = readable.find(({ expiresAt }) => expiresAt !== null && toMs(expiresAt) > nowMs)
    if (previous?.expiresAt && !mayEndPrevious)
      return abort({ is: 'rotation_under_way', previousExpiresAt: previous.expiresAt })
    const secretId = newId('whs', nowMs)
    const secret = newSigningSecret()
    const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId } as const
    const sealed = context.vault.seal(secret, binding)
    const hasGrace = graceHours > 0 && readable.includes(current)
    const previousExpiresAt = hasGrace ? toTimestamp(nowMs + graceHours * hourMs) : null
    const isOver = ({ expiresAt }: { expiresAt: Timestamp | null }) => expiresAt !== null || !hasGrace
    deleteSecrets(trx, { ...key, ids: secrets.filter(isOver).map(({ id }) => id) })
    if (previousExpiresAt !== null) {
      expireSecret(trx, { ...key, secretId: current.id, expiresAt: previousExpiresAt })
    }
    insertSecret(trx, { ...key, id: secretId, sealed, createdAt: now })
    saveEndpointStates(trx, [endpointRowOf(endpoint, changeCredentials(endpointStateOf(endpoint)))], now)
    note({ signingSecret: [current.id, secretId], previousExpiresAt: [null, previousExpiresAt] })
    return { is: 'rotated', secret, previousExpiresAt }
  })
}
