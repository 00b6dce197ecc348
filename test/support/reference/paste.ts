import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { demoUrl } from '../../../scripts/reference/samples/request.ts'
import type { Sample } from '../../../scripts/reference/samples.ts'

/** Runs a code sample with Node 24, curl and Python, as a reader does who pastes the sample into a file or a shell. */

export interface Pasted {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/** Timeout of a sample: longer than a slow machine needs, and shorter than the timeout of a test. */
const sampleTimeoutMs = 120_000

const outputMaxBytes = 64 * 1024 * 1024 // Maximum size of a sample's output. The OpenAPI document is by far the longest response.

/**
 * The programs that run a sample of each language. Node is the one that runs the tests, because the machine's own
 * `node` may have another version.
 */
const programs = {
  curl: ['bash', 'sh'],
  typescript: [process.execPath, 'ts'],
  python: ['python3', 'py'],
} as const satisfies Record<Sample['language'], readonly [program: string, extension: string]>

/** Replaces the address of `npm start` in a sample with the URL of the test’s demo. */
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
      { env, cwd: place.folder, timeout: sampleTimeoutMs, maxBuffer: outputMaxBytes },
      (error, output, errors) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), output, errors })
      },
    )
  })
}

/**
 * Returns the environment variables for running code that was copied from the documentation. They include only PATH and
 * HOME of this machine, so that settings such as a proxy have no effect.
 */
export function pasteEnvironment(token: string): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, COMMERCE_TOKEN: token }
}

export async function hasPython(): Promise<boolean> {
  return new Promise((resolve) => execFile('python3', ['--version'], (error) => resolve(error === null)))
}
