import type { TestPaymentBehaviourName } from '../../../registry/service/test-payments.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'

/** The columns of the simulated payment provider whose TypeScript types are narrower than their database types. */
export interface SimulatedPaymentColumns {
  behaviour: TestPaymentBehaviourName
  paid_at: Timestamp
}

export interface SimulatedRefundColumns {
  behaviour: TestPaymentBehaviourName
  created_at: Timestamp
  details_at: Timestamp | null
}

export interface SimulatedPaymentCallbackColumns {
  due_at: Timestamp
}
