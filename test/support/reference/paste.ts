import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { demoUrl } from '../../../scripts/reference/samples/request.ts'
import type { Sample } from '../../../scripts/reference/samples.ts'

/** Runs a sample as a newcomer does who has Node 24, curl and Python and pastes it into a file or a shell. */

export interface Pasted {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/** Longer than a slow machine needs, and short of the time a test has. */
const patienceMs = 30_000

const outputMaxBytes = 64 * 1024 * 1024 // the description of the API is by far the longest answer

/** What runs a language’s code from a file. The machine’s own `node` may be another than this one. */
const programs = {
  curl: ['bash', 'sh'],
  typescript: [process.execPath, 'ts'],
  python: ['python3', 'py'],
} as const satisfies Record<Sample['language'], readonly [program: string, extension: string]>

/** The samples speak to the address of `npm start`; a demo of a test has another port, and nothing else differs. */
export function pointedAt(code: string, url: string): string {
  return code.replaceAll(demoUrl, url)
}

export async function paste(
  { language, code }: Sample,
  place: { readonly folder: string; readonly name: string; readonly url: string; readonly token: string },
): Promise<Pasted> {
  const [program, extension] = programs[language]
  const file = join(place.folder, `${place.name}.${extension}`)
  await writeFile(file, pointedAt(code, place.url))
  const env = pasteEnvironment(place.token)
  return new Promise((resolve) => {
    execFile(
      program,
      [file],
      { env, cwd: place.folder, timeout: patienceMs, maxBuffer: outputMaxBytes },
      (error, output, errors) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), output, errors })
      },
    )
  })
}

/** Nothing of this machine’s, such as a proxy, but where programs are. */
export function pasteEnvironment(token: string): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, COMMERCE_TOKEN: token }
}

/** Whether this machine can run Python at all. */
export async function hasPython(): Promise<boolean> {
  return new Promise((resolve) => execFile('python3', ['--version'], (error) => resolve(error === null)))
}
