import fc from 'fast-check'
import type { Draw } from './draw.ts'

/**
 * Returns a request body with one random change. The caller must check that the result is invalid, because the schema
 * allows some changes.
 */
export function breakValue(valid: unknown, draw: Draw): unknown {
  const paths = pathsOf(valid)
  const path = paths[draw(fc.integer({ min: 0, max: paths.length - 1 }))] ?? []
  return replaced(valid, path, (value) => broken(value, draw))
}

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: Path, replace: (value: unknown) => unknown): unknown {
  if (key === undefined) return replace(value)
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === key ? replaced(each, rest, replace) : each))
  const fields = Object.entries(Object(value))
  return Object.fromEntries(fields.map(([name, each]) => [name, name === key ? replaced(each, rest, replace) : each]))
}

function broken(value: unknown, draw: Draw): unknown {
  const others: unknown[] = [null, true, -1, 1.5, 1e21, '', 'x'.repeat(6000), 'no such value', [], {}, [null], '\u0000']
  if (Array.isArray(value)) others.push([...value, ...value, ...value], Array(1001).fill(value[0] ?? null))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const names = Object.keys(value)
    const omitted = names[draw(fc.integer({ min: 0, max: Math.max(0, names.length - 1) }))]
    // As a computed key in brackets, `__proto__` creates an own property, as after JSON.parse, and does not set the
    // object's prototype.
    others.push({ ...value, undeclared: 1 }, { ...value, undeclared: null }, { ...value, ['__proto__']: {} })
    others.push(...Array(6).fill(Object.fromEntries(Object.entries(value).filter(([name]) => name !== omitted))))
  }
  return others[draw(fc.integer({ min: 0, max: others.length - 1 }))]
}
