import { z } from 'zod'
import { read, write } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { remittancesShownMax } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { Currency, instant, kobo, named, nullable, RemittanceId, text, timestamp } from '../values/vocabulary.ts'
import { CarrierName } from './quote.ts'

const total = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description: `${description} In kobo.`, examples: [example] })

const sums = {
  collectedKobo: total('Cash on delivery that the carrier has collected.', 9750000),
  remittedKobo: total('Part of the collected cash that the carrier has transferred to you.', 3250000),
  outstandingKobo: total('Collected cash that the carrier still owes: `collectedKobo` minus `remittedKobo`.', 6500000),
}

const CarrierCash = named(
  'CarrierCash',
  z
    .object({
      carrier: CarrierName,
      carrierName: impersonalText().meta({ description: 'Name of the carrier.', examples: ['Simulator Swift'] }),
      currency: Currency,
      ...sums,
    })
    .meta({ description: 'Cash on delivery of one carrier.' }),
)

const remittanceReference = text('Reference of the transfer at the bank. Unique per merchant.', {
  isPersonal: false,
  max: 100,
  example: 'FBN-2026112310-00017',
})

const remittanceFields = {
  carrier: CarrierName,
  amountKobo: kobo('Transferred amount, before fees that the carrier deducts.', { min: 1, example: 3250000 }),
  reference: remittanceReference,
}

export const remittanceVoidReasons = ['duplicate', 'wrong_amount', 'wrong_carrier', 'not_received', 'other'] as const
export type RemittanceVoidReason = (typeof remittanceVoidReasons)[number]

const recordedFields = {
  id: RemittanceId,
  ...remittanceFields,
  currency: Currency,
  receivedAt: timestamp('When the transfer was received.'),
  createdAt: timestamp('When the remittance was recorded.'),
  voidedAt: nullable(timestamp('When the remittance was voided.')).meta({
    description: 'When the remittance was voided. Null for a remittance that is not voided.',
  }),
  voidReason: nullable(z.enum(remittanceVoidReasons)).meta({
    description: 'Reason code of the void. Null for a remittance that is not voided.',
  }),
}

export const RecordedRemittance = named(
  'RecordedRemittance',
  z.object(recordedFields).meta({ description: 'Recorded transfer of collected cash from a carrier to the merchant.' }),
)

export type RecordedRemittance = z.output<typeof RecordedRemittance>

export const Remittance = named(
  'Remittance',
  z
    .object({
      ...recordedFields,
      cash: z
        .object(sums)
        .meta({ description: 'Collected, transferred and owed cash of the carrier after this request.' }),
    })
    .meta({ description: 'Remittance: transfer of collected cash from a carrier to the merchant.' }),
)

export type Remittance = z.output<typeof Remittance>

/** Minutes by which `receivedAt` may be in the future, because the clocks of banks and shops differ by a few minutes. */
export const receivedAtAheadMinutes = 5

const RemittanceInput = named(
  'RemittanceInput',
  z.strictObject({
    ...remittanceFields,
    receivedAt: instant(
      `When the transfer was received. When left out, the time of the request. Must not be before the creation of the merchant, or more than ${receivedAtAheadMinutes} minutes in the future.`,
    ).optional(),
  }),
)

export type RemittanceInput = z.output<typeof RemittanceInput>

const sumsExample = { collectedKobo: 9750000, remittedKobo: 3250000, outstandingKobo: 6500000 } as const

const recordedExample = {
  id: sampleIds.remittanceToVoid,
  carrier: 'simulator-swift',
  amountKobo: 3250000,
  reference: 'FBN-2026112310-00017',
  currency: 'NGN',
  receivedAt: '2026-11-23T10:15:00.000Z',
  createdAt: '2026-11-23T10:15:00.000Z',
  voidedAt: null,
  voidReason: null,
} as const satisfies z.input<typeof RecordedRemittance>

const remittanceExample = { ...recordedExample, cash: sumsExample } as const satisfies z.input<typeof Remittance>

export const getRemittances = read({
  id: 'getRemittances',
  path: '/logistics/remittances',
  tag: 'Logistics',
  summary: 'Get remittances',
  description:
    'Returns how much cash on delivery each carrier has collected, transferred and still owes, and the newest ' +
    `${remittancesShownMax} recorded remittances. All remittances are in the audit log.`,
  access: 'orders:read',
  refusals: [],
  reply: {
    body: named(
      'Remittances',
      z
        .object({
          carriers: z.array(CarrierCash).meta({
            description: 'Carriers that have collected cash, sorted by code. Empty if no carrier has collected cash.',
          }),
          remittances: z.array(RecordedRemittance).meta({
            description: `Recorded remittances, newest first, voided ones included. At most the newest ${remittancesShownMax}.`,
          }),
        })
        .meta({ description: 'Collected and transferred cash by carrier, and the recorded remittances.' }),
    ),
    meaning: 'The collected and transferred cash of each carrier, and the recorded remittances.',
    example: {
      carriers: [{ carrier: 'simulator-swift', carrierName: 'Simulator Swift', currency: 'NGN', ...sumsExample }],
      remittances: [recordedExample],
    },
  },
})

export const recordRemittance = write({
  id: 'recordRemittance',
  path: '/logistics/remittances',
  tag: 'Logistics',
  summary: 'Record a remittance',
  description:
    'Records that a carrier has transferred collected cash. An amount above the cash that the carrier still owes is ' +
    'rejected with `remittance_exceeds_outstanding`. A remittance that was recorded by mistake can be voided. `reference` is unique per merchant: a repeated request is rejected, and the error contains the id of the ' +
    'recorded remittance. No operation returns a single remittance, so the response is 200 without ' +
    '`Location`.',
  access: 'orders:write',
  body: {
    schema: RemittanceInput,
    example: { carrier: 'simulator-swift', amountKobo: 3250000, reference: 'FBN-2026112310-00017' },
  },
  reply: { status: 200, body: Remittance, meaning: 'The remittance.', example: remittanceExample },
  refusals: [
    'carrier_not_found',
    'remittance_reference_in_use',
    'remittance_exceeds_outstanding',
    'received_at_out_of_range',
  ],
  emits: [],
  audits: { action: 'remittance.record', resourceType: 'remittance' },
})

const RemittanceVoidInput = named(
  'RemittanceVoidInput',
  z.strictObject({
    reason: z.enum(remittanceVoidReasons).meta({ description: 'Reason code of the void.', examples: ['wrong_amount'] }),
  }),
)

export const voidRemittance = write({
  id: 'voidRemittance',
  path: '/logistics/remittances/{id}/void',
  tag: 'Logistics',
  summary: 'Void a remittance',
  description:
    'Voids a remittance that was recorded by mistake: with a wrong amount, for a wrong carrier or twice. The remittance ' +
    'stays in the list, and the carrier owes the amount of the remittance again. Another remittance can then have the same reference.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(RemittanceId, sampleIds.remittanceToVoid) }),
  body: { schema: RemittanceVoidInput, example: { reason: 'wrong_amount' } },
  reply: {
    status: 200,
    body: Remittance,
    meaning: 'The voided remittance.',
    example: {
      ...recordedExample,
      voidedAt: '2026-11-23T11:00:00.000Z',
      voidReason: 'wrong_amount',
      cash: { collectedKobo: 9750000, remittedKobo: 0, outstandingKobo: 9750000 },
    },
  },
  refusals: ['remittance_not_found', 'remittance_already_voided'],
  emits: [],
  audits: { action: 'remittance.void', resourceType: 'remittance' },
})
