// DO NOT EDIT. Written by `npm run generate` from openapi.json.

export interface paths {
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List orders, newest first. */
        get: operations["listOrders"];
        put?: never;
        /**
         * Create an order and reserve its stock.
         * @description Prices come from the catalogue. To make a repeated request safe, send an `externalReference`: a second order with the same one is refused and names the first. Discounts are given by code; ask the preview first to show the buyer what they do. An order of nothing to pay, or one to be paid on delivery to a merchant who confirms those by himself, begins as `processing`, any other as `pending`.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what an order would cost, without creating it.
         * @description Takes the body of `POST /orders` and prices it by the same rules. Discount codes that do not count and lines that are short are told instead of refused. `externalReference` and `expectedTotalKobo` are not looked at.
         */
        post: operations["previewOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an order with its lines and totals. */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an order’s notes, or where and to whom it goes.
         * @description What is left out stays, and null removes. The customer and the address can be changed until the first piece is handed over. Lines cannot be changed: cancel the order and take a new one.
         */
        patch: operations["updateOrder"];
        trace?: never;
    };
    "/orders/{id}/transition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move an order to another status.
         * @description The order’s `allowedTransitions` lists what can be sent. `shipped` and `delivered` take the pieces out of stock, `cancelled` gives them back to it and calls off what no carrier has taken, and `on_hold` keeps them. Moving an order that is not paid to `processing` is your decision to go on without the money. Asking for the status the order has changes nothing and is no error.
         */
        post: operations["transitionOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order and give its stock back.
         * @description An order that was paid can be cancelled too; its money stays until you refund it: `refundableKobo` says how much there is. Cancelling a cancelled order again changes nothing and is no error. A shipment of it that no carrier has taken yet is called off within seconds; one that a carrier has goes on and shows the exception `order_cancelled`, for you to cancel it.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record money received for an order.
         * @description A pending order whose payments reach its total becomes `processing`. `reference` is unique per merchant, so a repeated request is refused and names the first payment. A payment that Paystack took is usually recorded by Paystack’s callback; where the callback was lost, `provider: "paystack"` asks Paystack for it. In test mode the [simulated payment provider](../../test-mode.md) answers.
         */
        post: operations["recordPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the money received, newest first. */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List products with their variants, prices and stock, newest first. */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product, with its variants and their opening stock.
         * @description Each variant has one value of each option. A `slug` is made of the title and a `sku` is made up where they are left out. A repeated request with given ones is refused and names the first product or variant.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a product with its variants, prices and stock. */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        /**
         * Delete a draft that was never ordered.
         * @description Any other product is archived instead, because orders may name it. The stock ledger keeps its entries.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Change a product, activate or archive it.
         * @description What is left out stays. An option that is new gives its first value to the variants there are; one that is left out of `options` is taken from them. Archiving frees the SKUs for other products; activating takes them back.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/products/{id}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a variant to a product, with its opening stock.
         * @description The answer is the whole product, whose version has changed with it; the new variant is its last.
         */
        post: operations["createVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{id}/variants/{variantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a variant from its product.
         * @description One that was ordered is archived, for the orders that name it; to the catalogue it is gone all the same, and its SKU and option values are free.
         */
        delete: operations["deleteVariant"];
        options?: never;
        head?: never;
        /**
         * Change a variant.
         * @description What is left out stays. The version is the product’s, and so is the answer.
         */
        patch: operations["updateVariant"];
        trace?: never;
    };
    "/products/{id}/variants/{variantId}/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adjust how many pieces of a variant are in the shop.
         * @description Each change is entered in the stock ledger; a count that finds what was known is none. What is promised to orders stays promised, so a truthful count may leave `available` negative. Send `expectedOnHand` to make a repeated or late request safe.
         */
        post: operations["adjustInventory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{id}/variants/{variantId}/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List every change of a variant’s stock, newest first. */
        get: operations["listMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List customers, newest first. */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer.
         * @description An e-mail address names one customer, whatever its case. A second one with the same address is refused and names the first, so a repeated request does no harm. Phones may be shared.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a customer with addresses and what they bought. */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer.
         * @description The customer is gone from lists and cannot be read any more; the e-mail address and the reference can be used again. Orders stay as they are. To erase what is known of a person, anonymise, which also works after a deletion.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer.
         * @description Orders keep the name, e-mail address and phone they were created with.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/customers/{id}/anonymise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase what is known of a person, for good.
         * @description Name, e-mail address, phone, addresses, notes, labels, consents and metadata are removed from the customer and from all their orders, refunds, quotes and shipments, and from the events and answers kept of them: an event that is delivered or replayed later carries the placeholders. Amounts, lines, city and state stay. There is no way back. It is refused while an order is pending, on hold, processing or shipped, or a refund or a shipment of one is under way. A customer who was deleted can be anonymised too. Once more changes nothing.
         */
        post: operations["anonymiseCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an address to a customer.
         * @description The first address becomes the default. A customer has at most 20.
         */
        post: operations["createAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}/addresses/{addressId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an address of a customer.
         * @description When it was the default, the oldest of the others becomes it.
         */
        delete: operations["deleteAddress"];
        options?: never;
        head?: never;
        /**
         * Change an address of a customer.
         * @description Orders keep the addresses they were created with.
         */
        patch: operations["updateAddress"];
        trace?: never;
    };
    "/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List refunds, newest first. */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund an order, in whole or in part.
         * @description An order can be refunded many times until nothing is left of what was paid. What was paid by hand is refunded by hand, and the refund has `succeeded` at once; what a payment provider took it gives back, and the refund is `pending` until then. One refund gives back a part of one payment: the newest with enough left of it. Send one `Idempotency-Key` for each refund you intend and repeat it on every retry of that refund: the first answer is given again and no second refund is made.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a refund. */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{id}/bank-details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say into which bank account a refund is to go.
         * @description For a refund in `needs_attention`: its provider could not return the money to where it came from. The provider is told the account within seconds and moves the refund on; if it can do nothing with it, `account` is null again and `failureMessage` says why.
         */
        post: operations["giveRefundBankDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refunds/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a refund its provider was not asked for yet.
         * @description The amount can then be refunded again. A provider is asked within seconds, so this is for a refund that waits because the provider cannot be reached. Pieces that went back on the shelf stay there.
         */
        post: operations["cancelRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List discounts, newest first. */
        get: operations["listDiscounts"];
        put?: never;
        /**
         * Create a discount.
         * @description Orders get it by naming its code. The products, variants and customers it names must exist: the first kind of id that is unknown is refused.
         */
        post: operations["createDiscount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a discount. */
        get: operations["getDiscount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a discount.
         * @description Once an order has used it, only `title`, `endsAt`, the two limits, `status` and `metadata` can change, so that a code means the same to everybody who was given it. An archived discount cannot change.
         */
        patch: operations["updateDiscount"];
        trace?: never;
    };
    "/discounts/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a discount for good, and free its code.
         * @description Orders that used it keep it. Archiving again changes nothing and answers the same.
         */
        post: operations["archiveDiscount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/discounts/{id}/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the orders that used a discount, newest first. */
        get: operations["listRedemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote a shipment: ask every carrier at once what it would charge.
         * @description A carrier has four seconds, all together six. One that does not answer is named in `carriers` and makes the quote `partial`; where nobody offers anything, `offers` is empty and `carriers` says why. Dispatch with the quote’s id before `expiresAt`; it can be used once. A dispatch ahead of the `pickupWindow` makes a `scheduled` shipment, whose carrier is called so that its rider comes as the window begins; without one, so that it arrives in the middle of the `dropoffWindow`. Of offers that come too late for a window the quote warns, and a dispatch asks for them only where one is chosen. A week after its end a quote that was not used is emptied of people and streets. Without a `pickup` it is the merchant’s default one.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/predictive-schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Schedule a just-in-time rider.
         * @description Says when to call a rider for a parcel that is not ready yet, so that neither waits long, and makes a shipment that is `scheduled` for then. How long preparing and riders take is learnt from your shipments, hour by hour, and told with how sure it is. Without a `pickup` it is the merchant’s default one. Carriers make their offers when it is time; `failover.maxPriceKobo` limits them. Fifteen minutes before the call it is planned once more with what is known by then; nothing else moves it, so to have the rider sooner cancel the shipment and dispatch it. `reference` makes it safe to send again: the same request answers with the same schedule, 200.
         */
        post: operations["schedulePredictively"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/dispatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dispatch a shipment, with automatic failover.
         * @description Carriers are asked one after the other, never two at once, until one takes the shipment, for up to 25 seconds; after that the answer is 202 and the work goes on. When a carrier does not say whether it took it, that is found out before the next is asked. Without other preferences the plan contains every carrier that offers the fastest service level of the route, and the price ceiling leaves an alternative wherever two carriers offer; both are in the response as `plan` and `priceCeilingKobo`. `reference` makes it safe to send again: the same request answers with the same shipment, 200. Nobody taking it is 503 `no_carrier_available`, or 402 `carrier_wallet_insufficient` where all of them want money first; the shipment is then `failed` and shows every attempt. What a quote has settled is not said again: whom of it to ask is said in `failover`. A quote whose window lies ahead makes a `scheduled` shipment: the carrier that is asked first is called so long before as its rider needs to come, and each further one when its own time has come. Offers that come too late for a window are not asked for, but the one of `offerId`. Without a quote and a `pickup` it is the merchant’s default one. Cancelling the order calls off a shipment that no carrier has taken.
         */
        post: operations["dispatchShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/shipments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a shipment, with every asking of a carrier and all that was told of it. */
        get: operations["getShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/shipments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a shipment that is not picked up yet.
         * @description Where the carrier would charge for it, the first answer is 409 `cancellation_fee_required` with the fee; send it again with `maxFeeKobo` to accept. Cancelling what is cancelled answers the same again. What was picked up can only come back.
         */
        post: operations["cancelShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/shipments/{id}/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Track a shipment live.
         * @description Ask again after `pollAfterSeconds`. Or let the request wait: with `wait` and what you know already, as the ETag in `If-None-Match` or as `since`, it is answered as soon as there is something new, or when the wait is over. With `If-None-Match`, nothing new is 304.
         */
        get: operations["trackShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/surge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the surge of a delivery zone, and why it is what it is.
         * @description Name the zone, or a point in it. Surge is published every five minutes, in steps of 0.05, separately for live and test mode, and added to on-demand prices of rate cards only. The service does not see idle riders: it goes by how long riders take to be found, how often carriers have none, what carriers that price by the moment ask, and how much is sent. A quote keeps the surge it was made with. `at` answers what was in force at a moment of the last 90 days: the publication of the five minutes that hold it.
         */
        get: operations["getSurge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of the last 30 days, newest first.
         * @description The same envelopes as webhook deliveries carry, byte for byte, whether or not an endpoint was subscribed. Use it to find what a receiver missed: list what is new since your last look and handle each `id` you do not know. Begin a minute before that look, because an event appears when its change is committed, which can be shortly after an event with a later `createdAt` has appeared. Samples are never listed.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one event of the last 30 days, as it is delivered. */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logistics/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active delivery zones, newest first.
         * @description Zones are the same for every merchant. They cover Lagos and the FCT; a place elsewhere in Nigeria is in no zone, and carriers that send parcels there may still take it. Outlines and names were drawn from general knowledge: as long as a zone’s `boundaryStatus` is `draft`, nobody local has checked them. A point on a border between two zones is in exactly one of them.
         */
        get: operations["listZones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the OpenAPI 3.1 document of this API. */
        get: operations["getDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what changed in this API, release by release.
         * @description The list is derived from the documents of the releases: what was added, changed, deprecated, made stable, or became idempotent. Texts that were merely worded anew are not in it. Watch `deprecated`: what is marked so works for at least twelve more months.
         */
        get: operations["getChangelog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order was created.
         * @description Verify the signature over the raw bytes, answer with any 2xx within 10 seconds, and deduplicate by `id`: the same event may arrive more than once and in any order.
         */
        post: operations["onOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order’s status changed. Sent once for each change, never on creation and never for a refund.
         * @description Verify the signature over the raw bytes, answer with any 2xx within 10 seconds, and deduplicate by `id`: the same event may arrive more than once and in any order.
         */
        post: operations["onOrderStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A refund of an order succeeded. Sent once for each refund.
         * @description Verify the signature over the raw bytes, answer with any 2xx within 10 seconds, and deduplicate by `id`: the same event may arrive more than once and in any order.
         */
        post: operations["onOrderRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "inventory.low_stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The available stock of a variant fell to its threshold or below. Sent once for each crossing.
         * @description Verify the signature over the raw bytes, answer with any 2xx within 10 seconds, and deduplicate by `id`: the same event may arrive more than once and in any order.
         */
        post: operations["onInventoryLowStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "shipment.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A shipment’s status changed. Sent once for each change, not when it is made.
         * @description Verify the signature over the raw bytes, answer with any 2xx within 10 seconds, and deduplicate by `id`: the same event may arrive more than once and in any order.
         */
        post: operations["onShipmentStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A postal address in Nigeria. */
        Address: {
            /** @description Who receives the parcel. */
            recipientName: string | null;
            /** @description Phone number of the recipient. */
            phone: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2: string | null;
            /** @description A place nearby that riders know. */
            landmark: string | null;
            /** @description Part of the city, or estate. */
            area: string | null;
            /**
             * @description City or town.
             * @example Lekki
             */
            city: string;
            /**
             * @description One of the 36 states, or FCT.
             * @example Lagos
             * @enum {string}
             */
            state: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /**
             * @description Always NG.
             * @example NG
             * @enum {string}
             */
            country: "NG";
            /** @description Postal code; Nigeria’s have six digits. */
            postalCode: string | null;
            /** @description What the rider should know. */
            instructions: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
        };
        /** @description A postal address in Nigeria. */
        AddressInput: {
            /** @description Who receives the parcel. */
            recipientName?: string | null;
            /** @description Phone number of the recipient. */
            phone?: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2?: string | null;
            /** @description A place nearby that riders know. */
            landmark?: string | null;
            /** @description Part of the city, or estate. */
            area?: string | null;
            /**
             * @description City or town. Left out, it is Abuja in the FCT and has the state’s name elsewhere.
             * @example Lekki
             */
            city?: string;
            /**
             * @description One of the 36 states, or FCT; the merchant’s own when left out.
             * @example Lagos
             * @enum {string}
             */
            state?: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /**
             * @description Always NG.
             * @example NG
             * @enum {string}
             */
            country?: "NG";
            /** @description Postal code; Nigeria’s have six digits. */
            postalCode?: string | null;
            /** @description What the rider should know. */
            instructions?: string | null;
            /** @description Degrees north. Send both coordinates or none. */
            latitude?: number | null;
            /** @description Degrees east. Send both coordinates or none. */
            longitude?: number | null;
        };
        AddressLimitReachedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The customer has as many addresses as one can have.
                 * @enum {string}
                 */
                code: "address_limit_reached";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The most one customer can have.
                     * @example 20
                     */
                    limit: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        AddressNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The customer has no address with this id.
                 * @enum {string}
                 */
                code: "address_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /**
         * @description Why the number of pieces changes.
         * @enum {string}
         */
        AdjustmentReason: "restock" | "correction" | "damage" | "loss" | "return" | "count" | "other";
        AmountTooLargeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description A resulting amount would pass 100,000,000,000 kobo, the most one order can hold.
                 * @enum {string}
                 */
                code: "amount_too_large";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The most one order can hold.
                     * @example 100000000000
                     */
                    maxKobo: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /**
         * @description What became of it. `unknown` while it is being found out whether the carrier heard it; then `accepted`, or `resolved_absent` when it did not. More values may be added.
         * @enum {string}
         */
        AttemptState: "sending" | "unknown" | "accepted" | "cancelling" | "refused" | "unavailable" | "invalid" | "skipped" | "resolved_absent" | "abandoned" | "late_cancelled" | "superseded" | "cancelled" | "completed";
        /** @description A Nigerian bank account. */
        BankDetails: {
            /**
             * @description The ten digits of the account.
             * @example 0123456789
             */
            accountNumber: string;
            /**
             * @description Code of the bank in the interbank system.
             * @example 058
             */
            bankCode: string;
            /**
             * @description Whose account it is.
             * @example Adaeze Okafor
             */
            accountName: string;
        };
        BodyTooLargeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "request_error";
                /**
                 * @description The body has more bytes, values or levels than the operation takes.
                 * @enum {string}
                 */
                code: "body_too_large";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 413;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description What there is too much of: bytes, members and elements together, or levels of nesting. More values may be added.
                     * @example bytes
                     * @enum {string}
                     */
                    limit: "bytes" | "values" | "depth";
                    /**
                     * @description The most of it that the operation takes.
                     * @example 65536
                     */
                    max: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CancellationFeeRequiredError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The carrier would charge for cancelling, more than the request accepts.
                 * @enum {string}
                 */
                code: "cancellation_fee_required";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description What it would cost, in kobo.
                     * @example 50000
                     */
                    feeKobo: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CancelShipmentInput: {
            /**
             * @description Why.
             * @example customer_request
             * @enum {string}
             */
            reason: "customer_request" | "out_of_stock" | "wrong_address" | "duplicate" | "too_slow" | "too_expensive" | "other";
            /**
             * @description More about the reason, for staff.
             * @example Wrong size packed.
             */
            note?: string;
            /**
             * @description What it may cost; nothing when left out. In kobo.
             * @example 0
             */
            maxFeeKobo?: number;
        };
        /** @description A proof the rider took. */
        CapturedProof: {
            /**
             * @description What was taken.
             * @example photo
             */
            type: string;
            /** @description Where it can be seen. */
            url: string | null;
            /**
             * Format: date-time
             * @description When it was taken.
             * @example 2026-11-21T08:30:00.000Z
             */
            capturedAt: string;
        };
        /** @description One kind of piece that is carried. */
        CarriedParcel: {
            /**
             * @description What is inside, as the rider may be told.
             * @example Ankara maxi dress
             */
            description: string;
            /**
             * @description Weight of one piece, in grams.
             * @example 800
             */
            weightGrams: number;
            /**
             * @description Length of one piece. In centimetres; send all three sides or none.
             * @example 40
             */
            lengthCm?: number;
            /**
             * @description Width of one piece. In centimetres; send all three sides or none.
             * @example 40
             */
            widthCm?: number;
            /**
             * @description Height of one piece. In centimetres; send all three sides or none.
             * @example 40
             */
            heightCm?: number;
            /**
             * @description What one piece is worth. In kobo.
             * @example 1500000
             */
            valueKobo: number;
            /**
             * @description How many such pieces there are.
             * @example 1
             */
            quantity: number;
            /**
             * @description What kind of goods they are.
             * @example fashion
             */
            category: string;
            /**
             * @description Whether it breaks easily.
             * @example false
             */
            fragile: boolean;
        };
        /** @description How one carrier answered. */
        CarrierAnswer: {
            /**
             * @description Code of the carrier.
             * @example simulator-swift
             */
            carrier: string;
            /**
             * @description What came of asking it. More values may be added.
             * @example ok
             * @enum {string}
             */
            status: "ok" | "no_offer" | "timeout" | "error" | "unsupported" | "circuit_open" | "out_of_area" | "refused";
            /** @description Its reason, in words. */
            message: string | null;
            /**
             * @description How long it took, in milliseconds.
             * @example 412
             */
            latencyMs: number;
        };
        CarrierWalletInsufficientError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Every carrier that was asked wants its account funded first. The shipment is kept as `failed`, with every attempt.
                 * @enum {string}
                 */
                code: "carrier_wallet_insufficient";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 402;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The shipment that nobody took. */
                    shipmentId: string;
                    /** @description Who was asked, and what came of it. */
                    attempts: {
                        /**
                         * @description Code of the carrier.
                         * @example simulator-swift
                         */
                        carrier: string;
                        /**
                         * @description What became of it.
                         * @example refused
                         */
                        state: string;
                        /**
                         * @description Why.
                         * @example couriers_busy
                         */
                        code: string;
                    }[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        Changelog: {
            /** @description The latest first. */
            data: components["schemas"]["Release"][];
        };
        CodeInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description Another discount that is not archived has this code.
                 * @enum {string}
                 */
                code: "code_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The discount that has the code. */
                    existingId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CompareAtPriceTooLowError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The price before a sale must be more than the price, which it would not be.
                 * @enum {string}
                 */
                code: "compare_at_price_too_low";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The price there would be.
                     * @example 1500000
                     */
                    priceKobo: number;
                    /**
                     * @description The price before a sale there would be.
                     * @example 1400000
                     */
                    compareAtPriceKobo: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ConcurrentUpdateError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description Other requests kept the same record busy for too long.
                 * @enum {string}
                 */
                code: "concurrent_update";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: true;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ContactIncompleteError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "request_error";
                /**
                 * @description A rider needs a name and a phone number at both ends.
                 * @enum {string}
                 */
                code: "contact_incomplete";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The fields that are missing.
                     * @example [
                     *       "dropoff.phone"
                     *     ]
                     */
                    missing: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ContractChange: {
            /**
             * @description What happened to it. May grow.
             * @enum {string}
             */
            kind: "added" | "changed" | "removed" | "deprecated" | "beta" | "stable" | "idempotency";
            /** @description Only what was beta, or was deprecated until its sunset, may break. */
            isBreaking: boolean;
            /** @description The `operationId`, or the kind of event. */
            subject: string | null;
            /** @description The change in words. */
            what: string;
        };
        /** @description Who carries it. */
        Courier: {
            /**
             * @description What the rider is called.
             * @example Musa
             */
            name: string;
            /** @description What the rider comes with. */
            vehicle: components["schemas"]["Vehicle"] | null;
            /** @description A number that the carrier masks; others are not passed on. */
            phone: string | null;
            /**
             * @description The end of the number plate.
             * @example 42KJ
             */
            plateLastFour: string | null;
        };
        CursorExpiredError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "pagination_error";
                /**
                 * @description The cursor is 24 hours old or older.
                 * @enum {string}
                 */
                code: "cursor_expired";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CursorFilterMismatchError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "pagination_error";
                /**
                 * @description The filters sent differ from those the cursor was issued for.
                 * @enum {string}
                 */
                code: "cursor_filter_mismatch";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description A person who buys from the merchant. */
        Customer: {
            /**
             * @description Identifier of a customer.
             * @example cus_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Name of the customer.
             * @example Adaeze Okafor
             */
            name: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example adaeze.okafor@example.com
             */
            email: string;
            /** @description Phone number of the customer. */
            phone: string | null;
            /** @description Where the customer wants things sent, oldest first. */
            addresses: components["schemas"]["CustomerAddress"][];
            /** @description The default address; null when there is none. */
            defaultAddressId: string | null;
            /**
             * @description Free labels.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags: string[];
            /** @description A note among staff. */
            note: string | null;
            /** @description Which offers the customer wants. */
            marketing: {
                email: components["schemas"]["MarketingConsent"];
                sms: components["schemas"]["MarketingConsent"];
                whatsapp: components["schemas"]["MarketingConsent"];
            };
            /**
             * @description Orders of the customer, cancelled ones left out.
             * @example 4
             */
            ordersCount: number;
            /**
             * @description What was received for the customer’s orders less what was refunded, in kobo. Money of a cancelled order counts until it is refunded.
             * @example 12500000
             */
            totalSpentKobo: number;
            /** @description When the newest order was created, cancelled ones left out; null when there is none. */
            lastOrderAt: string | null;
            /** @description The integrator’s own name for the customer. */
            externalReference: string | null;
            status: components["schemas"]["CustomerStatus"];
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Counts the changes of the customer, those of the addresses included.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the customer was first known.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the customer last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description A place where the customer wants things sent. */
        CustomerAddress: {
            /**
             * @description Identifier of an address.
             * @example adr_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Whether it is the customer’s default address.
             * @example true
             */
            isDefault: boolean;
            /** @description Who receives the parcel. */
            recipientName: string | null;
            /** @description Phone number of the recipient. */
            phone: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2: string | null;
            /** @description A place nearby that riders know. */
            landmark: string | null;
            /** @description Part of the city, or estate. */
            area: string | null;
            /**
             * @description City or town.
             * @example Lekki
             */
            city: string;
            /**
             * @description One of the 36 states, or FCT.
             * @example Lagos
             * @enum {string}
             */
            state: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /**
             * @description Always NG.
             * @example NG
             * @enum {string}
             */
            country: "NG";
            /** @description Postal code; Nigeria’s have six digits. */
            postalCode: string | null;
            /** @description What the rider should know. */
            instructions: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
        };
        /** @description A place where the customer wants things sent. */
        CustomerAddressInput: {
            /** @description Who receives the parcel. */
            recipientName?: string | null;
            /** @description Phone number of the recipient. */
            phone?: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2?: string | null;
            /** @description A place nearby that riders know. */
            landmark?: string | null;
            /** @description Part of the city, or estate. */
            area?: string | null;
            /**
             * @description City or town. Left out, it is Abuja in the FCT and has the state’s name elsewhere.
             * @example Lekki
             */
            city?: string;
            /**
             * @description One of the 36 states, or FCT; the merchant’s own when left out.
             * @example Lagos
             * @enum {string}
             */
            state?: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /**
             * @description Always NG.
             * @example NG
             * @enum {string}
             */
            country?: "NG";
            /** @description Postal code; Nigeria’s have six digits. */
            postalCode?: string | null;
            /** @description What the rider should know. */
            instructions?: string | null;
            /** @description Degrees north. Send both coordinates or none. */
            latitude?: number | null;
            /** @description Degrees east. Send both coordinates or none. */
            longitude?: number | null;
            /**
             * @description Makes it the default address.
             * @example true
             * @enum {boolean}
             */
            isDefault?: true;
        };
        /** @description What is left out stays; null removes. */
        CustomerAddressPatch: {
            /** @description Who receives the parcel. */
            recipientName?: string | null;
            /** @description Phone number of the recipient. */
            phone?: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1?: string;
            /** @description Flat, floor or building. */
            line2?: string | null;
            /** @description A place nearby that riders know. */
            landmark?: string | null;
            /** @description Part of the city, or estate. */
            area?: string | null;
            /**
             * @description City or town.
             * @example Lekki
             */
            city?: string;
            /**
             * @description One of the 36 states, or FCT.
             * @example Lagos
             * @enum {string}
             */
            state?: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /** @description Postal code; Nigeria’s have six digits. */
            postalCode?: string | null;
            /** @description What the rider should know. */
            instructions?: string | null;
            /** @description Degrees north. */
            latitude?: number | null;
            /** @description Degrees east. */
            longitude?: number | null;
            /**
             * @description Makes it the default address.
             * @example true
             * @enum {boolean}
             */
            isDefault?: true;
        };
        CustomerAnonymisedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
                 * @enum {string}
                 */
                code: "customer_anonymised";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CustomerExistsError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description The merchant already has a customer with this e-mail address, whatever its case.
                 * @enum {string}
                 */
                code: "customer_exists";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The customer who has the address. */
                    existingId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CustomerHasOpenOrdersError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Some orders of the customer are still under way, or a refund or a shipment of one is.
                 * @enum {string}
                 */
                code: "customer_has_open_orders";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The oldest of these orders, up to twenty. */
                    orderIds: string[];
                    /**
                     * @description How many there are.
                     * @example 1
                     */
                    count: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CustomerInput: {
            /**
             * @description Name of the customer.
             * @example Adaeze Okafor
             */
            name: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example adaeze.okafor@example.com
             */
            email: string;
            /**
             * @description Phone number in the +234 format.
             * @example +2348031234567
             */
            phone?: string;
            /** @description Where the customer wants things sent; the first becomes the default. */
            addresses?: components["schemas"]["AddressInput"][];
            /**
             * @description Free labels.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags?: string[];
            /**
             * @description A note among staff.
             * @example Gift: leave out the receipt.
             */
            note?: string;
            marketing?: components["schemas"]["MarketingInput"];
            /**
             * @description The integrator’s own name for the customer; unique per merchant.
             * @example crm-5512
             */
            externalReference?: string;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        CustomerNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no customer with this id.
                 * @enum {string}
                 */
                code: "customer_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        CustomerPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["Customer"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What is left out stays; lists and metadata are replaced as a whole. */
        CustomerPatch: {
            /**
             * @description Name of the customer.
             * @example Adaeze Okafor
             */
            name?: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example adaeze.okafor@example.com
             */
            email?: string;
            /** @description Phone number; null removes it. */
            phone?: string | null;
            /**
             * @description The address that becomes the default.
             * @example adr_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            defaultAddressId?: string;
            /**
             * @description Free labels.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags?: string[];
            /** @description A note among staff; null removes it. */
            note?: string | null;
            marketing?: components["schemas"]["MarketingInput"];
            /** @description The integrator’s own name for the customer; null removes it. */
            externalReference?: string | null;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * @description Whether the customer is known. More values may be added.
         * @enum {string}
         */
        CustomerStatus: "active" | "anonymised";
        /** @description An address that is no longer there. */
        DeletedAddress: {
            /**
             * @description Identifier of an address.
             * @example adr_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Always true.
             * @example true
             * @enum {boolean}
             */
            deleted: true;
            /** @description The customer’s default address now. */
            defaultAddressId: string | null;
            /**
             * @description Identifier of a customer.
             * @example cus_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            customerId: string;
            /**
             * @description The customer’s version after this change: addresses are held to it by `If-Match`.
             * @example 3
             */
            version: number;
        };
        /** @description A customer who is no longer there. */
        DeletedCustomer: {
            /**
             * @description Identifier of a customer.
             * @example cus_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Always true.
             * @example true
             * @enum {boolean}
             */
            deleted: true;
        };
        /** @description What is left of a product that was deleted. */
        DeletedProduct: {
            /**
             * @description Identifier of a product.
             * @example prd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Always true.
             * @example true
             * @enum {boolean}
             */
            deleted: true;
        };
        /** @description A price cut and its terms, given to orders that name its code. */
        Discount: {
            /**
             * @description Identifier of a discount.
             * @example dsc_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description What staff call the discount.
             * @example Detty December
             */
            title: string;
            /** @description What the customer names to get it, in capitals. */
            code: string | null;
            type: components["schemas"]["DiscountType"];
            /** @description The percentage in basis points, of a `percentage`. */
            percentageBps: number | null;
            /** @description What is taken off, in kobo, by a `fixed_amount`. */
            amountKobo: number | null;
            /** @description The most a percentage takes off, in kobo. */
            maxDiscountKobo: number | null;
            /** @description Which lines it looks at. */
            appliesTo: {
                scope: components["schemas"]["DiscountScope"];
                /**
                 * @description The products or variants; none for the whole order.
                 * @example [
                 *       "prd_01jd3f8q6hf5n8v1zr4c7e2m9k"
                 *     ]
                 */
                ids: string[];
            };
            /** @description What the lines it is for must cost together before any discount, in kobo. */
            minimumSubtotalKobo: number | null;
            /** @description Pieces there must be of the lines it is for. */
            minimumQuantity: number | null;
            /**
             * Format: date-time
             * @description When it can first be used.
             * @example 2026-11-21T08:30:00.000Z
             */
            startsAt: string;
            /** @description From when on it can no longer be used; null when it never ends. */
            endsAt: string | null;
            /** @description Orders that can use it altogether; null for any number. */
            usageLimit: number | null;
            /** @description Orders of one customer that can use it; null for any number. */
            usageLimitPerCustomer: number | null;
            /**
             * @description Whether it is only for customers who have not ordered before.
             * @example false
             */
            firstOrderOnly: boolean;
            /** @description The customers it is for; null when it is for all. */
            customerIds: string[] | null;
            /**
             * @description The classes of discounts it can be used together with. The class is `shipping` for free shipping, `order` for the whole order, else `product`. Two combine only if each lists the other’s class.
             * @example [
             *       "shipping"
             *     ]
             */
            combinesWith: components["schemas"]["DiscountClass"][];
            status: components["schemas"]["DiscountStatus"];
            state: components["schemas"]["DiscountState"];
            /**
             * @description Orders that use it; those cancelled before they were paid are given back.
             * @example 0
             */
            redemptionCount: number;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Counts the changes of its terms, not its uses.
             * @example 1
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its terms last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
        };
        DiscountAllocation: {
            /**
             * @description The line, or `shipping`.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * @description What it took off that. In kobo.
             * @example 1500000
             */
            amountKobo: number;
        };
        /** @description What is left out stays as it is; null clears. */
        DiscountChange: {
            /**
             * @description What staff call the discount.
             * @example Detty December
             */
            title?: string;
            /**
             * @description What the customer names to get it; kept in capitals. Unique until archived.
             * @example DETTY10
             */
            code?: string;
            /**
             * @description The percentage in basis points: 1000 is 10 %.
             * @example 1000
             */
            percentageBps?: number;
            /**
             * @description What is taken off. In kobo.
             * @example 500000
             */
            amountKobo?: number;
            /** @description The most a percentage takes off, in kobo; null for any. */
            maxDiscountKobo?: number | null;
            appliesTo?: components["schemas"]["DiscountTarget"];
            /** @description What the lines it is for must cost together before any discount, in kobo; null for nothing. */
            minimumSubtotalKobo?: number | null;
            /** @description Pieces there must be of the lines it is for; null for any number. */
            minimumQuantity?: number | null;
            /**
             * Format: date-time
             * @description When it can first be used.
             * @example 2026-11-21T09:30:00+01:00
             */
            startsAt?: string;
            /** @description From when on it can no longer be used; null for never. */
            endsAt?: string | null;
            /** @description Orders that can use it altogether, not below those that do; null for any number. */
            usageLimit?: number | null;
            /** @description Orders of one customer that can use it; null for any number. */
            usageLimitPerCustomer?: number | null;
            /**
             * @description Whether it is only for customers who have not ordered before.
             * @example false
             */
            firstOrderOnly?: boolean;
            /** @description The customers it is for, who must exist; null for all. */
            customerIds?: string[] | null;
            /**
             * @description The classes of discounts it can be used together with. The class is `shipping` for free shipping, `order` for the whole order, else `product`. Two combine only if each lists the other’s class.
             * @example [
             *       "shipping"
             *     ]
             */
            combinesWith?: components["schemas"]["DiscountClass"][];
            /**
             * @description Whether the code can be used.
             * @example paused
             * @enum {string}
             */
            status?: "active" | "paused";
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * @description What a discount reduces.
         * @enum {string}
         */
        DiscountClass: "product" | "order" | "shipping";
        DiscountInput: {
            /**
             * @description What staff call the discount.
             * @example Detty December
             */
            title: string;
            /**
             * @description What the customer names to get it; kept in capitals. Unique until archived.
             * @example DETTY10
             */
            code: string;
            type: components["schemas"]["DiscountType"];
            /**
             * @description The percentage in basis points: 1000 is 10 %.
             * @example 1000
             */
            percentageBps?: number;
            /**
             * @description What is taken off. In kobo.
             * @example 500000
             */
            amountKobo?: number;
            /**
             * @description The most a percentage takes off one order. In kobo.
             * @example 1000000
             */
            maxDiscountKobo?: number;
            appliesTo?: components["schemas"]["DiscountTarget"];
            /**
             * @description What the lines it is for must cost together, before any discount. In kobo.
             * @example 1500000
             */
            minimumSubtotalKobo?: number;
            /**
             * @description Pieces there must be of the lines it is for.
             * @example 2
             */
            minimumQuantity?: number;
            /**
             * Format: date-time
             * @description When it can first be used; now when left out.
             * @example 2026-11-21T09:30:00+01:00
             */
            startsAt?: string;
            /**
             * Format: date-time
             * @description From when on it can no longer be used; it never ends when left out.
             * @example 2026-11-21T09:30:00+01:00
             */
            endsAt?: string;
            /**
             * @description Orders that can use it altogether.
             * @example 100
             */
            usageLimit?: number;
            /**
             * @description Orders of one customer that can use it. A customer is known by record, by e-mail without its `+tag`, and by phone.
             * @example 100
             */
            usageLimitPerCustomer?: number;
            /**
             * @description Whether it is only for customers who have not ordered before.
             * @example false
             */
            firstOrderOnly?: boolean;
            /**
             * @description The customers it is for, who must exist; all when left out.
             * @example [
             *       "cus_01jd3f8q6hf5n8v1zr4c7e2m9k"
             *     ]
             */
            customerIds?: string[];
            /**
             * @description The classes of discounts it can be used together with. The class is `shipping` for free shipping, `order` for the whole order, else `product`. Two combine only if each lists the other’s class.
             * @example [
             *       "shipping"
             *     ]
             */
            combinesWith?: components["schemas"]["DiscountClass"][];
            /**
             * @description Whether the code can be used; `active` when left out.
             * @example active
             * @enum {string}
             */
            status?: "active" | "paused";
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        DiscountLimitBelowUsesError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The usage limit would be less than the uses there are.
                 * @enum {string}
                 */
                code: "discount_limit_below_uses";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Orders that use it.
                     * @example 12
                     */
                    redemptionCount: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        DiscountLockedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The discount was used or is archived, so some of what was sent can no longer change.
                 * @enum {string}
                 */
                code: "discount_locked";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The fields that cannot change.
                     * @example [
                     *       "percentageBps"
                     *     ]
                     */
                    fields: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        DiscountNotApplicableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description A discount code does not count for this order; `details.reason` says why.
                 * @enum {string}
                 */
                code: "discount_not_applicable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The code as it was sent. */
                    code: string;
                    /**
                     * @description Why it does not count. More values may be added.
                     * @enum {string}
                     */
                    reason: "not_found" | "paused" | "not_started" | "expired" | "usage_limit_reached" | "not_eligible" | "not_first_order" | "customer_limit_reached" | "no_eligible_items" | "minimum_not_met" | "combination_disallowed";
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        DiscountNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no discount with this id.
                 * @enum {string}
                 */
                code: "discount_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        DiscountPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["Discount"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description One use of a discount by one order. */
        DiscountRedemption: {
            /**
             * @description Identifier of a use of a discount.
             * @example rdm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of a discount.
             * @example dsc_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            discountId: string;
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description Human-readable order number. The last character checks the others.
             * @example ORD-7K2M9QX4
             */
            orderNumber: string;
            /** @description Who used it; null once the customer’s record is deleted. */
            customerId: string | null;
            /**
             * @description What it took off the order. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * Format: date-time
             * @description When the order was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /** @description When the use was given back, because the order ended before it was paid. */
            releasedAt: string | null;
        };
        DiscountRedemptionPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["DiscountRedemption"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description Which lines it looks at: all of an order, or those of some products or variants.
         * @enum {string}
         */
        DiscountScope: "order" | "products" | "variants";
        /**
         * @description What follows from the status, the time and the uses. More values may be added.
         * @enum {string}
         */
        DiscountState: "scheduled" | "active" | "expired" | "exhausted" | "paused" | "archived";
        /**
         * @description What the merchant has set. More values may be added.
         * @enum {string}
         */
        DiscountStatus: "active" | "paused" | "archived";
        /** @description Which lines it looks at; the whole order when left out. The ids must exist. */
        DiscountTarget: {
            scope: components["schemas"]["DiscountScope"];
            /**
             * @description The products or variants, by id; none, or left out, for the whole order.
             * @example [
             *       "prd_01jd3f8q6hf5n8v1zr4c7e2m9k"
             *     ]
             */
            ids?: string[];
        };
        /**
         * @description How it takes something off. More values may be added.
         * @enum {string}
         */
        DiscountType: "percentage" | "fixed_amount" | "free_shipping";
        DiscountTypeMismatchError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description A discount of this type has no such value.
                 * @enum {string}
                 */
                code: "discount_type_mismatch";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The type of the discount.
                     * @enum {string}
                     */
                    type: "percentage" | "fixed_amount" | "free_shipping";
                    /**
                     * @description The values it has not.
                     * @example [
                     *       "amountKobo"
                     *     ]
                     */
                    fields: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        DiscountWindowEmptyError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The discount would end before it starts.
                 * @enum {string}
                 */
                code: "discount_window_empty";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description When it would start. */
                    startsAt: string;
                    /** @description When it would end. */
                    endsAt: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description One asking of one carrier for a rider. */
        DispatchAttempt: {
            /**
             * @description Identifier of an asking of a carrier.
             * @example att_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Counts the askings of the shipment.
             * @example 1
             */
            number: number;
            /**
             * @description Code of the carrier.
             * @example simulator-swift
             */
            carrier: string;
            /**
             * @description Which of the carrier’s services was asked for. Of a broker it names the company behind it.
             * @example Bike express
             */
            service: string;
            state: components["schemas"]["AttemptState"];
            /** @description Why it ended as it did; null while it is under way. */
            outcome: {
                /**
                 * @description Why, as a code.
                 * @example couriers_busy
                 */
                code: string;
                /**
                 * @description The same in words.
                 * @example No rider is near the pickup.
                 */
                message: string;
            } | null;
            /**
             * @description What the carrier asks for it, or charges once it has taken it. Surge is not in it. In kobo.
             * @example 250000
             */
            priceKobo: number;
            /** @description The carrier’s name for the order, once it has one. */
            carrierReference: string | null;
            /** @description What calling it off costs, in kobo, as soon as its carrier says so, which may be before it lets go; null until then, and where nothing was called off. */
            cancellationFeeKobo: number | null;
            /** @description What a second rider cost who could not be called off, in kobo. */
            duplicateCostKobo: number | null;
            /**
             * @description Whether a later asking took its place. What its carrier tells from then on is kept, and moves nothing.
             * @example false
             */
            superseded: boolean;
            /** @description Until the carrier answered, in milliseconds. */
            latencyMs: number | null;
            /**
             * Format: date-time
             * @description When the carrier was asked.
             * @example 2026-11-21T08:30:00.000Z
             */
            startedAt: string;
            /** @description When its outcome was known. */
            endedAt: string | null;
        };
        DispatchInput: {
            /**
             * @description Your own name for the shipment, unique for ever. The same request with it is the same shipment.
             * @example ORD-7K2M9QX4-1
             */
            reference: string;
            /**
             * @description The quote to use; without one, say what goes where.
             * @example qte_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            quoteId?: string;
            /**
             * @description Which offer of the quote to begin with. When left out, the offer of best value among those of the fastest service level, or among all offers where the quote names `serviceLevels`.
             * @example off_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            offerId?: string;
            pickup?: components["schemas"]["PlaceInput"];
            dropoff?: components["schemas"]["PlaceInput"];
            /** @description What is carried; of an order, what is not sent yet of its lines when left out. */
            parcels?: components["schemas"]["Parcel"][];
            /**
             * @description The order that is sent: that of the quote, or any where the quote names none.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId?: string;
            /**
             * @description Only these. When left out, the fastest level that is offered on the route and within `failover.maxPriceKobo`; where one carrier alone offers that level, the next level as well.
             * @example [
             *       "on_demand"
             *     ]
             */
            serviceLevels?: ("on_demand" | "same_day" | "next_day" | "standard")[];
            vehicle?: components["schemas"]["Vehicle"];
            /**
             * @description Ask only these carriers.
             * @example [
             *       "simulator-swift"
             *     ]
             */
            carriers?: string[];
            proof?: components["schemas"]["ProofInput"];
            /**
             * @description What happens when nobody is there.
             * @default return
             * @example return
             * @enum {string}
             */
            undeliverableAction?: "return" | "leave_at_door" | "hold";
            failover?: components["schemas"]["Failover"];
            /**
             * @description Whether the order may have several shipments under way.
             * @default false
             * @example false
             */
            allowAdditional?: boolean;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When to call a carrier. When left out it is at once, or so that the rider comes as the `pickupWindow` of the quote begins, or arrives in the middle of its `dropoffWindow`. It sets the windows of a quote aside.
             * @example 2026-11-21T09:30:00+01:00
             */
            scheduleAt?: string;
            /**
             * @description Whether only to say, in `plan`, what would be tried. No carrier is asked for a rider and nothing is kept; without a quote, carriers are asked for their prices.
             * @default false
             * @example false
             */
            dryRun?: boolean;
        };
        /** @description Where the rider may be, as this service reckons it: on the straight line from where he was to the next stop, as far as his expected arrival says. Nobody has seen him there: do not show it as his place. */
        EstimatedPosition: {
            /**
             * @description Degrees north, within Nigeria.
             * @example 6.4474
             */
            lat: number;
            /**
             * @description Degrees east, within Nigeria.
             * @example 3.4723
             */
            lng: number;
            /**
             * Format: date-time
             * @description The moment it is reckoned for: that of the answer.
             * @example 2026-11-21T08:30:00.000Z
             */
            at: string;
            /**
             * @description Where the rider was known to be before: where he was last told to be, or at the pickup when he fetched it. More values may be added.
             * @example last_position
             * @enum {string}
             */
            basis: "last_position" | "pickup";
            /**
             * Format: date-time
             * @description When the rider was there.
             * @example 2026-11-21T08:30:00.000Z
             */
            since: string;
            /**
             * @description `medium` for five minutes after a place that was told, `low` otherwise.
             * @example medium
             * @enum {string}
             */
            confidence: "medium" | "low";
        };
        EventNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no event with this id, or it is older than 30 days.
                 * @enum {string}
                 */
                code: "event_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ExternalReferenceInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description Another record already has this `externalReference`, so this is probably a repeated request.
                 * @enum {string}
                 */
                code: "external_reference_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The record that has the reference. */
                    existingId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description What happens when a carrier does not take it. */
        Failover: {
            /**
             * @description False asks one carrier only.
             * @default true
             * @example true
             */
            enabled?: boolean;
            /**
             * @description In which order carriers are asked; `preferred` is the order of `carriers`. Without `serviceLevels`, `best_value` keeps to the fastest service level that is offered; the other strategies rank the offers of all levels.
             * @default best_value
             * @example best_value
             * @enum {string}
             */
            strategy?: "best_value" | "cheapest" | "fastest" | "most_reliable" | "preferred";
            /**
             * @description How many carriers are asked at most.
             * @default 3
             * @example 3
             */
            maxAttempts?: number;
            /**
             * @description What it may cost at most, whoever takes it, surge and all. In kobo.
             * @example 1500000
             */
            maxPriceKobo?: number;
            /**
             * @description How much more than the first offer it may cost. When this and `maxPriceKobo` are left out, the ceiling is the higher of 1.5 times the first offer and the price of the next carrier. In kobo.
             * @example 1500000
             */
            maxPriceIncreaseKobo?: number;
            /**
             * @description Ask only these.
             * @example [
             *       "simulator-swift"
             *     ]
             */
            carriers?: string[];
            /**
             * @description Never ask these.
             * @example [
             *       "simulator-swift"
             *     ]
             */
            excludeCarriers?: string[];
            /**
             * @description How long a carrier has to name a rider. When left out, as long as it has needed in that zone in 95 of a hundred cases, once thirty are known; until then ten minutes on demand and four hours else. It does not hold for carriers that never name one: their parcels are waited for until they are fetched.
             * @example 600
             */
            assignTimeoutSeconds?: number;
            /**
             * @description What to do when a carrier does not say whether it took the shipment: wait, or ask the next one and call the first off should it turn up. Left out, it is what suits the carrier.
             * @example proceed_guarded
             * @enum {string}
             */
            onUnknown?: "wait" | "proceed_guarded";
        };
        /**
         * @description How much of the order was handed over or came back.
         * @enum {string}
         */
        FulfillmentStatus: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "partially_returned" | "returned";
        IdempotencyConflictError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "idempotency_error";
                /**
                 * @description The Idempotency-Key was used within the last 24 hours with a different body.
                 * @enum {string}
                 */
                code: "idempotency_conflict";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        IdempotencyInProgressError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "idempotency_error";
                /**
                 * @description A request with the same Idempotency-Key is still running.
                 * @enum {string}
                 */
                code: "idempotency_in_progress";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: true;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ImageNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The product has no image with one of these ids.
                 * @enum {string}
                 */
                code: "image_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The image ids that are unknown. */
                    imageIds: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InsufficientScopeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "permission_error";
                /**
                 * @description The token lacks the scope this operation needs.
                 * @enum {string}
                 */
                code: "insufficient_scope";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 403;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The scope the operation needs. */
                    requiredScope: string;
                    /** @description The scopes the token carries. */
                    tokenScopes: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InsufficientStockError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Some variants have less stock than was asked for; `details.items` lists every one.
                 * @enum {string}
                 */
                code: "insufficient_stock";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description Every line that is short. */
                    items: {
                        /** @description The variant. */
                        variantId: string;
                        /** @description Its stock keeping unit. */
                        sku: string;
                        /**
                         * @description Pieces asked for.
                         * @example 3
                         */
                        requested: number;
                        /**
                         * @description Pieces that can be sold now.
                         * @example 1
                         */
                        available: number;
                    }[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InternalError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "api_error";
                /**
                 * @description The service failed. Nothing was changed.
                 * @enum {string}
                 */
                code: "internal_error";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 500;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: true;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InvalidCursorError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "pagination_error";
                /**
                 * @description The cursor was not issued by this list for this merchant, or was altered.
                 * @enum {string}
                 */
                code: "invalid_cursor";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InvalidIdempotencyKeyError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "idempotency_error";
                /**
                 * @description The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.
                 * @enum {string}
                 */
                code: "invalid_idempotency_key";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InvalidJsonError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "request_error";
                /**
                 * @description The body is not JSON, or is empty where one is required.
                 * @enum {string}
                 */
                code: "invalid_json";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InvalidTimeRangeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "validation_error";
                /**
                 * @description The start of a time range is not before its end.
                 * @enum {string}
                 */
                code: "invalid_time_range";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Every problem found, at most 20. */
                errors: components["schemas"]["Problem"][];
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InvalidTokenError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "authentication_error";
                /**
                 * @description The bearer token is malformed or unknown.
                 * @enum {string}
                 */
                code: "invalid_token";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 401;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        InvalidTransitionError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The record cannot move from its status to the one asked for.
                 * @enum {string}
                 */
                code: "invalid_transition";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The status it has.
                     * @example delivered
                     */
                    from: string;
                    /**
                     * @description The status asked for.
                     * @example pending
                     */
                    to: string;
                    /**
                     * @description What it can move to now.
                     * @example [
                     *       "returned"
                     *     ]
                     */
                    allowed: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description Its stock. */
        Inventory: {
            /**
             * @description Whether stock is counted; if not, it never runs out.
             * @example true
             */
            tracked: boolean;
            /**
             * @description Pieces in the shop.
             * @example 20
             */
            onHand: number;
            /**
             * @description Pieces promised to orders.
             * @example 0
             */
            reserved: number;
            /**
             * @description Pieces that can be sold now: on hand less reserved. Negative where fewer were found than promised.
             * @example 20
             */
            available: number;
            /** @description The variant’s own threshold; null leaves it to the product, and that to the merchant. */
            lowStockThreshold: number | null;
            /**
             * @description Whether more can be ordered than there is.
             * @example false
             */
            allowBackorder: boolean;
            /**
             * @description Whether its stock is low.
             * @example false
             */
            low: boolean;
        };
        InventoryAdjustment: {
            /**
             * @description How many pieces came or went. Send this or `set`.
             * @example 12
             */
            delta?: number;
            /**
             * @description How many pieces there are, as counted. Send this or `delta`.
             * @example 20
             */
            set?: number;
            /**
             * @description Refuse the adjustment unless exactly this many are on hand before it.
             * @example 8
             */
            expectedOnHand?: number;
            reason: components["schemas"]["AdjustmentReason"];
            /**
             * @description A note among staff.
             * @example Delivery from Balogun market.
             */
            note?: string;
        };
        InventoryChangedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Another number of pieces is on hand than `expectedOnHand`, so somebody adjusted it in between.
                 * @enum {string}
                 */
                code: "inventory_changed";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Pieces on hand now.
                     * @example 9
                     */
                    currentOnHand: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description The variant and its stock. */
        InventoryLowStockData: {
            /**
             * @description Identifier of a product.
             * @example prd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            productId: string;
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            variantId: string;
            /**
             * @description Stock keeping unit.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Product and variant.
             * @example Ankara maxi dress, M / Indigo
             */
            title: string;
            /**
             * @description Pieces that can be sold now: on hand less reserved.
             * @example 4
             */
            available: number;
            /**
             * @description Pieces in the shop.
             * @example 6
             */
            onHand: number;
            /**
             * @description Pieces promised to orders.
             * @example 2
             */
            reserved: number;
            /**
             * @description At this or fewer available pieces stock is low.
             * @example 5
             */
            threshold: number;
            /** @description What took the stock. */
            cause: {
                /**
                 * @description What took the stock.
                 * @example order
                 */
                type: string;
                /** @description The order, if one did. */
                orderId: string | null;
            };
            /**
             * Format: date-time
             * @description When it fell.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        InventoryLowStockEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "inventory.low_stock";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["InventoryLowStockData"];
        };
        /** @description How its stock is counted. How many there are is adjusted apart. */
        InventorySettingsPatch: {
            /**
             * @description Whether stock is counted; if not, it never runs out.
             * @example true
             */
            tracked?: boolean;
            /**
             * @description Whether more can be ordered than there is.
             * @example false
             */
            allowBackorder?: boolean;
            /** @description The variant’s own threshold; null leaves it to the product. */
            lowStockThreshold?: number | null;
        };
        IpNotAllowedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "permission_error";
                /**
                 * @description The token may not be used from this address.
                 * @enum {string}
                 */
                code: "ip_not_allowed";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 403;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The address the request came from. */
                    sourceIp: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ItemNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The order has no line with one of these ids.
                 * @enum {string}
                 */
                code: "item_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The line ids that are unknown. */
                    itemIds: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description What the customer said about offers. */
        MarketingConsent: {
            /**
             * @description Whether offers may be sent this way.
             * @example true
             */
            granted: boolean;
            /** @description When that was last said; null if never. */
            at: string | null;
        };
        /** @description What the customer said about offers. */
        MarketingConsentInput: {
            /**
             * @description Whether offers may be sent this way.
             * @example true
             */
            granted: boolean;
            /**
             * Format: date-time
             * @description When the customer said so; now when left out.
             * @example 2026-11-21T09:30:00+01:00
             */
            at?: string;
        };
        /** @description Which offers the customer wants. A channel left out stays as it is, at first not granted. */
        MarketingInput: {
            email?: components["schemas"]["MarketingConsentInput"];
            sms?: components["schemas"]["MarketingConsentInput"];
            whatsapp?: components["schemas"]["MarketingConsentInput"];
        };
        MerchantSuspendedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "permission_error";
                /**
                 * @description The merchant’s account is suspended.
                 * @enum {string}
                 */
                code: "merchant_suspended";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 403;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        MissingTokenError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "authentication_error";
                /**
                 * @description The request carries no bearer token.
                 * @enum {string}
                 */
                code: "missing_token";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 401;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /**
         * @description Why the stock changed. More values may be added.
         * @enum {string}
         */
        MovementReason: "opening" | "restock" | "correction" | "damage" | "loss" | "return" | "count" | "other" | "order_reserved" | "order_released" | "order_fulfilled" | "order_unfulfilled" | "order_returned" | "refund_restocked";
        NewProductImageInput: {
            /**
             * @description Where the picture is.
             * @example https://cdn.example.com/ankara-maxi.jpg
             */
            url: string;
            /**
             * @description What the picture shows, for those who cannot see it.
             * @example Front view
             */
            alt?: string;
        };
        /** @description A variant of a new product. */
        NewVariantInput: {
            /**
             * @description Stock keeping unit; made up when left out.
             * @example ANK-MAX-M-IND
             */
            sku?: string;
            /**
             * @description The chosen value of each option.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues?: {
                [key: string]: string;
            };
            /**
             * @description What one piece costs. In kobo.
             * @example 1500000
             */
            priceKobo: number;
            /**
             * @description What it cost before a sale; more than the price. In kobo.
             * @example 1800000
             */
            compareAtPriceKobo?: number;
            /**
             * @description What the merchant paid for it. In kobo.
             * @example 900000
             */
            costKobo?: number;
            /**
             * @description GTIN, EAN or the merchant’s own.
             * @example 6154000012345
             */
            barcode?: string;
            /**
             * @description Weight of one piece, for shipping.
             * @example 450
             */
            weightGrams?: number;
            inventory?: components["schemas"]["OpeningInventoryInput"];
            /**
             * @description Which of `images` is its picture; 0 is the first.
             * @example 0
             */
            imagePosition?: number;
        };
        NoCarrierAvailableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "api_error";
                /**
                 * @description No carrier took the shipment. It is kept as `failed`, with every attempt.
                 * @enum {string}
                 */
                code: "no_carrier_available";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 503;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The shipment that nobody took. */
                    shipmentId: string;
                    /** @description Who was asked, and what came of it. */
                    attempts: {
                        /**
                         * @description Code of the carrier.
                         * @example simulator-swift
                         */
                        carrier: string;
                        /**
                         * @description What became of it.
                         * @example refused
                         */
                        state: string;
                        /**
                         * @description Why.
                         * @example couriers_busy
                         */
                        code: string;
                    }[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        NothingToSendError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description All that is left of the order has been sent already.
                 * @enum {string}
                 */
                code: "nothing_to_send";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OnHandOutOfRangeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The adjustment would leave fewer than 0 or more than 1,000,000,000 pieces on hand.
                 * @enum {string}
                 */
                code: "on_hand_out_of_range";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Pieces on hand now.
                     * @example 3
                     */
                    currentOnHand: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description Its stock to begin with. */
        OpeningInventoryInput: {
            /**
             * @description Whether stock is counted; true when left out.
             * @example true
             */
            tracked?: boolean;
            /**
             * @description Whether more can be ordered than there is; false when left out.
             * @example false
             */
            allowBackorder?: boolean;
            /**
             * @description Pieces in the shop; none when left out.
             * @example 20
             */
            onHand?: number;
            /**
             * @description At this or fewer available pieces stock is low.
             * @example 5
             */
            lowStockThreshold?: number;
        };
        /** @description When riders fetch and bring on some days of the week. */
        OperatingHours: {
            /**
             * @description Days of the week.
             * @example [
             *       "mon",
             *       "tue"
             *     ]
             */
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /**
             * @description From this time of day.
             * @example 07:00
             */
            from: string;
            /**
             * @description Until this time of day.
             * @example 21:00
             */
            to: string;
            /**
             * @description Time zone of both.
             * @example Africa/Lagos
             * @enum {string}
             */
            tz: "Africa/Lagos";
        };
        OptionsInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Some variants use a value that would go, or would no longer differ from one another.
                 * @enum {string}
                 */
                code: "options_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The variants that stand in the way. */
                    variantIds: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OptionsMismatchError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description A variant has exactly one value of each option of its product, and these are others.
                 * @enum {string}
                 */
                code: "options_mismatch";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The options of the product. */
                    options: {
                        /**
                         * @description What differs.
                         * @example size
                         */
                        name: string;
                        /**
                         * @description What can be chosen.
                         * @example [
                         *       "S",
                         *       "M",
                         *       "L"
                         *     ]
                         */
                        values: string[];
                    }[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OptionValuesInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description Another variant of the product has the same option values.
                 * @enum {string}
                 */
                code: "option_values_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The variant that has the values. */
                    existingId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description An order with its lines and totals. */
        Order: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Human-readable order number. The last character checks the others.
             * @example ORD-7K2M9QX4
             */
            number: string;
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Total of the order. In kobo.
             * @example 1500000
             */
            totalKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /**
             * Format: date-time
             * @description When the order was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Counts the changes of the order; compare it to drop stale news.
             * @example 3
             */
            version: number;
            paymentStatus: components["schemas"]["PaymentStatus"];
            fulfillmentStatus: components["schemas"]["FulfillmentStatus"];
            paymentMethod: components["schemas"]["PaymentMethod"];
            /** @description The customer as they were when the order was created. */
            customer: {
                /** @description The customer’s record; null once it is deleted. */
                id: string | null;
                /**
                 * @description Name of the customer.
                 * @example Adaeze Okafor
                 */
                name: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 * @example adaeze.okafor@example.com
                 */
                email: string;
                /** @description Phone number of the customer. */
                phone: string | null;
            };
            /** @description The lines, in the order they were sent. */
            items: components["schemas"]["OrderItem"][];
            /**
             * @description Sum of the lines before discounts. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * @description Sum of the discounts, with what they take off shipping. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * @description Price of shipping before discounts. In kobo.
             * @example 250000
             */
            shippingKobo: number;
            /**
             * @description VAT contained in or added to the total. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * @description Whether prices contain the VAT.
             * @example true
             */
            taxInclusive: boolean;
            /**
             * @description VAT in basis points; 0 when none is charged.
             * @example 750
             */
            taxRateBps: number;
            /**
             * @description Sum of the payments. In kobo.
             * @example 1500000
             */
            paidKobo: number;
            /**
             * @description Sum of the refunds that succeeded. In kobo.
             * @example 0
             */
            refundedKobo: number;
            /**
             * @description Sum of the refunds under way. In kobo.
             * @example 0
             */
            refundPendingKobo: number;
            /**
             * @description What can still be refunded. In kobo.
             * @example 1500000
             */
            refundableKobo: number;
            /**
             * @description What is still owed; negative after an overpayment. In kobo.
             * @example 0
             */
            balanceKobo: number;
            /** @description The discounts applied, in the order in which they were taken off. */
            discounts: components["schemas"]["OrderDiscount"][];
            shippingAddress: components["schemas"]["Address"] | null;
            billingAddress: components["schemas"]["Address"] | null;
            /** @description The shipments of the order. */
            shipments: components["schemas"]["OrderShipment"][];
            /** @description A note among staff. */
            note: string | null;
            /** @description What the customer wrote. */
            customerNote: string | null;
            /**
             * @description Free labels.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags: string[];
            /** @description The integrator’s own name for the order. */
            externalReference: string | null;
            /** @description When the order is cancelled unless it is paid; null when it never is. */
            expiresAt: string | null;
            /** @description Why the order was cancelled. */
            cancelReason: ("customer" | "payment_declined" | "fraud" | "inventory" | "staff_error" | "expired" | "other") | null;
            /** @description Why the order was cancelled, in words. */
            cancelNote: string | null;
            source: components["schemas"]["OrderSource"];
            /** @description The states the order can move to now. */
            allowedTransitions: components["schemas"]["OrderStatus"][];
            /** @description When it became `processing`. */
            confirmedAt: string | null;
            /** @description When the payments first covered the total. */
            paidAt: string | null;
            /** @description When it became `shipped`. */
            shippedAt: string | null;
            /** @description When it became `delivered`. */
            deliveredAt: string | null;
            /** @description When it became `cancelled`. */
            cancelledAt: string | null;
            /** @description When it became `returned`. */
            returnedAt: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
        };
        OrderAlreadyDispatchedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The order has a shipment under way.
                 * @enum {string}
                 */
                code: "order_already_dispatched";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The shipment under way. */
                    shipmentId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderCancelInput: {
            /**
             * @description Why the order is cancelled.
             * @example customer
             * @enum {string}
             */
            reason: "customer" | "payment_declined" | "fraud" | "inventory" | "staff_error" | "other";
            /**
             * @description Why the order was cancelled, in words.
             * @example Ordered the wrong size.
             */
            note?: string;
        };
        /** @description The order as it was created. */
        OrderCreatedData: {
            order: components["schemas"]["Order"];
        };
        OrderCreatedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.created";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderCreatedData"];
        };
        /** @description A customer by name. Send this or `customerId`. */
        OrderCustomerInput: {
            /**
             * @description Name of the customer.
             * @example Adaeze Okafor
             */
            name: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example adaeze.okafor@example.com
             */
            email: string;
            /**
             * @description Phone number in the +234 format.
             * @example +2348031234567
             */
            phone?: string;
        };
        OrderDiscount: {
            /**
             * @description Identifier of a discount.
             * @example dsc_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            discountId: string;
            /**
             * @description Its code, in capitals.
             * @example DETTY10
             */
            code: string;
            /**
             * @description What kind of discount it is.
             * @example percentage
             */
            type: string;
            /**
             * @description What it took off. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /** @description What it took off each line and shipping: together exactly `amountKobo`. */
            allocations: components["schemas"]["DiscountAllocation"][];
        };
        OrderFullyRefundedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Everything that was paid for the order is refunded or being refunded.
                 * @enum {string}
                 */
                code: "order_fully_refunded";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderInput: {
            /**
             * @description An existing customer. Send this or `customer`.
             * @example cus_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            customerId?: string;
            customer?: components["schemas"]["OrderCustomerInput"];
            /** @description The lines; each variant at most once. */
            items: components["schemas"]["OrderItemInput"][];
            shippingAddress?: components["schemas"]["AddressInput"];
            billingAddress?: components["schemas"]["AddressInput"];
            /**
             * @description Price of shipping; 0 when left out. In kobo.
             * @example 250000
             */
            shippingKobo?: number;
            /**
             * @description Codes of discounts, each once. One that does not count refuses the order.
             * @example [
             *       "DETTY10"
             *     ]
             */
            discountCodes?: string[];
            paymentMethod: components["schemas"]["PaymentMethod"];
            /**
             * @description A note among staff.
             * @example Gift: leave out the receipt.
             */
            note?: string;
            /**
             * @description What the customer wrote.
             * @example Call when you are at the gate.
             */
            customerNote?: string;
            /**
             * @description Free labels.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags?: string[];
            /**
             * @description The integrator’s own name for the order; unique per merchant.
             * @example shop-10042
             */
            externalReference?: string;
            source?: components["schemas"]["OrderSource"];
            /**
             * @description Refuse the order unless its total is exactly this. In kobo.
             * @example 3250000
             */
            expectedTotalKobo?: number;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        OrderItem: {
            /**
             * @description Identifier of an order line.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /** @description The product; null once it is deleted. */
            productId: string | null;
            /** @description The variant; null once it is deleted. */
            variantId: string | null;
            /**
             * @description Stock keeping unit when ordered.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Title of the product when ordered.
             * @example Ankara maxi dress
             */
            title: string;
            /**
             * @description The variant when ordered.
             * @example M / Indigo
             */
            variantTitle: string;
            /**
             * @description The options that make the variant.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues: {
                [key: string]: string;
            };
            /** @description Picture of the variant when ordered. */
            imageUrl: string | null;
            /**
             * @description Pieces ordered.
             * @example 1
             */
            quantity: number;
            /**
             * @description Pieces handed over.
             * @example 0
             */
            fulfilledQuantity: number;
            /**
             * @description Pieces that came back.
             * @example 0
             */
            returnedQuantity: number;
            /**
             * @description Pieces taken back before they were handed over: they are not to be sent.
             * @example 0
             */
            cancelledQuantity: number;
            /**
             * @description Pieces refunded by line.
             * @example 0
             */
            refundedQuantity: number;
            /**
             * @description Price of one piece. In kobo.
             * @example 1500000
             */
            unitPriceKobo: number;
            /** @description Price before a sale, in kobo. */
            compareAtPriceKobo: number | null;
            /**
             * @description Unit price times quantity. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * @description The line’s share of the discounts. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * @description VAT in basis points.
             * @example 750
             */
            taxRateBps: number;
            /**
             * @description VAT of the line. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * @description What the line costs. In kobo.
             * @example 1500000
             */
            totalKobo: number;
        };
        OrderItemInput: {
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            variantId: string;
            /**
             * @description Pieces ordered.
             * @example 2
             */
            quantity: number;
            /**
             * @description Price of one piece instead of the catalogue’s. Only a token with the scope `products:write` may set it. In kobo.
             * @example 1400000
             */
            unitPriceKobo?: number;
        };
        OrderNotCancellableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Pieces of the order have left the shop, so it can come back but not be cancelled.
                 * @enum {string}
                 */
                code: "order_not_cancellable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The status it has.
                     * @example shipped
                     */
                    status: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderNotDispatchableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The order is cancelled or returned, so nothing of it is to be sent.
                 * @enum {string}
                 */
                code: "order_not_dispatchable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The status it has.
                     * @example cancelled
                     */
                    status: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderNotEditableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Pieces of the order have left the shop, or it is over, so where it goes and to whom is settled.
                 * @enum {string}
                 */
                code: "order_not_editable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The status it has.
                     * @example shipped
                     */
                    status: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no order with this id.
                 * @enum {string}
                 */
                code: "order_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderNotPaidError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description No money has been received for the order, so there is none to refund.
                 * @enum {string}
                 */
                code: "order_not_paid";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderNotShippableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The order does not say all it takes to send it: it is collected, or has more kinds of lines than a shipment.
                 * @enum {string}
                 */
                code: "order_not_shippable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The fields that are missing.
                     * @example [
                     *       "dropoff"
                     *     ]
                     */
                    missing: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OrderPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["OrderSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What an order would cost now. Nothing is kept or reserved. */
        OrderPreview: {
            /**
             * @description What the order would cost. Send it as `expectedTotalKobo` to be charged exactly that. In kobo.
             * @example 1500000
             */
            totalKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /**
             * @description Whether no code is rejected and nothing is short.
             * @example true
             */
            canBeOrdered: boolean;
            /** @description The lines, in the order they were sent. */
            items: components["schemas"]["OrderPreviewItem"][];
            /**
             * @description Sum of the lines before discounts. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * @description Sum of the discounts, with what they take off shipping. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * @description Price of shipping before discounts. In kobo.
             * @example 250000
             */
            shippingKobo: number;
            /**
             * @description VAT contained in or added to the total. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * @description Whether prices contain the VAT.
             * @example true
             */
            taxInclusive: boolean;
            /**
             * @description VAT in basis points; 0 when none is charged.
             * @example 750
             */
            taxRateBps: number;
            /** @description The discounts that count, in the order in which they are taken off. */
            discounts: components["schemas"]["OrderPreviewDiscount"][];
            /** @description The codes that do not count; the totals are without them. */
            rejected: components["schemas"]["RejectedCode"][];
            /** @description The lines that are short of stock; the totals are with all that was asked for. */
            shortages: components["schemas"]["Shortage"][];
        };
        OrderPreviewAllocation: {
            /**
             * @description The variant of the line, or `shipping`.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            variantId: string;
            /**
             * @description What it takes off that. In kobo.
             * @example 1500000
             */
            amountKobo: number;
        };
        OrderPreviewDiscount: {
            /**
             * @description Identifier of a discount.
             * @example dsc_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            discountId: string;
            /**
             * @description Its code, in capitals.
             * @example DETTY10
             */
            code: string;
            /**
             * @description What kind of discount it is.
             * @example percentage
             */
            type: string;
            /**
             * @description What it took off. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /** @description What it takes off each line and shipping: together exactly `amountKobo`. */
            allocations: components["schemas"]["OrderPreviewAllocation"][];
        };
        OrderPreviewItem: {
            /**
             * @description Identifier of a product.
             * @example prd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            productId: string;
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            variantId: string;
            /**
             * @description Stock keeping unit when ordered.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Title of the product when ordered.
             * @example Ankara maxi dress
             */
            title: string;
            /**
             * @description The variant when ordered.
             * @example M / Indigo
             */
            variantTitle: string;
            /**
             * @description The options that make the variant.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues: {
                [key: string]: string;
            };
            /**
             * @description Pieces ordered.
             * @example 1
             */
            quantity: number;
            /**
             * @description Price of one piece. In kobo.
             * @example 1500000
             */
            unitPriceKobo: number;
            /** @description Price before a sale, in kobo. */
            compareAtPriceKobo: number | null;
            /**
             * @description Unit price times quantity. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * @description The line’s share of the discounts. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * @description VAT in basis points.
             * @example 750
             */
            taxRateBps: number;
            /**
             * @description VAT of the line. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * @description What the line costs. In kobo.
             * @example 1500000
             */
            totalKobo: number;
        };
        /** @description The refund that succeeded. */
        OrderRefundedData: {
            refund: components["schemas"]["Refund"];
            /**
             * @description Whether all that was paid has gone back.
             * @example false
             */
            fullyRefunded: boolean;
        };
        OrderRefundedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.refunded";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderRefundedData"];
        };
        OrderShipment: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Where the shipment is.
             * @example picked_up
             */
            status: string;
            /** @description Page on which it can be followed. */
            trackingUrl: string | null;
        };
        /**
         * @description Where the order was taken.
         * @enum {string}
         */
        OrderSource: "api" | "storefront" | "dashboard" | "pos" | "whatsapp" | "instagram" | "other";
        /**
         * @description Where the order is in its life. More values may be added.
         * @enum {string}
         */
        OrderStatus: "pending" | "on_hold" | "processing" | "shipped" | "delivered" | "returned" | "cancelled";
        /** @description The change. */
        OrderStatusChangedData: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description Human-readable order number. The last character checks the others.
             * @example ORD-7K2M9QX4
             */
            number: string;
            from: components["schemas"]["OrderStatus"];
            to: components["schemas"]["OrderStatus"];
            /** @description Why, where there is something to say. */
            reason: string | null;
            /** @description Who made the change. */
            actor: {
                /**
                 * @description Who made the change.
                 * @example token
                 */
                type: string;
                /** @description Which of them. */
                id: string | null;
            };
            /**
             * @description Counts the changes of the order; compare it to drop stale news.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the status changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        OrderStatusChangedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.status_changed";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderStatusChangedData"];
        };
        OrderSummary: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Human-readable order number. The last character checks the others.
             * @example ORD-7K2M9QX4
             */
            number: string;
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Total of the order. In kobo.
             * @example 1500000
             */
            totalKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /**
             * Format: date-time
             * @description When the order was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /** @description The customer as they were when the order was created. */
            customer: {
                /**
                 * @description Name of the customer.
                 * @example Adaeze Okafor
                 */
                name: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 * @example adaeze.okafor@example.com
                 */
                email: string;
            };
        };
        OrderTransitionInput: {
            to: components["schemas"]["OrderStatus"];
            /**
             * @description Why, as a code of your own; the event repeats it. With `cancelled`, a reason that cancelling knows becomes the `cancelReason`, and any other makes it `other`.
             * @example handed_to_rider
             */
            reason?: string;
            /** @description With `returned`: the lines whose pieces go back on the shelf. None when left out. */
            restockItemIds?: string[];
        };
        /** @description What to change. What is left out stays. */
        OrderUpdate: {
            /** @description A note among staff; null removes it. */
            note?: string | null;
            /**
             * @description Free labels; they replace those there are.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags?: string[];
            /**
             * @description Replaces the metadata there is.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description How to reach the customer about this order; the customer’s own record stays as it is. */
            customer?: {
                /**
                 * @description Name of the customer.
                 * @example Adaeze Okafor
                 */
                name?: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 * @example adaeze.okafor@example.com
                 */
                email?: string;
                /** @description Phone number of the customer; null removes it. */
                phone?: string | null;
            };
            /** @description Where the order goes, whole; null when it is collected. */
            shippingAddress?: components["schemas"]["AddressInput"] | null;
        };
        OutcomeUnknownError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "api_error";
                /**
                 * @description The database went away in the very moment of keeping the change: it may or may not have been made.
                 * @enum {string}
                 */
                code: "outcome_unknown";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 503;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        OutsideCoverageError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description No carrier reaches the place: it is at sea, or outside Nigeria. For a surge: it is in no delivery zone.
                 * @enum {string}
                 */
                code: "outside_coverage";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Which place it is.
                     * @example dropoff
                     * @enum {string}
                     */
                    place: "pickup" | "dropoff" | "point";
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description Where this page is in the list. */
        Pagination: {
            /** @description Opaque token for the next page; null on the last one. */
            cursor: string | null;
            /**
             * @description Page size applied.
             * @example 25
             */
            limit: number;
            /**
             * @description True while further pages exist.
             * @example true
             */
            hasMore: boolean;
        };
        /** @description One kind of piece that is carried. */
        Parcel: {
            /**
             * @description What is inside, as the rider may be told.
             * @example Ankara maxi dress
             */
            description: string;
            /**
             * @description Weight of one piece, in grams.
             * @example 800
             */
            weightGrams: number;
            /**
             * @description Length of one piece. In centimetres; send all three sides or none.
             * @example 40
             */
            lengthCm?: number;
            /**
             * @description Width of one piece. In centimetres; send all three sides or none.
             * @example 40
             */
            widthCm?: number;
            /**
             * @description Height of one piece. In centimetres; send all three sides or none.
             * @example 40
             */
            heightCm?: number;
            /**
             * @description What one piece is worth. In kobo.
             * @example 1500000
             */
            valueKobo: number;
            /**
             * @description How many such pieces there are.
             * @default 1
             * @example 1
             */
            quantity?: number;
            /**
             * @description What kind of goods they are.
             * @default fashion
             * @example fashion
             */
            category?: string;
            /**
             * @description Whether it breaks easily.
             * @default false
             * @example false
             */
            fragile?: boolean;
        };
        Payment: {
            /**
             * @description Identifier of a payment.
             * @example pay_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description What was received. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            method: components["schemas"]["PaymentMethod"];
            /**
             * @description The bank’s or terminal’s name for the payment; unique per merchant.
             * @example GTB-2026112108-00042
             */
            reference: string;
            /**
             * @description Who took the money; `manual` when it was recorded by hand.
             * @example manual
             */
            provider: string;
            /**
             * Format: date-time
             * @description When the money was received.
             * @example 2026-11-21T08:30:00.000Z
             */
            paidAt: string;
            /** @description Since when nothing of it can be refunded, because the payer disputes it, or the dispute was lost. Null otherwise. */
            disputedAt: string | null;
            /**
             * @description What lost disputes returned to the payer. It cannot be refunded. In kobo.
             * @example 0
             */
            disputeLostKobo: number;
            /**
             * Format: date-time
             * @description When it was recorded.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /** @description The order after this payment. */
            order: {
                status: components["schemas"]["OrderStatus"];
                paymentStatus: components["schemas"]["PaymentStatus"];
                /**
                 * @description Sum of the order’s payments. In kobo.
                 * @example 1500000
                 */
                paidKobo: number;
                /**
                 * @description What is still owed; negative after an overpayment. In kobo.
                 * @example 0
                 */
                balanceKobo: number;
            };
        };
        PaymentDisputedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The payer’s bank disputes the payment, so that the provider gives nothing of it back.
                 * @enum {string}
                 */
                code: "payment_disputed";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        PaymentInput: {
            /**
             * @description What was received. In kobo.
             * @example 3250000
             */
            amountKobo: number;
            method: components["schemas"]["PaymentMethod"];
            /**
             * @description The bank’s or terminal’s name for the payment; unique per merchant.
             * @example GTB-2026112108-00042
             */
            reference: string;
            /**
             * Format: date-time
             * @description When the money was received; now when left out.
             * @example 2026-11-21T09:30:00+01:00
             */
            paidAt?: string;
            /**
             * @description Who took the money; `manual` when left out. With `paystack`, `reference` is Paystack’s, and the payment is recorded only if Paystack confirms it with this amount. Its method and its time are then Paystack’s.
             * @example paystack
             * @enum {string}
             */
            provider?: "manual" | "paystack";
        };
        /**
         * @description How the money comes.
         * @enum {string}
         */
        PaymentMethod: "card" | "bank_transfer" | "pay_on_delivery" | "ussd" | "cash" | "other";
        PaymentNotVerifiedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The payment provider does not confirm the payment as it was sent.
                 * @enum {string}
                 */
                code: "payment_not_verified";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description What does not agree.
                     * @example other_amount
                     * @enum {string}
                     */
                    reason: "not_found" | "not_paid" | "other_amount" | "other_order" | "other_currency" | "no_order";
                    /**
                     * @description What the provider received, in kobo; null where it received nothing.
                     * @example 3000000
                     */
                    amountKobo: number | null;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        PaymentPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["PaymentSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        PaymentProviderNotConnectedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The merchant has not connected a Paystack account, so no payment can be verified.
                 * @enum {string}
                 */
                code: "payment_provider_not_connected";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        PaymentProviderUnavailableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "api_error";
                /**
                 * @description The payment provider did not answer, or its answer could not be read. Nothing was recorded.
                 * @enum {string}
                 */
                code: "payment_provider_unavailable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 503;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: true;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        PaymentReferenceInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description A payment with this `reference` is already recorded, so this is probably a repeated request.
                 * @enum {string}
                 */
                code: "payment_reference_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The payment that has the reference. */
                    existingId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /**
         * @description What the recorded payments and refunds add up to.
         * @enum {string}
         */
        PaymentStatus: "unpaid" | "partially_paid" | "paid" | "partially_refunded" | "refunded";
        PaymentSummary: {
            /**
             * @description Identifier of a payment.
             * @example pay_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description What was received. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            method: components["schemas"]["PaymentMethod"];
            /**
             * @description The bank’s or terminal’s name for the payment; unique per merchant.
             * @example GTB-2026112108-00042
             */
            reference: string;
            /**
             * @description Who took the money; `manual` when it was recorded by hand.
             * @example manual
             */
            provider: string;
            /**
             * Format: date-time
             * @description When the money was received.
             * @example 2026-11-21T08:30:00.000Z
             */
            paidAt: string;
            /** @description Since when nothing of it can be refunded, because the payer disputes it, or the dispute was lost. Null otherwise. */
            disputedAt: string | null;
            /**
             * @description What lost disputes returned to the payer. It cannot be refunded. In kobo.
             * @example 0
             */
            disputeLostKobo: number;
            /**
             * Format: date-time
             * @description When it was recorded.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
        };
        PickupMissingError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The request does not say where the parcels are fetched, and the merchant has no default pickup.
                 * @enum {string}
                 */
                code: "pickup_missing";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description Between which times the rider comes in eight of ten cases. */
        PickupWindow: {
            /**
             * Format: date-time
             * @description In one of ten cases he is there by then.
             * @example 2026-11-21T08:30:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description In nine of ten.
             * @example 2026-11-21T08:30:00.000Z
             */
            to: string;
        };
        /** @description A place as it was understood. */
        Place: {
            /** @description Who hands the parcel over, or receives it. */
            name: string | null;
            /** @description Phone number the rider calls. */
            phone: string | null;
            /** @description E-mail address there. */
            email: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2: string | null;
            /** @description Part of the city, or estate. */
            area: string | null;
            /** @description Local government area. */
            lga: string | null;
            /**
             * @description One of the 36 states, or FCT.
             * @example Lagos
             * @enum {string}
             */
            state: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /** @description A place nearby that riders know. */
            landmark: string | null;
            /** @description Open location code of the place. */
            plusCode: string | null;
            /** @description What the rider should know. */
            instructions: string | null;
            location: components["schemas"]["Point"];
            /**
             * @description How the point was found: as given, or from the most exact part of the address. More values may be added.
             * @example area
             * @enum {string}
             */
            locationSource: "given" | "plus_code" | "geocoded" | "area" | "lga" | "state";
            /**
             * @description How far off the point may be.
             * @example 1500
             */
            precisionMeters: number;
            /**
             * @description The delivery zone it is in; null outside all.
             * @example lag-lekki-1
             */
            zoneId: string | null;
        };
        /** @description Where a parcel is fetched or goes. The more is said, the surer the price and the rider. */
        PlaceInput: {
            /** @description Who hands the parcel over, or receives it. */
            name?: string | null;
            /** @description Phone number the rider calls. */
            phone?: string | null;
            /** @description E-mail address there. */
            email?: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2?: string | null;
            /** @description Part of the city, or estate. */
            area?: string | null;
            /** @description Local government area. */
            lga?: string | null;
            /**
             * @description One of the 36 states, or FCT. Left out, that of the zone the point is in, or else the merchant’s own.
             * @example Lagos
             * @enum {string}
             */
            state?: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /** @description A place nearby that riders know. */
            landmark?: string | null;
            /** @description Open location code of the place. */
            plusCode?: string | null;
            /** @description The point, if you know it. */
            location?: components["schemas"]["PointInput"] | null;
            /** @description What the rider should know. */
            instructions?: string | null;
        };
        /** @description An offer with its place in the order in which carriers are asked. */
        PlannedOffer: {
            /** @description The offer of the quote; null where it is of none. */
            offerId: string | null;
            /**
             * @description Code of the carrier.
             * @example simulator-swift
             */
            carrier: string;
            /**
             * @description Name of the carrier.
             * @example Simulator Swift
             */
            carrierName: string;
            /**
             * @description The carrier’s own name for the service.
             * @example Bike express
             */
            service: string;
            serviceLevel: components["schemas"]["ServiceLevel"];
            vehicle: components["schemas"]["Vehicle"];
            /**
             * @description What it costs. In kobo.
             * @example 250000
             */
            priceKobo: number;
            /**
             * @description What beginning with it is reckoned to cost, by which `best_value` goes: the price, the minutes until it arrives, and the odds that the carrier fails. In kobo.
             * @example 351000
             */
            expectedCostKobo: number;
            /** @description When a rider would fetch it, counted from when the carrier is called; null if nothing is known. */
            pickupEta: components["schemas"]["TimeSpan"] | null;
            /** @description When it would arrive, counted in the same way; null if nothing is known. */
            dropoffEta: components["schemas"]["TimeSpan"] | null;
            /**
             * @description How likely the carrier is to take and keep the shipment.
             * @example 0.94
             */
            reliability: number;
        };
        /** @description A point on the map. */
        Point: {
            /**
             * @description Degrees north, within Nigeria.
             * @example 6.4474
             */
            lat: number;
            /**
             * @description Degrees east, within Nigeria.
             * @example 3.4723
             */
            lng: number;
        };
        /** @description A point on the map. */
        PointInput: {
            /**
             * @description Degrees north, within Nigeria.
             * @example 6.4474
             */
            lat: number;
            /**
             * @description Degrees east, within Nigeria.
             * @example 3.4723
             */
            lng: number;
        };
        /** @description How long preparing takes from now on, by your own estimate. */
        PrepMinutes: {
            /**
             * @description Ready within so many minutes in half of all cases.
             * @example 40
             */
            p50: number;
            /**
             * @description Ready within so many minutes in nine of ten cases.
             * @example 70
             */
            p90: number;
        };
        PriceCeilingTooLowError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Every offer costs more than the shipment may.
                 * @enum {string}
                 */
                code: "price_ceiling_too_low";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The cheapest offer, in kobo.
                     * @example 250000
                     */
                    cheapestKobo: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description One part of a price. */
        PriceLine: {
            /**
             * @description What it is for.
             * @example delivery
             */
            code: string;
            /**
             * @description The same in words.
             * @example Delivery
             */
            label: string;
            /**
             * @description How much. In kobo.
             * @example 0
             */
            amountKobo: number;
        };
        Problem: {
            /**
             * @description Where the value is.
             * @example body.items[0].quantity
             */
            path: string;
            /**
             * @description What is wrong with it. More values may be added.
             * @enum {string}
             */
            code: "required" | "invalid_type" | "not_integer" | "too_small" | "too_big" | "too_short" | "too_long" | "invalid_format" | "invalid_enum_value" | "invalid_text" | "unknown_field" | "unknown_parameter" | "duplicate" | "invalid_value";
            /**
             * @description What is wrong, in words.
             * @example Must be at least 1.
             */
            message: string;
            /**
             * @description What to send instead.
             * @example Send a whole number from 1 to 1000.
             */
            fix: string;
        };
        /** @description Something the merchant sells, with its variants, prices and stock. */
        Product: {
            /**
             * @description Identifier of a product.
             * @example prd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description What the product is called.
             * @example Ankara maxi dress
             */
            title: string;
            /**
             * @description Its name in a URL; unique per merchant.
             * @example ankara-maxi-dress
             */
            slug: string;
            /**
             * @description What a buyer should know.
             * @example Floor-length dress in wax print, lined.
             */
            description: string;
            status: components["schemas"]["ProductStatus"];
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /** @description What the variants differ in. */
            options: components["schemas"]["ProductOption"][];
            /** @description What can be bought of it; none in a draft that has none yet. */
            variants: components["schemas"]["Variant"][];
            /** @description Its pictures. */
            images: components["schemas"]["ProductImage"][];
            /** @description The shelf it is on. */
            category: string | null;
            /** @description Who made it. */
            brand: string | null;
            /**
             * @description Free labels.
             * @example [
             *       "ankara",
             *       "women"
             *     ]
             */
            tags: string[];
            /** @description The prices of its variants; null while it has none. */
            priceRange: {
                /**
                 * @description The lowest price. In kobo.
                 * @example 1500000
                 */
                minKobo: number;
                /**
                 * @description The highest price. In kobo.
                 * @example 1500000
                 */
                maxKobo: number;
            } | null;
            /**
             * @description Pieces that can be sold now, over the variants whose stock is counted.
             * @example 20
             */
            totalAvailable: number;
            /** @description For variants without one of their own; null leaves it to the merchant’s setting. */
            lowStockThreshold: number | null;
            /**
             * @description Whether no VAT is charged on it.
             * @example false
             */
            taxExempt: boolean;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Counts the changes of the product and its variants, not those of stock.
             * @example 3
             */
            version: number;
            /** @description When it first became `active`. */
            publishedAt: string | null;
            /** @description When it became `archived`. */
            archivedAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it or a variant last changed, stock aside.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
        };
        ProductImage: {
            /**
             * @description Identifier of a product image.
             * @example img_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Where the picture is.
             * @example https://cdn.example.com/ankara-maxi.jpg
             */
            url: string;
            /** @description What the picture shows, for those who cannot see it. */
            alt: string | null;
            /**
             * @description Sorts the pictures; 0 is the main one.
             * @example 0
             */
            position: number;
            /** @description The variants it is the picture of. */
            variantIds: string[];
        };
        ProductImageInput: {
            /**
             * @description Id of a picture the product has; left out for a new one.
             * @example img_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id?: string;
            /**
             * @description Where the picture is.
             * @example https://cdn.example.com/ankara-maxi.jpg
             */
            url: string;
            /**
             * @description What the picture shows, for those who cannot see it.
             * @example Front view
             */
            alt?: string;
        };
        ProductInput: {
            /**
             * @description What the product is called.
             * @example Ankara maxi dress
             */
            title: string;
            /**
             * @description Its name in a URL; made of the title when left out.
             * @example ankara-maxi-dress
             */
            slug?: string;
            /**
             * @description What a buyer should know.
             * @example Floor-length dress in wax print, lined.
             */
            description?: string;
            /**
             * @description `draft` when left out.
             * @example active
             * @enum {string}
             */
            status?: "draft" | "active";
            /** @description What the variants differ in; none for a product that comes in one form. */
            options?: components["schemas"]["ProductOptionInput"][];
            /** @description What can be bought of it. */
            variants?: components["schemas"]["NewVariantInput"][];
            /** @description Its pictures. */
            images?: components["schemas"]["NewProductImageInput"][];
            /**
             * @description The shelf it is on.
             * @example Dresses
             */
            category?: string;
            /**
             * @description Who made it.
             * @example Adire Lagos
             */
            brand?: string;
            /**
             * @description Free labels.
             * @example [
             *       "ankara",
             *       "women"
             *     ]
             */
            tags?: string[];
            /**
             * @description At this or fewer available pieces stock is low.
             * @example 5
             */
            lowStockThreshold?: number;
            /**
             * @description Whether no VAT is charged on it.
             * @example false
             */
            taxExempt?: boolean;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        ProductInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Only a draft that was never ordered can be deleted.
                 * @enum {string}
                 */
                code: "product_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description What the product is.
                     * @example active
                     */
                    status: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ProductNeedsVariantError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description An active product needs at least one variant with a price.
                 * @enum {string}
                 */
                code: "product_needs_variant";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ProductNotAvailableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description A product is a draft or archived and cannot be ordered.
                 * @enum {string}
                 */
                code: "product_not_available";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The variants that cannot be ordered. */
                    variantIds: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ProductNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no product with this id.
                 * @enum {string}
                 */
                code: "product_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ProductOption: {
            /**
             * @description What differs between the variants.
             * @example size
             */
            name: string;
            /**
             * @description What can be chosen, in the order it is shown.
             * @example [
             *       "S",
             *       "M",
             *       "L"
             *     ]
             */
            values: string[];
        };
        ProductOptionInput: {
            /**
             * @description What differs between the variants.
             * @example size
             */
            name: string;
            /**
             * @description What can be chosen, in the order it is shown.
             * @example [
             *       "S",
             *       "M",
             *       "L"
             *     ]
             */
            values: string[];
        };
        ProductPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["Product"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What is left out stays; lists and metadata are replaced as a whole. */
        ProductPatch: {
            /**
             * @description What the product is called.
             * @example Ankara maxi dress
             */
            title?: string;
            /**
             * @description Its name in a URL; unique per merchant.
             * @example ankara-maxi-dress
             */
            slug?: string;
            /**
             * @description What a buyer should know.
             * @example Floor-length dress in wax print, lined.
             */
            description?: string;
            status?: components["schemas"]["ProductStatus"];
            /** @description What the variants differ in; none for a product that comes in one form. */
            options?: components["schemas"]["ProductOptionInput"][];
            /** @description All its pictures from now on; those that are not named are gone. */
            images?: components["schemas"]["ProductImageInput"][];
            /** @description The shelf it is on; null for none. */
            category?: string | null;
            /** @description Who made it; null for nobody named. */
            brand?: string | null;
            /**
             * @description Free labels.
             * @example [
             *       "ankara",
             *       "women"
             *     ]
             */
            tags?: string[];
            /** @description For variants without one of their own; null leaves it to the merchant’s setting. */
            lowStockThreshold?: number | null;
            /**
             * @description Whether no VAT is charged on it.
             * @example false
             */
            taxExempt?: boolean;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * @description Whether the product can be bought. More values may be added.
         * @enum {string}
         */
        ProductStatus: "draft" | "active" | "archived";
        /** @description How the handover is to be proven. */
        ProofInput: {
            /**
             * @description Whether the rider takes a picture.
             * @default false
             * @example true
             */
            photo?: boolean;
            /**
             * @description Whether the recipient signs.
             * @default false
             * @example false
             */
            signature?: boolean;
            /**
             * @description `none`, `generate`, or four to six digits of your own that the recipient tells the rider. A PIN has to be told to the rider by a person, so it cannot be left at the door.
             * @default none
             * @example none
             */
            pin?: ("none" | "generate") | string;
        };
        ProofNotOfferedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The chosen offer’s carrier cannot give the proof asked for; or, without a choice, no carrier of the quote can.
                 * @enum {string}
                 */
                code: "proof_not_offered";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The proof asked for.
                     * @example [
                     *       "signature"
                     *     ]
                     */
                    proof: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description What carriers would charge to bring some parcels from one place to another. */
        Quote: {
            /**
             * @description Identifier of a quote.
             * @example qte_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /** @description The order it is for. */
            orderId: string | null;
            /**
             * @description `partial` when a carrier that could have offered something did not answer.
             * @example complete
             * @enum {string}
             */
            status: "complete" | "partial";
            pickup: components["schemas"]["Place"];
            dropoff: components["schemas"]["Place"];
            vehicle: components["schemas"]["Vehicle"];
            /**
             * @description Estimated way by road, in metres.
             * @example 9400
             */
            distanceMeters: number;
            /** @description The surge the offers were made under; null outside the zones. */
            surge: components["schemas"]["QuoteSurge"] | null;
            /** @description What can be had, the best value first. It may be empty. */
            offers: components["schemas"]["QuoteOffer"][];
            /** @description Every carrier that was asked or left out, with the reason. */
            carriers: components["schemas"]["CarrierAnswer"][];
            /**
             * @description What may go wrong: `pickup_address_low_precision`, `pickup_zone_uncertain`, `pickup_outside_zone_outline`, `pickup_location_far_from_state`, `pickup_location_far_from_area`, `pickup_area_unknown`, `pickup_area_in_other_state`, `pickup_plus_code_unreadable`, `dropoff_address_low_precision`, `dropoff_zone_uncertain`, `dropoff_outside_zone_outline`, `dropoff_location_far_from_state`, `dropoff_location_far_from_area`, `dropoff_area_unknown`, `dropoff_area_in_other_state`, `dropoff_plus_code_unreadable`, `pickup_window_missed`, `dropoff_window_missed`. A window is missed by offers whose `pickupEta.p50` or `dropoffEta.p50` lies after its end. More values may be added.
             * @example [
             *       "dropoff_address_low_precision"
             *     ]
             */
            warnings: string[];
            /**
             * Format: date-time
             * @description When the carriers were asked.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be dispatched: when the last of its offers ends, and no later than its first window. An offer that has ended before is asked for anew, for no more than the shipment may cost. Each offer says its own end, which holds where it is chosen.
             * @example 2026-11-21T08:30:00.000Z
             */
            expiresAt: string;
        };
        QuoteAlreadyUsedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description A shipment was made of this quote already.
                 * @enum {string}
                 */
                code: "quote_already_used";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The shipment that used it. */
                    shipmentId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description A stretch of time of at least ten minutes. */
        QuotedWindow: {
            /**
             * Format: date-time
             * @description Not before.
             * @example 2026-11-21T08:30:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description Not after.
             * @example 2026-11-21T08:30:00.000Z
             */
            to: string;
        };
        QuoteExpiredError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The offer no longer holds.
                 * @enum {string}
                 */
                code: "quote_expired";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Since when.
                     * @example 2026-11-21T08:40:00.000Z
                     */
                    expiredAt: string;
                    /**
                     * @description A fresh quote of the same. Null where no offer lies within the ceiling that the request sets for the old one, where a window of time has passed, of a quote that ended a week ago, and in a dry run, which keeps no quote.
                     * @example qte_01jd3f8q6hf5n8v1zr4c7e2m9k
                     */
                    quoteId: string | null;
                    /**
                     * @description Its offer that would be asked for first.
                     * @example off_01jd3f8q6hf5n8v1zr4c7e2m9k
                     */
                    offerId: string | null;
                    /**
                     * @description What that offer costs, in kobo.
                     * @example 260000
                     */
                    priceKobo: number | null;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        QuoteInput: {
            pickup?: components["schemas"]["PlaceInput"];
            dropoff?: components["schemas"]["PlaceInput"];
            /** @description What is carried; of an order, what is not sent yet of its lines when left out. */
            parcels?: components["schemas"]["Parcel"][];
            /**
             * @description The order that is sent.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId?: string;
            /**
             * @description Only these; all when left out.
             * @example [
             *       "on_demand"
             *     ]
             */
            serviceLevels?: ("on_demand" | "same_day" | "next_day" | "standard")[];
            vehicle?: components["schemas"]["Vehicle"];
            /**
             * @description Ask only these carriers.
             * @example [
             *       "simulator-swift"
             *     ]
             */
            carriers?: string[];
            pickupWindow?: components["schemas"]["TimeWindow"];
            dropoffWindow?: components["schemas"]["TimeWindow"];
            /**
             * @description What the parcels are worth together. It is kept with the quote and leaves no carrier out: none says up to which worth it is liable. In kobo.
             * @example 1500000
             */
            declaredValueKobo?: number;
            proof?: components["schemas"]["ProofInput"];
        };
        QuoteMismatchError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The dispatch names a place or an order that is not the one that was quoted.
                 * @enum {string}
                 */
                code: "quote_mismatch";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description What differs. More values may be added.
                     * @example dropoff
                     * @enum {string}
                     */
                    field: "pickup" | "dropoff" | "orderId";
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        QuoteNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no quote with this id, or the quote has no offer with this id.
                 * @enum {string}
                 */
                code: "quote_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description What one carrier would do for which price. */
        QuoteOffer: {
            /**
             * @description Identifier of an offer of a quote.
             * @example off_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Code of the carrier.
             * @example simulator-swift
             */
            carrier: string;
            /**
             * @description Name of the carrier.
             * @example Simulator Swift
             */
            carrierName: string;
            /**
             * @description The carrier’s own name for the service.
             * @example Bike express
             */
            service: string;
            serviceLevel: components["schemas"]["ServiceLevel"];
            vehicle: components["schemas"]["Vehicle"];
            /**
             * @description What the shipment costs, surge and all. In kobo.
             * @example 250000
             */
            priceKobo: number;
            /** @description What the price is made of; it adds up to `priceKobo`. Surge of a rate card is a line `surge`. */
            breakdown: components["schemas"]["PriceLine"][];
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /** @description When a rider is expected to fetch it: one who is called at once, or in time for the windows of the quote. Null if nothing is known. */
            pickupEta: components["schemas"]["TimeSpan"] | null;
            /** @description When it is expected to arrive; null if nothing is known. */
            dropoffEta: components["schemas"]["TimeSpan"] | null;
            /**
             * @description How likely this carrier is to take and keep the shipment, by what it did before.
             * @example 0.94
             */
            reliability: number;
            /**
             * Format: date-time
             * @description Until when it holds.
             * @example 2026-11-21T08:30:00.000Z
             */
            expiresAt: string;
            /**
             * @description Who holds the price until then: the carrier, or nobody, so that it may still rise. More values may be added.
             * @example carrier
             * @enum {string}
             */
            priceLock: "carrier" | "none";
            /**
             * @description What else it can do, such as `live_position`, `photo`, `cancel`.
             * @example [
             *       "live_position"
             *     ]
             */
            capabilities: string[];
            /**
             * @description `cheapest`, `fastest` or `best_value`, where it is.
             * @example [
             *       "best_value"
             *     ]
             */
            tags: string[];
        };
        /** @description The surge the offers were made under. A later change does not touch them. */
        QuoteSurge: {
            /**
             * @description Zone of the pickup.
             * @example lag-island
             */
            zoneId: string;
            /**
             * @description What it stood at.
             * @example 1.25
             */
            multiplier: number;
            /**
             * @description What it adds to an on-demand price of a rate card, at most. In kobo.
             * @example 45000
             */
            surgeKobo: number;
            /**
             * @description The publication it is of.
             * @example sgs_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            snapshotId: string | null;
        };
        ReferenceConflictError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description Another request used this reference before. A reference names one shipment for ever.
                 * @enum {string}
                 */
                code: "reference_conflict";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The shipment that has it. */
                    shipmentId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description Money that goes back to a customer. */
        Refund: {
            /**
             * @description Identifier of a refund.
             * @example rfd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description Number of the order.
             * @example ORD-7K2M9QX4
             */
            orderNumber: string;
            /**
             * @description What goes back to the customer. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * @description The VAT contained in it. In kobo.
             * @example 0
             */
            taxKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /**
             * @description Free reason code, stored as given. Suggested: damaged, wrong_item, wrong_size, not_as_described, not_received, late_delivery, customer_request, duplicate, fraudulent, order_cancelled, price_adjustment, other.
             * @example damaged
             */
            reason: string;
            /** @description A note among staff. */
            note: string | null;
            status: components["schemas"]["RefundStatus"];
            /** @description The order lines it is for; empty for a plain amount. */
            items: components["schemas"]["RefundItem"][];
            destination: components["schemas"]["RefundDestination"];
            /** @description The account it goes to, with `bank_account`. */
            account: components["schemas"]["RefundAccount"] | null;
            /**
             * @description Who pays it back; `manual` when the merchant does so outside this service.
             * @example manual
             */
            provider: string;
            /** @description The provider’s name for it. */
            providerReference: string | null;
            /** @description Why it failed, or why the account was of no use. */
            failureCode: string | null;
            /** @description The same in words. */
            failureMessage: string | null;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description Who made it. */
            createdBy: {
                /**
                 * @description What made it.
                 * @example token
                 */
                type: string;
                /** @description Which of them. */
                id: string | null;
            };
            /**
             * Format: date-time
             * @description When it was accepted.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /** @description When the provider expects the money to arrive. */
            expectedAt: string | null;
            /** @description When the money was paid back. */
            succeededAt: string | null;
            /** @description When it failed. */
            failedAt: string | null;
            /** @description The order’s money as of the last change of this refund. */
            order: {
                /**
                 * @description Sum of the order’s refunds that succeeded. In kobo.
                 * @example 1500000
                 */
                refundedKobo: number;
                /**
                 * @description What can still be refunded. In kobo.
                 * @example 0
                 */
                refundableKobo: number;
                paymentStatus: components["schemas"]["PaymentStatus"];
            };
        };
        /** @description A bank account, its number masked. */
        RefundAccount: {
            /**
             * @description Its last four digits.
             * @example ******6789
             */
            accountNumber: string;
            /**
             * @description Code of the bank in the interbank system.
             * @example 058
             */
            bankCode: string;
            /**
             * @description Whose account it is.
             * @example Adaeze Okafor
             */
            accountName: string;
        };
        /**
         * @description Where the money goes: back the way it came, into `account`, or `manual`ly as merchant and customer agree. More values may be added.
         * @enum {string}
         */
        RefundDestination: "original_payment" | "bank_account" | "manual";
        RefundExceedsRefundableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The amount is more than what is left to refund, or than what is left of any one payment.
                 * @enum {string}
                 */
                code: "refund_exceeds_refundable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The most one refund can be now, in kobo.
                     * @example 120000
                     */
                    refundableKobo: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        RefundInput: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description What goes back to the customer. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * @description Free reason code, stored as given. Suggested: damaged, wrong_item, wrong_size, not_as_described, not_received, late_delivery, customer_request, duplicate, fraudulent, order_cancelled, price_adjustment, other.
             * @example damaged
             */
            reason: string;
            /**
             * @description A note among staff.
             * @example Zip was broken on arrival.
             */
            note?: string;
            /** @description The order lines it is for; each at most once. */
            items?: components["schemas"]["RefundItemInput"][];
            /** @description An account into which the merchant pays by hand. Left out or null, the money goes back the way it came. */
            destination?: components["schemas"]["BankDetails"] | null;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        RefundItem: {
            /**
             * @description Identifier of an order line.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * @description Pieces refunded.
             * @example 1
             */
            quantity: number;
            /**
             * @description Whether they go back on the shelf.
             * @example false
             */
            restock: boolean;
            /**
             * @description The line’s share of the refund. In kobo.
             * @example 1500000
             */
            amountKobo: number;
        };
        RefundItemInput: {
            /**
             * @description Identifier of an order line.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * @description Pieces refunded.
             * @example 1
             */
            quantity: number;
            /**
             * @description Whether they go back on the shelf; false when left out. Pieces that are back already are not counted twice.
             * @example true
             */
            restock?: boolean;
        };
        RefundNotAwaitingDetailsError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The refund is not waiting for a bank account, or has been given one.
                 * @enum {string}
                 */
                code: "refund_not_awaiting_details";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Where the refund is.
                     * @example processing
                     */
                    status: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        RefundNotCancellableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The provider was already asked for the refund, or it has ended.
                 * @enum {string}
                 */
                code: "refund_not_cancellable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Where the refund is.
                     * @example processing
                     */
                    status: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        RefundNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no refund with this id.
                 * @enum {string}
                 */
                code: "refund_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        RefundPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["Refund"][];
            pagination: components["schemas"]["Pagination"];
        };
        RefundQuantityExceedsError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description More pieces of a line would be refunded than are left of it.
                 * @enum {string}
                 */
                code: "refund_quantity_exceeds";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The lines asked for too often. */
                    items: {
                        /** @description The order line. */
                        itemId: string;
                        /**
                         * @description Pieces of the line not yet refunded.
                         * @example 1
                         */
                        refundableQuantity: number;
                    }[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /**
         * @description Where the refund is. More values may be added.
         * @enum {string}
         */
        RefundStatus: "pending" | "processing" | "needs_attention" | "succeeded" | "failed" | "cancelled";
        RejectedCode: {
            /**
             * @description The code as it was sent.
             * @example DETTY10
             */
            code: string;
            /**
             * @description Why it does not count. More values may be added.
             * @enum {string}
             */
            reason: "not_found" | "paused" | "not_started" | "expired" | "usage_limit_reached" | "not_eligible" | "not_first_order" | "customer_limit_reached" | "no_eligible_items" | "minimum_not_met" | "combination_disallowed";
        };
        Release: {
            /** @description As in `info.version` of the document of that release. */
            version: string;
            /**
             * Format: date
             * @description The day it was released.
             */
            releasedOn: string;
            /** @description What it brings, in a sentence or two. */
            summary: string;
            /** @description The changes of the contract, derived from the two documents. */
            changes: components["schemas"]["ContractChange"][];
        };
        /** @description An address of a customer, with the version the customer has now. */
        SavedAddress: {
            /**
             * @description Identifier of an address.
             * @example adr_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Whether it is the customer’s default address.
             * @example true
             */
            isDefault: boolean;
            /** @description Who receives the parcel. */
            recipientName: string | null;
            /** @description Phone number of the recipient. */
            phone: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2: string | null;
            /** @description A place nearby that riders know. */
            landmark: string | null;
            /** @description Part of the city, or estate. */
            area: string | null;
            /**
             * @description City or town.
             * @example Lekki
             */
            city: string;
            /**
             * @description One of the 36 states, or FCT.
             * @example Lagos
             * @enum {string}
             */
            state: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /**
             * @description Always NG.
             * @example NG
             * @enum {string}
             */
            country: "NG";
            /** @description Postal code; Nigeria’s have six digits. */
            postalCode: string | null;
            /** @description What the rider should know. */
            instructions: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
            /**
             * @description Identifier of a customer.
             * @example cus_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            customerId: string;
            /**
             * @description The customer’s version after this change: addresses are held to it by `If-Match`.
             * @example 3
             */
            version: number;
        };
        /** @description When a rider is called for a parcel that is not ready yet, and what is expected of that. */
        Schedule: {
            /**
             * @description Identifier of a schedule.
             * @example sch_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /** @description Your own name for the shipment; null of a dry run without one. */
            reference: string | null;
            /** @description The shipment that was made; null of a dry run. */
            shipmentId: string | null;
            /** @description The order that is sent. */
            orderId: string | null;
            /**
             * @description What matters most: `speed` has the rider there before the parcel is ready, `rider_wait` seldom lets a rider wait, `balanced` lies between. More values may be added.
             * @example balanced
             * @enum {string}
             */
            optimizeFor: "balanced" | "speed" | "rider_wait";
            /**
             * Format: date-time
             * @description When a carrier is called.
             * @example 2026-11-21T08:30:00.000Z
             */
            dispatchAt: string;
            /**
             * Format: date-time
             * @description When the rider is expected: the median.
             * @example 2026-11-21T08:30:00.000Z
             */
            scheduledPickupAt: string;
            pickupWindow: components["schemas"]["PickupWindow"];
            readyAt: components["schemas"]["TimeSpan"];
            riderArrival: components["schemas"]["TimeSpan"];
            dropoff: components["schemas"]["TimeSpan"];
            /**
             * @description How long the rider waits for the parcel on the average, in seconds.
             * @example 913
             */
            expectedRiderWaitSeconds: number;
            /**
             * @description How long the parcel waits for the rider on the average, in seconds.
             * @example 250
             */
            expectedParcelWaitSeconds: number;
            /** @description How likely it is that `deliverBy` is missed; null where nothing was promised. */
            lateProbability: number | null;
            /**
             * @description In what share of cases the parcel is meant to be ready before the rider is there.
             * @example 0.333
             */
            criticalRatio: number;
            confidence: components["schemas"]["ScheduleConfidence"];
            /** @description What it would cost as things are now. The carriers make their offers anew when it is time, and may want as much more as `failover` allows over this. Null, with a warning, where nobody offers to take it (`no_offer`), or only for more than it may cost (`price_ceiling_too_low`). */
            quote: components["schemas"]["ScheduleQuote"] | null;
            /** @description When it is planned once more, with what is known by then; null where the call is too near, or that has been done. */
            replanAt: string | null;
            /** @description A call at once, and what the other wishes would give. */
            alternatives: components["schemas"]["ScheduleAlternative"][];
            /**
             * @description What may go wrong, such as `deadline_unlikely`, `no_history` or `no_offer`.
             * @example [
             *       "no_history"
             *     ]
             */
            warnings: string[];
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
        };
        /** @description Another time to call, and what it would bring. */
        ScheduleAlternative: {
            /** @description What it would suit; null is a call at once. */
            optimizeFor: ("balanced" | "speed" | "rider_wait") | null;
            /**
             * Format: date-time
             * @description When a carrier would be called.
             * @example 2026-11-21T08:30:00.000Z
             */
            dispatchAt: string;
            /**
             * @description How long the rider waits for the parcel on the average, in seconds.
             * @example 913
             */
            expectedRiderWaitSeconds: number;
            /**
             * @description How long the parcel waits for the rider on the average, in seconds.
             * @example 250
             */
            expectedParcelWaitSeconds: number;
        };
        /** @description How far this can be relied on. */
        ScheduleConfidence: {
            /**
             * @description `high` once fifty orders are known and the last predictions held. More values may be added.
             * @example medium
             * @enum {string}
             */
            level: "low" | "medium" | "high";
            /**
             * @description How many cases the basis has.
             * @example 34
             */
            sampleSize: number;
            /**
             * @description What the time of preparing was taken from: your own word, your orders at that time of the day, all your orders, those of the delivery zone, those of everybody, or a guess. More values may be added.
             * @example merchant
             * @enum {string}
             */
            basis: "stated" | "merchant_hour" | "merchant" | "zone" | "everywhere" | "prior";
            /** @description In what share of your last fifty schedules the parcel was ready by `readyAt.p90`; null while there are none. */
            coverage90: number | null;
        };
        ScheduleInput: {
            /**
             * @description Your own name for the shipment, unique for ever. The same request with it is the same shipment.
             * @example ORD-7K2M9QX4-1
             */
            reference?: string;
            pickup?: components["schemas"]["PlaceInput"];
            dropoff?: components["schemas"]["PlaceInput"];
            /** @description What is carried; of an order, what is not sent yet of its lines when left out. */
            parcels?: components["schemas"]["Parcel"][];
            /**
             * @description The order that is sent.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId?: string;
            /**
             * @description Only these; all when left out.
             * @example [
             *       "on_demand"
             *     ]
             */
            serviceLevels?: ("on_demand" | "same_day" | "next_day" | "standard")[];
            vehicle?: components["schemas"]["Vehicle"];
            /**
             * @description Ask only these carriers.
             * @example [
             *       "simulator-swift"
             *     ]
             */
            carriers?: string[];
            proof?: components["schemas"]["ProofInput"];
            /**
             * @description What happens when nobody is there.
             * @default return
             * @example return
             * @enum {string}
             */
            undeliverableAction?: "return" | "leave_at_door" | "hold";
            failover?: components["schemas"]["Failover"];
            /**
             * @description Whether the order may have several shipments under way.
             * @default false
             * @example false
             */
            allowAdditional?: boolean;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the parcel will be ready, if you know it.
             * @example 2026-11-21T09:30:00+01:00
             */
            readyAt?: string;
            prepMinutes?: components["schemas"]["PrepMinutes"];
            /**
             * Format: date-time
             * @description Until when it has to be at the customer’s.
             * @example 2026-11-21T09:30:00+01:00
             */
            deliverBy?: string;
            /**
             * @description What matters most: `speed` has the rider there before the parcel is ready, `rider_wait` seldom lets a rider wait, `balanced` lies between. More values may be added.
             * @default balanced
             * @example balanced
             * @enum {string}
             */
            optimizeFor?: "balanced" | "speed" | "rider_wait";
            /**
             * @description Whether only to say what would be scheduled.
             * @default false
             * @example false
             */
            dryRun?: boolean;
        };
        /** @description The offer that would be asked for first, were the carrier called now. It holds nothing. */
        ScheduleQuote: {
            /**
             * @description Code of the carrier.
             * @example simulator-swift
             */
            carrier: string;
            /**
             * @description The carrier’s name for the service.
             * @example Bike express
             */
            service: string;
            /**
             * @description What it would cost now. In kobo.
             * @example 250000
             */
            priceKobo: number;
            /** @description The surge of now; null outside the zones. */
            surge: components["schemas"]["QuoteSurge"] | null;
        };
        /**
         * @description How soon a parcel arrives. More values may be added.
         * @enum {string}
         */
        ServiceLevel: "on_demand" | "same_day" | "next_day" | "standard";
        ServiceUnavailableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "api_error";
                /**
                 * @description The service cannot reach its database, has too much to do at once, or is shutting down.
                 * @enum {string}
                 */
                code: "service_unavailable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 503;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: true;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description Parcels on the way from one place to another. */
        Shipment: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Your own name for the shipment, unique for ever. The same request with it is the same shipment.
             * @example ORD-7K2M9QX4-1
             */
            reference: string;
            /** @description The order that is sent. */
            orderId: string | null;
            /** @description The quote it was made of. */
            quoteId: string | null;
            status: components["schemas"]["ShipmentStatus"];
            /** @description Why it is there, where there is something to say. */
            statusReason: {
                /**
                 * @description Why, as a code.
                 * @example no_carrier_available
                 */
                code: string;
                /** @description The same in words. */
                message: string;
            } | null;
            /** @description Who took it; null while nobody has. */
            carrier: {
                /**
                 * @description Code of the carrier.
                 * @example simulator-swift
                 */
                code: string;
                /**
                 * @description Its name.
                 * @example Simulator Swift
                 */
                name: string;
            } | null;
            /** @description The carrier’s name for the service. */
            service: string | null;
            /** @description How soon it arrives. */
            serviceLevel: components["schemas"]["ServiceLevel"] | null;
            vehicle: components["schemas"]["Vehicle"];
            /** @description The carrier’s name for the order. */
            carrierReference: string | null;
            /** @description The carrier’s own page about it. */
            trackingUrl: string | null;
            /** @description Where the carrier’s label is, where it has one. */
            labelUrl: string | null;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /**
             * @description The price of the offer it began with, surge and all. Of one that is scheduled without a quote it is that of the offer that would have been asked for first when it was made, until its time comes; 0 where nobody offered anything then. In kobo.
             * @example 250000
             */
            quotedPriceKobo: number;
            /** @description What it costs with the carrier that took it, in kobo; null while nobody has. It is what the carrier charges, as `priceKobo` of its attempt says, and `surgeKobo`. */
            priceKobo: number | null;
            /**
             * @description The part of `priceKobo` that this service adds to a rate card; nothing where the price is the carrier’s own of the moment. In kobo.
             * @example 0
             */
            surgeKobo: number;
            /**
             * @description What it may cost at most, surge and all: `failover.maxPriceKobo`, or the first offer and `failover.maxPriceIncreaseKobo`, or the higher of 1.5 times the first offer and the price of the next carrier. No carrier is asked that wants more; one that takes it and then charges more has the exception `price_above_ceiling`. Of one that is scheduled it is settled when it is made, and by the prices of then where `failover` names none; 0 where nobody offered anything then, until its time comes. In kobo.
             * @example 375000
             */
            priceCeilingKobo: number;
            pickup: components["schemas"]["Place"];
            dropoff: components["schemas"]["Place"];
            /** @description What is carried. */
            parcels: components["schemas"]["CarriedParcel"][];
            /**
             * @description Estimated way by road, in metres.
             * @example 9400
             */
            distanceMeters: number;
            /** @description How the handover is proven. */
            proof: {
                /**
                 * @description Whether the rider takes a picture.
                 * @example false
                 */
                photo: boolean;
                /**
                 * @description Whether the recipient signs.
                 * @example false
                 */
                signature: boolean;
                /**
                 * @description What the recipient tells the rider.
                 * @example 4821
                 */
                pin: string | null;
                /** @description What was taken. */
                captured: components["schemas"]["CapturedProof"][];
            };
            /**
             * @description What happens when nobody is there.
             * @example return
             * @enum {string}
             */
            undeliverableAction: "return" | "leave_at_door" | "hold";
            /** @description Who carries it; null while nobody is named, and once it is over. */
            courier: components["schemas"]["Courier"] | null;
            /** @description When it is expected to be fetched, as the carrier that has it said when it took it; null while nobody has it, and where the carrier says nothing of that. Half an hour after `p90` without a pickup it has the exception `pickup_late`. */
            pickupEta: components["schemas"]["TimeSpan"] | null;
            /** @description When it is expected to arrive. */
            deliveryEta: components["schemas"]["TimeSpan"] | null;
            /** @description When it was to be fetched, if its quote said so. One that lies ahead is waited for. */
            pickupWindow: components["schemas"]["QuotedWindow"] | null;
            /** @description When it was to arrive, if its quote said so. Offers that come later are not asked for. */
            dropoffWindow: components["schemas"]["QuotedWindow"] | null;
            /** @description When a carrier is first called, or was; null while that is not known. */
            dispatchAt: string | null;
            /** @description When the rider is expected, of one that is scheduled by what is foretold or for a window of its quote; null else. */
            scheduledPickupAt: string | null;
            /** @description The offers that are asked for, in this order, as long as `failover` allows: one carrier after the other. Without other preferences these are all offers of the fastest service level, and of the next level where one carrier alone offers that. Offers above `priceCeilingKobo` come last and are passed over. Of one that is scheduled without a quote it is empty until its time comes. */
            plan: components["schemas"]["PlannedOffer"][];
            /** @description Every asking of a carrier, oldest first. */
            attempts: components["schemas"]["DispatchAttempt"][];
            /** @description Its last hundred events, newest first. */
            timeline: components["schemas"]["ShipmentEvent"][];
            /** @description What a person should look at, beside the status. */
            exceptions: components["schemas"]["ShipmentException"][];
            /** @description Whether it can be called off, and what that costs or cost. */
            cancellation: {
                /**
                 * @description Whether it can still be called off.
                 * @example false
                 */
                allowed: boolean;
                /** @description What the carrier would charge for that now, in kobo; null where it cannot be called off. */
                estimatedFeeKobo: number | null;
                /**
                 * @description `cancelling` until its carrier confirms, then `cancelled`; null where it was not asked for, or its carrier refused.
                 * @example cancelled
                 */
                status: ("cancelling" | "cancelled") | null;
                /** @description When it was asked for. */
                requestedAt: string | null;
                /** @description When it was done. */
                confirmedAt: string | null;
                /**
                 * @description The reason given.
                 * @example customer_request
                 */
                reason: string | null;
                /**
                 * @description The note given.
                 * @example Wrong size packed.
                 */
                note: string | null;
                /** @description What it cost, in kobo, once it is done: the carrier’s fee, or what it did not give back of its price; null where it says neither. More than was accepted is the exception `cancellation_fee_above_accepted`. */
                feeKobo: number | null;
                /** @description What the carrier gave back, in kobo, where it says so. */
                refundKobo: number | null;
            };
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Counts its changes; it is its ETag, too.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /** @description When a rider was named. */
            assignedAt: string | null;
            /** @description When it was fetched. */
            pickedUpAt: string | null;
            /** @description When it arrived. */
            deliveredAt: string | null;
        };
        /** @description One piece of news of a shipment. */
        ShipmentEvent: {
            /** @description The state it tells of; null where it tells of none. */
            status: components["schemas"]["ShipmentStatus"] | null;
            /**
             * @description What happened, in words.
             * @example A rider was assigned.
             */
            description: string;
            /**
             * @description Where the news came from: a request of yours, the carrier by itself, the carrier when asked, or this service.
             * @example callback
             * @enum {string}
             */
            source: "request" | "callback" | "poll" | "service";
            /** @description The carrier’s own word. */
            carrierStatus: string | null;
            /** @description The asking it belongs to. */
            attemptNumber: number | null;
            /**
             * @description False where it came too late, or did not fit, and moved nothing.
             * @example true
             */
            applied: boolean;
            /**
             * Format: date-time
             * @description When it happened, by the clock of whoever told.
             * @example 2026-11-21T08:30:00.000Z
             */
            at: string;
            /**
             * Format: date-time
             * @description When this service learnt of it.
             * @example 2026-11-21T08:30:00.000Z
             */
            receivedAt: string;
        };
        /** @description Something a person should look at. */
        ShipmentException: {
            /**
             * @description What is wrong. `courier_late`: nobody was named, or came to fetch it, in time. `pickup_late`: it was not fetched when its carrier had said. `no_news`: its carrier has told nothing new of it for hours. `unknown_carrier_status`: its carrier reports a status that this service does not know, so the shipment stays as it is. `order_cancelled`: its order was cancelled while a carrier had it. More values may be added.
             * @example duplicate_dispatch
             * @enum {string}
             */
            code: "outcome_unknown" | "possible_duplicate" | "duplicate_dispatch" | "carrier_wallet_low" | "carrier_not_connected" | "carrier_account_blocked" | "order_missing" | "order_not_moved" | "order_cancelled" | "courier_late" | "pickup_late" | "no_news" | "unknown_carrier_status" | "price_above_ceiling" | "price_above_offer" | "cancellation_fee_above_accepted" | "cancelled_after_pickup";
            /** @description The same in words. */
            message: string;
            /**
             * Format: date-time
             * @description Since when.
             * @example 2026-11-21T08:30:00.000Z
             */
            at: string;
            /** @description Since when it holds no more; null while somebody should look at it. */
            resolvedAt: string | null;
            /** @description Of `price_above_ceiling`, `price_above_offer` and `cancellation_fee_above_accepted`: what was agreed to, and what the carrier charged; else null. */
            amounts: {
                /**
                 * @description What was agreed to. In kobo.
                 * @example 300000
                 */
                allowedKobo: number;
                /**
                 * @description What the carrier charged. In kobo.
                 * @example 325000
                 */
                chargedKobo: number;
            } | null;
        };
        ShipmentNotCancellableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The shipment is in somebody’s hands or over, or its carrier does not let it be called off.
                 * @enum {string}
                 */
                code: "shipment_not_cancellable";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Where it is.
                     * @example picked_up
                     */
                    status: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ShipmentNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no shipment with this id.
                 * @enum {string}
                 */
                code: "shipment_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /**
         * @description Where the shipment is. More values may be added.
         * @enum {string}
         */
        ShipmentStatus: "scheduled" | "dispatching" | "awaiting_courier" | "courier_assigned" | "at_pickup" | "picked_up" | "in_transit" | "at_dropoff" | "delivered" | "delivery_failed" | "returning" | "returned" | "cancelling" | "cancelled" | "failed" | "lost";
        /** @description The change. */
        ShipmentStatusChangedData: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            shipmentId: string;
            /**
             * @description Your own name for the shipment, unique for ever. The same request with it is the same shipment.
             * @example ORD-7K2M9QX4-1
             */
            reference: string;
            /** @description The order that is sent. */
            orderId: string | null;
            from: components["schemas"]["ShipmentStatus"];
            to: components["schemas"]["ShipmentStatus"];
            /** @description Why it is there, where there is something to say. */
            statusReason: {
                /**
                 * @description Why, as a code.
                 * @example no_carrier_available
                 */
                code: string;
                /** @description The same in words. */
                message: string;
            } | null;
            /** @description Who took it; null while nobody has. */
            carrier: {
                /**
                 * @description Code of the carrier.
                 * @example simulator-swift
                 */
                code: string;
                /**
                 * @description Its name.
                 * @example Simulator Swift
                 */
                name: string;
            } | null;
            /** @description The asking of a carrier it comes from. */
            attemptNumber: number | null;
            /** @description The carrier’s own page about it. */
            trackingUrl: string | null;
            /**
             * @description Counts its changes; it is its ETag, too.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When it happened, by the clock of whoever told.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        ShipmentStatusChangedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "shipment.status_changed";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["ShipmentStatusChangedData"];
        };
        Shortage: {
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            variantId: string;
            /**
             * @description Stock keeping unit when ordered.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Pieces asked for.
             * @example 3
             */
            requested: number;
            /**
             * @description Pieces that can be sold now.
             * @example 1
             */
            available: number;
        };
        SkuInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description Another variant of the product, or of one that is not archived, has this `sku`, perhaps in another case.
                 * @enum {string}
                 */
                code: "sku_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The variant that has the SKU. */
                    existingId: string;
                    /**
                     * @description The SKU as that variant has it.
                     * @example ANK-MAX-M-IND
                     */
                    sku: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        SlugInUseError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "conflict_error";
                /**
                 * @description Another product already has this `slug`.
                 * @enum {string}
                 */
                code: "slug_in_use";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The product that has the slug. */
                    existingId: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description One change of a variant’s stock, and the levels it left. It never changes. */
        StockMovement: {
            /**
             * @description Identifier of an entry of the stock ledger.
             * @example mov_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            variantId: string;
            reason: components["schemas"]["MovementReason"];
            /** @description The order it was for. */
            orderId: string | null;
            /** @description The refund it was for. */
            refundId: string | null;
            /**
             * @description How many pieces came or went.
             * @example 12
             */
            onHandDelta: number;
            /**
             * @description How many more, or fewer, are promised to orders.
             * @example 0
             */
            reservedDelta: number;
            /**
             * @description Pieces in the shop.
             * @example 20
             */
            onHand: number;
            /**
             * @description Pieces promised to orders.
             * @example 0
             */
            reserved: number;
            /** @description A note among staff. */
            note: string | null;
            /**
             * Format: date-time
             * @description When the stock changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
        };
        StockMovementPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["StockMovement"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What is added to the fares of a zone, and why. */
        Surge: {
            /**
             * @description Identifier of the zone.
             * @example lag-lekki-1
             */
            zoneId: string;
            /**
             * @description What the fare is multiplied by, with two decimals; 1 when it is not raised.
             * @example 1.15
             */
            multiplier: number;
            /**
             * @description The same in words: `elevated` from 1.05, `high` from 1.3, `very_high` from 1.6.
             * @example elevated
             * @enum {string}
             */
            level: "normal" | "elevated" | "high" | "very_high";
            /**
             * @description What that adds to an on-demand price here, rounded to 5,000: the same for each offer, but never more than `multiplier` makes of the offer itself. In kobo.
             * @example 30000
             */
            surgeKobo: number;
            /**
             * @description The base fare of the zone that this is reckoned from. In kobo.
             * @example 200000
             */
            referenceFareKobo: number;
            /**
             * @description What it is added to: on-demand prices by a rate card. A price that a carrier makes by the moment has it inside, and slower services have none.
             * @example [
             *       "rate_card"
             *     ]
             */
            appliesTo: "rate_card"[];
            /**
             * @description `observed`: by the formula; `insufficient_data`: too little was seen, so nothing is added; `frozen` and `override`: set by an operator. More values may be added.
             * @example observed
             * @enum {string}
             */
            basis: "observed" | "insufficient_data" | "frozen" | "override";
            /**
             * Format: date-time
             * @description When it was reckoned.
             * @example 2026-11-21T08:30:00.000Z
             */
            computedAt: string;
            /**
             * Format: date-time
             * @description When the next one is published.
             * @example 2026-11-21T08:30:00.000Z
             */
            validUntil: string;
            /**
             * @description Where it is going: the smoothed number beside that of the publication before.
             * @example rising
             * @enum {string}
             */
            trend: "rising" | "steady" | "falling";
            /** @description Why. Factors are printed with six decimals; their product, rounded to two, is always `multiplier`. Empty where none was in force. */
            factors: components["schemas"]["SurgeFactor"][];
            /**
             * @description On how many riders found and answers of carriers of the last 45 minutes it rests.
             * @example 41
             */
            sampleSize: number;
            /**
             * @description What it never rises above.
             * @example 2
             */
            cap: number;
            /** @description Identifier of this publication, which quotes name; null where none was in force. */
            snapshotId: string | null;
        };
        /** @description One of the reasons for a multiplier. */
        SurgeFactor: {
            /**
             * @description `assignment_time`: how long riders take to be found; `no_courier_rate`: how often a carrier has none; `market_price`: what carriers that price by the moment ask; `demand`: how much is sent; `blend_and_smoothing`: what the city, the neighbours, smoothing, limits, steps and operators made of these.
             * @example assignment_time
             * @enum {string}
             */
            code: "assignment_time" | "no_courier_rate" | "market_price" | "demand" | "blend_and_smoothing";
            /**
             * @description What it multiplies by, with six decimals.
             * @example 1.081109
             */
            factor: number;
            /**
             * @description What was seen, the last minutes counting most; null for `blend_and_smoothing`.
             * @example 415
             */
            observed: number | null;
            /**
             * @description What is usual at this hour of the week; null where that is not known yet.
             * @example 320
             */
            baseline: number | null;
            /**
             * @description What both are counted in; null for `blend_and_smoothing`.
             * @example seconds
             */
            unit: ("seconds" | "ratio" | "per_minute") | null;
        };
        SurgeNotKeptError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The moment lies ahead, or longer ago than published surges are kept.
                 * @enum {string}
                 */
                code: "surge_not_kept";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        TimeInPastError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description A time that has to lie ahead has passed, or lies further ahead than 30 days.
                 * @enum {string}
                 */
                code: "time_in_past";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description Which it is.
                     * @example scheduleAt
                     */
                    field: string;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description When something is expected, with how sure that is. */
        TimeSpan: {
            /**
             * Format: date-time
             * @description In half of all cases by then.
             * @example 2026-11-21T08:30:00.000Z
             */
            p50: string;
            /**
             * Format: date-time
             * @description In nine of ten cases by then.
             * @example 2026-11-21T08:30:00.000Z
             */
            p90: string;
        };
        /** @description A stretch of time of at least ten minutes. */
        TimeWindow: {
            /**
             * Format: date-time
             * @description Not before.
             * @example 2026-11-21T09:30:00+01:00
             */
            from: string;
            /**
             * Format: date-time
             * @description Not after.
             * @example 2026-11-21T09:30:00+01:00
             */
            to: string;
        };
        TokenExpiredError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "authentication_error";
                /**
                 * @description The token has passed its expiry.
                 * @enum {string}
                 */
                code: "token_expired";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 401;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        TokenRevokedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "authentication_error";
                /**
                 * @description The token was revoked.
                 * @enum {string}
                 */
                code: "token_revoked";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 401;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        TotalMismatchError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The order’s total differs from `expectedTotalKobo`.
                 * @enum {string}
                 */
                code: "total_mismatch";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The total that was expected.
                     * @example 1500000
                     */
                    expectedKobo: number;
                    /**
                     * @description The total now.
                     * @example 1650000
                     */
                    actualKobo: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description When it is expected to arrive. */
        TrackedEstimate: {
            /**
             * Format: date-time
             * @description In half of all cases by then.
             * @example 2026-11-21T08:30:00.000Z
             */
            p50: string;
            /**
             * Format: date-time
             * @description In nine of ten cases by then.
             * @example 2026-11-21T08:30:00.000Z
             */
            p90: string;
            /**
             * @description Whose word it is: the carrier’s. More values may be added.
             * @example carrier
             * @enum {string}
             */
            basis: "carrier";
        };
        /** @description One step of its way. */
        TrackedEvent: {
            status: components["schemas"]["ShipmentStatus"];
            /**
             * @description The same in words.
             * @example A rider was assigned.
             */
            description: string;
            /**
             * Format: date-time
             * @description When it happened, by the clock of whoever told.
             * @example 2026-11-21T08:30:00.000Z
             */
            at: string;
        };
        /** @description Where the rider was last, to about ten metres. It is as told, never made up in between. */
        TrackedPosition: {
            /**
             * @description Degrees north, within Nigeria.
             * @example 6.4474
             */
            lat: number;
            /**
             * @description Degrees east, within Nigeria.
             * @example 3.4723
             */
            lng: number;
            /**
             * @description Where the rider is headed: 0 is north, 90 is east.
             * @example 90
             */
            headingDegrees: number | null;
            /**
             * Format: date-time
             * @description When the rider was there, by the carrier’s clock.
             * @example 2026-11-21T08:30:00.000Z
             */
            recordedAt: string;
            /**
             * Format: date-time
             * @description When this service learnt of it.
             * @example 2026-11-21T08:30:00.000Z
             */
            receivedAt: string;
            /**
             * @description How long ago that was when this was answered.
             * @example 8
             */
            ageSeconds: number;
            /** @description Whether a newer one should have come by now: the rider may be elsewhere. */
            stale: boolean;
            /**
             * @description Whether the carrier told it by itself or was asked.
             * @example callback
             * @enum {string}
             */
            source: "callback" | "poll";
        };
        /** @description Where a shipment is. */
        Tracking: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            shipmentId: string;
            status: components["schemas"]["ShipmentStatus"];
            /**
             * @description Counts its changes; it is its ETag, too.
             * @example 3
             */
            version: number;
            /**
             * @description Counts the positions; with `version` it is the ETag.
             * @example 17
             */
            positionNumber: number;
            /**
             * Format: date-time
             * @description When this was answered.
             * @example 2026-11-21T08:30:00.000Z
             */
            asOf: string;
            /**
             * @description When to ask again, in seconds; 0 once nothing more will happen.
             * @example 20
             */
            pollAfterSeconds: number;
            /**
             * @description Whether the carrier tells where its rider is, now: false before the first place and once it is stale.
             * @example true
             */
            live: boolean;
            /** @description Where the rider is; null before one is named, once it is over, and where the carrier does not tell. */
            position: components["schemas"]["TrackedPosition"] | null;
            /** @description Where the rider may be while his place is not told, or is stale. Null while it is, and where too little is known: both points and both times have to be. */
            estimatedPosition: components["schemas"]["EstimatedPosition"] | null;
            /**
             * @description From there to the pickup, or to the dropoff once it is fetched, as the crow flies.
             * @example 1200
             */
            distanceToNextStopMeters: number | null;
            /** @description When it is expected to arrive; null if nothing is known. */
            eta: components["schemas"]["TrackedEstimate"] | null;
            /** @description Who carries it; null while nobody is named, and once it is over. */
            courier: components["schemas"]["Courier"] | null;
            /** @description The carrier’s own page about it. */
            trackingUrl: string | null;
            /** @description Its last steps, newest first. What came too late to count is only in the shipment. */
            events: components["schemas"]["TrackedEvent"][];
        };
        UnknownParameterError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "validation_error";
                /**
                 * @description The query holds a parameter this operation does not have.
                 * @enum {string}
                 */
                code: "unknown_parameter";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Every problem found, at most 20. */
                errors: components["schemas"]["Problem"][];
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        UnsupportedMediaTypeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "request_error";
                /**
                 * @description The body is not declared as uncompressed `application/json` in UTF-8.
                 * @enum {string}
                 */
                code: "unsupported_media_type";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 415;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ValidationFailedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "validation_error";
                /**
                 * @description One or more values do not fit the schema; `errors` lists each of them.
                 * @enum {string}
                 */
                code: "validation_failed";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 400;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Every problem found, at most 20. */
                errors: components["schemas"]["Problem"][];
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description One thing that can be bought: a size and colour of a product, with its price and stock. */
        Variant: {
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Stock keeping unit; unique per merchant in what is not archived, whatever its case.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Its option values, in the order of the options.
             * @example M / Indigo
             */
            title: string;
            /**
             * @description The chosen value of each option.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues: {
                [key: string]: string;
            };
            /**
             * @description What one piece costs. In kobo.
             * @example 1500000
             */
            priceKobo: number;
            /** @description What it cost before a sale, in kobo. */
            compareAtPriceKobo: number | null;
            /** @description What the merchant paid for it, in kobo. */
            costKobo: number | null;
            /** @description GTIN, EAN or the merchant’s own. */
            barcode: string | null;
            /** @description Weight of one piece, for shipping. */
            weightGrams: number | null;
            /** @description Its picture, one of the product’s. */
            imageId: string | null;
            /**
             * @description Sorts the variants.
             * @example 0
             */
            position: number;
            inventory: components["schemas"]["Inventory"];
        };
        /** @description A variant of a product that exists. */
        VariantInput: {
            /**
             * @description Stock keeping unit; made up when left out.
             * @example ANK-MAX-M-IND
             */
            sku?: string;
            /**
             * @description The chosen value of each option.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues?: {
                [key: string]: string;
            };
            /**
             * @description What one piece costs. In kobo.
             * @example 1500000
             */
            priceKobo: number;
            /**
             * @description What it cost before a sale; more than the price. In kobo.
             * @example 1800000
             */
            compareAtPriceKobo?: number;
            /**
             * @description What the merchant paid for it. In kobo.
             * @example 900000
             */
            costKobo?: number;
            /**
             * @description GTIN, EAN or the merchant’s own.
             * @example 6154000012345
             */
            barcode?: string;
            /**
             * @description Weight of one piece, for shipping.
             * @example 450
             */
            weightGrams?: number;
            inventory?: components["schemas"]["OpeningInventoryInput"];
            /**
             * @description Its picture, one of the product’s.
             * @example img_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            imageId?: string;
        };
        /** @description The stock of one variant; `id` is the variant’s. */
        VariantInventory: {
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of a product.
             * @example prd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            productId: string;
            /**
             * @description Stock keeping unit; unique per merchant in what is not archived, whatever its case.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Whether stock is counted; if not, it never runs out.
             * @example true
             */
            tracked: boolean;
            /**
             * @description Pieces in the shop.
             * @example 20
             */
            onHand: number;
            /**
             * @description Pieces promised to orders.
             * @example 0
             */
            reserved: number;
            /**
             * @description Pieces that can be sold now: on hand less reserved. Negative where fewer were found than promised.
             * @example 20
             */
            available: number;
            /** @description The variant’s own threshold; null leaves it to the product, and that to the merchant. */
            lowStockThreshold: number | null;
            /**
             * @description Whether more can be ordered than there is.
             * @example false
             */
            allowBackorder: boolean;
            /**
             * @description Whether its stock is low.
             * @example false
             */
            low: boolean;
        };
        VariantLimitReachedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description The product already has as many variants as it can have.
                 * @enum {string}
                 */
                code: "variant_limit_reached";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The most it can have.
                     * @example 100
                     */
                    limit: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        VariantNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description The merchant has no product variant with one of these ids.
                 * @enum {string}
                 */
                code: "variant_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /** @description The variant ids that are unknown. */
                    variantIds: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        VariantPatch: {
            /**
             * @description Stock keeping unit; unique per merchant in what is not archived, whatever its case.
             * @example ANK-MAX-M-IND
             */
            sku?: string;
            /**
             * @description The chosen value of each option.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues?: {
                [key: string]: string;
            };
            /**
             * @description What one piece costs. In kobo.
             * @example 1500000
             */
            priceKobo?: number;
            /** @description What it cost before a sale, in kobo; more than the price. Null ends the sale. */
            compareAtPriceKobo?: number | null;
            /** @description What the merchant paid for it, in kobo; null for unknown. */
            costKobo?: number | null;
            /** @description GTIN, EAN or your own; null for none. */
            barcode?: string | null;
            /** @description Weight of one piece, for shipping; null for unknown. */
            weightGrams?: number | null;
            /** @description Its picture, one of the product’s; null for none. */
            imageId?: string | null;
            inventory?: components["schemas"]["InventorySettingsPatch"];
        };
        /**
         * @description What a parcel goes by. More values may be added.
         * @enum {string}
         */
        Vehicle: "bike" | "car" | "van" | "truck";
        VersionConflictError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "precondition_error";
                /**
                 * @description The record has changed since the version named in `If-Match`.
                 * @enum {string}
                 */
                code: "version_conflict";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 412;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The version the record has now.
                     * @example 4
                     */
                    currentVersion: number;
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description An event, as it is delivered. Its `event` says which kind it is. */
        WebhookEvent: components["schemas"]["OrderCreatedEvent"] | components["schemas"]["OrderStatusChangedEvent"] | components["schemas"]["OrderRefundedEvent"] | components["schemas"]["InventoryLowStockEvent"] | components["schemas"]["ShipmentStatusChangedEvent"];
        WebhookEventPage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["WebhookEvent"][];
            pagination: components["schemas"]["Pagination"];
        };
        WindowMissedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "state_error";
                /**
                 * @description By what their carriers say, none of the offers that may be asked for keeps the windows of the quote.
                 * @enum {string}
                 */
                code: "window_missed";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 409;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description What was found, for programs. */
                details: {
                    /**
                     * @description The windows that would be missed.
                     * @example [
                     *       "dropoffWindow"
                     *     ]
                     */
                    windows: string[];
                };
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        /** @description A delivery zone. */
        Zone: {
            /**
             * @description Identifier of the zone.
             * @example lag-lekki-1
             */
            id: string;
            /**
             * @description What people call it.
             * @example Oniru and Lekki Phase 1
             */
            name: string;
            /**
             * @description The state it is in.
             * @example Lagos
             * @enum {string}
             */
            state: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /**
             * @description The city it belongs to.
             * @example Lagos
             */
            city: string;
            /**
             * @description Local government areas it takes in, wholly or in part.
             * @example [
             *       "Eti-Osa"
             *     ]
             */
            lgas: string[];
            /**
             * @description The best-known areas in it; there are more.
             * @example [
             *       "Lekki Phase 1"
             *     ]
             */
            areas: string[];
            centroid: components["schemas"]["Point"];
            /**
             * @description The rectangle around it: west, south, east, north.
             * @example [
             *       3.443,
             *       6.417,
             *       3.487,
             *       6.461
             *     ]
             */
            bbox: number[];
            /** @description Its outline; null unless asked for by `include`. */
            geometry: components["schemas"]["ZoneGeometry"] | null;
            /**
             * @description `draft`: outline, names, fares and speeds come from general knowledge and may be wrong at the edges; `checked`: somebody local has checked them. More values may be added.
             * @example draft
             * @enum {string}
             */
            boundaryStatus: "draft" | "checked";
            /**
             * @description How fast parcels can go. More values may be added.
             * @example [
             *       "on_demand"
             *     ]
             */
            serviceLevels: ("on_demand" | "same_day" | "next_day" | "standard")[];
            /**
             * @description Codes of the carriers that can be asked for a rider there: in live mode those the merchant is connected with, in test mode the simulated ones.
             * @example [
             *       "simulator-swift"
             *     ]
             */
            carriers: string[];
            /** @description When riders are about. */
            operatingHours: components["schemas"]["OperatingHours"][];
            /**
             * @description The zones one drives into from here.
             * @example [
             *       "lag-island",
             *       "lag-lekki-2"
             *     ]
             */
            neighbours: string[];
            /**
             * @description What a delivery costs before distance and weight, by this service’s own rate card. In kobo.
             * @example 200000
             */
            baseFareKobo: number;
            /**
             * @description What each kilometre adds beyond `includedMeters`. In kobo.
             * @example 15000
             */
            perKmKobo: number;
            /**
             * @description The way that `baseFareKobo` pays for.
             * @example 5000
             */
            includedMeters: number;
            /**
             * @description What each kilogram adds beyond `includedGrams`. In kobo.
             * @example 10000
             */
            perKgKobo: number;
            /**
             * @description The weight that `baseFareKobo` pays for.
             * @example 5000
             */
            includedGrams: number;
            /**
             * @description How fast a bike gets through by day, in kilometres an hour.
             * @example 18
             */
            averageSpeedKmh: number;
            /**
             * @description What the fare is multiplied by at this moment; 1 when it is not raised.
             * @example 1
             */
            surgeMultiplier: number;
            /**
             * @description How far the point in `near` is from the zone, 0 for the zone it is in; null without `near`.
             * @example null
             */
            distanceMeters: number | null;
            /**
             * @description Whether parcels are taken; only such zones are listed.
             * @example true
             */
            active: boolean;
            /**
             * Format: date-time
             * @description When the zone was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
        };
        /** @description The outline, as GeoJSON (RFC 7946). */
        ZoneGeometry: {
            /**
             * @description Always MultiPolygon.
             * @example MultiPolygon
             * @enum {string}
             */
            type: "MultiPolygon";
            /**
             * @description Polygons, each of them rings, each of those positions: longitude first, the last the same as the first.
             * @example [
             *       [
             *         [
             *           [
             *             3.4435,
             *             6.417
             *           ],
             *           [
             *             3.487,
             *             6.42
             *           ],
             *           [
             *             3.485,
             *             6.461
             *           ],
             *           [
             *             3.4435,
             *             6.417
             *           ]
             *         ]
             *       ]
             *     ]
             */
            coordinates: number[][][][];
        };
        ZoneNotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The family of the code.
                 * @enum {string}
                 */
                type: "not_found";
                /**
                 * @description There is no active delivery zone with this id.
                 * @enum {string}
                 */
                code: "zone_not_found";
                /**
                 * @description The HTTP status.
                 * @enum {number}
                 */
                status: 404;
                /** @description What was found. For people; it may change. */
                message: string;
                /** @description Nothing more is known for this code. */
                details: Record<string, never>;
                /**
                 * @description Whether the same request may succeed later.
                 * @enum {boolean}
                 */
                retryable: false;
                /** @description Name it when asking for help; the Request-Id header repeats it. */
                requestId: string;
                /** @description Page that explains the code, relative to the service’s root. */
                docUrl: string;
            };
        };
        ZonePage: {
            /** @description The records of this page, newest first. */
            data: components["schemas"]["Zone"][];
            pagination: components["schemas"]["Pagination"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrders: {
        parameters: {
            query?: {
                /** @description Only orders in one of these states. */
                status?: ("pending" | "on_hold" | "processing" | "shipped" | "delivered" | "returned" | "cancelled")[];
                /** @description Only orders with one of these payment statuses. */
                paymentStatus?: ("unpaid" | "partially_paid" | "paid" | "partially_refunded" | "refunded")[];
                /** @description Only orders with one of these fulfilment statuses. */
                fulfillmentStatus?: ("unfulfilled" | "partially_fulfilled" | "fulfilled" | "partially_returned" | "returned")[];
                /** @description Only orders created at this moment or later. */
                createdFrom?: string;
                /** @description Only orders created before this moment. */
                createdTo?: string;
                /** @description Only orders changed at this moment or later. */
                updatedFrom?: string;
                /** @description Identifier of a customer. */
                customerId?: string;
                /** @description Only orders of this e-mail address, whatever its case. */
                customerEmail?: string;
                /** @description Human-readable order number. The last character checks the others. */
                number?: string;
                /** @description The integrator’s own name for the order; unique per merchant. */
                externalReference?: string;
                /** @description Finds a part of the order number, or of the customer’s name, e-mail or phone. */
                q?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "number": "ORD-7K2M9QX4",
                     *           "status": "pending",
                     *           "totalKobo": 3250000,
                     *           "currency": "NGN",
                     *           "createdAt": "2026-11-21T08:30:00.000Z",
                     *           "customer": {
                     *             "name": "Adaeze Okafor",
                     *             "email": "adaeze.okafor@example.com"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": {
                 *         "name": "Adaeze Okafor",
                 *         "email": "adaeze.okafor@example.com",
                 *         "phone": "+2348031234567"
                 *       },
                 *       "items": [
                 *         {
                 *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *           "quantity": 2
                 *         }
                 *       ],
                 *       "shippingAddress": {
                 *         "line1": "12 Admiralty Way",
                 *         "city": "Lekki"
                 *       },
                 *       "shippingKobo": 250000,
                 *       "paymentMethod": "bank_transfer",
                 *       "externalReference": "shop-10042"
                 *     }
                 */
                "application/json": components["schemas"]["OrderInput"];
            };
        };
        responses: {
            /** @description The order. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "number": "ORD-7K2M9QX4",
                     *       "status": "pending",
                     *       "totalKobo": 3250000,
                     *       "currency": "NGN",
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "customer": {
                     *         "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *         "name": "Adaeze Okafor",
                     *         "email": "adaeze.okafor@example.com",
                     *         "phone": "+2348031234567"
                     *       },
                     *       "version": 1,
                     *       "paymentStatus": "unpaid",
                     *       "fulfillmentStatus": "unfulfilled",
                     *       "paymentMethod": "bank_transfer",
                     *       "items": [
                     *         {
                     *           "id": "itm_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "Ankara maxi dress",
                     *           "variantTitle": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "imageUrl": null,
                     *           "quantity": 2,
                     *           "fulfilledQuantity": 0,
                     *           "returnedQuantity": 0,
                     *           "cancelledQuantity": 0,
                     *           "refundedQuantity": 0,
                     *           "unitPriceKobo": 1500000,
                     *           "compareAtPriceKobo": null,
                     *           "subtotalKobo": 3000000,
                     *           "discountKobo": 0,
                     *           "taxRateBps": 0,
                     *           "taxKobo": 0,
                     *           "totalKobo": 3000000
                     *         }
                     *       ],
                     *       "subtotalKobo": 3000000,
                     *       "discountKobo": 0,
                     *       "shippingKobo": 250000,
                     *       "taxKobo": 0,
                     *       "taxInclusive": true,
                     *       "taxRateBps": 0,
                     *       "paidKobo": 0,
                     *       "refundedKobo": 0,
                     *       "refundPendingKobo": 0,
                     *       "refundableKobo": 0,
                     *       "balanceKobo": 3250000,
                     *       "discounts": [],
                     *       "shippingAddress": {
                     *         "recipientName": "Adaeze Okafor",
                     *         "phone": "+2348031234567",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": null,
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "area": "Lekki Phase 1",
                     *         "city": "Lekki",
                     *         "state": "Lagos",
                     *         "country": "NG",
                     *         "postalCode": null,
                     *         "instructions": null,
                     *         "latitude": 6.4474,
                     *         "longitude": 3.4723
                     *       },
                     *       "billingAddress": null,
                     *       "shipments": [],
                     *       "note": null,
                     *       "customerNote": null,
                     *       "tags": [],
                     *       "externalReference": "shop-10042",
                     *       "expiresAt": "2026-11-22T08:30:00.000Z",
                     *       "cancelReason": null,
                     *       "cancelNote": null,
                     *       "source": "api",
                     *       "allowedTransitions": [
                     *         "on_hold",
                     *         "processing",
                     *         "cancelled"
                     *       ],
                     *       "confirmedAt": null,
                     *       "paidAt": null,
                     *       "shippedAt": null,
                     *       "deliveredAt": null,
                     *       "cancelledAt": null,
                     *       "returnedAt": null,
                     *       "updatedAt": "2026-11-21T08:30:00.000Z",
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `customer_not_found`: The merchant has no customer with this id.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"] | components["schemas"]["VariantNotFoundError"];
                };
            };
            /**
             * @description `customer_anonymised`: The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
             *
             *     `product_not_available`: A product is a draft or archived and cannot be ordered.
             *
             *     `insufficient_stock`: Some variants have less stock than was asked for; `details.items` lists every one.
             *
             *     `discount_not_applicable`: A discount code does not count for this order; `details.reason` says why.
             *
             *     `total_mismatch`: The order’s total differs from `expectedTotalKobo`.
             *
             *     `amount_too_large`: A resulting amount would pass 100,000,000,000 kobo, the most one order can hold.
             *
             *     `external_reference_in_use`: Another record already has this `externalReference`, so this is probably a repeated request.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAnonymisedError"] | components["schemas"]["ProductNotAvailableError"] | components["schemas"]["InsufficientStockError"] | components["schemas"]["DiscountNotApplicableError"] | components["schemas"]["TotalMismatchError"] | components["schemas"]["AmountTooLargeError"] | components["schemas"]["ExternalReferenceInUseError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    previewOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": {
                 *         "name": "Adaeze Okafor",
                 *         "email": "adaeze.okafor@example.com",
                 *         "phone": "+2348031234567"
                 *       },
                 *       "items": [
                 *         {
                 *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *           "quantity": 2
                 *         }
                 *       ],
                 *       "shippingKobo": 250000,
                 *       "discountCodes": [
                 *         "DETTY10",
                 *         "OLD"
                 *       ],
                 *       "paymentMethod": "bank_transfer"
                 *     }
                 */
                "application/json": components["schemas"]["OrderInput"];
            };
        };
        responses: {
            /** @description What the order would cost. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalKobo": 2950000,
                     *       "currency": "NGN",
                     *       "canBeOrdered": false,
                     *       "items": [
                     *         {
                     *           "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "Ankara maxi dress",
                     *           "variantTitle": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "quantity": 2,
                     *           "unitPriceKobo": 1500000,
                     *           "compareAtPriceKobo": null,
                     *           "subtotalKobo": 3000000,
                     *           "discountKobo": 300000,
                     *           "taxRateBps": 0,
                     *           "taxKobo": 0,
                     *           "totalKobo": 2700000
                     *         }
                     *       ],
                     *       "subtotalKobo": 3000000,
                     *       "discountKobo": 300000,
                     *       "shippingKobo": 250000,
                     *       "taxKobo": 0,
                     *       "taxInclusive": true,
                     *       "taxRateBps": 0,
                     *       "discounts": [
                     *         {
                     *           "discountId": "dsc_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "code": "DETTY10",
                     *           "type": "percentage",
                     *           "amountKobo": 300000,
                     *           "allocations": [
                     *             {
                     *               "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *               "amountKobo": 300000
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "rejected": [
                     *         {
                     *           "code": "OLD",
                     *           "reason": "expired"
                     *         }
                     *       ],
                     *       "shortages": []
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPreview"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `customer_not_found`: The merchant has no customer with this id.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"] | components["schemas"]["VariantNotFoundError"];
                };
            };
            /**
             * @description `customer_anonymised`: The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
             *
             *     `product_not_available`: A product is a draft or archived and cannot be ordered.
             *
             *     `amount_too_large`: A resulting amount would pass 100,000,000,000 kobo, the most one order can hold.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAnonymisedError"] | components["schemas"]["ProductNotAvailableError"] | components["schemas"]["AmountTooLargeError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of an order. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "number": "ORD-7K2M9QX4",
                     *       "status": "pending",
                     *       "totalKobo": 3250000,
                     *       "currency": "NGN",
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "customer": {
                     *         "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *         "name": "Adaeze Okafor",
                     *         "email": "adaeze.okafor@example.com",
                     *         "phone": "+2348031234567"
                     *       },
                     *       "version": 1,
                     *       "paymentStatus": "unpaid",
                     *       "fulfillmentStatus": "unfulfilled",
                     *       "paymentMethod": "bank_transfer",
                     *       "items": [
                     *         {
                     *           "id": "itm_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "Ankara maxi dress",
                     *           "variantTitle": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "imageUrl": null,
                     *           "quantity": 2,
                     *           "fulfilledQuantity": 0,
                     *           "returnedQuantity": 0,
                     *           "cancelledQuantity": 0,
                     *           "refundedQuantity": 0,
                     *           "unitPriceKobo": 1500000,
                     *           "compareAtPriceKobo": null,
                     *           "subtotalKobo": 3000000,
                     *           "discountKobo": 0,
                     *           "taxRateBps": 0,
                     *           "taxKobo": 0,
                     *           "totalKobo": 3000000
                     *         }
                     *       ],
                     *       "subtotalKobo": 3000000,
                     *       "discountKobo": 0,
                     *       "shippingKobo": 250000,
                     *       "taxKobo": 0,
                     *       "taxInclusive": true,
                     *       "taxRateBps": 0,
                     *       "paidKobo": 0,
                     *       "refundedKobo": 0,
                     *       "refundPendingKobo": 0,
                     *       "refundableKobo": 0,
                     *       "balanceKobo": 3250000,
                     *       "discounts": [],
                     *       "shippingAddress": {
                     *         "recipientName": "Adaeze Okafor",
                     *         "phone": "+2348031234567",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": null,
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "area": "Lekki Phase 1",
                     *         "city": "Lekki",
                     *         "state": "Lagos",
                     *         "country": "NG",
                     *         "postalCode": null,
                     *         "instructions": null,
                     *         "latitude": 6.4474,
                     *         "longitude": 3.4723
                     *       },
                     *       "billingAddress": null,
                     *       "shipments": [],
                     *       "note": null,
                     *       "customerNote": null,
                     *       "tags": [],
                     *       "externalReference": "shop-10042",
                     *       "expiresAt": "2026-11-22T08:30:00.000Z",
                     *       "cancelReason": null,
                     *       "cancelNote": null,
                     *       "source": "api",
                     *       "allowedTransitions": [
                     *         "on_hold",
                     *         "processing",
                     *         "cancelled"
                     *       ],
                     *       "confirmedAt": null,
                     *       "paidAt": null,
                     *       "shippedAt": null,
                     *       "deliveredAt": null,
                     *       "cancelledAt": null,
                     *       "returnedAt": null,
                     *       "updatedAt": "2026-11-21T08:30:00.000Z",
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `order_not_found`: The merchant has no order with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of an order. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Gift: leave out the receipt.",
                 *       "tags": [
                 *         "gift"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["OrderUpdate"];
            };
        };
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "number": "ORD-7K2M9QX4",
                     *       "status": "pending",
                     *       "totalKobo": 3250000,
                     *       "currency": "NGN",
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "customer": {
                     *         "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *         "name": "Adaeze Okafor",
                     *         "email": "adaeze.okafor@example.com",
                     *         "phone": "+2348031234567"
                     *       },
                     *       "version": 2,
                     *       "paymentStatus": "unpaid",
                     *       "fulfillmentStatus": "unfulfilled",
                     *       "paymentMethod": "bank_transfer",
                     *       "items": [
                     *         {
                     *           "id": "itm_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "Ankara maxi dress",
                     *           "variantTitle": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "imageUrl": null,
                     *           "quantity": 2,
                     *           "fulfilledQuantity": 0,
                     *           "returnedQuantity": 0,
                     *           "cancelledQuantity": 0,
                     *           "refundedQuantity": 0,
                     *           "unitPriceKobo": 1500000,
                     *           "compareAtPriceKobo": null,
                     *           "subtotalKobo": 3000000,
                     *           "discountKobo": 0,
                     *           "taxRateBps": 0,
                     *           "taxKobo": 0,
                     *           "totalKobo": 3000000
                     *         }
                     *       ],
                     *       "subtotalKobo": 3000000,
                     *       "discountKobo": 0,
                     *       "shippingKobo": 250000,
                     *       "taxKobo": 0,
                     *       "taxInclusive": true,
                     *       "taxRateBps": 0,
                     *       "paidKobo": 0,
                     *       "refundedKobo": 0,
                     *       "refundPendingKobo": 0,
                     *       "refundableKobo": 0,
                     *       "balanceKobo": 3250000,
                     *       "discounts": [],
                     *       "shippingAddress": {
                     *         "recipientName": "Adaeze Okafor",
                     *         "phone": "+2348031234567",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": null,
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "area": "Lekki Phase 1",
                     *         "city": "Lekki",
                     *         "state": "Lagos",
                     *         "country": "NG",
                     *         "postalCode": null,
                     *         "instructions": null,
                     *         "latitude": 6.4474,
                     *         "longitude": 3.4723
                     *       },
                     *       "billingAddress": null,
                     *       "shipments": [],
                     *       "note": "Gift: leave out the receipt.",
                     *       "customerNote": null,
                     *       "tags": [
                     *         "gift"
                     *       ],
                     *       "externalReference": "shop-10042",
                     *       "expiresAt": "2026-11-22T08:30:00.000Z",
                     *       "cancelReason": null,
                     *       "cancelNote": null,
                     *       "source": "api",
                     *       "allowedTransitions": [
                     *         "on_hold",
                     *         "processing",
                     *         "cancelled"
                     *       ],
                     *       "confirmedAt": null,
                     *       "paidAt": null,
                     *       "shippedAt": null,
                     *       "deliveredAt": null,
                     *       "cancelledAt": null,
                     *       "returnedAt": null,
                     *       "updatedAt": "2026-11-21T08:30:00.000Z",
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `order_not_found`: The merchant has no order with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"];
                };
            };
            /**
             * @description `order_not_editable`: Pieces of the order have left the shop, or it is over, so where it goes and to whom is settled.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotEditableError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    transitionOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of an order. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "shipped",
                 *       "reason": "handed_to_rider"
                 *     }
                 */
                "application/json": components["schemas"]["OrderTransitionInput"];
            };
        };
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ord_01jd3f8q6hf5n8v1zr4c7e2m9m",
                     *       "number": "ORD-7K2M9QX4",
                     *       "status": "on_hold",
                     *       "totalKobo": 3250000,
                     *       "currency": "NGN",
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "customer": {
                     *         "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *         "name": "Adaeze Okafor",
                     *         "email": "adaeze.okafor@example.com",
                     *         "phone": "+2348031234567"
                     *       },
                     *       "version": 2,
                     *       "paymentStatus": "unpaid",
                     *       "fulfillmentStatus": "unfulfilled",
                     *       "paymentMethod": "bank_transfer",
                     *       "items": [
                     *         {
                     *           "id": "itm_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "Ankara maxi dress",
                     *           "variantTitle": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "imageUrl": null,
                     *           "quantity": 2,
                     *           "fulfilledQuantity": 0,
                     *           "returnedQuantity": 0,
                     *           "cancelledQuantity": 0,
                     *           "refundedQuantity": 0,
                     *           "unitPriceKobo": 1500000,
                     *           "compareAtPriceKobo": null,
                     *           "subtotalKobo": 3000000,
                     *           "discountKobo": 0,
                     *           "taxRateBps": 0,
                     *           "taxKobo": 0,
                     *           "totalKobo": 3000000
                     *         }
                     *       ],
                     *       "subtotalKobo": 3000000,
                     *       "discountKobo": 0,
                     *       "shippingKobo": 250000,
                     *       "taxKobo": 0,
                     *       "taxInclusive": true,
                     *       "taxRateBps": 0,
                     *       "paidKobo": 0,
                     *       "refundedKobo": 0,
                     *       "refundPendingKobo": 0,
                     *       "refundableKobo": 0,
                     *       "balanceKobo": 3250000,
                     *       "discounts": [],
                     *       "shippingAddress": {
                     *         "recipientName": "Adaeze Okafor",
                     *         "phone": "+2348031234567",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": null,
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "area": "Lekki Phase 1",
                     *         "city": "Lekki",
                     *         "state": "Lagos",
                     *         "country": "NG",
                     *         "postalCode": null,
                     *         "instructions": null,
                     *         "latitude": 6.4474,
                     *         "longitude": 3.4723
                     *       },
                     *       "billingAddress": null,
                     *       "shipments": [],
                     *       "note": null,
                     *       "customerNote": null,
                     *       "tags": [],
                     *       "externalReference": "shop-10042",
                     *       "expiresAt": null,
                     *       "cancelReason": null,
                     *       "cancelNote": null,
                     *       "source": "api",
                     *       "allowedTransitions": [
                     *         "pending",
                     *         "cancelled"
                     *       ],
                     *       "confirmedAt": null,
                     *       "paidAt": null,
                     *       "shippedAt": null,
                     *       "deliveredAt": null,
                     *       "cancelledAt": null,
                     *       "returnedAt": null,
                     *       "updatedAt": "2026-11-21T08:30:00.000Z",
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `order_not_found`: The merchant has no order with this id.
             *
             *     `item_not_found`: The order has no line with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"] | components["schemas"]["ItemNotFoundError"];
                };
            };
            /**
             * @description `invalid_transition`: The record cannot move from its status to the one asked for.
             *
             *     `insufficient_stock`: Some variants have less stock than was asked for; `details.items` lists every one.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTransitionError"] | components["schemas"]["InsufficientStockError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of an order. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "customer",
                 *       "note": "Ordered the wrong size."
                 *     }
                 */
                "application/json": components["schemas"]["OrderCancelInput"];
            };
        };
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ord_01jd3f8q6hf5n8v1zr4c7e2m9n",
                     *       "number": "ORD-7K2M9QX4",
                     *       "status": "cancelled",
                     *       "totalKobo": 3250000,
                     *       "currency": "NGN",
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "customer": {
                     *         "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *         "name": "Adaeze Okafor",
                     *         "email": "adaeze.okafor@example.com",
                     *         "phone": "+2348031234567"
                     *       },
                     *       "version": 2,
                     *       "paymentStatus": "unpaid",
                     *       "fulfillmentStatus": "unfulfilled",
                     *       "paymentMethod": "bank_transfer",
                     *       "items": [
                     *         {
                     *           "id": "itm_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "Ankara maxi dress",
                     *           "variantTitle": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "imageUrl": null,
                     *           "quantity": 2,
                     *           "fulfilledQuantity": 0,
                     *           "returnedQuantity": 0,
                     *           "cancelledQuantity": 0,
                     *           "refundedQuantity": 0,
                     *           "unitPriceKobo": 1500000,
                     *           "compareAtPriceKobo": null,
                     *           "subtotalKobo": 3000000,
                     *           "discountKobo": 0,
                     *           "taxRateBps": 0,
                     *           "taxKobo": 0,
                     *           "totalKobo": 3000000
                     *         }
                     *       ],
                     *       "subtotalKobo": 3000000,
                     *       "discountKobo": 0,
                     *       "shippingKobo": 250000,
                     *       "taxKobo": 0,
                     *       "taxInclusive": true,
                     *       "taxRateBps": 0,
                     *       "paidKobo": 0,
                     *       "refundedKobo": 0,
                     *       "refundPendingKobo": 0,
                     *       "refundableKobo": 0,
                     *       "balanceKobo": 3250000,
                     *       "discounts": [],
                     *       "shippingAddress": {
                     *         "recipientName": "Adaeze Okafor",
                     *         "phone": "+2348031234567",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": null,
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "area": "Lekki Phase 1",
                     *         "city": "Lekki",
                     *         "state": "Lagos",
                     *         "country": "NG",
                     *         "postalCode": null,
                     *         "instructions": null,
                     *         "latitude": 6.4474,
                     *         "longitude": 3.4723
                     *       },
                     *       "billingAddress": null,
                     *       "shipments": [],
                     *       "note": null,
                     *       "customerNote": null,
                     *       "tags": [],
                     *       "externalReference": "shop-10042",
                     *       "expiresAt": null,
                     *       "cancelReason": "customer",
                     *       "cancelNote": "Ordered the wrong size.",
                     *       "source": "api",
                     *       "allowedTransitions": [],
                     *       "confirmedAt": null,
                     *       "paidAt": null,
                     *       "shippedAt": null,
                     *       "deliveredAt": null,
                     *       "cancelledAt": "2026-11-21T09:00:00.000Z",
                     *       "returnedAt": null,
                     *       "updatedAt": "2026-11-21T09:00:00.000Z",
                     *       "metadata": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `order_not_found`: The merchant has no order with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"];
                };
            };
            /**
             * @description `order_not_cancellable`: Pieces of the order have left the shop, so it can come back but not be cancelled.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotCancellableError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    recordPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path: {
                /** @description Identifier of an order. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amountKobo": 3250000,
                 *       "method": "bank_transfer",
                 *       "reference": "GTB-2026112108-00042"
                 *     }
                 */
                "application/json": components["schemas"]["PaymentInput"];
            };
        };
        responses: {
            /** @description The payment. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "pay_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9p",
                     *       "amountKobo": 3250000,
                     *       "currency": "NGN",
                     *       "method": "bank_transfer",
                     *       "reference": "GTB-2026112108-00042",
                     *       "provider": "manual",
                     *       "paidAt": "2026-11-21T09:00:00.000Z",
                     *       "disputedAt": null,
                     *       "disputeLostKobo": 0,
                     *       "createdAt": "2026-11-21T09:00:00.000Z",
                     *       "order": {
                     *         "status": "processing",
                     *         "paymentStatus": "paid",
                     *         "paidKobo": 3250000,
                     *         "balanceKobo": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Payment"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `order_not_found`: The merchant has no order with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"];
                };
            };
            /**
             * @description `payment_reference_in_use`: A payment with this `reference` is already recorded, so this is probably a repeated request.
             *
             *     `amount_too_large`: A resulting amount would pass 100,000,000,000 kobo, the most one order can hold.
             *
             *     `payment_not_verified`: The payment provider does not confirm the payment as it was sent.
             *
             *     `payment_provider_not_connected`: The merchant has not connected a Paystack account, so no payment can be verified.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentReferenceInUseError"] | components["schemas"]["AmountTooLargeError"] | components["schemas"]["PaymentNotVerifiedError"] | components["schemas"]["PaymentProviderNotConnectedError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `payment_provider_unavailable`: The payment provider did not answer, or its answer could not be read. Nothing was recorded.
             *
             *     `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentProviderUnavailableError"] | components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Identifier of an order. */
                orderId?: string;
                /** @description Only the payment with this reference. */
                reference?: string;
                /** @description Only payments recorded at this moment or later. */
                createdFrom?: string;
                /** @description Only payments recorded before this moment. */
                createdTo?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pay_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "amountKobo": 3250000,
                     *           "currency": "NGN",
                     *           "method": "bank_transfer",
                     *           "reference": "GTB-2026112108-00042",
                     *           "provider": "manual",
                     *           "paidAt": "2026-11-21T09:00:00.000Z",
                     *           "disputedAt": null,
                     *           "disputeLostKobo": 0,
                     *           "createdAt": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Only products in one of these states; those that are not archived when left out. */
                status?: ("draft" | "active" | "archived")[];
                /** @description Finds a part of the title, brand, category or of a variant’s SKU. */
                q?: string;
                /** @description Only the product with this SKU, whatever its case. */
                sku?: string;
                /** @description Only this category, whatever its case. */
                category?: string;
                /** @description Only products with this tag. */
                tag?: string;
                /** @description Only products of which something, or with `false` nothing, can be sold now. */
                inStock?: boolean;
                /** @description Only products with a variant whose stock is low, or with `false` without one. */
                lowStock?: boolean;
                /** @description Only products with a variant at this price or more, in kobo. */
                priceMinKobo?: number;
                /** @description Only products with a variant at this price or less, in kobo. With both, one variant fits both. */
                priceMaxKobo?: number;
                /** @description Only products created at this moment or later. */
                createdFrom?: string;
                /** @description Only products created before this moment. */
                createdTo?: string;
                /** @description Only products changed at this moment or later, stock aside. */
                updatedFrom?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "title": "Ankara maxi dress",
                     *           "slug": "ankara-maxi-dress",
                     *           "description": "Floor-length dress in wax print, lined, with side pockets.",
                     *           "status": "active",
                     *           "currency": "NGN",
                     *           "options": [
                     *             {
                     *               "name": "size",
                     *               "values": [
                     *                 "M",
                     *                 "L"
                     *               ]
                     *             },
                     *             {
                     *               "name": "colour",
                     *               "values": [
                     *                 "Indigo"
                     *               ]
                     *             }
                     *           ],
                     *           "variants": [
                     *             {
                     *               "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *               "sku": "ANK-MAX-M-IND",
                     *               "title": "M / Indigo",
                     *               "optionValues": {
                     *                 "size": "M",
                     *                 "colour": "Indigo"
                     *               },
                     *               "priceKobo": 1500000,
                     *               "compareAtPriceKobo": 1800000,
                     *               "costKobo": 900000,
                     *               "barcode": null,
                     *               "weightGrams": 450,
                     *               "imageId": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *               "position": 0,
                     *               "inventory": {
                     *                 "tracked": true,
                     *                 "onHand": 20,
                     *                 "reserved": 2,
                     *                 "available": 18,
                     *                 "lowStockThreshold": null,
                     *                 "allowBackorder": false,
                     *                 "low": false
                     *               }
                     *             }
                     *           ],
                     *           "images": [
                     *             {
                     *               "id": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *               "url": "https://cdn.example.com/ankara-maxi.jpg",
                     *               "alt": "Front view",
                     *               "position": 0,
                     *               "variantIds": [
                     *                 "var_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *               ]
                     *             }
                     *           ],
                     *           "category": "Dresses",
                     *           "brand": null,
                     *           "tags": [
                     *             "ankara",
                     *             "women"
                     *           ],
                     *           "priceRange": {
                     *             "minKobo": 1500000,
                     *             "maxKobo": 1500000
                     *           },
                     *           "totalAvailable": 18,
                     *           "lowStockThreshold": null,
                     *           "taxExempt": false,
                     *           "metadata": {},
                     *           "version": 1,
                     *           "publishedAt": "2026-11-21T08:30:00.000Z",
                     *           "archivedAt": null,
                     *           "createdAt": "2026-11-21T08:30:00.000Z",
                     *           "updatedAt": "2026-11-21T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProductPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 1024 KiB, 10,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Ankara maxi dress",
                 *       "status": "active",
                 *       "options": [
                 *         {
                 *           "name": "size",
                 *           "values": [
                 *             "M",
                 *             "L"
                 *           ]
                 *         }
                 *       ],
                 *       "variants": [
                 *         {
                 *           "sku": "ANK-MAX-M",
                 *           "optionValues": {
                 *             "size": "M"
                 *           },
                 *           "priceKobo": 1500000,
                 *           "inventory": {
                 *             "onHand": 20
                 *           }
                 *         },
                 *         {
                 *           "sku": "ANK-MAX-L",
                 *           "optionValues": {
                 *             "size": "L"
                 *           },
                 *           "priceKobo": 1600000,
                 *           "inventory": {
                 *             "onHand": 12
                 *           }
                 *         }
                 *       ],
                 *       "images": [
                 *         {
                 *           "url": "https://cdn.example.com/ankara-maxi.jpg",
                 *           "alt": "Front view"
                 *         }
                 *       ],
                 *       "category": "Dresses",
                 *       "tags": [
                 *         "ankara",
                 *         "women"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ProductInput"];
            };
        };
        responses: {
            /** @description The product. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "title": "Ankara maxi dress",
                     *       "slug": "ankara-maxi-dress",
                     *       "description": "Floor-length dress in wax print, lined, with side pockets.",
                     *       "status": "active",
                     *       "currency": "NGN",
                     *       "options": [
                     *         {
                     *           "name": "size",
                     *           "values": [
                     *             "M",
                     *             "L"
                     *           ]
                     *         },
                     *         {
                     *           "name": "colour",
                     *           "values": [
                     *             "Indigo"
                     *           ]
                     *         }
                     *       ],
                     *       "variants": [
                     *         {
                     *           "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "priceKobo": 1500000,
                     *           "compareAtPriceKobo": 1800000,
                     *           "costKobo": 900000,
                     *           "barcode": null,
                     *           "weightGrams": 450,
                     *           "imageId": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "position": 0,
                     *           "inventory": {
                     *             "tracked": true,
                     *             "onHand": 20,
                     *             "reserved": 2,
                     *             "available": 18,
                     *             "lowStockThreshold": null,
                     *             "allowBackorder": false,
                     *             "low": false
                     *           }
                     *         }
                     *       ],
                     *       "images": [
                     *         {
                     *           "id": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "url": "https://cdn.example.com/ankara-maxi.jpg",
                     *           "alt": "Front view",
                     *           "position": 0,
                     *           "variantIds": [
                     *             "var_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *           ]
                     *         }
                     *       ],
                     *       "category": "Dresses",
                     *       "brand": null,
                     *       "tags": [
                     *         "ankara",
                     *         "women"
                     *       ],
                     *       "priceRange": {
                     *         "minKobo": 1500000,
                     *         "maxKobo": 1500000
                     *       },
                     *       "totalAvailable": 18,
                     *       "lowStockThreshold": null,
                     *       "taxExempt": false,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "publishedAt": "2026-11-21T08:30:00.000Z",
                     *       "archivedAt": null,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `slug_in_use`: Another product already has this `slug`.
             *
             *     `sku_in_use`: Another variant of the product, or of one that is not archived, has this `sku`, perhaps in another case.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlugInUseError"] | components["schemas"]["SkuInUseError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of a product. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "title": "Ankara maxi dress",
                     *       "slug": "ankara-maxi-dress",
                     *       "description": "Floor-length dress in wax print, lined, with side pockets.",
                     *       "status": "active",
                     *       "currency": "NGN",
                     *       "options": [
                     *         {
                     *           "name": "size",
                     *           "values": [
                     *             "M",
                     *             "L"
                     *           ]
                     *         },
                     *         {
                     *           "name": "colour",
                     *           "values": [
                     *             "Indigo"
                     *           ]
                     *         }
                     *       ],
                     *       "variants": [
                     *         {
                     *           "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "priceKobo": 1500000,
                     *           "compareAtPriceKobo": 1800000,
                     *           "costKobo": 900000,
                     *           "barcode": null,
                     *           "weightGrams": 450,
                     *           "imageId": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "position": 0,
                     *           "inventory": {
                     *             "tracked": true,
                     *             "onHand": 20,
                     *             "reserved": 2,
                     *             "available": 18,
                     *             "lowStockThreshold": null,
                     *             "allowBackorder": false,
                     *             "low": false
                     *           }
                     *         }
                     *       ],
                     *       "images": [
                     *         {
                     *           "id": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "url": "https://cdn.example.com/ankara-maxi.jpg",
                     *           "alt": "Front view",
                     *           "position": 0,
                     *           "variantIds": [
                     *             "var_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *           ]
                     *         }
                     *       ],
                     *       "category": "Dresses",
                     *       "brand": null,
                     *       "tags": [
                     *         "ankara",
                     *         "women"
                     *       ],
                     *       "priceRange": {
                     *         "minKobo": 1500000,
                     *         "maxKobo": 1500000
                     *       },
                     *       "totalAvailable": 18,
                     *       "lowStockThreshold": null,
                     *       "taxExempt": false,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "publishedAt": "2026-11-21T08:30:00.000Z",
                     *       "archivedAt": null,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `product_not_found`: The merchant has no product with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a product. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product is gone. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9n",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedProduct"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `product_not_found`: The merchant has no product with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"];
                };
            };
            /**
             * @description `product_in_use`: Only a draft that was never ordered can be deleted.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductInUseError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a product. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 256 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "archived"
                 *     }
                 */
                "application/json": components["schemas"]["ProductPatch"];
            };
        };
        responses: {
            /** @description The product as it is now. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9m",
                     *       "title": "Ankara maxi dress",
                     *       "slug": "ankara-maxi-dress",
                     *       "description": "Floor-length dress in wax print, lined, with side pockets.",
                     *       "status": "archived",
                     *       "currency": "NGN",
                     *       "options": [
                     *         {
                     *           "name": "size",
                     *           "values": [
                     *             "M",
                     *             "L"
                     *           ]
                     *         },
                     *         {
                     *           "name": "colour",
                     *           "values": [
                     *             "Indigo"
                     *           ]
                     *         }
                     *       ],
                     *       "variants": [
                     *         {
                     *           "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "priceKobo": 1500000,
                     *           "compareAtPriceKobo": 1800000,
                     *           "costKobo": 900000,
                     *           "barcode": null,
                     *           "weightGrams": 450,
                     *           "imageId": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "position": 0,
                     *           "inventory": {
                     *             "tracked": true,
                     *             "onHand": 20,
                     *             "reserved": 2,
                     *             "available": 18,
                     *             "lowStockThreshold": null,
                     *             "allowBackorder": false,
                     *             "low": false
                     *           }
                     *         }
                     *       ],
                     *       "images": [
                     *         {
                     *           "id": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "url": "https://cdn.example.com/ankara-maxi.jpg",
                     *           "alt": "Front view",
                     *           "position": 0,
                     *           "variantIds": [
                     *             "var_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *           ]
                     *         }
                     *       ],
                     *       "category": "Dresses",
                     *       "brand": null,
                     *       "tags": [
                     *         "ankara",
                     *         "women"
                     *       ],
                     *       "priceRange": {
                     *         "minKobo": 1500000,
                     *         "maxKobo": 1500000
                     *       },
                     *       "totalAvailable": 18,
                     *       "lowStockThreshold": null,
                     *       "taxExempt": false,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "publishedAt": "2026-11-21T08:30:00.000Z",
                     *       "archivedAt": null,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `product_not_found`: The merchant has no product with this id.
             *
             *     `image_not_found`: The product has no image with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"] | components["schemas"]["ImageNotFoundError"];
                };
            };
            /**
             * @description `invalid_transition`: The record cannot move from its status to the one asked for.
             *
             *     `product_needs_variant`: An active product needs at least one variant with a price.
             *
             *     `options_in_use`: Some variants use a value that would go, or would no longer differ from one another.
             *
             *     `slug_in_use`: Another product already has this `slug`.
             *
             *     `sku_in_use`: Another variant of the product, or of one that is not archived, has this `sku`, perhaps in another case.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTransitionError"] | components["schemas"]["ProductNeedsVariantError"] | components["schemas"]["OptionsInUseError"] | components["schemas"]["SlugInUseError"] | components["schemas"]["SkuInUseError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createVariant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a product. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sku": "ANK-MAX-L-IND",
                 *       "optionValues": {
                 *         "size": "L",
                 *         "colour": "Indigo"
                 *       },
                 *       "priceKobo": 1600000,
                 *       "inventory": {
                 *         "onHand": 12
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VariantInput"];
            };
        };
        responses: {
            /** @description The product with its new variant. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "title": "Ankara maxi dress",
                     *       "slug": "ankara-maxi-dress",
                     *       "description": "Floor-length dress in wax print, lined, with side pockets.",
                     *       "status": "active",
                     *       "currency": "NGN",
                     *       "options": [
                     *         {
                     *           "name": "size",
                     *           "values": [
                     *             "M",
                     *             "L"
                     *           ]
                     *         },
                     *         {
                     *           "name": "colour",
                     *           "values": [
                     *             "Indigo"
                     *           ]
                     *         }
                     *       ],
                     *       "variants": [
                     *         {
                     *           "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "priceKobo": 1500000,
                     *           "compareAtPriceKobo": 1800000,
                     *           "costKobo": 900000,
                     *           "barcode": null,
                     *           "weightGrams": 450,
                     *           "imageId": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "position": 0,
                     *           "inventory": {
                     *             "tracked": true,
                     *             "onHand": 20,
                     *             "reserved": 2,
                     *             "available": 18,
                     *             "lowStockThreshold": null,
                     *             "allowBackorder": false,
                     *             "low": false
                     *           }
                     *         }
                     *       ],
                     *       "images": [
                     *         {
                     *           "id": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "url": "https://cdn.example.com/ankara-maxi.jpg",
                     *           "alt": "Front view",
                     *           "position": 0,
                     *           "variantIds": [
                     *             "var_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *           ]
                     *         }
                     *       ],
                     *       "category": "Dresses",
                     *       "brand": null,
                     *       "tags": [
                     *         "ankara",
                     *         "women"
                     *       ],
                     *       "priceRange": {
                     *         "minKobo": 1500000,
                     *         "maxKobo": 1500000
                     *       },
                     *       "totalAvailable": 18,
                     *       "lowStockThreshold": null,
                     *       "taxExempt": false,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "publishedAt": "2026-11-21T08:30:00.000Z",
                     *       "archivedAt": null,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `product_not_found`: The merchant has no product with this id.
             *
             *     `image_not_found`: The product has no image with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"] | components["schemas"]["ImageNotFoundError"];
                };
            };
            /**
             * @description `sku_in_use`: Another variant of the product, or of one that is not archived, has this `sku`, perhaps in another case.
             *
             *     `option_values_in_use`: Another variant of the product has the same option values.
             *
             *     `options_mismatch`: A variant has exactly one value of each option of its product, and these are others.
             *
             *     `variant_limit_reached`: The product already has as many variants as it can have.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkuInUseError"] | components["schemas"]["OptionValuesInUseError"] | components["schemas"]["OptionsMismatchError"] | components["schemas"]["VariantLimitReachedError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    deleteVariant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a product. */
                id: string;
                /** @description Identifier of a product variant. */
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product without the variant. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "title": "Ankara maxi dress",
                     *       "slug": "ankara-maxi-dress",
                     *       "description": "Floor-length dress in wax print, lined, with side pockets.",
                     *       "status": "active",
                     *       "currency": "NGN",
                     *       "options": [
                     *         {
                     *           "name": "size",
                     *           "values": [
                     *             "M",
                     *             "L"
                     *           ]
                     *         },
                     *         {
                     *           "name": "colour",
                     *           "values": [
                     *             "Indigo"
                     *           ]
                     *         }
                     *       ],
                     *       "variants": [
                     *         {
                     *           "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "priceKobo": 1500000,
                     *           "compareAtPriceKobo": 1800000,
                     *           "costKobo": 900000,
                     *           "barcode": null,
                     *           "weightGrams": 450,
                     *           "imageId": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "position": 0,
                     *           "inventory": {
                     *             "tracked": true,
                     *             "onHand": 20,
                     *             "reserved": 2,
                     *             "available": 18,
                     *             "lowStockThreshold": null,
                     *             "allowBackorder": false,
                     *             "low": false
                     *           }
                     *         }
                     *       ],
                     *       "images": [
                     *         {
                     *           "id": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "url": "https://cdn.example.com/ankara-maxi.jpg",
                     *           "alt": "Front view",
                     *           "position": 0,
                     *           "variantIds": [
                     *             "var_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *           ]
                     *         }
                     *       ],
                     *       "category": "Dresses",
                     *       "brand": null,
                     *       "tags": [
                     *         "ankara",
                     *         "women"
                     *       ],
                     *       "priceRange": {
                     *         "minKobo": 1500000,
                     *         "maxKobo": 1500000
                     *       },
                     *       "totalAvailable": 18,
                     *       "lowStockThreshold": null,
                     *       "taxExempt": false,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "publishedAt": "2026-11-21T08:30:00.000Z",
                     *       "archivedAt": null,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `product_not_found`: The merchant has no product with this id.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"] | components["schemas"]["VariantNotFoundError"];
                };
            };
            /**
             * @description `product_needs_variant`: An active product needs at least one variant with a price.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNeedsVariantError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    updateVariant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a product. */
                id: string;
                /** @description Identifier of a product variant. */
                variantId: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "priceKobo": 1400000,
                 *       "compareAtPriceKobo": 1500000
                 *     }
                 */
                "application/json": components["schemas"]["VariantPatch"];
            };
        };
        responses: {
            /** @description The product as it is now. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "title": "Ankara maxi dress",
                     *       "slug": "ankara-maxi-dress",
                     *       "description": "Floor-length dress in wax print, lined, with side pockets.",
                     *       "status": "active",
                     *       "currency": "NGN",
                     *       "options": [
                     *         {
                     *           "name": "size",
                     *           "values": [
                     *             "M",
                     *             "L"
                     *           ]
                     *         },
                     *         {
                     *           "name": "colour",
                     *           "values": [
                     *             "Indigo"
                     *           ]
                     *         }
                     *       ],
                     *       "variants": [
                     *         {
                     *           "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "sku": "ANK-MAX-M-IND",
                     *           "title": "M / Indigo",
                     *           "optionValues": {
                     *             "size": "M",
                     *             "colour": "Indigo"
                     *           },
                     *           "priceKobo": 1500000,
                     *           "compareAtPriceKobo": 1800000,
                     *           "costKobo": 900000,
                     *           "barcode": null,
                     *           "weightGrams": 450,
                     *           "imageId": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "position": 0,
                     *           "inventory": {
                     *             "tracked": true,
                     *             "onHand": 20,
                     *             "reserved": 2,
                     *             "available": 18,
                     *             "lowStockThreshold": null,
                     *             "allowBackorder": false,
                     *             "low": false
                     *           }
                     *         }
                     *       ],
                     *       "images": [
                     *         {
                     *           "id": "img_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "url": "https://cdn.example.com/ankara-maxi.jpg",
                     *           "alt": "Front view",
                     *           "position": 0,
                     *           "variantIds": [
                     *             "var_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *           ]
                     *         }
                     *       ],
                     *       "category": "Dresses",
                     *       "brand": null,
                     *       "tags": [
                     *         "ankara",
                     *         "women"
                     *       ],
                     *       "priceRange": {
                     *         "minKobo": 1500000,
                     *         "maxKobo": 1500000
                     *       },
                     *       "totalAvailable": 18,
                     *       "lowStockThreshold": null,
                     *       "taxExempt": false,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "publishedAt": "2026-11-21T08:30:00.000Z",
                     *       "archivedAt": null,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `product_not_found`: The merchant has no product with this id.
             *
             *     `image_not_found`: The product has no image with one of these ids.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"] | components["schemas"]["ImageNotFoundError"] | components["schemas"]["VariantNotFoundError"];
                };
            };
            /**
             * @description `sku_in_use`: Another variant of the product, or of one that is not archived, has this `sku`, perhaps in another case.
             *
             *     `option_values_in_use`: Another variant of the product has the same option values.
             *
             *     `options_mismatch`: A variant has exactly one value of each option of its product, and these are others.
             *
             *     `compare_at_price_too_low`: The price before a sale must be more than the price, which it would not be.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkuInUseError"] | components["schemas"]["OptionValuesInUseError"] | components["schemas"]["OptionsMismatchError"] | components["schemas"]["CompareAtPriceTooLowError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    adjustInventory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path: {
                /** @description Identifier of a product. */
                id: string;
                /** @description Identifier of a product variant. */
                variantId: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "delta": 12,
                 *       "reason": "restock",
                 *       "note": "Delivery from Balogun market."
                 *     }
                 */
                "application/json": components["schemas"]["InventoryAdjustment"];
            };
        };
        responses: {
            /** @description The stock as it is now. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "sku": "ANK-MAX-M-IND",
                     *       "tracked": true,
                     *       "onHand": 20,
                     *       "reserved": 2,
                     *       "available": 18,
                     *       "lowStockThreshold": null,
                     *       "allowBackorder": false,
                     *       "low": false
                     *     }
                     */
                    "application/json": components["schemas"]["VariantInventory"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `product_not_found`: The merchant has no product with this id.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"] | components["schemas"]["VariantNotFoundError"];
                };
            };
            /**
             * @description `inventory_changed`: Another number of pieces is on hand than `expectedOnHand`, so somebody adjusted it in between.
             *
             *     `on_hand_out_of_range`: The adjustment would leave fewer than 0 or more than 1,000,000,000 pieces on hand.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryChangedError"] | components["schemas"]["OnHandOutOfRangeError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listMovements: {
        parameters: {
            query?: {
                /** @description Only changes for one of these reasons. */
                reason?: ("opening" | "restock" | "correction" | "damage" | "loss" | "return" | "count" | "other" | "order_reserved" | "order_released" | "order_fulfilled" | "order_unfulfilled" | "order_returned" | "refund_restocked")[];
                /** @description Only changes at this moment or later. */
                createdFrom?: string;
                /** @description Only changes before this moment. */
                createdTo?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of a product. */
                id: string;
                /** @description Identifier of a product variant. */
                variantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "mov_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "reason": "restock",
                     *           "orderId": null,
                     *           "refundId": null,
                     *           "onHandDelta": 12,
                     *           "reservedDelta": 0,
                     *           "onHand": 20,
                     *           "reserved": 2,
                     *           "note": "Delivery from Balogun market.",
                     *           "createdAt": "2026-11-21T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StockMovementPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `product_not_found`: The merchant has no product with this id.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"] | components["schemas"]["VariantNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Finds a part of the name, e-mail address or phone. */
                q?: string;
                /** @description Only the customer with this e-mail address, whatever its case. */
                email?: string;
                /** @description Only customers with this phone, which several may share. */
                phone?: string;
                /** @description Only customers with this label. */
                tag?: string;
                /** @description Only customers created at this moment or later. */
                createdFrom?: string;
                /** @description Only customers created before this moment. */
                createdTo?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "name": "Adaeze Okafor",
                     *           "email": "adaeze.okafor@example.com",
                     *           "phone": "+2348031234567",
                     *           "addresses": [
                     *             {
                     *               "id": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *               "isDefault": true,
                     *               "recipientName": "Adaeze Okafor",
                     *               "phone": "+2348031234567",
                     *               "line1": "12 Admiralty Way",
                     *               "line2": null,
                     *               "landmark": "Opposite Ebeano Supermarket",
                     *               "area": "Lekki Phase 1",
                     *               "city": "Lekki",
                     *               "state": "Lagos",
                     *               "country": "NG",
                     *               "postalCode": null,
                     *               "instructions": null,
                     *               "latitude": 6.4474,
                     *               "longitude": 3.4723
                     *             }
                     *           ],
                     *           "defaultAddressId": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "tags": [
                     *             "wholesale"
                     *           ],
                     *           "note": null,
                     *           "marketing": {
                     *             "email": {
                     *               "granted": true,
                     *               "at": "2026-11-21T08:30:00.000Z"
                     *             },
                     *             "sms": {
                     *               "granted": false,
                     *               "at": null
                     *             },
                     *             "whatsapp": {
                     *               "granted": false,
                     *               "at": null
                     *             }
                     *           },
                     *           "ordersCount": 4,
                     *           "totalSpentKobo": 12500000,
                     *           "lastOrderAt": "2026-11-20T15:04:05.000Z",
                     *           "externalReference": "crm-5512",
                     *           "status": "active",
                     *           "metadata": {},
                     *           "version": 3,
                     *           "createdAt": "2026-08-02T10:00:00.000Z",
                     *           "updatedAt": "2026-11-21T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ngozi Eze",
                 *       "email": "ngozi.eze@example.com",
                 *       "phone": "+2348059876543",
                 *       "addresses": [
                 *         {
                 *           "line1": "12 Admiralty Way",
                 *           "area": "Lekki Phase 1",
                 *           "city": "Lekki"
                 *         }
                 *       ],
                 *       "marketing": {
                 *         "email": {
                 *           "granted": true
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerInput"];
            };
        };
        responses: {
            /** @description The customer. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "name": "Ngozi Eze",
                     *       "email": "ngozi.eze@example.com",
                     *       "phone": "+2348059876543",
                     *       "addresses": [
                     *         {
                     *           "id": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "isDefault": true,
                     *           "recipientName": "Adaeze Okafor",
                     *           "phone": "+2348031234567",
                     *           "line1": "12 Admiralty Way",
                     *           "line2": null,
                     *           "landmark": "Opposite Ebeano Supermarket",
                     *           "area": "Lekki Phase 1",
                     *           "city": "Lekki",
                     *           "state": "Lagos",
                     *           "country": "NG",
                     *           "postalCode": null,
                     *           "instructions": null,
                     *           "latitude": 6.4474,
                     *           "longitude": 3.4723
                     *         }
                     *       ],
                     *       "defaultAddressId": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "tags": [],
                     *       "note": null,
                     *       "marketing": {
                     *         "email": {
                     *           "granted": true,
                     *           "at": "2026-11-21T08:30:00.000Z"
                     *         },
                     *         "sms": {
                     *           "granted": false,
                     *           "at": null
                     *         },
                     *         "whatsapp": {
                     *           "granted": false,
                     *           "at": null
                     *         }
                     *       },
                     *       "ordersCount": 0,
                     *       "totalSpentKobo": 0,
                     *       "lastOrderAt": null,
                     *       "externalReference": null,
                     *       "status": "active",
                     *       "metadata": {},
                     *       "version": 1,
                     *       "createdAt": "2026-08-02T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `customer_exists`: The merchant already has a customer with this e-mail address, whatever its case.
             *
             *     `external_reference_in_use`: Another record already has this `externalReference`, so this is probably a repeated request.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerExistsError"] | components["schemas"]["ExternalReferenceInUseError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "name": "Adaeze Okafor",
                     *       "email": "adaeze.okafor@example.com",
                     *       "phone": "+2348031234567",
                     *       "addresses": [
                     *         {
                     *           "id": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "isDefault": true,
                     *           "recipientName": "Adaeze Okafor",
                     *           "phone": "+2348031234567",
                     *           "line1": "12 Admiralty Way",
                     *           "line2": null,
                     *           "landmark": "Opposite Ebeano Supermarket",
                     *           "area": "Lekki Phase 1",
                     *           "city": "Lekki",
                     *           "state": "Lagos",
                     *           "country": "NG",
                     *           "postalCode": null,
                     *           "instructions": null,
                     *           "latitude": 6.4474,
                     *           "longitude": 3.4723
                     *         }
                     *       ],
                     *       "defaultAddressId": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "tags": [
                     *         "wholesale"
                     *       ],
                     *       "note": null,
                     *       "marketing": {
                     *         "email": {
                     *           "granted": true,
                     *           "at": "2026-11-21T08:30:00.000Z"
                     *         },
                     *         "sms": {
                     *           "granted": false,
                     *           "at": null
                     *         },
                     *         "whatsapp": {
                     *           "granted": false,
                     *           "at": null
                     *         }
                     *       },
                     *       "ordersCount": 4,
                     *       "totalSpentKobo": 12500000,
                     *       "lastOrderAt": "2026-11-20T15:04:05.000Z",
                     *       "externalReference": "crm-5512",
                     *       "status": "active",
                     *       "metadata": {},
                     *       "version": 3,
                     *       "createdAt": "2026-08-02T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `customer_not_found`: The merchant has no customer with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer is deleted. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9m",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedCustomer"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `customer_not_found`: The merchant has no customer with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"];
                };
            };
            /** @description `concurrent_update`: Other requests kept the same record busy for too long. */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a customer. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "+2348031234567",
                 *       "note": null,
                 *       "tags": [
                 *         "wholesale"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CustomerPatch"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "name": "Adaeze Okafor",
                     *       "email": "adaeze.okafor@example.com",
                     *       "phone": "+2348031234567",
                     *       "addresses": [
                     *         {
                     *           "id": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "isDefault": true,
                     *           "recipientName": "Adaeze Okafor",
                     *           "phone": "+2348031234567",
                     *           "line1": "12 Admiralty Way",
                     *           "line2": null,
                     *           "landmark": "Opposite Ebeano Supermarket",
                     *           "area": "Lekki Phase 1",
                     *           "city": "Lekki",
                     *           "state": "Lagos",
                     *           "country": "NG",
                     *           "postalCode": null,
                     *           "instructions": null,
                     *           "latitude": 6.4474,
                     *           "longitude": 3.4723
                     *         }
                     *       ],
                     *       "defaultAddressId": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "tags": [
                     *         "wholesale"
                     *       ],
                     *       "note": null,
                     *       "marketing": {
                     *         "email": {
                     *           "granted": true,
                     *           "at": "2026-11-21T08:30:00.000Z"
                     *         },
                     *         "sms": {
                     *           "granted": false,
                     *           "at": null
                     *         },
                     *         "whatsapp": {
                     *           "granted": false,
                     *           "at": null
                     *         }
                     *       },
                     *       "ordersCount": 4,
                     *       "totalSpentKobo": 12500000,
                     *       "lastOrderAt": "2026-11-20T15:04:05.000Z",
                     *       "externalReference": "crm-5512",
                     *       "status": "active",
                     *       "metadata": {},
                     *       "version": 3,
                     *       "createdAt": "2026-08-02T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `customer_not_found`: The merchant has no customer with this id.
             *
             *     `address_not_found`: The customer has no address with this id.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"] | components["schemas"]["AddressNotFoundError"];
                };
            };
            /**
             * @description `customer_anonymised`: The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
             *
             *     `customer_exists`: The merchant already has a customer with this e-mail address, whatever its case.
             *
             *     `external_reference_in_use`: Another record already has this `externalReference`, so this is probably a repeated request.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAnonymisedError"] | components["schemas"]["CustomerExistsError"] | components["schemas"]["ExternalReferenceInUseError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    anonymiseCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer as they are now remembered. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9n",
                     *       "name": "Deleted customer",
                     *       "email": "anon-7k2m9qx4s0d1f8g6h3j5@anonymised.invalid",
                     *       "phone": null,
                     *       "addresses": [],
                     *       "defaultAddressId": null,
                     *       "tags": [],
                     *       "note": null,
                     *       "marketing": {
                     *         "email": {
                     *           "granted": false,
                     *           "at": null
                     *         },
                     *         "sms": {
                     *           "granted": false,
                     *           "at": null
                     *         },
                     *         "whatsapp": {
                     *           "granted": false,
                     *           "at": null
                     *         }
                     *       },
                     *       "ordersCount": 4,
                     *       "totalSpentKobo": 12500000,
                     *       "lastOrderAt": "2026-11-20T15:04:05.000Z",
                     *       "externalReference": null,
                     *       "status": "anonymised",
                     *       "metadata": {},
                     *       "version": 4,
                     *       "createdAt": "2026-08-02T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `customer_not_found`: The merchant has no customer with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"];
                };
            };
            /**
             * @description `customer_has_open_orders`: Some orders of the customer are still under way, or a refund or a shipment of one is.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerHasOpenOrdersError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a customer. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "line1": "12 Admiralty Way",
                 *       "area": "Lekki Phase 1",
                 *       "city": "Lekki",
                 *       "latitude": 6.4474,
                 *       "longitude": 3.4723
                 *     }
                 */
                "application/json": components["schemas"]["CustomerAddressInput"];
            };
        };
        responses: {
            /** @description The address. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "isDefault": true,
                     *       "recipientName": "Adaeze Okafor",
                     *       "phone": "+2348031234567",
                     *       "line1": "12 Admiralty Way",
                     *       "line2": null,
                     *       "landmark": "Opposite Ebeano Supermarket",
                     *       "area": "Lekki Phase 1",
                     *       "city": "Lekki",
                     *       "state": "Lagos",
                     *       "country": "NG",
                     *       "postalCode": null,
                     *       "instructions": null,
                     *       "latitude": 6.4474,
                     *       "longitude": 3.4723,
                     *       "customerId": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "version": 2
                     *     }
                     */
                    "application/json": components["schemas"]["SavedAddress"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `customer_not_found`: The merchant has no customer with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"];
                };
            };
            /**
             * @description `customer_anonymised`: The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
             *
             *     `address_limit_reached`: The customer has as many addresses as one can have.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerAnonymisedError"] | components["schemas"]["AddressLimitReachedError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    deleteAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a customer. */
                id: string;
                /** @description Identifier of an address. */
                addressId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address is deleted. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "adr_01jd3f8q6hf5n8v1zr4c7e2m9m",
                     *       "deleted": true,
                     *       "defaultAddressId": null,
                     *       "customerId": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedAddress"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `customer_not_found`: The merchant has no customer with this id.
             *
             *     `address_not_found`: The customer has no address with this id.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"] | components["schemas"]["AddressNotFoundError"];
                };
            };
            /** @description `concurrent_update`: Other requests kept the same record busy for too long. */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    updateAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a customer. */
                id: string;
                /** @description Identifier of an address. */
                addressId: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "landmark": "Opposite Ebeano Supermarket",
                 *       "isDefault": true
                 *     }
                 */
                "application/json": components["schemas"]["CustomerAddressPatch"];
            };
        };
        responses: {
            /** @description The address. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "adr_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "isDefault": true,
                     *       "recipientName": "Adaeze Okafor",
                     *       "phone": "+2348031234567",
                     *       "line1": "12 Admiralty Way",
                     *       "line2": null,
                     *       "landmark": "Opposite Ebeano Supermarket",
                     *       "area": "Lekki Phase 1",
                     *       "city": "Lekki",
                     *       "state": "Lagos",
                     *       "country": "NG",
                     *       "postalCode": null,
                     *       "instructions": null,
                     *       "latitude": 6.4474,
                     *       "longitude": 3.4723,
                     *       "customerId": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "version": 2
                     *     }
                     */
                    "application/json": components["schemas"]["SavedAddress"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `customer_not_found`: The merchant has no customer with this id.
             *
             *     `address_not_found`: The customer has no address with this id.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerNotFoundError"] | components["schemas"]["AddressNotFoundError"];
                };
            };
            /** @description `concurrent_update`: Other requests kept the same record busy for too long. */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description Identifier of an order. */
                orderId?: string;
                /** @description Only refunds in one of these states. */
                status?: ("pending" | "processing" | "needs_attention" | "succeeded" | "failed" | "cancelled")[];
                /** @description Free reason code, stored as given. Suggested: damaged, wrong_item, wrong_size, not_as_described, not_received, late_delivery, customer_request, duplicate, fraudulent, order_cancelled, price_adjustment, other. */
                reason?: string;
                /** @description Only refunds created at this moment or later. */
                createdFrom?: string;
                /** @description Only refunds created before this moment. */
                createdTo?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rfd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "orderNumber": "ORD-7K2M9QX4",
                     *           "amountKobo": 1500000,
                     *           "taxKobo": 0,
                     *           "currency": "NGN",
                     *           "reason": "damaged",
                     *           "note": null,
                     *           "status": "succeeded",
                     *           "items": [],
                     *           "destination": "manual",
                     *           "account": null,
                     *           "provider": "manual",
                     *           "providerReference": null,
                     *           "failureCode": null,
                     *           "failureMessage": null,
                     *           "metadata": {},
                     *           "createdBy": {
                     *             "type": "token",
                     *             "id": "tok_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *           },
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "updatedAt": "2026-11-21T10:00:00.000Z",
                     *           "expectedAt": null,
                     *           "succeededAt": "2026-11-21T10:00:00.000Z",
                     *           "failedAt": null,
                     *           "order": {
                     *             "refundedKobo": 1500000,
                     *             "refundableKobo": 1750000,
                     *             "paymentStatus": "partially_refunded"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RefundPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description One key for each refund you intend. The same key and body within 24 hours give the first answer again. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9q",
                 *       "amountKobo": 1500000,
                 *       "reason": "damaged"
                 *     }
                 */
                "application/json": components["schemas"]["RefundInput"];
            };
        };
        responses: {
            /** @description The refund. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    /** @description The key that was honoured. */
                    "Idempotency-Key"?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: "true";
                    /** @description The request that was answered first. */
                    "Original-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rfd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderNumber": "ORD-7K2M9QX4",
                     *       "amountKobo": 1500000,
                     *       "taxKobo": 0,
                     *       "currency": "NGN",
                     *       "reason": "damaged",
                     *       "note": null,
                     *       "status": "succeeded",
                     *       "items": [],
                     *       "destination": "manual",
                     *       "account": null,
                     *       "provider": "manual",
                     *       "providerReference": null,
                     *       "failureCode": null,
                     *       "failureMessage": null,
                     *       "metadata": {},
                     *       "createdBy": {
                     *         "type": "token",
                     *         "id": "tok_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *       },
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:00:00.000Z",
                     *       "expectedAt": null,
                     *       "succeededAt": "2026-11-21T10:00:00.000Z",
                     *       "failedAt": null,
                     *       "order": {
                     *         "refundedKobo": 1500000,
                     *         "refundableKobo": 1750000,
                     *         "paymentStatus": "partially_refunded"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_idempotency_key`: The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidIdempotencyKeyError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `order_not_found`: The merchant has no order with this id.
             *
             *     `item_not_found`: The order has no line with one of these ids.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"] | components["schemas"]["ItemNotFoundError"];
                };
            };
            /**
             * @description `idempotency_conflict`: The Idempotency-Key was used within the last 24 hours with a different body.
             *
             *     `idempotency_in_progress`: A request with the same Idempotency-Key is still running.
             *
             *     `order_not_paid`: No money has been received for the order, so there is none to refund.
             *
             *     `order_fully_refunded`: Everything that was paid for the order is refunded or being refunded.
             *
             *     `refund_exceeds_refundable`: The amount is more than what is left to refund, or than what is left of any one payment.
             *
             *     `refund_quantity_exceeds`: More pieces of a line would be refunded than are left of it.
             *
             *     `payment_disputed`: The payer’s bank disputes the payment, so that the provider gives nothing of it back.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyConflictError"] | components["schemas"]["IdempotencyInProgressError"] | components["schemas"]["OrderNotPaidError"] | components["schemas"]["OrderFullyRefundedError"] | components["schemas"]["RefundExceedsRefundableError"] | components["schemas"]["RefundQuantityExceedsError"] | components["schemas"]["PaymentDisputedError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of a refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rfd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderNumber": "ORD-7K2M9QX4",
                     *       "amountKobo": 1500000,
                     *       "taxKobo": 0,
                     *       "currency": "NGN",
                     *       "reason": "damaged",
                     *       "note": null,
                     *       "status": "succeeded",
                     *       "items": [],
                     *       "destination": "manual",
                     *       "account": null,
                     *       "provider": "manual",
                     *       "providerReference": null,
                     *       "failureCode": null,
                     *       "failureMessage": null,
                     *       "metadata": {},
                     *       "createdBy": {
                     *         "type": "token",
                     *         "id": "tok_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *       },
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:00:00.000Z",
                     *       "expectedAt": null,
                     *       "succeededAt": "2026-11-21T10:00:00.000Z",
                     *       "failedAt": null,
                     *       "order": {
                     *         "refundedKobo": 1500000,
                     *         "refundableKobo": 1750000,
                     *         "paymentStatus": "partially_refunded"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `refund_not_found`: The merchant has no refund with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    giveRefundBankDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path: {
                /** @description Identifier of a refund. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accountNumber": "0123456789",
                 *       "bankCode": "058",
                 *       "accountName": "Adaeze Okafor"
                 *     }
                 */
                "application/json": components["schemas"]["BankDetails"];
            };
        };
        responses: {
            /** @description The refund, with its new destination. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rfd_01jd3f8q6hf5n8v1zr4c7e2m9m",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderNumber": "ORD-7K2M9QX4",
                     *       "amountKobo": 1500000,
                     *       "taxKobo": 0,
                     *       "currency": "NGN",
                     *       "reason": "damaged",
                     *       "note": null,
                     *       "status": "needs_attention",
                     *       "items": [],
                     *       "destination": "bank_account",
                     *       "account": {
                     *         "accountNumber": "******6789",
                     *         "bankCode": "058",
                     *         "accountName": "Adaeze Okafor"
                     *       },
                     *       "provider": "paystack",
                     *       "providerReference": "3018284",
                     *       "failureCode": null,
                     *       "failureMessage": null,
                     *       "metadata": {},
                     *       "createdBy": {
                     *         "type": "token",
                     *         "id": "tok_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *       },
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:00:00.000Z",
                     *       "expectedAt": null,
                     *       "succeededAt": null,
                     *       "failedAt": null,
                     *       "order": {
                     *         "refundedKobo": 0,
                     *         "refundableKobo": 1750000,
                     *         "paymentStatus": "paid"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `refund_not_found`: The merchant has no refund with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundNotFoundError"];
                };
            };
            /**
             * @description `refund_not_awaiting_details`: The refund is not waiting for a bank account, or has been given one.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundNotAwaitingDetailsError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path: {
                /** @description Identifier of a refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled refund. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rfd_01jd3f8q6hf5n8v1zr4c7e2m9n",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderNumber": "ORD-7K2M9QX4",
                     *       "amountKobo": 1500000,
                     *       "taxKobo": 0,
                     *       "currency": "NGN",
                     *       "reason": "damaged",
                     *       "note": null,
                     *       "status": "cancelled",
                     *       "items": [],
                     *       "destination": "original_payment",
                     *       "account": null,
                     *       "provider": "paystack",
                     *       "providerReference": null,
                     *       "failureCode": null,
                     *       "failureMessage": null,
                     *       "metadata": {},
                     *       "createdBy": {
                     *         "type": "token",
                     *         "id": "tok_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *       },
                     *       "createdAt": "2026-11-21T10:00:00.000Z",
                     *       "updatedAt": "2026-11-21T10:00:00.000Z",
                     *       "expectedAt": null,
                     *       "succeededAt": null,
                     *       "failedAt": null,
                     *       "order": {
                     *         "refundedKobo": 0,
                     *         "refundableKobo": 1750000,
                     *         "paymentStatus": "paid"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `refund_not_found`: The merchant has no refund with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundNotFoundError"];
                };
            };
            /**
             * @description `refund_not_cancellable`: The provider was already asked for the refund, or it has ended.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundNotCancellableError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listDiscounts: {
        parameters: {
            query?: {
                /** @description Only discounts in one of these states. */
                state?: ("scheduled" | "active" | "expired" | "exhausted" | "paused" | "archived")[];
                /** @description Only discounts of one of these types. */
                type?: ("percentage" | "fixed_amount" | "free_shipping")[];
                /** @description Only the discounts with this code, whatever its case. */
                code?: string;
                /** @description Finds a part of the title or of the code. */
                q?: string;
                /** @description Only discounts created at this moment or later. */
                createdFrom?: string;
                /** @description Only discounts created before this moment. */
                createdTo?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dsc_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "title": "Detty December",
                     *           "code": "DETTY10",
                     *           "type": "percentage",
                     *           "percentageBps": 1000,
                     *           "amountKobo": null,
                     *           "maxDiscountKobo": 1000000,
                     *           "appliesTo": {
                     *             "scope": "order",
                     *             "ids": []
                     *           },
                     *           "minimumSubtotalKobo": null,
                     *           "minimumQuantity": null,
                     *           "startsAt": "2026-12-01T00:00:00.000Z",
                     *           "endsAt": "2027-01-01T00:00:00.000Z",
                     *           "usageLimit": 100,
                     *           "usageLimitPerCustomer": 1,
                     *           "firstOrderOnly": false,
                     *           "customerIds": null,
                     *           "combinesWith": [
                     *             "shipping"
                     *           ],
                     *           "status": "active",
                     *           "state": "scheduled",
                     *           "redemptionCount": 0,
                     *           "metadata": {},
                     *           "version": 1,
                     *           "createdAt": "2026-11-21T08:30:00.000Z",
                     *           "updatedAt": "2026-11-21T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DiscountPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createDiscount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 256 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Owambe season",
                 *       "code": "OWAMBE15",
                 *       "type": "percentage",
                 *       "percentageBps": 1500,
                 *       "maxDiscountKobo": 1000000,
                 *       "startsAt": "2026-12-01T00:00:00Z",
                 *       "endsAt": "2027-01-01T00:00:00Z",
                 *       "usageLimit": 100,
                 *       "usageLimitPerCustomer": 1,
                 *       "combinesWith": [
                 *         "shipping"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DiscountInput"];
            };
        };
        responses: {
            /** @description The discount. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dsc_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "title": "Owambe season",
                     *       "code": "OWAMBE15",
                     *       "type": "percentage",
                     *       "percentageBps": 1500,
                     *       "amountKobo": null,
                     *       "maxDiscountKobo": 1000000,
                     *       "appliesTo": {
                     *         "scope": "order",
                     *         "ids": []
                     *       },
                     *       "minimumSubtotalKobo": null,
                     *       "minimumQuantity": null,
                     *       "startsAt": "2026-12-01T00:00:00.000Z",
                     *       "endsAt": "2027-01-01T00:00:00.000Z",
                     *       "usageLimit": 100,
                     *       "usageLimitPerCustomer": 1,
                     *       "firstOrderOnly": false,
                     *       "customerIds": null,
                     *       "combinesWith": [
                     *         "shipping"
                     *       ],
                     *       "status": "active",
                     *       "state": "scheduled",
                     *       "redemptionCount": 0,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Discount"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `product_not_found`: The merchant has no product with this id.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             *
             *     `customer_not_found`: The merchant has no customer with this id.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductNotFoundError"] | components["schemas"]["VariantNotFoundError"] | components["schemas"]["CustomerNotFoundError"];
                };
            };
            /**
             * @description `code_in_use`: Another discount that is not archived has this code.
             *
             *     `discount_window_empty`: The discount would end before it starts.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeInUseError"] | components["schemas"]["DiscountWindowEmptyError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getDiscount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of a discount. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The discount. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dsc_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "title": "Detty December",
                     *       "code": "DETTY10",
                     *       "type": "percentage",
                     *       "percentageBps": 1000,
                     *       "amountKobo": null,
                     *       "maxDiscountKobo": 1000000,
                     *       "appliesTo": {
                     *         "scope": "order",
                     *         "ids": []
                     *       },
                     *       "minimumSubtotalKobo": null,
                     *       "minimumQuantity": null,
                     *       "startsAt": "2026-12-01T00:00:00.000Z",
                     *       "endsAt": "2027-01-01T00:00:00.000Z",
                     *       "usageLimit": 100,
                     *       "usageLimitPerCustomer": 1,
                     *       "firstOrderOnly": false,
                     *       "customerIds": null,
                     *       "combinesWith": [
                     *         "shipping"
                     *       ],
                     *       "status": "active",
                     *       "state": "scheduled",
                     *       "redemptionCount": 0,
                     *       "metadata": {},
                     *       "version": 1,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Discount"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `discount_not_found`: The merchant has no discount with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    updateDiscount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a discount. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 256 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "paused",
                 *       "usageLimit": 200
                 *     }
                 */
                "application/json": components["schemas"]["DiscountChange"];
            };
        };
        responses: {
            /** @description The discount as it is now. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dsc_01jd3f8q6hf5n8v1zr4c7e2m9m",
                     *       "title": "Detty December",
                     *       "code": "DETTY10",
                     *       "type": "percentage",
                     *       "percentageBps": 1000,
                     *       "amountKobo": null,
                     *       "maxDiscountKobo": 1000000,
                     *       "appliesTo": {
                     *         "scope": "order",
                     *         "ids": []
                     *       },
                     *       "minimumSubtotalKobo": null,
                     *       "minimumQuantity": null,
                     *       "startsAt": "2026-12-01T00:00:00.000Z",
                     *       "endsAt": "2027-01-01T00:00:00.000Z",
                     *       "usageLimit": 200,
                     *       "usageLimitPerCustomer": 1,
                     *       "firstOrderOnly": false,
                     *       "customerIds": null,
                     *       "combinesWith": [
                     *         "shipping"
                     *       ],
                     *       "status": "paused",
                     *       "state": "paused",
                     *       "redemptionCount": 0,
                     *       "metadata": {},
                     *       "version": 2,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Discount"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `discount_not_found`: The merchant has no discount with this id.
             *
             *     `product_not_found`: The merchant has no product with this id.
             *
             *     `variant_not_found`: The merchant has no product variant with one of these ids.
             *
             *     `customer_not_found`: The merchant has no customer with this id.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountNotFoundError"] | components["schemas"]["ProductNotFoundError"] | components["schemas"]["VariantNotFoundError"] | components["schemas"]["CustomerNotFoundError"];
                };
            };
            /**
             * @description `discount_locked`: The discount was used or is archived, so some of what was sent can no longer change.
             *
             *     `discount_type_mismatch`: A discount of this type has no such value.
             *
             *     `discount_limit_below_uses`: The usage limit would be less than the uses there are.
             *
             *     `discount_window_empty`: The discount would end before it starts.
             *
             *     `code_in_use`: Another discount that is not archived has this code.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountLockedError"] | components["schemas"]["DiscountTypeMismatchError"] | components["schemas"]["DiscountLimitBelowUsesError"] | components["schemas"]["DiscountWindowEmptyError"] | components["schemas"]["CodeInUseError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    archiveDiscount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a discount. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archived discount. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dsc_01jd3f8q6hf5n8v1zr4c7e2m9n",
                     *       "title": "Detty December",
                     *       "code": "DETTY10",
                     *       "type": "percentage",
                     *       "percentageBps": 1000,
                     *       "amountKobo": null,
                     *       "maxDiscountKobo": 1000000,
                     *       "appliesTo": {
                     *         "scope": "order",
                     *         "ids": []
                     *       },
                     *       "minimumSubtotalKobo": null,
                     *       "minimumQuantity": null,
                     *       "startsAt": "2026-12-01T00:00:00.000Z",
                     *       "endsAt": "2027-01-01T00:00:00.000Z",
                     *       "usageLimit": 100,
                     *       "usageLimitPerCustomer": 1,
                     *       "firstOrderOnly": false,
                     *       "customerIds": null,
                     *       "combinesWith": [
                     *         "shipping"
                     *       ],
                     *       "status": "archived",
                     *       "state": "archived",
                     *       "redemptionCount": 0,
                     *       "metadata": {},
                     *       "version": 2,
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "updatedAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Discount"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `discount_not_found`: The merchant has no discount with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountNotFoundError"];
                };
            };
            /** @description `concurrent_update`: Other requests kept the same record busy for too long. */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listRedemptions: {
        parameters: {
            query?: {
                /** @description Only uses created at this moment or later. */
                createdFrom?: string;
                /** @description Only uses created before this moment. */
                createdTo?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of a discount. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rdm_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "discountId": "dsc_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "orderNumber": "ORD-7K2M9QX4",
                     *           "customerId": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "amountKobo": 150000,
                     *           "createdAt": "2026-12-05T08:30:00.000Z",
                     *           "releasedAt": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DiscountRedemptionPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `discount_not_found`: The merchant has no discount with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pickup": {
                 *         "name": "Ankara House",
                 *         "phone": "+2348031234567",
                 *         "line1": "7 Adeola Odeku Street",
                 *         "area": "Victoria Island"
                 *       },
                 *       "dropoff": {
                 *         "name": "Adaeze Okafor",
                 *         "phone": "+2348029876543",
                 *         "line1": "12 Admiralty Way",
                 *         "area": "Lekki Phase 1",
                 *         "landmark": "Opposite Ebeano Supermarket"
                 *       },
                 *       "parcels": [
                 *         {
                 *           "description": "Ankara maxi dress",
                 *           "weightGrams": 800,
                 *           "valueKobo": 3250000
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["QuoteInput"];
            };
        };
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "qte_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderId": null,
                     *       "status": "complete",
                     *       "pickup": {
                     *         "name": "Ankara House",
                     *         "phone": "+2348031234567",
                     *         "email": null,
                     *         "line1": "7 Adeola Odeku Street",
                     *         "line2": null,
                     *         "area": "Victoria Island",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": null,
                     *         "plusCode": null,
                     *         "instructions": null,
                     *         "location": {
                     *           "lat": 6.4281,
                     *           "lng": 3.4219
                     *         },
                     *         "locationSource": "area",
                     *         "precisionMeters": 1500,
                     *         "zoneId": "lag-island"
                     *       },
                     *       "dropoff": {
                     *         "name": "Adaeze Okafor",
                     *         "phone": "+2348029876543",
                     *         "email": "adaeze.okafor@example.com",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": "Flat 4B",
                     *         "area": "Lekki Phase 1",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "plusCode": null,
                     *         "instructions": "Call when you are at the gate.",
                     *         "location": {
                     *           "lat": 6.4474,
                     *           "lng": 3.4723
                     *         },
                     *         "locationSource": "given",
                     *         "precisionMeters": 10,
                     *         "zoneId": "lag-lekki-1"
                     *       },
                     *       "vehicle": "bike",
                     *       "distanceMeters": 9400,
                     *       "surge": {
                     *         "zoneId": "lag-island",
                     *         "multiplier": 1,
                     *         "surgeKobo": 0,
                     *         "snapshotId": null
                     *       },
                     *       "offers": [
                     *         {
                     *           "id": "off_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "carrier": "simulator-swift",
                     *           "carrierName": "Simulator Swift",
                     *           "service": "Bike express",
                     *           "serviceLevel": "on_demand",
                     *           "vehicle": "bike",
                     *           "priceKobo": 250000,
                     *           "breakdown": [
                     *             {
                     *               "code": "delivery",
                     *               "label": "Delivery",
                     *               "amountKobo": 250000
                     *             }
                     *           ],
                     *           "currency": "NGN",
                     *           "pickupEta": {
                     *             "p50": "2026-11-21T08:48:00.000Z",
                     *             "p90": "2026-11-21T09:02:00.000Z"
                     *           },
                     *           "dropoffEta": {
                     *             "p50": "2026-11-21T09:15:00.000Z",
                     *             "p90": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "reliability": 0.94,
                     *           "expiresAt": "2026-11-21T08:40:00.000Z",
                     *           "priceLock": "carrier",
                     *           "capabilities": [
                     *             "cancel",
                     *             "live_position",
                     *             "photo"
                     *           ],
                     *           "tags": [
                     *             "best_value",
                     *             "cheapest",
                     *             "fastest"
                     *           ]
                     *         }
                     *       ],
                     *       "carriers": [
                     *         {
                     *           "carrier": "simulator-swift",
                     *           "status": "ok",
                     *           "message": null,
                     *           "latencyMs": 412
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "expiresAt": "2026-11-21T08:40:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `order_not_found`: The merchant has no order with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"];
                };
            };
            /**
             * @description `order_not_dispatchable`: The order is cancelled or returned, so nothing of it is to be sent.
             *
             *     `nothing_to_send`: All that is left of the order has been sent already.
             *
             *     `order_not_shippable`: The order does not say all it takes to send it: it is collected, or has more kinds of lines than a shipment.
             *
             *     `pickup_missing`: The request does not say where the parcels are fetched, and the merchant has no default pickup.
             *
             *     `outside_coverage`: No carrier reaches the place: it is at sea, or outside Nigeria. For a surge: it is in no delivery zone.
             *
             *     `time_in_past`: A time that has to lie ahead has passed, or lies further ahead than 30 days.
             *
             *     `customer_anonymised`: The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotDispatchableError"] | components["schemas"]["NothingToSendError"] | components["schemas"]["OrderNotShippableError"] | components["schemas"]["PickupMissingError"] | components["schemas"]["OutsideCoverageError"] | components["schemas"]["TimeInPastError"] | components["schemas"]["CustomerAnonymisedError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    schedulePredictively: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reference": "ORD-7K2M9QX4-2",
                 *       "pickup": {
                 *         "name": "Ankara House",
                 *         "phone": "+2348031234567",
                 *         "line1": "7 Adeola Odeku Street",
                 *         "area": "Victoria Island"
                 *       },
                 *       "dropoff": {
                 *         "name": "Adaeze Okafor",
                 *         "phone": "+2348029876543",
                 *         "line1": "12 Admiralty Way",
                 *         "area": "Lekki Phase 1",
                 *         "landmark": "Opposite Ebeano Supermarket"
                 *       },
                 *       "parcels": [
                 *         {
                 *           "description": "Ankara maxi dress",
                 *           "weightGrams": 800,
                 *           "valueKobo": 3250000
                 *         }
                 *       ],
                 *       "prepMinutes": {
                 *         "p50": 40,
                 *         "p90": 70
                 *       },
                 *       "optimizeFor": "balanced"
                 *     }
                 */
                "application/json": components["schemas"]["ScheduleInput"];
            };
        };
        responses: {
            /** @description The schedule that this very request has made before, or what a dry run would make. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-2",
                     *       "shipmentId": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderId": null,
                     *       "optimizeFor": "balanced",
                     *       "dispatchAt": "2026-11-21T08:49:00.000Z",
                     *       "scheduledPickupAt": "2026-11-21T09:07:00.000Z",
                     *       "pickupWindow": {
                     *         "from": "2026-11-21T09:00:00.000Z",
                     *         "to": "2026-11-21T09:19:00.000Z"
                     *       },
                     *       "readyAt": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:50:00.000Z"
                     *       },
                     *       "riderArrival": {
                     *         "p50": "2026-11-21T09:07:00.000Z",
                     *         "p90": "2026-11-21T09:19:00.000Z"
                     *       },
                     *       "dropoff": {
                     *         "p50": "2026-11-21T09:43:00.000Z",
                     *         "p90": "2026-11-21T10:24:00.000Z"
                     *       },
                     *       "expectedRiderWaitSeconds": 913,
                     *       "expectedParcelWaitSeconds": 250,
                     *       "lateProbability": null,
                     *       "criticalRatio": 0.333,
                     *       "confidence": {
                     *         "level": "medium",
                     *         "sampleSize": 34,
                     *         "basis": "merchant",
                     *         "coverage90": 0.88
                     *       },
                     *       "quote": {
                     *         "carrier": "simulator-swift",
                     *         "service": "Bike express",
                     *         "priceKobo": 250000,
                     *         "surge": {
                     *           "zoneId": "lag-island",
                     *           "multiplier": 1,
                     *           "surgeKobo": 0,
                     *           "snapshotId": null
                     *         }
                     *       },
                     *       "replanAt": "2026-11-21T08:34:00.000Z",
                     *       "alternatives": [
                     *         {
                     *           "optimizeFor": null,
                     *           "dispatchAt": "2026-11-21T08:30:00.000Z",
                     *           "expectedRiderWaitSeconds": 1790,
                     *           "expectedParcelWaitSeconds": 60
                     *         },
                     *         {
                     *           "optimizeFor": "speed",
                     *           "dispatchAt": "2026-11-21T08:43:00.000Z",
                     *           "expectedRiderWaitSeconds": 1120,
                     *           "expectedParcelWaitSeconds": 150
                     *         },
                     *         {
                     *           "optimizeFor": "rider_wait",
                     *           "dispatchAt": "2026-11-21T09:01:00.000Z",
                     *           "expectedRiderWaitSeconds": 520,
                     *           "expectedParcelWaitSeconds": 590
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "createdAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The shipment is scheduled. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-2",
                     *       "shipmentId": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "orderId": null,
                     *       "optimizeFor": "balanced",
                     *       "dispatchAt": "2026-11-21T08:49:00.000Z",
                     *       "scheduledPickupAt": "2026-11-21T09:07:00.000Z",
                     *       "pickupWindow": {
                     *         "from": "2026-11-21T09:00:00.000Z",
                     *         "to": "2026-11-21T09:19:00.000Z"
                     *       },
                     *       "readyAt": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:50:00.000Z"
                     *       },
                     *       "riderArrival": {
                     *         "p50": "2026-11-21T09:07:00.000Z",
                     *         "p90": "2026-11-21T09:19:00.000Z"
                     *       },
                     *       "dropoff": {
                     *         "p50": "2026-11-21T09:43:00.000Z",
                     *         "p90": "2026-11-21T10:24:00.000Z"
                     *       },
                     *       "expectedRiderWaitSeconds": 913,
                     *       "expectedParcelWaitSeconds": 250,
                     *       "lateProbability": null,
                     *       "criticalRatio": 0.333,
                     *       "confidence": {
                     *         "level": "medium",
                     *         "sampleSize": 34,
                     *         "basis": "merchant",
                     *         "coverage90": 0.88
                     *       },
                     *       "quote": {
                     *         "carrier": "simulator-swift",
                     *         "service": "Bike express",
                     *         "priceKobo": 250000,
                     *         "surge": {
                     *           "zoneId": "lag-island",
                     *           "multiplier": 1,
                     *           "surgeKobo": 0,
                     *           "snapshotId": null
                     *         }
                     *       },
                     *       "replanAt": "2026-11-21T08:34:00.000Z",
                     *       "alternatives": [
                     *         {
                     *           "optimizeFor": null,
                     *           "dispatchAt": "2026-11-21T08:30:00.000Z",
                     *           "expectedRiderWaitSeconds": 1790,
                     *           "expectedParcelWaitSeconds": 60
                     *         },
                     *         {
                     *           "optimizeFor": "speed",
                     *           "dispatchAt": "2026-11-21T08:43:00.000Z",
                     *           "expectedRiderWaitSeconds": 1120,
                     *           "expectedParcelWaitSeconds": 150
                     *         },
                     *         {
                     *           "optimizeFor": "rider_wait",
                     *           "dispatchAt": "2026-11-21T09:01:00.000Z",
                     *           "expectedRiderWaitSeconds": 520,
                     *           "expectedParcelWaitSeconds": 590
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "createdAt": "2026-11-21T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `contact_incomplete`: A rider needs a name and a phone number at both ends.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["ContactIncompleteError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `order_not_found`: The merchant has no order with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotFoundError"];
                };
            };
            /**
             * @description `order_not_dispatchable`: The order is cancelled or returned, so nothing of it is to be sent.
             *
             *     `nothing_to_send`: All that is left of the order has been sent already.
             *
             *     `order_not_shippable`: The order does not say all it takes to send it: it is collected, or has more kinds of lines than a shipment.
             *
             *     `pickup_missing`: The request does not say where the parcels are fetched, and the merchant has no default pickup.
             *
             *     `outside_coverage`: No carrier reaches the place: it is at sea, or outside Nigeria. For a surge: it is in no delivery zone.
             *
             *     `reference_conflict`: Another request used this reference before. A reference names one shipment for ever.
             *
             *     `order_already_dispatched`: The order has a shipment under way.
             *
             *     `customer_anonymised`: The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
             *
             *     `time_in_past`: A time that has to lie ahead has passed, or lies further ahead than 30 days.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotDispatchableError"] | components["schemas"]["NothingToSendError"] | components["schemas"]["OrderNotShippableError"] | components["schemas"]["PickupMissingError"] | components["schemas"]["OutsideCoverageError"] | components["schemas"]["ReferenceConflictError"] | components["schemas"]["OrderAlreadyDispatchedError"] | components["schemas"]["CustomerAnonymisedError"] | components["schemas"]["TimeInPastError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description `true`: this operation may still change. */
                    Beta: "true";
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    dispatchShipment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
            };
            path?: never;
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reference": "ORD-7K2M9QX4-1",
                 *       "pickup": {
                 *         "name": "Ankara House",
                 *         "phone": "+2348031234567",
                 *         "line1": "7 Adeola Odeku Street",
                 *         "area": "Victoria Island"
                 *       },
                 *       "dropoff": {
                 *         "name": "Adaeze Okafor",
                 *         "phone": "+2348029876543",
                 *         "line1": "12 Admiralty Way",
                 *         "area": "Lekki Phase 1",
                 *         "landmark": "Opposite Ebeano Supermarket"
                 *       },
                 *       "parcels": [
                 *         {
                 *           "description": "Ankara maxi dress",
                 *           "weightGrams": 800,
                 *           "valueKobo": 3250000
                 *         }
                 *       ],
                 *       "proof": {
                 *         "photo": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DispatchInput"];
            };
        };
        responses: {
            /** @description The shipment that this very request has made before, or the plan of a dry run. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-1",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "quoteId": "qte_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "status": "awaiting_courier",
                     *       "statusReason": null,
                     *       "carrier": {
                     *         "code": "simulator-swift",
                     *         "name": "Simulator Swift"
                     *       },
                     *       "service": "Bike express",
                     *       "serviceLevel": "on_demand",
                     *       "vehicle": "bike",
                     *       "carrierReference": "SW-7F2KQ9",
                     *       "trackingUrl": null,
                     *       "labelUrl": null,
                     *       "currency": "NGN",
                     *       "quotedPriceKobo": 250000,
                     *       "priceKobo": 250000,
                     *       "surgeKobo": 0,
                     *       "priceCeilingKobo": 375000,
                     *       "pickup": {
                     *         "name": "Ankara House",
                     *         "phone": "+2348031234567",
                     *         "email": null,
                     *         "line1": "7 Adeola Odeku Street",
                     *         "line2": null,
                     *         "area": "Victoria Island",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": null,
                     *         "plusCode": null,
                     *         "instructions": null,
                     *         "location": {
                     *           "lat": 6.4281,
                     *           "lng": 3.4219
                     *         },
                     *         "locationSource": "area",
                     *         "precisionMeters": 1500,
                     *         "zoneId": "lag-island"
                     *       },
                     *       "dropoff": {
                     *         "name": "Adaeze Okafor",
                     *         "phone": "+2348029876543",
                     *         "email": "adaeze.okafor@example.com",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": "Flat 4B",
                     *         "area": "Lekki Phase 1",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "plusCode": null,
                     *         "instructions": "Call when you are at the gate.",
                     *         "location": {
                     *           "lat": 6.4474,
                     *           "lng": 3.4723
                     *         },
                     *         "locationSource": "given",
                     *         "precisionMeters": 10,
                     *         "zoneId": "lag-lekki-1"
                     *       },
                     *       "parcels": [
                     *         {
                     *           "description": "Ankara maxi dress",
                     *           "weightGrams": 800,
                     *           "quantity": 1,
                     *           "valueKobo": 3250000,
                     *           "category": "fashion",
                     *           "fragile": false
                     *         }
                     *       ],
                     *       "distanceMeters": 9400,
                     *       "proof": {
                     *         "photo": true,
                     *         "signature": false,
                     *         "pin": null,
                     *         "captured": []
                     *       },
                     *       "undeliverableAction": "return",
                     *       "courier": null,
                     *       "pickupEta": {
                     *         "p50": "2026-11-21T08:45:00.000Z",
                     *         "p90": "2026-11-21T08:55:00.000Z"
                     *       },
                     *       "deliveryEta": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "pickupWindow": null,
                     *       "dropoffWindow": null,
                     *       "dispatchAt": "2026-11-21T08:31:00.000Z",
                     *       "scheduledPickupAt": null,
                     *       "plan": [
                     *         {
                     *           "offerId": "off_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "carrier": "simulator-swift",
                     *           "carrierName": "Simulator Swift",
                     *           "service": "Bike express",
                     *           "serviceLevel": "on_demand",
                     *           "vehicle": "bike",
                     *           "priceKobo": 250000,
                     *           "expectedCostKobo": 357267,
                     *           "pickupEta": {
                     *             "p50": "2026-11-21T08:48:00.000Z",
                     *             "p90": "2026-11-21T09:02:00.000Z"
                     *           },
                     *           "dropoffEta": {
                     *             "p50": "2026-11-21T09:15:00.000Z",
                     *             "p90": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "reliability": 0.94
                     *         }
                     *       ],
                     *       "attempts": [
                     *         {
                     *           "id": "att_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "number": 1,
                     *           "carrier": "simulator-swift",
                     *           "service": "Bike express",
                     *           "state": "accepted",
                     *           "outcome": {
                     *             "code": "accepted",
                     *             "message": "The carrier took it."
                     *           },
                     *           "priceKobo": 250000,
                     *           "carrierReference": "SW-7F2KQ9",
                     *           "cancellationFeeKobo": null,
                     *           "duplicateCostKobo": null,
                     *           "superseded": false,
                     *           "latencyMs": 611,
                     *           "startedAt": "2026-11-21T08:31:00.000Z",
                     *           "endedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "status": "awaiting_courier",
                     *           "description": "Simulator Swift took it.",
                     *           "source": "service",
                     *           "carrierStatus": null,
                     *           "attemptNumber": 1,
                     *           "applied": true,
                     *           "at": "2026-11-21T08:31:00.611Z",
                     *           "receivedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "exceptions": [],
                     *       "cancellation": {
                     *         "allowed": true,
                     *         "estimatedFeeKobo": 0,
                     *         "status": null,
                     *         "requestedAt": null,
                     *         "confirmedAt": null,
                     *         "reason": null,
                     *         "note": null,
                     *         "feeKobo": null,
                     *         "refundKobo": null
                     *       },
                     *       "metadata": {},
                     *       "mode": "live",
                     *       "version": 2,
                     *       "createdAt": "2026-11-21T08:31:00.000Z",
                     *       "updatedAt": "2026-11-21T08:31:00.611Z",
                     *       "assignedAt": null,
                     *       "pickedUpAt": null,
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            /** @description A carrier took it, or it is scheduled, as it is for a window that lies ahead. */
            201: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-1",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "quoteId": "qte_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "status": "awaiting_courier",
                     *       "statusReason": null,
                     *       "carrier": {
                     *         "code": "simulator-swift",
                     *         "name": "Simulator Swift"
                     *       },
                     *       "service": "Bike express",
                     *       "serviceLevel": "on_demand",
                     *       "vehicle": "bike",
                     *       "carrierReference": "SW-7F2KQ9",
                     *       "trackingUrl": null,
                     *       "labelUrl": null,
                     *       "currency": "NGN",
                     *       "quotedPriceKobo": 250000,
                     *       "priceKobo": 250000,
                     *       "surgeKobo": 0,
                     *       "priceCeilingKobo": 375000,
                     *       "pickup": {
                     *         "name": "Ankara House",
                     *         "phone": "+2348031234567",
                     *         "email": null,
                     *         "line1": "7 Adeola Odeku Street",
                     *         "line2": null,
                     *         "area": "Victoria Island",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": null,
                     *         "plusCode": null,
                     *         "instructions": null,
                     *         "location": {
                     *           "lat": 6.4281,
                     *           "lng": 3.4219
                     *         },
                     *         "locationSource": "area",
                     *         "precisionMeters": 1500,
                     *         "zoneId": "lag-island"
                     *       },
                     *       "dropoff": {
                     *         "name": "Adaeze Okafor",
                     *         "phone": "+2348029876543",
                     *         "email": "adaeze.okafor@example.com",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": "Flat 4B",
                     *         "area": "Lekki Phase 1",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "plusCode": null,
                     *         "instructions": "Call when you are at the gate.",
                     *         "location": {
                     *           "lat": 6.4474,
                     *           "lng": 3.4723
                     *         },
                     *         "locationSource": "given",
                     *         "precisionMeters": 10,
                     *         "zoneId": "lag-lekki-1"
                     *       },
                     *       "parcels": [
                     *         {
                     *           "description": "Ankara maxi dress",
                     *           "weightGrams": 800,
                     *           "quantity": 1,
                     *           "valueKobo": 3250000,
                     *           "category": "fashion",
                     *           "fragile": false
                     *         }
                     *       ],
                     *       "distanceMeters": 9400,
                     *       "proof": {
                     *         "photo": true,
                     *         "signature": false,
                     *         "pin": null,
                     *         "captured": []
                     *       },
                     *       "undeliverableAction": "return",
                     *       "courier": null,
                     *       "pickupEta": {
                     *         "p50": "2026-11-21T08:45:00.000Z",
                     *         "p90": "2026-11-21T08:55:00.000Z"
                     *       },
                     *       "deliveryEta": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "pickupWindow": null,
                     *       "dropoffWindow": null,
                     *       "dispatchAt": "2026-11-21T08:31:00.000Z",
                     *       "scheduledPickupAt": null,
                     *       "plan": [
                     *         {
                     *           "offerId": "off_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "carrier": "simulator-swift",
                     *           "carrierName": "Simulator Swift",
                     *           "service": "Bike express",
                     *           "serviceLevel": "on_demand",
                     *           "vehicle": "bike",
                     *           "priceKobo": 250000,
                     *           "expectedCostKobo": 357267,
                     *           "pickupEta": {
                     *             "p50": "2026-11-21T08:48:00.000Z",
                     *             "p90": "2026-11-21T09:02:00.000Z"
                     *           },
                     *           "dropoffEta": {
                     *             "p50": "2026-11-21T09:15:00.000Z",
                     *             "p90": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "reliability": 0.94
                     *         }
                     *       ],
                     *       "attempts": [
                     *         {
                     *           "id": "att_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "number": 1,
                     *           "carrier": "simulator-swift",
                     *           "service": "Bike express",
                     *           "state": "accepted",
                     *           "outcome": {
                     *             "code": "accepted",
                     *             "message": "The carrier took it."
                     *           },
                     *           "priceKobo": 250000,
                     *           "carrierReference": "SW-7F2KQ9",
                     *           "cancellationFeeKobo": null,
                     *           "duplicateCostKobo": null,
                     *           "superseded": false,
                     *           "latencyMs": 611,
                     *           "startedAt": "2026-11-21T08:31:00.000Z",
                     *           "endedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "status": "awaiting_courier",
                     *           "description": "Simulator Swift took it.",
                     *           "source": "service",
                     *           "carrierStatus": null,
                     *           "attemptNumber": 1,
                     *           "applied": true,
                     *           "at": "2026-11-21T08:31:00.611Z",
                     *           "receivedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "exceptions": [],
                     *       "cancellation": {
                     *         "allowed": true,
                     *         "estimatedFeeKobo": 0,
                     *         "status": null,
                     *         "requestedAt": null,
                     *         "confirmedAt": null,
                     *         "reason": null,
                     *         "note": null,
                     *         "feeKobo": null,
                     *         "refundKobo": null
                     *       },
                     *       "metadata": {},
                     *       "mode": "live",
                     *       "version": 2,
                     *       "createdAt": "2026-11-21T08:31:00.000Z",
                     *       "updatedAt": "2026-11-21T08:31:00.611Z",
                     *       "assignedAt": null,
                     *       "pickedUpAt": null,
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            /** @description Nobody has taken it yet, and the work goes on. Read the shipment again. */
            202: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Where the new record is. */
                    Location: string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-1",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "quoteId": "qte_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "status": "awaiting_courier",
                     *       "statusReason": null,
                     *       "carrier": {
                     *         "code": "simulator-swift",
                     *         "name": "Simulator Swift"
                     *       },
                     *       "service": "Bike express",
                     *       "serviceLevel": "on_demand",
                     *       "vehicle": "bike",
                     *       "carrierReference": "SW-7F2KQ9",
                     *       "trackingUrl": null,
                     *       "labelUrl": null,
                     *       "currency": "NGN",
                     *       "quotedPriceKobo": 250000,
                     *       "priceKobo": 250000,
                     *       "surgeKobo": 0,
                     *       "priceCeilingKobo": 375000,
                     *       "pickup": {
                     *         "name": "Ankara House",
                     *         "phone": "+2348031234567",
                     *         "email": null,
                     *         "line1": "7 Adeola Odeku Street",
                     *         "line2": null,
                     *         "area": "Victoria Island",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": null,
                     *         "plusCode": null,
                     *         "instructions": null,
                     *         "location": {
                     *           "lat": 6.4281,
                     *           "lng": 3.4219
                     *         },
                     *         "locationSource": "area",
                     *         "precisionMeters": 1500,
                     *         "zoneId": "lag-island"
                     *       },
                     *       "dropoff": {
                     *         "name": "Adaeze Okafor",
                     *         "phone": "+2348029876543",
                     *         "email": "adaeze.okafor@example.com",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": "Flat 4B",
                     *         "area": "Lekki Phase 1",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "plusCode": null,
                     *         "instructions": "Call when you are at the gate.",
                     *         "location": {
                     *           "lat": 6.4474,
                     *           "lng": 3.4723
                     *         },
                     *         "locationSource": "given",
                     *         "precisionMeters": 10,
                     *         "zoneId": "lag-lekki-1"
                     *       },
                     *       "parcels": [
                     *         {
                     *           "description": "Ankara maxi dress",
                     *           "weightGrams": 800,
                     *           "quantity": 1,
                     *           "valueKobo": 3250000,
                     *           "category": "fashion",
                     *           "fragile": false
                     *         }
                     *       ],
                     *       "distanceMeters": 9400,
                     *       "proof": {
                     *         "photo": true,
                     *         "signature": false,
                     *         "pin": null,
                     *         "captured": []
                     *       },
                     *       "undeliverableAction": "return",
                     *       "courier": null,
                     *       "pickupEta": {
                     *         "p50": "2026-11-21T08:45:00.000Z",
                     *         "p90": "2026-11-21T08:55:00.000Z"
                     *       },
                     *       "deliveryEta": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "pickupWindow": null,
                     *       "dropoffWindow": null,
                     *       "dispatchAt": "2026-11-21T08:31:00.000Z",
                     *       "scheduledPickupAt": null,
                     *       "plan": [
                     *         {
                     *           "offerId": "off_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "carrier": "simulator-swift",
                     *           "carrierName": "Simulator Swift",
                     *           "service": "Bike express",
                     *           "serviceLevel": "on_demand",
                     *           "vehicle": "bike",
                     *           "priceKobo": 250000,
                     *           "expectedCostKobo": 357267,
                     *           "pickupEta": {
                     *             "p50": "2026-11-21T08:48:00.000Z",
                     *             "p90": "2026-11-21T09:02:00.000Z"
                     *           },
                     *           "dropoffEta": {
                     *             "p50": "2026-11-21T09:15:00.000Z",
                     *             "p90": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "reliability": 0.94
                     *         }
                     *       ],
                     *       "attempts": [
                     *         {
                     *           "id": "att_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "number": 1,
                     *           "carrier": "simulator-swift",
                     *           "service": "Bike express",
                     *           "state": "accepted",
                     *           "outcome": {
                     *             "code": "accepted",
                     *             "message": "The carrier took it."
                     *           },
                     *           "priceKobo": 250000,
                     *           "carrierReference": "SW-7F2KQ9",
                     *           "cancellationFeeKobo": null,
                     *           "duplicateCostKobo": null,
                     *           "superseded": false,
                     *           "latencyMs": 611,
                     *           "startedAt": "2026-11-21T08:31:00.000Z",
                     *           "endedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "status": "awaiting_courier",
                     *           "description": "Simulator Swift took it.",
                     *           "source": "service",
                     *           "carrierStatus": null,
                     *           "attemptNumber": 1,
                     *           "applied": true,
                     *           "at": "2026-11-21T08:31:00.611Z",
                     *           "receivedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "exceptions": [],
                     *       "cancellation": {
                     *         "allowed": true,
                     *         "estimatedFeeKobo": 0,
                     *         "status": null,
                     *         "requestedAt": null,
                     *         "confirmedAt": null,
                     *         "reason": null,
                     *         "note": null,
                     *         "feeKobo": null,
                     *         "refundKobo": null
                     *       },
                     *       "metadata": {},
                     *       "mode": "live",
                     *       "version": 2,
                     *       "createdAt": "2026-11-21T08:31:00.000Z",
                     *       "updatedAt": "2026-11-21T08:31:00.611Z",
                     *       "assignedAt": null,
                     *       "pickedUpAt": null,
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `contact_incomplete`: A rider needs a name and a phone number at both ends.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["ContactIncompleteError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /** @description `carrier_wallet_insufficient`: Every carrier that was asked wants its account funded first. The shipment is kept as `failed`, with every attempt. */
            402: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierWalletInsufficientError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `quote_not_found`: The merchant has no quote with this id, or the quote has no offer with this id.
             *
             *     `order_not_found`: The merchant has no order with this id.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteNotFoundError"] | components["schemas"]["OrderNotFoundError"];
                };
            };
            /**
             * @description `order_not_dispatchable`: The order is cancelled or returned, so nothing of it is to be sent.
             *
             *     `nothing_to_send`: All that is left of the order has been sent already.
             *
             *     `order_not_shippable`: The order does not say all it takes to send it: it is collected, or has more kinds of lines than a shipment.
             *
             *     `pickup_missing`: The request does not say where the parcels are fetched, and the merchant has no default pickup.
             *
             *     `outside_coverage`: No carrier reaches the place: it is at sea, or outside Nigeria. For a surge: it is in no delivery zone.
             *
             *     `quote_expired`: The offer no longer holds.
             *
             *     `quote_already_used`: A shipment was made of this quote already.
             *
             *     `quote_mismatch`: The dispatch names a place or an order that is not the one that was quoted.
             *
             *     `proof_not_offered`: The chosen offer’s carrier cannot give the proof asked for; or, without a choice, no carrier of the quote can.
             *
             *     `window_missed`: By what their carriers say, none of the offers that may be asked for keeps the windows of the quote.
             *
             *     `reference_conflict`: Another request used this reference before. A reference names one shipment for ever.
             *
             *     `order_already_dispatched`: The order has a shipment under way.
             *
             *     `customer_anonymised`: The customer was anonymised: nothing more is kept about them, and nothing is sent to them.
             *
             *     `price_ceiling_too_low`: Every offer costs more than the shipment may.
             *
             *     `time_in_past`: A time that has to lie ahead has passed, or lies further ahead than 30 days.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderNotDispatchableError"] | components["schemas"]["NothingToSendError"] | components["schemas"]["OrderNotShippableError"] | components["schemas"]["PickupMissingError"] | components["schemas"]["OutsideCoverageError"] | components["schemas"]["QuoteExpiredError"] | components["schemas"]["QuoteAlreadyUsedError"] | components["schemas"]["QuoteMismatchError"] | components["schemas"]["ProofNotOfferedError"] | components["schemas"]["WindowMissedError"] | components["schemas"]["ReferenceConflictError"] | components["schemas"]["OrderAlreadyDispatchedError"] | components["schemas"]["CustomerAnonymisedError"] | components["schemas"]["PriceCeilingTooLowError"] | components["schemas"]["TimeInPastError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `no_carrier_available`: No carrier took the shipment. It is kept as `failed`, with every attempt.
             *
             *     `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoCarrierAvailableError"] | components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getShipment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer you have. If it would be the same again, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of a shipment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shipment. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Always `private, no-cache`: what you kept has to be asked about before it is used. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-1",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "quoteId": "qte_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "status": "awaiting_courier",
                     *       "statusReason": null,
                     *       "carrier": {
                     *         "code": "simulator-swift",
                     *         "name": "Simulator Swift"
                     *       },
                     *       "service": "Bike express",
                     *       "serviceLevel": "on_demand",
                     *       "vehicle": "bike",
                     *       "carrierReference": "SW-7F2KQ9",
                     *       "trackingUrl": null,
                     *       "labelUrl": null,
                     *       "currency": "NGN",
                     *       "quotedPriceKobo": 250000,
                     *       "priceKobo": 250000,
                     *       "surgeKobo": 0,
                     *       "priceCeilingKobo": 375000,
                     *       "pickup": {
                     *         "name": "Ankara House",
                     *         "phone": "+2348031234567",
                     *         "email": null,
                     *         "line1": "7 Adeola Odeku Street",
                     *         "line2": null,
                     *         "area": "Victoria Island",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": null,
                     *         "plusCode": null,
                     *         "instructions": null,
                     *         "location": {
                     *           "lat": 6.4281,
                     *           "lng": 3.4219
                     *         },
                     *         "locationSource": "area",
                     *         "precisionMeters": 1500,
                     *         "zoneId": "lag-island"
                     *       },
                     *       "dropoff": {
                     *         "name": "Adaeze Okafor",
                     *         "phone": "+2348029876543",
                     *         "email": "adaeze.okafor@example.com",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": "Flat 4B",
                     *         "area": "Lekki Phase 1",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "plusCode": null,
                     *         "instructions": "Call when you are at the gate.",
                     *         "location": {
                     *           "lat": 6.4474,
                     *           "lng": 3.4723
                     *         },
                     *         "locationSource": "given",
                     *         "precisionMeters": 10,
                     *         "zoneId": "lag-lekki-1"
                     *       },
                     *       "parcels": [
                     *         {
                     *           "description": "Ankara maxi dress",
                     *           "weightGrams": 800,
                     *           "quantity": 1,
                     *           "valueKobo": 3250000,
                     *           "category": "fashion",
                     *           "fragile": false
                     *         }
                     *       ],
                     *       "distanceMeters": 9400,
                     *       "proof": {
                     *         "photo": true,
                     *         "signature": false,
                     *         "pin": null,
                     *         "captured": []
                     *       },
                     *       "undeliverableAction": "return",
                     *       "courier": null,
                     *       "pickupEta": {
                     *         "p50": "2026-11-21T08:45:00.000Z",
                     *         "p90": "2026-11-21T08:55:00.000Z"
                     *       },
                     *       "deliveryEta": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "pickupWindow": null,
                     *       "dropoffWindow": null,
                     *       "dispatchAt": "2026-11-21T08:31:00.000Z",
                     *       "scheduledPickupAt": null,
                     *       "plan": [
                     *         {
                     *           "offerId": "off_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "carrier": "simulator-swift",
                     *           "carrierName": "Simulator Swift",
                     *           "service": "Bike express",
                     *           "serviceLevel": "on_demand",
                     *           "vehicle": "bike",
                     *           "priceKobo": 250000,
                     *           "expectedCostKobo": 357267,
                     *           "pickupEta": {
                     *             "p50": "2026-11-21T08:48:00.000Z",
                     *             "p90": "2026-11-21T09:02:00.000Z"
                     *           },
                     *           "dropoffEta": {
                     *             "p50": "2026-11-21T09:15:00.000Z",
                     *             "p90": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "reliability": 0.94
                     *         }
                     *       ],
                     *       "attempts": [
                     *         {
                     *           "id": "att_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "number": 1,
                     *           "carrier": "simulator-swift",
                     *           "service": "Bike express",
                     *           "state": "accepted",
                     *           "outcome": {
                     *             "code": "accepted",
                     *             "message": "The carrier took it."
                     *           },
                     *           "priceKobo": 250000,
                     *           "carrierReference": "SW-7F2KQ9",
                     *           "cancellationFeeKobo": null,
                     *           "duplicateCostKobo": null,
                     *           "superseded": false,
                     *           "latencyMs": 611,
                     *           "startedAt": "2026-11-21T08:31:00.000Z",
                     *           "endedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "status": "awaiting_courier",
                     *           "description": "Simulator Swift took it.",
                     *           "source": "service",
                     *           "carrierStatus": null,
                     *           "attemptNumber": 1,
                     *           "applied": true,
                     *           "at": "2026-11-21T08:31:00.611Z",
                     *           "receivedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "exceptions": [],
                     *       "cancellation": {
                     *         "allowed": true,
                     *         "estimatedFeeKobo": 0,
                     *         "status": null,
                     *         "requestedAt": null,
                     *         "confirmedAt": null,
                     *         "reason": null,
                     *         "note": null,
                     *         "feeKobo": null,
                     *         "refundKobo": null
                     *       },
                     *       "metadata": {},
                     *       "mode": "live",
                     *       "version": 2,
                     *       "createdAt": "2026-11-21T08:31:00.000Z",
                     *       "updatedAt": "2026-11-21T08:31:00.611Z",
                     *       "assignedAt": null,
                     *       "pickedUpAt": null,
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            /** @description It is as you have it: the answer would carry the ETag sent in `If-None-Match`. There is no body. */
            304: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Always `private, no-cache`: what you kept has to be asked about before it is used. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `shipment_not_found`: The merchant has no shipment with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    cancelShipment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted and ignored here: `Idempotency-Status: ignored` says so. */
                "Idempotency-Key"?: string;
                /** @description With `true` everything is judged and answered, and nothing is kept. */
                "Service-Dry-Run"?: "true" | "false";
                /** @description The `ETag` of the record as you know it. If it has changed since, nothing is done. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of a shipment. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The request: at most 64 KiB, 2,000 values and 16 levels. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "customer_request",
                 *       "note": "Wrong size packed."
                 *     }
                 */
                "application/json": components["schemas"]["CancelShipmentInput"];
            };
        };
        responses: {
            /** @description It is cancelled. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-1",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "quoteId": "qte_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "status": "cancelled",
                     *       "statusReason": null,
                     *       "carrier": {
                     *         "code": "simulator-swift",
                     *         "name": "Simulator Swift"
                     *       },
                     *       "service": "Bike express",
                     *       "serviceLevel": "on_demand",
                     *       "vehicle": "bike",
                     *       "carrierReference": "SW-7F2KQ9",
                     *       "trackingUrl": null,
                     *       "labelUrl": null,
                     *       "currency": "NGN",
                     *       "quotedPriceKobo": 250000,
                     *       "priceKobo": 250000,
                     *       "surgeKobo": 0,
                     *       "priceCeilingKobo": 375000,
                     *       "pickup": {
                     *         "name": "Ankara House",
                     *         "phone": "+2348031234567",
                     *         "email": null,
                     *         "line1": "7 Adeola Odeku Street",
                     *         "line2": null,
                     *         "area": "Victoria Island",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": null,
                     *         "plusCode": null,
                     *         "instructions": null,
                     *         "location": {
                     *           "lat": 6.4281,
                     *           "lng": 3.4219
                     *         },
                     *         "locationSource": "area",
                     *         "precisionMeters": 1500,
                     *         "zoneId": "lag-island"
                     *       },
                     *       "dropoff": {
                     *         "name": "Adaeze Okafor",
                     *         "phone": "+2348029876543",
                     *         "email": "adaeze.okafor@example.com",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": "Flat 4B",
                     *         "area": "Lekki Phase 1",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "plusCode": null,
                     *         "instructions": "Call when you are at the gate.",
                     *         "location": {
                     *           "lat": 6.4474,
                     *           "lng": 3.4723
                     *         },
                     *         "locationSource": "given",
                     *         "precisionMeters": 10,
                     *         "zoneId": "lag-lekki-1"
                     *       },
                     *       "parcels": [
                     *         {
                     *           "description": "Ankara maxi dress",
                     *           "weightGrams": 800,
                     *           "quantity": 1,
                     *           "valueKobo": 3250000,
                     *           "category": "fashion",
                     *           "fragile": false
                     *         }
                     *       ],
                     *       "distanceMeters": 9400,
                     *       "proof": {
                     *         "photo": true,
                     *         "signature": false,
                     *         "pin": null,
                     *         "captured": []
                     *       },
                     *       "undeliverableAction": "return",
                     *       "courier": null,
                     *       "pickupEta": {
                     *         "p50": "2026-11-21T08:45:00.000Z",
                     *         "p90": "2026-11-21T08:55:00.000Z"
                     *       },
                     *       "deliveryEta": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "pickupWindow": null,
                     *       "dropoffWindow": null,
                     *       "dispatchAt": "2026-11-21T08:31:00.000Z",
                     *       "scheduledPickupAt": null,
                     *       "plan": [
                     *         {
                     *           "offerId": "off_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "carrier": "simulator-swift",
                     *           "carrierName": "Simulator Swift",
                     *           "service": "Bike express",
                     *           "serviceLevel": "on_demand",
                     *           "vehicle": "bike",
                     *           "priceKobo": 250000,
                     *           "expectedCostKobo": 357267,
                     *           "pickupEta": {
                     *             "p50": "2026-11-21T08:48:00.000Z",
                     *             "p90": "2026-11-21T09:02:00.000Z"
                     *           },
                     *           "dropoffEta": {
                     *             "p50": "2026-11-21T09:15:00.000Z",
                     *             "p90": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "reliability": 0.94
                     *         }
                     *       ],
                     *       "attempts": [
                     *         {
                     *           "id": "att_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "number": 1,
                     *           "carrier": "simulator-swift",
                     *           "service": "Bike express",
                     *           "state": "accepted",
                     *           "outcome": {
                     *             "code": "accepted",
                     *             "message": "The carrier took it."
                     *           },
                     *           "priceKobo": 250000,
                     *           "carrierReference": "SW-7F2KQ9",
                     *           "cancellationFeeKobo": null,
                     *           "duplicateCostKobo": null,
                     *           "superseded": false,
                     *           "latencyMs": 611,
                     *           "startedAt": "2026-11-21T08:31:00.000Z",
                     *           "endedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "status": "awaiting_courier",
                     *           "description": "Simulator Swift took it.",
                     *           "source": "service",
                     *           "carrierStatus": null,
                     *           "attemptNumber": 1,
                     *           "applied": true,
                     *           "at": "2026-11-21T08:31:00.611Z",
                     *           "receivedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "exceptions": [],
                     *       "cancellation": {
                     *         "allowed": false,
                     *         "estimatedFeeKobo": null,
                     *         "status": "cancelled",
                     *         "requestedAt": "2026-11-21T08:35:00.000Z",
                     *         "confirmedAt": "2026-11-21T08:35:01.204Z",
                     *         "reason": "customer_request",
                     *         "note": "Wrong size packed.",
                     *         "feeKobo": 0,
                     *         "refundKobo": 250000
                     *       },
                     *       "metadata": {},
                     *       "mode": "live",
                     *       "version": 4,
                     *       "createdAt": "2026-11-21T08:31:00.000Z",
                     *       "updatedAt": "2026-11-21T08:31:00.611Z",
                     *       "assignedAt": null,
                     *       "pickedUpAt": null,
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            /** @description The carrier has been asked and has not confirmed yet: it is `cancelling`. */
            202: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description The record’s version; send it as `If-Match` to change this very one. */
                    ETag: string;
                    /** @description Whether the Idempotency-Key sent was honoured. */
                    "Idempotency-Status"?: "honoured" | "ignored";
                    /** @description `true` when nothing was kept. */
                    "Service-Dry-Run"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "reference": "ORD-7K2M9QX4-1",
                     *       "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "quoteId": "qte_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "status": "cancelled",
                     *       "statusReason": null,
                     *       "carrier": {
                     *         "code": "simulator-swift",
                     *         "name": "Simulator Swift"
                     *       },
                     *       "service": "Bike express",
                     *       "serviceLevel": "on_demand",
                     *       "vehicle": "bike",
                     *       "carrierReference": "SW-7F2KQ9",
                     *       "trackingUrl": null,
                     *       "labelUrl": null,
                     *       "currency": "NGN",
                     *       "quotedPriceKobo": 250000,
                     *       "priceKobo": 250000,
                     *       "surgeKobo": 0,
                     *       "priceCeilingKobo": 375000,
                     *       "pickup": {
                     *         "name": "Ankara House",
                     *         "phone": "+2348031234567",
                     *         "email": null,
                     *         "line1": "7 Adeola Odeku Street",
                     *         "line2": null,
                     *         "area": "Victoria Island",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": null,
                     *         "plusCode": null,
                     *         "instructions": null,
                     *         "location": {
                     *           "lat": 6.4281,
                     *           "lng": 3.4219
                     *         },
                     *         "locationSource": "area",
                     *         "precisionMeters": 1500,
                     *         "zoneId": "lag-island"
                     *       },
                     *       "dropoff": {
                     *         "name": "Adaeze Okafor",
                     *         "phone": "+2348029876543",
                     *         "email": "adaeze.okafor@example.com",
                     *         "line1": "12 Admiralty Way",
                     *         "line2": "Flat 4B",
                     *         "area": "Lekki Phase 1",
                     *         "lga": "Eti-Osa",
                     *         "state": "Lagos",
                     *         "landmark": "Opposite Ebeano Supermarket",
                     *         "plusCode": null,
                     *         "instructions": "Call when you are at the gate.",
                     *         "location": {
                     *           "lat": 6.4474,
                     *           "lng": 3.4723
                     *         },
                     *         "locationSource": "given",
                     *         "precisionMeters": 10,
                     *         "zoneId": "lag-lekki-1"
                     *       },
                     *       "parcels": [
                     *         {
                     *           "description": "Ankara maxi dress",
                     *           "weightGrams": 800,
                     *           "quantity": 1,
                     *           "valueKobo": 3250000,
                     *           "category": "fashion",
                     *           "fragile": false
                     *         }
                     *       ],
                     *       "distanceMeters": 9400,
                     *       "proof": {
                     *         "photo": true,
                     *         "signature": false,
                     *         "pin": null,
                     *         "captured": []
                     *       },
                     *       "undeliverableAction": "return",
                     *       "courier": null,
                     *       "pickupEta": {
                     *         "p50": "2026-11-21T08:45:00.000Z",
                     *         "p90": "2026-11-21T08:55:00.000Z"
                     *       },
                     *       "deliveryEta": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "pickupWindow": null,
                     *       "dropoffWindow": null,
                     *       "dispatchAt": "2026-11-21T08:31:00.000Z",
                     *       "scheduledPickupAt": null,
                     *       "plan": [
                     *         {
                     *           "offerId": "off_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "carrier": "simulator-swift",
                     *           "carrierName": "Simulator Swift",
                     *           "service": "Bike express",
                     *           "serviceLevel": "on_demand",
                     *           "vehicle": "bike",
                     *           "priceKobo": 250000,
                     *           "expectedCostKobo": 357267,
                     *           "pickupEta": {
                     *             "p50": "2026-11-21T08:48:00.000Z",
                     *             "p90": "2026-11-21T09:02:00.000Z"
                     *           },
                     *           "dropoffEta": {
                     *             "p50": "2026-11-21T09:15:00.000Z",
                     *             "p90": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "reliability": 0.94
                     *         }
                     *       ],
                     *       "attempts": [
                     *         {
                     *           "id": "att_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "number": 1,
                     *           "carrier": "simulator-swift",
                     *           "service": "Bike express",
                     *           "state": "accepted",
                     *           "outcome": {
                     *             "code": "accepted",
                     *             "message": "The carrier took it."
                     *           },
                     *           "priceKobo": 250000,
                     *           "carrierReference": "SW-7F2KQ9",
                     *           "cancellationFeeKobo": null,
                     *           "duplicateCostKobo": null,
                     *           "superseded": false,
                     *           "latencyMs": 611,
                     *           "startedAt": "2026-11-21T08:31:00.000Z",
                     *           "endedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "status": "awaiting_courier",
                     *           "description": "Simulator Swift took it.",
                     *           "source": "service",
                     *           "carrierStatus": null,
                     *           "attemptNumber": 1,
                     *           "applied": true,
                     *           "at": "2026-11-21T08:31:00.611Z",
                     *           "receivedAt": "2026-11-21T08:31:00.611Z"
                     *         }
                     *       ],
                     *       "exceptions": [],
                     *       "cancellation": {
                     *         "allowed": false,
                     *         "estimatedFeeKobo": null,
                     *         "status": "cancelled",
                     *         "requestedAt": "2026-11-21T08:35:00.000Z",
                     *         "confirmedAt": "2026-11-21T08:35:01.204Z",
                     *         "reason": "customer_request",
                     *         "note": "Wrong size packed.",
                     *         "feeKobo": 0,
                     *         "refundKobo": 250000
                     *       },
                     *       "metadata": {},
                     *       "mode": "live",
                     *       "version": 4,
                     *       "createdAt": "2026-11-21T08:31:00.000Z",
                     *       "updatedAt": "2026-11-21T08:31:00.611Z",
                     *       "assignedAt": null,
                     *       "pickedUpAt": null,
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_json`: The body is not JSON, or is empty where one is required.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidJsonError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `shipment_not_found`: The merchant has no shipment with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentNotFoundError"];
                };
            };
            /**
             * @description `shipment_not_cancellable`: The shipment is in somebody’s hands or over, or its carrier does not let it be called off.
             *
             *     `cancellation_fee_required`: The carrier would charge for cancelling, more than the request accepts.
             *
             *     `concurrent_update`: Other requests kept the same record busy for too long.
             */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentNotCancellableError"] | components["schemas"]["CancellationFeeRequiredError"] | components["schemas"]["ConcurrentUpdateError"];
                };
            };
            /** @description `version_conflict`: The record has changed since the version named in `If-Match`. */
            412: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionConflictError"];
                };
            };
            /** @description `body_too_large`: The body has more bytes, values or levels than the operation takes. */
            413: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as uncompressed `application/json` in UTF-8. */
            415: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /**
             * @description `outcome_unknown`: The database went away in the very moment of keeping the change: it may or may not have been made.
             *
             *     `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down.
             */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeUnknownError"] | components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    trackShipment: {
        parameters: {
            query?: {
                /** @description The `version` you know: only with `wait`. */
                since?: number;
                /** @description How long to wait for news, in seconds. When too many wait, the answer comes at once. */
                wait?: number;
            };
            header?: {
                /** @description The `ETag` of the answer you have. If it would be the same again, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of a shipment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where it is. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Tells this state from any other; send it as `If-None-Match` to be spared the same again. */
                    ETag: string;
                    /** @description Always `private, no-cache`: what you kept has to be asked about before it is used. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "shipmentId": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "status": "in_transit",
                     *       "version": 6,
                     *       "positionNumber": 17,
                     *       "asOf": "2026-11-21T08:58:08.000Z",
                     *       "pollAfterSeconds": 20,
                     *       "live": true,
                     *       "position": {
                     *         "lat": 6.4391,
                     *         "lng": 3.4502,
                     *         "headingDegrees": 90,
                     *         "recordedAt": "2026-11-21T08:58:00.000Z",
                     *         "receivedAt": "2026-11-21T08:58:01.204Z",
                     *         "ageSeconds": 8,
                     *         "stale": false,
                     *         "source": "callback"
                     *       },
                     *       "estimatedPosition": null,
                     *       "distanceToNextStopMeters": 2613,
                     *       "eta": {
                     *         "p50": "2026-11-21T09:15:00.000Z",
                     *         "p90": "2026-11-21T09:40:00.000Z",
                     *         "basis": "carrier"
                     *       },
                     *       "courier": {
                     *         "name": "Musa",
                     *         "vehicle": "bike",
                     *         "phone": null,
                     *         "plateLastFour": "42KJ"
                     *       },
                     *       "trackingUrl": null,
                     *       "events": [
                     *         {
                     *           "status": "in_transit",
                     *           "description": "It is on its way.",
                     *           "at": "2026-11-21T08:52:00.000Z"
                     *         },
                     *         {
                     *           "status": "picked_up",
                     *           "description": "It was fetched.",
                     *           "at": "2026-11-21T08:50:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Tracking"];
                };
            };
            /** @description It is as you have it: the answer would carry the ETag sent in `If-None-Match`. There is no body. */
            304: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Tells this state from any other; send it as `If-None-Match` to be spared the same again. */
                    ETag: string;
                    /** @description Always `private, no-cache`: what you kept has to be asked about before it is used. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `shipment_not_found`: The merchant has no shipment with this id. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getSurge: {
        parameters: {
            query?: {
                /** @description Identifier of the zone. */
                zone?: string;
                /** @description Degrees north of a point in the zone; with `lng`, instead of `zone`. */
                lat?: number;
                /** @description Degrees east of it. */
                lng?: number;
                /** @description The moment; now when left out. */
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The surge in force at that moment. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description How long you may keep the answer; nobody may keep it for others. */
                    "Cache-Control": "private, max-age=60";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "zoneId": "lag-lekki-1",
                     *       "multiplier": 1.15,
                     *       "level": "elevated",
                     *       "surgeKobo": 30000,
                     *       "referenceFareKobo": 200000,
                     *       "appliesTo": [
                     *         "rate_card"
                     *       ],
                     *       "basis": "observed",
                     *       "computedAt": "2026-11-21T08:30:00.412Z",
                     *       "validUntil": "2026-11-21T08:35:00.000Z",
                     *       "trend": "rising",
                     *       "factors": [
                     *         {
                     *           "code": "assignment_time",
                     *           "factor": 1.081109,
                     *           "observed": 415,
                     *           "baseline": 320,
                     *           "unit": "seconds"
                     *         },
                     *         {
                     *           "code": "no_courier_rate",
                     *           "factor": 1.019981,
                     *           "observed": 0.15,
                     *           "baseline": 0.08,
                     *           "unit": "ratio"
                     *         },
                     *         {
                     *           "code": "market_price",
                     *           "factor": 1,
                     *           "observed": 1,
                     *           "baseline": 1,
                     *           "unit": "ratio"
                     *         },
                     *         {
                     *           "code": "demand",
                     *           "factor": 1.013768,
                     *           "observed": 0.61,
                     *           "baseline": 0.5,
                     *           "unit": "per_minute"
                     *         },
                     *         {
                     *           "code": "blend_and_smoothing",
                     *           "factor": 1.028799,
                     *           "observed": null,
                     *           "baseline": null,
                     *           "unit": null
                     *         }
                     *       ],
                     *       "sampleSize": 41,
                     *       "cap": 2,
                     *       "snapshotId": "sgs_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *     }
                     */
                    "application/json": components["schemas"]["Surge"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /**
             * @description `zone_not_found`: There is no active delivery zone with this id.
             *
             *     `surge_not_kept`: The moment lies ahead, or longer ago than published surges are kept.
             */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ZoneNotFoundError"] | components["schemas"]["SurgeNotKeptError"];
                };
            };
            /** @description `outside_coverage`: No carrier reaches the place: it is at sea, or outside Nigeria. For a surge: it is in no delivery zone. */
            409: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutsideCoverageError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events of these kinds, separated by commas. */
                event?: ("order.created" | "order.status_changed" | "order.refunded" | "inventory.low_stock" | "shipment.status_changed")[];
                /** @description Only events of this record: an order, of `order.refunded` the refund, of stock the variant. */
                resourceId?: string;
                /** @description Only events of this moment or later. */
                createdFrom?: string;
                /** @description Only events before this moment. */
                createdTo?: string;
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *           "event": "inventory.low_stock",
                     *           "createdAt": "2026-11-21T08:30:00.000Z",
                     *           "mode": "live",
                     *           "data": {
                     *             "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *             "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *             "sku": "ANK-MAX-M-IND",
                     *             "title": "Ankara maxi dress, M / Indigo",
                     *             "available": 4,
                     *             "onHand": 6,
                     *             "reserved": 2,
                     *             "threshold": 5,
                     *             "cause": {
                     *               "type": "order",
                     *               "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *             },
                     *             "occurredAt": "2026-11-21T08:30:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEventPage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             *
             *     `invalid_time_range`: The start of a time range is not before its end.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"] | components["schemas"]["InvalidTimeRangeError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of an event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, byte for byte as deliveries carry it. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *       "event": "inventory.low_stock",
                     *       "createdAt": "2026-11-21T08:30:00.000Z",
                     *       "mode": "live",
                     *       "data": {
                     *         "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *         "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                     *         "sku": "ANK-MAX-M-IND",
                     *         "title": "Ankara maxi dress, M / Indigo",
                     *         "available": 4,
                     *         "onHand": 6,
                     *         "reserved": 2,
                     *         "threshold": 5,
                     *         "cause": {
                     *           "type": "order",
                     *           "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k"
                     *         },
                     *         "occurredAt": "2026-11-21T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `event_not_found`: The merchant has no event with this id, or it is older than 30 days. */
            404: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventNotFoundError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    listZones: {
        parameters: {
            query?: {
                /** @description Only zones in this state. */
                state?: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
                /** @description Only the zone this point is in, and those within 10 km of it: latitude and longitude in degrees. Each then says its `distanceMeters`; the order stays newest first. */
                near?: string;
                /** @description What to show beyond the usual: `geometry`, the outline. */
                include?: "geometry"[];
                /** @description Records per page. */
                limit?: number;
                /** @description `pagination.cursor` of the previous page. Do not build or change one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, newest first. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "lag-lekki-1",
                     *           "name": "Oniru and Lekki Phase 1",
                     *           "state": "Lagos",
                     *           "city": "Lagos",
                     *           "lgas": [
                     *             "Eti-Osa"
                     *           ],
                     *           "areas": [
                     *             "Oniru",
                     *             "Lekki Phase 1"
                     *           ],
                     *           "centroid": {
                     *             "lat": 6.4363,
                     *             "lng": 3.4668
                     *           },
                     *           "bbox": [
                     *             3.443,
                     *             6.417,
                     *             3.487,
                     *             6.461
                     *           ],
                     *           "geometry": null,
                     *           "boundaryStatus": "draft",
                     *           "serviceLevels": [
                     *             "on_demand",
                     *             "same_day",
                     *             "next_day",
                     *             "standard"
                     *           ],
                     *           "carriers": [
                     *             "simulator-swift",
                     *             "simulator-steady",
                     *             "simulator-saver"
                     *           ],
                     *           "operatingHours": [
                     *             {
                     *               "days": [
                     *                 "mon",
                     *                 "tue",
                     *                 "wed",
                     *                 "thu",
                     *                 "fri",
                     *                 "sat"
                     *               ],
                     *               "from": "07:00",
                     *               "to": "21:00",
                     *               "tz": "Africa/Lagos"
                     *             },
                     *             {
                     *               "days": [
                     *                 "sun"
                     *               ],
                     *               "from": "10:00",
                     *               "to": "19:00",
                     *               "tz": "Africa/Lagos"
                     *             }
                     *           ],
                     *           "neighbours": [
                     *             "lag-island",
                     *             "lag-lekki-2"
                     *           ],
                     *           "baseFareKobo": 200000,
                     *           "perKmKobo": 15000,
                     *           "includedMeters": 5000,
                     *           "perKgKobo": 10000,
                     *           "includedGrams": 5000,
                     *           "averageSpeedKmh": 18,
                     *           "surgeMultiplier": 1,
                     *           "distanceMeters": null,
                     *           "active": true,
                     *           "createdAt": "2026-11-01T00:00:00.000Z",
                     *           "updatedAt": "2026-11-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "cursor": null,
                     *         "limit": 25,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ZonePage"];
                };
            };
            /**
             * @description `unknown_parameter`: The query holds a parameter this operation does not have.
             *
             *     `invalid_cursor`: The cursor was not issued by this list for this merchant, or was altered.
             *
             *     `cursor_expired`: The cursor is 24 hours old or older.
             *
             *     `cursor_filter_mismatch`: The filters sent differ from those the cursor was issued for.
             *
             *     `validation_failed`: One or more values do not fit the schema; `errors` lists each of them.
             */
            400: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownParameterError"] | components["schemas"]["InvalidCursorError"] | components["schemas"]["CursorExpiredError"] | components["schemas"]["CursorFilterMismatchError"] | components["schemas"]["ValidationFailedError"];
                };
            };
            /**
             * @description `missing_token`: The request carries no bearer token.
             *
             *     `invalid_token`: The bearer token is malformed or unknown.
             *
             *     `token_expired`: The token has passed its expiry.
             *
             *     `token_revoked`: The token was revoked.
             */
            401: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description How to authenticate. */
                    "WWW-Authenticate": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTokenError"] | components["schemas"]["InvalidTokenError"] | components["schemas"]["TokenExpiredError"] | components["schemas"]["TokenRevokedError"];
                };
            };
            /**
             * @description `ip_not_allowed`: The token may not be used from this address.
             *
             *     `merchant_suspended`: The merchant’s account is suspended.
             *
             *     `insufficient_scope`: The token lacks the scope this operation needs.
             */
            403: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpNotAllowedError"] | components["schemas"]["MerchantSuspendedError"] | components["schemas"]["InsufficientScopeError"];
                };
            };
            /** @description `internal_error`: The service failed. Nothing was changed. */
            500: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, has too much to do at once, or is shutting down. */
            503: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    /** @description Whether the same request may succeed later. */
                    "Service-Should-Retry": "true" | "false";
                    /** @description Seconds to wait, when a retry is worth it. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceUnavailableError"];
                };
            };
        };
    };
    getDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, byte for byte the one that was released. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Commerce Service",
                     *         "version": "1.0.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getChangelog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The releases. */
            200: {
                headers: {
                    /** @description Name it when asking for help. */
                    "Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "version": "1.1.0",
                     *           "releasedOn": "2026-12-01",
                     *           "summary": "Payments can be sent again safely.",
                     *           "changes": [
                     *             {
                     *               "kind": "idempotency",
                     *               "isBreaking": false,
                     *               "subject": "recordPayment",
                     *               "what": "POST /orders/{id}/payments honours Idempotency-Key."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Changelog"];
                };
            };
        };
    };
    onOrderCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` in Unix seconds and HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s signing secret, in hex. */
                "Service-Signature": string;
                /** @description The event’s id, for Standard Webhooks verifiers. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt, for Standard Webhooks verifiers. */
                "webhook-timestamp": string;
                /** @description `v1,` and the signature in base64, for Standard Webhooks verifiers. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *       "event": "order.created",
                 *       "createdAt": "2026-11-21T08:30:00.000Z",
                 *       "mode": "live",
                 *       "data": {
                 *         "order": {
                 *           "id": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *           "number": "ORD-7K2M9QX4",
                 *           "status": "pending",
                 *           "totalKobo": 3250000,
                 *           "currency": "NGN",
                 *           "createdAt": "2026-11-21T08:30:00.000Z",
                 *           "customer": {
                 *             "id": "cus_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *             "name": "Adaeze Okafor",
                 *             "email": "adaeze.okafor@example.com",
                 *             "phone": "+2348031234567"
                 *           },
                 *           "version": 1,
                 *           "paymentStatus": "unpaid",
                 *           "fulfillmentStatus": "unfulfilled",
                 *           "paymentMethod": "bank_transfer",
                 *           "items": [
                 *             {
                 *               "id": "itm_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *               "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *               "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *               "sku": "ANK-MAX-M-IND",
                 *               "title": "Ankara maxi dress",
                 *               "variantTitle": "M / Indigo",
                 *               "optionValues": {
                 *                 "size": "M",
                 *                 "colour": "Indigo"
                 *               },
                 *               "imageUrl": null,
                 *               "quantity": 2,
                 *               "fulfilledQuantity": 0,
                 *               "returnedQuantity": 0,
                 *               "cancelledQuantity": 0,
                 *               "refundedQuantity": 0,
                 *               "unitPriceKobo": 1500000,
                 *               "compareAtPriceKobo": null,
                 *               "subtotalKobo": 3000000,
                 *               "discountKobo": 0,
                 *               "taxRateBps": 0,
                 *               "taxKobo": 0,
                 *               "totalKobo": 3000000
                 *             }
                 *           ],
                 *           "subtotalKobo": 3000000,
                 *           "discountKobo": 0,
                 *           "shippingKobo": 250000,
                 *           "taxKobo": 0,
                 *           "taxInclusive": true,
                 *           "taxRateBps": 0,
                 *           "paidKobo": 0,
                 *           "refundedKobo": 0,
                 *           "refundPendingKobo": 0,
                 *           "refundableKobo": 0,
                 *           "balanceKobo": 3250000,
                 *           "discounts": [],
                 *           "shippingAddress": {
                 *             "recipientName": "Adaeze Okafor",
                 *             "phone": "+2348031234567",
                 *             "line1": "12 Admiralty Way",
                 *             "line2": null,
                 *             "landmark": "Opposite Ebeano Supermarket",
                 *             "area": "Lekki Phase 1",
                 *             "city": "Lekki",
                 *             "state": "Lagos",
                 *             "country": "NG",
                 *             "postalCode": null,
                 *             "instructions": null,
                 *             "latitude": 6.4474,
                 *             "longitude": 3.4723
                 *           },
                 *           "billingAddress": null,
                 *           "shipments": [],
                 *           "note": null,
                 *           "customerNote": null,
                 *           "tags": [],
                 *           "externalReference": "shop-10042",
                 *           "expiresAt": "2026-11-22T08:30:00.000Z",
                 *           "cancelReason": null,
                 *           "cancelNote": null,
                 *           "source": "api",
                 *           "allowedTransitions": [
                 *             "on_hold",
                 *             "processing",
                 *             "cancelled"
                 *           ],
                 *           "confirmedAt": null,
                 *           "paidAt": null,
                 *           "shippedAt": null,
                 *           "deliveredAt": null,
                 *           "cancelledAt": null,
                 *           "returnedAt": null,
                 *           "updatedAt": "2026-11-21T08:30:00.000Z",
                 *           "metadata": {}
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrderCreatedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, or none within 10 seconds, is a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderStatusChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` in Unix seconds and HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s signing secret, in hex. */
                "Service-Signature": string;
                /** @description The event’s id, for Standard Webhooks verifiers. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt, for Standard Webhooks verifiers. */
                "webhook-timestamp": string;
                /** @description `v1,` and the signature in base64, for Standard Webhooks verifiers. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *       "event": "order.status_changed",
                 *       "createdAt": "2026-11-21T08:30:00.000Z",
                 *       "mode": "live",
                 *       "data": {
                 *         "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *         "number": "ORD-7K2M9QX4",
                 *         "from": "pending",
                 *         "to": "processing",
                 *         "reason": "payment_received",
                 *         "actor": {
                 *           "type": "token",
                 *           "id": "tok_01jd3f8q6hf5n8v1zr4c7e2m9k"
                 *         },
                 *         "version": 2,
                 *         "occurredAt": "2026-11-21T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrderStatusChangedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, or none within 10 seconds, is a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` in Unix seconds and HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s signing secret, in hex. */
                "Service-Signature": string;
                /** @description The event’s id, for Standard Webhooks verifiers. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt, for Standard Webhooks verifiers. */
                "webhook-timestamp": string;
                /** @description `v1,` and the signature in base64, for Standard Webhooks verifiers. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *       "event": "order.refunded",
                 *       "createdAt": "2026-11-21T08:30:00.000Z",
                 *       "mode": "live",
                 *       "data": {
                 *         "refund": {
                 *           "id": "rfd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *           "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *           "orderNumber": "ORD-7K2M9QX4",
                 *           "amountKobo": 1500000,
                 *           "taxKobo": 0,
                 *           "currency": "NGN",
                 *           "reason": "damaged",
                 *           "note": null,
                 *           "status": "succeeded",
                 *           "items": [],
                 *           "destination": "manual",
                 *           "account": null,
                 *           "provider": "manual",
                 *           "providerReference": null,
                 *           "failureCode": null,
                 *           "failureMessage": null,
                 *           "metadata": {},
                 *           "createdBy": {
                 *             "type": "token",
                 *             "id": "tok_01jd3f8q6hf5n8v1zr4c7e2m9k"
                 *           },
                 *           "createdAt": "2026-11-21T10:00:00.000Z",
                 *           "updatedAt": "2026-11-21T10:00:00.000Z",
                 *           "expectedAt": null,
                 *           "succeededAt": "2026-11-21T10:00:00.000Z",
                 *           "failedAt": null,
                 *           "order": {
                 *             "refundedKobo": 1500000,
                 *             "refundableKobo": 1750000,
                 *             "paymentStatus": "partially_refunded"
                 *           }
                 *         },
                 *         "fullyRefunded": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrderRefundedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, or none within 10 seconds, is a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInventoryLowStock: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` in Unix seconds and HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s signing secret, in hex. */
                "Service-Signature": string;
                /** @description The event’s id, for Standard Webhooks verifiers. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt, for Standard Webhooks verifiers. */
                "webhook-timestamp": string;
                /** @description `v1,` and the signature in base64, for Standard Webhooks verifiers. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *       "event": "inventory.low_stock",
                 *       "createdAt": "2026-11-21T08:30:00.000Z",
                 *       "mode": "live",
                 *       "data": {
                 *         "productId": "prd_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *         "variantId": "var_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *         "sku": "ANK-MAX-M-IND",
                 *         "title": "Ankara maxi dress, M / Indigo",
                 *         "available": 4,
                 *         "onHand": 6,
                 *         "reserved": 2,
                 *         "threshold": 5,
                 *         "cause": {
                 *           "type": "order",
                 *           "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k"
                 *         },
                 *         "occurredAt": "2026-11-21T08:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InventoryLowStockEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, or none within 10 seconds, is a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onShipmentStatusChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description `t` in Unix seconds and HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s signing secret, in hex. */
                "Service-Signature": string;
                /** @description The event’s id, for Standard Webhooks verifiers. */
                "webhook-id": string;
                /** @description Unix seconds of this attempt, for Standard Webhooks verifiers. */
                "webhook-timestamp": string;
                /** @description `v1,` and the signature in base64, for Standard Webhooks verifiers. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *       "event": "shipment.status_changed",
                 *       "createdAt": "2026-11-21T08:30:00.000Z",
                 *       "mode": "live",
                 *       "data": {
                 *         "shipmentId": "shp_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *         "reference": "ORD-7K2M9QX4-1",
                 *         "orderId": "ord_01jd3f8q6hf5n8v1zr4c7e2m9k",
                 *         "from": "at_pickup",
                 *         "to": "picked_up",
                 *         "statusReason": null,
                 *         "carrier": {
                 *           "code": "simulator-swift",
                 *           "name": "Simulator Swift"
                 *         },
                 *         "attemptNumber": 1,
                 *         "trackingUrl": null,
                 *         "version": 5,
                 *         "occurredAt": "2026-11-21T08:50:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ShipmentStatusChangedEvent"];
            };
        };
        responses: {
            /** @description Acknowledged. Any other answer, or none within 10 seconds, is a failure and is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
