/**
 * Payments of test mode. The simulated payment provider accepts every payment reference that consists of `sim-`, an
 * amount, a behaviour and a suffix, and then behaves accordingly. No real payment is made.
 */

/**
 * Form of the reference of a simulated payment, such as `sim-3250000-refund_fails-a1`: the amount in kobo, the
 * behaviour, and a suffix of letters and digits that makes the reference unique.
 */
const referencePattern = /^sim-(\d{1,11})-([a-z_]{1,40})-([0-9A-Za-z]{1,40})$/

interface TestPaymentBehaviour {
  readonly name: string
  readonly meaning: string
}

export const testPaymentBehaviours = [
  {
    name: 'success',
    meaning: 'The payment succeeds. A refund of the payment succeeds after two steps of simulated time.',
  },
  {
    name: 'abandoned',
    meaning: 'The payer never pays. Recording the payment is rejected with `payment_not_verified`.',
  },
  {
    name: 'refund_fails',
    meaning: 'The payment succeeds. A refund of the payment fails after two steps of simulated time.',
  },
  {
    name: 'refund_refused',
    meaning: 'The payment succeeds. The provider rejects a refund at once, and the refund fails.',
  },
  {
    name: 'refund_needs_attention',
    meaning:
      'The payment succeeds. A refund of the payment gets the status `needs_attention` after one step of simulated time, and succeeds one step after its bank details are set.',
  },
  {
    name: 'refund_contradicted',
    meaning:
      'The payment succeeds. A refund of the payment fails after two steps of simulated time, and succeeds at the provider one step later.',
  },
  {
    name: 'refund_differs',
    meaning:
      'The payment succeeds. A refund of the payment succeeds after two steps of simulated time, with an amount that is 100 kobo lower.',
  },
  {
    name: 'refunded_by_provider',
    meaning:
      'The payment succeeds. After one step of simulated time, half of the amount is refunded in the dashboard of the provider.',
  },
  {
    name: 'disputed',
    meaning:
      'The payment succeeds. The payer disputes the payment after one step of simulated time, and the dispute stays open.',
  },
  {
    name: 'dispute_won',
    meaning:
      'The payment succeeds. The payer disputes it after one step of simulated time, and loses the dispute two steps later.',
  },
  {
    name: 'dispute_lost',
    meaning:
      'The payment succeeds. The payer disputes it after one step of simulated time, wins the dispute two steps later, and gets the whole amount back.',
  },
  {
    name: 'dispute_partly_lost',
    meaning:
      'The payment succeeds. The payer disputes it after one step of simulated time, and gets half of the amount back two steps later.',
  },
  {
    name: 'dispute_unclear',
    meaning:
      'The payment succeeds. The payer disputes it after one step of simulated time, and the dispute ends two steps later with a result that the service does not know.',
  },
  {
    name: 'dispute_lost_during_refund',
    meaning:
      'The payment succeeds. A refund of the payment gets the status `needs_attention` after one step of simulated time. The payer disputes the payment after one step, and wins the dispute two steps later.',
  },
  {
    name: 'unmatched',
    meaning:
      'The payment succeeds, and the provider reports it without an order. Such a payment can only be made on a checkout page.',
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

export function testPaymentReference({ amountKobo, behaviour }: TestPayment, suffix: string): string {
  return `sim-${amountKobo}-${behaviour}-${suffix}`
}

/** Times of simulated events, in simulation steps after the creation of the payment or of the refund. */
export const testPaymentSteps = {
  refundProcessing: 1,
  refundEnds: 2,
  refundContradicted: 3,
  providerRefund: 1,
  disputeOpens: 1,
  disputeEnds: 3,
} as const
