/**
 * The payments of test mode. A simulated payment provider knows every reference of this form, and does with the payment
 * what its name says. No money moves.
 */

/** `sim-3250000-refund_fails-a1`: the amount in kobo, what happens, and anything that makes the reference unique. */
const referencePattern = /^sim-(\d{1,11})-([a-z_]{1,40})-([0-9A-Za-z]{1,40})$/

interface TestPaymentBehaviour {
  readonly name: string
  readonly meaning: string
}

export const testPaymentBehaviours = [
  { name: 'success', meaning: 'Paid. A refund succeeds after two steps.' },
  { name: 'abandoned', meaning: 'Never paid: recording it is refused with `payment_not_verified`.' },
  { name: 'refund_fails', meaning: 'Paid. A refund fails after two steps.' },
  { name: 'refund_refused', meaning: 'Paid. A refund is refused by the provider at once, and fails.' },
  {
    name: 'refund_needs_attention',
    meaning: 'Paid. A refund is `needs_attention` after one step; with bank details it succeeds one step later.',
  },
  { name: 'disputed', meaning: 'Paid. The payer disputes it after one step, and the dispute stays open.' },
  { name: 'dispute_won', meaning: 'Paid. Disputed after one step; two steps later the payer loses.' },
  {
    name: 'dispute_lost',
    meaning: 'Paid. Disputed after one step; two steps later all of it has gone back to the payer.',
  },
  {
    name: 'dispute_partly_lost',
    meaning: 'Paid. Disputed after one step; two steps later half of it has gone back to the payer.',
  },
] as const satisfies readonly TestPaymentBehaviour[]

export type TestPaymentBehaviourName = (typeof testPaymentBehaviours)[number]['name']

export interface TestPayment {
  readonly amountKobo: number
  readonly behaviour: TestPaymentBehaviourName
}

/** Undefined for a reference the simulated provider does not know. */
export function testPaymentOf(reference: string): TestPayment | undefined {
  const [, amount = '', name] = referencePattern.exec(reference) ?? []
  const behaviour = testPaymentBehaviours.find((each) => each.name === name)?.name
  return behaviour === undefined || Number(amount) === 0 ? undefined : { amountKobo: Number(amount), behaviour }
}

/** A reference that makes the simulated provider behave so. */
export function testPaymentReference({ amountKobo, behaviour }: TestPayment, suffix: string): string {
  return `sim-${amountKobo}-${behaviour}-${suffix}`
}

/** When things happen, in steps of test mode after the payment or the refund. */
export const testPaymentSteps = { refundProcessing: 1, refundEnds: 2, disputeOpens: 1, disputeEnds: 3 } as const
