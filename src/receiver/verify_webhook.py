"""Verifies webhook deliveries with Python's standard library. As a program, it receives them on PORT."""

import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def is_valid_webhook(raw_body, header, secrets, now_seconds=None):
    """raw_body: the unparsed bytes. header: Service-Signature, or None. secrets: one or two signing secrets (whsec_…)."""
    fields = [field.strip() for field in (header or "").split(",")]
    timestamps = [field[2:] for field in fields if field.startswith("t=")]
    signatures = [field[3:] for field in fields if field.startswith("v1=")]
    # Not isdigit() or \d: they accept digits of other scripts.
    if len(timestamps) != 1 or not re.fullmatch("[0-9]{1,11}", timestamps[0]):
        return False
    signed = timestamps[0].encode() + b"." + raw_body
    matches = False
    for secret in secrets:
        if not secret.startswith("whsec_"):
            raise ValueError("Use the signing secret as it is shown. It starts with whsec_.")
        expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
        for signature in signatures:
            matches |= hmac.compare_digest(expected, signature.encode())
    now = int(time.time() if now_seconds is None else now_seconds)
    return matches and abs(now - int(timestamps[0])) <= TOLERANCE_SECONDS


class Receiver(BaseHTTPRequestHandler):
    secrets = os.environ.get("WEBHOOK_SECRETS", "").split()

    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_valid_webhook(raw_body, self.headers.get("Service-Signature"), self.secrets):
            return self.answer(400)
        event = json.loads(raw_body)
        # Store the event durably, deduplicated by event["id"]. Process it after responding.
        print(event["event"], event["id"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4242))), Receiver)
    print(f"Listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
