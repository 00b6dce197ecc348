import { nairaText } from '../base/naira.ts'
import { carrierNameOf } from '../logistics/carriers/carrier-names.ts'
import { recordRemittance as recordRemittanceVerb, sumsOf } from '../logistics/remittances/record-remittance.ts'
import { voidRemittance as voidRemittanceVerb } from '../logistics/remittances/void-remittance.ts'
import { listCarrierCash, listRemittances } from '../store/logistics/shipments/carrier-cash.ts'
import { implement } from './execute/implement.ts'

export const getRemittances = implement('getRemittances', async ({ db, caller }) => {
  const { merchantId } = caller
  const [rows, remittances] = await Promise.all([
    listCarrierCash(db, { merchantId }),
    listRemittances(db, { merchantId }),
  ])
  return {
    carriers: rows.map(({ carrier, ...sums }) => ({
      ...{ carrier, carrierName: carrierNameOf(carrier), currency: 'NGN' as const },
      ...sumsOf(sums),
    })),
    remittances: remittances.map((remittance) => ({ ...remittance, currency: 'NGN' as const })),
  }
})

export const recordRemittance = implement('recordRemittance', async ({ work, body, refuse }) => {
  const outcome = await recordRemittanceVerb(work, body)
  switch (outcome.is) {
    case 'recorded':
      return outcome.remittance
    case 'carrier_unknown':
      return refuse('carrier_not_found', `No carrier has the code ${body.carrier}.`)
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('remittance_reference_in_use', `Remittance ${existingId} already has this reference.`, {
        existingId,
      })
    }
    case 'received_at_out_of_range': {
      const { earliest, latest } = outcome
      const message = `receivedAt must be between ${earliest} and ${latest}.`
      return refuse('received_at_out_of_range', message, { earliest, latest })
    }
    case 'exceeds_outstanding': {
      const { outstandingKobo } = outcome
      const message = `${carrierNameOf(body.carrier)} owes ${nairaText(outstandingKobo)} of collected cash, which is less than the amount.`
      return refuse('remittance_exceeds_outstanding', message, { outstandingKobo })
    }
  }
})

export const voidRemittance = implement('voidRemittance', async ({ work, params, body, refuse }) => {
  const outcome = await voidRemittanceVerb(work, params.id, body.reason)
  switch (outcome.is) {
    case 'voided':
      return outcome.remittance
    case 'remittance_unknown':
      return refuse('remittance_not_found', `No remittance has the id ${params.id}.`)
    case 'already_voided': {
      const { voidedAt } = outcome
      return refuse('remittance_already_voided', `Remittance ${params.id} was voided at ${voidedAt}.`, { voidedAt })
    }
  }
})
