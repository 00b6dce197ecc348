/**
 * Payments of test mode. The simulated payment provider accepts every reference of this form, and its name selects the
 * behaviour. No real payment is made.
 */

/** `sim-3250000-refund_fails-a1`: the amount in kobo, the behaviour, and any suffix that makes the reference unique. */
const referencePattern = /^sim-(\d{1,11})-([a-z_]{1,40})-([0-9A-Za-z]{1,40})$/

interface TestPaymentBehaviour {
  readonly name: string
  readonly meaning: string
}

export const testPaymentBehaviours = [
  { name: 'success', meaning: 'Paid. A refund succeeds after two steps.' },
  { name: 'abandoned', meaning: 'Never paid. Recording the payment is rejected with `payment_not_verified`.' },
  { name: 'refund_fails', meaning: 'Paid. A refund fails after two steps.' },
  { name: 'refund_refused', meaning: 'Paid. The provider rejects a refund at once, and the refund fails.' },
  {
    name: 'refund_needs_attention',
    meaning: 'Paid. A refund needs attention after one step, and succeeds one step after bank details are set.',
  },
  { name: 'disputed', meaning: 'Paid. The payer disputes the payment after one step, and the dispute stays open.' },
  { name: 'dispute_won', meaning: 'Paid. Disputed after one step. Two steps later the payer loses.' },
  {
    name: 'dispute_lost',
    meaning: 'Paid. Disputed after one step. Two steps later the payer wins, and the whole amount is returned.',
  },
  {
    name: 'dispute_partly_lost',
    meaning: 'Paid. Disputed after one step. Two steps later half of the amount is returned to the payer.',
  },
] as const satisfies readonly TestPaymentBehaviour[]

export type TestPaymentBehaviourName = (typeof testPaymentBehaviours)[number]['name']

export interface TestPayment {
  readonly amountKobo: number
  readonly behaviour: TestPaymentBehaviourName
}

/** Parses the reference of a simulated payment. Returns undefined for any other reference. */
export function testPaymentOf(reference: string): TestPayment | undefined {
  const [, amount = '', name] = referencePattern.exec(reference) ?? []
  const behaviour = testPaymentBehaviours.find((each) => each.name === name)?.name
  return behaviour === undefined || Number(amount) === 0 ? undefined : { amountKobo: Number(amount), behaviour }
}

/** Returns the reference that selects this behaviour of the simulated provider. */
export function testPaymentReference({ amountKobo, behaviour }: TestPayment, suffix: string): string {
  return `sim-${amountKobo}-${behaviour}-${suffix}`
}

/** Times of the simulated events, in steps after the payment or the refund. */
export const testPaymentSteps = { refundProcessing: 1, refundEnds: 2, disputeOpens: 1, disputeEnds: 3 } as const
