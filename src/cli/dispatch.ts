import { allCommands, commandsOf } from './commands.ts'
import type { Command } from './kit/command.ts'
import { UsageError } from './kit/failure.ts'
import { helpOf, helpOfAll } from './kit/help.ts'
import { json, write } from './kit/output.ts'

export async function dispatch(words: readonly string[]): Promise<void> {
  const [noun, verb] = words
  if (noun === undefined || noun === '--help' || noun === 'help') return write(helpOfAll(await allCommands()))
  const commands = await commandsOf(noun)
  if (commands.length === 0) throw new UsageError(`Unknown command ${noun}. List the commands with --help.`)
  const found = commands.find(({ name }) => name === noun || name === `${noun} ${verb}`)
  if (found === undefined) return explainNoun(commands, noun, verb)
  const invocation = found.parse(words.slice(found.name === noun ? 1 : 2))
  if (invocation.wantsHelp) return write(helpOf(found))
  const reply = await invocation.run()
  if (reply !== undefined) write(invocation.wantsJson ? json(reply.json) : reply.text)
}

function explainNoun(commands: readonly Command[], noun: string, verb: string | undefined): void {
  if (verb !== '--help') {
    const choices = commands.map(({ name }) => name.slice(noun.length + 1)).join(', ')
    throw new UsageError(`${noun} must be followed by one of: ${choices}.`)
  }
  write(helpOfAll(commands))
}
