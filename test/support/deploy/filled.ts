/** Values of the variables that compose.yml requires. */
const required: Readonly<Record<string, string>> = {
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  OWNER_PASSWORD: 'owner',
  PUBLIC_URL: 'https://shop.example.com',
  SERVICE_PASSWORD: 'service',
  TRUSTED_PROXIES: '1',
}

/**
 * Replaces the references to variables that Compose and systemd resolve: `${NAME:-default}`, `${NAME:?message}` and
 * `%i`. `set` contains values of variables, as if the operator had written them into compose.env.
 */
export function filled(
  environment: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const known = { ...required, ...set }
  const fill = (value: string) =>
    value
      .replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => known[name] ?? '')
      .replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, standard: string) => known[name] ?? standard)
      .replaceAll('%i', '3001')
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]))
}
