import type { Marketing } from '../../../registry/customers/customer.ts'
import type { MarketingInput } from '../../../registry/customers/customers.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant } from '../../base/clock.ts'

type Consent = Marketing['email']
type ConsentInput = MarketingInput['email']

const noConsent: Consent = { granted: false, at: null }

export const noConsents: Marketing = { email: noConsent, sms: noConsent, whatsapp: noConsent }

export function consentsOf(before: Marketing, said: MarketingInput | undefined, now: Timestamp): Marketing {
  return {
    email: consentOf(before.email, said?.email, now),
    sms: consentOf(before.sms, said?.sms, now),
    whatsapp: consentOf(before.whatsapp, said?.whatsapp, now),
  }
}

/** If the request repeats the stored value and states no time, the time of the stored consent stays unchanged. */
function consentOf(before: Consent, said: ConsentInput, now: Timestamp): Consent {
  if (said === undefined) return before
  if (said.at !== undefined) return { granted: said.granted, at: normaliseInstant(said.at) }
  return said.granted === before.granted && before.at !== null ? before : { granted: said.granted, at: now }
}
