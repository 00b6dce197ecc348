import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Prism {
  readonly port: number
  /** Reports whether the process is running. */
  isRunning(): boolean
  said(): string
  stop(): Promise<void>
}

const program = 'node_modules/@stoplight/prism-cli/dist/index.js'

/** Start timeout. Prism starts in about three seconds; a busy machine needs longer. */
const startMs = 60_000

/** Length of the stored error output, enough to explain an exit. */
const saidMaxCharacters = 2_000

/** Starts the Prism CLI as a proxy that validates requests and responses against a document. */
export async function startPrism(documentPath: string, upstream: string, port: number): Promise<Prism> {
  const words = ['proxy', documentPath, upstream, '--host', '127.0.0.1', '--port', String(port)]
  // Uses the current Node.js executable, because another one on the path may be too old.
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  await listening(child)
  // Discard standard output, because a full pipe would block Prism. Errors are on standard error.
  child.stdout?.resume()
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-saidMaxCharacters)
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    port,
    isRunning,
    said: () => said,
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
    let said = ''
    const timer = setTimeout(() => reject(new Error(`Prism did not start in time: ${said}`)), startMs)
    const hear = (chunk: Buffer) => {
      said += chunk
      if (!said.includes('Prism is listening')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Prism ended with ${code}: ${said}`)))
  })
}
