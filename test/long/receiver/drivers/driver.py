import base64
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["RECEIVER_FOLDER"])
from verify_webhook import is_valid_webhook

for line in sys.stdin:
    body, header, secrets, now = line.rstrip("\n").split("\t")
    text = None if header == "-" else base64.b64decode(header).decode()
    print(is_valid_webhook(base64.b64decode(body), text, secrets.split(), int(now)))
