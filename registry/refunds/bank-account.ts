import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { named, text } from '../values/vocabulary.ts'

/** A NUBAN account number has ten digits. */
const accountNumber = personalText().regex(/^\d{10}$/, { error: 'Must be the ten digits of a Nigerian bank account.' })

/** Interbank codes have three digits, those of newer banks five or six. */
const bankCode = impersonalText().regex(/^(\d{3}|\d{5,6})$/, 'Must be the code of a Nigerian bank, such as 058.')

const bankFields = {
  bankCode: bankCode.meta({ description: 'Interbank code of the bank.', maxLength: 6, examples: ['058'] }),
  accountName: text('Whose account it is.', { isPersonal: true, max: 120, example: 'Adaeze Okafor' }),
}

export const BankDetails = named(
  'BankDetails',
  z
    .strictObject({
      accountNumber: accountNumber.meta({ maxLength: 10, description: 'The ten digits.', examples: ['0123456789'] }),
      ...bankFields,
    })
    .meta({ description: 'A Nigerian bank account.' }),
)

export type BankDetails = z.output<typeof BankDetails>

export const RefundAccount = named(
  'RefundAccount',
  z
    .object({
      accountNumber: personalText().meta({ description: 'Its last four digits.', examples: ['******6789'] }),
      ...bankFields,
    })
    .meta({ description: 'A bank account, its number masked.' }),
)
