/**
 * Ids, states and values found in earlier responses. Requests are built from them, so that they refer to existing
 * records.
 */
export interface Known {
  learn(body: unknown): void
  remove(id: string): void
  /** Returns the stored ids that match a pattern, newest first. */
  ids(pattern: string): readonly string[]
  /**
   * Returns groups of ids that occurred together in one record, such as those of a product and its variant. Each group
   * has one id for each pattern. The newest group is first.
   */
  together(patterns: readonly string[]): readonly (readonly string[])[]
  /** Returns the ids that occurred together with the given id in a record and that match a pattern. */
  beside(id: string, pattern: string): readonly string[]
  /**
   * Returns the state of a record in the last response that contained the record. Empty when the record has no state.
   */
  stateOf(id: string): string
  /**
   * Returns the values that responses contained for a member name. They are used as values of the list filter with this
   * name.
   */
  named(name: string): readonly string[]
}

/** Maximum number of records to store. It limits the memory used for a merchant with many records. */
const recordsMax = 500

export function newKnown(): Known {
  // The records are in the order in which responses contained them: the last record is the newest.
  const records = new Map<string, Set<string>>()
  const values = new Map<string, Set<string>>()
  const states = new Map<string, Map<string, string>>()
  const ids = (pattern: string) => {
    const form = new RegExp(pattern, 'u')
    const all = new Set([...records.values()].flatMap((recordIds) => [...recordIds]))
    return [...all].filter((id) => form.test(id)).reverse()
  }
  return {
    ids,
    learn: (body) => {
      for (const record of recordsIn(body)) {
        const recordIds = idsIn(record)
        const [id] = recordIds
        if (id === undefined) continue
        const before = records.get(id) ?? []
        records.delete(id)
        records.set(id, new Set([id, ...before, ...recordIds]))
        // A row of a list may have fewer fields than the whole record. Therefore status fields from earlier responses
        // stay stored.
        states.set(id, new Map([...(states.get(id) ?? []), ...statesIn(record)]))
      }
      for (const [name, value] of textsIn(body)) store(values, name, value)
      for (const id of [...records.keys()].slice(0, Math.max(0, records.size - recordsMax))) {
        records.delete(id)
        states.delete(id)
      }
    },
    remove: (id) => {
      records.delete(id)
      for (const recordIds of records.values()) recordIds.delete(id)
    },
    together: (patterns) => {
      const [first = '', ...others] = patterns.map((pattern) => new RegExp(pattern, 'u'))
      if (first === '') return []
      return [...records].reverse().flatMap(([id, recordIds]) => {
        if (!first.test(id)) return []
        const rest = others.map((form) => [...recordIds].find((each) => form.test(each)))
        return rest.every((each) => each !== undefined) ? [[id, ...rest]] : []
      })
    },
    beside: (id, pattern) => {
      const form = new RegExp(pattern, 'u')
      const containing = [...records.values()].filter((recordIds) => recordIds.has(id))
      return [...new Set(containing.flatMap((recordIds) => [...recordIds]))].filter((each) => form.test(each))
    },
    stateOf: (id) => [...(states.get(id) ?? [])].sort().join(' '),
    named: (name) => [...(values.get(name) ?? [])],
  }
}

/** Returns the rows of a list response, or the body of any other response. */
function recordsIn(body: unknown): object[] {
  const data: unknown = Reflect.get(Object(body), 'data')
  const rows: unknown[] = Array.isArray(data) ? data : [body]
  return rows.filter((row): row is object => typeof row === 'object' && row !== null)
}

/** Returns the id of a record, followed by every other id that the record contains. */
function idsIn(record: object): string[] {
  const own: unknown = Reflect.get(record, 'id')
  const contained = textsIn(record).filter(([name]) => /^id$|Id$/.test(name))
  return typeof own === 'string' ? [own, ...contained.map(([, value]) => value)] : []
}

function statesIn(record: object): [string, string][] {
  const fields = Object.entries(record).filter(([name]) => /^(state|status)$|Status$/.test(name))
  return fields.map(([name, value]) => [name, String(value)])
}

/** Returns every text in a value, with the name of its member. */
function textsIn(value: unknown): [string, string][] {
  const texts: [string, string][] = []
  const add = (name: string, each: unknown): void => {
    if (typeof each === 'string') texts.push([name, each])
    else if (Array.isArray(each)) for (const item of each) add(name, item)
    else if (typeof each === 'object' && each !== null)
      for (const [key, member] of Object.entries(each)) add(key, member)
  }
  add('', value)
  return texts
}

function store(values: Map<string, Set<string>>, name: string, value: string): void {
  const stored = values.get(name) ?? new Set()
  if (stored.size < recordsMax) stored.add(value)
  values.set(name, stored)
}
