import { sql } from 'kysely'
import type pg from 'pg'
import { encodeArray } from './array-parameter.ts'
import { type BatchResult, StatementSkipped } from './batch.ts'
import type { Channel } from './channel.ts'
import { faultOf, isReadOnly, isUnavailable } from './faults.ts'
import { advisoryLock } from './idempotency.ts'
import { type Statement, writing } from './statement.ts'
import { endTransaction, OutcomeUnknown, openSession, rollBack, type Session } from './transaction.ts'

/**
 * A transaction that several mutations of one merchant share. The members run at the same time, and their equal
 * statements are sent as one statement, in its set-based form. A member that ends without a write leaves the group. Any
 * other failure rolls back the whole group, and each member then runs again in a transaction of its own, so that the
 * failure of one member does not fail the others. If the server is unavailable, or the outcome of the commit is
 * unknown, no member runs again, and all get that error.
 */
export interface TransactionGroup {
  readonly members: readonly GroupMember[]
  /** Resolves when the transaction has ended and its connection is released. Never rejects. */
  readonly closed: Promise<GroupEnd>
}

/** How the transaction of a group ended. */
export type GroupEnd =
  | { readonly is: 'committed'; readonly memberCount: number }
  | { readonly is: 'rolled_back'; readonly cause: unknown }
  | { readonly is: 'unknown'; readonly error: OutcomeUnknown }

export interface GroupMember {
  /** The name of the lock that the transaction holds for the idempotency key of the member; undefined without a key. */
  readonly keyLockName: string | undefined
  /** The transaction for one member: its `commit` waits for the other members, and its `rollback` leaves the group. */
  readonly session: Session
  /**
   * Ends the participation in the group of a mutation that failed with an error. Returns the error to report, or
   * undefined if the group was rolled back and the member should run in a transaction of its own.
   */
  decide(error: unknown): Promise<unknown>
}

/**
 * Opens a transaction with one member for each list element. An element is the name of the lock of the member's
 * idempotency key, or undefined without a key. The transaction gets these locks first.
 */
export function openTransactionGroup(
  client: pg.PoolClient,
  keyLockNames: readonly (string | undefined)[],
): TransactionGroup {
  const group = new Group(
    client,
    keyLockNames.filter((name) => name !== undefined),
  )
  return { members: keyLockNames.map((name) => group.add(name)), closed: group.closed.promise }
}

/**
 * The lock timeout of a group in milliseconds. While a group waits for a lock that one member needs, all members wait
 * and keep their locks. A lock is normally released within a few milliseconds.
 */
const lockTimeoutMs = 50

/**
 * Sets the lock timeout of the group, fixes its plans, and waits for the locks of the idempotency keys. The settings
 * are in a relation of their own, which is read first, because the lock timeout applies to these waits. The names of
 * the locks are sorted, so that two groups wait for them in the same order.
 *
 * PostgreSQL estimates a thousand rows for the argument of a set-based statement. It would therefore scan a small table
 * sequentially, and a prepared statement would keep that plan after the table has grown. Because of the estimate, it
 * could also compile a statement of a few rows to machine code.
 */
const configureGroup = writing<{ lockTimeout: string; keyLockNames: Buffer }>()(
  'configure_group',
  (p) => sql`
    with configured as materialized (
      select
        set_config('lock_timeout', ${p.lockTimeout}, true),
        set_config('plan_cache_mode', 'force_generic_plan', true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('jit', 'off', true)
    )
    select ${advisoryLock(sql<string>`key.lock_name`)}
    from configured
    left join unnest(${p.keyLockNames}::text[]) as key (lock_name) on true`,
)

/** A statement of a member of the group that is not sent yet. */
interface Execution {
  readonly statement: Statement<unknown, unknown>
  readonly args: unknown
  resolve(rows: readonly unknown[]): void
  reject(error: unknown): void
}

interface Member {
  state: 'running' | 'ready' | 'left'
  hasWritten: boolean
  /** In order. */
  readonly unsent: Execution[]
}

/**
 * A shared transaction. It is a class, because its methods share the state of the transaction and would be too long as
 * closures.
 */
class Group {
  readonly closed = Promise.withResolvers<GroupEnd>()
  readonly #session: Session
  readonly #begun: Promise<BatchResult>
  /** The statements of the group that must succeed before its commit takes effect. */
  readonly #sent: Promise<unknown>[] = []
  readonly #members: Member[] = []
  /** The result of the group's `commit`, for which all members wait. */
  readonly #committed = Promise.withResolvers<BatchResult>()
  #failure: { readonly cause: unknown } | undefined
  #isEnding = false
  #isScheduled = false

  constructor(client: pg.PoolClient, keyLockNames: readonly string[]) {
    this.#session = openSession(client)
    // The sending of the group's statements is scheduled before that of the connection, so that `begin` and the first
    // statements of the members are one pipeline.
    this.#scheduleFlush()
    this.#begun = this.#session.channel.command('begin')
    const configured = this.#session.channel.run(configureGroup, {
      lockTimeout: `${lockTimeoutMs}ms`,
      keyLockNames: encodeArray('text', keyLockNames.toSorted()),
    })
    this.#sent.push(configured)
    // The first error is the cause of the rollback. The errors of later statements only say that they were skipped.
    configured.catch((error: unknown) => this.#fail(error))
    // The promise is awaited at the end of the transaction. Until then, a rejection must not count as unhandled.
    this.#committed.promise.catch(() => undefined)
  }

  add(keyLockName: string | undefined): GroupMember {
    const member: Member = { state: 'running', hasWritten: false, unsent: [] }
    this.#members.push(member)
    return {
      keyLockName,
      session: { channel: this.#channelOf(member), release: () => undefined },
      decide: (error) => this.#decide(member, error),
    }
  }

  #channelOf(member: Member): Channel {
    return {
      run: <Args, Row>(statement: Statement<Args, Row>, args: Args) =>
        new Promise<readonly Row[]>((resolve, reject) => {
          if (this.#failure !== undefined) reject(this.#failure.cause)
          // Its statement would be committed with the others, without an audit row.
          else if (member.state !== 'running')
            reject(new Error('The member of the transaction group has left, or is already ready to commit.'))
          else this.#queue(member, erase({ statement, args, resolve, reject }))
        }),
      runSet: () => Promise.reject(new Error('A member of a transaction group can only send single statements.')),
      isPooled: this.#session.channel.isPooled,
      command: (text) => {
        if (text === 'begin') return this.#begun
        if (text === 'commit') return this.#commit(member)
        this.#leave(member)
        return Promise.resolve({ rows: [], command: 'ROLLBACK' })
      },
      unsent: () => undefined,
    }
  }

  #queue(member: Member, execution: Execution): void {
    if (execution.statement.effect === 'writes') member.hasWritten = true
    member.unsent.push(execution)
    this.#scheduleFlush()
  }

  #scheduleFlush(): void {
    // nextTick runs after the pending promise callbacks, in which other members of the group queue their statements.
    if (!this.#isScheduled) process.nextTick(() => this.#flush())
    this.#isScheduled = true
  }

  #flush(): void {
    this.#isScheduled = false
    for (let next = takeEqual(this.#members); next.length > 0; next = takeEqual(this.#members)) this.#send(next)
  }

  #send(executions: readonly Execution[]): void {
    const rows = runTogether(this.#session.channel, executions)
    this.#sent.push(rows)
    rows.then(
      (lists) => {
        for (const [index, execution] of executions.entries()) execution.resolve(lists[index] ?? [])
      },
      (error: unknown) => {
        this.#fail(error)
        for (const execution of executions) execution.reject(error)
      },
    )
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { cause }
    for (const { unsent } of this.#members) for (const execution of unsent.splice(0)) execution.reject(cause)
    // A transaction that is already ending rolls itself back.
    if (!this.#isEnding) this.#rollBack(cause)
  }

  #rollBack(thrown: unknown): void {
    this.#isEnding = true
    const cause = faultOf(thrown)
    this.#committed.reject(new StatementSkipped('The transaction of the group was rolled back.', { cause }))
    void rollBack(this.#session, cause).then(() => this.closed.resolve({ is: 'rolled_back', cause }))
  }

  #leave(member: Member): void {
    if (this.#failure !== undefined || member.state !== 'running') return
    member.state = 'left'
    if (member.hasWritten) this.#fail(new Error('A member of the transaction group was rolled back after a write.'))
    else this.#endIfReady()
  }

  #commit(member: Member): Promise<BatchResult> {
    member.state = 'ready'
    this.#endIfReady()
    return this.#committed.promise
  }

  #endIfReady(): void {
    if (this.#isEnding || this.#members.some(({ state }) => state === 'running')) return
    if (this.#members.every(({ state }) => state === 'left')) {
      this.#rollBack(new Error('No request is left in the shared transaction.'))
      return
    }
    this.#isEnding = true
    const memberCount = this.#members.filter(({ state }) => state === 'ready').length
    // The last writes of the group's members must be sent before the commit.
    this.#flush()
    endTransaction(this.#session, { how: 'commit', gate: this.#begun, sent: this.#sent }).then(
      () => {
        this.#committed.resolve({ rows: [], command: 'COMMIT' })
        this.closed.resolve({ is: 'committed', memberCount })
      },
      (error: unknown) => {
        this.#committed.reject(error)
        this.closed.resolve(
          error instanceof OutcomeUnknown ? { is: 'unknown', error } : { is: 'rolled_back', cause: error },
        )
      },
    )
  }

  async #decide(member: Member, error: unknown): Promise<unknown> {
    // The member leaves the group at this point, because it may fail before its first statement.
    this.#leave(member)
    if (member.state === 'left' && this.#failure === undefined) return error
    const end = await this.closed.promise
    if (end.is === 'unknown') return end.error
    if (end.is === 'committed') return error
    // An unavailable server would reject the next transaction too, so the error is final. A demoted server has a
    // successor, so the members run again.
    return isUnavailable(end.cause) && !isReadOnly(end.cause) ? end.cause : undefined
  }
}

/**
 * Removes the next queued statement of one mutation of the group, and the equal statements that other mutations of the
 * group have next.
 */
function takeEqual(members: readonly Member[]): readonly Execution[] {
  const first = members.find(({ unsent }) => unsent.length > 0)?.unsent[0]
  if (first === undefined) return []
  return members.flatMap(({ unsent }) => {
    const isEqual = first.statement.setBased !== undefined && unsent[0]?.statement === first.statement
    return isEqual || unsent[0] === first ? unsent.splice(0, 1) : []
  })
}

/** Runs several executions of one statement together. Returns the rows of each execution. */
async function runTogether(
  channel: Channel,
  executions: readonly Execution[],
): Promise<readonly (readonly unknown[])[]> {
  const [first, ...others] = executions
  if (first === undefined) return []
  const { setBased } = first.statement
  if (setBased === undefined || others.length === 0) return [await channel.run(first.statement, first.args)]
  const rows = await channel.runSet(
    setBased,
    executions.map(({ args }) => args),
  )
  const lists: unknown[][] = executions.map(() => [])
  for (const { execution, ...row } of asRecords(rows)) lists[execution - 1]?.push(row)
  return lists
}

/** Erases the types of a statement. The promise that its caller got has the row type. */
function erase<Args, Row>(execution: {
  readonly statement: Statement<Args, Row>
  readonly args: Args
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
}): Execution {
  return execution as unknown as Execution
}

function asRecords(rows: readonly unknown[]): readonly { readonly execution: number }[] {
  return rows as readonly { readonly execution: number }[]
}
