import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Prism {
  readonly port: number
  /** False once it has ended by itself, with what it said. */
  isRunning(): boolean
  said(): string
  stop(): Promise<void>
}

const program = 'node_modules/@stoplight/prism-cli/dist/index.js'

/** Prism reads a document of this size in about three seconds; this is for a busy machine. */
const startMs = 60_000

/** As much of what it said last as explains why it ended. */
const saidMaxCharacters = 2_000

/** Starts Prism as a proxy that holds what passes against a document. It is the program, not our use of its parts. */
export async function startPrism(documentPath: string, upstream: string, port: number): Promise<Prism> {
  const words = ['proxy', documentPath, upstream, '--host', '127.0.0.1', '--port', String(port)]
  // By the node that runs this: another one on the path may be too old for it.
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  await listening(child)
  // Its log is of no use beyond here, and a full pipe would stop it. What it fails of it says on the other one.
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
