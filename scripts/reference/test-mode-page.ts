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
  dispatchFaults,
  dispatchPhonePrefix,
  lateAcceptanceSeconds,
  quoteFaults,
  quotePhonePrefix,
} from '../../registry/service/test-phones.ts'
import { table } from './markdown.ts'
import type { Page } from './page.ts'

/** What can be tried in test mode, from the very tables that the simulated carriers run by. */
export function testModePage(): Page {
  return {
    path: 'test-mode',
    title: 'Test mode: carriers and payments',
    summary:
      'The simulated carriers and the simulated payment provider of test mode, and the telephone numbers and payment ' +
      'references that make them fail.',
    kind: 'page',
    words: [
      ...testCarrierCodes.map((code) => testCarriers[code].name),
      ...[dispatchFaults, quoteFaults, callbackFaults.sequence].flat().map(({ meaning }) => meaning),
      ...testPaymentBehaviours.map(({ meaning }) => meaning),
    ],
    parts: parts(),
  }
}

function parts(): string[] {
  return [
    'With a test token, shipments go to three carriers that do not exist. They quote, accept, carry and fail like real ones, ' +
      'cost nothing and call nobody. What they do depends only on the order and the clock, so that a test that is run again ' +
      'sees the same.',
    '## The companies',
    table(
      ['carrier', 'services', 'vehicles', 'goes to', 'up to', 'price holds'],
      testCarrierCodes.map((code) => companyRow(code)),
    ),
    testCarrierCodes
      .map((code) => `- **${testCarriers[code].name}**: ${testCarriers[code].character} ${cancelling(code)}`)
      .join('\n'),
    '## A delivery',
    `Time passes in steps of ${stepSeconds} seconds. Each step of a delivery takes as many of them as the service’s pace says. ` +
      'The rider moves along the straight line.',
    table(
      ['state of the shipment', 'after so many steps', ...paces.map((pace) => `at a pace of ${pace}`)],
      testLives.usual.map(([status, step]) => lifeRow(status, step)),
    ),
    '## Numbers that make a dispatch go wrong',
    `Give the recipient the number \`${dispatchPhonePrefix}\` and three digits more: one each for the first, the second and the ` +
      'third attempt. Later attempts go well, and so does everything with another number.',
    digits(dispatchFaults),
    `With \`${dispatchPhonePrefix}120\`, say, the first carrier refuses, the second accepts without an answer, and the third is ` +
      `not needed if the second can be asked. A late acceptance comes ${lateAcceptanceSeconds} seconds after the asking.`,
    'When the carrier cancels, or the delivery fails, it goes so:',
    table(
      ['state of the shipment', 'after so many steps, carrier cancels', 'after so many steps, delivery fails'],
      Object.keys(testCarrierStatuses).flatMap(troubleRow),
    ),
    '## Numbers that make a quote go wrong',
    `Give the recipient the number \`${quotePhonePrefix}\` and three digits more, for ${companyNames()} in this order.`,
    digits(quoteFaults),
    '## Numbers that make callbacks go wrong',
    `Give the sender the number \`${callbackPhonePrefix}\` and three digits more, one from each of these tables in this order. ` +
      'They change what the carrier tells this service, never what happens to the parcel, so the shipment must end the same.',
    digits(callbackFaults.sequence),
    digits(callbackFaults.copies),
    digits(callbackFaults.signature),
    ...paymentParts(),
  ]
}

function paymentParts(): string[] {
  const example = testPaymentReference({ amountKobo: 3_250_000, behaviour: 'refund_fails' }, 'a1')
  const { refundProcessing, refundEnds, disputeOpens, disputeEnds } = testPaymentSteps
  return [
    '## Payment references that decide what happens',
    'With a test token, Paystack is simulated. Record a payment with `POST /orders/{id}/payments`, `"provider": "paystack"` ' +
      'and a reference of the form `sim-{amountKobo}-{behaviour}-{anything}`. The amount must be that of the reference, and ' +
      `the last part makes the reference unique. With \`${example}\`, 3,250,000 kobo are paid and their refunds fail.`,
    table(
      ['behaviour', 'what happens'],
      testPaymentBehaviours.map(({ name, meaning }) => [`\`${name}\``, meaning]),
    ),
    `A step takes ${stepSeconds} seconds, as for a delivery. A refund is \`processing\` after ${count(refundProcessing)} and ` +
      `ends after ${count(refundEnds)}; a dispute opens ${count(disputeOpens)} after the payment and is resolved ` +
      `${count(disputeEnds)} after it. Bank details are accepted for any account at a Nigerian bank, such as \`058\`. A ` +
      'payment recorded with another reference is refunded like `success`.',
  ]
}

function count(steps: number): string {
  return steps === 1 ? 'one step' : `${steps} steps`
}

const paces = [
  ...new Set(testCarrierCodes.flatMap((code) => testCarriers[code].services.map(({ pace }) => pace))),
].toSorted((a, b) => a - b)

function companyRow(code: TestCarrierCode): string[] {
  const { services, vehicles, states, maxWeightGrams, quoteMinutes } = testCarriers[code]
  return [
    `\`${code}\``,
    services.map(({ level, pace, maxKm }) => `\`${level}\` at a pace of ${pace}, up to ${maxKm} km`).join('; '),
    vehicles.map((vehicle) => `\`${vehicle}\``).join(', '),
    states === undefined ? 'all of Nigeria' : states.join(', '),
    `${maxWeightGrams / 1_000} kg`,
    quoteMinutes === undefined ? 'no promise' : `${quoteMinutes} minutes`,
  ]
}

function cancelling(code: TestCarrierCode): string {
  const fees = Object.entries(testCarriers[code].cancellationFeesKobo)
  if (fees.length === 0) return 'Nothing can be called off.'
  const told = fees.map(([status, kobo]) => `\`${status}\` ${kobo === 0 ? 'for nothing' : `for ${kobo} kobo`}`)
  return `It can be called off in ${told.join(', ')}.`
}

function lifeRow(status: TestCarrierStatus, step: number): string[] {
  const times = paces.map((pace) => `${step * pace * stepSeconds} s`)
  return [`\`${testCarrierStatuses[status]}\``, String(step), ...times]
}

function troubleRow(status: string): string[][] {
  const stepIn = (life: readonly (readonly [TestCarrierStatus, number])[]) => life.find(([each]) => each === status)
  const [cancels, fails] = [stepIn(testLives.carrier_cancels), stepIn(testLives.delivery_fails)]
  const known = cancels ?? fails
  if (known === undefined) return []
  return [[`\`${testCarrierStatuses[known[0]]}\``, String(cancels?.[1] ?? ''), String(fails?.[1] ?? '')]]
}

function companyNames(): string {
  const names = testCarrierCodes.map((code) => testCarriers[code].name)
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function digits(entries: readonly { readonly digit: number; readonly meaning: string }[]): string {
  return table(
    ['digit', 'what happens'],
    entries.map(({ digit, meaning }) => [String(digit), meaning]),
  )
}
