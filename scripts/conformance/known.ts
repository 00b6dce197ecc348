/** What earlier answers told, so that a request can name records that exist. */
export interface Known {
  learn(body: unknown): void
  /** A record that has gone is named no more. */
  forget(id: string): void
  /** Ids that a pattern allows, newest first. */
  ids(pattern: string): readonly string[]
  /** One id for each pattern, all told of by one record, newest first: a variant with its own product. */
  together(patterns: readonly string[]): readonly (readonly string[])[]
  /** What a record said last of its state; empty where it says nothing of any. */
  stateOf(id: string): string
  /** What was seen under a name, as a filter of that name may ask for. */
  named(name: string): readonly string[]
}

/** Enough to choose from; a shop of a million orders is not kept in memory. */
const keptMax = 500

export function newKnown(): Known {
  // In the order they were told of: the last is the newest.
  const records = new Map<string, Set<string>>()
  const values = new Map<string, Set<string>>()
  const states = new Map<string, Map<string, string>>()
  const ids = (pattern: string) => {
    const form = new RegExp(pattern, 'u')
    const all = new Set([...records.values()].flatMap((told) => [...told]))
    return [...all].filter((id) => form.test(id)).reverse()
  }
  return {
    ids,
    learn: (body) => {
      for (const record of recordsIn(body)) {
        const told = idsIn(record)
        const [id] = told
        if (id === undefined) continue
        const before = records.get(id) ?? []
        records.delete(id)
        records.set(id, new Set([id, ...before, ...told]))
        // A row of a list may tell less than the record.
        states.set(id, new Map([...(states.get(id) ?? []), ...statesIn(record)]))
      }
      for (const [name, value] of textsIn(body)) keep(values, name, value)
      for (const id of [...records.keys()].slice(0, Math.max(0, records.size - keptMax))) {
        records.delete(id)
        states.delete(id)
      }
    },
    forget: (id) => {
      records.delete(id)
      for (const told of records.values()) told.delete(id)
    },
    together: (patterns) => {
      const [first = '', ...others] = patterns.map((pattern) => new RegExp(pattern, 'u'))
      if (first === '') return []
      return [...records].reverse().flatMap(([id, told]) => {
        if (!first.test(id)) return []
        const rest = others.map((form) => [...told].find((each) => form.test(each)))
        return rest.every((each) => each !== undefined) ? [[id, ...rest]] : []
      })
    },
    stateOf: (id) => [...(states.get(id) ?? [])].sort().join(' '),
    named: (name) => [...(values.get(name) ?? [])],
  }
}

/** The answer itself, and the rows of a list. */
function recordsIn(body: unknown): object[] {
  const data: unknown = Reflect.get(Object(body), 'data')
  const rows: unknown[] = Array.isArray(data) ? data : [body]
  return rows.filter((row): row is object => typeof row === 'object' && row !== null)
}

/** The record’s own id first, then every id it holds. */
function idsIn(record: object): string[] {
  const own: unknown = Reflect.get(record, 'id')
  const held = textsIn(record).filter(([name]) => /^id$|Id$/.test(name))
  return typeof own === 'string' ? [own, ...held.map(([, value]) => value)] : []
}

/** An order that is paid and one that is not are in the same state for some, and not for others. */
function statesIn(record: object): [string, string][] {
  const fields = Object.entries(record).filter(([name]) => /^(state|status)$|Status$/.test(name))
  return fields.map(([name, value]) => [name, String(value)])
}

function textsIn(value: unknown, name = ''): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, key))
}

function keep(values: Map<string, Set<string>>, name: string, value: string): void {
  const kept = values.get(name) ?? new Set()
  if (kept.size < keptMax) kept.add(value)
  values.set(name, kept)
}
