import { createInterface } from 'node:readline/promises'

interface NamedLine {
  readonly name: string
  readonly isRequired: boolean
}

/**
 * Maximum length of the input. Credentials and the custom headers of an endpoint are shorter. With this limit, a wrong
 * input is not read to its end.
 */
const textMaxLength = 8_000

/**
 * Reads `name=value` lines from standard input. On a terminal it prompts for each value instead; an empty line omits an
 * optional value.
 */
export async function readNamedLines(lines: readonly NamedLine[]): Promise<Readonly<Record<string, string>>> {
  return process.stdin.isTTY ? promptFor(lines) : parseLines(await readText())
}

async function promptFor(lines: readonly NamedLine[]): Promise<Readonly<Record<string, string>>> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const given: [string, string][] = []
  try {
    for (const { name, isRequired } of lines) {
      const value = (await terminal.question(isRequired ? `${name}: ` : `${name} (optional): `)).trim()
      if (value !== '') given.push([name, value])
    }
  } finally {
    terminal.close()
  }
  return Object.fromEntries(given)
}

async function readText(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > textMaxLength) break
  }
  return text
}

/**
 * Splits each line at its first `=`, because a value may itself contain `=`, as in base64. A line without `=` has an
 * empty name.
 */
function parseLines(text: string): Readonly<Record<string, string>> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      return at < 0 ? ['', line] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
