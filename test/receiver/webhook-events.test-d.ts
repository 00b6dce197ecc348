import { expectTypeOf, test } from 'vitest'
import type { components } from '../../generated/api.d.ts'
import type { WebhookEvent, WebhookEventByKind, WebhookEventKind } from '../../generated/webhook-events.d.ts'
import type { EventKind } from '../../registry/kit/event.ts'
import type { Verification } from '../../src/receiver/verify-webhook.ts'

/** What an integrator's compiler knows of an event. */

type Verified = Extract<Verification, { is: 'verified' }>

test('a verified event is of one of the kinds, and each kind has an envelope', () => {
  expectTypeOf<Verified['event']>().toEqualTypeOf<WebhookEvent>()
  expectTypeOf<WebhookEventKind>().toEqualTypeOf<EventKind>()
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<EventKind>()
  expectTypeOf<WebhookEventByKind[WebhookEventKind]>().toEqualTypeOf<WebhookEvent>()
})

test('its kind says what its data is', () => {
  const amountOf = (event: WebhookEvent): number => {
    switch (event.event) {
      case 'order.created':
        return event.data.order.totalKobo
      case 'order.status_changed':
        expectTypeOf(event.data.to).toEqualTypeOf<components['schemas']['OrderStatus']>()
        return event.data.version
      case 'order.refunded':
        return event.data.refund.amountKobo
      case 'inventory.low_stock':
        return event.data.available
      case 'shipment.status_changed':
        return event.data.version
    }
  }
  expectTypeOf(amountOf).returns.toBeNumber()
})

test('before its kind is known, so is not its data', () => {
  const event = {} as WebhookEvent
  // @ts-expect-error Only some kinds have an order.
  expectTypeOf(event.data.order)
})

test('an event cannot be had without looking at the outcome', () => {
  const verification = {} as Verification
  // @ts-expect-error Other outcomes have no event.
  expectTypeOf(verification.event)
})

test('the feed lists the same envelopes', () => {
  expectTypeOf<components['schemas']['WebhookEventPage']['data'][number]['event']>().toEqualTypeOf<EventKind>()
})
