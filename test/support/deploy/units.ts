/**
 * A parsed systemd unit. If a setting occurs several times, `values` contains all of its values, separated by line
 * breaks.
 */
export interface Unit {
  readonly values: Readonly<Record<string, string>>
  /** The environment variables that all Environment lines of the unit set. */
  readonly environment: Record<string, string>
}

export function unitOf(text: string): Unit {
  const values: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm))
    values[name] = values[name] === undefined ? value : `${values[name]}\n${value}`
  const assignments = (values.Environment ?? '').split(/\s+/).map((pair) => pair.split('=', 2))
  return { values, environment: Object.fromEntries(assignments.map(([name = '', value = '']) => [name, value])) }
}
