import {
  stepSeconds,
  type TestCarrierCode,
  type TestCarrierStatus,
  testCarrierCodes,
  testCarrierStatuses,
  testCarriers,
  testLives,
} from '../../registry/service/test-carriers.ts'
import { testPaymentBehaviours, testPaymentReference, testPaymentSteps } from '../../registry/service/test-payments.ts'
import {
  callbackFaults,
  callbackPhonePrefix,
  cashOutcomes,
  cashPhonePrefix,
  deliveryOutcomes,
  deliveryPhonePrefix,
  dispatchFaults,
  dispatchPhonePrefix,
  lateAcceptanceSeconds,
  quoteFaults,
  quotePhonePrefix,
} from '../../registry/service/test-phones.ts'
import { table } from './markdown.ts'

/**
 * The generated parts of the test mode guide. Their sources are the tables that define the behaviour of the simulators.
 */

export function simulatedCarriers(): string {
  return [
    table(
      ['Carrier', 'Services', 'Vehicles', 'Coverage', 'Maximum weight', 'Price validity'],
      testCarrierCodes.map((code) => carrierRow(code)),
    ),
    testCarrierCodes
      .map((code) => `- **${testCarriers[code].name}**: ${testCarriers[code].character} ${cancellation(code)}`)
      .join('\n'),
  ].join('\n\n')
}

export function simulatedDelivery(): string {
  return [
    `Simulated time passes in steps of ${stepSeconds} seconds. Each phase of a delivery takes the number of steps below, multiplied ` +
      'by the pace of the service. The rider moves in a straight line.',
    table(
      ['Shipment status', 'Steps', ...paces.map((pace) => `At pace ${pace}`)],
      testLives.usual.map(([status, step]) => deliveryRow(status, step)),
    ),
    'With another outcome, the steps are:',
    table(
      ['Shipment status', ...otherLives.map(({ title }) => `Steps, ${title}`)],
      Object.entries(testCarrierStatuses).flatMap(([status, shown]) => outcomeRow(status, shown)),
    ),
  ].join('\n\n')
}

export function dispatchPhones(): string {
  return [
    `Use the recipient phone number \`${dispatchPhonePrefix}\` plus three digits: one for the first, one for the second and one for ` +
      'the third request to a carrier. Skipped carriers are not counted. Later requests succeed, and so do requests with any other number.',
    digits(dispatchFaults),
    `With \`${dispatchPhonePrefix}120\`, for example, the first carrier rejects the request, and the second accepts ` +
      'it without a response. The third carrier gets no request if a lookup finds the order at the second ' +
      `carrier. A late acceptance happens ${lateAcceptanceSeconds} seconds after the request.`,
    `The recipient phone number \`${deliveryPhonePrefix}\` plus one digit selects a rarer outcome of the delivery:`,
    digits(deliveryOutcomes),
  ].join('\n\n')
}

export function quotePhones(): string {
  return [
    `Use the recipient phone number \`${quotePhonePrefix}\` plus three digits, one each for ${carrierNames()}, in this order.`,
    digits(quoteFaults),
  ].join('\n\n')
}

export function cashPhones(): string {
  const limits = testCarrierCodes.flatMap((code) => {
    const { name, cashMaxKobo } = testCarriers[code]
    return cashMaxKobo === undefined ? [] : [`${name} up to ${cashMaxKobo} kobo`]
  })
  return [
    `Cash on delivery is collected by ${limits.join(' and ')}. Use the recipient phone number \`${cashPhonePrefix}\` plus one digit ` +
      'to select how it is collected. With any other number, the rider collects the whole amount.',
    digits(cashOutcomes),
  ].join('\n\n')
}

export function callbackPhones(): string {
  return [
    `Use the sender phone number \`${callbackPhonePrefix}\` plus three digits, one from each of these tables in this order. The ` +
      'digits change the callbacks of the carrier, not the delivery, so the shipment must reach the same final status.',
    'First digit, order of the callbacks:',
    digits(callbackFaults.sequence),
    'Second digit, copies:',
    digits(callbackFaults.copies),
    'Third digit, signature:',
    digits(callbackFaults.signature),
  ].join('\n\n')
}

export function paymentReferences(): string {
  const example = testPaymentReference({ amountKobo: 3_250_000, behaviour: 'refund_fails' }, 'a1')
  const { refundProcessing, refundEnds, disputeOpens, disputeEnds } = testPaymentSteps
  return [
    'Paystack is simulated in test mode. Record a payment with `POST /orders/{id}/payments`, `"provider": "paystack"` and a ' +
      'reference of the form `sim-{amountKobo}-{behaviour}-{suffix}`. The amount must equal the amount in the reference, and the ' +
      `suffix makes the reference unique. With \`${example}\`, 3,250,000 kobo are paid and their refunds fail.`,
    table(
      ['Behaviour', 'Result'],
      testPaymentBehaviours.map(({ name, meaning }) => [`\`${name}\``, meaning]),
    ),
    `A step takes ${stepSeconds} seconds, as for a delivery. A refund is \`processing\` after ${count(refundProcessing)} and final ` +
      `after ${count(refundEnds)}. A dispute opens ${count(disputeOpens)} after the payment and is resolved ` +
      `${count(disputeEnds)} after the payment. Bank details are accepted for any account at a Nigerian bank, such as \`058\`. ` +
      'A payment with any other reference is refunded like `success`.',
  ].join('\n\n')
}

/**
 * Search words for the test mode guide: the names and meanings in the tables that define the behaviour of the
 * simulators.
 */
export const testModeWords: readonly string[] = [
  ...testCarrierCodes.map((code) => testCarriers[code].name),
  ...[dispatchFaults, deliveryOutcomes, quoteFaults, cashOutcomes, callbackFaults.sequence]
    .flat()
    .map(({ meaning }) => meaning),
  ...testPaymentBehaviours.map(({ meaning }) => meaning),
]

function count(steps: number): string {
  return steps === 1 ? 'one step' : `${steps} steps`
}

const paces = [
  ...new Set(testCarrierCodes.flatMap((code) => testCarriers[code].services.map(({ pace }) => pace))),
].toSorted((a, b) => a - b)

function carrierRow(code: TestCarrierCode): string[] {
  const { services, vehicles, states, maxWeightGrams, quoteMinutes } = testCarriers[code]
  return [
    `\`${code}\``,
    services.map(({ level, pace, maxKm }) => `\`${level}\` at pace ${pace}, up to ${maxKm} km`).join('; '),
    vehicles.map((vehicle) => `\`${vehicle}\``).join(', '),
    states === undefined ? 'all of Nigeria' : states.join(', '),
    `${maxWeightGrams / 1_000} kg`,
    quoteMinutes === undefined ? 'not stated' : `${quoteMinutes} minutes`,
  ]
}

function cancellation(code: TestCarrierCode): string {
  const fees = Object.entries(testCarriers[code].cancellationFeesKobo)
  if (fees.length === 0) return 'Orders cannot be cancelled.'
  const conditions = fees.map(([status, kobo]) => `in \`${status}\` ${kobo === 0 ? 'for free' : `for ${kobo} kobo`}`)
  return `Orders can be cancelled ${conditions.join(', ')}.`
}

function deliveryRow(status: TestCarrierStatus, step: number): string[] {
  const times = paces.map((pace) => `${step * pace * stepSeconds} s`)
  return [`\`${testCarrierStatuses[status]}\``, String(step), ...times]
}

type Life = readonly (readonly [TestCarrierStatus, number])[]

/** The life cycles that do not end with the delivery, with the titles of their columns. */
const otherLives: readonly { readonly title: string; readonly life: Life }[] = [
  { title: 'carrier cancels', life: testLives.carrier_cancels },
  { title: 'delivery fails', life: testLives.delivery_fails },
  { title: 'parcel lost', life: testLives.lost },
  { title: 'cancelled in transit', life: testLives.cancelled_in_transit },
]

function outcomeRow(status: string, shown: string): string[][] {
  const steps = otherLives.map(({ life }) => String(life.find(([each]) => each === status)?.[1] ?? ''))
  return steps.every((step) => step === '') ? [] : [[`\`${shown}\``, ...steps]]
}

function carrierNames(): string {
  const names = testCarrierCodes.map((code) => testCarriers[code].name)
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function digits(entries: readonly { readonly digit: number; readonly meaning: string }[]): string {
  return table(
    ['Digit', 'Result'],
    entries.map(({ digit, meaning }) => [String(digit), meaning]),
  )
}
