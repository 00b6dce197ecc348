import { koboPerNaira } from '../../registry/values/vocabulary.ts'

// A formatter loads megabytes of locale data, so it is created at its first use.
let format: Intl.NumberFormat | undefined

/** Returns an amount in kobo as text in naira, such as `₦15,500.00`, for messages that people read. */
export function nairaText(kobo: number): string {
  format ??= new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' })
  return format.format(kobo / koboPerNaira)
}
