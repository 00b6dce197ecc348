import { createInterface } from 'node:readline/promises'

interface NamedLine {
  readonly name: string
  readonly isRequired: boolean
}

/** Credentials are far shorter; whatever else is piped in is not read to its end. */
const textMaxLength = 5_000

/**
 * Lines of `name=value` from standard input. Who sits at a terminal is asked for each instead, and leaves out what need not
 * be with an empty line.
 */
export async function readNamedLines(lines: readonly NamedLine[]): Promise<Readonly<Record<string, string>>> {
  return process.stdin.isTTY ? askFor(lines) : namedIn(await readText())
}

async function askFor(lines: readonly NamedLine[]): Promise<Readonly<Record<string, string>>> {
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

/** A value may hold the sign itself, as keys in base64 do. A line without it has no name. */
function namedIn(text: string): Readonly<Record<string, string>> {
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
