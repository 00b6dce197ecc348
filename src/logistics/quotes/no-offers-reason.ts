import type { carrierAnswers } from '../../../registry/logistics/quotes.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'

interface Answer {
  readonly carrier: string
  readonly status: (typeof carrierAnswers)[number]
  readonly message: string | null
}

/** What carriers said instead of offering to take a shipment, so that whoever reads it knows what to mend. */
export function noOffersReason(answers: readonly Answer[]): string {
  if (answers.length === 0) return 'No carrier is connected that may be asked.'
  const reasons = answers.flatMap(({ carrier, status, message }) =>
    status === 'ok' ? [] : [`${carrierNameOf(carrier)}: ${message ?? 'It has nothing that fits.'}`],
  )
  return ['No carrier offers to take it.', ...reasons].join(' ')
}
