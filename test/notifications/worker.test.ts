import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { silentLog } from '../../src/base/log.ts'
import { openSmtpMailer } from '../../src/outbound/mail/smtp-mailer.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { startWorker } from '../../src/worker/runner.ts'
import { openPeople } from '../access/members/people.ts'
import { addressOf } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { openTestClock } from '../support/database-clock.ts'
import { openMailServer } from '../support/mail-server.ts'
import { notify } from '../support/notify.ts'
import { waitFor } from '../support/wait-for.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { openShop, policy, vault } from '../webhooks/shop.ts'

const opened = useDatabase()

/** Maximum wait for the worker: a sweep runs every five seconds, and the machine may be busy. */
const patience = { timeout: 120_000 }
vi.setConfig({ testTimeout: 240_000 })

type Address = { readonly host: string; readonly port: number }

/** Without a server, the worker sends no e-mails. */
async function startTestWorker(server: Address | undefined) {
  const { database } = opened()
  const clock = await openTestClock(database)
  const worker = await startWorker({
    ...{ database, clock, nudge: () => undefined, log: silentLog, policy, vault },
    ...{ paymentProviders: { urls: { paystack: 'http://127.0.0.1:1' } }, rules: standardRules },
    mailer:
      server === undefined
        ? undefined
        : openSmtpMailer({ server: { ...server, isTls: false, credentials: null }, from: 'shop@example.com' }),
    publicUrl: 'https://shop.example',
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= worker.stop()
    return stopped
  }
  onTestFinished(stop)
  return { stop, clock }
}

test('the worker sends the e-mail of a committed notification', async () => {
  const { received, server } = await openMailServer()
  const { clock } = await startTestWorker(server)
  const people = openPeople(opened())
  const merchantId = await people.merchant()
  const { email } = await people.join(merchantId)
  await notify({ ...people.context, clock }, merchantId)
  await waitFor(() => expect(received.map(({ to }) => to)).toEqual([[email]]), patience)
})

test('the daily job of the worker e-mails the heads of the audit log’s hash chains, and sends no e-mails while the worker has no mailer', async () => {
  const { database } = opened()
  const people = openPeople(opened())
  const merchantId = await people.merchant()
  const { email } = await people.join(merchantId)
  await sealAudit({ database, signer: vault.signer })
  const runJob = () => database.pool.query("select graphile_worker.add_job('report_audit_heads')")
  const jobs = async () => (await database.pool.query('select from graphile_worker.jobs where key is null')).rowCount
  const without = await startTestWorker(undefined)
  await runJob()
  await waitFor(async () => expect(await jobs()).toBe(0), patience)
  await without.stop()
  const { received, server } = await openMailServer()
  await startTestWorker(server)
  const { rows } = await database.pool.query('select kind from notifications where merchant_id = $1', [merchantId])
  expect(rows).toEqual([])
  await runJob()
  // The merchants of other tests get e-mails too.
  const mails = () => received.filter(({ to }) => to.includes(email))
  await waitFor(() => expect(mails()).toHaveLength(1), patience)
  expect(mails()[0]?.text).toContain(`commerce audit verify --merchant ${merchantId} --head`)
})

test('an SMTP server that never responds delays neither webhooks nor the stop of the worker', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const { port } = addressOf(silent.address())
  const people = openPeople(opened())
  const merchantId = await people.merchant()
  await people.join(merchantId)
  await notify(people.context, merchantId)
  const { stop } = await startTestWorker({ host: '127.0.0.1', port })
  await waitFor(() => expect(sockets.length).toBeGreaterThan(0), patience)
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  await shop.addEndpoint(receiver.url)
  await shop.emit()
  await waitFor(() => expect(receiver.received).toHaveLength(1), patience)
  await stop()
  const { rows } = await opened().database.pool.query(
    'select status, attempts from notification_mails where merchant_id = $1',
    [merchantId],
  )
  expect(rows).toEqual([{ status: 'pending', attempts: 1 }])
})
