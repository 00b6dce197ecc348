import { z } from 'zod'
import { impersonalText, personalText } from '../values/privacy.ts'
import { named, nullable, timestamp } from '../values/vocabulary.ts'

const pinValue = personalText()
  .regex(/^\d{4,6}$/, { error: 'Must be four to six digits.' })
  .meta({ maxLength: 6 })

const pinRule =
  'A PIN excludes the `undeliverableAction` `leave_at_door`, because the recipient must tell the PIN to the rider.'

export const ProofInput = named(
  'ProofInput',
  z
    .strictObject({
      photo: z
        .boolean()
        .default(false)
        .meta({
          description: 'Whether the rider must take a photo as proof of delivery.',
          examples: [true],
          default: false,
        }),
      signature: z
        .boolean()
        .default(false)
        .meta({
          description: 'Whether the recipient must sign as proof of delivery.',
          examples: [false],
          default: false,
        }),
      pin: z
        .union([z.enum(['none', 'generate']), pinValue])
        .default('none')
        .meta({
          description: `PIN that the recipient tells the rider: \`none\`, \`generate\`, or four to six digits. ${pinRule}`,
          examples: ['none'],
          default: 'none',
        }),
    })
    .meta({ description: 'Required proof of delivery.' }),
)

export type ProofInput = z.output<typeof ProofInput>

export const CapturedProof = named(
  'CapturedProof',
  z
    .object({
      type: impersonalText().meta({ description: 'Type of the proof of delivery.', examples: ['photo'] }),
      url: nullable(personalText()).meta({
        description: 'URL of the proof of delivery. Null if the carrier provides no URL.',
      }),
      capturedAt: timestamp('When the proof of delivery was captured.'),
    })
    .meta({ description: 'Captured proof of delivery.' }),
)
