import type { ApiRequest } from '../client.ts'
import { isAt, type Operation } from '../document.ts'
import { type Check, note } from '../ledger.ts'
import { makePath } from '../make-request.ts'
import { generatorFor, type Run, send } from '../observe.ts'
import { faultsOfError } from '../validate-response.ts'

/**
 * Checks undeclared methods and paths: 405 with `Allow` for an undeclared method, `HEAD` like `GET`, and 404 for an
 * unknown path.
 */

const check: Check = 'methods'

export async function checkMethods(run: Run): Promise<void> {
  for (const operation of run.operations) {
    const sharing = run.operations.filter(({ template }) => template === operation.template)
    const path = makePath(generatorFor(run, { operation, purpose: 'methods' }), operation)
    // One operation of each path is enough, because the check depends only on the path.
    if (path === undefined || sharing[0] !== operation) continue
    const declared = run.declared.filter(({ template }) => isAt(template, path)).map(({ method }) => method)
    for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST']) {
      if (declared.includes(method)) continue
      await checkRefused(run, { operation, request: { method, path, as: 'token' }, declared })
    }
    if (declared.includes('GET')) await checkHead(run, operation, path)
  }
  const [any] = run.operations
  if (any !== undefined) await checkUnknownPath(run, any)
}

interface Undeclared {
  readonly operation: Operation
  readonly request: ApiRequest
  /** HTTP methods that the document declares for the path. */
  readonly declared: readonly string[]
}

async function checkRefused(run: Run, { operation, request, declared }: Undeclared): Promise<void> {
  const response = await run.client.send(request)
  const allowed = (response.headers.get('allow') ?? '').split(',').map((each) => each.trim())
  const missing = declared.filter((each) => !allowed.includes(each))
  const isRefused = response.status === 405 || (request.method === 'OPTIONS' && [200, 204].includes(response.status))
  note(run.ledger, { operation, check, response }, [
    ...(isRefused ? [] : [`${request.method} is not declared: expected 405, found ${response.status}.`]),
    ...(missing.length > 0 ? [`The Allow header is ${allowed.join(', ')}, but lacks ${missing.join(', ')}.`] : []),
    ...(response.status < 400 ? [] : faultsOfError(response)),
  ])
}

/** Checks that HEAD returns the status of GET and an empty body. */
async function checkHead(run: Run, operation: Operation, path: string): Promise<void> {
  const response = await run.client.send({ method: 'HEAD', path, as: 'token' })
  const got = await send(run, { method: 'GET', path, as: 'token' })
  note(run.ledger, { operation, check, response }, [
    ...(response.text === '' ? [] : ['The response to HEAD has a body.']),
    ...([got.status, 405].includes(response.status) ? [] : [`HEAD returns ${response.status}, GET ${got.status}.`]),
  ])
}

async function checkUnknownPath(run: Run, operation: Operation): Promise<void> {
  const response = await run.client.send({ method: 'GET', path: '/no-such-thing', as: 'token' })
  note(run.ledger, { operation, check, response }, [
    ...(response.status === 404 ? [] : [`An undeclared path returns ${response.status}.`]),
    ...faultsOfError(response),
  ])
}
