import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Prism {
  readonly port: number
  isRunning(): boolean
  /** Returns the end of Prism’s error output. */
  errorOutput(): string
  stop(): Promise<void>
}

const program = 'node_modules/@stoplight/prism-cli/dist/index.js'

/** Maximum wait for the start of Prism. It starts in about three seconds, and needs longer on a busy machine. */
const startMs = 60_000

/** Number of characters of Prism's error output to store: enough to explain why Prism exited. */
const outputMaxCharacters = 2_000

/** Starts the Prism CLI as a proxy that validates requests and responses against an OpenAPI document. */
export async function startPrism(documentPath: string, upstream: string, port: number): Promise<Prism> {
  const options = ['proxy', documentPath, upstream, '--host', '127.0.0.1', '--port', String(port)]
  // Starts Prism with the Node.js executable of this process, because another one on the PATH may be too old.
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  await listening(child)
  // Discards Prism's standard output, because a full pipe would block Prism. It writes errors to standard error.
  child.stdout?.resume()
  let errorOutput = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk).slice(-outputMaxCharacters)
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    port,
    isRunning,
    errorOutput: () => errorOutput,
    stop: async () => {
      if (!isRunning()) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`Prism did not start in time: ${output}`)), startMs)
    const read = (chunk: Buffer) => {
      output += chunk
      if (!output.includes('Prism is listening')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Prism ended with ${code}: ${output}`)))
  })
}
