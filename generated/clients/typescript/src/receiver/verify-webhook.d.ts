// DO NOT EDIT. Written by `npm run generate`.
import type { WebhookEvent } from '../../generated/webhook-events.d.ts';
/**
 * Result of verifyWebhook, which verifies a webhook delivery in a receiver. Copy this file and the types it imports. It
 * needs only the Web Crypto API, which Node, Deno, Bun and edge workers have, and whose `verify` compares in constant
 * time.
 *
 *   const verification = await verifyWebhook({ rawBody, headers: request.headers, secret })
 *   if (verification.is !== 'verified') return new Response(verification.reason, { status: 400 })
 *
 * verifyWebhook never throws. Each failure is an outcome with a reason, so that a mistake cannot pass as a valid
 * signature.
 */
export type Verification = {
    readonly is: 'verified';
    readonly event: WebhookEvent;
    readonly seconds: number;
}
/** The request has no signature. */
 | {
    readonly is: 'unsigned';
    readonly reason: string;
}
/** The signature header is not of the form `t=<unix seconds>,v1=<hex>`. */
 | {
    readonly is: 'malformed';
    readonly reason: string;
}
/** No signature matches this body and secret. */
 | {
    readonly is: 'mismatch';
    readonly reason: string;
}
/**
 * The signature is valid, but its timestamp is too old or in the future. `ageSeconds` is positive when the timestamp
 * is too old, and negative when it is in the future.
 */
 | {
    readonly is: 'outside_tolerance';
    readonly ageSeconds: number;
    readonly reason: string;
}
/** The signature is valid, but the body is not an event. */
 | {
    readonly is: 'not_an_event';
    readonly reason: string;
}
/** The arguments are invalid, so no delivery could be verified: a mistake of the calling program. */
 | {
    readonly is: 'misused';
    readonly reason: string;
};
export type Delivery = {
    /** The unparsed body of the request as bytes or text, never a parsed object. */
    readonly rawBody: Uint8Array | ArrayBuffer | string;
    /** The endpoint's signing secret as it is shown, `whsec_…`. During a rotation, both the old and the new secret. */
    readonly secret: string | readonly string[];
    /** The current time in Unix seconds, for tests; by default the system's clock. */
    readonly nowSeconds?: number;
    /** Maximum difference in seconds between the signature's timestamp and the current time; by default 300. */
    readonly toleranceSeconds?: number;
} & ({
    readonly headers: ReceivedHeaders;
    readonly header?: undefined;
}
/** The value of the `Service-Signature` header. */
 | {
    readonly header: string | null | undefined;
    readonly headers?: undefined;
});
/** The Web API's `Headers`, or an object with lower-case names, as Node and its frameworks provide. */
export type ReceivedHeaders = {
    get(name: string): string | null;
} | {
    readonly [name: string]: string | readonly string[] | undefined;
};
export declare function verifyWebhook(delivery: Delivery): Promise<Verification>;
