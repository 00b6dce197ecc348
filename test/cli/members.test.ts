import { expect, test, vi } from 'vitest'
import { acceptInvitationAsNewUser } from '../../src/access/members/accept-invitation.ts'
import { systemClock } from '../../src/base/clock.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { home, password } from '../access/members/people.ts'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson, commerceWithInput } from './commerce.ts'

// A long timeout: each test starts several processes one after the other, while other tests run.
vi.setConfig({ testTimeout: 240_000 })

const opened = useDatabase()
const run = (...words: string[]) => commerceJson(opened().connectionString, ...words)

function fieldOf(value: unknown, name: string): string {
  const field: unknown = Reflect.get(Object(value), name)
  if (typeof field !== 'string') throw new Error(`There is no text ${name} in ${JSON.stringify(value)}.`)
  return field
}

async function openMerchant(): Promise<readonly string[]> {
  return ['--merchant', fieldOf(await run('merchant', 'create', '--name', 'Adire Lagos'), 'id')]
}

async function join(merchant: readonly string[], email: string, role: string): Promise<void> {
  const link = fieldOf(await run('member', 'invite', ...merchant, '--email', email, '--role', role), 'link')
  const [, token = ''] = /^\/dashboard\/invitations\/([\w-]{43})$/.exec(link) ?? []
  const context = { database: opened().database, clock: systemClock, vault: vaultOf([]), nudge: () => undefined }
  const outcome = await acceptInvitationAsNewUser(context, { token, name: 'Ada', password, source: home })
  expect(outcome).toMatchObject({ is: 'accepted' })
}

test('the command `member invite` prints the path of an invitation link; `member role`, `member recover` and `member remove` change the member', async () => {
  const merchant = await openMerchant()
  await join(merchant, 'ada@example.com', 'owner')
  await join(merchant, 'bisi@example.com', 'viewer')
  expect(await run('member', 'list', ...merchant)).toMatchObject([
    { email: 'ada@example.com', role: 'owner' },
    { email: 'bisi@example.com', role: 'viewer' },
  ])
  const ada = ['--member', 'ada@example.com']
  const bisi = ['--member', 'BISI@example.com']
  expect(await run('member', 'role', ...merchant, ...bisi, '--role', 'developer')).toMatchObject({ changed: true })
  expect(fieldOf(await run('member', 'recover', ...merchant, ...bisi), 'link')).toMatch(
    /^\/dashboard\/sign-in\/link\/[\w-]{43}$/,
  )
  const refused = await commerce(opened().connectionString, 'member', 'remove', ...merchant, ...ada)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ada@example.com is the only owner.') })
  expect(await run('member', 'remove', ...merchant, ...bisi)).toMatchObject({ removed: true })
  const again = await commerce(opened().connectionString, 'member', 'remove', ...merchant, ...bisi)
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The merchant has no member BISI@example.com'),
  })
})

test.for([
  [
    'a path and how to complete it without PUBLIC_URL',
    {},
    /^\/dashboard\/invitations\/\S+\n\nPut the address of your service before/m,
  ],
  [
    'a link with the origin of PUBLIC_URL',
    { PUBLIC_URL: 'https://shop.example.com' },
    /^https:\/\/shop\.example\.com\/dashboard\/invitations\/\S+\n$/m,
  ],
] as const)('the command `member invite` prints %s, and does not guess the address of the service', async ([
  ,
  settings,
  printed,
]) => {
  const words = ['member', 'invite', ...(await openMerchant()), '--email', 'ada@example.com', '--role', 'owner']
  const { stdout } = await commerceWithInput(opened().connectionString, { input: '', settings }, ...words)
  expect(stdout).toMatch(printed)
  expect(stdout).not.toContain('127.0.0.1')
})

test('the command `member invitations` lists the open invitations, and `member revoke-invitation` revokes an invitation by id or e-mail address', async () => {
  const merchant = await openMerchant()
  const invite = (email: string) => run('member', 'invite', ...merchant, '--email', email, '--role', 'viewer')
  const first = fieldOf(await invite('ada@example.com'), 'id')
  await invite('bisi@example.com')
  expect(await run('member', 'invitations', ...merchant)).toMatchObject([
    { email: 'bisi@example.com', role: 'viewer' },
    { id: first, email: 'ada@example.com' },
  ])
  const revoke = (invitation: string) => ['member', 'revoke-invitation', ...merchant, '--invitation', invitation]
  expect(await run(...revoke(first))).toEqual({ id: first, email: 'ada@example.com', revoked: true })
  expect(await run(...revoke('Bisi@example.com'))).toMatchObject({ email: 'bisi@example.com', revoked: true })
  expect(await run('member', 'invitations', ...merchant)).toEqual([])
  expect(await commerce(opened().connectionString, ...revoke(first))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The merchant has no open invitation ${first}.`),
  })
  expect(await run('audit', 'list', ...merchant, '--action', 'member.invitation_revoke')).toMatchObject([
    { actor: { type: 'operator' } },
    { actor: { type: 'operator' } },
  ])
})

test('the command `session list` shows the sessions of a member, and `session revoke` ends them', async () => {
  const merchant = await openMerchant()
  await join(merchant, 'chidi@example.com', 'owner')
  const member = [...merchant, '--member', 'chidi@example.com']
  const listed = await run('session', 'list', ...member)
  expect(listed).toMatchObject([{ stage: 'complete', sourceIp: home.ip, userAgent: home.userAgent }])
  const id = fieldOf(Array.isArray(listed) ? listed[0] : undefined, 'id')
  expect(await run('session', 'revoke', ...member, '--session', id)).toEqual({ revoked: 1 })
  expect(await run('session', 'list', ...member)).toEqual([])
  expect(await run('session', 'revoke', ...member)).toEqual({ revoked: 0 })
  const unknown = await commerce(opened().connectionString, 'session', 'revoke', ...member, '--session', id)
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining(`no active session ${id}`) })
  expect(await run('audit', 'list', ...merchant, '--action', 'user.session_revoke')).toMatchObject([
    { actor: { type: 'operator' } },
  ])
})

test('the command `member invite` exits with code 2 and names the invalid option if the role or the e-mail address is invalid', async () => {
  const invite = ['member', 'invite', '--merchant', 'mer_1', '--role', 'owner', '--email', 'ada@example.com']
  const role = await commerce(opened().connectionString, ...invite.map((word) => (word === 'owner' ? 'admin' : word)))
  expect(role).toMatchObject({ code: 2, stderr: expect.stringContaining('--role must be one of owner, developer') })
  const email = await commerce(opened().connectionString, ...invite.slice(0, -1), 'ada')
  expect(email).toMatchObject({ code: 2, stderr: expect.stringContaining('--email must be an e-mail address') })
})
