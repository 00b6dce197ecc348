import type { Asked } from '../client.ts'
import type { Operation } from '../document.ts'
import { codeOf } from '../judge.ts'
import { makePath, makeRequest } from '../make-request.ts'
import { ask, expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'

/** Who may ask: nobody without a token, nobody without the scope, and nobody for what is another merchant’s. */

export async function checkAuthentication(run: Run): Promise<void> {
  for (const operation of run.operations) {
    const asked = makeRequest(generatorFor(run, { operation, turn: 'auth' }), operation)
    if (asked === undefined) continue
    if (!operation.isSecured) {
      const expect = expectStatus([200], 'It needs no token')
      await observe(run, { operation, check: 'auth', asked: { ...asked, as: undefined }, expect })
      continue
    }
    const without: readonly (readonly [string, Asked])[] = [
      ['No token', { ...asked, as: undefined }],
      ['What is no token', { ...asked, as: undefined, token: 'nonsense' }],
      ['Another scheme', { ...asked, as: undefined, headers: { ...asked.headers, Authorization: 'Basic c3ZjOg==' } }],
      ['A token of nobody', { ...asked, as: undefined, token: `svc_test_${'0'.repeat(38)}` }],
    ]
    for (const [why, sent] of without) {
      await observe(run, { operation, check: 'auth', asked: sent, expect: expectStatus([401], why) })
    }
  }
}

/** A token has one scope at least, so what it may do is left out: the refusals themselves tell which scopes it has. */
export async function checkScopes(run: Run): Promise<void> {
  if (!run.tokens.includes('narrow-token')) return
  const scopes = await narrowScopes(run)
  for (const operation of run.operations) {
    if (!operation.isSecured || operation.scope === undefined || scopes.includes(operation.scope)) continue
    const asked = makeRequest(generatorFor(run, { operation, turn: 'scope' }), operation)
    if (asked === undefined) continue
    const expect = expectStatus([403], `Without the scope ${operation.scope}`)
    await observe(run, { operation, check: 'scope', asked: { ...asked, as: 'narrow-token' }, expect })
  }
}

async function narrowScopes(run: Run): Promise<string[]> {
  for (const operation of run.operations) {
    if (!operation.isSecured || !operation.isList) continue
    const path = makePath(generatorFor(run, { operation, turn: 'scopes' }), operation)
    if (path === undefined) continue
    const { body } = await ask(run, { method: 'GET', path, as: 'narrow-token' })
    const details: unknown = Reflect.get(Object(Reflect.get(Object(body), 'error')), 'details')
    const scopes: unknown = Reflect.get(Object(details), 'tokenScopes')
    if (Array.isArray(scopes)) return scopes.map(String)
  }
  return []
}

/** A name that anyone can guess, such as a zone’s, is no merchant’s record. */
const isRecordId = (id: string) => id.length >= 20 && /\d/.test(id)

export async function checkTenancy(run: Run): Promise<void> {
  if (!run.tokens.includes('other-token')) return
  for (const operation of run.operations) {
    if (!operation.isSecured) continue
    const generator = generatorFor(run, { operation, turn: 'tenancy' })
    const asked = makeRequest(generator, operation)
    if (asked === undefined) continue
    if (operation.template.includes('{')) await checkHidden(run, operation, asked)
    else if (operation.isList) await checkLists(run, operation)
    else if (namesRecord(asked.body)) {
      const expect = expectStatus([404], 'The body names another merchant’s record')
      await observe(run, { operation, check: 'tenancy', asked: { ...asked, as: 'other-token' }, expect })
    }
  }
}

/** Another merchant’s record must be answered as one that does not exist. */
async function checkHidden(run: Run, operation: Operation, asked: Asked): Promise<void> {
  const path = makePath(generatorFor(run, { operation, turn: 'missing' }), operation, true)
  if (path === undefined) return
  const missing = await observe(run, {
    operation,
    check: 'tenancy',
    asked: { ...asked, path },
    expect: expectStatus([404], 'The record does not exist'),
  })
  await observe(run, {
    operation,
    check: 'tenancy',
    asked: { ...asked, as: 'other-token' },
    expect: (answered) => {
      const [code, missingCode] = [codeOf(answered.body), codeOf(missing.body)]
      const differs = `Another merchant’s record is answered ${answered.status} ${code}, a missing one ${missing.status} ${missingCode}.`
      return answered.status === missing.status && code === missingCode ? [] : [differs]
    },
  })
}

async function checkLists(run: Run, operation: Operation): Promise<void> {
  const asked: Asked = { method: 'GET', path: `${operation.template}?limit=100`, as: 'token' }
  const own = await observe(run, { operation, check: 'tenancy', asked })
  const ownIds = new Set(idsOf(own.body).filter(isRecordId))
  await observe(run, {
    operation,
    check: 'tenancy',
    asked: { ...asked, as: 'other-token' },
    expect: (answered) => {
      if (!isSuccess(answered)) return ['The other merchant cannot list its own records.']
      const shared = idsOf(answered.body).filter((id) => ownIds.has(id))
      return shared.length === 0 ? [] : [`Both merchants are shown ${shared.slice(0, 3).join(', ')}.`]
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
