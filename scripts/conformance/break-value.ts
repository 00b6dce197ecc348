import fc from 'fast-check'
import type { Draw } from './draw.ts'

/** Breaks one thing in a body: what comes out is for the schema to judge, for some breaks are allowed ones. */
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
    const left = names[draw(fc.integer({ min: 0, max: Math.max(0, names.length - 1) }))]
    // In brackets it is a field as JSON may have it, and not what the object inherits from.
    others.push({ ...value, unheardOf: 1 }, { ...value, unheardOf: null }, { ...value, ['__proto__']: {} })
    others.push(...Array(6).fill(Object.fromEntries(Object.entries(value).filter(([name]) => name !== left))))
  }
  return others[draw(fc.integer({ min: 0, max: others.length - 1 }))]
}
