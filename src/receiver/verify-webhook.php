<?php
// Verifies webhook deliveries with PHP's standard functions. Behind a web server, this file receives them. To try it:
// WEBHOOK_SECRETS=whsec_… php -S 127.0.0.1:4242 verify-webhook.php

const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * @param string $rawBody the unparsed body
 * @param string|null $header the Service-Signature header
 * @param string[] $secrets one or two signing secrets (whsec_…)
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
            throw new InvalidArgumentException('Use the signing secret as it is shown. It starts with whsec_.');
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
    // Store the event durably, deduplicated by $event['id']. Process it after responding.
    error_log($event['event'] . ' ' . $event['id']);
    http_response_code(204);
}

// On the command line, including this file only defines the functions.
if (PHP_SAPI !== 'cli') {
    receive_webhook();
}
