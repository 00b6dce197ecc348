import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { named, text } from '../values/vocabulary.ts'

/** Account number in the NUBAN format: ten digits. */
const accountNumber = personalText().regex(/^\d{10}$/, { error: 'Must be the ten digits of a Nigerian bank account.' })

/** Bank code: three digits, or five or six digits for newer banks. */
const bankCode = impersonalText().regex(/^(\d{3}|\d{5,6})$/, 'Must be the code of a Nigerian bank, such as 058.')

const bankFields = {
  bankCode: bankCode.meta({ description: 'Code of the bank.', maxLength: 6, examples: ['058'] }),
  accountName: text('Name of the account holder.', { isPersonal: true, max: 120, example: 'Adaeze Okafor' }),
}

export const BankDetails = named(
  'BankDetails',
  z
    .strictObject({
      accountNumber: accountNumber.meta({
        maxLength: 10,
        description: 'Account number with ten digits.',
        examples: ['0123456789'],
      }),
      ...bankFields,
    })
    .meta({ description: 'Nigerian bank account.' }),
)

export type BankDetails = z.output<typeof BankDetails>

export const RefundAccount = named(
  'RefundAccount',
  z
    .object({
      accountNumber: personalText().meta({
        description: 'Masked account number, with its last four digits.',
        examples: ['******6789'],
      }),
      ...bankFields,
    })
    .meta({ description: 'Bank account with a masked account number.' }),
)
