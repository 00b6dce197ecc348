import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/**
 * A webhook receiver in a separate process that can be suspended. The operating system then still accepts packets for
 * it, but nothing responds.
 */
export interface StalledServer {
  readonly url: string
  readonly port: number
  stall(): void
  goOn(): void
}

/** The program of the webhook receiver. It prints its port and responds to every request with 200. */
const program = `
  const server = require('node:http').createServer((request, response) => request.resume().once('end', () => response.end()))
  server.listen({ host: '127.0.0.1', port: 0, backlog: Number(process.argv[1]) }, () => console.log(server.address().port))`

/**
 * `backlog` is the number of connections that may wait to be accepted. The operating system drops further connection
 * requests.
 */
export async function openStalledServer(backlog = 511): Promise<StalledServer> {
  const child = spawn(process.execPath, ['-e', program, String(backlog)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const port = await portOf(child)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    stall: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
  }
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('Its output is piped.')
  for await (const line of createInterface(stdout)) return Number(line)
  throw new Error('The server ended before it listened.')
}
