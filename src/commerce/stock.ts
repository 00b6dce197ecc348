import type { Reservation, SellableVariant } from '../store/variants.ts'

export interface WantedLine {
  readonly variant: SellableVariant
  readonly quantity: number
}

export interface Shortage {
  readonly variantId: string
  readonly sku: string
  readonly requested: number
  readonly available: number
}

export function availableOf(variant: Pick<SellableVariant, 'onHand' | 'reserved'>): number {
  return variant.onHand - variant.reserved
}

/** Every line that asks for more than there is; untracked and back-ordered variants never run short. */
export function shortagesOf(lines: readonly WantedLine[]): Shortage[] {
  return lines
    .filter(({ variant, quantity }) => {
      return variant.isTracked && !variant.allowsBackorder && quantity > availableOf(variant)
    })
    .map(({ variant, quantity }) => ({
      variantId: variant.id,
      sku: variant.sku,
      requested: quantity,
      available: Math.max(0, availableOf(variant)),
    }))
}

/**
 * The stock after the order. Low means available at or under the threshold; the flag makes the event fire once for each
 * crossing and not for every sale below it.
 */
export function reservationOf(
  { variant, quantity }: WantedLine,
  merchantThreshold: number | null,
): Reservation & { readonly crossedThreshold: number | undefined } {
  const reserved = variant.reserved + quantity
  const threshold = variant.ownThreshold ?? merchantThreshold
  const isLow = variant.isTracked && threshold !== null && variant.onHand - reserved <= threshold
  return {
    variantId: variant.id,
    quantity,
    onHand: variant.onHand,
    reserved,
    isLow,
    crossedThreshold: isLow && !variant.isLow && threshold !== null ? threshold : undefined,
  }
}
