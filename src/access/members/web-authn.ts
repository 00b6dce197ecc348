/** Loads the passkey library when the first passkey is used, because the library has 300 modules. */
export const webAuthn = () => import('@simplewebauthn/server')
