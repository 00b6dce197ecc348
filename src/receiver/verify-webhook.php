<?php
// Verifies webhook deliveries with what PHP brings along. Behind a web server it receives them; to try it:
// WEBHOOK_SECRETS=whsec_… php -S 127.0.0.1:4242 verify-webhook.php

const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * @param string $rawBody the bytes as they arrived
 * @param string|null $header Service-Signature
 * @param string[] $secrets whsec_…, one or two of them
 */
function is_valid_webhook(string $rawBody, ?string $header, array $secrets, ?int $nowSeconds = null): bool
{
    $timestamps = [];
    $signatures = [];
    foreach (explode(',', $header ?? '') as $field) {
        [$name, $value] = explode('=', trim($field), 2) + ['', ''];
        if ($name === 't') {
            $timestamps[] = $value;
        } elseif ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    if (count($timestamps) !== 1 || preg_match('/\A[0-9]{1,11}\z/', $timestamps[0]) !== 1) {
        return false;
    }
    $matches = false;
    foreach ($secrets as $secret) {
        if (strncmp($secret, 'whsec_', 6) !== 0) {
            throw new InvalidArgumentException('A secret is used as it is shown, and begins with whsec_.');
        }
        $expected = hash_hmac('sha256', $timestamps[0] . '.' . $rawBody, $secret);
        foreach ($signatures as $signature) {
            $matches = hash_equals($expected, $signature) || $matches;
        }
    }
    $ageSeconds = ($nowSeconds ?? time()) - (int) $timestamps[0];
    return $matches && abs($ageSeconds) <= WEBHOOK_TOLERANCE_SECONDS;
}

function receive_webhook(): void
{
    $rawBody = file_get_contents('php://input');
    $secrets = preg_split('/\s+/', (string) getenv('WEBHOOK_SECRETS'), -1, PREG_SPLIT_NO_EMPTY);
    if (!is_valid_webhook($rawBody, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null, $secrets)) {
        http_response_code(400);
        return;
    }
    $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
    // Put it where it is not lost, once for each $event['id']; do the work itself after answering.
    error_log($event['event'] . ' ' . $event['id']);
    http_response_code(204);
}

// Included from the command line it only defines the functions.
if (PHP_SAPI !== 'cli') {
    receive_webhook();
}
