import type {
  CustomerId,
  MerchantId,
  OrderId,
  OrderItemId,
  PaymentId,
  ProductId,
  VariantId,
} from '../../registry/values/vocabulary.ts'
import { base32 } from '../base/ids.ts'
import { type Random, randomOf } from './random.ts'

/**
 * Reproducible ids for demo records. They have the format of ids.ts (UUIDv7 in Crockford's base32), but are derived
 * from a seed. The merchant is part of the seed, so that two merchants have equal orders with different ids.
 */
export interface DemoIds {
  product(atMs: number): ProductId
  variant(atMs: number): VariantId
  customer(atMs: number): CustomerId
  order(atMs: number): OrderId
  item(atMs: number): OrderItemId
  payment(atMs: number): PaymentId
  /**
   * In the id of an inventory movement, the sequence number precedes the random part, so that ids of movements sort by
   * creation.
   */
  movement(atMs: number, sequence: number): string
}

/**
 * Only this function casts text to branded id types. The casts are safe, because idOf() returns well-formed ids with
 * the given prefix.
 */
export function demoIds(merchantId: MerchantId, ...keys: readonly (string | number)[]): DemoIds {
  const random = randomOf('ids', merchantId, ...keys)
  return {
    product: (atMs) => idOf('prd', atMs, random) as ProductId,
    variant: (atMs) => idOf('var', atMs, random) as VariantId,
    customer: (atMs) => idOf('cus', atMs, random) as CustomerId,
    order: (atMs) => idOf('ord', atMs, random) as OrderId,
    item: (atMs) => idOf('itm', atMs, random) as OrderItemId,
    payment: (atMs) => idOf('pay', atMs, random) as PaymentId,
    movement: (atMs, sequence) => {
      const place = digits(sequence, sequenceLength)
      return `mov_${timeOf(atMs)}e008${place}${randomText(random, randomLength - sequenceLength)}`
    },
  }
}

const timeLength = 10 // Number of base32 characters of the time in an id: 50 bits, which are two zeros and the 48 bits of a UUIDv7's time.
const randomLength = 12 // Number of random base32 characters at the end of an id. An id has 26 characters after its prefix: the first ten encode the time, and the next four contain the version and the variant.
const sequenceLength = 7 // Number of base32 characters of the sequence number of an inventory movement: enough for 34 billion movements.

/** A UUIDv7 consists of the time, the version (7), 12 random bits, the variant (binary 10) and 62 random bits. */
function idOf(prefix: string, atMs: number, random: Random): string {
  const version = base32.charAt(0b01110 | random.between(0, 1))
  const variant = base32.charAt((random.between(0, 1) << 4) | 0b01000 | random.between(0, 3))
  return `${prefix}_${timeOf(atMs)}${version}${randomText(random, 2)}${variant}${randomText(random, randomLength)}`
}

function timeOf(atMs: number): string {
  return digits(atMs, timeLength)
}

/** Six base32 characters are 30 bits, which one 32-bit number of the random generator provides. */
function randomText(random: Random, length: number): string {
  const drawn = Math.min(length, 6)
  const text = digits(Math.floor(random.fraction() * 32 ** drawn), drawn)
  return length > drawn ? text + randomText(random, length - drawn) : text
}

/** Returns a number in base32 digits. Uses division, because a timestamp exceeds the 32 bits of JavaScript's shifts. */
function digits(value: number, length: number): string {
  let text = ''
  let left = value
  for (let index = 0; index < length; index++) {
    text = base32.charAt(left % 32) + text
    left = Math.floor(left / 32)
  }
  return text
}
