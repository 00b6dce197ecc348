import { parseArgs } from 'node:util'
import { ConfigError } from '../base/config.ts'

/**
 * Returns the settings in the arguments of `npm start --`, which take precedence over environment variables. Throws a
 * ConfigError.
 */
export function settingsOf(words: readonly string[]): Readonly<Record<string, string>> {
  try {
    const { values } = parseArgs({ args: [...words], options: { processes: { type: 'string' } } })
    return values.processes === undefined ? {} : { PROCESSES: values.processes }
  } catch {
    throw new ConfigError('Usage: npm start -- [--processes N]')
  }
}
