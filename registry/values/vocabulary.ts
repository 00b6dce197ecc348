import { z } from 'zod'
import { amountMaxKobo } from './limits.ts'
import { classified, impersonalText, personalText } from './privacy.ts'
import { readable } from './readable-text.ts'

const names = new Set<string>()

/**
 * Names a schema as a component of the OpenAPI document. Throws if the name is already used, because the OpenAPI
 * generator would silently drop the second schema.
 */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  if (names.has(name)) throw new Error(`Two schemas are named ${name}.`)
  names.add(name)
  return schema.meta({ id: name })
}

/** Used instead of `.nullable()`, which the OpenAPI generator writes incorrectly for a named schema. */
export function nullable<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()])
}

/** Pattern of an id after its prefix: a UUIDv7 in Crockford's base32, so that ids sort by time. */
const encodedUuid = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/**
 * Length of an id: three letters, an underscore and the encoded UUID. The length is stated because few tools derive it
 * from the pattern.
 */
const maxLength = 30

function recordId<const Brand extends string>(prefix: string, _brand: Brand, noun: string) {
  return impersonalText()
    .regex(new RegExp(`^${prefix}_${encodedUuid}$`), {
      error: `Must be the id of ${noun}. Such an id starts with ${prefix}_.`,
    })
    .meta({ description: `Identifier of ${noun}.`, maxLength, examples: [`${prefix}_01jd3f8q6hf5n8v1zr4c7e2m9k`] })
    .brand<Brand>()
}

export const MerchantId = recordId('mer', 'MerchantId', 'a merchant')
export const TokenId = recordId('tok', 'TokenId', 'an API token')
export const UserId = recordId('usr', 'UserId', 'a user')
export const MemberId = recordId('mbr', 'MemberId', 'a member')
export const InvitationId = recordId('inv', 'InvitationId', 'an invitation')
export const SessionId = recordId('ses', 'SessionId', 'a session')
export const OrderId = recordId('ord', 'OrderId', 'an order')
export const CommentId = recordId('cmt', 'CommentId', 'a comment')
export const TriggerId = recordId('trg', 'TriggerId', 'a run of a trigger')
export const OrderItemId = recordId('itm', 'OrderItemId', 'an order item')
export const ProductId = recordId('prd', 'ProductId', 'a product')
export const VariantId = recordId('var', 'VariantId', 'a product variant')
export const ImageId = recordId('img', 'ImageId', 'a product image')
export const MovementId = recordId('mov', 'MovementId', 'an inventory movement')
export const CustomerId = recordId('cus', 'CustomerId', 'a customer')
export const AddressId = recordId('adr', 'AddressId', 'an address')
export const DiscountId = recordId('dsc', 'DiscountId', 'a discount')
export const RedemptionId = recordId('rdm', 'RedemptionId', 'a discount redemption')
export const PaymentId = recordId('pay', 'PaymentId', 'a payment')
export const PaymentLinkId = recordId('pln', 'PaymentLinkId', 'a payment link')
export const RefundId = recordId('rfd', 'RefundId', 'a refund')
export const ReturnId = recordId('ret', 'ReturnId', 'a return')
export const RemittanceId = recordId('rmt', 'RemittanceId', 'a remittance')
export const ShipmentId = recordId('shp', 'ShipmentId', 'a shipment')
export const AttemptId = recordId('att', 'AttemptId', 'a dispatch attempt')
export const QuoteId = recordId('qte', 'QuoteId', 'a quote')
export const ScheduleId = recordId('sch', 'ScheduleId', 'a schedule')
export const OfferId = recordId('off', 'OfferId', 'an offer of a quote')
export const SurgeSnapshotId = recordId('sgs', 'SurgeSnapshotId', 'a surge snapshot')
export const EventId = recordId('evt', 'EventId', 'an event')
export const EndpointId = recordId('whe', 'EndpointId', 'a webhook endpoint')
export const DeliveryId = recordId('dlv', 'DeliveryId', 'a webhook delivery')
export const BulkReplayId = recordId('rpl', 'BulkReplayId', 'a bulk replay')
export const ImportId = recordId('imp', 'ImportId', 'a product import')

export const orderNumber = impersonalText()
  .regex(/^ORD-[0-9A-HJKMNP-TV-Z]{8}$/)
  .meta({ maxLength: 12 })
  .meta({
    description: 'Human-readable number of the order. Its last character is a check character.',
    examples: ['ORD-7K2M9QX4'],
  })

export const koboPerNaira = 100

export const AnyId = impersonalText()
  .regex(new RegExp(`^[a-z]{3}_${encodedUuid}$`), { error: 'Must be the id of a record, such as that of an order.' })
  .meta({ description: 'Identifier of a record.', maxLength, examples: ['ord_01jd3f8q6hf5n8v1zr4c7e2m9k'] })

export type MerchantId = z.output<typeof MerchantId>
export type TokenId = z.output<typeof TokenId>
export type UserId = z.output<typeof UserId>
export type MemberId = z.output<typeof MemberId>
export type InvitationId = z.output<typeof InvitationId>
export type SessionId = z.output<typeof SessionId>
export type OrderId = z.output<typeof OrderId>
export type CommentId = z.output<typeof CommentId>
export type TriggerId = z.output<typeof TriggerId>
export type OrderItemId = z.output<typeof OrderItemId>
export type ProductId = z.output<typeof ProductId>
export type VariantId = z.output<typeof VariantId>
export type ImageId = z.output<typeof ImageId>
export type MovementId = z.output<typeof MovementId>
export type CustomerId = z.output<typeof CustomerId>
export type AddressId = z.output<typeof AddressId>
export type DiscountId = z.output<typeof DiscountId>
export type RedemptionId = z.output<typeof RedemptionId>
export type PaymentId = z.output<typeof PaymentId>
export type PaymentLinkId = z.output<typeof PaymentLinkId>
export type RefundId = z.output<typeof RefundId>
export type ReturnId = z.output<typeof ReturnId>
export type RemittanceId = z.output<typeof RemittanceId>
export type ShipmentId = z.output<typeof ShipmentId>
export type AttemptId = z.output<typeof AttemptId>
export type QuoteId = z.output<typeof QuoteId>
export type ScheduleId = z.output<typeof ScheduleId>
export type OfferId = z.output<typeof OfferId>
export type SurgeSnapshotId = z.output<typeof SurgeSnapshotId>
export type EventId = z.output<typeof EventId>
export type EndpointId = z.output<typeof EndpointId>
export type DeliveryId = z.output<typeof DeliveryId>
export type BulkReplayId = z.output<typeof BulkReplayId>
export type ImportId = z.output<typeof ImportId>

/** Returns the schema of an amount. Amounts are integers in kobo, NGN throughout (spec 1). */
export function kobo(description: string, bounds: { min?: number; example?: number } = {}) {
  return z
    .int()
    .min(bounds.min ?? 0)
    .max(amountMaxKobo)
    .meta({ description: `${description} In kobo.`, examples: [bounds.example ?? 1_500_000] })
    .brand<'Kobo'>()
}

export function signedKobo(description: string) {
  return z
    .int()
    .min(-amountMaxKobo)
    .max(amountMaxKobo)
    .meta({ description: `${description} In kobo.`, examples: [0] })
    .brand<'Kobo'>()
}

export type Kobo = number & z.$brand<'Kobo'>

export const Currency = z.literal('NGN').meta({ description: 'Always NGN.', examples: ['NGN'] })

/** Returns the schema of a timestamp in a response: ISO 8601, UTC, with milliseconds (spec 2). */
export function timestamp(description: string) {
  return impersonalText()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ description, format: 'date-time', maxLength: 24, examples: ['2026-11-21T08:30:00.000Z'] })
    .brand<'Timestamp'>()
}

export type Timestamp = string & z.$brand<'Timestamp'>

/** Returns the schema of a timestamp in a request: ISO 8601 with any offset and up to millisecond precision. */
export function instant(description: string) {
  return impersonalText()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/, {
      error: 'Must be an ISO 8601 timestamp with an offset, such as 2026-11-21T08:30:00Z.',
      abort: true,
    })
    .refine(isExistingTime, { error: 'Must be an existing date and time in the years 1 to 9999.' })
    .meta({ description, format: 'date-time', examples: ['2026-11-21T09:30:00+01:00'] })
    .brand<'Instant'>()
}

/**
 * Reports whether a timestamp is a date that exists: Date.parse() alone also accepts 30 February, and years that
 * PostgreSQL cannot store.
 */
function isExistingTime(text: string): boolean {
  const day = text.slice(0, 10)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const ms = Date.parse(text)
  const first = Date.parse('0001-01-01T00:00:00Z')
  const last = Date.parse('9999-12-31T23:59:59.999Z')
  return ms >= first && ms <= last && new Date(midnight).toISOString().startsWith(day)
}

export type Instant = string & z.$brand<'Instant'>

export function calendarDay(description: string) {
  return impersonalText()
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'Must be an ISO 8601 date, such as 2026-11-21.', abort: true })
    .refine((text) => text >= '2000' && isExistingTime(`${text}T00:00:00Z`), {
      error: 'Must be an existing date in the years 2000 to 9999.',
    })
    .meta({ description, format: 'date', maxLength: 10, examples: ['2026-11-21'] })
    .brand<'CalendarDay'>()
}

export type CalendarDay = string & z.$brand<'CalendarDay'>

export interface TextBounds {
  /** Whether the text may contain personal data, which anonymising redacts. */
  readonly isPersonal: boolean
  readonly min?: number
  readonly max: number
  readonly example: string
  /** Number of lines that the text may have: `many` allows line breaks, and `one` is the default. */
  readonly lines?: 'one' | 'many'
}

export function text(description: string, { isPersonal, min = 1, max, example, lines }: TextBounds) {
  const schema = classified(z.string(), isPersonal).min(min).max(max)
  return readable(schema, lines).meta({ description, examples: [example] })
}

export function httpsUrl(description: string, example: string) {
  return impersonalText()
    .max(2048)
    .regex(/^https:\/\/[!-~]+$/, { error: 'Must be an https URL.', abort: true })
    .refine((url) => URL.canParse(url), { error: 'Must be an https URL.', params: { problem: 'invalid_format' } })
    .meta({ description, examples: [example] })
}

/** E-mail address. The maximum length of a deliverable address is 254 characters (RFC 5321). */
export const Email = classified(z.email(), true)
  .max(254)
  .meta({ description: 'E-mail address.', examples: ['adaeze.okafor@example.com'] })

/** Free key-value pairs of the integrator, which are not searchable. The limits are those of common payment APIs. */
export const Metadata = z
  .record(z.string(), personalText().max(500))
  .refine((map) => Object.keys(map).length <= 50, { error: 'Must have at most 50 keys.' })
  .refine((map) => Object.keys(map).every((key) => key.length >= 1 && key.length <= 40), {
    error: 'Each key must have 1 to 40 characters.',
  })
  .meta({
    description: 'Free key-value pairs. At most 50 keys of 1 to 40 characters, with values of up to 500 characters.',
    maxProperties: 50,
    examples: [{ channel: 'instagram' }],
  })
