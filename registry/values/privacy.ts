import { z } from 'zod'

/**
 * Which texts of the contract lead to a person. Anonymising a customer clears the personal ones wherever they were stored, so
 * every text field is classified, and a test compares the classification with what is cleared.
 */
interface Privacy {
  readonly isPersonal: boolean
}

// A registry of its own: nothing of it is for the document. A schema made from a classified one inherits its class.
const classes = z.registry<Privacy>()

/** Classifies a schema: personal is what names, locates or describes a person, and every free text in which that may stand. */
export function classified<Schema extends z.ZodType>(schema: Schema, isPersonal: boolean): Schema {
  classes.add(schema, { isPersonal })
  return schema
}

/** A text that leads to a person. */
export function personalText() {
  return classified(z.string(), true)
}

/** A text that leads to nobody: a code, an id, a name of goods, or words of the service's own. */
export function impersonalText() {
  return classified(z.string(), false)
}

/** Whether a schema holds personal data; undefined when nobody has said. */
export function isPersonal(schema: z.core.$ZodType): boolean | undefined {
  return classes.get(schema)?.isPersonal
}
