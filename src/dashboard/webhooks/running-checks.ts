/** Checks that run at once in this process. Each may hold a request for a minute, so many would keep the process busy. */
const runningMax = 4

let running = 0

/** Runs a check, unless too many are running. */
export async function runCheck<Outcome>(check: () => Promise<Outcome>): Promise<Outcome | { readonly is: 'busy' }> {
  if (running >= runningMax) return { is: 'busy' }
  running++
  try {
    return await check()
  } finally {
    running--
  }
}
