import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { removeMember } from '../../src/access/members/change-member.ts'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { toTimestamp } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { mailRules } from '../../src/notifications/mail-rules.ts'
import { mailRetryDelaysMinutes, sendMails } from '../../src/notifications/send-mails.ts'
import { setPreferences } from '../../src/notifications/set-preferences.ts'
import { openFileMailer } from '../../src/outbound/mail/file-mailer.ts'
import type { Mailer } from '../../src/outbound/mail/mailer.ts'
import { openSmtpMailer, type SmtpMailerOptions } from '../../src/outbound/mail/smtp-mailer.ts'
import { findHead } from '../../src/store/audit/chain.ts'
import { openMailClaims } from '../../src/store/notifications/mails.ts'
import { openPeople } from '../access/members/people.ts'
import { addressOf, vault } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { openMailServer } from '../support/mail-server.ts'
import { notify } from '../support/notify.ts'
import { operator } from '../support/shop.ts'

const opened = useDatabase()

const minuteMs = 60_000

// Marks pending e-mails as skipped after each test: the worker sends the e-mails of all merchants, and would send them
// in the next test.
afterEach(() =>
  opened().database.pool.query(
    "update notification_mails set status = 'skipped', next_attempt_at = null, completed_at = now() where status = 'pending'",
  ),
)

const from = 'Commerce <notifications@example.com>'

function openMailer(options: Omit<SmtpMailerOptions, 'from'>): Mailer {
  const mailer = openSmtpMailer({ from, ...options })
  onTestFinished(() => mailer.close())
  return mailer
}

async function openTeam(name?: string) {
  const people = openPeople(opened())
  const merchantId =
    name === undefined ? await people.merchant() : (await createMerchant(people.context, operator, name)).id
  const owner = await people.join(merchantId)
  const run = (mailer: Mailer | undefined, publicUrl?: string) =>
    sendMails({ ...people.context, log: silentLog, mailer, publicUrl })
  const stored = async () => {
    const { rows } = await opened().database.pool.query(
      `select member_id, status, attempts, last_error, next_attempt_at from notification_mails
       where merchant_id = $1 order by member_id`,
      [merchantId],
    )
    return rows
  }
  return { ...people, merchantId, owner, run, stored }
}

/** Returns the address of a mail server on which nothing listens. */
async function closedServer() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  return { host: '127.0.0.1', port, isTls: false, credentials: null }
}

describe('an e-mail of a notification', () => {
  test('a notification e-mail contains the newest signed head of the audit log’s hash chain, with which the log can be verified later', async () => {
    const { context, merchantId, run } = await openTeam()
    const { received, server } = await openMailServer()
    const { database } = context
    await sealAudit({ database, signer: vault.signer })
    const head = await findHead(database, merchantId)
    await notify(context, merchantId, { data: { count: 3 } })
    await run(openMailer({ server }))
    expect(received[0]?.text.replaceAll('\r\n', ' ')).toContain(`${head?.number}:${head?.hash.toString('hex')}`)
  })

  test('a notification e-mail names the merchant, the cause, the page to act on and the page of the settings', async () => {
    const { context, merchantId, owner, run, stored } = await openTeam()
    const { received, server } = await openMailServer()
    const id = await notify(context, merchantId, { data: { count: 3 } })
    expect(await run(openMailer({ server }), 'https://shop.example')).toBe(1)
    expect(received).toHaveLength(1)
    const [mail] = received
    expect([mail?.from, mail?.to]).toEqual(['notifications@example.com', [owner.email]])
    expect(mail?.headers.get('subject')).toEqual(['Adire Lagos: Payments differ from the payment provider'])
    expect(mail?.headers.get('message-id')).toEqual([`<${id}.${owner.memberId}@example.com>`])
    expect(mail?.headers.get('content-type')).toEqual([expect.stringContaining('text/plain')])
    expect(mail?.text).toContain('found 3 new differences')
    expect(mail?.text).toContain('https://shop.example/dashboard/orders')
    expect(mail?.text).toContain('https://shop.example/dashboard/notifications/preferences')
    expect(await stored()).toMatchObject([{ status: 'sent', attempts: 1, next_attempt_at: null }])
  })

  test('if no public URL is configured, a notification e-mail names a command to run instead of a link to a page', async () => {
    const { context, merchantId, run } = await openTeam()
    const { received, server } = await openMailServer()
    await notify(context, merchantId)
    await run(openMailer({ server }))
    expect(received[0]?.text).toContain(`commerce payments reconcile --merchant ${merchantId}`)
    expect(received[0]?.text).not.toContain('http')
  })

  test('a notification e-mail contains texts of merchants and providers as plain text, never as headers or recipients', async () => {
    const hostile = 'Evil\r\nBcc: thief@example.com\r\n\r\n<b>, thief@example.com'
    const { context, merchantId, owner, run } = await openTeam(hostile)
    await opened().database.pool.query('update users set name = $1 where email = $2', [hostile, owner.email])
    const { received, server } = await openMailServer()
    const data = { disputeId: hostile, resolution: hostile }
    await notify(context, merchantId, { kind: 'payment.dispute_unclear', data })
    await run(openMailer({ server }))
    const [mail] = received
    expect(mail?.to).toEqual([owner.email])
    expect([...(mail?.headers.keys() ?? [])].toSorted()).toEqual(
      [
        'from',
        'to',
        'subject',
        'message-id',
        'auto-submitted',
        'content-transfer-encoding',
        'content-type',
        'date',
        'mime-version',
      ].toSorted(),
    )
  })

  test('in development, an e-mail is written to a file in the data directory', async () => {
    const { context, merchantId, owner, run } = await openTeam()
    const folder = await mkdtemp(joinPath(tmpdir(), 'commerce-mail-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const id = await notify(context, merchantId)
    await run(openFileMailer({ folder: `${folder}/mail`, from }))
    expect(await readdir(`${folder}/mail`)).toEqual([`${id}.${owner.memberId}.eml`])
    expect(await readFile(`${folder}/mail/${id}.${owner.memberId}.eml`, 'utf8')).toContain(`To: Ada <${owner.email}>`)
  })
})

describe('the recipients of an e-mail', () => {
  test('an e-mail about a notification that needs action is sent to all members who have not turned off e-mails of that kind', async () => {
    const { context, merchantId, owner, join, run, stored } = await openTeam()
    const viewer = await join(merchantId, 'viewer')
    await setPreferences(context, operator, { merchantId, memberId: owner.memberId, emailed: ['refund.contradicted'] })
    const { received, server } = await openMailServer()
    await notify(context, merchantId)
    await run(openMailer({ server }))
    expect(received.map(({ to }) => to)).toEqual([[viewer.email]])
    expect(await stored()).toMatchObject([{ member_id: viewer.memberId, status: 'sent' }])
  })

  test('an e-mail about a notification that needs no action is sent only to the members who turned on e-mails of that kind', async () => {
    const { context, merchantId, owner, join, run } = await openTeam()
    await join(merchantId, 'viewer')
    await setPreferences(context, operator, {
      merchantId,
      memberId: owner.memberId,
      emailed: ['webhook_endpoint.failing'],
    })
    const { received, server } = await openMailServer()
    await notify(context, merchantId, { kind: 'webhook_endpoint.failing' })
    await run(openMailer({ server }))
    expect(received.map(({ to }) => to)).toEqual([[owner.email]])
  })

  test('the recipients of an e-mail do not include a member who left before it was sent', async () => {
    const { context, merchantId, join, run, stored } = await openTeam()
    const viewer = await join(merchantId, 'viewer')
    await notify(context, merchantId)
    await run(openMailer({ server: await closedServer() }))
    await removeMember(context, operator, { merchantId, memberId: viewer.memberId })
    const { received, server } = await openMailServer()
    await opened().database.pool.query(
      "update notification_mails set next_attempt_at = created_at where status = 'pending' and merchant_id = $1",
      [merchantId],
    )
    await run(openMailer({ server }))
    expect(received).toHaveLength(1)
    expect((await stored()).find(({ member_id }) => member_id === viewer.memberId)).toMatchObject({ status: 'skipped' })
  })

  test('no e-mail is sent for a test-mode notification, or for a notification from before a mailer was configured', async () => {
    const { context, merchantId, run, stored } = await openTeam()
    const { rows } = await opened().database.pool.query('select id from merchants where live_merchant_id = $1', [
      merchantId,
    ])
    const { received, server } = await openMailServer()
    await notify(context, rows[0].id)
    await run(openMailer({ server }))
    await notify(context, merchantId)
    await run(undefined)
    await run(openMailer({ server }))
    expect(received).toEqual([])
    expect(await stored()).toEqual([])
  })
})

describe('a failed attempt to send an e-mail', () => {
  test('an e-mail is retried after a refused connection until the mail server is up', async () => {
    const { context, clock, merchantId, run, stored } = await openTeam()
    await notify(context, merchantId)
    const mailer = openMailer({ server: await closedServer() })
    expect(await run(mailer)).toBe(0)
    expect(await stored()).toMatchObject([{ status: 'pending', attempts: 1, last_error: expect.stringMatching(/^E/) }])
    const { received, server } = await openMailServer()
    const repaired = openMailer({ server })
    expect(await run(repaired)).toBe(0)
    clock.advance(minuteMs)
    expect(await run(repaired)).toBe(1)
    expect(received).toHaveLength(1)
    expect(await stored()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  test('an e-mail is not retried after the last retry delay', async () => {
    const { context, clock, merchantId, run, stored } = await openTeam()
    await notify(context, merchantId)
    const mailer = openMailer({ server: await closedServer() })
    await run(mailer)
    for (const delayMinutes of mailRetryDelaysMinutes) {
      clock.advance(delayMinutes * minuteMs)
      await run(mailer)
    }
    expect(await stored()).toMatchObject([{ status: 'failed', attempts: 6, next_attempt_at: null }])
  })

  test('an e-mail whose recipient the mail server rejects is not sent again, and the e-mails to other recipients are sent', async () => {
    const { context, merchantId, owner, join, run, stored } = await openTeam()
    const viewer = await join(merchantId, 'viewer')
    const { received, server } = await openMailServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === owner.email ? Object.assign(new Error('No such user'), { responseCode: 550 }) : undefined),
    })
    await notify(context, merchantId)
    await run(openMailer({ server }))
    expect(received.map(({ to }) => to)).toEqual([[viewer.email]])
    const rows = await stored()
    expect(rows.find(({ member_id }) => member_id === owner.memberId)).toMatchObject({
      status: 'failed',
      last_error: 'EENVELOPE 550 RCPT TO',
    })
  })

  test('an attempt to send an e-mail ends after its deadline when the mail server accepts the connection and sends nothing', async () => {
    const { context, merchantId, run, stored } = await openTeam()
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = addressOf(silent.address())
    await notify(context, merchantId)
    const server = { host: '127.0.0.1', port, isTls: false, credentials: null }
    await run(openMailer({ server, timeouts: { connectMs: 100, totalMs: 200 } }))
    expect(await stored()).toMatchObject([{ status: 'pending', attempts: 1 }])
  })

  test('after a crash of the worker, an e-mail is sent again once the worker’s lease has ended', async () => {
    const { context, clock, merchantId, run, stored } = await openTeam()
    const { received, server } = await openMailServer()
    await notify(context, merchantId)
    await run(openMailer({ server: await closedServer() }))
    clock.advance(minuteMs)
    // Claims an e-mail like a worker that is killed after the claim and before it sends the e-mail.
    const claim = openMailClaims(opened().database, mailRules)
    expect(await claim({ now: toTimestamp(clock.nowMs()), limit: 1 })).toMatchObject([{ merchantId, attempts: 2 }])
    expect(await run(openMailer({ server }))).toBe(0)
    clock.advance(2 * minuteMs)
    expect(await run(openMailer({ server }))).toBe(1)
    expect(received).toHaveLength(1)
    expect(await stored()).toMatchObject([{ status: 'sent', attempts: 3 }])
  })
})

test('several concurrent workers send each e-mail once', async () => {
  const { context, merchantId, join, run } = await openTeam()
  for (let count = 0; count < 4; count++) await join(merchantId, 'viewer')
  const { received, server } = await openMailServer()
  const ids = await Promise.all(Array.from({ length: 6 }, () => notify(context, merchantId)))
  const sent = await Promise.all(Array.from({ length: 4 }, () => run(openMailer({ server }))))
  expect(sent.reduce((total, count) => total + count, 0)).toBe(ids.length * 5)
  const messageIds = received.map(({ headers }) => headers.get('message-id')?.[0])
  expect(new Set(messageIds).size).toBe(messageIds.length)
  expect(messageIds).toHaveLength(ids.length * 5)
})

test('a mail server on another machine gets no e-mail without TLS', async () => {
  const { received, server } = await openMailServer()
  // The host of the mail server is an address of this machine that is not a loopback address.
  const mailer = openMailer({ server: { ...server, host: '0.0.0.0' } })
  const mail = { id: 'ntf_1.mbr_1', to: { name: 'Ada', address: 'ada@example.com' }, subject: 'Hello', text: 'Hello' }
  expect(await mailer.send(mail)).toMatchObject({ is: 'failed', reason: expect.stringContaining('ETLS') })
  expect(received).toEqual([])
})
