import type { ClusterRecord } from './cluster.ts'

export function loginsOf(record: ClusterRecord) {
  return {
    connectionString: connectionString(record.port, 'commerce', serviceOf(record)),
    ownerConnectionString: connectionString(record.port, 'commerce', ownerOf(record)),
    adminConnectionString: adminConnectionString(record),
  }
}

export function adminConnectionString(record: ClusterRecord): string {
  return connectionString(record.port, 'postgres', { role: 'postgres', password: record.superuserPassword })
}

interface Login {
  readonly role: string
  readonly password: string
}

export function ownerOf({ commercePassword }: ClusterRecord): Login {
  return { role: 'commerce', password: commercePassword }
}

export function serviceOf({ servicePassword }: ClusterRecord): Login {
  return { role: 'commerce_service', password: servicePassword }
}

/** `sslmode` in the connection string overrides the environment variable PGSSLMODE. */
function connectionString(port: number, database: string, { role, password }: Login): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`
}
