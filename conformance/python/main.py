"""Runs the main path of an integration against the sandbox, with Python's standard library alone.

Usage: with the variables of practice-sandbox set, python3 main.py. The first thing that is
not as it should be ends the program with an AssertionError. docs/sandbox.md describes the
control interface.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ENV = {name.removeprefix("PRACTICE_"): value for name, value in os.environ.items() if name.startswith("PRACTICE_")}


def send(method, address, body=None, headers=None):
    """Makes one request and returns status, headers and content. Every status is an answer."""
    request = urllib.request.Request(address, data=body, headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, refused.read()


def as_json(method, address, body, headers):
    """Makes a request whose body and answer are JSON, if there are any."""
    if body is not None:
        headers = headers | {"Content-Type": "application/json"}
        body = json.dumps(body).encode()
    status, answered, content = send(method, address, body, headers)
    return status, answered, json.loads(content) if content else None


def sandbox(method, path, body=None, want=(200, 204)):
    """Sends a command to the sandbox."""
    status, _, answer = as_json(method, ENV["SANDBOX_URL"] + path, body, {"x-api-key": ENV["API_KEY"]})
    assert status in want, (method, path, status, answer)
    return answer


def excuse(pattern):
    """Excuses the one mistake that was just made on purpose."""
    [found] = sandbox("DELETE", "/violations")["value"]
    assert re.search(pattern, found), found


class Client:
    """A client as one would write it: bearer token, one renewal, waits that a 429 asks for."""

    def __init__(self):
        self.refresh_token = ENV["REFRESH_TOKEN"]
        self.renewals = self.waits = 0
        self.renew()

    def token(self, form):
        """Asks the token endpoint."""
        pair = urllib.parse.quote(ENV["CLIENT_ID"]) + ":" + urllib.parse.quote(ENV["CLIENT_SECRET"])
        status, _, content = send("POST", ENV["TOKEN_URL"], urllib.parse.urlencode(form | {"client_id": ENV["CLIENT_ID"]}).encode(), {
            "Authorization": "Basic " + base64.b64encode(pair.encode()).decode(),
            "Content-Type": "application/x-www-form-urlencoded",
        })
        return status, json.loads(content)

    def renew(self):
        status, answer = self.token({"grant_type": "refresh_token", "refresh_token": self.refresh_token})
        assert status == 200, answer
        self.access = answer["access_token"]

    def call(self, method, path, body=None, want=200, absolute=False):
        """Calls the interface. An address that the service gave is called as it is."""
        address = path if absolute else ENV["BASE_URL"] + path
        for attempt in range(4):
            request_id = str(uuid.uuid4())
            status, headers, answer = as_json(method, address, body, {
                "x-api-key": ENV["API_KEY"], "Authorization": "Bearer " + self.access, "RequestId": request_id,
            })
            assert headers["RequestId"] == request_id or status >= 500
            if status == 401 and attempt == 0:
                self.renewals += 1
                self.renew()
            elif status == 429:
                self.waits += 1
                time.sleep(float(headers.get("Retry-After", "0.1")) / 10)
            else:
                break
        assert status == want, (method, path, status, answer)
        return answer

    def pages(self, path, records=lambda page: page["value"]):
        """Returns the records of a list, page after page, by the links between them."""
        address, found = ENV["BASE_URL"] + path, []
        while address:
            page = self.call("GET", address, absolute=True)
            found += records(page)
            address = page["next"]["href"] if "next" in page else None
        assert len(found) == page["size"], (path, len(found), page["size"])
        return found


def tokens(client):
    status, answer = client.token({"grant_type": "client_credentials"})
    assert status == 200 and answer["token_type"] == "Bearer" and answer["expires_in"] == 3600, answer
    status, answer = client.token({"grant_type": "refresh_token", "refresh_token": "nonsense"})
    assert (status, answer["error"]) == (400, "invalid_grant"), answer


def lists(client):
    small = [event["id"] for event in client.pages("/events?From=2000-01-01T00:00:00&limit=37")]
    large = [event["id"] for event in client.pages("/events?From=2000-01-01T00:00:00")]
    assert small == large and len(set(small)) == sandbox("GET", "/seed")["events"] == 300
    codes = client.pages("/activitycodes?limit=1")
    assert len({code["id"] for code in codes}) == len(codes) > 2


def documents(client):
    """Makes a folder and a file, and moves bytes through the addresses of the storage."""
    matter = "/matters/" + ENV["MATTER_ID"] + "/documents"
    folder = client.call("POST", matter + "/folders", {"name": "From Python ✉"}, want=202)["id"]
    sandbox("POST", "/settle")
    assert folder in {found["id"] for found in client.pages(matter + "/folders", folders_and_files)}

    content = os.urandom(300_000)
    file = client.call("POST", matter + "/files", {"fileName": "random.bin", "folderId": folder}, want=202)
    place = file["uploadUrl"]
    sandbox("POST", "/settle")
    # The address is signed for no media type, and urllib sends one of its own unless it is told an empty one.
    status, headers, answer = send("PUT", place, content, {"Content-Type": ""})
    assert status == 200, answer
    sandbox("POST", "/settle")
    status, _, answer = send("PUT", place, content, {"Content-Type": "application/pdf"})
    assert status == 403 and b"SignatureDoesNotMatch" in answer, answer
    excuse("Content-Type")

    place = client.call("GET", f"{matter}/files/{file['fileId']}/download")["downloadUrl"]
    assert send("GET", place)[2] == content
    status, headers, part = send("GET", place, headers={"Range": "bytes=1000-1999"})
    assert (status, part) == (206, content[1000:2000]) and headers["Content-Range"] == "bytes 1000-1999/300000"
    sandbox("POST", "/clock", {"advanceMilliseconds": 16 * 60 * 1000})
    assert send("GET", place)[0] == 403, "the address has expired"


def folders_and_files(page):
    return [found for listing in page["value"] for found in (listing["folders"] or []) + (listing["files"] or [])]


def bad_weather(client):
    """Meets what networks and services do."""
    staff = "/staff/" + ENV["STAFF_ID"]
    sandbox("POST", "/faults", {"operation": "getStaff", "kind": "rate-limit", "times": 2, "retryAfter": "1"})
    assert client.call("GET", staff)["id"] == ENV["STAFF_ID"] and client.waits == 2

    sandbox("POST", "/faults", {"operation": "getStaff", "kind": "reset-before"})
    try:
        send("GET", ENV["BASE_URL"] + staff)
        raise AssertionError("the connection was not reset")
    except (urllib.error.URLError, ConnectionError):
        pass

    sandbox("DELETE", "/requests")
    sandbox("POST", "/tokens/expire")
    assert client.call("GET", staff)["id"] == ENV["STAFF_ID"] and client.renewals == 1
    assert [(r["operation"], r["status"]) for r in sandbox("GET", "/requests")["value"]] == [
        ("getStaff", 401), ("token", 200), ("getStaff", 200),
    ]


class Receiver(http.server.ThreadingHTTPServer):
    """Receives notifications and keeps them."""

    def __init__(self):
        self.received = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.server.received.append((self.headers, json.loads(body)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                """Says nothing."""

        super().__init__(("127.0.0.1", 0), Handler)


def webhooks(client):
    """Subscribes, meets an event and a write that fails late, and checks their signatures."""
    key = "a key that is known to two only"
    with Receiver() as receiver:
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        subscription = client.call("POST", "/webhooks", {
            "name": "Python", "key": key, "eventTypes": ["matter.updated", "error"],
            "eventNotificationUrl": f"http://127.0.0.1:{receiver.server_port}/hook",
        })["id"]
        sandbox("POST", "/emit", {"type": "matter.updated", "payload": {"id": ENV["MATTER_ID"]}})
        sandbox("POST", "/failures", {"operation": "patchFee", "message": "The fee is finalized"})
        client.call("PATCH", "/matters/" + ENV["MATTER_ID"] + "/fees/" + ENV["FEE_ID"], {"subject": "Changed"}, want=202)
        sandbox("POST", "/settle")
        sandbox("POST", "/flush", {})
        receiver.shutdown()
    client.call("DELETE", "/webhooks/" + subscription)

    assert [event["type"] for _, event in receiver.received] == ["matter.updated", "error"]
    for headers, event in receiver.received:
        signed = "|".join([headers["Timestamp"], headers["RequestId"], ENV["CLIENT_ID"]])
        assert headers["Signature"] == hmac.new(key.encode(), signed.encode(), hashlib.sha256).hexdigest()
        assert event["subscriptionId"] == subscription
    assert receiver.received[1][1]["payload"]["message"] == "The fee is finalized"
    assert [delivery["status"] for delivery in sandbox("GET", "/deliveries")["value"]] == [204, 204]


def mistakes(client):
    """Is told of a member and of an operation that do not exist."""
    client.call("POST", "/matters/" + ENV["MATTER_ID"] + "/documents/folders", {"name": "n", "parentFolderid": ENV["FOLDER_ID"]}, want=400)
    excuse("createFolder.*parentFolderid")
    sandbox("POST", "/faults", {"operation": "getStaf"}, want=(400,))
    status, _, _ = send("POST", ENV["SANDBOX_URL"] + "/reset", b"", {"Content-Type": "text/plain"})
    assert status == 403, "no simple request of a web page"


def main():
    client = Client()
    for step in (tokens, lists, documents, bad_weather, webhooks, mistakes):
        step(client)
        print("ok", step.__name__)
    sandbox("POST", "/reset")
    assert sandbox("GET", "/requests")["value"] == []


if __name__ == "__main__":
    main()
