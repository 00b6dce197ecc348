import type { EventKind } from '../../registry/kit/event.ts'
import type { EndpointId } from '../../registry/values/vocabulary.ts'
import type { Vault } from '../base/vault.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { findReceiver } from '../store/webhooks/endpoint-headers.ts'
import { listEndpoints } from '../store/webhooks/endpoints.ts'
import { openHeaders } from '../webhooks/custom-headers.ts'
import { type ProbeContext, type ProbeReport, probeReceiver } from '../webhooks/probe-receiver.ts'
import { liveSigningSecrets } from './show-signing-secret.ts'

export interface CheckRequest {
  readonly endpointId: EndpointId
  /** Defaults to an event type to which the endpoint subscribes. */
  readonly kind?: EventKind | undefined
}

export type CheckReceiverOutcome =
  | ({ readonly is: 'checked'; readonly url: string; readonly kind: EventKind } & ProbeReport)
  | { readonly is: 'endpoint_unknown' }

/**
 * Sends valid and invalid sample events to a webhook endpoint, and reports which of them the receiver accepted. Like
 * test events, the samples are also sent to a disabled endpoint and do not change its state; unlike test events, they
 * are not stored as deliveries. One audit row records the verdicts.
 */
export async function checkReceiver(
  context: Context & ProbeContext & { readonly vault: Vault },
  actor: Actor,
  tenant: Tenant,
  request: CheckRequest,
): Promise<CheckReceiverOutcome> {
  const { database } = context
  const { merchantId, mode } = tenant
  const { endpointId } = request
  const endpoint = (await listEndpoints(database, merchantId)).find(({ id }) => id === endpointId)
  const key = { merchantId, endpointId }
  const [secrets, receiver] = await Promise.all([liveSigningSecrets(context, key), findReceiver(database, key)])
  const kind = request.kind ?? endpoint?.kinds[0]
  if (receiver === undefined || secrets.length === 0 || kind === undefined) return { is: 'endpoint_unknown' }
  const { url, sealedHeaders } = receiver
  const headers = openHeaders(context.vault, { ...key, url }, sealedHeaders)
  const report = await probeReceiver(context, { url, secrets, headers, endpointId, kind, mode })
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.check' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  await mutate(context, mutation, async ({ note }) => {
    const outcomes = Object.fromEntries(report.probes.map(({ name, outcome }) => [name, outcome]))
    note({ verdict: [null, report.verdict], kind: [null, kind], outcomes: [null, outcomes] })
  })
  return { is: 'checked', url, kind, ...report }
}
