import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailer } from './mailer.ts'
import { messageOf } from './message.ts'
import { openTransport } from './open-transport.ts'

/** Returns the mailer that writes each e-mail into a folder as an .eml file, which every mail program opens. */
export function openFileMailer({ folder, from }: { readonly folder: string; readonly from: string }): Mailer {
  const transport = openTransport(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  )
  return {
    send: async (mail) => {
      try {
        const { message } = await (await transport()).sendMail(messageOf(mail, from))
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
