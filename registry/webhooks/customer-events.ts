import { z } from 'zod'
import { Customer } from '../customers/customer.ts'
import { event } from '../kit/event.ts'
import { impersonalText } from '../values/privacy.ts'
import { CustomerId, named, timestamp } from '../values/vocabulary.ts'

export const customerUpdated = event({
  kind: 'customer.updated',
  name: 'CustomerUpdatedEvent',
  meaning:
    'A customer or one of the saved addresses changed, or the customer was anonymised or deleted. The event contains no personal data. No event is sent when an order adds a phone number to a customer that has none. Read the customer record to get the new content.',
  stability: 'beta',
  data: named(
    'CustomerUpdatedData',
    z
      .object({
        customerId: CustomerId,
        changes: z.array(impersonalText()).meta({
          description:
            'Names of the changed fields. `status` means that the customer was anonymised, and `deleted` that the customer was deleted.',
          examples: [['email', 'phone']],
        }),
        version: Customer.shape.version,
        occurredAt: timestamp('When the record of the customer changed.'),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    customerId: 'cus_01jd3f8q6hf5n8v1zr4c7e2m9k',
    changes: ['email', 'phone'],
    version: 3,
    occurredAt: '2026-11-21T08:30:00.000Z',
  },
})
