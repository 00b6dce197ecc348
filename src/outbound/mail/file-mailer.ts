import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailer } from './mailer.ts'
import { messageOf } from './message.ts'

/** Returns the mailer that writes each e-mail into a folder as an .eml file, which every mail program opens. */
export function openFileMailer({ folder, from }: { readonly folder: string; readonly from: string }): Mailer {
  return {
    send: async (mail) => {
      try {
        // nodemailer is loaded at the first e-mail, because it takes megabytes of memory.
        const { createTransport } = await import('nodemailer')
        const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
        const { message } = await transport.sendMail(messageOf(mail, from))
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, `${mail.id}.eml`), message)
        return { is: 'sent' }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
        return { is: 'failed', reason: code, isServerDown: true }
      }
    },
    close: () => undefined,
  }
}
