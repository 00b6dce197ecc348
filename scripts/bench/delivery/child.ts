import { fork } from 'node:child_process'

/** A process of the bench's own that answers one question after another. */
export interface Child {
  readonly pid: number
  ask<Answer>(question: object): Promise<Answer>
  /** Settles when it is gone. */
  stop(): Promise<void>
}

/** Starts a script of this folder and waits until it is ready. One that ends by itself fails whatever is asked of it. */
export async function startChild(script: string, args: readonly string[] = []): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), args)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ended = gone.then(() => Promise.reject(new Error(`${script} ended with ${child.exitCode}.`)))
  ended.catch(() => undefined)
  const answer = <Answer>() =>
    Promise.race([ended, new Promise<Answer>((resolve) => child.once('message', (told: Answer) => resolve(told)))])
  await answer()
  return {
    pid: child.pid ?? 0,
    ask: (question) => {
      child.send(question)
      return answer()
    },
    stop: () => {
      child.kill()
      return gone
    },
  }
}

/** The other side: says that it is ready, and answers. A question that fails ends the process, and so the run. */
export function answerParent<Question>(answer: (question: Question) => Promise<object> | object): void {
  process.on('message', async (question: Question) => process.send?.(await answer(question)))
  // The parent is gone, killed perhaps, and nobody else would end this process.
  process.on('disconnect', () => process.exit())
  process.send?.({})
}

/** The same clock for all processes of a machine. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
