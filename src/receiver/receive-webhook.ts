import type { WebhookEvent } from '../../generated/webhook-events.d.ts'
import { verifyWebhook } from './verify-webhook.ts'

/**
 * Receives a webhook with the Web API's Request and Response, for Deno.serve, Bun.serve, edge workers, Hono and
 * Next.js. `accept` must store the event durably, deduplicated by `event.id`, and return. Process the event afterwards.
 */
export async function receiveWebhook(
  request: Request,
  secrets: readonly string[],
  accept: (event: WebhookEvent) => Promise<void>,
): Promise<Response> {
  const rawBody = await request.arrayBuffer()
  const verification = await verifyWebhook({ rawBody, headers: request.headers, secret: secrets })
  if (verification.is !== 'verified') return new Response(verification.reason, { status: 400 })
  await accept(verification.event)
  return new Response(null, { status: 204 })
}
