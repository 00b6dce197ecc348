import { z } from 'zod'

/**
 * Classification of a text field as personal data or not. Anonymising a customer redacts personal fields wherever they
 * are stored. Every text field is classified, and a test compares the classification with the redaction.
 */
interface Privacy {
  readonly isPersonal: boolean
}

// Stores which fields contain personal data. This Zod registry is separate, because the OpenAPI document must not
// contain the classification. A derived schema inherits the classification.
const classes = z.registry<Privacy>()

/** Personal data names, locates or describes a person. Free text is treated as personal. */
export function classified<Schema extends z.ZodType>(schema: Schema, isPersonal: boolean): Schema {
  classes.add(schema, { isPersonal })
  return schema
}

export function personalText() {
  return classified(z.string(), true)
}

/** Returns the schema of a text without personal data: a code, an id, the name of a product, or fixed text. */
export function impersonalText() {
  return classified(z.string(), false)
}

/** Undefined for a schema without classification. */
export function isPersonal(schema: z.core.$ZodType): boolean | undefined {
  return classes.get(schema)?.isPersonal
}
