import { fork } from 'node:child_process'

/** A child process of the benchmark that processes the parent's requests one after another. */
export interface Child {
  readonly pid: number
  request<Reply>(message: object): Promise<Reply>
  /** Resolves when the process has ended. */
  stop(): Promise<void>
}

/**
 * Starts a script of this folder in a child process with options of Node.js, and waits until the script is ready. If
 * the process ends by itself, requests to it fail.
 */
export async function startChild(
  script: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), args, { execArgv: [...execArgv] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ended = gone.then(() => Promise.reject(new Error(`${script} ended with ${child.exitCode}.`)))
  ended.catch(() => undefined)
  const nextReply = <Reply>() =>
    Promise.race([ended, new Promise<Reply>((resolve) => child.once('message', (reply: Reply) => resolve(reply)))])
  await nextReply()
  return {
    pid: child.pid ?? 0,
    request: (message) => {
      child.send(message)
      return nextReply()
    },
    stop: () => {
      child.kill()
      return gone
    },
  }
}

/**
 * Serves the requests of the parent process, and notifies the parent when this process is ready. A failing request ends
 * this process and the whole benchmark.
 */
export function serveParent<Request>(handle: (message: Request) => Promise<object> | object): void {
  process.on('message', async (message: Request) => process.send?.(await handle(message)))
  // Ends this process when its parent process ends, even if a signal ends the parent.
  process.on('disconnect', () => process.exit())
  process.send?.({})
}

/** Returns milliseconds of the monotonic clock, which all processes of a machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
