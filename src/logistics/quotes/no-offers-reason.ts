import type { carrierAnswers } from '../../../registry/logistics/quote.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'

interface Answer {
  readonly carrier: string
  readonly status: (typeof carrierAnswers)[number]
  readonly message: string | null
}

export function noOffersReason(answers: readonly Answer[]): string {
  if (answers.length === 0) return 'None of the allowed carriers is connected.'
  const reasons = answers.flatMap(({ carrier, status, message }) =>
    status === 'ok' ? [] : [`${carrierNameOf(carrier)}: ${message ?? 'The carrier has no matching service.'}`],
  )
  return ['No carrier made an offer.', ...reasons].join(' ')
}
