/** Loads the library of passkeys with the first passkey, because the library has 300 modules. */
export const webAuthn = () => import('@simplewebauthn/server')
