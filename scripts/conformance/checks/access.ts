import type { ApiRequest } from '../client.ts'
import type { Operation } from '../document.ts'
import { makePath, makeRequest } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run, send } from '../observe.ts'
import { codeOf } from '../validate-response.ts'

export async function checkAuthentication(run: Run): Promise<void> {
  for (const operation of run.operations) {
    const request = makeRequest(generatorFor(run, { operation, purpose: 'auth' }), operation)
    if (request === undefined) continue
    if (!operation.isSecured) {
      const expect = expectStatus([200], 'The operation requires no token')
      await observe(run, { operation, check: 'auth', request: { ...request, as: undefined }, expect })
      continue
    }
    const without: readonly (readonly [string, ApiRequest])[] = [
      ['No token', { ...request, as: undefined }],
      ['A malformed token', { ...request, as: undefined, token: 'nonsense' }],
      [
        'Another scheme',
        { ...request, as: undefined, headers: { ...request.headers, Authorization: 'Basic c3ZjOg==' } },
      ],
      ['An unknown token', { ...request, as: undefined, token: `svc_test_${'0'.repeat(38)}` }],
    ]
    for (const [why, unauthenticated] of without) {
      await observe(run, { operation, check: 'auth', request: unauthenticated, expect: expectStatus([401], why) })
    }
  }
}

/**
 * Checks that every operation rejects a request with a token that lacks the scope of the operation. The run has a token
 * with few scopes for this check. The list of the token's scopes is taken from an error response.
 */
export async function checkScopes(run: Run): Promise<void> {
  if (!run.tokens.includes('narrow-token')) return
  const scopes = await narrowScopes(run)
  for (const operation of run.operations) {
    if (!operation.isSecured || operation.scope === undefined || scopes.includes(operation.scope)) continue
    const request = makeRequest(generatorFor(run, { operation, purpose: 'scope' }), operation)
    if (request === undefined) continue
    const expect = expectStatus([403], `Without the scope ${operation.scope}`)
    await observe(run, { operation, check: 'scope', request: { ...request, as: 'narrow-token' }, expect })
  }
}

async function narrowScopes(run: Run): Promise<string[]> {
  for (const operation of run.operations) {
    if (!operation.isSecured || !operation.isList) continue
    const path = makePath(generatorFor(run, { operation, purpose: 'scopes' }), operation)
    if (path === undefined) continue
    const { body } = await send(run, { method: 'GET', path, as: 'narrow-token' })
    const details: unknown = Reflect.get(Object(Reflect.get(Object(body), 'error')), 'details')
    const scopes: unknown = Reflect.get(Object(details), 'tokenScopes')
    if (Array.isArray(scopes)) return scopes.map(String)
  }
  return []
}

/**
 * Reports whether an id is a generated one. Ids that clients can guess, such as the names of zones, are the same for
 * all merchants.
 */
const isRecordId = (id: string) => id.length >= 20 && /\d/.test(id)

export async function checkTenancy(run: Run): Promise<void> {
  if (!run.tokens.includes('other-token')) return
  for (const operation of run.operations) {
    if (!operation.isSecured) continue
    const generator = generatorFor(run, { operation, purpose: 'tenancy' })
    const request = makeRequest(generator, operation)
    if (request === undefined) continue
    if (operation.template.includes('{')) await checkHidden(run, operation, request)
    else if (operation.isList) await checkLists(run, operation)
    else if (namesRecord(request.body)) {
      const expect = expectStatus([404], 'The body names another merchant’s record')
      await observe(run, { operation, check: 'tenancy', request: { ...request, as: 'other-token' }, expect })
    }
  }
}

/** Checks that the response for another merchant’s record is the same as for a nonexistent record. */
async function checkHidden(run: Run, operation: Operation, request: ApiRequest): Promise<void> {
  const path = makePath(generatorFor(run, { operation, purpose: 'missing' }), operation, true)
  if (path === undefined) return
  const missing = await observe(run, {
    operation,
    check: 'tenancy',
    request: { ...request, path },
    expect: expectStatus([404], 'The record does not exist'),
  })
  await observe(run, {
    operation,
    check: 'tenancy',
    request: { ...request, as: 'other-token' },
    expect: (response) => {
      const [code, missingCode] = [codeOf(response.body), codeOf(missing.body)]
      const differs = `Another merchant’s record returns ${response.status} ${code}, a nonexistent one ${missing.status} ${missingCode}.`
      return response.status === missing.status && code === missingCode ? [] : [differs]
    },
  })
}

async function checkLists(run: Run, operation: Operation): Promise<void> {
  const request: ApiRequest = { method: 'GET', path: `${operation.template}?limit=100`, as: 'token' }
  const own = await observe(run, { operation, check: 'tenancy', request })
  const ownIds = new Set(idsOf(own.body).filter(isRecordId))
  await observe(run, {
    operation,
    check: 'tenancy',
    request: { ...request, as: 'other-token' },
    expect: (response) => {
      if (!isSuccess(response)) return ['The other merchant cannot list its own records.']
      const shared = idsOf(response.body).filter((id) => ownIds.has(id))
      return shared.length === 0 ? [] : [`Both merchants list ${shared.slice(0, 3).join(', ')}.`]
    },
  })
}

export function idsOf(body: unknown): string[] {
  const data: unknown = Reflect.get(Object(body), 'data')
  if (!Array.isArray(data)) return []
  return data.map((row: unknown) => {
    const id: unknown = Reflect.get(Object(row), 'id')
    return typeof id === 'string' ? id : JSON.stringify(row)
  })
}

function namesRecord(body: unknown): boolean {
  return (
    (JSON.stringify(body) ?? '')
      .match(/"\w*(?:id|Id)":"([^"]+)"/)
      ?.slice(1)
      .some(isRecordId) ?? false
  )
}
