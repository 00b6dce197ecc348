type Nodemailer = typeof import('nodemailer')

/**
 * Returns a function that opens the transport of a mailer at its first call. Most processes never send an e-mail, and nodemailer
 * takes megabytes of memory.
 */
export function openTransport<Transport>(open: (nodemailer: Nodemailer) => Transport): () => Promise<Transport> {
  let transport: Promise<Transport> | undefined
  return () => {
    transport ??= import('nodemailer').then(open).catch((error: unknown) => {
      // The next e-mail loads it again.
      transport = undefined
      throw error
    })
    return transport
  }
}
