import { Socket } from 'node:net'

/**
 * A socket that sends everything written in one turn of the event loop with one system call. node-postgres writes each
 * statement by itself, and on a loopback or a fast network those calls cost more than the statements: measured on two
 * cores, more than half of this process's time for a refund went into them.
 */
export function batchingSocket(): Socket {
  const socket = new Socket()
  let isHolding = false
  const hold = () => {
    if (isHolding) return
    isHolding = true
    socket.cork()
    // Runs when the promises that are ready have run, which is when a pipelined transaction has sent what it can.
    process.nextTick(() => {
      isHolding = false
      socket.uncork()
    })
  }
  const write = socket.write.bind(socket)
  socket.write = ((...args: Parameters<typeof write>) => {
    hold()
    return write(...args)
  }) as typeof socket.write
  return socket
}
