import { validValueAt } from '../../../registry/kit/valid-value.ts'
import { createProduct } from '../../../registry/products/products.ts'

type Issue = NonNullable<ReturnType<typeof createProduct.body.schema.safeParse>['error']>['issues'][number]

/**
 * Returns the validation errors of the checks that compare several fields, such as the check for a repeated SKU. The
 * schema skips these checks while a field is missing or has the wrong type. They therefore run on a copy of the product
 * in which a valid value replaces each invalid one.
 */
export function comparisonIssues(input: object, issues: readonly Issue[]): readonly Issue[] {
  const isOptionInvalid = issues.some(({ path }) => path.includes('options') || path.includes('optionValues'))
  const valid: unknown = structuredClone(input)
  for (const issue of issues) {
    if (issue.code === 'custom') continue
    for (const path of pathsOf(issue)) repair(valid, path)
  }
  const result = createProduct.body.schema.safeParse(valid)
  return (result.error?.issues ?? []).filter(({ code, path }) => {
    const isAboutInvalid = (isOptionInvalid && path.includes('optionValues')) || path.includes('imagePosition')
    return code === 'custom' && !isAboutInvalid
  })
}

function pathsOf(issue: Issue): readonly (readonly PropertyKey[])[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
}

/**
 * Replaces the invalid value at a path by a valid value, or removes the field if it is optional. The schema then also
 * runs its checks that compare several fields.
 */
function repair(input: unknown, path: readonly PropertyKey[]): void {
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => Reflect.get(Object(value), key), input)
  const name = path.at(-1)
  if (typeof parent !== 'object' || parent === null || name === undefined) return
  const value = validValueAt(createProduct.body.schema, path)
  if (value === undefined) Reflect.deleteProperty(parent, name)
  else Reflect.set(parent, name, value)
}
