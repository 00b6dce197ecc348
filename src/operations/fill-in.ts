/**
 * The results of the earlier steps of a trigger, by the names of the steps. `run` is a code of the current run of the
 * trigger. References contain this code, so that they are unique.
 */
export type Results = Readonly<Record<string, unknown>>

const placeholder = /\{([\w.]+)\}/g

/**
 * Returns a value of a step with its placeholders replaced by the results of earlier steps. If a text is only a
 * placeholder, returns the result itself, such as a number. Throws if no earlier step has the value.
 */
export function filledIn(value: unknown, results: Results): unknown {
  if (typeof value === 'string') {
    const [, path] = /^\{([\w.]+)\}$/.exec(value) ?? []
    return path === undefined ? filledText(value, results) : valueAt(results, path)
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, results))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, filledIn(field, results)]))
}

export function filledText(text: string, results: Results): string {
  return text.replaceAll(placeholder, (_, path: string) => String(valueAt(results, path)))
}

function valueAt(results: Results, path: string): unknown {
  const value = path.split('.').reduce<unknown>((found, name) => Reflect.get(Object(found), name), results)
  if (value === undefined) throw new Error(`No earlier step has the value ${path}.`)
  return value
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
