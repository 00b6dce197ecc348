import { type FileHandle, open, readFile } from 'node:fs/promises'

/**
 * A file with the requests of a round's clients and their outcomes. Before each request and after each response, the
 * client waits until its entry is on the disk. The checker reads the requests from this file, so it knows only what the
 * clients have stored.
 */
export interface Journal {
  /** Resolves when the entry is on the disk. */
  write(entry: JournalEntry): Promise<void>
  close(): Promise<void>
}

export type Action = 'refund' | 'customer' | 'order' | 'cancel' | 'stock'

export interface Intent {
  readonly is: 'intent'
  readonly number: number
  readonly action: Action
  readonly key: string | null
  readonly orderId: string | null
  /** The amount of a refund in kobo, or the change of an inventory quantity. */
  readonly amount: number | null
}

export interface Outcome {
  readonly is: 'outcome'
  readonly number: number
  /**
   * `acknowledged`: the request took effect. `rejected`: it did not take effect. `unknown`: the client got no response
   * that shows whether the request took effect.
   */
  readonly outcome: 'acknowledged' | 'rejected' | 'unknown'
  readonly recordId: string | null
  readonly requestId: string | null
  readonly isReplayed: boolean
}

export type JournalEntry = Intent | Outcome

export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'ax')
  let waiting: { line: string; done: PromiseWithResolvers<void> }[] = []
  let writing: Promise<void> | undefined
  // One synchronisation with the disk stores the journal entries of all clients that wait for it.
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await append(file, batch.map(({ line }) => line).join(''))
      for (const { done } of batch) done.resolve()
    }
    writing = undefined
  }
  return {
    write: (entry) => {
      const done = Promise.withResolvers<void>()
      waiting.push({ line: `${JSON.stringify(entry)}\n`, done })
      writing ??= flush()
      return done.promise
    },
    close: async () => {
      await writing
      await file.close()
    },
  }
}

async function append(file: FileHandle, text: string): Promise<void> {
  await file.appendFile(text)
  await file.datasync()
}

/** A request of a client and its outcome, joined from two entries of the journal. */
export interface Request extends Omit<Intent, 'is'>, Omit<Outcome, 'is'> {}

export async function readJournal(path: string): Promise<Request[]> {
  const requests = new Map<number, Request>()
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    if (line === '') continue
    const { is, ...entry }: JournalEntry = JSON.parse(line)
    const known = requests.get(entry.number) ?? { ...untold, number: entry.number }
    requests.set(entry.number, { ...known, ...entry })
  }
  return [...requests.values()]
}

/** Initial values of the record of a request. The journal entries of the request then replace these values. */
const untold: Request = {
  number: 0,
  action: 'refund',
  key: null,
  orderId: null,
  amount: null,
  outcome: 'unknown',
  recordId: null,
  requestId: null,
  isReplayed: false,
}
