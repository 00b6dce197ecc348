import { type Command, commonOptions } from './command.ts'

/** Formats the output of `--help` from the declarations of the commands. */

const program = 'npm run -s commerce --'

export function helpOf({ name, summary, options }: Command): string {
  const synopsis = options.map((option) => {
    const written = option.value === undefined ? `--${option.name}` : `--${option.name} ${option.value}`
    return option.isRequired ? written : `[${written}]`
  })
  const lines = [...options, ...commonOptions].map((option) => ({
    term: option.value === undefined ? `--${option.name}` : `--${option.name} ${option.value}`,
    meaning: option.meaning,
  }))
  return [summary, '', `Usage: ${[program, name, ...synopsis].join(' ')}`, '', ...definitions(lines)].join('\n')
}

export function helpOfAll(commands: readonly Command[]): string {
  const lines = commands.map(({ name, summary }) => ({ term: name, meaning: summary }))
  return [
    `Usage: ${program} COMMAND [options]`,
    '',
    ...definitions(lines),
    '',
    `For the options of a command: ${program} COMMAND --help`,
  ].join('\n')
}

function definitions(lines: readonly { term: string; meaning: string }[]): string[] {
  const width = Math.max(...lines.map(({ term }) => term.length))
  return lines.map(({ term, meaning }) => `  ${term.padEnd(width)}  ${meaning}`)
}
