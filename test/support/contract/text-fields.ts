import type { z } from 'zod'
import { endpoints, events } from '../../../registry/index.ts'
import { isPersonal } from '../../../registry/values/privacy.ts'

/** The text fields of the API contract, found by a traversal of its schemas. */

type Schema = z.core.$ZodType

export interface TextField {
  /** Path of the field, such as `body.customer.name` or `reply.data[].tags[]`. */
  readonly path: string
  readonly schema: Schema
  readonly isPersonal: boolean | undefined
}

export function textFieldsOf(schema: Schema, path: string): TextField[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return [{ path, schema, isPersonal: isPersonal(schema) }]
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => textFieldsOf(field, `${path}.${name}`))
    case 'array':
      return textFieldsOf(def.element, `${path}[]`)
    case 'record':
      return textFieldsOf(def.valueType, `${path}.*`)
    case 'union':
      return def.options.flatMap((option) => textFieldsOf(option, path))
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return textFieldsOf(def.innerType, path)
    case 'pipe':
      return textFieldsOf(def.in, path)
    default:
      return []
  }
}

export type Selection = (field: TextField) => boolean

const isOfPerson: Selection = (field) => field.isPersonal === true

export function hasPersonalText(schema: Schema): boolean {
  return hasText(schema, isOfPerson)
}

export function hasText(schema: Schema, isSelected: Selection): boolean {
  return textFieldsOf(schema, '').some(isSelected)
}

/** Returns every text field of the requests, the responses and the events. */
export function allTextFields(): TextField[] {
  return [
    ...Object.values(endpoints).flatMap((endpoint) => [
      ...('params' in endpoint && endpoint.params ? textFieldsOf(endpoint.params, `${endpoint.id} params`) : []),
      ...('query' in endpoint && endpoint.query ? textFieldsOf(endpoint.query, `${endpoint.id} query`) : []),
      ...('body' in endpoint && endpoint.body ? textFieldsOf(endpoint.body.schema, `${endpoint.id} body`) : []),
      ...textFieldsOf(endpoint.reply.body, `${endpoint.id} reply`),
    ]),
    ...Object.values(events).flatMap((event) => textFieldsOf(event.data, `${event.kind} data`)),
  ]
}

/** Function that returns the text to write into a text field. */
export type Marker = (schema: z.core.$ZodType, path: string) => string

interface Filling {
  readonly marker: Marker
  /** Selects the text fields to fill in. By default, these are the fields with personal data. */
  readonly isSelected?: Selection
}

/**
 * Returns the example of a schema in which every selected field contains a text, even an optional field. If the example
 * omits a field, the example of the field's own schema is used.
 */
export function filledWith(filling: Filling, schema: Schema, example: unknown, path = ''): unknown {
  const { marker, isSelected = isOfPerson } = filling
  if (!hasText(schema, isSelected)) return example ?? exampleOf(schema)
  const { def } = (schema as z.core.$ZodTypes)._zod
  const fill = (part: Schema, value: unknown, name: string) => filledWith(filling, part, value, path + name)
  switch (def.type) {
    case 'string':
      return marker(schema, path)
    case 'object': {
      const given: Readonly<Record<string, unknown>> = Object(example)
      const filled = Object.entries(def.shape).map(([name, part]) => {
        const isLeftOut = given[name] === undefined && isOptional(part) && !hasText(part, isSelected)
        return [name, isLeftOut ? undefined : fill(part, given[name], `.${name}`)]
      })
      return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
    }
    case 'array':
      return (Array.isArray(example) && example.length > 0 ? example : [undefined]).map((item) =>
        fill(def.element, item, '[]'),
      )
    case 'record':
      return { mark: fill(def.valueType, undefined, '.*') }
    case 'union': {
      const option = def.options.find((each) => hasText(each, isSelected) && !isNull(each))
      return option === undefined ? example : fill(option, example ?? undefined, '')
    }
    case 'optional':
    case 'nullable':
    case 'default':
      return fill(def.innerType, example ?? undefined, '')
    default:
      return example
  }
}

/** Returns the texts in a value whose fields are classified as personal in the schema, each with its path. */
export function personalTextsOf(schema: Schema, value: unknown, path = ''): [path: string, text: string][] {
  if (value === null || value === undefined || !hasPersonalText(schema)) return []
  const { def } = (schema as z.core.$ZodTypes)._zod
  const within = (part: Schema, content: unknown, name: string) => personalTextsOf(part, content, path + name)
  switch (def.type) {
    case 'string':
      return typeof value === 'string' ? [[path, value]] : []
    case 'object':
      return Object.entries(def.shape).flatMap(([name, part]) =>
        within(part, Reflect.get(Object(value), name), `.${name}`),
      )
    case 'array':
      return Array.isArray(value) ? value.flatMap((item) => within(def.element, item, '[]')) : []
    case 'record':
      return Object.values<unknown>(Object(value)).flatMap((item) => within(def.valueType, item, '.*'))
    case 'union':
      return def.options.flatMap((option) => within(option, value, ''))
    case 'optional':
    case 'nullable':
    case 'default':
      return within(def.innerType, value, '')
    default:
      return []
  }
}

function isOptional(schema: Schema): boolean {
  return schema._zod.optin === 'optional'
}

function isNull(schema: Schema): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === 'null'
}

function exampleOf(schema: Schema): unknown {
  const examples = (schema as z.ZodType).meta()?.examples
  return Array.isArray(examples) ? examples[0] : undefined
}
