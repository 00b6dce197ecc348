import type { Answered, Asked } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { changesBy, readsOf } from '../effects.ts'
import { codeOf } from '../judge.ts'
import { note } from '../ledger.ts'
import { makeRequest } from '../make-request.ts'
import { dryRunHeader, expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'

/** The same key and body give the first answer again; where keys are ignored they are ignored without error. */

const header = 'Idempotency-Key'

/** How often a request is made before one succeeds: a record that was drawn may be in no state for it. */
const triesMax = 30

/** How many are repeated before one is that could have been done twice: most orders have more than one refund’s worth. */
const roundsMax = 6

/** Enough to meet, few enough not to queue. */
const atOnce = 4

export async function checkIdempotency(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (parameterOf(operation, header) === undefined) continue
    if (operation.isIdempotent) await checkHonoured(run, operation)
    else await checkIgnored(run, operation)
  }
}

async function checkIgnored(run: Run, operation: Operation): Promise<void> {
  const asked = makeRequest(generatorFor(run, { operation, turn: 'ignored key', changedPercent: 10 }), operation)
  if (asked === undefined) return
  const keyed = withKey(asked, 'x'.repeat(300))
  await observe(run, {
    operation,
    check: 'idempotency',
    asked: keyed,
    expect: (answered) => {
      const said = answered.headers.get('idempotency-status')
      return isSuccess(answered) && said !== 'ignored' ? [`Idempotency-Status is ${said} where keys are ignored.`] : []
    },
  })
}

async function checkHonoured(run: Run, operation: Operation): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const first = await firstSuccess(run, operation, `one ${round}`)
    if (first === undefined) return
    await checkReplayed(run, operation, first)
    if (round === 0) await checkConflict(run, operation, first)
    // What could not have been done twice shows nothing by not having been done twice.
    const asked = withKey(first.asked, `${run.mark}-free-${round}`)
    const free = await observe(run, { operation, check: 'idempotency', asked })
    if (isSuccess(free)) break
  }
  await checkParallel(run, operation)
}

async function checkReplayed(run: Run, operation: Operation, first: Answered): Promise<void> {
  let replayed = first
  const changes = await changesBy(run, readsOf(run, operation, first.asked), async () => {
    const expect = (answered: Answered) => faultsOfReplay(first, answered)
    replayed = await observe(run, { operation, check: 'idempotency', asked: first.asked, expect })
  })
  const reasons = changes.map((path) => `The same key and body have changed what ${path} shows: it was done again.`)
  note(run.ledger, { operation, check: 'idempotency', answered: replayed }, reasons)
}

async function checkConflict(run: Run, operation: Operation, { asked }: Answered): Promise<void> {
  await observe(run, {
    operation,
    check: 'idempotency',
    asked: { ...asked, body: { ...Object(asked.body), ...changed(asked.body) } },
    expect: (answered) => [
      ...expectStatus([409], 'The same key with another body')(answered),
      ...(codeOf(answered.body)?.startsWith('idempotency_') ? [] : ['The code does not say that it is about the key.']),
    ],
  })
}

/** Several at once with one key: one of them does it, and all of them are told of that one, or to wait. */
async function checkParallel(run: Run, operation: Operation): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    const asked = keptRequest(run, operation, `parallel ${tries}`)
    if (asked === undefined) return
    const all = await Promise.all(
      Array.from({ length: atOnce }, () => observe(run, { operation, check: 'idempotency', asked })),
    )
    const [first, ...others] = all.filter(isSuccess)
    if (first === undefined) continue
    const reasons = others.flatMap((other) => faultsOfReplay(first, other))
    await observe(run, { operation, check: 'idempotency', asked, expect: () => reasons })
    return
  }
}

async function firstSuccess(run: Run, operation: Operation, turn: string): Promise<Answered | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const asked = keptRequest(run, operation, `${turn} ${tries}`)
    if (asked === undefined) return undefined
    const answered = await observe(run, { operation, check: 'idempotency', asked })
    if (isSuccess(answered)) return answered
  }
  return undefined
}

/** A request with a key of its own. What is only tried is not kept, and neither is its key, so it is no dry run. */
function keptRequest(run: Run, operation: Operation, turn: string): Asked | undefined {
  const made = makeRequest(generatorFor(run, { operation, turn, changedPercent: 30 }), operation)
  if (made === undefined) return undefined
  const { [dryRunHeader]: _, ...headers } = { ...made.headers }
  return withKey({ ...made, headers }, `${run.mark}-${turn.replaceAll(' ', '-')}`)
}

function faultsOfReplay(first: Answered, again: Answered): string[] {
  if (first.status === again.status && first.text === again.text) return []
  return [`The same key and body answered ${again.status}, first ${first.status}, or with another body.`]
}

function withKey(asked: Asked, key: string): Asked {
  return { ...asked, headers: { ...asked.headers, [header]: key } }
}

/** The first number of a body made another one, or its first text where it has none. */
function changed(body: unknown): object {
  const fields = Object.entries(Object(body))
  for (const [name, value] of fields) if (typeof value === 'number') return { [name]: value + 1 }
  for (const [name, value] of fields) if (typeof value === 'string') return { [name]: `${value}x` }
  return {}
}
