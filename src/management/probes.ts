import type { Health } from './health.ts'
import type { Reply } from './reply.ts'

/**
 * The probes of supervisors and load balancers. `/livez` tells a supervisor whether to restart the process: a lost
 * database is no reason, because a restart does not bring it back. `/readyz` tells a load balancer whether to send
 * requests.
 */
export type Probe = 'livez' | 'readyz'

/** Query parameters are ignored, because some probes send `?verbose`. */
export function probeOf(target: string | undefined): Probe | undefined {
  switch (target?.split('?', 1)[0]) {
    case '/livez':
      return 'livez'
    case '/readyz':
      return 'readyz'
    default:
      return undefined
  }
}

export function probeReply(health: Health, probe: Probe): Reply {
  switch (probe) {
    case 'livez':
      return health.isLive() ? json(200, { status: 'live' }) : json(503, { status: 'not_live' })
    case 'readyz': {
      health.noteProbe()
      const readiness = health.readiness()
      return json(readiness.status === 'ready' ? 200 : 503, readiness)
    }
  }
}

function json(status: number, body: object): Reply {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` }
}
