import type { Document } from './document.ts'

/**
 * Returns the document with an object in place of each response's list of errors. The keys of the object are the names
 * of the errors. Redocly compares lists by position, so an error added at the start of a list would appear to change
 * all others.
 */
export function withNamedErrors(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, byMethod]) => {
    const methods = Object.entries(byMethod).map(([method, operation]) => [
      method,
      { ...operation, responses: named(operation.responses) },
    ])
    return [path, Object.fromEntries(methods)]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

function named(responses: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const schema = Object(response).content?.['application/json']?.schema
      if (!/^[45]/.test(status) || schema === undefined) return [status, response]
      const references: { readonly $ref: string }[] = schema.anyOf ?? [schema]
      const properties = Object.fromEntries(references.map((each) => [each.$ref.split('/').at(-1), each]))
      const content = { 'application/json': { schema: { type: 'object', properties } } }
      return [status, { ...Object(response), content }]
    }),
  )
}
