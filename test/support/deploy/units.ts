/**
 * A parsed systemd unit. If a setting occurs several times, `values` contains all of its values, separated by line
 * breaks.
 */
export interface Unit {
  readonly values: Readonly<Record<string, string>>
  /** The environment variables that the systemd unit sets in its `Environment` lines and in its start command. */
  readonly environment: Record<string, string>
  /** The start command without the environment variables that it sets. */
  readonly start: readonly string[]
}

/** The program that sets environment variables and then runs the command that follows them. */
const env = '/usr/bin/env'

export function unitOf(text: string): Unit {
  const values: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm))
    values[name] = values[name] === undefined ? value : `${values[name]}\n${value}`
  const { assignments, start } = commandOf(values)
  return { values, environment: { ...linesOf(values), ...assignments }, start }
}

/**
 * Returns the environment that systemd passes to the process of a unit. A variable in an environment file overrides the
 * variable of the same name in an Environment line. UnsetEnvironment then removes variables from both sources. The
 * assignments in the start command override both sources and are never removed.
 */
export function environmentWith({ values }: Unit, file: Readonly<Record<string, string>>): Record<string, string> {
  const removed = (values.UnsetEnvironment ?? '').split(' ')
  const passed = Object.entries({ ...linesOf(values), ...file }).filter(([name]) => !removed.includes(name))
  return { ...Object.fromEntries(passed), ...commandOf(values).assignments }
}

function linesOf({ Environment = '' }: Readonly<Record<string, string>>): Record<string, string> {
  return assignmentsOf(Environment.split(/\s+/).filter((pair) => pair !== ''))
}

function commandOf({ ExecStart = '' }: Readonly<Record<string, string>>) {
  const [program, ...words] = ExecStart.split(' ')
  if (program !== env) return { assignments: {}, start: ExecStart.split(' ') }
  const first = words.findIndex((word) => !word.includes('='))
  return { assignments: assignmentsOf(words.slice(0, first)), start: words.slice(first) }
}

function assignmentsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}
