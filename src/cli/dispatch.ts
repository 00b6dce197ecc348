import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { UsageError } from './failure.ts'
import { helpOf, helpOfAll } from './help.ts'
import { json, write } from './output.ts'

/** Finds the command that the words begin with, and runs it with the rest. */
export async function dispatch(words: readonly string[]): Promise<void> {
  const [first, second] = words
  if (first === undefined || first === '--help' || first === 'help') return write(helpOfAll(commands))
  const found = find(first, second)
  if (found === undefined) return explainNoun(first, second)
  const invocation = found.command.parse(words.slice(found.length))
  if (invocation.wantsHelp) return write(helpOf(found.command))
  const reply = await invocation.run()
  if (reply !== undefined) write(invocation.wantsJson ? json(reply.json) : reply.text)
}

function find(noun: string, verb: string | undefined): { command: Command; length: number } | undefined {
  for (const command of commands) {
    if (command.name === noun) return { command, length: 1 }
    if (command.name === `${noun} ${verb}`) return { command, length: 2 }
  }
  return undefined
}

function explainNoun(noun: string, verb: string | undefined): void {
  const verbs = commands.filter(({ name }) => name.startsWith(`${noun} `))
  if (verbs.length === 0) throw new UsageError(`There is no command ${noun}; --help lists those there are.`)
  if (verb !== '--help') {
    const choices = verbs.map(({ name }) => name.slice(noun.length + 1)).join(', ')
    throw new UsageError(`${noun} is followed by one of: ${choices}.`)
  }
  write(helpOfAll(verbs))
}
