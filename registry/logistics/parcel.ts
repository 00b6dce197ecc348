import { z } from 'zod'
import { parcelItemsMax, parcelsMax, parcelsWeightMaxGrams } from '../values/limits.ts'
import { kobo, named, text } from '../values/vocabulary.ts'

/** What is carried. */

/** Longer than a wardrobe box, shorter than a bike’s rack can be stretched to: beyond it a lorry is hired, not a rider. */
const sideMaxCm = 200

const side = (description: string) =>
  z
    .int()
    .min(1)
    .max(sideMaxCm)
    .optional()
    .meta({ description: `${description} In centimetres; send all three sides or none.`, examples: [40] })

const fields = {
  description: text('What is inside, as the rider may be told.', {
    isPersonal: true,
    max: 200,
    example: 'Ankara maxi dress',
  }),
  weightGrams: z
    .int()
    .min(1)
    .max(parcelsWeightMaxGrams)
    .meta({ description: 'Weight of one piece, in grams.', examples: [800] }),
  lengthCm: side('Length of one piece.'),
  widthCm: side('Width of one piece.'),
  heightCm: side('Height of one piece.'),
  valueKobo: kobo('What one piece is worth.'),
}

const quantity = z.int().min(1).max(parcelItemsMax)
const category = text('What kind of goods they are.', { isPersonal: false, max: 60, example: 'fashion' })
const quantityMeaning = { description: 'How many such pieces there are.', examples: [1] }
const fragileMeaning = { description: 'Whether it breaks easily.', examples: [false] }

export const Parcel = named(
  'Parcel',
  z
    .strictObject({
      ...fields,
      quantity: quantity.default(1).meta({ ...quantityMeaning, default: 1 }),
      category: category.default('fashion').meta({ default: 'fashion', description: 'What kind of goods they are.' }),
      fragile: z
        .boolean()
        .default(false)
        .meta({ ...fragileMeaning, default: false }),
    })
    .superRefine(({ lengthCm, widthCm, heightCm }, context) => {
      const sides = { lengthCm, widthCm, heightCm }
      const missing = Object.entries(sides).filter(([, cm]) => cm === undefined)
      if (missing.length === 0 || missing.length === 3) return
      for (const [name] of missing) {
        const message = 'Send all three sides or none.'
        context.addIssue({ code: 'custom', path: [name], message, params: { problem: 'required' } })
      }
    })
    .meta({ description: 'One kind of piece that is carried.' }),
)

export type Parcel = z.output<typeof Parcel>

/** The same as it is answered, where nothing is left to be filled in. */
export const CarriedParcel = named(
  'CarriedParcel',
  z
    .object({
      ...fields,
      quantity: quantity.meta(quantityMeaning),
      category,
      fragile: z.boolean().meta(fragileMeaning),
    })
    .meta({ description: 'One kind of piece that is carried.' }),
)

/** Of all pieces together. */
export function weightGramsOf(parcels: readonly Pick<Parcel, 'weightGrams' | 'quantity'>[]): number {
  return parcels.reduce((sum, { weightGrams, quantity }) => sum + weightGrams * quantity, 0)
}

/** Together no heavier than a rider of any vehicle on offer takes. */
export const Parcels = z
  .array(Parcel)
  .min(1)
  .max(parcelsMax)
  .superRefine((parcels, context) => {
    const grams = weightGramsOf(parcels)
    if (grams <= parcelsWeightMaxGrams) return
    const message = `Together the parcels must weigh at most ${parcelsWeightMaxGrams} grams; these weigh ${grams}.`
    context.addIssue({ code: 'custom', path: [], message, params: { problem: 'too_big' } })
  })

/** What somebody sends who leaves out what need not be said. */
export const parcelInputExample = {
  description: 'Ankara maxi dress',
  weightGrams: 800,
  valueKobo: 3250000,
} as const satisfies z.input<typeof Parcel>

export const parcelExample = {
  description: 'Ankara maxi dress',
  weightGrams: 800,
  quantity: 1,
  valueKobo: 3250000,
  category: 'fashion',
  fragile: false,
} as const satisfies z.input<typeof Parcel>
