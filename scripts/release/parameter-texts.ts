import type { Document, DocumentOperation } from './document.ts'

/**
 * Returns the newer document with the parameter descriptions of the older one. Otherwise, if two parameters of an
 * operation have new descriptions, Redocly reports that each was renamed to the other.
 */
export function withParameterTextsOf(base: Document, revision: Document): Document {
  const paths = Object.entries(revision.paths).map(([path, byMethod]) => {
    const methods = Object.entries(byMethod).map(([method, operation]) => {
      const known = base.paths[path]?.[method]?.parameters ?? []
      const parameters = operation.parameters?.map((parameter) => {
        const before = known.find((each) => each.name === parameter.name && each.in === parameter.in)
        return before === undefined ? parameter : withTextsOf(before, parameter)
      })
      return [method, parameters === undefined ? operation : { ...operation, parameters }]
    })
    return [path, Object.fromEntries(methods)]
  })
  return { ...revision, paths: Object.fromEntries(paths) }
}

type Parameter = NonNullable<DocumentOperation['parameters']>[number]

/** A parameter and its schema both contain the description, so both are replaced. */
function withTextsOf(before: Parameter, after: Parameter): Parameter {
  const schema = { ...Object(after.schema), description: Object(before.schema).description }
  return { ...after, description: before.description, schema }
}
