import type { Asked } from '../client.ts'
import { isAt, type Operation } from '../document.ts'
import { faultsOfError } from '../judge.ts'
import { type Check, note } from '../ledger.ts'
import { makePath } from '../make-request.ts'
import { ask, generatorFor, type Run } from '../observe.ts'

/** Methods the document does not have, which are no operation of it: what a client may take for granted of HTTP. */

const check: Check = 'methods'

export async function checkMethods(run: Run): Promise<void> {
  for (const operation of run.operations) {
    const sharing = run.operations.filter(({ template }) => template === operation.template)
    const path = makePath(generatorFor(run, { operation, turn: 'methods' }), operation)
    // One operation of each path does for all of them.
    if (path === undefined || sharing[0] !== operation) continue
    const declared = run.declared.filter(({ template }) => isAt(template, path)).map(({ method }) => method)
    for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST']) {
      if (declared.includes(method)) continue
      await checkRefused(run, { operation, asked: { method, path, as: 'token' }, declared })
    }
    if (declared.includes('GET')) await checkHead(run, operation, path)
  }
  const [any] = run.operations
  if (any !== undefined) await checkUnknownPath(run, any)
}

interface Undeclared {
  readonly operation: Operation
  readonly asked: Asked
  /** The methods that this path has. */
  readonly declared: readonly string[]
}

async function checkRefused(run: Run, { operation, asked, declared }: Undeclared): Promise<void> {
  const answered = await run.client.ask(asked)
  const allowed = (answered.headers.get('allow') ?? '').split(',').map((each) => each.trim())
  const missing = declared.filter((each) => !allowed.includes(each))
  const isRefused = answered.status === 405 || (asked.method === 'OPTIONS' && [200, 204].includes(answered.status))
  note(run.ledger, { operation, check, answered }, [
    ...(isRefused ? [] : [`${asked.method} is not declared: expected 405, found ${answered.status}.`]),
    ...(missing.length > 0 ? [`Allow is ${allowed.join(', ')}; it lacks ${missing.join(', ')}.`] : []),
    ...(answered.status < 400 ? [] : faultsOfError(answered)),
  ])
}

/** The same as GET, without a body. */
async function checkHead(run: Run, operation: Operation, path: string): Promise<void> {
  const answered = await run.client.ask({ method: 'HEAD', path, as: 'token' })
  const got = await ask(run, { method: 'GET', path, as: 'token' })
  note(run.ledger, { operation, check, answered }, [
    ...(answered.text === '' ? [] : ['HEAD is answered with a body.']),
    ...([got.status, 405].includes(answered.status) ? [] : [`HEAD answers ${answered.status}, GET ${got.status}.`]),
  ])
}

async function checkUnknownPath(run: Run, operation: Operation): Promise<void> {
  const answered = await run.client.ask({ method: 'GET', path: '/no-such-thing', as: 'token' })
  note(run.ledger, { operation, check, answered }, [
    ...(answered.status === 404 ? [] : [`A path nobody declared answers ${answered.status}.`]),
    ...faultsOfError(answered),
  ])
}
