import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { UsageError } from './failure.ts'
import { type OptionHelp, optionHelps } from './option.ts'

/** Result of a command, in two forms with the same content: JSON for scripts, and text for people. */
export interface Reply {
  readonly json: unknown
  readonly text: string
}

export interface Command {
  /** Name of a command: a noun, followed by a verb if the noun has several commands (`token create`, `seed`). */
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionHelp[]
  parse(words: readonly string[]): Invocation
}

interface Invocation {
  readonly wantsHelp: boolean
  readonly wantsJson: boolean
  /**
   * Runs the command. Rejects with a UsageError before any work when options are invalid. Resolves with undefined if
   * the command wrote its output itself.
   */
  run(): Promise<Reply | undefined>
}

export const commonOptions: readonly OptionHelp[] = [
  {
    name: 'json',
    value: undefined,
    meaning: 'Print the result as one JSON value.',
    must: '',
    isRequired: false,
  },
  { name: 'help', value: undefined, meaning: 'Show this help.', must: '', isRequired: false },
]

export function command<Options extends z.ZodObject>(declaration: {
  readonly name: string
  readonly summary: string
  readonly options: Options
  /** Name of the option whose value may also be given as a positional argument. */
  readonly positional?: keyof z.output<Options> & string
  run(values: z.output<Options>, settings: { readonly wantsJson: boolean }): Promise<Reply | undefined>
}): Command {
  const options = optionHelps(declaration.options)
  return {
    name: declaration.name,
    summary: declaration.summary,
    options,
    parse: (words) => {
      const { help, json, ...given } = readWords(words, [...options, ...commonOptions], declaration.positional)
      const wantsJson = json === true
      return {
        wantsHelp: help === true,
        wantsJson,
        run: async () => declaration.run(readValues(declaration.options, options, given), { wantsJson }),
      }
    },
  }
}

function readWords(words: readonly string[], options: readonly OptionHelp[], positional: string | undefined) {
  const entries = options.map(
    ({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  )
  try {
    const allowPositionals = positional !== undefined
    const given = parseArgs({ args: [...words], options: Object.fromEntries(entries), strict: true, allowPositionals })
    const [alone, ...more] = given.positionals
    if (positional === undefined || alone === undefined) return given.values
    if (more.length > 0 || given.values[positional] !== undefined) {
      throw new UsageError(`--${positional} must be given once.`)
    }
    return { ...given.values, [positional]: alone }
  } catch (error) {
    // Uses only the first sentence of Node's error message, which states the error. The other sentences advise how to
    // pass values that start with a dash.
    if (error instanceof TypeError) {
      const names = options.map(({ name }) => `--${name}`).join(', ')
      throw new UsageError(`${error.message.split(/[.\n]/)[0]}. The options are ${names}.`)
    }
    throw error
  }
}

function readValues<Options extends z.ZodObject>(
  schema: Options,
  options: readonly OptionHelp[],
  given: Readonly<Record<string, unknown>>,
): z.output<Options> {
  const missing = options.filter(({ name, isRequired }) => isRequired && given[name] === undefined)
  if (missing.length > 0) {
    throw new UsageError(`Missing required options: ${missing.map(({ name }) => `--${name}`).join(', ')}.`)
  }
  const result = schema.safeParse({ ...given })
  if (result.success) return result.data
  const wrong = options.find(({ name }) => result.error.issues.some((issue) => issue.path[0] === name))
  throw new UsageError(wrong === undefined ? result.error.message : `--${wrong.name} ${wrong.must}.`)
}
