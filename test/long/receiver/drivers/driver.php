<?php
require getenv('RECEIVER_FOLDER') . '/verify-webhook.php';

while (($line = fgets(STDIN)) !== false) {
    [$body, $header, $secrets, $now] = explode("\t", rtrim($line, "\n"));
    $text = $header === '-' ? null : base64_decode($header);
    echo is_valid_webhook(base64_decode($body), $text, explode(' ', $secrets), (int) $now) ? "true\n" : "false\n";
}
