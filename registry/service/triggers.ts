import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { eventKinds } from '../kit/event.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, TriggerId, timestamp } from '../values/vocabulary.ts'
import { triggerNames } from './triggers/scenarios.ts'

/** The triggers of test mode, which make each event kind and each exceptional state happen through real requests. */

const TriggerNameSchema = named(
  'TriggerName',
  z.enum(triggerNames).meta({ description: 'Event kind or exceptional state to cause. More values may be added.' }),
)

const TriggerInput = named('TriggerInput', z.strictObject({ name: TriggerNameSchema }))

const Trigger = named(
  'Trigger',
  z
    .object({
      id: TriggerId,
      name: TriggerNameSchema,
      records: z
        .array(
          z.object({
            type: impersonalText().meta({ description: 'Type of the record.', examples: ['order'] }),
            id: impersonalText().meta({
              description: 'Identifier of the record.',
              examples: ['ord_01jd3f8q6hf5n8v1zr4c7e2m9k'],
            }),
          }),
        )
        .meta({ description: 'Records that the trigger created, oldest first. Empty in a dry run.' }),
      events: z.array(z.enum(eventKinds)).meta({
        description: 'Kinds of the events that every run of the trigger sends.',
        examples: [['order.created', 'payment.recorded', 'refund.failed']],
      }),
      waitSeconds: z
        .int()
        .min(0)
        .meta({
          description:
            'Maximum time until the last effect of the trigger, in seconds. 0 if all effects happen within seconds.',
          examples: [120],
        }),
      createdAt: timestamp('When the trigger started.'),
    })
    .meta({ description: 'Run of a trigger.' }),
)

export type Trigger = z.output<typeof Trigger>

export const runTrigger = write({
  id: 'runTrigger',
  path: '/test/triggers',
  tag: 'Test mode',
  summary: 'Run a trigger',
  description:
    'Causes an event kind or an exceptional state in test mode, with real requests to the API and with actions of the simulated buyer, carriers and payment ' +
    'provider. The records and events are the same as if a program had sent these requests. The token also ' +
    'needs the scopes of the requests; without them, the trigger changes nothing. Effects that take time, such as the end ' +
    'of a refund, follow within `waitSeconds`. The guide [Triggers](../../guides/triggers.md) lists all triggers with their ' +
    'requests. Only tokens of test mode can use this operation.',
  access: 'products:write',
  // A run of a trigger sends several write requests and may create a refund, so it has the rate limit class of refunds.
  rateClass: 'refund',
  body: { schema: TriggerInput, example: { name: 'refund.failed' } },
  reply: {
    status: 200,
    body: Trigger,
    meaning: 'The run of the trigger. All of its requests were sent.',
    example: {
      id: 'trg_01jd3f8q6hf5n8v1zr4c7e2m9k',
      name: 'refund.failed',
      records: [
        { type: 'product', id: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k' },
        { type: 'order', id: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k' },
        { type: 'payment', id: 'pay_01jd3f8q6hf5n8v1zr4c7e2m9k' },
        { type: 'refund', id: 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k' },
      ],
      events: ['order.created', 'payment.recorded', 'order.status_changed', 'refund.updated', 'refund.failed'],
      waitSeconds: 120,
      createdAt: '2026-11-21T08:30:00.000Z',
    },
  },
  refusals: ['test_mode_required', 'trigger_failed'],
  callsPartners: true,
  emits: [],
  audits: { action: 'trigger.run', resourceType: 'trigger' },
})
