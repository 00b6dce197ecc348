import { systemClock, toTimestamp } from '../../src/clock.ts'
import { createAuthenticate } from '../../src/http/authenticate.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openLog } from '../../src/log.ts'
import { openDatabase } from '../../src/store/database.ts'
import { serviceKeys } from '../../src/store/keys.ts'

/** The API alone, as src/main.ts serves it, with a log that keeps warnings only. */
const database = openDatabase({ connectionString: process.argv[2] ?? '' })
const log = openLog('warn')
const clock = systemClock
const server = createApiServer({
  context: { database, clock, nudge: () => undefined },
  authenticate: createAuthenticate({ database, clock, trustedProxies: 0, onTouchFailed: (error) => log.warn(error) }),
  cursorKeys: await serviceKeys(database, 'cursor', toTimestamp(clock.nowMs())),
  log,
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
