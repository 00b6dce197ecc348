import { once } from 'node:events'
import { z } from 'zod'
import { command } from '../kit/command.ts'
import { UsageError } from '../kit/failure.ts'
import { numberOption, option } from '../kit/option.ts'
import { json, write } from '../kit/output.ts'
import { untilSignal } from '../kit/until-signal.ts'
import { type Receipt, startReceiver } from './receiver.ts'

/** Default port of the local receiver: common servers do not use it, and it is easy to type. */
const defaultPort = 4242

export const listen = command({
  name: 'listen',
  summary: 'Receive webhooks on this machine, verify them and print one line for each.',
  options: z.strictObject({
    port: numberOption(`The port to listen on; default ${defaultPort}, 0 for any free port.`, {
      min: 0,
      max: 65_535, // The highest TCP port.
    }).optional(),
    secret: option(z.string().startsWith('whsec_').optional(), {
      value: 'SECRET',
      meaning: 'The endpoint’s signing secret. Without it, signatures are not verified.',
      must: 'must start with whsec_',
    }),
    forward: option(z.url({ protocol: /^https?$/ }).optional(), {
      value: 'URL',
      meaning: 'Forward verified requests to this URL, and respond with the status that the URL returns.',
      must: 'must be an http:// or https:// URL',
    }),
  }),
  run: async ({ port, secret, forward }, { wantsJson }) => {
    const receiver = await startReceiver({
      port: port ?? defaultPort,
      secret,
      forward,
      onReceipt: (receipt) => write(wantsJson ? json(receipt) : lineOf(receipt)),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw new UsageError(`--port ${port ?? defaultPort} is already in use.`)
      throw error
    })
    // The message for the user goes to standard error, because standard output is for the events.
    process.stderr.write(`Listening on ${receiver.url}. Stop with Ctrl-C.\n`)
    await once(untilSignal(), 'abort')
    await receiver.close()
    return undefined
  },
})

function lineOf(receipt: Receipt): string {
  const verdict = receipt.verified ? 'verified' : receipt.reason
  const forwarded = receipt.forwardedStatus === null ? [] : [`forwarded: ${receipt.forwardedStatus}`]
  return [receipt.receivedAt, receipt.kind ?? '-', receipt.id ?? '-', verdict, ...forwarded].join('  ')
}
