/**
 * Returns a signal that aborts when the user presses Ctrl-C or a supervisor stops the command. The command can then end
 * by itself, with exit code 0.
 */
export function untilSignal(): AbortSignal {
  const stopping = new AbortController()
  // npm forwards a signal that the process group also received, so the process gets the signal two times. The listeners
  // are therefore not removed after the first signal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  return stopping.signal
}
