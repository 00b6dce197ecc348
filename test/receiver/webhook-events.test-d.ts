import { expectTypeOf, test } from 'vitest'
import type { components } from '../../generated/api.d.ts'
import type { WebhookEvent, WebhookEventByKind, WebhookEventKind } from '../../generated/webhook-events.d.ts'
import type { EventKind } from '../../registry/kit/event.ts'
import type { Verification } from '../../src/receiver/verify-webhook.ts'

/** Type tests of the webhook event types, with code that resembles the code of an integrator. */

type Verified = Extract<Verification, { is: 'verified' }>

test('the type of a verified webhook event is one of the documented event types, and each type has a typed envelope', () => {
  expectTypeOf<Verified['event']>().toEqualTypeOf<WebhookEvent>()
  expectTypeOf<WebhookEventKind>().toEqualTypeOf<EventKind>()
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<EventKind>()
  expectTypeOf<WebhookEventByKind[WebhookEventKind]>().toEqualTypeOf<WebhookEvent>()
})

test('the type of a webhook event determines the type of its data', () => {
  const amountOf = (event: WebhookEvent): number => {
    switch (event.event) {
      case 'order.created':
      case 'order.edited':
        return event.data.order.totalKobo
      case 'order.status_changed':
        expectTypeOf(event.data.to).toEqualTypeOf<components['schemas']['OrderStatus']>()
        return event.data.version
      case 'order.refunded':
        return event.data.refund.amountKobo
      case 'inventory.low_stock':
      case 'inventory.back_in_stock':
        return event.data.available
      case 'shipment.status_changed':
      case 'product.updated':
      case 'customer.updated':
        return event.data.version
      case 'payment.recorded':
      case 'payment.voided':
        return event.data.payment.amountKobo
      case 'payment.unmatched':
        return event.data.amountKobo ?? 0
      case 'refund.updated':
      case 'refund.failed':
        return event.data.refund.amountKobo
      case 'shipment.exception_raised':
        return event.data.attemptNumber ?? 0
      case 'return.status_changed':
        return event.data.return.version
    }
  }
  expectTypeOf(amountOf).returns.toBeNumber()
})

test('the type of the data of a webhook event is unknown before the event type is checked', () => {
  const event = {} as WebhookEvent
  // @ts-expect-error Only some event types have an order.
  expectTypeOf(event.data.order)
})

test('the verifier’s types allow access to a webhook event only after the program has checked the outcome', () => {
  const verification = {} as Verification
  // @ts-expect-error Other outcomes have no event.
  expectTypeOf(verification.event)
})

test('the event feed lists every event kind', () => {
  expectTypeOf<components['schemas']['WebhookEventPage']['data'][number]['event']>().toEqualTypeOf<EventKind>()
})
