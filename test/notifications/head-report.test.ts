import { expect, onTestFinished, test } from 'vitest'
import type { NotificationKind } from '../../registry/values/notifications.ts'
import { createToken } from '../../src/access/create-token.ts'
import { reportHeads } from '../../src/audit/report-heads.ts'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { signerOf } from '../../src/base/signer.ts'
import { sendMails } from '../../src/notifications/send-mails.ts'
import { setPreferences } from '../../src/notifications/set-preferences.ts'
import { openSmtpMailer } from '../../src/outbound/mail/smtp-mailer.ts'
import { findTestTwin } from '../../src/store/access/merchants.ts'
import { bookkeep } from '../../src/store/core/bookkeeping.ts'
import { insertSharedAudit } from '../../src/store/core/shared-audit.ts'
import { listMemberNotifications } from '../../src/store/notifications/member-notifications.ts'
import { listNotifications } from '../../src/store/webhooks/notifications.ts'
import { dayMs, openPeople } from '../access/members/people.ts'
import { tamperWith } from '../audit/rewritten-chain.ts'
import { commandKey, commerce } from '../cli/commerce.ts'
import { useDatabase } from '../support/database.ts'
import { openMailServer, type ReceivedMail } from '../support/mail-server.ts'
import { operator } from '../support/shop.ts'

const opened = useDatabase()

/** Signs the chain heads with the key of the command line, because the tests verify the audit log with a command. */
const signer = signerOf([commandKey])

const kind: NotificationKind = 'audit_log.heads'

async function openTeam() {
  const people = openPeople(opened())
  const merchantId = await people.merchant()
  const run = (...words: string[]) => commerce(opened().connectionString, 'audit', 'verify', ...words)
  const seal = () => sealAudit({ database: people.context.database, signer })
  await seal()
  const owner = await people.join(merchantId)
  const { received, server } = await openMailServer()
  const mailer = openSmtpMailer({ server, from: 'shop@example.com' })
  onTestFinished(() => mailer.close())
  const report = () => reportHeads({ ...people.context, signer })
  const send = () => sendMails({ ...people.context, log: silentLog, mailer, publicUrl: undefined })
  /** Returns the e-mails to members of this merchant: the merchants of earlier tests get e-mails too. */
  const mails = () => received.filter(({ text }) => text.includes(`merchant ${merchantId}`))
  return { ...people, merchantId, owner, mails, run, seal, report, send }
}

type Team = Awaited<ReturnType<typeof openTeam>>

/** Returns the commands in an e-mail, each as the words after `commerce audit verify`. */
function commandsIn(mail: ReceivedMail | undefined): string[][] {
  const lines = mail?.text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('commerce audit verify') && /--head/.test(line))
  return (lines ?? []).map((line) => line.split(' ').slice(3))
}

/** Adds a row to the audit log of the merchant in test mode. Returns the id of the test-mode merchant. */
async function changeTestMode({ context, merchantId: live }: Pick<Team, 'context' | 'merchantId'>): Promise<string> {
  const twin = await findTestTwin(context.database, { id: live })
  if (twin === undefined) throw new Error('Each merchant has a test mode.')
  const token = { name: 'Test', scopes: ['orders:read'], expiresAt: null, ipAllowlist: [] } as const
  await createToken(context, operator, { merchantId: twin.id, mode: 'test' }, token)
  return twin.id
}

async function changeSharedData({ context }: Pick<Team, 'context'>): Promise<void> {
  const { database, clock } = context
  const nowMs = clock.nowMs()
  const id = newId('aud', nowMs)
  await bookkeep(database, async (trx) =>
    insertSharedAudit(trx, {
      ...{ id, occurredAt: toTimestamp(nowMs), actorType: 'operator', actorLabel: 'adaeze@shop-1', sourceIp: null },
      ...{ action: 'surge.freeze', resourceType: 'city', resourceId: 'Lagos', changes: {} },
    }),
  )
}

test('the daily e-mail contains one command for each hash chain (live, test mode, shared), and each command finds its chain intact', async () => {
  const { context, merchantId, owner, mails, run, seal, report, send } = await openTeam()
  const testMerchantId = await changeTestMode({ context, merchantId })
  await changeSharedData({ context })
  await seal()
  await report()
  await send()
  expect(mails().map(({ to }) => to)).toEqual([[owner.email]])
  expect(mails()[0]?.headers.get('subject')).toEqual(['Adire Lagos: Latest hashes of the audit log'])
  const commands = commandsIn(mails()[0])
  const targets = [merchantId, testMerchantId, '--shared']
  expect(commands.map(([target, id]) => (target === '--merchant' ? id : target))).toEqual(targets)
  for (const words of commands) expect((await run(...words)).stdout).toMatch(/^The audit log is intact/)
  expect(mails()[0]?.text).not.toContain('no valid signature')
})

test('the command in the daily e-mail detects a truncated audit log, but a verification without the hash from the e-mail does not', async () => {
  const { merchantId, mails, run, seal, report, send } = await openTeam()
  await seal()
  await report()
  await send()
  const [words = []] = commandsIn(mails()[0])
  const later = `merchant_id = '${merchantId}' and number > 1`
  await tamperWith(opened().superuserConnectionString, [
    `delete from audit_log where merchant_id = '${merchantId}' and id in (select audit_id from audit_chain where ${later})`,
    `delete from audit_heads where ${later}`,
    `delete from audit_chain where ${later}`,
  ])
  expect(await run('--merchant', merchantId)).toMatchObject({ code: 0 })
  expect(await run(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not in the chain') })
})

test('the daily e-mail about the audit log’s hash chains warns of a chain head whose signature is missing', async () => {
  const { merchantId, mails, seal, report, send } = await openTeam()
  await seal()
  await tamperWith(opened().superuserConnectionString, [
    `update audit_heads set key_id = null, signature = null where merchant_id = '${merchantId}'`,
  ])
  await report()
  await send()
  expect(mails()[0]?.text).toContain('This head has no valid signature')
})

test('the heads of the audit log’s hash chains are sent in one e-mail a day, even if several processes run or a process restarts', async () => {
  const { clock, mails, seal, report, send } = await openTeam()
  await seal()
  await Promise.all([report(), report(), report()])
  await Promise.all([send(), send()])
  await report()
  await send()
  expect(mails()).toHaveLength(1)
  clock.advance(dayMs)
  await report()
  await send()
  expect(mails()).toHaveLength(2)
  const ids = mails().flatMap(({ headers }) => headers.get('message-id') ?? [])
  expect(new Set(ids).size).toBe(2)
})

test('the heads of the audit log’s hash chains are e-mailed to owners, and to other members only if they chose these e-mails', async () => {
  const { context, merchantId, owner, join, mails, seal, report, send } = await openTeam()
  const [absent, viewer] = [await join(merchantId), await join(merchantId, 'viewer')]
  await join(merchantId, 'developer')
  await setPreferences(context, operator, { merchantId, memberId: absent.memberId, emailed: [] })
  await setPreferences(context, operator, { merchantId, memberId: viewer.memberId, emailed: [kind] })
  await seal()
  await report()
  await send()
  expect(
    mails()
      .flatMap(({ to }) => to)
      .toSorted(),
  ).toEqual([owner.email, viewer.email].toSorted())
})

test('the stored report of the audit log’s chain heads is not listed among the notifications of a merchant', async () => {
  const { merchantId, owner, session, seal, report } = await openTeam()
  await seal()
  await report()
  const { database } = opened()
  const { rows } = await database.pool.query('select kind from notifications where merchant_id = $1', [merchantId])
  expect(rows).toEqual([{ kind }])
  const reader = { merchantId, memberId: owner.memberId }
  for (const state of ['all', 'unread'] as const)
    expect(await listMemberNotifications(database, reader, { limit: 10, state })).toEqual([])
  expect(await listNotifications(database, { merchantId, limit: 10 })).toEqual([])
  expect(await session(owner.sessionToken)).toMatchObject({ unreadNotifications: 0 })
})

test('the heads of the audit log’s hash chains are sent to merchants whose database node responds, and to other merchants once their node responds', async () => {
  const [team, lost] = [await openTeam(), await openTeam()]
  const { reachability } = team.context.database
  onTestFinished(() => reachability.set({ reachable: [], unreachable: [] }))
  reachability.set({ reachable: [team.merchantId], unreachable: [lost.merchantId] })
  await team.report()
  reachability.set({ reachable: [], unreachable: [] })
  const count = 'select from notifications where merchant_id = $1 and kind = $2'
  const reports = async ({ merchantId }: Team) => (await opened().database.pool.query(count, [merchantId, kind])).rows
  expect(await reports(team)).toHaveLength(1)
  expect(await reports(lost)).toHaveLength(0)
  await team.report()
  expect(await reports(team)).toHaveLength(1)
  expect(await reports(lost)).toHaveLength(1)
})
