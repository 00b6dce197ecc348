// DO NOT EDIT. Written by `npm run generate`.
import { CommerceError } from "./error.js";
export function unwrap({ data, error, response }) {
    if (error !== undefined)
        throw new CommerceError(error, response?.headers.get('Idempotency-Key') ?? undefined);
    return data;
}
