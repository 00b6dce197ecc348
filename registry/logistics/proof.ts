import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { named, nullable, timestamp } from '../values/vocabulary.ts'

/** How it is shown that a parcel reached whom it should. */

const pinValue = personalText()
  .regex(/^\d{4,6}$/, { error: 'Must be four to six digits.' })
  .meta({ maxLength: 6 })

const pinRule = 'A PIN has to be told to the rider by a person, so it cannot be left at the door.'

export const ProofInput = named(
  'ProofInput',
  z
    .strictObject({
      photo: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether the rider takes a picture.', examples: [true], default: false }),
      signature: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether the recipient signs.', examples: [false], default: false }),
      pin: z
        .union([z.enum(['none', 'generate']), pinValue])
        .default('none')
        .meta({
          description: `\`none\`, \`generate\`, or four to six digits of your own that the recipient tells the rider. ${pinRule}`,
          examples: ['none'],
          default: 'none',
        }),
    })
    .meta({ description: 'How the handover is to be proven.' }),
)

export type ProofInput = z.output<typeof ProofInput>

export const CapturedProof = named(
  'CapturedProof',
  z
    .object({
      type: impersonalText().meta({ description: 'What was taken.', examples: ['photo'] }),
      url: nullable(personalText()).meta({ description: 'Where it can be seen.' }),
      capturedAt: timestamp('When it was taken.'),
    })
    .meta({ description: 'A proof the rider took.' }),
)
