import { nairaText } from '../base/naira.ts'
import { carrierNameOf } from '../logistics/carriers/carrier-names.ts'
import { recordRemittance as recordRemittanceVerb, sumsOf } from '../logistics/remittances/record-remittance.ts'
import { listCarrierCash } from '../store/logistics/shipments/carrier-cash.ts'
import { implement } from './execute/implement.ts'

export const getRemittances = implement('getRemittances', async ({ db, caller }) => {
  const rows = await listCarrierCash(db, { merchantId: caller.merchantId })
  return {
    carriers: rows.map(({ carrier, ...sums }) => ({
      ...{ carrier, carrierName: carrierNameOf(carrier), currency: 'NGN' as const },
      ...sumsOf(sums),
    })),
  }
})

export const recordRemittance = implement('recordRemittance', async ({ work, body, refuse }) => {
  const outcome = await recordRemittanceVerb(work, body)
  switch (outcome.is) {
    case 'recorded':
      return outcome.remittance
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('remittance_reference_in_use', `Remittance ${existingId} already has this reference.`, {
        existingId,
      })
    }
    case 'exceeds_outstanding': {
      const { outstandingKobo } = outcome
      const message = `${carrierNameOf(body.carrier)} owes ${nairaText(outstandingKobo)} of collected cash, which is less than the amount.`
      return refuse('remittance_exceeds_outstanding', message, { outstandingKobo })
    }
  }
})
