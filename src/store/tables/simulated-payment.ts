import type { TestPaymentBehaviourName } from '../../../registry/service/test-payments.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/** The columns of the simulated payment provider whose TypeScript types are narrower than their database types. */
export interface SimulatedPaymentColumns {
  behaviour: TestPaymentBehaviourName
  paidAt: Timestamp
}

export interface SimulatedRefundColumns {
  behaviour: TestPaymentBehaviourName
  createdAt: Timestamp
  detailsAt: Timestamp | null
}

export interface SimulatedPaymentCallbackColumns {
  dueAt: Timestamp
}
