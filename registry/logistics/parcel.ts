import { z } from 'zod'
import { parcelItemsMax, parcelsMax, parcelsWeightMaxGrams } from '../values/limits.ts'
import { kobo, named, text } from '../values/vocabulary.ts'

/** Maximum side length of a parcel in centimetres. Wardrobe boxes fit; larger goods need a lorry instead of a rider. */
const sideMaxCm = 200

const side = (description: string) =>
  z
    .int()
    .min(1)
    .max(sideMaxCm)
    .optional()
    .meta({
      description: `${description} In centimetres. Send length, width and height, or none of them.`,
      examples: [40],
    })

const fields = {
  description: text('Description of the contents, shared with the carrier.', {
    isPersonal: true,
    max: 200,
    example: 'Ankara maxi dress',
  }),
  weightGrams: z
    .int()
    .min(1)
    .max(parcelsWeightMaxGrams)
    .meta({ description: 'Weight of one parcel, in grams.', examples: [800] }),
  lengthCm: side('Length of one parcel.'),
  widthCm: side('Width of one parcel.'),
  heightCm: side('Height of one parcel.'),
  valueKobo: kobo('Declared value of one parcel.'),
}

const quantity = z.int().min(1).max(parcelItemsMax)
const category = text('Category of the goods in the parcel.', { isPersonal: false, max: 60, example: 'fashion' })
const quantityMeaning = { description: 'Number of identical parcels.', examples: [1] }
const fragileMeaning = { description: 'Whether the contents are fragile.', examples: [false] }

export const Parcel = named(
  'Parcel',
  z
    .strictObject({
      ...fields,
      quantity: quantity.default(1).meta({ ...quantityMeaning, default: 1 }),
      category: category
        .default('fashion')
        .meta({ default: 'fashion', description: 'Category of the goods in the parcel.' }),
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
        const message = 'Send length, width and height, or none of them.'
        context.addIssue({ code: 'custom', path: [name], message, params: { problem: 'required' } })
      }
    })
    .meta({ description: 'One or more identical parcels of a shipment.' }),
)

export type Parcel = z.output<typeof Parcel>

/** A parcel in a response, with defaults for the fields that the request omitted. */
export const CarriedParcel = named(
  'CarriedParcel',
  z
    .object({
      ...fields,
      quantity: quantity.meta(quantityMeaning),
      category,
      fragile: z.boolean().meta(fragileMeaning),
    })
    .meta({ description: 'One or more identical parcels of a shipment.' }),
)

export function weightGramsOf(parcels: readonly Pick<Parcel, 'weightGrams' | 'quantity'>[]): number {
  return parcels.reduce((sum, { weightGrams, quantity }) => sum + weightGrams * quantity, 0)
}

/** Parcels of a request, whose total weight is limited to the highest weight that any carrier accepts. */
export const Parcels = z
  .array(Parcel)
  .min(1)
  .max(parcelsMax)
  .superRefine((parcels, context) => {
    const grams = weightGramsOf(parcels)
    if (grams <= parcelsWeightMaxGrams) return
    const message = `Total weight must be at most ${parcelsWeightMaxGrams} grams; it is ${grams} grams.`
    context.addIssue({ code: 'custom', path: [], message, params: { problem: 'too_big' } })
  })

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
